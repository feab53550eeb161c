/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/sgr.h"

#include "term/theme.h"

#define HIDDEN 0x10000u /* next to STYLE_… in the flags */

static int8_t nearest(uint32_t rgb)
{
	return (int8_t)theme_nearest(rgb, 0, 16);
}

static uint32_t rgb_of(const unsigned v[3])
{
	uint32_t rgb = 0;

	for (int i = 0; i < 3; i++)
		rgb = rgb << 8 | (v[i] < 255 ? v[i] : 255);
	return rgb;
}

/*
 * 38;5;N, 38;2;R;G;B, or with colons 38:5:N, 38:2:R:G:B, 38:2:SPACE:R:G:B. Returns the index of the
 * last number that belongs to it.
 */
static size_t set_extended(int8_t *colour, const struct sgr_params *p, size_t i)
{
	size_t end = i + 1, n;

	if (end >= p->n)
		return i;
	if (p->sub[end]) {
		while (end < p->n && p->sub[end])
			end++;
	} else {
		end += p->v[end] == 2 ? 4 : p->v[end] == 5 ? 2 : 1;
	}
	if (end > p->n)
		return p->n - 1; /* incomplete */
	n = end - i - 1;
	if (p->v[i + 1] == 5 && n >= 2 && p->v[i + 2] < 256)
		*colour = nearest(theme_rgb(p->v[i + 2]));
	else if (p->v[i + 1] == 2 && n >= 4)
		*colour = nearest(rgb_of(&p->v[end - 3]));
	return end - 1;
}

static void set_attribute(struct sgr *s, unsigned n)
{
	static const struct {
		unsigned n, set, clear;
	} all[] = {
		{ 1, STYLE_BOLD, 0 },
		{ 2, STYLE_DIM, 0 },
		{ 4, STYLE_UNDERLINE, 0 },
		{ 7, STYLE_REVERSE, 0 },
		{ 8, HIDDEN, 0 },
		{ 21, STYLE_UNDERLINE, 0 }, /* double */
		{ 22, 0, STYLE_BOLD | STYLE_DIM },
		{ 24, 0, STYLE_UNDERLINE },
		{ 27, 0, STYLE_REVERSE },
		{ 28, 0, HIDDEN },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].n == n)
			s->flags = (s->flags | all[i].set) & ~all[i].clear;
}

void sgr_apply(struct sgr *s, const struct sgr_params *p)
{
	static const struct sgr none = SGR_INIT;

	if (!p->n)
		*s = none;
	for (size_t i = 0; i < p->n; i++) {
		unsigned n = p->v[i];

		if (p->sub[i])
			continue; /* of what precedes it */
		if (!n)
			*s = none;
		else if (n >= 30 && n <= 37)
			s->fg = (int8_t)(n - 30);
		else if (n >= 40 && n <= 47)
			s->bg = (int8_t)(n - 40);
		else if (n >= 90 && n <= 97)
			s->fg = (int8_t)(n - 90 + 8);
		else if (n >= 100 && n <= 107)
			s->bg = (int8_t)(n - 100 + 8);
		else if (n == 39)
			s->fg = -1;
		else if (n == 49)
			s->bg = -1;
		else if (n == 38)
			i = set_extended(&s->fg, p, i);
		else if (n == 48)
			i = set_extended(&s->bg, p, i);
		else if (n == 58) /* colour of the underline */
			i = set_extended(&(int8_t){ 0 }, p, i);
		else if (n == 4 && i + 1 < p->n && p->sub[i + 1] && !p->v[i + 1])
			s->flags &= ~STYLE_UNDERLINE;
		else
			set_attribute(s, n);
	}
}

/* A black background is what most terminals have. Hidden text is shown: it can be copied anyway. */
style_t sgr_style(const struct sgr *s)
{
	bool on_colour = s->bg > 0;
	int colour = on_colour ? s->bg : s->fg;
	unsigned flags = s->flags ^ (on_colour ? STYLE_REVERSE : 0);

	if (flags & HIDDEN)
		flags |= STYLE_DIM;
	return (style_t)((colour < 0 ? ROLE_TEXT : ROLE_ANSI + colour) | (flags & STYLE_FLAGS));
}
