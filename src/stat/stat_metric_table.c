/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stat/stat_metric_table.h"

#include <string.h>
#include "base/i18n.h"

#define CLOCK STAT_METRIC_CLOCK

static const struct stat_metric_def defs[] = {
	{ "CPUs_utilized", "Default;software", N_("CPUs in use on average"), CLOCK, NULL, 1, "CPUs",
	  3 },
	{ "cs_per_second", "Default;software", N_("context switches per second of CPU time"),
	  "context-switches", CLOCK, 1e9, "cs/sec", 1 },
	{ "migrations_per_second", "Default;software",
	  N_("moves of a task to another CPU per second of CPU time"), "cpu-migrations", CLOCK, 1e9,
	  "migrations/sec", 1 },
	{ "page_faults_per_second", "Default;software", N_("page faults per second of CPU time"),
	  "page-faults", CLOCK, 1e9, "faults/sec", 1 },
	{ "major_faults_per_second", "software",
	  N_("page faults that read from a disk, per second of CPU time"), "major-faults", CLOCK,
	  1e9, "faults/sec", 1 },
	{ "insn_per_cycle", "Default;pipeline", N_("instructions per cycle"), "instructions",
	  "cycles", 1, "", 2 },
	{ "cycles_frequency", "Default;pipeline", N_("cycles per second of CPU time"), "cycles",
	  CLOCK, 1, "GHz", 3 },
	{ "frontend_cycles_idle", "pipeline",
	  N_("share of cycles in which the frontend delivers nothing"), "stalled-cycles-frontend",
	  "cycles", 100, "%", 1 },
	{ "backend_cycles_idle", "pipeline",
	  N_("share of cycles in which the backend accepts nothing"), "stalled-cycles-backend",
	  "cycles", 100, "%", 1 },
	{ "branch_frequency", "Default;branch_prediction", N_("branches per second of CPU time"),
	  "branches", CLOCK, 1e3, "M/sec", 1 },
	{ "branch_miss_rate", "Default;branch_prediction", N_("share of branches mispredicted"),
	  "branch-misses", "branches", 100, "%", 1 },
	{ "cache_miss_rate", "cache", N_("share of cache references that miss the last level"),
	  "cache-misses", "cache-references", 100, "%", 1 },
	{ "l1d_miss_rate", "cache", N_("share of loads that miss the L1 data cache"),
	  "L1-dcache-load-misses", "L1-dcache-loads", 100, "%", 1 },
	{ "l1i_miss_rate", "cache", N_("share of fetches that miss the L1 instruction cache"),
	  "L1-icache-load-misses", "L1-icache-loads", 100, "%", 1 },
	{ "llc_miss_rate", "cache", N_("share of loads that miss the last level cache"),
	  "LLC-load-misses", "LLC-loads", 100, "%", 1 },
	{ "dtlb_miss_rate", "tlb", N_("share of loads that miss the data TLB"), "dTLB-load-misses",
	  "dTLB-loads", 100, "%", 1 },
	{ "itlb_miss_rate", "tlb", N_("share of fetches that miss the instruction TLB"),
	  "iTLB-load-misses", "iTLB-loads", 100, "%", 1 },
};

static const char *const groups[] = { "Default",  "branch_prediction", "cache",
				      "pipeline", "software",	       "tlb" };

size_t stat_n_metric_defs(void)
{
	return sizeof(defs) / sizeof(*defs);
}

const struct stat_metric_def *stat_metric_def(size_t i)
{
	return &defs[i];
}

bool stat_metric_is(const struct stat_metric_def *def, const char *name)
{
	size_t len = strlen(name);

	if (!strcmp(def->name, name))
		return true;
	for (const char *g = def->groups; g; g = strchr(g, ';')) {
		g += *g == ';';
		if (strcspn(g, ";") == len && !strncmp(g, name, len))
			return true;
	}
	return false;
}

const char *stat_metric_group(size_t i)
{
	return i < sizeof(groups) / sizeof(*groups) ? groups[i] : NULL;
}
