/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "input/key_name.h"
#include "input/keymap.h"
#include "lib/need.h"

static int setup(void **state)
{
	*state = keymaps_new(NULL);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	keymaps_free(*state);
	return 0;
}

static void test_table(void **state)
{
	(void)state;
	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		const struct request_info *info = request_info((enum request)i);

		assert_int_equal(request_find(info->name), i);
		assert_true(*info->word && *info->help && *info->keys);
		assert_true(*request_group_title(info->group));
	}
	for (int i = KEYMAP_NONE + 1; i < N_KEYMAPS; i++)
		assert_int_equal(keymap_find(keymap_name((enum keymap)i)), i);
	assert_null(request_info(REQ_NONE));
	assert_null(request_info(N_REQUESTS));
	assert_null(keymap_name(KEYMAP_NONE));
	assert_int_equal(request_find("none"), REQ_NONE);
	assert_int_equal(keymap_find(""), KEYMAP_NONE);
	assert_int_equal(keymap_parent(KEYMAP_GENERAL), KEYMAP_NONE);
	assert_int_equal(keymap_parent(KEYMAP_BROWSER), KEYMAP_ROWS);
}

/* No default key of a request is rebound by a later row of the table. */
static void test_defaults(void **state)
{
	struct keymaps *k = *state;
	key_code keys[16];

	for (int i = REQ_NONE + 1; i < N_REQUESTS; i++) {
		size_t n = 0;

		for (int map = KEYMAP_NONE + 1; map < N_KEYMAPS; map++)
			n += keymaps_keys(k, (enum keymap)map, (enum request)i, keys, 16);
		if (!n)
			fail_msg("no key asks for %s", request_info((enum request)i)->name);
	}
}

static void test_parents(void **state)
{
	struct keymaps *k = *state;

	assert_int_equal(keymaps_find(k, KEYMAP_BROWSER, 'e'), REQ_EXPAND_ENTRY);
	assert_int_equal(keymaps_find(k, KEYMAP_BROWSER, K_UP), REQ_UP);
	assert_int_equal(keymaps_find(k, KEYMAP_BROWSER, '?'), REQ_HELP);
	assert_int_equal(keymaps_find(k, KEYMAP_LIST, 'e'), REQ_NONE);
	/* In the prompt a letter is a letter. */
	assert_int_equal(keymaps_find(k, KEYMAP_PROMPT, 'q'), REQ_NONE);
	assert_int_equal(keymaps_find(k, KEYMAP_PROMPT, K_ESC), REQ_CANCEL);
	assert_int_equal(keymaps_find(k, KEYMAP_FORM, ' '), REQ_NEXT_VALUE);
	assert_int_equal(keymaps_find(k, KEYMAP_LIST, ' '), REQ_PAGE_DOWN);
	assert_int_equal(keymaps_find(k, KEYMAP_NONE, 'q'), REQ_NONE);
}

static void test_keys(void **state)
{
	struct keymaps *k = *state;
	key_code keys[4];

	assert_int_equal(keymaps_keys(k, KEYMAP_BROWSER, REQ_HELP, keys, 4), 3);
	assert_int_equal(keys[0], '?');
	assert_int_equal(keys[1], 'h');
	assert_int_equal(keys[2], K_F1);
	assert_int_equal(keymaps_keys(k, KEYMAP_BROWSER, REQ_HELP, keys, 2), 2);
	/* Keys rebound in the view are omitted, and its own map comes first. */
	assert_int_equal(keymaps_bind(k, KEYMAP_BROWSER, 'h', REQ_NONE), 0);
	assert_int_equal(keymaps_bind(k, KEYMAP_TREE, '?', REQ_UP), 0);
	assert_int_equal(keymaps_bind(k, KEYMAP_BROWSER, K_F1 + 1, REQ_HELP), 0);
	assert_int_equal(keymaps_keys(k, KEYMAP_BROWSER, REQ_HELP, keys, 4), 2);
	assert_int_equal(keys[0], K_F2);
	assert_int_equal(keys[1], K_F1);
	assert_int_equal(keymaps_find(k, KEYMAP_BROWSER, 'h'), REQ_NONE);
	assert_int_equal(keymaps_find(k, KEYMAP_TREE, 'h'), REQ_HELP);
	assert_string_equal(keymaps_label(k, KEYMAP_BROWSER, REQ_HELP).text, "F2");
	assert_string_equal(keymaps_label(k, KEYMAP_PROMPT, REQ_MENU).text, "");
	assert_int_equal(keymaps_keys(k, KEYMAP_BROWSER, REQ_NONE, keys, 4), 0);
}

/* The same key in a view and in its parent is one key. */
static void test_once(void **state)
{
	struct keymaps *k = *state;
	key_code keys[4];

	assert_int_equal(keymaps_bind(k, KEYMAP_BROWSER, 'm', REQ_MENU), 0);
	assert_int_equal(keymaps_keys(k, KEYMAP_BROWSER, REQ_MENU, keys, 4), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test_setup_teardown(test_defaults, setup, teardown),
		cmocka_unit_test_setup_teardown(test_parents, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keys, setup, teardown),
		cmocka_unit_test_setup_teardown(test_once, setup, teardown),
	};

	return cmocka_run_group_tests_name("ui/keymap", tests, NULL, NULL);
}
