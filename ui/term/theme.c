/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "term/theme.h"

#define NO LOOK_DEFAULT

/*
 * One role of one theme. rgb: for 256 and more colours. ansi: one of 16 (8 … 15 are the bright
 * ones, shown as bold with 8 colours).
 */
struct paint {
	int32_t rgb_fg, rgb_bg;
	int8_t fg, bg;
	uint8_t attrs;
	uint8_t mono; /* attributes without colours */
};

struct theme {
	const char *name;
	struct paint paints[N_ROLES];
};

static const struct theme themes[] = {
	{
		.name = "dark",
		.paints = {
			[ROLE_TEXT] = { NO, NO, NO, NO, 0, 0 },
			[ROLE_DIM] = { 0x8a8a8a, NO, 8, NO, 0, LOOK_DIM },
			[ROLE_TITLE] = { 0xffffff, NO, 15, NO, LOOK_BOLD, LOOK_BOLD },
			[ROLE_HOT] = { 0xff6b5f, NO, 9, NO, 0, LOOK_BOLD },
			[ROLE_WARM] = { 0xe8b04a, NO, 3, NO, 0, 0 },
			[ROLE_GOOD] = { 0x7fc97f, NO, 2, NO, 0, 0 },
			[ROLE_BAD] = { 0xff5f5f, NO, 9, NO, LOOK_BOLD, LOOK_BOLD },
			[ROLE_NOTE] = { 0xe8d44a, NO, 11, NO, 0, LOOK_BOLD },
			[ROLE_KEY] = { 0x6fb7e9, NO, 6, NO, 0, LOOK_BOLD },
			[ROLE_FIELD] = { 0xb8d7f0, NO, 14, NO, 0, 0 },
			[ROLE_MATCH] = { 0x000000, 0xe8d44a, 0, 3, 0, LOOK_UNDERLINE },
			[ROLE_FRAME] = { 0x5f5f5f, NO, 8, NO, 0, LOOK_DIM },
			[ROLE_CURSOR] = { NO, NO, NO, NO, LOOK_REVERSE, LOOK_REVERSE },
		},
	},
	{
		.name = "light",
		.paints = {
			[ROLE_TEXT] = { NO, NO, NO, NO, 0, 0 },
			[ROLE_DIM] = { 0x6c6c6c, NO, 8, NO, 0, LOOK_DIM },
			[ROLE_TITLE] = { 0x000000, NO, 0, NO, LOOK_BOLD, LOOK_BOLD },
			[ROLE_HOT] = { 0xc0230d, NO, 1, NO, 0, LOOK_BOLD },
			[ROLE_WARM] = { 0x8f5c00, NO, 5, NO, 0, 0 },
			[ROLE_GOOD] = { 0x207a20, NO, 2, NO, 0, 0 },
			[ROLE_BAD] = { 0xb00020, NO, 1, NO, LOOK_BOLD, LOOK_BOLD },
			[ROLE_NOTE] = { 0x8a6d00, NO, 5, NO, 0, LOOK_BOLD },
			[ROLE_KEY] = { 0x005f9e, NO, 4, NO, 0, LOOK_BOLD },
			[ROLE_FIELD] = { 0x004a7f, NO, 4, NO, 0, 0 },
			[ROLE_MATCH] = { 0x000000, 0xffe680, 0, 3, 0, LOOK_UNDERLINE },
			[ROLE_FRAME] = { 0xa0a0a0, NO, 8, NO, 0, LOOK_DIM },
			[ROLE_CURSOR] = { NO, NO, NO, NO, LOOK_REVERSE, LOOK_REVERSE },
		},
	},
	{
		.name = "high-contrast",
		.paints = {
			[ROLE_TEXT] = { 0xffffff, 0x000000, 15, 0, 0, 0 },
			[ROLE_DIM] = { 0xd0d0d0, 0x000000, 7, 0, 0, 0 },
			[ROLE_TITLE] = { 0xffffff, 0x000000, 15, 0, LOOK_BOLD, LOOK_BOLD },
			[ROLE_HOT] = { 0xff8080, 0x000000, 9, 0, LOOK_BOLD, LOOK_BOLD },
			[ROLE_WARM] = { 0xffff00, 0x000000, 11, 0, 0, 0 },
			[ROLE_GOOD] = { 0x80ff80, 0x000000, 10, 0, 0, 0 },
			[ROLE_BAD] = { 0xff8080, 0x000000, 9, 0, LOOK_BOLD, LOOK_BOLD },
			[ROLE_NOTE] = { 0xffff00, 0x000000, 11, 0, LOOK_BOLD, LOOK_BOLD },
			[ROLE_KEY] = { 0x80ffff, 0x000000, 14, 0, LOOK_BOLD, LOOK_BOLD },
			[ROLE_FIELD] = { 0x80ffff, 0x000000, 14, 0, 0, LOOK_UNDERLINE },
			[ROLE_MATCH] = { 0x000000, 0xffff00, 0, 14, LOOK_BOLD,
					 LOOK_BOLD | LOOK_UNDERLINE },
			[ROLE_FRAME] = { 0xffffff, 0x000000, 15, 0, 0, 0 },
			[ROLE_CURSOR] = { 0x000000, 0xffffff, 0, 15, LOOK_BOLD,
					  LOOK_REVERSE | LOOK_BOLD },
		},
	},
};

#define N_THEMES (sizeof(themes) / sizeof(themes[0]))

/* As in theme_rgb(), but black is shown as grey, and blue is lighter, to be readable. */
static const int32_t ansi_rgb[N_STYLE_ROLES - ROLE_ANSI] = {
	0x7f7f7f, 0xcd0000, 0x00cd00, 0xcdcd00, 0x2f6fdf, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c7cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* On the theme's background, in which normal text is shown, too. */
static struct paint ansi_paint(const struct theme *t, unsigned colour)
{
	const struct paint *text = &t->paints[ROLE_TEXT];

	return (struct paint){ .rgb_fg = ansi_rgb[colour],
			       .rgb_bg = text->rgb_bg,
			       .fg = (int8_t)(colour ? colour : 8),
			       .bg = text->bg };
}

const struct theme *theme_find(const char *name)
{
	for (size_t i = 0; i < N_THEMES; i++) {
		if (!strcmp(themes[i].name, name))
			return &themes[i];
	}
	return NULL;
}

const char *theme_name(size_t i)
{
	return i < N_THEMES ? themes[i].name : NULL;
}

static int square(int a, int b)
{
	return (a - b) * (a - b);
}

static int distance(uint32_t a, uint32_t b)
{
	return square((int)(a >> 16 & 255), (int)(b >> 16 & 255)) +
	       square((int)(a >> 8 & 255), (int)(b >> 8 & 255)) +
	       square((int)(a & 255), (int)(b & 255));
}

uint32_t theme_rgb(unsigned n)
{
	static const uint32_t steps[6] = { 0, 95, 135, 175, 215, 255 };
	static const uint32_t ansi[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00,
					   0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
					   0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
					   0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };

	if (n < 16)
		return ansi[n];
	if (n >= 232)
		return (8 + 10 * (n - 232)) * 0x010101u;
	n -= 16;
	return steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6];
}

int theme_nearest(uint32_t rgb, unsigned from, unsigned end)
{
	unsigned best = from;

	for (unsigned i = from; i < end; i++)
		if (distance(rgb, theme_rgb(i)) < distance(rgb, theme_rgb(best)))
			best = i;
	return (int)best;
}

static int32_t colour(enum depth depth, int32_t rgb, int ansi)
{
	if (rgb == NO || depth == DEPTH_MONO)
		return NO;
	switch (depth) {
	case DEPTH_TRUE:
		return rgb;
	case DEPTH_256:
		return theme_nearest((uint32_t)rgb, 16, 256);
	case DEPTH_16:
		return ansi;
	default:
		return ansi & 7;
	}
}

/*
 * The cursor row has one colour for all roles, to be readable. Hot values are bold there; matches
 * are underlined.
 */
static unsigned under_cursor(const struct paint *p, enum depth depth, unsigned role)
{
	unsigned kept = depth == DEPTH_MONO ? LOOK_BOLD | LOOK_UNDERLINE : LOOK_BOLD;

	return (p->mono & kept) | (role == ROLE_MATCH ? LOOK_UNDERLINE : 0);
}

/*
 * With eight colours, bright ones are bold: bright black, which would be invisible, is dim text,
 * and black is never bold, which many terminals show as grey.
 */
static void look_8_colours(struct look *look, const struct paint *p)
{
	if (p->rgb_fg == NO)
		return;
	if (p->fg == 8) {
		look->fg = NO;
		look->attrs |= LOOK_DIM;
	} else if (p->fg > 8) {
		look->attrs |= LOOK_BOLD;
	}
}

struct look theme_look(const struct theme *t, enum depth depth, style_t style)
{
	unsigned role = style & STYLE_ROLE;
	struct paint ansi = ansi_paint(t, role < N_ROLES ? 0 : (role - ROLE_ANSI) & 15);
	const struct paint *own = role < N_ROLES ? &t->paints[role] : &ansi;
	const struct paint *p = style & STYLE_CURSOR ? &t->paints[ROLE_CURSOR] : own;
	struct look look = {
		.fg = colour(depth, p->rgb_fg, p->fg),
		.bg = colour(depth, p->rgb_bg, p->bg),
		.attrs = depth == DEPTH_MONO ? p->mono : p->attrs,
	};

	if (depth == DEPTH_8)
		look_8_colours(&look, p);
	if (style & STYLE_CURSOR)
		look.attrs |= under_cursor(own, depth, role);
	if (style & STYLE_BOLD)
		look.attrs |= LOOK_BOLD;
	if (!(style & STYLE_CURSOR))
		look.attrs |= (style & STYLE_DIM ? LOOK_DIM : 0) |
			      (style & STYLE_UNDERLINE ? LOOK_UNDERLINE : 0) |
			      (style & STYLE_REVERSE ? LOOK_REVERSE : 0);
	if (depth == DEPTH_8 && look.fg == 0 && look.bg != NO)
		look.attrs &= ~LOOK_BOLD;
	return look;
}

enum depth theme_depth(int max_colors, const char *no_color)
{
	if ((no_color && *no_color) || max_colors < 8)
		return DEPTH_MONO;
	if (max_colors > 256)
		return DEPTH_TRUE;
	if (max_colors == 256)
		return DEPTH_256;
	return max_colors >= 16 ? DEPTH_16 : DEPTH_8;
}
