/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "text/utf8.h"

/*
 * From the first byte: the number of bytes that follow, and the smallest character of that length.
 */
static int utf8_follow(unsigned char first, uint32_t *ret_bits, uint32_t *ret_least)
{
	if (first < 0x80) {
		*ret_bits = first;
		*ret_least = 0;
		return 0;
	}
	if (first >= 0xc2 && first < 0xe0) {
		*ret_bits = first & 0x1f;
		*ret_least = 0x80;
		return 1;
	}
	if (first >= 0xe0 && first < 0xf0) {
		*ret_bits = first & 0x0f;
		*ret_least = 0x800;
		return 2;
	}
	if (first >= 0xf0 && first < 0xf5) {
		*ret_bits = first & 0x07;
		*ret_least = 0x10000;
		return 3;
	}
	return -1;
}

static bool utf8_is_char(uint32_t c)
{
	return c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
}

size_t utf8_next(const char *s, size_t n, uint32_t *ret_char)
{
	uint32_t c, least;
	int more = utf8_follow((unsigned char)s[0], &c, &least);

	if (more < 0 || (size_t)more >= n)
		goto bad;
	for (int i = 1; i <= more; i++) {
		unsigned char byte = (unsigned char)s[i];

		if ((byte & 0xc0) != 0x80)
			goto bad;
		c = c << 6 | (byte & 0x3f);
	}
	if (c < least || !utf8_is_char(c))
		goto bad;
	*ret_char = c;
	return (size_t)more + 1;
bad:
	*ret_char = UTF8_BAD;
	return 1;
}

size_t utf8_put(char buf[4], uint32_t c)
{
	if (!utf8_is_char(c))
		c = UTF8_BAD;
	if (c < 0x80) {
		buf[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		buf[0] = (char)(0xc0 | c >> 6);
		buf[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		buf[0] = (char)(0xe0 | c >> 12);
		buf[1] = (char)(0x80 | (c >> 6 & 0x3f));
		buf[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	buf[0] = (char)(0xf0 | c >> 18);
	buf[1] = (char)(0x80 | (c >> 12 & 0x3f));
	buf[2] = (char)(0x80 | (c >> 6 & 0x3f));
	buf[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* The longest character that ends right before `at`, consistent with utf8_next(). */
size_t utf8_before(const char *s, size_t at)
{
	for (size_t back = 2; back <= 4 && back <= at; back++) {
		uint32_t c;

		if (utf8_next(s + at - back, back, &c) == back)
			return at - back;
	}
	return at ? at - 1 : 0;
}

int utf8_char_width(uint32_t c)
{
	int width;

	if (c < 0x20 || (c >= 0x7f && c < 0xa0))
		return -1;
	if (c < 0x7f)
		return 1;
	/* Direction marks reorder the text around them: show their code instead. */
	if ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x2028 ||
	    c == 0x2029 || c == 0x200e || c == 0x200f || c == 0x061c)
		return -1;
	width = wcwidth((wchar_t)c);
	return width < 0 ? 1 : width;
}

/* Columns of a control character's escape: \n, \xHH, \u202e. */
static int escape_width(uint32_t c)
{
	if (c == '\n' || c == '\t')
		return 2;
	return c > 0xff ? 6 : 4;
}

static int shown_width(uint32_t c)
{
	int width = utf8_char_width(c);

	return width < 0 ? escape_width(c) : width;
}

int utf8_width(const char *s)
{
	size_t n = strlen(s);
	int columns = 0;

	while (n) {
		uint32_t c;
		size_t bytes = utf8_next(s, n, &c);

		columns += shown_width(c);
		s += bytes;
		n -= bytes;
	}
	return columns;
}

int utf8_widest(int width, const char *s)
{
	int own = utf8_width(s);

	return own > width ? own : width;
}

size_t utf8_fit(const char *s, int columns)
{
	size_t at = 0;

	while (s[at]) {
		uint32_t c;
		/* strnlen() of 4 only: the text may be long */
		size_t bytes = utf8_next(s + at, strnlen(s + at, 4), &c);

		columns -= shown_width(c);
		if (columns < 0)
			break;
		at += bytes;
	}
	return at;
}

static uint32_t folded(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + 32 : c;
	return (uint32_t)towlower((wint_t)c);
}

/* Returns the length of the prefix of `s` that matches `wanted`; 0: no match. */
static size_t begins_with(const char *s, size_t n, const char *wanted, size_t n_wanted)
{
	size_t at = 0;

	while (n_wanted) {
		uint32_t a, b;
		size_t used;

		if (at >= n)
			return 0;
		used = utf8_next(wanted, n_wanted, &b);
		wanted += used;
		n_wanted -= used;
		at += utf8_next(s + at, n - at, &a);
		if (folded(a) != folded(b))
			return 0;
	}
	return at;
}

const char *utf8_find(const char *s, const char *wanted, size_t *ret_bytes)
{
	size_t n = strlen(s), n_wanted = strlen(wanted), at = 0, bytes;
	uint32_t c, first;

	if (!n_wanted)
		return NULL;
	utf8_next(wanted, n_wanted, &first);
	first = folded(first);
	while (at < n) {
		/* most characters are ASCII, and not the first one of `wanted` */
		if ((unsigned char)s[at] < 0x80 && folded((unsigned char)s[at]) != first) {
			at++;
			continue;
		}
		bytes = begins_with(s + at, n - at, wanted, n_wanted);
		if (bytes) {
			*ret_bytes = bytes;
			return s + at;
		}
		at += utf8_next(s + at, n - at, &c);
	}
	return NULL;
}
