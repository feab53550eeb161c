/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps text at 80 columns, for help. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stddef.h>
#include "base/buf.h"

/* Prints `text` from column `indent` on. "\n\n" is an empty line. */
void wrap_text(struct buf *out, size_t indent, const char *text);

/*
 * Two columns: `left`, and `text` from column `column` on. If `left` is too wide, it gets its own
 * line.
 */
void wrap_beside(struct buf *out, const char *left, size_t column, const char *text);

#endif
