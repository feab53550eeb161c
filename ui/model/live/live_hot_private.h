/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the hottest functions lie in memory: rows first, then the callers of open ones, the children
 * of one parent side by side.
 *
 *	rows: [ f | g | h ][ callers of f ][ caller of its first caller ] …
 *	        0 .. n_rows                                               n_all
 */
#ifndef MODEL_LIVE_LIVE_HOT_PRIVATE_H
#define MODEL_LIVE_LIVE_HOT_PRIVATE_H

#include "base/hash.h"
#include "model/browser/trust.h"
#include "model/live/live_hot.h"

#define HOT_NONE PTUI_NONE
/* Each refresh makes all texts anew. Behind the hottest of them there is less than a thousandth each. */
#define HOT_ROWS_MAX 1000

struct hot_row {
	uint64_t id, samples;
	double percent, now, busy;
	size_t text; /* a row's cells, one behind the other; else the function */
	size_t last; /* the last of these cells */
	size_t dso;  /* of what stands below a row */
	size_t from; /* comm, module and function of the origin, one behind the other */
	int32_t tid;
	uint32_t cpu;
	bool has_thread, has_cpu, has_origin;
	uint32_t first_child, n_children;
	uint32_t entry; /* the row that it is, or stands below */
	bool made;	/* its callers were looked for */
};

struct live_hot {
	struct hot_row *rows;
	size_t n_rows, n_all, room;
	size_t n_shown; /* rows that are not below the least percentage */
	char *text;
	size_t text_bytes, text_room;
	struct index_table index; /* of the first of `rows`, by id */
	uint64_t generation;
	uint32_t event;
	bool has_busy;
	struct trust_fact stacks;
	bool opens; /* rows have something below: callchains, or functions of theirs */
	struct live_hot_column columns[LIVE_HOT_COLUMNS_MAX];
	size_t from_column[LIVE_HOT_COLUMNS_MAX]; /* of the view */
	size_t n_columns;
};

uint64_t hot_id(uint64_t seed, const char *text);
/* HOT_NONE: no such id, or not indexed yet. */
uint32_t hot_find(const struct live_hot *h, uint64_t id);
/* Indexes what was added, and makes double ids different. */
int hot_index(struct live_hot *h);
/* Rows of zeros, side by side. */
int hot_add_rows(struct live_hot *h, size_t n, size_t *ret_first);
int hot_add_text(struct live_hot *h, const char *text, size_t *ret_at);
void hot_measure(struct live_hot *h);

/* live_hot_row.c: how a view is counted, and what the cells of its rows say */
struct ptui_hist_opts hot_hist_opts(const struct live_hot_job *job);
const char *hot_sort(const struct live_hot_view *view);
bool hot_view_equal(const struct live_hot_view *a, const struct live_hot_view *b);
/* Those of the view's that say what a row is, and how many samples it has. */
void hot_set_columns(struct live_hot *h, const struct ptui_hist *hist);
/* The cells and the origin of row `at`, from row `row` of the view; its id. */
int hot_fill_row(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row,
		 enum live_hot_by by);
/* The same of one that stands below the row of its thread or CPU. */
int hot_fill_function(struct live_hot *h, size_t at, size_t parent, const struct ptui_hist *hist,
		      size_t row);

/* live_hot_busy.c: how busy the CPUs of the rows were, where the samples tell it. 0 or a negative errno. */
int hot_add_busy(struct live_hot *h, const struct live_hot_job *job, const struct ptui_hist *hist);

/* live_hot_group.c: the hottest functions of a thread or a CPU, below its row. */
int hot_open_group(struct live_hot *h, const struct ptui_hist *hist, size_t row,
		   const struct live_hot_job *job, struct ptui_error *err);

#endif
