/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Config files: valid lines, and the line numbers of errors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/config.h"
#include "lib/need.h"
#include "ptui/config.h"

static char path[] = "/tmp/ptui-test-config-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

struct seen {
	struct buf text; /* "LINE NAME=VALUE;" for each */
	int ret;	 /* what the callback returns */
};

static int see(void *ctx, const struct config_entry *e, struct ptui_error *err)
{
	struct seen *s = ctx;

	assert_string_equal(e->file, path);
	buf_addf(&s->text, "%u %s=%s;", e->line, e->name, e->value);
	return s->ret ? config_wrong(e, err, "no %s", e->name) : 0;
}

#ifdef HAVE_INIH

static void reads(const char *text, unsigned flags, const char *wanted)
{
	struct seen s = { .text = BUF_INIT };
	struct ptui_error err = PTUI_ERROR_INIT;

	write_file(text);
	assert_int_equal(config_each(path, flags, see, &s, &err), 0);
	assert_false(ptui_error_is_set(&err));
	assert_string_equal(buf_str(&s.text), wanted);
	buf_release(&s.text);
}

static void test_variables(void **state)
{
	(void)state;
	reads("", 0, "");
	reads("[record]\n\tbuild-id = cache\n\tdebuginfod=system\n", 0,
	      "2 record.build-id=cache;3 record.debuginfod=system;");
	reads("# a comment\n[call-graph]\r\n\r\n; another\n\trecord-mode = dwarf # why\r\n", 0,
	      "5 call-graph.record-mode=dwarf;");
	reads("[report]\nchildren\nsort_order = \"comm # no, dso\" ; yes\n", 0,
	      "2 report.children=true;3 report.sort_order=comm # no, dso;");
	reads("[a]\nb =\nc = \"x\\\"y\"", 0, "2 a.b=;3 a.c=x\"y;");
	reads("[a]\nb=1\n[c]\n  b=2\n  d=3\n", 0, "2 a.b=1;4 c.b=2;5 c.d=3;");
}

static void test_sections_only(void **state)
{
	(void)state;
	reads("bind list j down\nset theme light\n", CONFIG_SECTIONS_ONLY, "");
	reads("bind list [ down\nnonsense\n\n [a]\nb=1\n", CONFIG_SECTIONS_ONLY, "5 a.b=1;");
}

static void fails(const char *text, unsigned flags, unsigned line, const char *sentence)
{
	struct seen s = { .text = BUF_INIT };
	struct ptui_error err = PTUI_ERROR_INIT;
	char wanted[256];

	write_file(text);
	assert_int_equal(config_each(path, flags, see, &s, &err), -EINVAL);
	assert_int_equal(err.domain, PTUI_ERROR_INPUT);
	snprintf(wanted, sizeof(wanted), "%s:%u: %s", path, line, sentence);
	assert_string_equal(err.text, wanted);
	/* valid lines were reported */
	assert_non_null(strstr(buf_str(&s.text), "a.b=1;"));
	buf_release(&s.text);
}

static void test_mistakes(void **state)
{
	static const char expected[] = "expected [SECTION] or, below one, NAME = VALUE";
	char text[2048];

	(void)state;
	fails("outside = 1\n[a]\nb=1\n", 0, 1, expected);
	fails("[a]\nb=1\n[c\nd=2\n", 0, 3, expected);
	fails("bind list j down\nset x y\n[a]\nb=1\n[c\n", CONFIG_SECTIONS_ONLY, 5, expected);
	snprintf(text, sizeof(text), "[a]\nb=1\nlong = %01500d\n", 0);
	fails(text, 0, 3, "this line is too long");
}

static void test_the_callback_ends_it(void **state)
{
	struct seen s = { .text = BUF_INIT, .ret = -1 };
	struct ptui_error err = PTUI_ERROR_INIT;
	char wanted[128];

	(void)state;
	write_file("[a]\nb=1\nc=2\n");
	assert_int_equal(config_each(path, 0, see, &s, &err), -EINVAL);
	assert_string_equal(buf_str(&s.text), "2 a.b=1;");
	snprintf(wanted, sizeof(wanted), "%s:2: no a.b", path);
	assert_string_equal(err.text, wanted);
	buf_release(&s.text);
}

#else

static void test_without_the_library(void **state)
{
	struct seen s = { .text = BUF_INIT };
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	write_file("set theme light\n");
	assert_int_equal(config_each(path, CONFIG_SECTIONS_ONLY, see, &s, &err), 0);
	write_file("set theme light\n[a]\nb=1\n");
	assert_int_equal(config_each(path, CONFIG_SECTIONS_ONLY, see, &s, &err), -ENOSYS);
	assert_non_null(strstr(err.text, ":2: "));
	buf_release(&s.text);
}

#endif

static void test_no_file(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)state;
	assert_int_equal(config_each("/tmp/ptui-no-such/config", 0, see, NULL, &err), 0);
	assert_int_equal(config_each("/dev/null/config", 0, see, NULL, &err), 0);
	assert_false(ptui_error_is_set(&err));
	assert_true(config_each("/tmp", 0, see, NULL, &err) < 0);
}

static void test_bools(void **state)
{
	bool is = false;

	(void)state;
	assert_int_equal(config_bool("Yes", &is), 0);
	assert_true(is);
	assert_int_equal(config_bool("off", &is), 0);
	assert_false(is);
	assert_int_equal(config_bool("", &is), -EINVAL);
	assert_int_equal(config_bool("2", &is), -EINVAL);
}

static void test_path(void **state)
{
	char where[64];

	(void)state;
	setenv("XDG_CONFIG_HOME", "/a", 1);
	setenv("HOME", "/h", 1);
	assert_true(ptui_config_path(where, sizeof(where)));
	assert_string_equal(where, "/a/ptui/config");
	setenv("XDG_CONFIG_HOME", "a", 1); /* not absolute: ignored */
	assert_true(ptui_config_path(where, sizeof(where)));
	assert_string_equal(where, "/h/.config/ptui/config");
	assert_false(ptui_config_path(where, 10));
	unsetenv("HOME");
	assert_false(ptui_config_path(where, sizeof(where)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_INIH
		cmocka_unit_test(test_variables), cmocka_unit_test(test_sections_only),
		cmocka_unit_test(test_mistakes),  cmocka_unit_test(test_the_callback_ends_it),
#else
		cmocka_unit_test(test_without_the_library),
#endif
		cmocka_unit_test(test_no_file),	  cmocka_unit_test(test_bools),
		cmocka_unit_test(test_path),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
