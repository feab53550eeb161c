/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a line may be broken. */
#include <string.h>
#include <wchar.h>
#include "base/text.h"

/* A line does not begin with the first ones, nor end with the second. */
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
			return end; /* no text of this locale: its blanks must do */
		if (before && may_break(before, wc))
			return at;
		before = wc;
		at += n;
	}
	return end;
}
