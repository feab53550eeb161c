/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Themes: the looks of the roles, for any number of colours. Colour is never the only sign: views
 * draw a mark or a word for heat and state, so that monochrome looks only need weight.
 */
#ifndef TERM_THEME_H
#define TERM_THEME_H

#include <stddef.h>
#include <stdint.h>

#include "term/style.h"

/* Colours of the terminal. */
enum depth {
	DEPTH_MONO, /* none, or NO_COLOR */
	DEPTH_8,
	DEPTH_16,
	DEPTH_256,
	DEPTH_TRUE,
};

#define LOOK_BOLD      0x01u
#define LOOK_DIM       0x02u
#define LOOK_UNDERLINE 0x04u
#define LOOK_REVERSE   0x08u

#define LOOK_DEFAULT   (-1) /* the terminal's default colour */

/* fg, bg: LOOK_DEFAULT, a colour number (8, 16, 256) or 0xrrggbb. */
struct look {
	int32_t fg, bg;
	unsigned attrs;
};

struct theme;

/* "dark", "light", "high-contrast"; NULL: unknown theme. */
const struct theme *theme_find(const char *name);
/* By index; NULL after the last. */
const char *theme_name(size_t i);

struct look theme_look(const struct theme *t, enum depth depth, style_t style);

/*
 * From terminfo's max_colors (more than 256: direct colours) and NO_COLOR (set and not empty: none;
 * may be NULL).
 */
enum depth theme_depth(int max_colors, const char *no_color);

/* Colour n of xterm's palette of 256: 16 colours, a cube of 6x6x6, and 24 greys. */
uint32_t theme_rgb(unsigned n);
/* The nearest of them to 0xrrggbb, from this one on up to `end`. */
int theme_nearest(uint32_t rgb, unsigned from, unsigned end);

#endif
