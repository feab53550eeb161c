/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel counts itself (PERF_TYPE_SOFTWARE): there on every machine. */
#include "base/i18n.h"
#include "event/source/source.h"

static const struct fixed_event table[] = {
	{ "alignment-faults", NULL, N_("unaligned accesses that the kernel had to mend"),
	  PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "bpf-output", NULL, N_("data that BPF programs hand out"), PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", NULL, N_("switches to a task of another cgroup"),
	  PERF_COUNT_SW_CGROUP_SWITCHES },
	{ "context-switches", "cs", N_("switches from one task to another"),
	  PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-clock", NULL, N_("time on the processor, by its high resolution timer"),
	  PERF_COUNT_SW_CPU_CLOCK },
	{ "cpu-migrations", "migrations", N_("times that a task moved to another processor"),
	  PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "dummy", NULL, N_("counts nothing, carries records of maps, names and forks"),
	  PERF_COUNT_SW_DUMMY },
	{ "emulation-faults", NULL, N_("instructions that the kernel had to emulate"),
	  PERF_COUNT_SW_EMULATION_FAULTS },
	{ "major-faults", NULL, N_("page faults that had to read from a disk"),
	  PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "minor-faults", NULL, N_("page faults that needed no disk"),
	  PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "page-faults", "faults", N_("page faults of both kinds"), PERF_COUNT_SW_PAGE_FAULTS },
	{ "task-clock", NULL, N_("time that the task ran"), PERF_COUNT_SW_TASK_CLOCK },
};

static int load(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	(void)cat;
	return catalog_rows_add_fixed(rows, EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, table,
				      sizeof(table) / sizeof(table[0]), err);
}

const struct catalog_source source_software = {
	.kind = EVENT_SOFTWARE,
	.heading = N_("Software event"),
	.legacy = true,
	.load = load,
};
