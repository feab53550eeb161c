/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ground of the screens: text as characters and columns.
 *
 * Takes: UTF-8 in memory, maybe damaged, maybe with control characters. Gives: one character after
 * the other, and how many columns each takes. Not for escaping what goes to a terminal: a canvas
 * (term/canvas.h) does that with every text it is given.
 *
 * Memory is UTF-8 in every locale; what a terminal in another locale cannot show, it shows as ?.
 */
#ifndef TEXT_UTF8_H
#define TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD 0xfffdu /* what a byte that belongs to no character is read as */

/*
 * Reads the character at `s` (`n` bytes, n > 0); returns how many bytes it takes, at least 1.
 * Overlong forms, surrogates, lone and missing bytes are UTF8_BAD, one byte.
 */
size_t utf8_next(const char *s, size_t n, uint32_t *ret_char);

/* Writes a character; returns its bytes, 1 to 4. What is no character is written as UTF8_BAD. */
size_t utf8_put(char buf[4], uint32_t c);

/* Where the character before `at` begins; 0 at the start. */
size_t utf8_before(const char *s, size_t at);

/*
 * Columns of a character: 0 for combining ones, 2 for wide ones, -1 for control characters. By
 * wcwidth where the locale knows, so call setlocale() first; 1 for what it does not know.
 */
int utf8_char_width(uint32_t c);

/* Columns of a text as a canvas shows it: control characters take those of their escape. */
int utf8_width(const char *s);

/* The most bytes of `s` that fit into `columns`; combining characters stay with their base. */
size_t utf8_fit(const char *s, int columns);

/* Case-insensitive search (simple folding); NULL: not there. *ret_bytes: length of the match. */
const char *utf8_find(const char *s, const char *wanted, size_t *ret_bytes);

#endif
