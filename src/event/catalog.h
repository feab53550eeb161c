/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalog of all named events. Sources (hardware, software, cache, tracepoint …) are one file
 * each, with a `struct catalog_source` (event/source/source.h); a new source is one file and one
 * row in the table of catalog.c. Sources are read on first use.
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
	bool form;	       /* an event syntax like rNNN, not an event */
	const struct pmu *pmu; /* PMU of an EVENT_PMU, else NULL */
	const struct pmu_event *pmu_event; /* the same of its event */
	uint32_t seq; /* place in the kernel's own listing: the order in which globs expand */
};

/* Reads nothing. `roots` must outlive the catalog. NULL: out of memory. */
struct catalog *catalog_new(const struct roots *roots);
/* Whether selectors may name BPF object files: the caller then loads their programs (event/bpf_file.h). */
void catalog_allow_bpf(struct catalog *cat, bool allow);
void catalog_free(struct catalog *cat);
const struct roots *catalog_roots(const struct catalog *cat);

/*
 * Entries of one kind, in the order of `perf list`. Loads the source on the first call; if it
 * cannot be read, returns 0 entries and -errno with err set (tracefs not mounted, not readable).
 */
int catalog_entries(struct catalog *cat, enum event_kind kind,
		    const struct catalog_entry **ret_entries, size_t *ret_n,
		    struct ptui_error *err);

/* "Hardware event", as in `perf list`; translated. */
const char *catalog_heading(enum event_kind kind);

/*
 * Finds an entry by any of its names, with perf's case rules. A name with a colon is a tracepoint.
 * NULL: not found (not an error).
 */
const struct catalog_entry *catalog_find(struct catalog *cat, const char *name, size_t len);
/* The same among the kernel's own names: hardware, software, cache. */
const struct catalog_entry *catalog_find_legacy(struct catalog *cat, const char *name, size_t len);

/* The entry of a selected event, independent of its spelling, modifiers and terms; or NULL. */
const struct catalog_entry *catalog_find_event(struct catalog *cat, const struct event *ev);

/* The PMUs of this machine (event/pmu.h). 0 or -ENOMEM. */
int catalog_pmus(struct catalog *cat, const struct pmus **ret, struct ptui_error *err);
/*
 * The default event: cycles with the highest precise level that opens, one per core type. 0 or
 * -ENOMEM.
 */
int catalog_add_default(struct catalog *cat, struct event_list *list);
/* By full name; NULL: not found. */
const struct pmu *catalog_find_pmu(struct catalog *cat, const char *name, size_t len);

/* Reads what an entry still lacks (a tracepoint's id) into *ret_config. */
int catalog_resolve(struct catalog *cat, const struct catalog_entry *entry, uint64_t *ret_config,
		    struct ptui_error *err);

/*
 * Adds an SDT marker that was found in an ELF file; `place` is its location. Invalidates EVENT_SDT
 * entries returned before. 0 or -ENOMEM.
 */
int catalog_add_sdt(struct catalog *cat, const char *provider, const char *name, const char *place);
/* The entry of an SDT marker or a probe by its full name; NULL: not found. */
const struct catalog_entry *catalog_find_aside(struct catalog *cat, enum event_kind kind,
					       const char *name, size_t len);

/*
 * The tracefs directory: roots->tracefs, or the first mount (tracefs, then debugfs/tracing).
 * -ENOENT with the mount command as hint: not mounted; -EACCES with a remedy: not readable. The
 * catalog owns the string.
 */
int catalog_tracefs(struct catalog *cat, const char **ret_path, struct ptui_error *err);
/* Adds the remedy for a file of tracefs that users may not read. */
void catalog_tracefs_hint(const char *tracefs, struct ptui_error *err);

#endif
