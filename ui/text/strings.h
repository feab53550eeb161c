/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts in buffers, and copies of texts. */
#ifndef TEXT_STRINGS_H
#define TEXT_STRINGS_H

#include <stddef.h>

#include "ptui/types.h"

/* Appends to the text in `buf`, truncating. Returns buf. */
char *text_append(char *buf, size_t size, const char *fmt, ...) PTUI_PRINTF(3, 4);
/* The same, after `between` unless `buf` is "": a list. */
char *text_join(char *buf, size_t size, const char *between, const char *fmt, ...)
	PTUI_PRINTF(4, 5);
/* *ret: a copy, to be freed; NULL if `text` is. 0 or -ENOMEM. */
int text_copy(char **ret, const char *text);
/* The file name of a path: what follows its last slash. */
const char *text_file_name(const char *path);

/* Bytes of the longest cell of a row: C++ functions have long names. */
#define ROW_BYTES 8192

/* ---- function names for narrow columns ---- */

/*
 * Copies a name with std::string instead of its template, and, if it is wider than `columns`,
 * without its middle: C++ names differ at their end.
 *
 *	[.] boost::multi_index::detail::ordered_index_impl<…>::link_point
 *	[.] boost::multi_index::…ex_impl<…>::link_point
 *
 * `columns` 0: any width. Returns buf.
 */
char *name_short(const char *name, int columns, char *buf, size_t size);

#endif
