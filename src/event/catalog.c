/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalog: loads each source once, and finds entries by name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "event/source/source.h"

/* In perf's order of listing. */
static const struct catalog_source *const sources[] = {
	&source_hardware, &source_software, &source_tool,	&source_cache,
	&source_pmu,	  &source_raw,	    &source_breakpoint, &source_tracepoint,
	&source_probe,	  &source_sdt,	    &source_pfm,
};

#define N_SOURCES (sizeof(sources) / sizeof(sources[0]))

static const struct catalog_source *source_of(enum event_kind kind)
{
	for (size_t i = 0; i < N_SOURCES; i++) {
		if (sources[i]->kind == kind)
			return sources[i];
	}
	return NULL;
}

struct catalog *catalog_new(const struct roots *roots)
{
	struct catalog *cat = calloc(1, sizeof(*cat));

	if (!cat)
		return NULL;
	cat->roots = roots;
	arena_init(&cat->text);
	arena_init(&cat->markers);
	return cat;
}

void catalog_allow_bpf(struct catalog *cat, bool allow)
{
	cat->loads_bpf = allow;
}

const struct roots *catalog_roots(const struct catalog *cat)
{
	return cat->roots;
}

static void rows_clear(struct catalog_rows *rows)
{
	free(rows->v);
	memset(rows, 0, sizeof(*rows));
}

void catalog_free(struct catalog *cat)
{
	if (!cat)
		return;
	for (size_t i = 0; i < EVENT_KINDS; i++)
		rows_clear(&cat->rows[i]);
	arena_release(&cat->text);
	arena_release(&cat->markers);
	free(cat->sdt_files.v);
	free(cat->tracefs);
	pmus_release(&cat->pmus);
	free(cat);
}

struct catalog_entry *catalog_rows_add(struct catalog_rows *rows)
{
	struct catalog_entry *entry;

	if (vec_grow(&rows->v, &rows->cap, rows->n + 1))
		return NULL;
	entry = &rows->v[rows->n];
	memset(entry, 0, sizeof(*entry));
	entry->seq = (uint32_t)rows->n++;
	return entry;
}

static int by_name(const void *a, const void *b)
{
	const struct catalog_entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void catalog_rows_sort(struct catalog_rows *rows)
{
	if (rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), by_name);
}

static int load_fixed(const struct catalog_source *source, struct catalog_rows *rows,
		      struct ptui_error *err)
{
	for (size_t i = 0; i < source->n_fixed; i++) {
		const struct fixed_event *event = &source->fixed[i];
		struct catalog_entry *entry = catalog_rows_add(rows);

		if (!entry)
			return ptui_error_nomem(err);
		entry->name = event->name;
		entry->alias = event->alias;
		entry->desc = _(event->desc);
		entry->kind = source->kind;
		entry->type = source->type;
		entry->config = event->config;
		entry->form = source->forms;
	}
	return 0;
}

/* The rows of a source, loaded; NULL when it cannot be read. */
static struct catalog_rows *source_rows(struct catalog *cat, const struct catalog_source *source,
					int *ret_error, struct ptui_error *err)
{
	struct catalog_rows *rows = &cat->rows[source->kind];

	*ret_error = err ? 0 : rows->error;
	if (rows->loaded)
		return rows;
	if (!*ret_error)
		*ret_error = source->load ? source->load(cat, rows, err) :
					    load_fixed(source, rows, err);
	if (*ret_error) {
		rows_clear(rows);
		rows->error = source->aside ? *ret_error : 0;
		return NULL;
	}
	rows->loaded = true;
	return rows;
}

int catalog_entries(struct catalog *cat, enum event_kind kind,
		    const struct catalog_entry **ret_entries, size_t *ret_n, struct ptui_error *err)
{
	const struct catalog_source *source = source_of(kind);
	const struct catalog_rows *rows;
	int ret;

	*ret_entries = NULL;
	*ret_n = 0;
	if (!source)
		return 0;
	rows = source_rows(cat, source, &ret, err);
	if (!rows)
		return ret;
	*ret_entries = rows->v;
	*ret_n = rows->n;
	return 0;
}

const char *catalog_heading(enum event_kind kind)
{
	const struct catalog_source *source = source_of(kind);

	return source ? _(source->heading) : "";
}

static bool is_name(const char *candidate, const char *name, size_t len)
{
	return candidate && !strncmp(candidate, name, len) && !candidate[len];
}

static const struct catalog_entry *rows_find(const struct catalog_rows *rows, const char *name,
					     size_t len)
{
	for (size_t i = 0; i < rows->n; i++) {
		if (is_name(rows->v[i].name, name, len) || is_name(rows->v[i].alias, name, len))
			return &rows->v[i];
	}
	return NULL;
}

static const struct catalog_entry *find_in(struct catalog *cat, const char *name, size_t len,
					   bool legacy_only)
{
	bool has_colon = memchr(name, ':', len) != NULL;

	for (size_t i = 0; i < N_SOURCES; i++) {
		const struct catalog_source *source = sources[i];
		const struct catalog_entry *entry;
		const struct catalog_rows *rows;
		int ret;

		if (source->has_colon != has_colon || source->forms || source->aside ||
		    (legacy_only && !source->legacy))
			continue;
		rows = source_rows(cat, source, &ret, NULL);
		if (!rows)
			continue;
		entry = source->find ? source->find(rows, name, len) : rows_find(rows, name, len);
		if (entry)
			return entry;
	}
	return NULL;
}

int catalog_resolve(struct catalog *cat, const struct catalog_entry *entry, uint64_t *ret_config,
		    struct ptui_error *err)
{
	const struct catalog_source *source = source_of(entry->kind);

	if (source && source->resolve)
		return source->resolve(cat, entry, ret_config, err);
	*ret_config = entry->config;
	return 0;
}

const struct catalog_entry *catalog_find(struct catalog *cat, const char *name, size_t len)
{
	return find_in(cat, name, len, false);
}

const struct catalog_entry *catalog_find_legacy(struct catalog *cat, const char *name, size_t len)
{
	return find_in(cat, name, len, true);
}

const struct catalog_entry *catalog_find_aside(struct catalog *cat, enum event_kind kind,
					       const char *name, size_t len)
{
	int ret;
	const struct catalog_rows *rows = source_rows(cat, source_of(kind), &ret, NULL);

	return rows ? rows_find(rows, name, len) : NULL;
}

int catalog_pmus(struct catalog *cat, const struct pmus **ret, struct ptui_error *err)
{
	*ret = &cat->pmus;
	return cat->pmus.loaded ? 0 : pmus_load(&cat->pmus, cat->roots, &cat->text, err);
}

const struct pmu *catalog_find_pmu(struct catalog *cat, const char *name, size_t len)
{
	const struct pmus *pmus;

	return catalog_pmus(cat, &pmus, NULL) ? NULL : pmus_find(pmus, name, len);
}

/* Compares PMU, type and config; compares names if the event has none of these. */
static bool is_entry(const struct catalog_entry *entry, const struct event *ev, const char *name)
{
	switch (ev->kind) {
	case EVENT_HARDWARE:
	case EVENT_CACHE:
		return entry->config == (ev->attr.config & UINT32_MAX);
	case EVENT_SOFTWARE:
		return entry->config == ev->attr.config;
	case EVENT_PMU:
		return entry->pmu_event && entry->pmu_event == ev->pmu_event;
	default:
		return !strcmp(entry->name, name);
	}
}

const struct catalog_entry *catalog_find_event(struct catalog *cat, const struct event *ev)
{
	const struct catalog_source *source = source_of(ev->kind);
	int ret;
	const struct catalog_rows *rows = source ? source_rows(cat, source, &ret, NULL) : NULL;

	for (size_t i = 0; rows && i < rows->n; i++) {
		if (is_entry(&rows->v[i], ev, ev->name))
			return &rows->v[i];
	}
	return NULL;
}

int catalog_add_default(struct catalog *cat, struct event_list *list)
{
	const struct pmus *pmus;
	int ret = catalog_pmus(cat, &pmus, NULL);

	if (ret || pmus->n_core < 2)
		return ret ? ret : event_list_add_default(list);
	for (size_t i = 0; i < pmus->n; i++) {
		const struct pmu *pmu = &pmus->v[i];
		struct buf name = BUF_INIT;
		struct event *ev;

		if (!pmu->core)
			continue;
		ret = event_list_add_default(list);
		if (ret)
			return ret;
		ev = &list->v[list->n - 1];
		buf_addf(&name, "%s/%s/", pmu->name, ev->name);
		ret = buf_replace(&name, &ev->name);
		ev->pmu = pmu->name;
		ev->cpus = strdup(pmu->cpus);
		ev->attr.config |= (uint64_t)pmu->type << 32;
		if (ret || !ev->cpus)
			return -ENOMEM;
	}
	return 0;
}
