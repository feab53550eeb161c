/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "unit/ui/screen.h"
#include "widget/pane.h"

static struct pane *p;
static struct grid *g;

static int setup(void **state)
{
	(void)state;
	p = pane_new(8);
	g = grid_new(4, 20);
	return p && g ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	pane_free(p);
	grid_free(g);
	return 0;
}

static void write_n(const char *bytes, size_t n)
{
	assert_int_equal(pane_write(p, bytes, n), 0);
}

static void write_text(const char *text)
{
	write_n(text, strlen(text));
}

/* All lines, with | after those that are terminated. */
static const char *lines_of(const struct pane *pane)
{
	static char buf[4096];
	size_t at = 0, n = pane_lines(pane);

	buf[0] = '\0';
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%s%s", i ? "|" : "",
				       pane_line(pane, i));
	assert_null(pane_line(pane, n));
	return buf;
}

/* What a text becomes: whole, byte by byte, and in two at every place. */
static const char *shown(const char *text)
{
	static char whole[4096];
	size_t n = strlen(text);

	for (size_t cut = 0; cut <= n + 1; cut++) {
		struct pane *pane = pane_new(100);

		assert_non_null(pane);
		if (cut <= n) {
			assert_int_equal(pane_write(pane, text, cut), 0);
			assert_int_equal(pane_write(pane, text + cut, n - cut), 0);
		}
		for (size_t i = 0; cut > n && i < n; i++)
			assert_int_equal(pane_write(pane, text + i, 1), 0);
		if (!cut)
			snprintf(whole, sizeof(whole), "%s", lines_of(pane));
		else
			assert_string_equal(lines_of(pane), whole);
		pane_free(pane);
	}
	return whole;
}

static void test_lines(void **state)
{
	(void)state;
	assert_string_equal(shown(""), "");
	assert_string_equal(shown("one\ntwo\n"), "one|two");
	assert_string_equal(shown("one\ntwo"), "one|two");
	assert_string_equal(shown("\n\nx"), "||x");
	assert_string_equal(shown("one\r\ntwo\r\n"), "one|two");
	assert_int_equal(pane_lines(p), 0);
	assert_null(pane_line(p, 0));
	write_text("a");
	assert_int_equal(pane_lines(p), 1);
	write_text("\n");
	assert_int_equal(pane_lines(p), 1);
	write_text("\n");
	assert_int_equal(pane_lines(p), 2);
	write_n("x\0y", 3);
	assert_string_equal(lines_of(p), "a||xy");
}

/* Progress bars write over their line. */
static void test_carriage_return(void **state)
{
	(void)state;
	assert_string_equal(shown(" 10 %\r 20 %\r 30 %"), " 30 %");
	assert_string_equal(shown("longer\rshort\n"), "shortr");
	assert_string_equal(shown("longer\r\033[Kshort\n"), "short");
	assert_string_equal(shown("abc\b\bX"), "aXc");
	assert_string_equal(shown("\b\bX"), "X");
	assert_string_equal(shown("ab\r\rX"), "Xb");
}

static void test_tabs(void **state)
{
	(void)state;
	assert_string_equal(shown("a\tb"), "a       b");
	assert_string_equal(shown("12345678\tb"), "12345678        b");
	assert_string_equal(shown("\t\tb"), "                b");
	/* columns, not characters; over existing text it only moves */
	assert_string_equal(shown("中文\tb"), "中文    b");
	assert_string_equal(shown("e\u0301\tb"), "e\u0301       b");
	assert_string_equal(shown("0123456789\r\tx"), "01234567x9");
}

static void test_moves(void **state)
{
	(void)state;
	assert_string_equal(shown("abcdef\033[3GX"), "abXdef");
	assert_string_equal(shown("abcdef\033[GX"), "Xbcdef");
	assert_string_equal(shown("abcdef\033[0GX"), "Xbcdef");
	assert_string_equal(shown("ab\033[3CX"), "ab   X");
	assert_string_equal(shown("ab\033[CX"), "ab X");
	assert_string_equal(shown("abcdef\033[2DX"), "abcdXf");
	assert_string_equal(shown("abcdef\033[99DX"), "Xbcdef");
	/* only the first number counts, and only ours are moves */
	assert_string_equal(shown("abcdef\033[2;9DX"), "abcdXf");
	assert_string_equal(shown("abcdef\033[;9DX"), "abcdeX");
	assert_string_equal(shown("abcdef\033[?2DX"), "abcdefX");
	assert_string_equal(shown("abcdef\033[2 DX"), "abcdefX");
	assert_string_equal(shown("abcdef\033[2AX"), "abcdefX");
	/* a number out of all proportion */
	assert_string_equal(shown("ab\033[99999999999999999999999D\033[99999999999999999999mX"),
			    "Xb");
	/* text in another place of the screen is another line */
	assert_string_equal(shown("\033[H\033[2Jone\033[2;1Htwo"), "one|two");
}

static void test_erase(void **state)
{
	(void)state;
	assert_string_equal(shown("abcdef\033[3D\033[K"), "abc");
	assert_string_equal(shown("abcdef\033[3D\033[0KX"), "abcX");
	assert_string_equal(shown("abcdef\033[3D\033[1K"), "    ef");
	assert_string_equal(shown("abcdef\033[2KX"), "      X");
	assert_string_equal(shown("abcdef\r\033[2KX"), "X");
	assert_string_equal(shown("abcdef\033[3D\033[7K"), "abcdef");
	assert_string_equal(shown("longer\r\033[Jshort"), "short");
	assert_string_equal(shown("longer\r\033[2Jshort"), "shortr");
	assert_string_equal(shown("中文\033[2D\033[K"), "中");
	assert_string_equal(shown("中文\033[1D\033[Kx"), "中 x");
}

/* Colours, titles, character sets and the like leave no text. */
static void test_sequences(void **state)
{
	(void)state;
	assert_string_equal(shown("\033[31mred\033[0m"), "red");
	assert_string_equal(shown("\033[1;38;5;208;48:2::1:2:3mx\033[m"), "x");
	assert_string_equal(shown("a\033]0;a title; more\ab"), "ab");
	assert_string_equal(shown("a\033]8;;http://x\033\\link\033]8;;\033\\b"), "alinkb");
	assert_string_equal(shown("a\033Pq#0;1~~-\033\\b"), "ab");
	assert_string_equal(shown("a\033(Bb\033)0c\033#8d"), "abcd");
	assert_string_equal(shown("a\0337b\0338c\033Md\033=e\033>f"), "abcdef");
	assert_string_equal(shown("a\033[?25lb\033[?1049hc"), "abc");
	assert_string_equal(shown("a\ab\016c\017d\177e"), "abcde");
	/* the same in one character: C1 */
	assert_string_equal(shown("a\xc2\x9b"
				  "31mb\xc2\x9d"
				  "0;title\ac"),
			    "abc");
	assert_string_equal(shown("a\xc2\x85"
				  "b"),
			    "ab");
}

/* An aborted sequence does not swallow what follows. */
static void test_broken_sequences(void **state)
{
	(void)state;
	assert_string_equal(shown("a\033[3\033[31mb"), "ab");
	assert_string_equal(shown("a\033\033[31mb"), "ab");
	assert_string_equal(shown("a\033[3\nb"), "a|b");
	assert_string_equal(shown("a\033\nb"), "a|b");
	assert_string_equal(shown("a\033(\nb"), "a|b");
	assert_string_equal(shown("a\033]0;no end\nb\nc"), "a|b|c");
	assert_string_equal(shown("a\033]0;no end\033[31mb"), "ab");
	assert_string_equal(shown("a\033]0;no end\030b"), "ab");
	assert_string_equal(shown("a\033[3\xc3\xa4"
				  "b"),
			    "a\u00e4b");
	assert_string_equal(shown("a\033\xc3\xa4"
				  "b"),
			    "a\u00e4b");
	assert_string_equal(shown("a\033]0;\xc3\xa4\tb\ac"), "ac");
	/* an incomplete one is not shown */
	assert_string_equal(shown("a\033[31"), "a");
	assert_string_equal(shown("a\033"), "a");
}

#define BAD "\ufffd"

static void test_utf8(void **state)
{
	(void)state;
	assert_string_equal(shown("\u00e4\u4e2d\U0001f600"), "\u00e4\u4e2d\U0001f600");
	/* damaged: each byte that belongs to nothing is one sign */
	assert_string_equal(shown("a\xff"
				  "b"),
			    "a" BAD "b");
	assert_string_equal(shown("a\x80\xbf"
				  "b"),
			    "a" BAD BAD "b");
	assert_string_equal(shown("a\xe4\xb8"
				  "b"),
			    "a" BAD BAD "b");
	assert_string_equal(shown("a\xe4\xb8\n"), "a" BAD BAD);
	assert_string_equal(shown("a\xf0\x9f\x98\033[mb"), "a" BAD BAD BAD "b");
	assert_string_equal(shown("a\xc3\xc3\xa4"), "a" BAD "\u00e4");
	assert_string_equal(shown("\xed\xa0\x80"), BAD BAD BAD);
	assert_string_equal(shown("\xf8\x88\x80\x80\x80"), BAD BAD BAD BAD BAD);
	/* an incomplete character is not shown yet */
	assert_string_equal(shown("a\xe4\xb8"), "a");
}

/* Wide characters take two columns, and half of one is a blank. */
static void test_wide(void **state)
{
	(void)state;
	assert_string_equal(shown("中文\rab"), "ab文");
	assert_string_equal(shown("中文\ra"), "a 文");
	assert_string_equal(shown("中文\b\bX"), "中X ");
	assert_string_equal(shown("中文\bX"), "中 X");
	assert_string_equal(shown("中文\r\033[CX"), " X文");
	assert_string_equal(shown("abcd\r中"), "中cd");
	assert_string_equal(shown("a中b\r文"), "文 b");
	assert_string_equal(shown("中文\033[3GX"), "中X ");
}

static void test_combining(void **state)
{
	(void)state;
	assert_string_equal(shown("e\u0301x"), "e\u0301x");
	assert_string_equal(shown("e\u0301x\rab"), "ab");
	assert_string_equal(shown("中\u0301x"), "中\u0301x");
	/* without a base it is dropped; and their number is limited */
	assert_string_equal(shown("\u0301x"), "x");
	assert_string_equal(shown("a\u0301\u0302\u0303\u0304"), "a\u0301\u0302");
}

/* ---- many lines ---- */

static void write_lines(int from, int to)
{
	char text[32];

	for (int i = from; i < to; i++) {
		snprintf(text, sizeof(text), "line %d\n", i);
		write_text(text);
	}
}

static void draw(void)
{
	struct canvas c = canvas_of(g);

	grid_clear(g);
	pane_draw(p, &c);
}

#define check_first(text) assert_memory_equal(row_text(g, 0), text, strlen(text))

static void test_ring(void **state)
{
	(void)state;
	write_lines(0, 8);
	assert_int_equal(pane_lines(p), 8);
	assert_int_equal(pane_dropped(p), 0);
	write_lines(8, 21);
	assert_int_equal(pane_lines(p), 8);
	assert_int_equal(pane_dropped(p), 13);
	assert_string_equal(pane_line(p, 0), "line 13");
	assert_string_equal(pane_line(p, 7), "line 20");
	assert_null(pane_line(p, 8));
	/* the one that is being written is one more */
	write_text("x");
	assert_int_equal(pane_lines(p), 9);
	assert_string_equal(pane_line(p, 8), "x");
	assert_null(pane_line(p, 9));
}

static void test_ring_of_one(void **state)
{
	struct pane *one = pane_new(0);

	(void)state;
	assert_int_equal(pane_write(one, "a\nb\nc", 5), 0);
	assert_string_equal(lines_of(one), "b|c");
	pane_free(one);
	pane_free(NULL);
}

static void test_follow(void **state)
{
	(void)state;
	assert_true(pane_follows(p));
	draw();
	write_lines(0, 3);
	draw();
	check_first("line 0");
	/* nothing to scroll: keeps following */
	pane_request(p, REQ_UP);
	assert_true(pane_follows(p));
	write_lines(3, 6);
	draw();
	check_first("line 2");
	assert_int_equal(pane_request(p, REQ_UP), WISH_REDRAW);
	assert_false(pane_follows(p));
	write_lines(6, 8);
	draw();
	check_first("line 1");
	/* down to the end: follows again */
	pane_request(p, REQ_PAGE_DOWN);
	assert_true(pane_follows(p));
	draw();
	check_first("line 4");
	pane_request(p, REQ_FIRST);
	assert_false(pane_follows(p));
	draw();
	check_first("line 0");
	pane_request(p, REQ_LAST);
	assert_true(pane_follows(p));
	write_lines(8, 10);
	draw();
	check_first("line 6");
	assert_int_equal(pane_request(p, REQ_SORT), WISH_PASS);
	assert_true(pane_follows(p));
}

/* When scrolled back, the lines stay in place until they are dropped. */
static void test_scrolled_back_while_it_wraps(void **state)
{
	(void)state;
	write_lines(0, 8);
	draw();
	pane_request(p, REQ_UP);
	draw();
	check_first("line 3");
	write_lines(8, 10);
	draw();
	check_first("line 3");
	write_lines(10, 11);
	draw();
	check_first("line 3");
	assert_false(pane_follows(p));
	/* now it is dropped */
	write_lines(11, 12);
	draw();
	check_first("line 4");
	write_lines(12, 40);
	draw();
	check_first("line 32");
	assert_false(pane_follows(p));
	pane_request(p, REQ_LAST);
	draw();
	check_first("line 36");
}

static void test_mouse(void **state)
{
	struct term_event e = { .kind = TERM_MOUSE, .mouse = MOUSE_WHEEL_UP };

	(void)state;
	write_lines(0, 8);
	draw();
	assert_int_equal(pane_mouse(p, &e), WISH_REDRAW);
	assert_false(pane_follows(p));
	draw();
	check_first("line 1");
	e.mouse = MOUSE_WHEEL_DOWN;
	pane_mouse(p, &e);
	assert_true(pane_follows(p));
	e.mouse = MOUSE_PRESS;
	e.button = 1;
	assert_int_equal(pane_mouse(p, &e), WISH_PASS);
}

/* A window that becomes so high that the end is seen follows it again. */
static void test_resize(void **state)
{
	(void)state;
	write_lines(0, 8);
	draw();
	pane_request(p, REQ_UP);
	draw();
	assert_int_equal(grid_resize(g, 8, 20), 0);
	draw();
	check_first("line 0");
	assert_true(pane_follows(p));
	write_lines(8, 10);
	draw();
	check_first("line 2");
}

static void test_sideways(void **state)
{
	(void)state;
	write_text("short\n0123456789abcdefghijklmnopqrstuvwxyz\n");
	draw();
	/* the last column is the scroll bar's */
	check_rows(g, "short", "0123456789abcdefgh…", "");
	assert_int_equal(pane_request(p, REQ_RIGHT), WISH_REDRAW);
	draw();
	check_rows(g, "", "89abcdefghijklmnop…", "");
	/* not beyond the text */
	for (int i = 0; i < 50; i++) {
		pane_request(p, REQ_RIGHT);
		draw();
	}
	check_rows(g, "", "opqrstuvwxyz", "");
	for (int i = 0; i < 50; i++)
		pane_request(p, REQ_LEFT);
	draw();
	check_rows(g, "short", "0123456789abcdefgh…", "");
}

static void test_scrollbar(void **state)
{
	(void)state;
	write_lines(0, 8);
	draw();
	check_rows(g, "line 4             │", "line 5             │", "line 6             █",
		   "line 7             █");
}

static void test_no_room(void **state)
{
	struct canvas c = canvas_of(g), none;

	(void)state;
	write_lines(0, 8);
	for (int h = 0; h <= 2; h++) {
		for (int w = 0; w <= 2; w++) {
			none = canvas_part(&c, 0, 0, h, w);
			pane_draw(p, &none);
			pane_request(p, REQ_PAGE_UP);
			pane_request(p, REQ_LAST);
		}
	}
	none = canvas_part(&c, 9, 9, 0, 0);
	pane_draw(p, &none);
	assert_true(pane_follows(p));
	draw();
	check_first("line 4");
}

/* ---- much ---- */

/* One line without an end is cut into lines, which the ring drops; the text is whole. */
static void test_endless_line(void **state)
{
	char text[1000];
	size_t n = 0;

	(void)state;
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 10; i++)
		write_n(text, sizeof(text));
	for (size_t i = 0; i < pane_lines(p); i++)
		n += strlen(pane_line(p, i));
	assert_int_equal(n, 10000);
	assert_int_equal(pane_lines(p), 3);
	for (int i = 0; i < 1000; i++)
		write_n(text, sizeof(text));
	assert_int_equal(pane_lines(p), 8 + 1);
	draw();
	/* wide ones are not cut in half at the seam */
	pane_free(p);
	p = pane_new(8);
	write_text("x");
	for (int i = 0; i < 4096; i++)
		write_text("中");
	assert_int_equal(pane_lines(p), 3);
	assert_int_equal(strlen(pane_line(p, 0)), 1 + 2047 * 3);
	assert_int_equal(strlen(pane_line(p, 1)), 2048 * 3);
	assert_string_equal(pane_line(p, 2), "中");
}

/* Few lines, but long ones: they are held to a number of bytes as well. */
static void test_bytes(void **state)
{
	char text[4096];
	size_t bytes = 0;

	(void)state;
	pane_free(p);
	p = pane_new(1000000);
	assert_non_null(p);
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 10000; i++) {
		write_n(text, sizeof(text));
		write_text("\n");
	}
	assert_true(pane_dropped(p) > 1000);
	assert_int_equal(pane_lines(p) + pane_dropped(p), 10000);
	for (size_t i = 0; i < pane_lines(p); i++)
		bytes += strlen(pane_line(p, i)) + 1;
	assert_in_range(bytes, (32 << 20) - 4097, 32 << 20);
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Hidden text costs nothing: painting is as fast with much as with little. */
static void test_speed(void **state)
{
	static char text[1 << 20];
	double begin;

	(void)state;
	pane_free(p);
	p = pane_new(100000);
	assert_non_null(p);
	begin = seconds();
	write_lines(0, 100000);
	assert_int_equal(pane_lines(p), 100000);
	for (int i = 0; i < 2000; i++) {
		pane_request(p, i % 2 ? REQ_FIRST : REQ_LAST);
		draw();
	}
	memset(text, 'y', sizeof(text));
	for (int i = 0; i < 16; i++)
		write_n(text, sizeof(text));
	for (int i = 0; i < 2000; i++)
		draw();
	/* under a second even with sanitizers; walking from the start would take minutes */
	assert_true(seconds() - begin < 20);
}

/*
 * Arbitrary bytes neither crash nor have a lasting effect: after a few newlines, text is text
 * again.
 */
static void test_noise(void **state)
{
	uint32_t x = 12345;

	(void)state;
	for (int round = 0; round < 200; round++) {
		char noise[512];

		for (size_t i = 0; i < sizeof(noise); i++) {
			x = x * 1664525 + 1013904223;
			/* many special ones */
			noise[i] = x >> 30 ? (char)(x >> 16) : "\033[]0K\r\t\b"[x >> 16 & 7];
		}
		write_n(noise, sizeof(noise));
		draw();
		write_text("\n\nplain\n");
		assert_string_equal(pane_line(p, pane_lines(p) - 1), "plain");
	}
}

/* The styles of a row of the screen: . text; colours 0 … f; upper-case letters and * for flags below. */
static const char *styles_of(int y)
{
	static char buf[64];
	int n = 0;

	for (int x = 0; x < g->cols - 1; x++) {
		style_t style = grid_style(g, y, x);
		unsigned role = style & STYLE_ROLE;

		buf[n++] = role >= ROLE_ANSI ? "0123456789abcdef"[role - ROLE_ANSI] : '.';
		if (style & STYLE_BOLD)
			buf[n++] = 'B';
		if (style & STYLE_DIM)
			buf[n++] = 'D';
		if (style & STYLE_UNDERLINE)
			buf[n++] = 'U';
		if (style & STYLE_REVERSE)
			buf[n++] = 'R';
	}
	while (n && buf[n - 1] == '.')
		n--;
	buf[n] = '\0';
	return buf;
}

/* Of one line, while it is written and when it has ended. */
static void check_styles(const char *text, const char *styles)
{
	pane_free(p);
	p = pane_new(8);
	assert_non_null(p);
	write_text(text);
	draw();
	assert_string_equal(styles_of(0), styles);
	write_text("\n");
	draw();
	assert_string_equal(styles_of(0), styles);
}

static void test_colours(void **state)
{
	(void)state;
	check_styles("plain", "");
	check_styles("a\033[31mbc\033[0md", ".11");
	check_styles("a\033[1;32mb\033[mc", ".2B");
	check_styles("\033[94mb\033[39mc\033[90md", "c.8");
	check_styles("\033[2ma\033[22mb\033[4mc\033[24md\033[7me\033[27mf", ".D..U..R");
	/* on a coloured background: reversed in that colour, and reversed again not */
	check_styles("\033[37;41ma\033[7mb\033[49mc", "1R17R");
	/* 256 colours and exact ones: the nearest of 16 */
	check_styles("\033[38;5;9ma\033[38;5;196mb\033[38;5;255mc", "997");
	check_styles("\033[38;2;0;250;0ma\033[38;2;250;0;0;1mb", "a9B");
	check_styles("\033[38:2::250:0:0ma\033[38:5:3mb\033[0mc", "93");
	/* a curly underline, and none; its colour */
	check_styles("\033[4:3ma\033[4:0mb\033[31;58;5;2mc", ".U.1");
	/* wide characters, combining ones and what is overwritten */
	check_styles("\033[31m中e\u0301\033[0mx", "111");
	check_styles("\033[31mabc\r\033[32md\033[0m\033[K", "2");
	/* tabs and what the cursor skips have no colour */
	check_styles("\033[31ma\tb", "1.......1");
}

/* Nothing is changed by what is no colour, and no number is too large or too many. */
static void test_colours_of_hostile_output(void **state)
{
	char text[8192] = "\033[";
	size_t n = strlen(text);

	(void)state;
	check_styles("\033[38ma\033[38;5mb\033[38;2;1;2mc\033[48;5;999md", "");
	check_styles("\033[99999999999999999999ma\033[31;4294967327mb", ".1");
	check_styles("\033[?31ma\033[>4;1mb\033[31 qc\033[=1md", "");
	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "31;");
	snprintf(text + n, sizeof(text) - n, "0mx\033[0my");
	check_styles(text, "1");
	/* a colour for each column is counted in the memory of the lines */
	pane_free(p);
	p = pane_new(1000000);
	n = 0;
	for (int x = 0; x < 1000; x++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "\033[3%dmx", x % 2 + 1);
	text[n++] = '\n';
	for (int i = 0; i < 12000; i++)
		write_n(text, n);
	assert_true(pane_dropped(p) && pane_lines(p) > 1000);
	assert_true(pane_dropped(p) + pane_lines(p) == 12000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lines),
		TEST(test_carriage_return),
		TEST(test_tabs),
		TEST(test_moves),
		TEST(test_erase),
		TEST(test_sequences),
		TEST(test_broken_sequences),
		TEST(test_utf8),
		TEST(test_wide),
		TEST(test_combining),
		TEST(test_ring),
		TEST(test_ring_of_one),
		TEST(test_follow),
		TEST(test_scrolled_back_while_it_wraps),
		TEST(test_mouse),
		TEST(test_resize),
		TEST(test_sideways),
		TEST(test_scrollbar),
		TEST(test_no_room),
		TEST(test_endless_line),
		TEST(test_bytes),
		TEST(test_speed),
		TEST(test_noise),
		TEST(test_colours),
		TEST(test_colours_of_hostile_output),
	};

	return cmocka_run_group_tests_name("ui/pane", tests, use_utf8, NULL);
}
