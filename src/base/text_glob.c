/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shell globs for UTF-8; an invalid byte counts as one character. */
#include <stdint.h>
#include "base/text.h"

#define RAW_BYTE 0x110000 /* above every code point */

/* Reads the character at *s and moves past it, but not past the NUL. */
static uint32_t next_char(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	unsigned int more = 0, i;
	uint32_t c = p[0];

	if (c >= 0xc2 && c < 0xe0) {
		more = 1;
		c &= 0x1f;
	} else if (c >= 0xe0 && c < 0xf0) {
		more = 2;
		c &= 0x0f;
	} else if (c >= 0xf0 && c <= 0xf4) {
		more = 3;
		c &= 0x07;
	} else if (c >= 0x80) {
		c += RAW_BYTE;
	}
	for (i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			*s += 1;
			return RAW_BYTE + p[0];
		}
		c = c << 6 | (p[i] & 0x3f);
	}
	*s += more + 1;
	return c;
}

/* One end of a range in a set: a character, possibly after a backslash. */
static uint32_t set_char(const char **pattern)
{
	if (**pattern == '\\' && (*pattern)[1])
		++*pattern;
	return next_char(pattern);
}

/*
 * `set` starts after the '['. Returns the place after the ']' and whether c is in the set; NULL if
 * it is not closed, so that the '[' is literal.
 */
static const char *match_set(const char *set, uint32_t c, bool *ret_in)
{
	bool negated = *set == '!' || *set == '^';
	bool in = false;

	set += negated;
	for (const char *first = set; *set != ']' || set == first;) {
		uint32_t low, high;

		if (!*set)
			return NULL;
		low = high = set_char(&set);
		if (set[0] == '-' && set[1] && set[1] != ']') {
			set++;
			high = set_char(&set);
		}
		if (c >= low && c <= high)
			in = true;
	}
	*ret_in = in != negated;
	return set + 1;
}

/* Matches one pattern element other than a star. Returns what follows it, or NULL. */
static const char *match_one(const char *pattern, uint32_t c)
{
	const char *after;
	bool in;

	switch (*pattern) {
	case '?':
		return pattern + 1;
	case '[':
		after = match_set(pattern + 1, c, &in);
		if (after)
			return in ? after : NULL;
		break;
	case '\\':
		if (pattern[1])
			pattern++;
		break;
	case '\0':
		return NULL;
	}
	return next_char(&pattern) == c ? pattern : NULL;
}

/*
 * Backtracks only to the last star: it can match whatever an earlier one could. So the cost is at
 * most pattern length x name length.
 */
bool text_glob(const char *pattern, const char *name)
{
	const char *star = NULL;   /* after the last star */
	const char *resume = NULL; /* where its match currently ends */

	while (*name) {
		const char *after_name = name;
		const char *after;

		if (*pattern == '*') {
			star = ++pattern;
			resume = name;
			continue;
		}
		after = match_one(pattern, next_char(&after_name));
		if (after) {
			pattern = after;
			name = after_name;
		} else if (star) {
			next_char(&resume);
			pattern = star;
			name = resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
