/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <time.h>
#include "base/text.h"
#include "lib/need.h"
#include "unit/base/random.h"

static const struct {
	const char *pattern, *name;
	bool want;
} TABLE[] = {
	{ "", "", true },
	{ "", "a", false },
	{ "a", "", false },
	{ "abc", "abc", true },
	{ "abc", "ABC", false },
	{ "abc", "abcd", false },
	{ "*", "", true },
	{ "*", "anything", true },
	{ "**", "x", true },
	{ "a*", "a", true },
	{ "a*c", "abbbc", true },
	{ "a*c", "abbbcd", false },
	{ "*:sched_*", "sched:sched_switch", true },
	{ "*ab*ab", "abab", true },
	{ "*ab*ab", "ab", false },
	{ "?", "", false },
	{ "?", "a", true },
	{ "a?c", "abc", true },
	{ "a?c", "ac", false },
	{ "*?", "", false },
	{ "?*?", "ab", true },
	{ "?*?", "a", false },
	/* sets */
	{ "[abc]", "b", true },
	{ "[abc]", "d", false },
	{ "[a-c]x", "bx", true },
	{ "[a-c]x", "dx", false },
	{ "[!a-c]", "d", true },
	{ "[!a-c]", "b", false },
	{ "[^a]", "a", false },
	{ "[]]", "]", true },
	{ "[!]]", "]", false },
	{ "[]a]", "a", true },
	{ "[a-]", "-", true },
	{ "[-a]", "-", true },
	{ "[\\]]", "]", true },
	{ "[c-a]", "b", false },
	{ "[a]", "", false },
	{ "x[0-9]*", "x7y", true },
	{ "*[0-9]", "cpu12", true },
	/* an unclosed set is literal */
	{ "[", "[", true },
	{ "[ab", "[ab", true },
	{ "[ab", "a", false },
	{ "[a-", "[a-", true },
	{ "[!", "[!", true },
	{ "[\\", "[\\", true },
	/* backslashes */
	{ "\\*", "*", true },
	{ "\\*", "a", false },
	{ "a\\?", "a?", true },
	{ "\\[a]", "[a]", true },
	{ "\\\\", "\\", true },
	{ "a\\", "a\\", true },
	/* one character, not one byte */
	{ "?", "\xc3\xbc", true },
	{ "??", "\xc3\xbc", false },
	{ "[\xc3\xa4-\xc3\xbc]", "\xc3\xb6", true },
	{ "[\xc3\xa4]", "\xc3\xb6", false },
	{ "[!a]x", "\xe2\x82\xacx", true },
	{ "*\xbc", "\xc3\xbc", false },
	/* not UTF-8: bytes */
	{ "?", "\xff", true },
	{ "\xff", "\xff", true },
	{ "a?", "a\xc3", true },
	{ "[\xff]", "\xff", true },
};

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(TABLE) / sizeof(*TABLE); i++)
		if (text_glob(TABLE[i].pattern, TABLE[i].name) != TABLE[i].want)
			fail_msg("glob '%s' on '%s' is not %d", TABLE[i].pattern, TABLE[i].name,
				 TABLE[i].want);
}

/* The simplest implementation of * and ?. */
static bool naive_glob(const char *p, const char *s)
{
	if (!*p)
		return !*s;
	if (*p == '*')
		return naive_glob(p + 1, s) || (*s && naive_glob(p, s + 1));
	return *s && (*p == '?' || *p == *s) && naive_glob(p + 1, s + 1);
}

static void test_against_recursion(void **state)
{
	uint64_t seed = 41;
	int matched = 0;

	(void)state;
	for (int round = 0; round < 200000; round++) {
		char pattern[9], name[9];
		size_t p = random_below(&seed, 9), n = random_below(&seed, 9);

		for (size_t i = 0; i < p; i++)
			pattern[i] = "ab*?*"[random_below(&seed, 5)];
		for (size_t i = 0; i < n; i++)
			name[i] = "ab"[random_below(&seed, 2)];
		pattern[p] = name[n] = '\0';
		if (text_glob(pattern, name) != naive_glob(pattern, name))
			fail_msg("glob '%s' on '%s'", pattern, name);
		matched += naive_glob(pattern, name);
	}
	assert_in_range(matched, 10000, 190000);
}

/* Many stars and a long name that does not match: exponential work would not end. */
static void test_not_exponential(void **state)
{
	static char name[5001];
	char pattern[101];
	clock_t start = clock();

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	for (size_t i = 0; i < 100; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[99] = 'b';
	pattern[100] = '\0';
	assert_false(text_glob(pattern, name));
	assert_true(clock() - start < CLOCKS_PER_SEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_against_recursion),
		cmocka_unit_test(test_not_exponential),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
