/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that takes several lines: sentences at their blanks, a command line between its words. */
#ifndef VIEW_SETUP_SETUP_TEXT_H
#define VIEW_SETUP_SETUP_TEXT_H

#include "model/setup/setup_words.h"
#include "term/canvas.h"

/*
 * Draws into the canvas from (y, x) to its right edge, at most to its last row; newlines begin
 * lines. Returns the rows it takes, also of what is not seen. `c` may be NULL: then in `width`.
 */
int setup_text(const struct canvas *c, int y, int x, int width, style_t style, const char *text);
/*
 * A command line as a shell reads it, with \ at the ends of its lines; a word that is wider than a
 * line goes on in the next.
 */
int setup_command_text(const struct canvas *c, int y, int x, int width, style_t style,
		       const struct words *words);

#endif
