/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of perf stat around the lines of stat_print(): the title above, the times below. */
#ifndef STAT_STAT_TEXT_H
#define STAT_STAT_TEXT_H

#include "stat/stat.h"

/* The runs so far. */
struct stat_result {
	uint64_t n_runs;	 /* as requested */
	size_t n_done;		 /* of them */
	struct stat_mean passed; /* ns, by run */
	const double *each_ns;	 /* of the runs that are done */
	struct stat_usage usage; /* of the last run */
	bool table;		 /* the time of each run */
};

/* " Performance counter stats for 'make':" */
void stat_add_title(const struct stat *s, const struct stat_result *r, struct buf *out);
/* " 1.234 seconds time elapsed" */
void stat_add_end(const struct stat *s, const struct stat_result *r, struct buf *out);

#endif
