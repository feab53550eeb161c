/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Function names for narrow columns. */
#ifndef TEXT_NAMES_H
#define TEXT_NAMES_H

#include <stddef.h>

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
