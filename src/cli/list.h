/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `ptui list` shows an event: a line, with what was asked for below it, or JSON. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/catalog.h"
#include "ptui/doctor.h"

struct list_style {
	bool details;	     /* encoding and fields */
	bool desc;	     /* what vendor events count */
	bool long_desc;	     /* what every event counts */
	bool raw_dump;	     /* names only, for completion scripts */
	bool deprecated;     /* deprecated events as well */
	const char *cputype; /* of hybrid machines only this kind of cores: "core"; NULL: all */
	bool json;
	bool available; /* only what opens here */
};

/* An event that is listed. */
struct list_item {
	const struct ptui_catalog_entry *entry;
	bool named; /* a word of the command line is all of its name */
};

/*
 * Can it be counted here? Of tracepoints only those that somebody named are tried: the kernel takes
 * tens of milliseconds to close each.
 */
enum ptui_event_state list_try(const struct list_item *item, struct ptui_error *why);

/* Adds the event as text, or as an object of a JSON array. */
void list_print_text(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct list_item *item);
void list_print_json(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct list_item *item);

#endif
