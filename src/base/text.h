/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Foreign text, and measuring of text. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "base/buf.h"

/*
 * Appends `s` so that it cannot control a terminal: control characters, DEL, C1 and bytes that are
 * invalid in the locale become \xHH (newline \n, tab \t).
 */
void text_escape(struct buf *out, const char *s);
/* The same for the first `n` bytes of `s`, which need no NUL. */
void text_escape_n(struct buf *out, const char *s, size_t n);

/*
 * The largest length up to `len` that does not end within a UTF-8 character: where to truncate.
 * Text that is not UTF-8 is truncated at `len`.
 */
size_t text_utf8_floor(const char *s, size_t len);

static inline bool text_starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* In place: octal numbers as in /proc/mounts, "\040" for a space. */
void text_unescape_octal(char *s);

/*
 * A whole decimal number: no sign, no blanks. Returns what follows it; NULL: there is none, or it is larger
 * than `max`.
 */
const char *text_number(const char *s, uint64_t max, uint64_t *ret);

/* Width of `s` in columns (wcwidth(); bytes that cannot be decoded count 1 each). */
size_t text_width(const char *s);

/*
 * Bytes of `s` that must not be split across lines: up to a space, a newline, or a break
 * opportunity at a wide character (Chinese has no spaces, but no line starts with a full stop).
 */
size_t text_piece(const char *s);

/*
 * Finds up to `max` of the `n` names that are close enough to `word` to be meant by a typing
 * mistake, nearest first. Returns their number.
 */
size_t text_nearest(const char *word, const char *const *names, size_t n, const char **ret_best,
		    size_t max);

/* The edit distance (insertion, deletion, replacement, swap of neighbours), ignoring case. */
size_t text_distance(const char *a, const char *b);

/* Shell globs: * ? [set] \x. The whole name must match. */
bool text_glob(const char *pattern, const char *name);

/*
 * Takes the locale's separator of thousands (else a comma) for text_grouped(), then reads and writes numbers with a point in
 * every locale: "0.5" is what options, configuration files and perf have. Called once, after setlocale().
 */
void text_set_numbers(void);

/* Formats `value` for people: from five digits on in groups, "12,345". Returns buf. */
char *text_grouped(char *buf, size_t size, uint64_t value);
/* The same from so many digits on. */
char *text_grouped_from(unsigned n_digits, char *buf, size_t size, uint64_t value);

#define TEXT_NUMBER_BYTES 32 /* enough for the functions below */

/* Writes the decimal digits, and a NUL. Returns their number. */
size_t text_decimal(char *buf, uint64_t value);

/* The same as "%.2f%%" of printf() for a finite, not negative value, but faster. Returns the length. */
size_t text_percent(char *buf, double percent);

/* Writes the 16 hexadecimal digits of a number, without a NUL. Returns the end. */
char *text_hex16(char *to, uint64_t value);

/* Whether all of the n bytes are printable ASCII characters, which text_escape() leaves as they are. */
bool text_is_plain(const char *s, size_t n);

/* Appends a JSON string with quotes; bytes that are not UTF-8 are copied. */
void text_json(struct buf *out, const char *text);

#endif
