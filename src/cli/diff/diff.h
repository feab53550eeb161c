/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptui diff: diff.c reads options and files; diff_rows.c merges the rows of the files by their text;
 * diff_cycles.c the basic blocks in their functions; diff_text.c computes, sorts and prints;
 * diff_stream.c compares callchains instead of rows.
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
	DIFF_CYCLES, /* a line for each basic block of the row's function */
};

#define DIFF_ORDER_USUAL UINT64_MAX /* file 1, of DIFF_CYCLES the baseline */

struct diff_style {
	enum diff_compute compute;
	int64_t base_weight,
		weight;	    /* of DIFF_WDIFF: of the baseline's periods, and of the others' */
	uint64_t order;	    /* sort by this file's column; 0: the baseline */
	bool baseline_only; /* only rows of the baseline that another file has, too */
	bool periods, formula;
	bool cycles_hist; /* of DIFF_CYCLES: how far the single runs differ */
	bool relative;	  /* shares of the filtered samples */
	bool quiet;	  /* no titles */
	const char *separator;
};

/* Lists as given, separated by commas; NULL: any. */
struct diff_filter {
	const char *comms, *dsos, *symbols, *cpus, *tids, *pids, *times;
	const char **times_of; /* instead, of each file; NULL: all have `times` */
	const char *hide_dsos; /* see ptui_hist_filter */
	bool collapse_recursion;
};

#define DIFF_KEYS_MAX  16
#define DIFF_DSO_WIDTH 16 /* at least, if it has functions without names; as in perf */

struct diff_row {
	uint32_t cells[DIFF_KEYS_MAX]; /* of the file in which it was found first */
	bool nameless;
};

/* A basic block that the baseline and another file have, in a row. */
struct diff_block {
	size_t row;
	uint32_t range; /* cell: "[main.c:3 -> main.c:9]" */
	uint64_t cycles[2], runs[2];
	int64_t diff; /* of the means: the other file's minus the baseline's */
	uint16_t first_runs[2][PTUI_BLOCK_RUNS];
	uint32_t n_first_runs[2];
};

struct diff_cycles; /* the blocks of all files */

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
	bool hidden[DIFF_KEYS_MAX];	/* shown keys of which a filter leaves one name only */
	size_t last;			/* the last column */
	bool padded;			/* that one, to its width */
	bool nameless;			/* of the histogram that is being added */
	struct diff_cycles *cycles;	/* NULL: not compared */
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
/* Whether the list of sort keys has that one ("symbol" is "sym", too). */
bool diff_sorts_by(const char *sort, const char *key);
/* The function's name in the text of a cell: "[.] name". */
const char *diff_symbol_name(const char *cell);
/* Sorts the rows and appends them to `out`. 0 or -ENOMEM. */
int diff_table_print(struct diff_table *t, const struct diff_style *style, struct buf *out);

/* ---- basic blocks ---- */

struct diff_cycles *diff_cycles_new(size_t n_files); /* NULL: out of memory */
void diff_cycles_free(struct diff_cycles *c);	     /* NULL ok */
/*
 * The blocks in the functions of a histogram that was added to the table. `rows`: row of the table by row of the
 * histogram; SIZE_MAX: left out. 0 or -ENOMEM.
 */
int diff_cycles_add(struct diff_table *t, size_t file, const struct ptui_hist *h,
		    const size_t *rows);
/* Matches the blocks of all files, by DSO, function and offsets. 0 or -ENOMEM. */
int diff_cycles_match(struct diff_table *t);
/* The blocks of a row in the baseline and this file, the largest difference first. */
const struct diff_block *diff_cycles_of(const struct diff_table *t, size_t row, size_t file,
					size_t *ret_n);
/* "± 12.3% ▁█▃": the relative standard deviation and the differences of the first runs; "" without. */
void diff_cycles_hist(const struct diff_block *b, char *buf, size_t size);

/* ---- callchains ---- */

/* The hottest callchains of branches of an event in two files, appended to `out`. 0, or a negative errno with err set. */
int diff_streams(struct ptui_profile *const profiles[2], const uint32_t events[2],
		 const struct diff_filter *filter, struct buf *out, struct ptui_error *err);

#endif
