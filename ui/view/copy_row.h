/* SPDX-License-Identifier: GPL-2.0-or-later */
/* y: copies the cursor row to the clipboard. Y: the command line that shows the screen. */
#ifndef VIEW_COPY_ROW_H
#define VIEW_COPY_ROW_H

#include "text/words.h"
#include "widget/stack.h"
#include "widget/table.h"

/* Copies a text, or shows what `failed` says. `text` NULL: out of memory. Returns wishes. */
unsigned copy_or_say(struct stack *s, const char *text, const char *failed);
/* Copies the text of a row. Returns wishes. */
unsigned copy_text(struct stack *s, const char *text);
/* Copies the cursor row. Returns wishes. */
unsigned copy_row(struct stack *s, const struct table *t);
/*
 * Copies the words, quoted for the shell, and shows them; releases them. A word ";" separates two command lines.
 */
unsigned copy_command(struct stack *s, struct words *words);

#endif
