/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a recording without a row in Setup, by number (ptui/record_line.h), with values.
 * Converted to the words of a command line, whose parser gives them their meaning.
 */
#ifndef MODEL_SETUP_SETUP_MORE_H
#define MODEL_SETUP_SETUP_MORE_H

#include "model/setup/setup_words.h"
#include "ptui/record_line.h"

struct setup_use {
	size_t option;
	char *value; /* NULL: none */
	bool off;
};

struct setup_more {
	struct setup_use *v; /* in the order given */
	size_t n, cap;
};
#define SETUP_MORE_MAX 200

void setup_more_release(struct setup_more *m);
/* Appends one. 0, -ENOMEM or, if there are too many, -E2BIG. */
int setup_more_add(struct setup_more *m, size_t option, const char *value, bool off);
/* Removes all uses of this option; false: none. */
bool setup_more_remove(struct setup_more *m, size_t option);
/* The first use of this option from index `from` on; NULL: none. */
const struct setup_use *setup_more_find(const struct setup_more *m, size_t option, size_t from);
/* By name, "freq" or "g". */
const struct setup_use *setup_more_named(const struct setup_more *m, const char *name);

/* Appends the words: -z --sample-cpu -D 500. 0 or -ENOMEM. */
int setup_more_words(const struct setup_more *m, struct words *ret);
/* The words of one. */
int setup_use_words(const struct setup_use *u, struct words *ret);
/* Number of different options. */
size_t setup_more_count(const struct setup_more *m);

/*
 * One use as a line of a file, "sample-cpu", "delay=500", "no-inherit!" (--no-...), and back:
 * -EINVAL.
 */
char *setup_use_line(const struct setup_use *u);
int setup_more_read(struct setup_more *m, const char *line);

#endif
