/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <wchar.h>

#include "text/strings.h"
#include "text/utf8.h"
#include "unit/ui/screen.h"

#define LAST_CHAR 0x10ffffu

static bool is_surrogate(uint32_t c)
{
	return c >= 0xd800 && c <= 0xdfff;
}

/* Every character survives a round trip, in the expected number of bytes. */
static void test_round_trip(void **state)
{
	(void)state;
	for (uint32_t c = 0; c <= LAST_CHAR; c++) {
		char buf[4];
		uint32_t back;
		size_t n = utf8_put(buf, c);

		if (is_surrogate(c)) {
			assert_int_equal(n, 3);
			assert_memory_equal(buf, "\xef\xbf\xbd", 3);
			continue;
		}
		assert_int_equal(n, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
		assert_int_equal(utf8_next(buf, n, &back), n);
		assert_int_equal(back, c);
		/* truncated by one byte it is invalid, and one byte */
		if (n > 1) {
			assert_int_equal(utf8_next(buf, n - 1, &back), 1);
			assert_int_equal(back, UTF8_BAD);
		}
	}
}

/*
 * Every text of three bytes, and its last bytes as prefixes of longer ones: reads something, within
 * bounds, and never an overlong form.
 */
static void test_any_bytes(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 1u << 24; bits += 1 + (bits & 1)) {
		/* of exact size, to detect overruns */
		char text[3] = { (char)(bits >> 16), (char)(bits >> 8), (char)bits };
		char again[4];
		uint32_t c;
		size_t n = utf8_next(text, 3, &c);

		if (n == 1 && (unsigned char)text[0] >= 0x80) {
			assert_true(c == UTF8_BAD);
			continue;
		}
		if (n > 3 || utf8_put(again, c) != n || memcmp(text, again, n))
			fail_msg("%06x is read as %zu bytes, %x", bits, n, (unsigned)c);
	}
}

/* The same backwards. */
static void test_before(void **state)
{
	static const char *const texts[] = {
		"",	    "a",      "ab中\U0001f600é", "\xff\xfe",	 "a\x80\x80\x80\x80",
		"\xe4\xb8", "中\xb8", "\xf0\x9f\x98",	 "\xc3\xc3\xa4", "\xed\xa0\x80x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		size_t n = strlen(texts[i]), starts[32], n_starts = 0, at = 0;
		uint32_t c;

		while (at < n) {
			starts[n_starts++] = at;
			at += utf8_next(texts[i] + at, n - at, &c);
		}
		for (at = n; n_starts;) {
			at = utf8_before(texts[i], at);
			assert_int_equal(at, starts[--n_starts]);
		}
		assert_int_equal(utf8_before(texts[i], 0), 0);
	}
}

/* Characters that control the terminal or reorder text have no columns: they are escaped. */
static bool steers(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* The widths of all characters match the C library's: 0, 1 or 2. */
static void test_width_of_all(void **state)
{
	size_t wide = 0, combining = 0;

	(void)state;
	for (uint32_t c = 0; c <= LAST_CHAR; c++) {
		int width = utf8_char_width(c), theirs = wcwidth((wchar_t)c);

		if (steers(c)) {
			assert_int_equal(width, -1);
			continue;
		}
		assert_int_equal(width, theirs < 0 ? 1 : theirs);
		assert_in_range(width, 0, 2);
		wide += width == 2;
		combining += width == 0;
	}
	/* the locale knows widths */
	assert_true(wide > 50000);
	assert_true(combining > 1000);
}

static void test_width(void **state)
{
	static const struct {
		const char *text;
		int width;
	} rows[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "中文", 4 },
		{ "ｆｕｌｌ", 8 },
		{ "e\u0301", 1 },
		{ "한글", 4 },
		{ "ᄒ\u1161\u11ab", 2 }, /* the same in parts */
		{ "กำ", 2 },
		/* ambiguous ones are narrow, as terminals outside of east Asia have them */
		{ "·…─█○●→±", 8 },
		{ "\U0001f600", 2 },
		/* by parts: terminals that combine them get the cursor moved */
		{ "\U0001f44d\U0001f3fd", 4 },
		{ "❤\ufe0f", 1 },
		{ "\u200b", 0 },
		{ "\u00a0", 1 },
		{ "\ue000", 1 }, /* private: a font's sign */
		{ "\a\033\177", 12 },
		{ "\n\t", 4 },
		{ "\xc2\x85", 4 },
		{ "\u202e", 6 },
		{ "\xff", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(utf8_width(rows[i].text), rows[i].width);
}

/* The measured width is the drawn one. */
static void test_width_is_drawn(void **state)
{
	static const char *const texts[] = {
		"abc",
		"中文",
		"e\u0301x",
		"\U0001f600!",
		"\U0001f468\u200d\U0001f469\u200d\U0001f467",
		"a\033[m\x7f",
		"\u202eevil",
		"\u200emark",
		"❤\ufe0f",
		"ab\xff\xe4\xb8",
		"\u1112\u1161\u11ab",
		"1\ufe0f\u20e3",
		"\U0001f1e9\U0001f1ea",
		"a\u0301\u0302\u0303",
	};
	struct grid *g = grid_new(1, 40);
	struct canvas c = canvas_of(g);

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		int width = utf8_width(texts[i]), last = -1;

		grid_clear(g);
		canvas_fill(&c, 0, 0, 1, 40, ROLE_DIM, ' ');
		assert_int_equal(canvas_text(&c, 0, 0, ROLE_HOT, texts[i]), width);
		for (int x = 0; x < 40; x++) {
			if (grid_style(g, 0, x) == ROLE_HOT)
				last = x;
			/* no half without the other */
			if (g->cells[x].width == 2)
				assert_int_equal(g->cells[x + 1].width, 0);
			if (g->cells[x].width == 0)
				assert_int_equal(g->cells[x - 1].width, 2);
		}
		assert_int_equal(last + 1, width);
	}
	grid_free(g);
}

/* At the right edge a wide character is whole or a blank, at every width and from every column. */
static void test_cut_at_the_edge(void **state)
{
	static const char text[] = "a中b文\U0001f600c字";
	struct grid *g = grid_new(1, 24);
	struct canvas all = canvas_of(g);

	(void)state;
	for (int w = 0; w <= 16; w++) {
		for (int from = -6; from <= 6; from++) {
			struct canvas c = canvas_part(&all, 0, 2, 1, w);

			grid_clear(g);
			canvas_fill(&all, 0, 0, 1, 24, ROLE_DIM, '.');
			if (from <= 0)
				canvas_cell_from(&c, 0, 0, w, -from, ROLE_TEXT, text);
			else
				canvas_text(&c, 0, from, ROLE_TEXT, text);
			for (int x = 0; x < 24; x++) {
				const struct cell *cell = &g->cells[x];

				if (x < 2 || x >= 2 + w) {
					assert_int_equal(cell->ch, '.');
					assert_int_equal(cell->width, 1);
				}
				if (cell->width == 2)
					assert_true(x + 1 < 2 + w && cell[1].width == 0);
			}
		}
	}
	grid_free(g);
}

static void test_fit(void **state)
{
	static const char text[] = "a中e\u0301\U0001f600\n\xff字";
	size_t n = strlen(text), before = 0;

	(void)state;
	for (int columns = -2; columns < 20; columns++) {
		size_t bytes = utf8_fit(text, columns);
		char part[64];

		assert_true(bytes >= before && bytes <= n);
		memcpy(part, text, bytes);
		part[bytes] = '\0';
		assert_true(utf8_width(part) <= (columns > 0 ? columns : 0));
		/* one more character would not */
		if (bytes < n) {
			uint32_t c;
			size_t more = utf8_next(text + bytes, n - bytes, &c);

			memcpy(part, text, bytes + more);
			part[bytes + more] = '\0';
			assert_true(utf8_width(part) > columns);
		}
		before = bytes;
	}
	assert_int_equal(before, n);
}

static void test_find(void **state)
{
	static const struct {
		const char *text, *wanted;
		int at;
		size_t bytes;
	} rows[] = {
		{ "abcABC", "ca", 2, 2 },
		{ "abc", "abcd", -1, 0 },
		{ "", "a", -1, 0 },
		{ "GRÖSSE", "größe", -1, 0 }, /* simple folding: ß does not match ss */
		{ "GRÖSSE", "grö", 0, 4 },
		{ "Привет", "ПРИВЕТ", 0, 12 },
		{ "中文字", "文", 3, 3 },
		{ "aab", "ab", 1, 2 },
		{ "a\xff"
		  "b",
		  "b", 2, 1 },
		/* not within a character */
		{ "中", "\xb8", -1, 0 },
		{ "K", "k", 0, 1 },
		{ "\u212a", "k", 0, 3 }, /* the Kelvin sign folds to k; lengths differ */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t bytes = 0;
		const char *at = utf8_find(rows[i].text, rows[i].wanted, &bytes);

		assert_int_equal(at ? at - rows[i].text : -1, rows[i].at);
		if (at)
			assert_int_equal(bytes, rows[i].bytes);
	}
}

static void check_name(const char *name, int columns, const char *expected)
{
	char buf[256];

	assert_string_equal(name_short(name, columns, buf, sizeof(buf)), expected);
	assert_true(!columns || columns < 4 || utf8_width(buf) <= columns);
}

/* std::string is short, and what is too long keeps its beginning and its end. */
static void test_short_names(void **state)
{
	char tiny[8];

	(void)state;
	check_name("main", 20, "main");
	check_name(
		"f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > "
		"const&, int)",
		0, "f(std::string const&, int)");
	check_name(
		"std::vector<std::basic_string<char, std::char_traits<char>, std::allocator<char> "
		">, int>::push_back",
		80, "std::vector<std::string, int>::push_back");
	check_name("[.] outer::inner<int>::the_function", 20, "[.] ou…:the_function");
	check_name("数える::数える::数える::数える", 12, "数え…:数える");
	check_name("abcdefgh", 3, "abcdefgh");
	check_name("\xff\xfe broken bytes \xff", 0, "\xff\xfe broken bytes \xff");
	assert_string_equal(name_short("abcdefghijkl", 0, tiny, sizeof(tiny)), "abcdefg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_width_of_all),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_width_is_drawn),
		cmocka_unit_test(test_cut_at_the_edge),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_short_names),
	};

	return cmocka_run_group_tests_name("ui/utf8", tests, use_utf8, NULL);
}
