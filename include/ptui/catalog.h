/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalog of events, for front ends. One thread at a time.
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
	const char *alias;   /* the other spelling, or NULL */
	const char *desc;    /* one translated line, or NULL */
	const char *kind;    /* "hardware", "software", "tool", "cache", "pmu", "raw", "breakpoint",
			      "tracepoint", "probe", "sdt", "vendor" */
	const char *heading; /* as perf's list prints it: "Hardware event" */
	int form;	     /* not 0: a way of writing events, like rNNN, and no event by itself */
};

/* Of this machine. NULL: out of memory. */
struct ptui_catalog *ptui_catalog_new(void);
void ptui_catalog_free(struct ptui_catalog *c);

/*
 * Calls `fn` for each entry, kind by kind in perf's order, until it returns other than 0,
 * which is returned. A source that cannot be read is told through `unreadable` (may be
 * NULL) and skipped. An entry is valid during the call, its strings as long as the catalog.
 */
typedef int (*ptui_catalog_fn)(void *ctx, const struct ptui_catalog_entry *entry);
typedef void (*ptui_catalog_unreadable_fn)(void *ctx, const char *kind,
					   const struct ptui_error *err);
int ptui_catalog_each(struct ptui_catalog *c, ptui_catalog_fn fn,
		      ptui_catalog_unreadable_fn unreadable, void *ctx);

/*
 * Adds the markers of an ELF file (kind "sdt") to those that perf's build-id cache has. What was told
 * of that kind before is not valid any more. 0; -ENOENT: it has none; negative: it cannot be read.
 */
int ptui_catalog_add_sdt(struct ptui_catalog *c, const char *path, struct ptui_error *err);

/* All that can be told of an event without opening it. Strings: NULL where there is nothing to tell. */
struct ptui_event_details {
	const char *kind; /* as in an entry */
	unsigned type;	  /* perf_event_attr.type, config, config1 … */
	unsigned long long config, config1, config2, config3, config4;
	size_t n_events; /* that the text is: of a pattern, or of kinds of cores, several */
	char *encoding;	 /* "type 4, config 0x1cd, config1 0x3" */
	char *desc;	 /* what it counts, translated sentences; of a probe, where it stands */
	char *pmu;	 /* the unit that counts it: "cpu", "uncore_imc_0" */
	char *cpus;	 /* the CPUs that it is opened on, as in sysfs: "0,28"; NULL: all */
	int uncore; /* the unit has a mask of CPUs: as a rule it counts for a socket, whoever runs */
	char *unit;   /* of a count times `scale`: "Joules" */
	double scale; /* 1 when sysfs says nothing */
	int per_pkg;  /* one count for a whole socket */
	int snapshot; /* the count is the value itself, not what it grew by */
	char *terms;  /* the unit's own, a line each: "event  config:0-7,32-35" */
	char *caps;   /* what the unit can do, a line each: "max_precise  3" */
	char *fields; /* of a tracepoint: a declaration a line, "int prev_pid" */
};

/*
 * Fills *ret for an event by its text, as -e takes it; of several events the first. Release it,
 * also on failure. 0 or a negative errno with the reason (a tracepoint's id cannot be read …):
 * what could be told is there then too.
 */
int ptui_catalog_details(struct ptui_catalog *c, const char *event, struct ptui_event_details *ret,
			 struct ptui_error *err);
void ptui_event_details_release(struct ptui_event_details *d);

#ifdef __cplusplus
}
#endif
#endif
