/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tool events: ptui itself measures the time. Each is a dummy event for the kernel, which keeps its
 * position in the list.
 */
#include "base/i18n.h"
#include "event/source/source.h"

static const struct fixed_event table[] = {
	{ "duration_time", NULL, N_("wall clock time, in nanoseconds"), PERF_COUNT_SW_DUMMY },
	{ "user_time", NULL, N_("time in user mode, in nanoseconds"), PERF_COUNT_SW_DUMMY },
	{ "system_time", NULL, N_("time in the kernel, in nanoseconds"), PERF_COUNT_SW_DUMMY },
};

const struct catalog_source source_tool = {
	.kind = EVENT_TOOL,
	.heading = N_("Tool event"),
	.type = PERF_TYPE_SOFTWARE,
	.fixed = table,
	.n_fixed = sizeof(table) / sizeof(table[0]),
};
