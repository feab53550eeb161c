/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of catalog entries: one file and one row in catalog.c per source.
 *
 *   catalog.c --- sources[] ---> source_hardware.c    a table
 *                           ---> source_software.c    a table
 *                           ---> source_tool.c        a table
 *                           ---> source_cache.c       cache x operation x result
 *                           ---> source_pmu.c         sysfs: named events of PMUs
 *                           ---> source_form.c        syntax of raw events and breakpoints
 *                           ---> source_tracepoint.c  tracefs/events
 *                           ---> source_probe.c       tracefs: user-defined probes
 *                           ---> source_sdt.c         SDT markers: perf's build-id cache, ELF files
 *                           ---> source_pfm.c         libpfm4
 *
 * Private to the event room.
 */
#ifndef EVENT_SOURCE_SOURCE_H
#define EVENT_SOURCE_SOURCE_H

#include "base/arena.h"
#include "event/catalog.h"
#include "event/pmu.h"

/* The entries of one source. Immutable once loaded: callers keep pointers to them. */
struct catalog_rows {
	struct catalog_entry *v;
	size_t n;
	size_t cap;
	bool loaded;
	int error; /* an `aside` source is searched often, so it is read only once */
};

struct catalog {
	const struct roots *roots;
	struct arena text; /* names */
	char *tracefs;	   /* once found */
	struct pmus pmus;
	bool loads_bpf;		       /* selectors may name BPF object files */
	struct arena markers;	       /* SDT markers added from ELF files (source_sdt.c) … */
	struct catalog_rows sdt_files; /* … and what was found there */
	struct catalog_rows rows[EVENT_KINDS];
};

/* A row of a source with fixed names. */
struct fixed_event {
	const char *name;
	const char *alias;
	const char *desc;
	uint64_t config;
};

struct catalog_source {
	enum event_kind kind;
	const char *heading; /* perf's text, marked for */
	bool has_colon;	     /* names are "system:name"; others never have a colon */
	bool legacy;	     /* the kernel knows them by number */
	bool forms;	     /* no names, but forms of syntax */
	bool aside;	     /* only adds details to names of other sources */

	/* A source with fixed names: these, with their type. Others have load(). */
	const struct fixed_event *fixed;
	size_t n_fixed;
	uint32_t type;
	/* Adds all entries, sorted as perf lists them. A failed load is cleared and tried again. */
	int (*load)(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err);
	/* Finds by name, if comparing names and aliases is not enough; may be NULL. */
	const struct catalog_entry *(*find)(const struct catalog_rows *rows, const char *name,
					    size_t len);
	/* Reads the config if load() does not; may be NULL. */
	int (*resolve)(struct catalog *cat, const struct catalog_entry *entry, uint64_t *ret_config,
		       struct ptui_error *err);
};

extern const struct catalog_source source_hardware;
extern const struct catalog_source source_software;
extern const struct catalog_source source_tool;
extern const struct catalog_source source_cache;
extern const struct catalog_source source_pmu;
extern const struct catalog_source source_raw;
extern const struct catalog_source source_breakpoint;
extern const struct catalog_source source_tracepoint;
extern const struct catalog_source source_probe;
extern const struct catalog_source source_sdt;
extern const struct catalog_source source_pfm;

/* Appends a zeroed entry. NULL: out of memory. */
struct catalog_entry *catalog_rows_add(struct catalog_rows *rows);

/* By name. */
void catalog_rows_sort(struct catalog_rows *rows);

#endif
