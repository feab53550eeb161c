/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory layout of the hottest functions: rows first, then the callers of open ones; the children
 * of one parent are contiguous.
 *
 *	rows: [ f | g | h ][ callers of f ][ caller of its first caller ] …
 *	        0 .. n_rows                                               n_all
 */
#ifndef MODEL_LIVE_LIVE_HOT_PRIVATE_H
#define MODEL_LIVE_LIVE_HOT_PRIVATE_H

#include "base/hash.h"
#include "model/browser/missing.h"
#include "model/browser/trust.h"
#include "model/live/live_hot.h"

#define HOT_NONE PTUI_NONE
/* Each refresh makes all texts again. Rows after these have less than a thousandth each. */
#define HOT_ROWS_MAX 1000

struct hot_row {
	uint64_t id, samples;
	double percent, now, busy;
	size_t text; /* a row's cells, consecutively; else the function */
	size_t last; /* the last of these cells */
	size_t dso;  /* below rows */
	size_t from; /* comm, DSO and function of the origin, consecutively */
	int32_t tid;
	uint32_t cpu;
	bool has_thread, has_cpu, has_origin;
	uint32_t first_child, n_children;
	uint32_t entry; /* index of the row, or of the ancestor row */
	bool made;	/* its callers were queried */
};

struct live_hot {
	struct hot_row *rows;
	size_t n_rows, n_all, room;
	size_t n_shown; /* rows not below the minimum percentage */
	char *text;
	size_t text_bytes, text_room;
	struct index_table index; /* of `rows`, by id */
	uint64_t generation;
	uint32_t event;
	bool has_busy, has_now;
	struct trust_fact facts[TRUST_FACTS_MAX];
	size_t n_facts;
	struct missing_list *missing;
	bool opens; /* rows have children: callchains, or functions */
	struct live_hot_column columns[LIVE_HOT_COLUMNS_MAX];
	size_t from_column[LIVE_HOT_COLUMNS_MAX]; /* in the view */
	size_t n_columns;
};

uint64_t hot_id(uint64_t seed, const char *text);
/* HOT_NONE: unknown id, or not indexed yet. */
uint32_t hot_find(const struct live_hot *h, uint64_t id);
/* Indexes added rows, and makes duplicate ids unique. */
int hot_index(struct live_hot *h);
/* Adds zeroed rows, contiguous. */
int hot_add_rows(struct live_hot *h, size_t n, size_t *ret_first);
int hot_add_text(struct live_hot *h, const char *text, size_t *ret_at);
void hot_measure(struct live_hot *h);

/* live_hot_row.c: counting options of a view, and the cells of its rows */
struct ptui_hist_opts hot_hist_opts(const struct live_hot_job *job);
const char *hot_sort(const struct live_hot_view *view);
bool hot_view_equal(const struct live_hot_view *a, const struct live_hot_view *b);
/* The identifying columns of the view, and the number of samples. */
void hot_set_columns(struct live_hot *h, const struct ptui_hist *hist);
/* Sets the cells and the origin of row `at` from row `row` of the view, and its id. */
int hot_fill_row(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row,
		 enum live_hot_by by);
/* The same for a function below the row of its thread or CPU. */
int hot_fill_function(struct live_hot *h, size_t at, size_t parent, const struct ptui_hist *hist,
		      size_t row);

/* live_hot_busy.c: sets `busy` of CPU rows if the samples show it. 0 or a negative errno. */
int hot_add_busy(struct live_hot *h, const struct live_hot_job *job, const struct ptui_hist *hist);

/* live_hot_group.c: the hottest functions of a thread or a CPU, below its row. */
int hot_open_group(struct live_hot *h, const struct ptui_hist *hist, size_t row,
		   const struct live_hot_job *job, struct ptui_error *err);

#endif
