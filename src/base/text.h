/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that came from outside, and text that is measured. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/buf.h"

/*
 * Adds `s` so that it cannot drive a terminal: control characters, DEL, C1 and bytes that
 * are no valid text in the locale become \xHH (newline \n, tab \t).
 */
void text_escape(struct buf *out, const char *s);

/*
 * The most of s's first `len` bytes that does not end inside a UTF-8 character: where to cut
 * text that is too long. Text that is no UTF-8 is cut at `len`.
 */
size_t text_utf8_floor(const char *s, size_t len);

/* Columns that `s` takes on a terminal (wcwidth; what cannot be decoded counts 1 a byte). */
size_t text_width(const char *s);

/*
 * Bytes of `s` that belong into one line: up to a blank, a newline, or a place beside a wide
 * character where a line may be broken (Chinese has no blanks, but no line begins with a full stop).
 */
size_t text_piece(const char *s);

/*
 * Up to `max` of the `n` names that are nearest to `word` by edit distance, best first, and
 * near enough to be a typing mistake. Returns how many were put into `ret_best`.
 */
size_t text_nearest(const char *word, const char *const *names, size_t n, const char **ret_best,
		    size_t max);

/* The edit distance of two words (insert, delete, replace, swap of neighbours), case folded. */
size_t text_distance(const char *a, const char *b);

/* Shell globs: * ? [set] \x. The whole name must match. */
bool text_glob(const char *pattern, const char *name);

/* Adds it as a string of JSON, in quotes; bytes that are no UTF-8 are left as they are. */
void text_json(struct buf *out, const char *text);

#endif
