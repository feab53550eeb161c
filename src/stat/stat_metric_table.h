/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of -M: a row per ratio of two events, with the names of perf's metrics where it has them. */
#ifndef STAT_STAT_METRIC_TABLE_H
#define STAT_STAT_METRIC_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define STAT_METRIC_CLOCK "clock" /* cpu-clock of the whole system, else task-clock; in ns */

struct stat_metric_def {
	const char *name, *groups; /* groups: "cpu;Default" */
	const char *desc;	   /* not translated yet */
	const char *over, *under;  /* events; under NULL: the elapsed time in ns */
	double factor;
	const char *unit; /* "": none */
	int decimals;
};

size_t stat_n_metric_defs(void);
const struct stat_metric_def *stat_metric_def(size_t i);
/* `name` is its name or one of its groups. */
bool stat_metric_is(const struct stat_metric_def *def, const char *name);
/* The i-th group, by name; NULL: there are no more. */
const char *stat_metric_group(size_t i);

#endif
