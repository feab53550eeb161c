/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All options of a recording without a row in Setup, as a searchable list.
 *
 *	Sample fields				a heading
 *	* --sample-cpu       on			changed from record's default
 *	  -D, --delay
 */
#ifndef MODEL_SETUP_SETUP_OPTIONS_H
#define MODEL_SETUP_SETUP_OPTIONS_H

#include "model/setup/setup.h"

struct setup_options {
	struct setup *setup; /* borrowed */
	size_t *rows;	     /* option number, or OPTIONS_HEADING: heading of the row below */
	size_t n, n_options;
	size_t n_all; /* number of options without a search */
	char search[128];
};

#define OPTIONS_HEADING SIZE_MAX

/* 0 or -ENOMEM. */
int setup_options_init(struct setup_options *o, struct setup *s);
void setup_options_release(struct setup_options *o);
/* Shows options that contain all words in names, value or help; "" shows all. */
void setup_options_search(struct setup_options *o, const char *text);
/* Refreshes after a change of the uses. */
void setup_options_refresh(struct setup_options *o);

/* False: the row is a heading, and *ret is the option below it. */
bool setup_options_row(const struct setup_options *o, size_t row, struct ptui_record_option *ret);
/* The row of option `i`; SIZE_MAX: hidden. */
size_t setup_options_find(const struct setup_options *o, size_t option);

/* "-D, --delay", "-g" */
void setup_option_names(const struct ptui_record_option *o, char *buf, size_t size);
/* "on", "off", "500", "a, b"; "": not given. */
void setup_option_value(const struct setup *s, size_t option, char *buf, size_t size);
/* True if it was given, and no row of Setup shows it. */
bool setup_option_is_given(const struct setup *s, size_t option);
/* The line to edit: several values are words. NULL: out of memory. free() it. */
char *setup_option_line(const struct setup *s, size_t option);

/* Checks a line for this option. 0, or -EINVAL with err set. */
int setup_option_judge(const struct setup *s, size_t option, const char *line,
		       struct ptui_error *err);
/*
 * Sets it: `line` is the value; "" for an option that requires a value removes it. 0, -EINVAL,
 * -E2BIG, -ENOMEM with err set.
 */
int setup_option_set(struct setup *s, size_t option, const char *line, struct ptui_error *err);
/* Cycles a flag: not given, on, and off if that differs. 0 or -ENOMEM. */
int setup_option_turn(struct setup *s, size_t option);

#endif
