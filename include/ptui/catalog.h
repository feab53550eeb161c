/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event catalog of this machine, for front ends. A catalog may be used by one thread at a time.
 */
#ifndef PTUI_CATALOG_H
#define PTUI_CATALOG_H

#include <stddef.h>
#include "ptui/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_catalog;

struct ptui_catalog_entry {
	const char *name;    /* "cycles", "sched:sched_switch" */
	const char *alias;   /* the event's other name, or NULL */
	const char *desc;    /* one line, translated; or NULL */
	const char *kind;    /* "hardware", "software", "tool", "cache", "pmu", "raw", "breakpoint",
			      "tracepoint", "probe", "sdt", "vendor" */
	const char *heading; /* as perf's list prints it: "Hardware event" */
	int form;	     /* nonzero: an event syntax, like rNNN, and not an event */
};

/* Creates the catalog of this machine. The sources are read on first use. NULL: out of memory. */
struct ptui_catalog *ptui_catalog_new(void);
void ptui_catalog_free(struct ptui_catalog *c);

/*
 * Calls `fn` for each entry, kind by kind in the order of `perf list`, until it returns nonzero;
 * that value is returned. A source that cannot be read is reported through `unreadable` (may be
 * NULL) and skipped. An entry is valid during the call, its strings as long as the catalog.
 */
typedef int (*ptui_catalog_fn)(void *ctx, const struct ptui_catalog_entry *entry);
typedef void (*ptui_catalog_unreadable_fn)(void *ctx, const char *kind,
					   const struct ptui_error *err);
int ptui_catalog_each(struct ptui_catalog *c, ptui_catalog_fn fn,
		      ptui_catalog_unreadable_fn unreadable, void *ctx);

/*
 * Adds the SDT markers of an ELF file (kind "sdt") to those of perf's build-id cache. Invalidates
 * the entries of that kind that were returned before. Returns 0; -ENOENT: the file has no SDT
 * markers; another negative errno: the file cannot be read.
 */
int ptui_catalog_add_sdt(struct ptui_catalog *c, const char *path, struct ptui_error *err);

/* Details of an event that are known without opening it. Strings are NULL where unknown. */
struct ptui_event_details {
	const char *kind; /* as in an entry */
	unsigned type;	  /* perf_event_attr.type, config, config1 … */
	unsigned long long config, config1, config2, config3, config4;
	/* number of events the text resolves to: more than one for globs and hybrid CPUs */
	size_t n_events;
	char *encoding; /* "type 4, config 0x1cd, config1 0x3" */
	char *desc;	/* what it counts, in translated sentences; of a probe, its location */
	char *pmu;	/* the PMU that counts it: "cpu", "uncore_imc_0" */
	char *cpus;	/* cpumask of the PMU, as in sysfs: "0,28"; NULL: all CPUs */
	int uncore; /* the PMU has a cpumask: usually it counts for a whole socket, for all tasks */
	char *unit; /* unit of the count times `scale`: "Joules" */
	double scale; /* 1 when sysfs has no scale */
	int per_pkg;  /* one count per socket */
	int snapshot; /* the count is an absolute value, not a difference */
	char *terms;  /* format terms of the PMU, one per line: "event  config:0-7,32-35" */
	char *caps;   /* capabilities of the PMU, one per line: "max_precise  3" */
	char *fields; /* fields of a tracepoint, one declaration per line: "int prev_pid" */
};

/*
 * Fills *ret for an event in -e syntax; if it resolves to several events, for the first. Returns 0
 * or a negative errno with err set (such as a tracepoint id that cannot be read); the fields that
 * are known are filled even then. The caller releases *ret in either case.
 */
int ptui_catalog_details(struct ptui_catalog *c, const char *event, struct ptui_event_details *ret,
			 struct ptui_error *err);
void ptui_event_details_release(struct ptui_event_details *d);

#ifdef __cplusplus
}
#endif
#endif
