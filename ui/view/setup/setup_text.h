/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrapped text: sentences at blanks, a command line between its words. */
#ifndef VIEW_SETUP_SETUP_TEXT_H
#define VIEW_SETUP_SETUP_TEXT_H

#include "model/setup/setup_words.h"
#include "term/canvas.h"

/*
 * Draws from (y, x) to the right edge, up to the last row of the canvas; newlines begin new lines.
 * Returns the rows, including clipped ones. `c` may be NULL: then measures for `width`.
 */
int setup_text(const struct canvas *c, int y, int x, int width, style_t style, const char *text);
/* A command line in shell syntax, with \ at line ends; words wider than a line wrap. */
int setup_command_text(const struct canvas *c, int y, int x, int width, style_t style,
		       const struct words *words);

#endif
