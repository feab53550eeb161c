/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which option of a table a word means; private to option*.c. */
#ifndef CLI_OPTION_FIND_H
#define CLI_OPTION_FIND_H

#include "cli/option.h"

struct option_match {
	const struct option *opt; /* NULL: it is --help */
	bool unset;		  /* taken back */
	bool implied;		  /* by the spelling that the table does not have: --no-NAME */
};

const struct option *option_find_letter(const struct option *table, char letter);

/* -EINVAL, with the nearest or the possible names in err. */
int option_find_name(const struct option *table, const char *name, size_t len,
		     struct option_match *ret, struct ptui_error *err);

/* "--no-quiet": the whole name of what was found. */
void option_spell(const struct option_match *match, struct buf *out);

/* Says so; returns -EINVAL. */
int option_unknown_letter(const struct option *table, const char *word, char letter,
			  struct ptui_error *err);

#endif
