/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PMUs as described in sysfs:
 *
 *	bus/event_source/devices/cpu/
 *		type			4		perf_event_attr.type
 *		format/umask		config:8-15	bits of a term
 *		events/mem-loads	event=0xcd,umask=0x1,ldat=3
 *		events/energy.unit	Joules		unit of its counts; also .scale .per-pkg .snapshot
 *		caps/max_precise	3		capabilities
 *		cpumask or cpus		0,28		CPUs to open on: per socket, per core type
 *
 * Reads a sysfs root; provides PMUs, their terms and named events, and builds attr configs from
 * terms. Does not interpret the meaning of terms. Private to the event room.
 */
#ifndef EVENT_PMU_H
#define EVENT_PMU_H

#include "base/arena.h"
#include "base/file.h"
#include "event/event.h"

/* The bits of one term, lowest bit of its value first. */
struct pmu_format {
	const char *name;
	const char *text; /* as the kernel writes it: "config:0-7,32-35" */
	uint8_t field;	  /* 0: config, 1: config1 … */
	uint64_t bits;
};

/* A capability of the PMU: "max_precise", "3". */
struct pmu_cap {
	const char *name, *value;
};

/* A named event of the PMU. */
struct pmu_event {
	const char *name;
	const char *text; /* its terms: "event=0xcd,umask=0x1,ldat=3" */
	const char *unit; /* "Joules", or NULL */
	double scale;	  /* factor from count to `unit`; default 1 */
	bool per_pkg;	  /* one count per package */
	bool snapshot;	  /* an absolute value, not a difference */
};

struct pmu {
	const char *name;
	uint32_t type;
	const char *cpus; /* the list of CPUs that it is opened on; NULL: all of them */
	bool uncore; /* opened on the CPUs of its mask: usually counts for a socket, not per task */
	bool core;   /* the core PMU of one core type (hybrid CPU); has `cpus` */
	const struct pmu_format *formats;
	size_t n_formats;
	const struct pmu_event *events; /* by name */
	size_t n_events;
	const struct pmu_cap *caps; /* by name */
	size_t n_caps;
};

struct pmus {
	struct pmu *v; /* by name */
	size_t n, cap;
	size_t n_core; /* number of core PMUs; at least 2 on hybrid CPUs */
	bool loaded;
};

#define PMU_CONFIGS 5 /* config to config4 */

/*
 * Reads all PMUs below `roots->sysfs`; names and tables are allocated from `arena`. Without the
 * directory the list is empty. 0 or -ENOMEM.
 */
int pmus_load(struct pmus *pmus, const struct roots *roots, struct arena *arena,
	      struct ptui_error *err);
void pmus_release(struct pmus *pmus);

const struct pmu *pmus_find(const struct pmus *pmus, const char *name, size_t len);
/*
 * True if `name` selects the PMU: its name, without its number or "uncore_", or a glob. imc selects
 * uncore_imc_0 and uncore_imc_1, smmuv3_pmcg selects smmuv3_pmcg_2b442.
 */
bool pmu_is_called(const struct pmu *pmu, const char *name);

const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name, size_t len);
const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t len);

/* Parses "config1:0-7,32-35" into a field and its bits. 0 or -EINVAL. */
int pmu_format_parse(const char *text, uint8_t *ret_field, uint64_t *ret_bits);
/* The highest value that fits these bits. */
uint64_t pmu_format_max(uint64_t bits);
/* The value's bits, spread over these. */
uint64_t pmu_format_spread(uint64_t bits, uint64_t value);

#endif
