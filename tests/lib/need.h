/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requirements of tests on the machine.
 *
 * A test that cannot run here is skipped with the reason; if PTUI_REQUIRE in the environment (a
 * comma-separated list of the words below) contains the word, the test fails instead.
 *
 *	perf	 the perf tool is installed, and may open an event
 *	root	 runs as root
 *	tracefs	 tracefs is readable (root mounts it if missing)
 *	pmu	 the processor's counters can be opened
 *	vterm	 libvterm was found by configure (tests/screen/absent.sh)
 */
#ifndef TESTS_LIB_NEED_H
#define TESTS_LIB_NEED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* NULL when this machine has @what, else why not; the text stays valid until the next call. */
const char *lack_of(const char *what);

/*
 * Waits for other tests that need the machine to themselves, also of other builds (ten minutes at
 * most): see tests/lib/tap.sh. Held until this program exits, by a child, so that no process left
 * by the test has the lock. Usable as a group setup.
 */
int one_at_a_time(void **state);

/* Whether PTUI_REQUIRE lists @what. */
bool is_required(const char *what);

/* In a cmocka test: skips it, with the reason for the summary. */
#define skip_because(...)                            \
	do {                                         \
		print_message("skip: " __VA_ARGS__); \
		print_message("\n");                 \
		skip();                              \
	} while (0)

/* In a cmocka test: continues only on a machine that has @what. */
#define need(what)                                                          \
	do {                                                                \
		const char *lack_ = lack_of(what);                          \
                                                                            \
		if (lack_ && is_required(what))                             \
			fail_msg("PTUI_REQUIRE wants %s: %s", what, lack_); \
		else if (lack_)                                             \
			skip_because("%s", lack_);                          \
	} while (0)

#endif
