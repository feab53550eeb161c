/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "term/theme.h"
#include "unit/ui/screen.h"

static void test_depth(void **state)
{
	(void)state;
	assert_int_equal(theme_depth(256, NULL), DEPTH_256);
	assert_int_equal(theme_depth(256, ""), DEPTH_256);
	assert_int_equal(theme_depth(256, "1"), DEPTH_MONO);
	assert_int_equal(theme_depth(16777216, NULL), DEPTH_TRUE);
	assert_int_equal(theme_depth(88, NULL), DEPTH_16);
	assert_int_equal(theme_depth(8, NULL), DEPTH_8);
	assert_int_equal(theme_depth(-1, NULL), DEPTH_MONO);
}

static void test_nearest(void **state)
{
	(void)state;
	for (int i = 0; i < 16; i++)
		assert_int_equal(theme_nearest(theme_rgb((unsigned)i), 0, 16), i);
	assert_int_equal(theme_nearest(0xffffff, 16, 256), 231);
	assert_int_equal(theme_nearest(0x000000, 16, 256), 16);
	assert_int_equal(theme_nearest(0xff0000, 16, 256), 196);
	assert_int_equal(theme_nearest(0x808080, 16, 256), 244);
}

/* In every theme, at every depth: colours in range; hot, bad and the cursor are distinct. */
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

/*
 * The cursor row has one colour at every depth, never dim; hot and bad are bold there, matches
 * underlined. The same with NO_COLOR.
 */
static void test_under_cursor(void **state)
{
	(void)state;
	for (size_t i = 0; theme_name(i); i++) {
		const struct theme *t = theme_find(theme_name(i));

		for (enum depth d = DEPTH_MONO; d <= DEPTH_TRUE; d++) {
			struct look text = theme_look(t, d, ROLE_TEXT | STYLE_CURSOR);

			for (unsigned role = 0; role < N_ROLES; role++) {
				struct look look = theme_look(t, d, (style_t)(role | STYLE_CURSOR));
				bool weight = role == ROLE_HOT || role == ROLE_BAD ||
					      role == ROLE_NOTE || role == ROLE_TITLE;

				assert_int_equal(look.fg, text.fg);
				assert_int_equal(look.bg, text.bg);
				assert_int_equal(look.attrs & LOOK_REVERSE,
						 text.attrs & LOOK_REVERSE);
				assert_false(look.attrs & LOOK_DIM);
				/* black that is bold is grey on many terminals of eight colours */
				if (weight && !(d == DEPTH_8 && look.fg == 0))
					assert_true(look.attrs & LOOK_BOLD);
				if (role == ROLE_MATCH)
					assert_true(look.attrs & LOOK_UNDERLINE);
			}
			/* visible, and reversed without colours */
			assert_true(text.attrs & LOOK_REVERSE || text.bg != LOOK_DEFAULT);
			if (d == DEPTH_MONO)
				assert_true(text.attrs & LOOK_REVERSE);
		}
	}
}

/* ---- contrast, as WCAG counts it ---- */

static uint32_t rgb_of(int32_t colour, enum depth depth, uint32_t own)
{
	static const uint32_t vga[16] = {
		0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa, 0x00aaaa, 0xaaaaaa,
		0x555555, 0xff5555, 0x55ff55, 0xffff55, 0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
	};
	static const uint32_t steps[6] = { 0, 95, 135, 175, 215, 255 };
	uint32_t c = (uint32_t)colour;

	if (colour == LOOK_DEFAULT)
		return own;
	if (depth == DEPTH_TRUE)
		return c;
	if (c < 16)
		return vga[c];
	if (c >= 232)
		return (8 + 10 * (c - 232)) * 0x010101;
	c -= 16;
	return steps[c / 36] << 16 | steps[c / 6 % 6] << 8 | steps[c % 6];
}

static double luminance(uint32_t rgb)
{
	static const double weights[3] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (double)(rgb >> (16 - 8 * i) & 255) / 255;

		sum += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a), y = luminance(b);

	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

/* On a terminal of the theme's own kind, everything that is read can be read. */
static void test_contrast(void **state)
{
	static const struct {
		const char *theme;
		uint32_t fg, bg; /* the terminal's own */
		enum depth from;
		double least;
	} rows[] = {
		/* the light theme's 16 are those of a terminal that was made light, not VGA's */
		{ "dark", 0xcccccc, 0x000000, DEPTH_8, 3.9 },
		{ "dark", 0xcccccc, 0x1e1e1e, DEPTH_256, 4.5 },
		{ "light", 0x000000, 0xffffff, DEPTH_256, 4.5 },
		{ "light", 0x202020, 0xf6f6f6, DEPTH_256, 4.0 },
		{ "high-contrast", 0x808080, 0x808080, DEPTH_8, 6.5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct theme *t = theme_find(rows[i].theme);

		for (enum depth d = rows[i].from; d <= DEPTH_TRUE; d++) {
			for (unsigned role = 0; role < N_ROLES; role++) {
				struct look look = theme_look(t, d, (style_t)role);
				uint32_t fg = rgb_of(look.fg, d, rows[i].fg);
				uint32_t bg = rgb_of(look.bg, d, rows[i].bg);
				/* rules and context may be faint, but must be visible */
				double least = role == ROLE_FRAME ? 1.9 :
					       role == ROLE_DIM	  ? 2.8 :
								    rows[i].least;

				if (look.attrs & LOOK_DIM)
					continue; /* up to the terminal */
				if (d == DEPTH_8 && look.attrs & LOOK_BOLD && look.fg > 0 &&
				    look.fg < 8)
					fg = rgb_of(look.fg + 8, d, 0);
				if (contrast(fg, bg) < least)
					fail_msg("%s: role %u at depth %d: %06x on %06x is %.1f",
						 rows[i].theme, role, (int)d, fg, bg,
						 contrast(fg, bg));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth),	     cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_all),	     cmocka_unit_test(test_match_under_cursor),
		cmocka_unit_test(test_under_cursor), cmocka_unit_test(test_contrast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
