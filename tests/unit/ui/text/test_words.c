/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines parsed and quoted like a shell, compared with a real shell; texts joined and copied. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "text/strings.h"
#include "text/words.h"

/* The words with | between. */
static char *split(const char *text, char *buf, size_t size)
{
	struct words w = WORDS_INIT;
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t n = 0;

	if (words_split(&w, text, &err))
		snprintf(buf, size, "error: %.200s", err.text);
	else
		*buf = '\0';
	for (size_t i = 0; i < w.n && strncmp(buf, "error", 5); i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "|" : "", w.v[i]);
	words_release(&w);
	return buf;
}

static void test_split(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "", "" },
		{ "  \t ", "" },
		{ "make", "make" },
		{ "  make   -j2 ", "make|-j2" },
		{ "a 'b c' d", "a|b c|d" },
		{ "CFLAGS='-O2 -g'x", "CFLAGS=-O2 -gx" },
		{ "\"a \\\"b\\\" \\n\"", "a \"b\" \\n" },
		{ "a\\ b \\'", "a b|'" },
		{ "'' \"\"", "|" },
		{ "'$HOME|*' \"a;b\"", "$HOME|*|a;b" },
		{ "a~ b#c", "a~|b#c" },
		{ "--opt={a,b}", "--opt={a,b}" },
		{ "été 中文", "été|中文" },
	};
	char buf[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(split(cases[i].text, buf, sizeof(buf)), cases[i].words);
}

static void test_refused(void **state)
{
	static const char *const lines[] = {
		"a | b", "a>b", "a &",	"a;b",	"$HOME/x", "\"$HOME\"", "a `b`",
		"*.c",	 "a?",	"x[1]", "~x/w", "#x",	   "(a)",
	};
	struct ptui_error err;
	struct words w = WORDS_INIT;
	char buf[256];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(words_split(&w, lines[i], &err), -EINVAL);
		assert_non_null(strstr(err.hint, "sh -c"));
		words_release(&w);
	}
	/* the hint is followed */
	assert_int_equal(words_split(&w, "a | b", &err), -EINVAL);
	words_release(&w);
	assert_string_equal(err.hint,
			    "quote it ('|') to use it literally, or run a shell: sh -c '...'");
	assert_string_equal(split("a '|' b", buf, sizeof(buf)), "a|||b");
	assert_string_equal(split("sh -c 'a | b'", buf, sizeof(buf)), "sh|-c|a | b");
	assert_non_null(strstr(split("a 'b", buf, sizeof(buf)), "' is not closed"));
	assert_non_null(strstr(split("a \"b", buf, sizeof(buf)), "\" is not closed"));
	assert_non_null(strstr(split("a \\", buf, sizeof(buf)), "not closed"));
}

/* Only a ~ at the start of a word. */
static void test_home(void **state)
{
	char buf[256], *path;

	(void)state;
	setenv("HOME", "/home/a b", 1);
	assert_string_equal(split("~/w ~ '~/x' a~/y z=~/q ~/'r s'", buf, sizeof(buf)),
			    "/home/a b/w|/home/a b|~/x|a~/y|z=~/q|/home/a b/r s");
	path = words_path("~/perf data");
	assert_string_equal(path, "/home/a b/perf data");
	free(path);
	path = words_path("~x/y");
	assert_string_equal(path, "~x/y");
	free(path);
	unsetenv("HOME");
	assert_non_null(strstr(split("~/w", buf, sizeof(buf)), "error"));
	path = words_path("~/y");
	assert_string_equal(path, "~/y");
	free(path);
}

/* Every byte, alone and embedded, survives ptui and sh. */
static void test_round_trip(void **state)
{
	static const char *const extra[] = { "",   "a b", "'", "''",  "a'b\"c\\d",
					     "-x", "~",	  "#", "a\nb" };
	struct words w = WORDS_INIT, back = WORDS_INIT;
	char word[8], *text, *command, got[8192];
	size_t at, n;
	FILE *sh;

	(void)state;
	for (int c = 1; c < 128; c++) {
		snprintf(word, sizeof(word), "%c", c);
		assert_int_equal(words_add(&w, word), 0);
		snprintf(word, sizeof(word), "x%cy", c);
		assert_int_equal(words_add(&w, word), 0);
	}
	for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++)
		assert_int_equal(words_add(&w, extra[i]), 0);
	text = words_join(&w);
	assert_non_null(text);
	assert_int_equal(words_split(&back, text, NULL), 0);
	assert_int_equal(back.n, w.n);
	for (size_t i = 0; i < w.n; i++)
		assert_string_equal(back.v[i], w.v[i]);

	assert_true(asprintf(&command, "printf '%%s\\000' %s", text) > 0);
	sh = popen(command, "r");
	assert_non_null(sh);
	n = fread(got, 1, sizeof(got) - 1, sh);
	got[n] = '\0';
	assert_int_equal(pclose(sh), 0);
	for (size_t i = at = 0; i < w.n; i++) {
		assert_true(at < n);
		assert_string_equal(got + at, w.v[i]);
		at += strlen(got + at) + 1;
	}
	assert_int_equal(at, n);
	free(command);
	free(text);
	words_release(&w);
	words_release(&back);
}

static void test_remove(void **state)
{
	struct words w = WORDS_INIT;
	char *text;

	(void)state;
	assert_int_equal(words_split(&w, "a b c", NULL), 0);
	words_remove(&w, 1);
	words_remove(&w, 1);
	text = words_join(&w);
	assert_string_equal(text, "a");
	assert_null(w.v[1]);
	free(text);
	words_release(&w);
}

/* What does not fit is cut off, and the first text has nothing before it. */
static void test_joined(void **state)
{
	char buf[12] = "";

	(void)state;
	assert_string_equal(text_join(buf, sizeof(buf), ", ", "%d", 12), "12");
	assert_string_equal(text_join(buf, sizeof(buf), ", ", "%s", "abc"), "12, abc");
	assert_string_equal(text_append(buf, sizeof(buf), "%s", "d"), "12, abcd");
	assert_string_equal(text_join(buf, sizeof(buf), ", ", "%s", "efgh"), "12, abcd, e");
	assert_string_equal(text_join(buf, sizeof(buf), ", ", "%s", "x"), "12, abcd, e");
	assert_string_equal(text_append(buf, sizeof(buf), "%s", "x"), "12, abcd, e");
}

static void test_copied(void **state)
{
	char *copy;

	(void)state;
	assert_int_equal(text_copy(&copy, NULL), 0);
	assert_null(copy);
	assert_int_equal(text_copy(&copy, "abc"), 0);
	assert_string_equal(copy, "abc");
	free(copy);
	assert_string_equal(text_file_name("/a/b.c"), "b.c");
	assert_string_equal(text_file_name("b.c"), "b.c");
	assert_string_equal(text_file_name("/a/"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split),  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_home),   cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_remove), cmocka_unit_test(test_joined),
		cmocka_unit_test(test_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
