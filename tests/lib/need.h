/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a test needs of the machine it runs on.
 *
 * A test that cannot run here skips with the reason; where the environment's PTUI_REQUIRE (a comma
 * list of the words below) says that the machine must have it, the test fails instead.
 *
 *	perf	 the perf tool is installed, and may open an event
 *	root	 runs as root
 *	tracefs	 tracefs can be read (root mounts it when it is not there)
 *	pmu	 the processor's counters can be opened
 *	vterm	 libvterm was there at configure (tests/screen/absent.sh)
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
 * Waits for other tests that need the machine for themselves to end, of other builds too (ten minutes at most): see
 * tests/lib/tap.sh. Held until this program ends, by a child of it, so that nothing that the test
 * starts and leaves behind has the lock. Fits as a group's setup.
 */
int one_at_a_time(void **state);

/* Whether PTUI_REQUIRE lists @what. */
bool is_required(const char *what);

/* In a cmocka test: skips it, with the reason where the summary finds it. */
#define skip_because(...)                            \
	do {                                         \
		print_message("skip: " __VA_ARGS__); \
		print_message("\n");                 \
		skip();                              \
	} while (0)

/* In a cmocka test: goes on only on a machine that has @what. */
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
