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

static int add(struct catalog_rows *rows, enum event_kind kind, uint32_t type,
	       const struct fixed_event *table, size_t n, struct ptui_error *err)
{
	int ret = catalog_rows_add_fixed(rows, kind, type, table, n, err);

	for (size_t i = 0; !ret && i < rows->n; i++)
		rows->v[i].form = true;
	return ret;
}

static int load_raw(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	(void)cat;
	return add(rows, EVENT_RAW, PERF_TYPE_RAW, raw, sizeof(raw) / sizeof(raw[0]), err);
}

static int load_breakpoint(struct catalog *cat, struct catalog_rows *rows, struct ptui_error *err)
{
	(void)cat;
	return add(rows, EVENT_BREAKPOINT, PERF_TYPE_BREAKPOINT, breakpoint,
		   sizeof(breakpoint) / sizeof(breakpoint[0]), err);
}

const struct catalog_source source_raw = {
	.kind = EVENT_RAW,
	.heading = N_("Raw hardware event descriptor"),
	.forms = true,
	.load = load_raw,
};

const struct catalog_source source_breakpoint = {
	.kind = EVENT_BREAKPOINT,
	.heading = N_("Hardware breakpoint"),
	.forms = true,
	.load = load_breakpoint,
};
