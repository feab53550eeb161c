/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How `ptui list` shows an event: a line, with what was asked for below it, or JSON. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/catalog.h"

struct list_style {
	bool details;	/* encoding and fields */
	bool long_desc; /* what it counts */
	bool json;
	bool available; /* only what opens here */
};

/* Can it be counted here? Tracepoints are not tried: closing each takes tens of milliseconds. */
enum list_try { LIST_UNTRIED, LIST_OPENS, LIST_REFUSED };
enum list_try list_try(const struct ptui_catalog_entry *entry, struct ptui_error *why);

/* Adds the event as text, or as an object of a JSON array. */
void list_print_text(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct ptui_catalog_entry *entry);
void list_print_json(struct buf *out, struct ptui_catalog *c, const struct list_style *style,
		     const struct ptui_catalog_entry *entry);

#endif
