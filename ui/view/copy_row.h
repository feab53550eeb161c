/* SPDX-License-Identifier: GPL-2.0-or-later */
/* y: the row under the cursor to the clipboard. */
#ifndef VIEW_COPY_ROW_H
#define VIEW_COPY_ROW_H

#include "widget/stack.h"
#include "widget/tree.h"

/* Copies it, and reports that. Returns wishes. */
unsigned copy_row(struct stack *s, const struct tree *t);

#endif
