/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running text, broken into lines of 80 columns, for help. */
#ifndef CLI_WRAP_H
#define CLI_WRAP_H

#include <stddef.h>
#include "base/buf.h"

/* `text` from column `indent` on, each line. "\n\n" in it is an empty line. */
void wrap_text(struct buf *out, size_t indent, const char *text);

/*
 * Two columns: `left`, and `text` from column `column` on. A left side that is too wide
 * gets a line of its own.
 */
void wrap_beside(struct buf *out, const char *left, size_t column, const char *text);

#endif
