/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines of `perf record` and `ptui record`: what is accepted, what is refused, and the
 * conversion back to words.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "ptui/record_line.h"

#define WORDS(...)                            \
	(const char *const[]){ __VA_ARGS__ }, \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

static size_t option(const char *name)
{
	size_t i = ptui_record_option_find(name);

	assert_int_not_equal(i, SIZE_MAX);
	return i;
}

static int no_configs(void **state)
{
	(void)state;
	setenv("PERF_CONFIG", "/dev/null", 1);
	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	return 0;
}

static void test_table(void **state)
{
	struct ptui_record_option o;
	size_t n = 0;

	(void)state;
	for (; ptui_record_option(n, &o); n++) {
		assert_true(*o.group && *o.help);
		assert_true(o.name || o.letter);
		assert_true((o.word != NULL) == (o.kind != PTUI_OPTION_FLAG));
		assert_int_equal(ptui_record_option_find(o.name ? o.name : (char[]){ o.letter, 0 }),
				 n);
	}
	assert_true(n > 10);
	assert_int_equal(ptui_record_option_find("no-such"), SIZE_MAX);
	assert_int_equal(ptui_record_option_find(""), SIZE_MAX);
	assert_true(ptui_record_option(option("no-buildid-cache"), &o));
	assert_int_equal(o.letter, 'N');
	assert_true(o.can_be_off);
	assert_true(ptui_record_option(option("count"), &o));
	assert_int_equal(o.kind, PTUI_OPTION_NUMBER);
}

static void test_line(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_record_line *l = ptui_record_line_new(
		WORDS("sudo", "-E", "/usr/bin/perf", "record", "-c", "7", "-iN", "-e",
		      "page-faults", "--no-buildid-all", "--", "make", "-j2"),
		0, &err);
	const struct ptui_record_opts *o;

	(void)state;
	assert_non_null(l);
	o = ptui_record_line_opts(l);
	assert_int_equal(o->period, 7);
	assert_true(o->no_inherit);
	assert_int_equal(o->buildid, PTUI_BUILDID_TABLE);
	assert_int_equal(o->n_events, 1);
	assert_string_equal(o->events[0], "page-faults");
	assert_string_equal(o->argv[0], "make");
	assert_string_equal(o->argv[1], "-j2");
	assert_null(o->argv[2]);
	assert_int_equal(ptui_record_line_use(l, 0)->option, option("count"));
	assert_string_equal(ptui_record_line_use(l, 0)->value, "7");
	assert_int_equal(ptui_record_line_use(l, 1)->option, option("no-inherit"));
	assert_int_equal(ptui_record_line_use(l, 2)->option, option("no-buildid-cache"));
	assert_false(ptui_record_line_use(l, 2)->off);
	assert_int_equal(ptui_record_line_use(l, 4)->option, option("buildid-all"));
	assert_true(ptui_record_line_use(l, 4)->off);
	assert_null(ptui_record_line_use(l, 5));
	assert_null(ptui_record_line_refusal(l, 0));
	ptui_record_line_free(l);
}

static void test_programs(void **state)
{
	static const char *const good[][4] = {
		{ "perf", "record", "-a", NULL },
		{ "ptui", "record", "-a", NULL },
		{ "-a", NULL },
		{ "env", "A=b", "perf", "record" },
		{ "./ptui", "record", NULL },
	};
	static const char *const bad[][4] = {
		{ "perf", "stat", "-a", NULL }, { "perf", NULL },
		{ "make", "-j2", NULL },	{ "sudo", "make", "perf", "record" },
		{ "record", "-a", NULL },
	};
	struct ptui_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		size_t n = 0;

		while (n < 4 && good[i][n])
			n++;
		struct ptui_record_line *l = ptui_record_line_new(good[i], n, 0, NULL);

		assert_non_null(l);
		ptui_record_line_free(l);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		size_t n = 0;

		while (n < 4 && bad[i][n])
			n++;
		memset(&err, 0, sizeof(err));
		assert_null(ptui_record_line_new(bad[i], n, PTUI_LINE_TOLERANT, &err));
		assert_int_equal(err.domain, PTUI_ERROR_INPUT);
	}
}

/*
 * Strict: the first error fails. Tolerant: all errors are listed, and the valid options are kept.
 */
static void test_mistakes(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_record_line *l;
	const struct ptui_record_refusal *r;

	(void)state;
	assert_null(ptui_record_line_new(WORDS("ptui", "record", "--nonsense", "-a"), 0, &err));
	assert_non_null(strstr(err.text, "--nonsense"));
	memset(&err, 0, sizeof(err));
	l = ptui_record_line_new(WORDS("ptui", "record", "--nonsense", "-c", "x", "-i", "-c", "9",
				       "-Z", "true"),
				 PTUI_LINE_TOLERANT, &err);
	assert_non_null(l);
	assert_false(ptui_error_is_set(&err));
	r = ptui_record_line_refusal(l, 0);
	assert_string_equal(r->word, "--nonsense");
	assert_int_equal(r->at, 2);
	r = ptui_record_line_refusal(l, 1);
	assert_string_equal(r->word, "-c");
	assert_non_null(strstr(r->why.text, "'x'"));
	assert_string_equal(ptui_record_line_refusal(l, 2)->word, "-Z");
	assert_null(ptui_record_line_refusal(l, 3));
	assert_true(ptui_record_line_opts(l)->no_inherit);
	assert_int_equal(ptui_record_line_opts(l)->period, 9);
	assert_string_equal(ptui_record_line_opts(l)->argv[0], "true");
	ptui_record_line_free(l);
	/* contradicting options */
	assert_null(ptui_record_line_new(WORDS("-F", "99", "-c", "9"), 0, &err));
	l = ptui_record_line_new(WORDS("-F", "99", "-c", "9"), PTUI_LINE_TOLERANT, &err);
	assert_non_null(l);
	assert_non_null(ptui_record_line_refusal(l, 0));
	ptui_record_line_free(l);
	assert_null(ptui_record_line_new(WORDS("-a", "--help"), PTUI_LINE_TOLERANT, &err));
}

static void words_are(const char *name, const char *value, bool off, const char *first,
		      bool follows)
{
	const struct ptui_record_use use = { option(name), value, off };
	bool two = false;
	char *word = ptui_record_use_word(&use, &two);

	assert_non_null(word);
	assert_string_equal(word, first);
	assert_int_equal(two, follows);
	free(word);
}

static void test_words(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	words_are("no-inherit", NULL, false, "-i", false);
	words_are("no-buildid", NULL, true, "--buildid", false);
	words_are("buildid-all", NULL, false, "--buildid-all", false);
	words_are("buildid-all", NULL, true, "--no-buildid-all", false);
	words_are("count", "9", false, "-c", true);
	assert_int_equal(ptui_record_use_check(
				 &(struct ptui_record_use){ option("count"), "9", false }, &err),
			 0);
	assert_false(ptui_error_is_set(&err));
	assert_true(ptui_record_use_check(
			    &(struct ptui_record_use){ option("count"), "few", false }, &err) < 0);
	assert_non_null(strstr(err.text, "few"));
	/* a filter needs an event */
	assert_int_equal(
		ptui_record_use_check(&(struct ptui_record_use){ option("filter"), "a > 1", false },
				      &err),
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),	 cmocka_unit_test(test_line),
		cmocka_unit_test(test_programs), cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, no_configs, NULL);
}
