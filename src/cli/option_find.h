/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option lookup by name; private to option*.c. */
#ifndef CLI_OPTION_FIND_H
#define CLI_OPTION_FIND_H

#include "cli/option.h"

struct option_match {
	const struct option *opt; /* NULL: --help */
	bool unset;		  /* given as --no-NAME */
	bool implied;		  /* by an implied spelling: --no-NAME */
};

const struct option *option_find_letter(const struct option *table, char letter);

/* -EINVAL, with the nearest or the ambiguous names in err. */
int option_find_name(const struct option *table, const char *name, size_t len,
		     struct option_match *ret, struct ptui_error *err);

/* "--no-quiet": the full name of a match. */
void option_spell(const struct option_match *match, struct buf *out);

/* Sets err; returns -EINVAL. */
int option_unknown_letter(const struct option *table, const char *word, char letter,
			  struct ptui_error *err);

#endif
