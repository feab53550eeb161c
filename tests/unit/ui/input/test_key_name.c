/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <locale.h>
#include <string.h>

#include "input/key_name.h"
#include "lib/need.h"

static const struct {
	const char *text; /* accepted form */
	key_code key;
	const char *format, *label;
} keys[] = {
	{ "e", 'e', "e", "e" },
	{ "E", 'E', "E", "E" },
	{ "/", '/', "/", "/" },
	{ "中", 0x4e2d, "中", "中" },
	{ "<C-r>", K_CTRL | 'r', "<C-r>", "Ctrl-R" },
	{ "<C-R>", K_CTRL | 'r', "<C-r>", "Ctrl-R" },
	{ "<M-f>", K_ALT | 'f', "<M-f>", "Alt-f" },
	{ "<a-f>", K_ALT | 'f', "<M-f>", "Alt-f" },
	{ "<S-Tab>", K_SHIFT | K_TAB, "<S-Tab>", "Shift-Tab" },
	{ "<S-a>", 'A', "A", "A" },
	{ "<C-M-x>", K_CTRL | K_ALT | 'x', "<C-M-x>", "Ctrl-Alt-X" },
	{ "<M-C-x>", K_CTRL | K_ALT | 'x', "<C-M-x>", "Ctrl-Alt-X" },
	{ "Space", ' ', "<Space>", "Space" },
	{ "<space>", ' ', "<Space>", "Space" },
	{ "<C-Space>", K_CTRL | ' ', "<C-Space>", "Ctrl-Space" },
	{ "F1", K_F1, "<F1>", "F1" },
	{ "<f12>", K_F12, "<F12>", "F12" },
	{ "<lt>", '<', "<lt>", "<" },
	{ "<", '<', "<lt>", "<" },
	{ ">", '>', ">", ">" },
	{ "<M->>", K_ALT | '>', "<M->>", "Alt->" },
	{ "<M-->", K_ALT | '-', "<M-->", "Alt--" },
	{ "-", '-', "-", "-" },
	{ "PGDN", K_PGDN, "<PgDn>", "PgDn" },
	{ "<C-Left>", K_CTRL | K_LEFT, "<C-Left>", "Ctrl-Left" },
	/* Keys that terminals do not distinguish are one key. */
	{ "<C-m>", K_ENTER, "<Enter>", "Enter" },
	{ "<C-i>", K_TAB, "<Tab>", "Tab" },
	{ "<C-[>", K_ESC, "<Esc>", "ESC" },
	{ "<C-M-h>", K_ALT | K_BACKSPACE, "<M-BS>", "Alt-Backspace" },
};

static void test_keys(void **state)
{
	char buf[KEY_NAME_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		key_code key = K_NONE, again = K_NONE;

		assert_int_equal(key_parse(keys[i].text, &key), 0);
		assert_int_equal(key, keys[i].key);
		assert_string_equal(key_format(key, buf), keys[i].format);
		assert_int_equal(key_parse(buf, &again), 0);
		assert_int_equal(again, key);
		assert_string_equal(key_label(key, buf), keys[i].label);
	}
}

static void test_no_keys(void **state)
{
	static const char *const texts[] = { "",       "ab",	"<>",	    "<C->",  "<X-a>",
					     "F13",    "C-r",	"<C-中>",   "<S-1>", "<C-S-r>",
					     "\t",     "\x7f",	"\xc3\x28", "\xff",  "e ",
					     "<Enter", "<M-ab>" };
	key_code key = 'k';

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (key_parse(texts[i], &key) != -EINVAL)
			fail_msg("'%s' is taken for a key", texts[i]);
		assert_int_equal(key, 'k');
	}
}

static void test_no_key_has_no_name(void **state)
{
	static const key_code none[] = { K_NONE, K_CTRL, 0x1b, 0x7f, K_NAMED, K_NAMED_END };
	char buf[KEY_NAME_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		assert_string_equal(key_format(none[i], buf), "");
		assert_string_equal(key_label(none[i], buf), "");
	}
}

/* Every named key can be written. */
static void test_all_named(void **state)
{
	char buf[KEY_NAME_MAX];
	key_code key;

	(void)state;
	for (key_code named = K_NAMED + 1; named < K_NAMED_END; named++) {
		assert_int_equal(key_parse(key_format(named, buf), &key), 0);
		assert_int_equal(key, named);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_no_keys),
		cmocka_unit_test(test_no_key_has_no_name),
		cmocka_unit_test(test_all_named),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests_name("ui/key_name", tests, NULL, NULL);
}
