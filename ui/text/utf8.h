/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text as characters and columns. Input is UTF-8, possibly damaged or with control characters.
 * Escaping for the terminal is up to the canvas (term/canvas.h), which escapes all text.
 *
 * Memory is UTF-8 in every locale; characters that the terminal's locale lacks are shown as "?".
 */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD 0xfffdu /* stands for an invalid byte */

/*
 * Reads the character at `s` (`n` bytes, n > 0); returns its length, at least 1. Overlong forms,
 * surrogates, stray and missing bytes are UTF8_BAD, one byte.
 */
size_t utf8_next(const char *s, size_t n, uint32_t *ret_char);

/* Writes a character; returns its length, 1 to 4. Invalid ones are written as UTF8_BAD. */
size_t utf8_put(char buf[4], uint32_t c);

/* Where the character before `at` begins; 0 at the start. */
size_t utf8_before(const char *s, size_t at);

/*
 * Columns of a character: 0 for combining ones, 2 for wide ones, -1 for control characters. Uses
 * wcwidth(), so call setlocale() first; 1 if unknown.
 */
int utf8_char_width(uint32_t c);

/* Columns of a text as drawn by a canvas, with control characters escaped. */
int utf8_width(const char *s);
/* The same, or `width` if that is more: the widest of several texts. */
int utf8_widest(int width, const char *s);

/* The most bytes of `s` that fit into `columns`; combining characters stay with their base. */
size_t utf8_fit(const char *s, int columns);

/* Case-insensitive search (simple folding); NULL: no match. *ret_bytes: length of the match. */
const char *utf8_find(const char *s, const char *wanted, size_t *ret_bytes);

#endif
