/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of choices that are kept for the next start, in $XDG_STATE_HOME/ptui: a name, a blank and a value
 * per line, with control characters and \ as \xHH.
 */
#ifndef MODEL_STATE_FILE_H
#define MODEL_STATE_FILE_H

#include <stddef.h>

#include "base/buf.h"

/* $XDG_STATE_HOME/ptui/NAME, or ~/.local/state/ptui/NAME. free() it. NULL: no home, or out of memory. */
char *state_path(const char *name);
/*
 * The text of a file, at most 1 MiB; free() it. A missing one is empty. 0 or a negative errno; then
 * there is no text.
 */
int state_read(const char *path, char **ret_text, size_t *ret_n);
/*
 * Calls line() for each line, in place; -EINVAL: it is invalid. Counts invalid lines in *bad, a last one
 * without a newline among them: it may be truncated. 0, or -ENOMEM from line().
 */
int state_lines(char *text, size_t n, int (*line)(void *ctx, const char *name, const char *value),
		void *ctx, size_t *bad);
void state_put(struct buf *out, const char *name, const char *fmt, ...) PTUI_PRINTF(3, 4);
/* Replaces the file at once; creates its folder. 0 or a negative errno with the file as it was. */
int state_write(const struct buf *text, const char *path);

#endif
