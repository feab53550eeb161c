/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of a recording with their values, by number (ptui/record_line.h). Converted to the words
 * of a command line, whose parser gives them their meaning.
 */
#ifndef MODEL_SETUP_SETUP_USES_H
#define MODEL_SETUP_SETUP_USES_H

#include "ptui/record_line.h"
#include "text/words.h"

struct setup_use {
	struct ptui_record_use use;
	/* Number of events before an option that belongs to events; SIZE_MAX: all of them. */
	size_t after;
};

struct setup_uses {
	struct setup_use *v; /* in the order given; owns the values */
	size_t n, cap;
};
#define SETUP_USES_MAX 200

void setup_uses_release(struct setup_uses *m);
/* Appends a copy. 0, -ENOMEM or, if there are too many, -E2BIG. */
int setup_uses_add(struct setup_uses *m, const struct ptui_record_use *use);
/* Describes a failure to add one, and returns it; 0: none. */
int setup_uses_error(int failed, struct ptui_error *err);
/* Removes all uses of this option; false: none. */
bool setup_uses_remove(struct setup_uses *m, size_t option);
/* Removes the use at this index. */
void setup_uses_remove_at(struct setup_uses *m, size_t i);
/* The first use of this option from index `from` on; NULL: none. */
const struct ptui_record_use *setup_uses_find(const struct setup_uses *m, size_t option,
					      size_t from);
/* The first one by name, "freq" or "g". */
const struct ptui_record_use *setup_uses_named(const struct setup_uses *m, const char *name);

/* The part of Setup's command line that an option belongs to, in this order. */
enum setup_part {
	SETUP_PART_RATE,
	SETUP_PART_CALLS,
	SETUP_PART_EVENTS,
	SETUP_PART_OTHERS,
	SETUP_PART_OUTPUT,
	SETUP_PART_CPUS,    /* belongs to the target, but sets none: among the others */
	SETUP_PART_TARGET,  /* sets the target: among the others */
	SETUP_PART_SYSTEM,  /* -a: the target */
	SETUP_PART_NOWHERE, /* for text output only */
};
enum setup_part setup_option_part(size_t option);
/* True for options that have a row in Setup, or are for the command line only. */
bool setup_has_row(size_t option);
/* True for options that `ptui stat` has as well. */
bool setup_is_for_counts(size_t option);

/*
 * True for an option whose meaning depends on the events before it: --exclude-perf filters the last
 * one, -G assigns cgroups to all of them in order.
 */
bool setup_follows_events(size_t option);
/*
 * Before an event is added to the `n` there are: options that follow all events now follow these.
 * Without `cgroups`, -G still follows all of them: it is the target of added events, too.
 */
void setup_uses_pin(struct setup_uses *m, size_t n, bool cgroups);
/* True if this use of an option follows the first `i` of `n` events. */
bool setup_use_follows(const struct setup_use *u, size_t i, size_t n);

/* "off", its value, or "on". */
const char *setup_use_value(const struct ptui_record_use *u);
/* Appends the words of one use: --delay 500. 0 or -ENOMEM. */
int setup_use_words(const struct ptui_record_use *u, struct words *ret);

/*
 * One use as a line of a file, "sample-cpu", "delay=500", "no-inherit!" (--no-...; free() it), and
 * back: its value points into the line. -EINVAL, -ENOMEM.
 */
char *setup_use_line(const struct ptui_record_use *u);
int setup_use_read(const char *line, struct ptui_record_use *ret);

#endif
