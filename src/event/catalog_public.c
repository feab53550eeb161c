/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalog of this machine, as the front ends see it. */
#include "event/catalog.h"
#include "event/filter.h"
#include "event/selector.h"
#include "ptui/catalog.h"
#include <stdlib.h>
#include <string.h>

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

/* ---- details ---- */

/* The declarations of a format file: "	field:int prev_pid;	offset:24;	size:4;	signed:1;" */
static void add_fields(const char *format, struct buf *out)
{
	static const char mark[] = "field:";

	for (const char *at = format; (at = strstr(at, mark)); at += strcspn(at, "\n")) {
		size_t len;

		at += strlen(mark);
		len = strcspn(at, ";\n");
		/* those of every tracepoint tell nothing about this one */
		if (memmem(at, len, " common_", 8))
			continue;
		buf_add(out, at, len);
		buf_add_char(out, '\n');
	}
}

static int read_fields(struct catalog *cat, const struct event *ev, char **ret,
		       struct ptui_error *err)
{
	struct buf format = BUF_INIT, fields = BUF_INIT;
	int error = event_format_read(cat, ev, &format, err);

	if (!error) {
		buf_add(&fields, "", 0);
		add_fields(buf_str(&format), &fields);
		*ret = fields.err ? NULL : strdup(buf_str(&fields));
		if (!*ret)
			error = ptui_error_nomem(err);
	}
	buf_release(&format);
	buf_release(&fields);
	return error;
}

int ptui_catalog_details(struct ptui_catalog *c, const char *event, struct ptui_event_details *ret,
			 struct ptui_error *err)
{
	struct event_list list;
	int error;

	memset(ret, 0, sizeof(*ret));
	event_list_init(&list);
	error = selector_parse(c->catalog, event, &list, err);
	if (!error) {
		const struct event *ev = &list.v[0];

		ret->type = ev->attr.type;
		ret->config = ev->attr.config;
		ret->config1 = ev->attr.config1;
		ret->config2 = ev->attr.config2;
		if (ev->kind == EVENT_TRACEPOINT)
			error = read_fields(c->catalog, ev, &ret->fields, err);
	}
	event_list_release(&list);
	return error;
}

void ptui_event_details_release(struct ptui_event_details *d)
{
	free(d->fields);
	d->fields = NULL;
}
