/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalog of this machine, as the front ends see it. */
#include "event/catalog.h"
#include "ptui/catalog.h"
#include <stdlib.h>

struct ptui_catalog {
	struct catalog *catalog;
};

struct ptui_catalog *ptui_catalog_new(void)
{
	struct ptui_catalog *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->catalog = catalog_new(&roots_system);
	if (!c->catalog) {
		free(c);
		return NULL;
	}
	return c;
}

void ptui_catalog_free(struct ptui_catalog *c)
{
	if (!c)
		return;
	catalog_free(c->catalog);
	free(c);
}

static int each_of_kind(struct ptui_catalog *c, enum event_kind kind, ptui_catalog_fn fn,
			ptui_catalog_unreadable_fn unreadable, void *ctx)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	const struct catalog_entry *entries;
	size_t n;
	int ret = 0;

	if (catalog_entries(c->catalog, kind, &entries, &n, &err)) {
		if (unreadable)
			unreadable(ctx, event_kind_name(kind), &err);
		return 0;
	}
	for (size_t i = 0; i < n && !ret; i++) {
		struct ptui_catalog_entry entry = {
			.name = entries[i].name,
			.alias = entries[i].alias,
			.desc = entries[i].desc,
			.kind = event_kind_name(kind),
			.heading = catalog_heading(kind),
			.form = entries[i].form,
		};

		ret = fn(ctx, &entry);
	}
	return ret;
}

int ptui_catalog_each(struct ptui_catalog *c, ptui_catalog_fn fn,
		      ptui_catalog_unreadable_fn unreadable, void *ctx)
{
	int ret = 0;

	for (int kind = 0; kind < EVENT_KINDS && !ret; kind++)
		ret = each_of_kind(c, (enum event_kind)kind, fn, unreadable, ctx);
	return ret;
}
