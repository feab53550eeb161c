/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "base/text.h"
#include "lib/need.h"
#include "unit/base/random.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void test_distance_table(void **state)
{
	(void)state;
	assert_int_equal(text_distance("", ""), 0);
	assert_int_equal(text_distance("", "abc"), 3);
	assert_int_equal(text_distance("abc", ""), 3);
	assert_int_equal(text_distance("Cycles", "cYCLES"), 0);
	assert_int_equal(text_distance("cycles", "cylces"), 1); /* neighbours swapped */
	assert_int_equal(text_distance("cycles", "cycle"), 1);
	assert_int_equal(text_distance("kitten", "sitting"), 3);
	assert_int_equal(text_distance("ca", "abc"), 3); /* no edit inside a swapped pair */
	assert_int_equal(text_distance("abcd", "wxyz"), 4);
}

/* The complete matrix. */
static size_t naive_distance(const char *a, const char *b)
{
	static size_t d[400][400];
	size_t la = strlen(a), lb = strlen(b);

	for (size_t i = 0; i <= la; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		for (size_t j = 1; j <= lb; j++) {
			int ca = tolower(a[i - 1]), cb = tolower(b[j - 1]);
			size_t v = d[i - 1][j - 1] + (ca != cb);

			v = d[i - 1][j] + 1 < v ? d[i - 1][j] + 1 : v;
			v = d[i][j - 1] + 1 < v ? d[i][j - 1] + 1 : v;
			if (i > 1 && j > 1 && ca == tolower(b[j - 2]) && cb == tolower(a[i - 2]) &&
			    d[i - 2][j - 2] + 1 < v)
				v = d[i - 2][j - 2] + 1;
			d[i][j] = v;
		}
	}
	return d[la][lb];
}

static void random_word(uint64_t *seed, char *s, size_t max, uint32_t letters)
{
	size_t n = random_below(seed, (uint32_t)max + 1), i;

	for (i = 0; i < n; i++)
		s[i] = (char)((random_below(seed, 2) ? 'a' : 'A') + random_below(seed, letters));
	s[n] = '\0';
}

static void test_distance_against_matrix(void **state)
{
	uint64_t seed = 51;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char a[13], b[13];

		random_word(&seed, a, 12, 3);
		random_word(&seed, b, 12, 3);
		if (text_distance(a, b) != naive_distance(a, b))
			fail_msg("distance of '%s' and '%s'", a, b);
	}
	for (int round = 0; round < 50; round++) {
		char a[391], b[391]; /* longer than the rows on the stack */

		random_word(&seed, a, 390, 5);
		random_word(&seed, b, 390, 5);
		assert_int_equal(text_distance(a, b), naive_distance(a, b));
	}
}

static const char *const NAMES[] = {
	"cpu-clock",
	"cycles",
	"instructions",
	"cache-misses",
	"cache-references",
	"branches",
	"branch-misses",
	"bus-cycles",
	"ref-cycles",
	"context-switches",
	"cs",
	"cpu-migrations",
	"page-faults",
	"faults",
	"minor-faults",
	"major-faults",
	"task-clock",
	"dummy",
	"alignment-faults",
	"sched:sched_switch",
	"sched:sched_wakeup",
	"sched:sched_stat_sleep",
	"syscalls:sys_enter_openat",
	"syscalls:sys_exit_openat",
	"block:block_rq_issue",
};

static const struct {
	const char *word, *want;
} MEANT[] = {
	{ "cycle", "cycles" },
	{ "cylces", "cycles" },
	{ "CYCLES", "cycles" },
	{ "cyclesx", "cycles" },
	{ "context-switch", "context-switches" },
	{ "contextswitches", "context-switches" },
	{ "sched_switch", "sched:sched_switch" },
	{ "sched_swich", "sched:sched_switch" },
	{ "sched:sched_swtich", "sched:sched_switch" },
	{ "sched.sched_wakeup", "sched:sched_wakeup" },
	{ "sys_enter_opena", "syscalls:sys_enter_openat" },
	{ "instrcutions", "instructions" },
	{ "cache-mises", "cache-misses" },
	{ "fault", "faults" },
	{ "task", "task-clock" },
	{ "minor", "minor-faults" },
	{ "rq_issue", "block:block_rq_issue" },
	{ "branch", "branches" },
};

static void test_what_was_meant(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(MEANT); i++) {
		const char *best[3];
		size_t n = text_nearest(MEANT[i].word, NAMES, COUNT(NAMES), best, 3);

		if (!n || strcmp(best[0], MEANT[i].want))
			fail_msg("'%s' gives '%s', not '%s'", MEANT[i].word, n ? best[0] : "-",
				 MEANT[i].want);
	}
}

static void test_nothing_is_near(void **state)
{
	const char *best[3];

	(void)state;
	assert_int_equal(text_nearest("xyzzyplugh", NAMES, COUNT(NAMES), best, 3), 0);
	assert_int_equal(text_nearest("q", NAMES, COUNT(NAMES), best, 3), 0);
	assert_int_equal(text_nearest("", NAMES, COUNT(NAMES), best, 3), 0);
	assert_int_equal(text_nearest("cycles", NAMES, COUNT(NAMES), best, 0), 0);
	assert_int_equal(text_nearest("cycles", NULL, 0, best, 3), 0);
}

static void test_order_and_max(void **state)
{
	static const char *const names[] = { "abcdxx", "abcdef", "abcdex",
					     "abcdef", "zzzzzz", "abxdef" };
	const char *best[6];

	(void)state;
	/* each name once; equals keep their order */
	assert_int_equal(text_nearest("abcdef", names, 6, best, 6), 4);
	assert_string_equal(best[0], "abcdef");
	assert_string_equal(best[1], "abcdex");
	assert_string_equal(best[2], "abxdef");
	assert_string_equal(best[3], "abcdxx");
	assert_int_equal(text_nearest("abcdef", names, 6, best, 2), 2);
	assert_string_equal(best[0], "abcdef");
	assert_string_equal(best[1], "abcdex");
}

/*
 * The search computes only the relevant part of the matrix: compares it with the complete matrix,
 * for words on both sides of the limit.
 */
static void test_finds_all_and_no_others(void **state)
{
	enum { N = 40 };
	static char text[N][24];
	const char *names[N], *best[N];
	uint64_t seed = 61;
	size_t near = 0, far = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		char word[19];
		size_t n, limit, k, found;

		random_word(&seed, word, 14, 3);
		n = strlen(word);
		memcpy(word + n, "klmn", 5); /* at least four letters */
		n += 4;
		limit = n / 3 > 2 ? n / 3 : 2;
		for (size_t i = 0; i < N; i++) {
			size_t at;

			memcpy(text[i], word, n + 1);
			for (k = random_below(&seed, 7); k; k--) {
				at = random_below(&seed, (uint32_t)n - 1);
				if (k % 2)
					text[i][at] = (char)('a' + random_below(&seed, 26));
				else
					memmove(text[i] + at, text[i] + at + 1, n - at);
			}
			names[i] = text[i];
		}
		found = text_nearest(word, names, N, best, N);
		for (size_t i = 0; i < N; i++) {
			bool want = naive_distance(word, text[i]) <= limit;
			bool got = false;

			for (k = 0; k < found; k++)
				got = got || !strcmp(best[k], text[i]);
			if (got != want)
				fail_msg("'%s' for '%s': %d", text[i], word, got);
			near += want;
			far += !want;
		}
	}
	assert_true(near > 1000 && far > 1000);
}

/* As many names as there are tracepoints. */
static void test_fast_enough(void **state)
{
	enum { N = 3000 };
	static char text[N][48];
	static const char *names[N];
	const char *best[5];
	clock_t start;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		snprintf(text[i], sizeof(text[i]), "subsystem%zu:subsystem_event_number_%zu",
			 i % 50, i);
		names[i] = text[i];
	}
	start = clock();
	assert_int_equal(text_nearest("subsystem17:subsystem_evnet_number_2117", names, N, best, 5),
			 5);
	/* a few ms; the rest is for sanitizers and slow machines */
	assert_true(clock() - start < CLOCKS_PER_SEC / 4);
	assert_string_equal(best[0], "subsystem17:subsystem_event_number_2117");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance_table),
		cmocka_unit_test(test_distance_against_matrix),
		cmocka_unit_test(test_what_was_meant),
		cmocka_unit_test(test_nothing_is_near),
		cmocka_unit_test(test_order_and_max),
		cmocka_unit_test(test_finds_all_and_no_others),
		cmocka_unit_test(test_fast_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
