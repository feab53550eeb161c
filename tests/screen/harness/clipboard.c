/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that the program copies to the clipboard: OSC 52, which libvterm does not support. */
#include <stdlib.h>
#include <string.h>

#include "screen/harness/private.h"

static int digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static void decode(const char *from, char *to)
{
	unsigned bits = 0, n = 0;

	for (; digit(*from) >= 0; from++) {
		bits = bits << 6 | (unsigned)digit(*from);
		n += 6;
		if (n >= 8)
			*to++ = (char)(bits >> (n -= 8) & 0xff);
	}
	*to = '\0';
}

/* The sequence may be split: keeps an incomplete one until its end arrives. */
void screen_watch_clipboard(struct screen *s, const char *bytes, size_t n)
{
	static const char begin[] = "\033]52;c;";
	size_t i;

	for (i = 0; i < n; i++) {
		if (s->osc_n < sizeof(begin) - 1) {
			if (bytes[i] != begin[s->osc_n])
				s->osc_n = bytes[i] == begin[0] ? 1 : 0;
			else
				s->osc_n++;
			if (s->osc_n == 1)
				s->osc[0] = bytes[i];
			continue;
		}
		if (bytes[i] == '\a' || s->osc_n == sizeof(s->osc) - 1) {
			s->osc[s->osc_n] = '\0';
			decode(s->osc + sizeof(begin) - 1, s->clipboard);
			s->copied = true;
			s->osc_n = 0;
			continue;
		}
		s->osc[s->osc_n++] = bytes[i];
	}
}

const char *screen_clipboard(const struct screen *s)
{
	return s->copied ? s->clipboard : NULL;
}
