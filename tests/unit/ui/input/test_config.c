/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/key_name.h"
#include "input/keymap.h"
#include "lib/need.h"

static struct keymaps *keys;
static struct config config;

static int setup(void **state)
{
	(void)state;
	config = (struct config)CONFIG_INIT;
	keys = keymaps_new(NULL);
	return keys ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	keymaps_free(keys);
	return 0;
}

static void right(const char *text)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (config_parse_line(keys, &config, text, "rc", 7, &err) != 0)
		fail_msg("\"%s\": %s", text, err.text);
}

static void wrong(const char *text, const char *sentence)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	assert_int_equal(config_parse_line(keys, &config, text, "rc", 7, &err), -EINVAL);
	assert_string_equal(err.text, sentence);
}

static void test_bind(void **state)
{
	(void)state;
	right("bind browser <C-f> search");
	assert_int_equal(keymaps_find(keys, KEYMAP_BROWSER, K_CTRL | 'f'), REQ_SEARCH);
	right("  bind\tgeneral q none\t# the key does nothing\r\n");
	assert_int_equal(keymaps_find(keys, KEYMAP_LIVE, 'q'), REQ_NONE);
	right("bind list # first # and a comment");
	assert_int_equal(keymaps_find(keys, KEYMAP_LIST, '#'), REQ_FIRST);
	right("bind list Space down");
	assert_int_equal(keymaps_find(keys, KEYMAP_LIST, ' '), REQ_DOWN);
}

static void test_set(void **state)
{
	(void)state;
	right("set theme light");
	right("set mouse off");
	assert_int_equal(config.ascii, -1);
	right("set ascii on # a serial line");
	assert_string_equal(config.theme, "light");
	assert_int_equal(config.mouse, 0);
	assert_int_equal(config.ascii, 1);
}

static void test_nothing(void **state)
{
	(void)state;
	right("");
	right("   \n");
	right("# bind nothing at all");
	right("#bind");
}

static void test_wrong(void **state)
{
	(void)state;
	wrong("bind", "rc:7: expected: bind VIEW KEY REQUEST");
	wrong("bind list x down up", "rc:7: expected: bind VIEW KEY REQUEST");
	wrong("bind bowser x down", "rc:7: unknown view 'bowser'");
	wrong("bind list <X-x> down", "rc:7: unknown key '<X-x>'");
	wrong("bind list x dwon", "rc:7: unknown request 'dwon'");
	wrong("set mouse", "rc:7: expected: set NAME VALUE");
	wrong("set mouse maybe", "rc:7: mouse must be on or off, not 'maybe'");
	wrong("set color on",
	      "rc:7: unknown setting 'color'; the settings are: theme, ascii, mouse, preview");
	wrong("map x y", "rc:7: a line must start with bind or set, not 'map'");
	assert_int_equal(keymaps_find(keys, KEYMAP_LIST, 'x'), REQ_NONE);
	assert_int_equal(config.mouse, -1);
}

static void test_file(void **state)
{
	char path[] = "/tmp/ptui-config-XXXXXX";
	struct ptui_error err = PTUI_ERROR_INIT;
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	(void)state;
	assert_non_null(f);
	fputs("# mine\nset theme light\n\nbind list x down\nbind list y\nset mouse on", f);
	fclose(f);
	assert_int_equal(config_read(keys, &config, path, &err), -EINVAL);
	assert_non_null(strstr(err.text, ":5: expected: bind VIEW KEY"));
	assert_string_equal(err.object, path);
	assert_string_equal(config.theme, "light");
	assert_int_equal(config.mouse, -1);
	assert_int_equal(keymaps_find(keys, KEYMAP_LIST, 'x'), REQ_DOWN);
	unlink(path);
	assert_int_equal(config_read(keys, &config, path, &err), 0);
	/* A directory is not a file. */
	err = (struct ptui_error)PTUI_ERROR_INIT;
	assert_int_equal(config_read(keys, &config, "/tmp", &err), -EISDIR);
	assert_true(ptui_error_is_set(&err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_bind, setup, teardown),
		cmocka_unit_test_setup_teardown(test_set, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrong, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file, setup, teardown),
	};

	return cmocka_run_group_tests_name("ui/config", tests, NULL, NULL);
}
