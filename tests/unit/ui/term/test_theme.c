/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "term/theme.h"
#include "unit/ui/screen.h"

static void test_depth(void **state)
{
	(void)state;
	assert_int_equal(theme_depth(256, NULL, NULL), DEPTH_256);
	assert_int_equal(theme_depth(256, "truecolor", NULL), DEPTH_TRUE);
	assert_int_equal(theme_depth(256, "truecolor", "1"), DEPTH_MONO);
	assert_int_equal(theme_depth(256, "24bit", ""), DEPTH_TRUE);
	assert_int_equal(theme_depth(16777216, NULL, NULL), DEPTH_TRUE);
	assert_int_equal(theme_depth(88, "no", NULL), DEPTH_16);
	assert_int_equal(theme_depth(8, NULL, NULL), DEPTH_8);
	assert_int_equal(theme_depth(-1, "truecolor", NULL), DEPTH_MONO);
}

static void test_nearest(void **state)
{
	(void)state;
	assert_int_equal(theme_nearest_256(0xffffff), 231);
	assert_int_equal(theme_nearest_256(0x000000), 16);
	assert_int_equal(theme_nearest_256(0xff0000), 196);
	assert_int_equal(theme_nearest_256(0x808080), 244);
}

/* In every theme, at every depth: colours in range; hot, bad and the cursor are told apart. */
static void test_all(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; theme_name(i); i++) {
		const struct theme *t = theme_find(theme_name(i));
		enum depth depth;

		assert_non_null(t);
		for (depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
			static const int32_t most[] = { -1, 7, 15, 255, 0xffffff };
			struct look text = theme_look(t, depth, ROLE_TEXT);
			struct look cursor = theme_look(t, depth, ROLE_TEXT | STYLE_CURSOR);
			unsigned role;

			for (role = 0; role < N_ROLES; role++) {
				struct look look = theme_look(t, depth, (style_t)role);

				assert_true(look.fg >= -1 && look.fg <= most[depth]);
				assert_true(look.bg >= -1 && look.bg <= most[depth]);
				/* the cursor row is the only reverse video */
				if (role != ROLE_CURSOR)
					assert_false(look.attrs & LOOK_REVERSE);
				if (role == ROLE_HOT || role == ROLE_BAD || role == ROLE_MATCH)
					assert_memory_not_equal(&look, &text, sizeof(look));
			}
			assert_memory_not_equal(&cursor, &text, sizeof(text));
		}
	}
	assert_int_equal(i, 3);
	assert_null(theme_find("no such theme"));
}

static void test_match_under_cursor(void **state)
{
	const struct theme *t = theme_find("dark");

	(void)state;
	assert_true(theme_look(t, DEPTH_256, ROLE_MATCH | STYLE_CURSOR).attrs & LOOK_UNDERLINE);
	assert_true(theme_look(t, DEPTH_MONO, ROLE_TEXT | STYLE_BOLD).attrs & LOOK_BOLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_match_under_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
