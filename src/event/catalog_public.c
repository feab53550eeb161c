/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public catalog: ptui/catalog.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "event/catalog_public.h"
#include "event/pmu.h"
#include "event/selector/filter.h"
#include "event/selector/selector.h"

struct ptui_catalog *catalog_public_new(const struct roots *roots)
{
	struct ptui_catalog *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->catalog = catalog_new(roots);
	if (!c->catalog) {
		free(c);
		return NULL;
	}
	catalog_allow_bpf(c->catalog, true);
	return c;
}

struct ptui_catalog *ptui_catalog_new(void)
{
	return catalog_public_new(&roots_system);
}

void ptui_catalog_free(struct ptui_catalog *c)
{
	if (!c)
		return;
	catalog_free(c->catalog);
	free(c);
}

static bool is_made(struct catalog *cat, const char *name)
{
	const struct catalog_entry *probes;
	size_t n;

	if (catalog_entries(cat, EVENT_PROBE, &probes, &n, NULL))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(probes[i].name, name))
			return true;
	}
	return false;
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

		/* a user-defined tracepoint is a probe */
		if (kind != EVENT_TRACEPOINT || !is_made(c->catalog, entry.name))
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
		/* the common fields are not specific to this tracepoint */
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

/* strdup() of a string that may be NULL. */
static int keep(const char *text, char **ret)
{
	if (!text)
		return 0;
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}

static int keep_buf(struct buf *text, char **ret)
{
	int error = text->err;

	if (!error && text->len) {
		*ret = buf_take(text);
		error = *ret ? 0 : -ENOMEM;
	}
	buf_release(text);
	return error;
}

/* "type 4, config 0x1cd, config1 0x3" */
static int details_encoding(const struct event *ev, struct ptui_event_details *d)
{
	struct buf text = BUF_INIT;
	const struct {
		const char *name;
		unsigned long long value;
	} more[] = {
		{ "config1", d->config1 = ev->attr.config1 },
		{ "config2", d->config2 = ev->attr.config2 },
		{ "config3", d->config3 = ev->attr.config3 },
		{ "config4", d->config4 = ev->attr.config4 },
	};

	d->type = ev->attr.type;
	d->config = ev->attr.config;
	buf_addf(&text, "type %u, config %#llx", d->type, d->config);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (more[i].value)
			buf_addf(&text, ", %s %#llx", more[i].name, more[i].value);
	}
	return keep_buf(&text, &d->encoding);
}

/* Format terms and capabilities of the PMU. */
static int details_pmu(const struct pmu *pmu, struct ptui_event_details *d)
{
	struct buf terms = BUF_INIT, caps = BUF_INIT;

	for (size_t i = 0; i < pmu->n_formats; i++)
		buf_addf(&terms, "%s  %s\n", pmu->formats[i].name, pmu->formats[i].text);
	for (size_t i = 0; i < pmu->n_caps; i++)
		buf_addf(&caps, "%s  %s\n", pmu->caps[i].name, pmu->caps[i].value);
	d->uncore = pmu->uncore;
	if (keep(pmu->name, &d->pmu) || keep_buf(&terms, &d->terms)) {
		buf_release(&caps);
		return -ENOMEM;
	}
	return keep_buf(&caps, &d->caps);
}

/* Unit, scale and flags from sysfs. */
static int details_meaning(struct catalog *cat, const struct event *ev,
			   struct ptui_event_details *d)
{
	const struct pmu_event *pe = ev->pmu_event;
	const struct catalog_entry *entry;

	d->scale = 1;
	if (pe) {
		d->scale = pe->scale;
		d->per_pkg = pe->per_pkg;
		d->snapshot = pe->snapshot;
		if (keep(pe->unit, &d->unit))
			return -ENOMEM;
	}
	entry = ev->kind == EVENT_TRACEPOINT ?
			catalog_find_aside(cat, EVENT_PROBE, ev->name, strlen(ev->name)) :
			catalog_find_event(cat, ev);
	if (entry)
		d->kind = event_kind_name(entry->kind);
	return keep(entry ? entry->desc : NULL, &d->desc);
}

static int details_event(struct catalog *cat, const struct event *ev, struct ptui_event_details *d)
{
	const struct pmu *pmu = ev->pmu ? catalog_find_pmu(cat, ev->pmu, strlen(ev->pmu)) : NULL;

	d->kind = event_kind_name(ev->kind);
	if (details_encoding(ev, d) || details_meaning(cat, ev, d) || keep(ev->cpus, &d->cpus))
		return -ENOMEM;
	return pmu ? details_pmu(pmu, d) : 0;
}

/* An SDT marker without a probe cannot be opened; return its details all the same. */
static int details_sdt(struct catalog *cat, const char *name, struct ptui_event_details *d)
{
	const struct catalog_entry *marker = catalog_find_aside(cat, EVENT_SDT, name, strlen(name));

	if (!marker)
		return 0;
	d->kind = event_kind_name(EVENT_SDT);
	d->scale = 1;
	return keep(marker->desc, &d->desc);
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
		ret->n_events = list.n;
		if (details_event(c->catalog, &list.v[0], ret))
			error = ptui_error_nomem(err);
		else if (list.v[0].kind == EVENT_TRACEPOINT)
			error = read_fields(c->catalog, &list.v[0], &ret->fields, err);
	} else if (details_sdt(c->catalog, event, ret)) {
		error = ptui_error_nomem(err);
	}
	event_list_release(&list);
	return error;
}

void ptui_event_details_release(struct ptui_event_details *d)
{
	char **const strings[] = {
		&d->encoding, &d->desc,	 &d->pmu,  &d->cpus,
		&d->unit,     &d->terms, &d->caps, &d->fields,
	};

	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		free(*strings[i]);
		*strings[i] = NULL;
	}
}
