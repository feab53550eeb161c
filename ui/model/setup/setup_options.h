/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All options of a recording that have no row in Setup, as a list to be read, searched and changed.
 *
 *	What stands in a sample			a heading
 *	* --sample-cpu       on			it differs from what record does by itself
 *	  -D, --delay
 *
 * Takes: the table of options (ptui/record_line.h) and what is said of them. Gives: rows.
 */
#ifndef MODEL_SETUP_SETUP_OPTIONS_H
#define MODEL_SETUP_SETUP_OPTIONS_H

#include "model/setup/setup.h"

struct setup_options {
	struct setup_more *more; /* borrowed: what is said */
	size_t *rows;		 /* an option's number, or OPTIONS_HEADING: that of the row below */
	size_t n, n_options;
	size_t n_all; /* options, were nothing searched */
	char search[128];
};

#define OPTIONS_HEADING SIZE_MAX

/* 0 or -ENOMEM. */
int setup_options_init(struct setup_options *o, struct setup_more *more);
void setup_options_release(struct setup_options *o);
/* Shows those that have every word in their names, value or help; "" shows all. */
void setup_options_search(struct setup_options *o, const char *text);
/* The same again: something else is said now. */
void setup_options_refresh(struct setup_options *o);

/* False: the row is a heading, and *ret is the option below it. */
bool setup_options_row(const struct setup_options *o, size_t row, struct ptui_record_option *ret);
/* The row where option `i` stands; SIZE_MAX: it is not shown. */
size_t setup_options_find(const struct setup_options *o, size_t option);

/* "-D, --delay", "-g" */
void setup_option_names(const struct ptui_record_option *o, char *buf, size_t size);
/* "on", "off", "500", "a, b"; "": it is not said. */
void setup_option_value(const struct setup_more *more, size_t option, char *buf, size_t size);
/* The line that is edited: several values are words. NULL: out of memory. free() it. */
char *setup_option_line(const struct setup_more *more, size_t option);

/* Is the line one that sets this option? 0, or -EINVAL with the sentence. */
int setup_option_judge(const struct setup_more *more, size_t option, const char *line,
		       struct ptui_error *err);
/*
 * Says it: `line` is the value; "" of one that has to have a value takes the option back. 0,
 * -EINVAL, -E2BIG, -ENOMEM, told in err.
 */
int setup_option_set(struct setup_more *more, size_t option, const char *line,
		     struct ptui_error *err);
/* Of a flag the next of: not said, on, and off where that is something else. 0 or -ENOMEM. */
int setup_option_turn(struct setup_more *more, size_t option);

#endif
