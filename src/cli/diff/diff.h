/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptui diff: diff.c reads options and files; diff_rows.c merges the rows of the files by their text;
 * diff_text.c computes, sorts and prints.
 *
 *	hist of file 0 (the baseline) --.
 *	hist of file 1 -----------------+-- same texts --> rows with a period for each file
 *	...
 */
#ifndef CLI_DIFF_DIFF_H
#define CLI_DIFF_DIFF_H

#include "base/buf.h"
#include "base/strpool.h"
#include "ptui/profile.h"

enum diff_compute {
	DIFF_DELTA_ABS, /* sorted by the absolute difference of the shares */
	DIFF_DELTA,
	DIFF_RATIO,
	DIFF_WDIFF,
};

struct diff_style {
	enum diff_compute compute;
	int64_t base_weight,
		weight;	    /* of DIFF_WDIFF: of the baseline's periods, and of the others' */
	uint64_t order;	    /* sort by this file's column; 0: the baseline */
	bool baseline_only; /* only rows of the baseline that another file has, too */
	bool periods, formula;
	bool relative; /* shares of the filtered samples */
	bool quiet;    /* no titles */
	const char *separator;
};

/* Lists as given, separated by commas; NULL: any. */
struct diff_filter {
	const char *comms, *dsos, *symbols, *cpus, *tids, *pids, *times;
	const char *hide_dsos; /* see ptui_hist_filter */
	bool collapse_recursion;
};

#define DIFF_KEYS_MAX  16
#define DIFF_DSO_WIDTH 16 /* at least, if it has functions without names; as in perf */

struct diff_row {
	uint32_t cells[DIFF_KEYS_MAX]; /* of the file in which it was found first */
	bool nameless;
};

struct diff_table {
	size_t n_files, n_keys, n_shown; /* the keys after the shown ones are for the filters */
	const struct diff_filter *filter;
	char *sort;
	struct strpool texts; /* row + 1: all keys of it */
	struct strpool cells;
	struct diff_row *rows;
	size_t cap;
	uint64_t *periods; /* n_files of each row */
	size_t periods_cap;
	bool *present; /* likewise: the file has this row */
	size_t present_cap;
	uint64_t *totals;	   /* of each file */
	uint64_t *filtered_totals; /* of the samples that the filters let pass */
	uint64_t shown_total;	   /* of the baseline in the rows that are shown */
	const char *names[DIFF_KEYS_MAX];
	char *titles[DIFF_KEYS_MAX];
	bool padded;			/* the last of them, to its width */
	bool nameless;			/* of the histogram that is being added */
	const struct diff_style *style; /* while it is sorted */
};

/*
 * An empty table: `n_files` columns of periods for rows of these sort keys. The strings are borrowed.
 * NULL: out of memory, or invalid keys, with err set.
 */
struct diff_table *diff_table_new(const char *sort, size_t n_files,
				  const struct diff_filter *filter, struct ptui_error *err);
void diff_table_free(struct diff_table *t); /* NULL ok */
/* Adds the rows of an event of file number `file`. 0, or a negative errno with err set. */
int diff_table_add(struct diff_table *t, size_t file, struct ptui_profile *p, uint32_t event,
		   struct ptui_error *err);
/* The function's name in the text of a cell: "[.] name". */
const char *diff_symbol_name(const char *cell);
/* Sorts the rows and appends them to `out`. 0 or -ENOMEM. */
int diff_table_print(struct diff_table *t, const struct diff_style *style, struct buf *out);

#endif
