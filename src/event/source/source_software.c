/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events counted by the kernel (PERF_TYPE_SOFTWARE), on every machine. */
#include "base/i18n.h"
#include "event/source/source.h"

static const struct fixed_event table[] = {
	{ "alignment-faults", NULL, N_("unaligned accesses fixed up by the kernel"),
	  PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "bpf-output", NULL, N_("output of BPF programs"), PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, N_("context switches to a task of another cgroup"),
	  PERF_COUNT_SW_CGROUP_SWITCHES },
	{ "context-switches", "cs", N_("context switches"), PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-clock", NULL, N_("CPU time, by a high-resolution timer"), PERF_COUNT_SW_CPU_CLOCK },
	{ "cpu-migrations", "migrations", N_("migrations of a task to another CPU"),
	  PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "dummy", NULL, N_("counts nothing; carries mmap, comm and fork records"),
	  PERF_COUNT_SW_DUMMY },
	{ "emulation-faults", NULL, N_("instructions emulated by the kernel"),
	  PERF_COUNT_SW_EMULATION_FAULTS },
	{ "major-faults", NULL, N_("page faults that required disk I/O"),
	  PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "minor-faults", NULL, N_("page faults without disk I/O"), PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "page-faults", "faults", N_("all page faults"), PERF_COUNT_SW_PAGE_FAULTS },
	{ "task-clock", NULL, N_("run time of the task"), PERF_COUNT_SW_TASK_CLOCK },
};

const struct catalog_source source_software = {
	.kind = EVENT_SOFTWARE,
	.heading = N_("Software event"),
	.legacy = true,
	.type = PERF_TYPE_SOFTWARE,
	.fixed = table,
	.n_fixed = sizeof(table) / sizeof(table[0]),
};
