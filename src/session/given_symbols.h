/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_GIVEN_SYMBOLS_H
#define SESSION_GIVEN_SYMBOLS_H

struct data_file;
struct resolver;

/* Passes the symbols that a recording brings along to the resolver. 0 or -ENOMEM. */
int given_symbols_add(const struct data_file *file, struct resolver *r);

#endif
