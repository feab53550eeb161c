/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line breaking. */
#include <string.h>
#include <wchar.h>
#include "base/text.h"

/* No line starts with one of the first, or ends with one of the second. */
static const wchar_t closing[] = L"、。，．：；！？）］｝」』】〉》”’…·!,.:;?)]}%";
static const wchar_t opening[] = L"（［｛「『【〈《“‘([{";

static bool may_break(wchar_t a, wchar_t b)
{
	return (wcwidth(a) > 1 || wcwidth(b) > 1) && !wcschr(opening, a) && !wcschr(closing, b);
}

size_t text_piece(const char *s)
{
	size_t at = 0, end = strcspn(s, " \n");
	wchar_t before = 0, wc;
	mbstate_t state;

	memset(&state, 0, sizeof(state));
	while (at < end) {
		size_t n = mbrtowc(&wc, s + at, end - at, &state);

		if (!n || n > end - at)
			return end; /* not valid in this locale: break at spaces */
		if (before && may_break(before, wc))
			return at;
		before = wc;
		at += n;
	}
	return end;
}
