/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The syntax of events without names: raw events and breakpoints. */
#include "base/i18n.h"
#include "event/source/source.h"

static const struct fixed_event raw[] = {
	{ "rNNN", NULL, N_("raw event code from the CPU manual, hexadecimal"), 0 },
	{ "cpu/t1=v1[,t2=v2,t3 ...]/modifier", NULL,
	  N_("PMU event by its terms: see the PMU's format directory in sysfs"), 0 },
};

static const struct fixed_event breakpoint[] = {
	{ "mem:<addr>[/len][:access]", NULL, N_("hardware breakpoint: any of the accesses r, w, x"),
	  0 },
};

const struct catalog_source source_raw = {
	.kind = EVENT_RAW,
	.heading = N_("Raw hardware event descriptor"),
	.forms = true,
	.type = PERF_TYPE_RAW,
	.fixed = raw,
	.n_fixed = sizeof(raw) / sizeof(raw[0]),
};

const struct catalog_source source_breakpoint = {
	.kind = EVENT_BREAKPOINT,
	.heading = N_("Hardware breakpoint"),
	.forms = true,
	.type = PERF_TYPE_BREAKPOINT,
	.fixed = breakpoint,
	.n_fixed = sizeof(breakpoint) / sizeof(breakpoint[0]),
};
