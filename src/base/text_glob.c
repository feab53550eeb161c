/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shell globs over UTF-8; a byte that is no UTF-8 is a character of its own. */
#include <stdint.h>
#include "base/text.h"

#define RAW_BYTE 0x110000 /* above every code point */

/* The character at *s, which is moved past it. The string's NUL is never passed. */
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

/* One end of a range in a set: a character, or what stands behind a backslash. */
static uint32_t set_char(const char **pattern)
{
	if (**pattern == '\\' && (*pattern)[1])
		++*pattern;
	return next_char(pattern);
}

/*
 * `set` stands behind the '['. Returns the place behind the ']' and whether c is in it;
 * NULL when the set is not closed: then the '[' is only a '['.
 */
static const char *match_set(const char *set, uint32_t c, bool *ret_in)
{
	bool negated = *set == '!' || *set == '^';
	bool in = false;
	const char *first;

	set += negated;
	for (first = set; *set != ']' || set == first;) {
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

/* Matches one element of the pattern that is no star. Returns what follows it, or NULL. */
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
 * Only the last star is ever taken back: whatever an earlier one could eat, the last can
 * eat as well. So the work is at most pattern x name.
 */
bool text_glob(const char *pattern, const char *name)
{
	const char *star = NULL;   /* behind the last star */
	const char *resume = NULL; /* where that star stops eating for now */

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
