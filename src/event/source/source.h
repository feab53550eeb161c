/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the catalog's entries come from: one file a source, one row in catalog.c.
 *
 *   catalog.c --- sources[] ---> source_hardware.c    a table
 *                           ---> source_software.c    a table
 *                           ---> source_tool.c        a table
 *                           ---> source_cache.c       cache x operation x result
 *                           ---> source_pmu.c         sysfs: the units' named events
 *                           ---> source_form.c        how to write raw events and breakpoints
 *                           ---> source_tracepoint.c  tracefs/events
 *                           ---> source_probe.c       those of them that somebody made
 *                           ---> source_sdt.c         markers: perf's build-id cache, ELF files
 *                           ---> source_pfm.c         libpfm4
 *
 * Inside the event room only.
 */
#ifndef EVENT_SOURCE_SOURCE_H
#define EVENT_SOURCE_SOURCE_H

#include "base/arena.h"
#include "event/catalog.h"
#include "event/pmu.h"

/* The entries of one source. Fixed once loaded: pointers to them are handed out. */
struct catalog_rows {
	struct catalog_entry *v;
	size_t n;
	size_t cap;
	bool loaded;
	int error; /* of a source that is `aside`: it is asked often, and tries once */
};

struct catalog {
	const struct roots *roots;
	struct arena text; /* names */
	char *tracefs;	   /* once found */
	struct pmus pmus;
	struct arena markers;	       /* of ELF files that were looked at (source_sdt.c) … */
	struct catalog_rows sdt_files; /* … and what was found there */
	struct catalog_rows rows[EVENT_KINDS];
};

struct catalog_source {
	enum event_kind kind;
	const char *heading; /* perf's words, marked for translation */
	bool has_colon;	     /* names are "system:name"; others never have a colon */
	bool legacy;	     /* the kernel knows them by number */
	bool forms;	     /* no names, but ways of writing */
	bool aside;	     /* a name is looked for in another source: it only knows more of it */

	/* Adds all entries, sorted as perf lists them. A failed load is cleared and tried again. */
	int (*load)(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err);
	/* By name, when comparing names and aliases is not all there is to it; may be NULL. */
	const struct catalog_entry *(*find)(const struct catalog_rows *rows, const char *name,
					    size_t len);
	/* Reads the config when load() leaves it open; may be NULL. */
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

/* A row of a source whose names are known beforehand. */
struct fixed_event {
	const char *name;
	const char *alias;
	const char *desc;
	uint64_t config;
};

int catalog_rows_add_fixed(struct catalog_rows *rows, enum event_kind kind, uint32_t type,
			   const struct fixed_event *table, size_t n, struct ptui_error *err);

#endif
