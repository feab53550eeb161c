/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting units as sysfs tells of them:
 *
 *	bus/event_source/devices/cpu/
 *		type			4		perf_event_attr.type
 *		format/umask		config:8-15	where the bits of a term go
 *		events/mem-loads	event=0xcd,umask=0x1,ldat=3
 *		events/energy.unit	Joules		what its counts mean; .scale .per-pkg .snapshot
 *		caps/max_precise	3		what it can do
 *		cpumask or cpus		0,28		which CPUs count: for sockets, for kinds of cores
 *
 * Takes: a sysfs root. Gives: units, their terms and their named events, and attr configs out of
 * terms. It is not for knowing what a term means. Inside the event room only.
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

/* What the unit can do: "max_precise", "3". */
struct pmu_cap {
	const char *name, *value;
};

/* An event that the unit has a name for. */
struct pmu_event {
	const char *name;
	const char *text; /* its terms: "event=0xcd,umask=0x1,ldat=3" */
	const char *unit; /* "Joules", or NULL */
	double scale;	  /* a count times this is in `unit`; 1 when nothing is said */
	bool per_pkg;	  /* one count a package */
	bool snapshot;	  /* the value itself, not what it grew by */
};

struct pmu {
	const char *name;
	uint32_t type;
	const char *cpus; /* the list of CPUs that it is opened on; NULL: all of them */
	bool uncore; /* opened on the CPUs of its mask: as a rule it counts for a socket, and knows
			     no tasks */
	bool core;   /* a kind of cores of a machine that has several: it has `cpus` */
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
	size_t n_core; /* of them are kinds of cores; below 2, cores are all alike */
	bool loaded;
};

#define PMU_CONFIGS 5 /* config to config4 */

/*
 * Reads all units below `roots->sysfs`; names and tables live in `arena`. A machine without the
 * folder has none. 0 or -ENOMEM.
 */
int pmus_load(struct pmus *pmus, const struct roots *roots, struct arena *arena,
	      struct ptui_error *err);
void pmus_release(struct pmus *pmus);

const struct pmu *pmus_find(const struct pmus *pmus, const char *name, size_t len);
/*
 * Is the unit meant by `name`? By its name, with its number or "uncore_" left out, or by a
 * pattern: imc means uncore_imc_0 and uncore_imc_1,
 * smmuv3_pmcg the one at smmuv3_pmcg_2b442.
 */
bool pmu_is_called(const struct pmu *pmu, const char *name);

const struct pmu_format *pmu_find_format(const struct pmu *pmu, const char *name, size_t len);
const struct pmu_event *pmu_find_event(const struct pmu *pmu, const char *name, size_t len);

/*
 * "config1:0-7,32-35" to a field and its bits. 0, or -EINVAL for what no kernel writes.
 */
int pmu_format_parse(const char *text, uint8_t *ret_field, uint64_t *ret_bits);
/* The highest value that has room in these bits. */
uint64_t pmu_format_max(uint64_t bits);
/* The value's bits, spread over these. */
uint64_t pmu_format_spread(uint64_t bits, uint64_t value);

#endif
