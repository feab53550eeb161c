/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalog: every event that has a name. Sources (hardware, software, cache, tracepoint)
 * are one file each behind `struct catalog_source` (event/source.h); a new source is one
 * file and one row in the table of catalog.c. Sources are read when first asked for.
 */
#ifndef EVENT_CATALOG_H
#define EVENT_CATALOG_H

#include "base/file.h"
#include "event/event.h"

struct catalog;
struct pmu;
struct pmus;

/* One name of the catalog. Borrowed from it, valid until catalog_free(). */
struct catalog_entry {
	const char *name;  /* "cpu-cycles", "L1-dcache-loads", "sched:sched_switch" */
	const char *alias; /* the other spelling perf shows ("cycles"), or NULL */
	const char *desc;  /* one line, translated, or NULL */
	enum event_kind kind;
	uint32_t type;	       /* perf_event_attr.type */
	uint64_t config;       /* of a tracepoint UINT64_MAX: catalog_resolve() reads the id */
	bool form;	       /* a way of writing events, as rNNN: no event by itself */
	const struct pmu *pmu; /* the unit of an EVENT_PMU, else NULL */
	const struct pmu_event *pmu_event; /* the same of its event */
	uint32_t seq; /* place in the kernel's own listing: the order in which globs expand */
};

/* Reads nothing yet. `roots` must outlive the catalog. NULL: out of memory. */
struct catalog *catalog_new(const struct roots *roots);
void catalog_free(struct catalog *cat);
const struct roots *catalog_roots(const struct catalog *cat);

/*
 * Entries of one kind, in perf's order of listing. Loads the source at the first call; a
 * source that cannot be read gives 0 entries and -errno with the reason and the remedy in
 * `err` (tracefs not mounted, not readable).
 */
int catalog_entries(struct catalog *cat, enum event_kind kind,
		    const struct catalog_entry **ret_entries, size_t *ret_n,
		    struct ptui_error *err);

/* "Hardware event", as perf's list has it; translated. */
const char *catalog_heading(enum event_kind kind);

/*
 * By any of its names, case as perf takes it. A name with a colon is a tracepoint's. NULL when
 * there is none (no error). */
const struct catalog_entry *catalog_find(struct catalog *cat, const char *name, size_t len);
/* The same among the names that the kernel itself has: hardware, software, cache. */
const struct catalog_entry *catalog_find_legacy(struct catalog *cat, const char *name, size_t len);

/* The entry that the selector's event is, whatever spelling, modifiers and terms chose it; or NULL. */
const struct catalog_entry *catalog_find_event(struct catalog *cat, const struct event *ev);

/* The counting units of this machine (event/pmu.h). 0 or -ENOMEM. */
int catalog_pmus(struct catalog *cat, const struct pmus **ret, struct ptui_error *err);
/*
 * What is recorded when nothing was asked for: cycles, as precise as opens, on each kind of cores.
 * 0 or -ENOMEM.
 */
int catalog_add_default(struct catalog *cat, struct event_list *list);
/* By its whole name; NULL: there is none. */
const struct pmu *catalog_find_pmu(struct catalog *cat, const char *name, size_t len);

/* Reads what an entry still lacks (a tracepoint's id) into *ret_config. */
int catalog_resolve(struct catalog *cat, const struct catalog_entry *entry, uint64_t *ret_config,
		    struct ptui_error *err);

/*
 * A marker of a program, seen in its file by a later room; `place` tells where. Entries of EVENT_SDT
 * that were handed out are not valid any more. 0 or -ENOMEM.
 */
int catalog_add_sdt(struct catalog *cat, const char *provider, const char *name, const char *place);
/* The entry of a marker or of a probe by its whole name; NULL: there is none. */
const struct catalog_entry *catalog_find_aside(struct catalog *cat, enum event_kind kind,
					       const char *name, size_t len);

/*
 * The tracefs folder: roots->tracefs, or where the mounts file says (tracefs first, then
 * debugfs/tracing). -ENOENT with the mount command as the hint when it is not mounted,
 * -EACCES with the remedy when it cannot be read. The string is the catalog's.
 */
int catalog_tracefs(struct catalog *cat, const char **ret_path, struct ptui_error *err);
/* Adds the remedy for a file of tracefs that users may not read. */
void catalog_tracefs_hint(const char *tracefs, struct ptui_error *err);

#endif
