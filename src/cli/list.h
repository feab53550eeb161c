/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `ptui list` prints an event: as a line with optional details, or as JSON. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/catalog.h"
#include "ptui/doctor.h"

struct list_style {
	bool details;	     /* encoding and fields */
	bool desc;	     /* descriptions of vendor events */
	bool long_desc;	     /* descriptions of all events */
	bool raw_dump;	     /* names only, for completion scripts */
	bool deprecated;     /* include deprecated events */
	const char *cputype; /* on hybrid machines, only this core type: "core"; NULL: all */
	const char *unit;    /* only events of PMUs that match this pattern; NULL: all */
	bool json;
	bool available;	    /* only events that open on this machine */
	const char *output; /* file to write instead of standard output; NULL: none */
};

/* A listed event. */
struct list_item {
	const struct ptui_catalog_entry *entry;
	bool named; /* an argument is its full name */
};

/*
 * Tests whether the event can be counted here. Tracepoints are tested only if named in full:
 * closing each takes the kernel tens of milliseconds.
 */
enum ptui_event_state list_try(const struct list_item *item, struct ptui_error *why);

/* Appends the event as text, or as an object of a JSON array. */
void list_print_text(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct list_item *item);
void list_print_json(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct list_item *item);

#endif
