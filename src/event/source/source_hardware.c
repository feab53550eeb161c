/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware events that the kernel knows by name (PERF_TYPE_HARDWARE). */
#include "base/i18n.h"
#include "event/source/source.h"

static const struct fixed_event table[] = {
	{ "branch-instructions", "branches", N_("retired branch instructions"),
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", NULL, N_("mispredicted branch instructions"),
	  PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", NULL, N_("bus cycles, at a fixed rate"), PERF_COUNT_HW_BUS_CYCLES },
	{ "cache-misses", NULL, N_("last-level cache misses"), PERF_COUNT_HW_CACHE_MISSES },
	{ "cache-references", NULL, N_("last-level cache accesses"),
	  PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cpu-cycles", "cycles", N_("CPU cycles, at the current CPU frequency"),
	  PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", NULL, N_("retired instructions"), PERF_COUNT_HW_INSTRUCTIONS },
	{ "ref-cycles", NULL, N_("reference cycles, independent of the CPU frequency"),
	  PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "stalled-cycles-backend", "idle-cycles-backend", N_("cycles stalled in the backend"),
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", N_("cycles stalled in the frontend"),
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
};

const struct catalog_source source_hardware = {
	.kind = EVENT_HARDWARE,
	.heading = N_("Hardware event"),
	.legacy = true,
	.type = PERF_TYPE_HARDWARE,
	.fixed = table,
	.n_fixed = sizeof(table) / sizeof(table[0]),
};
