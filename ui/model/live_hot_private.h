/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the hottest functions lie in memory: rows first, then the callers of open ones, the children
 * of one parent side by side.
 *
 *	rows: [ f | g | h ][ callers of f ][ caller of its first caller ] …
 *	        0 .. n_rows                                               n_all
 */
#ifndef MODEL_LIVE_HOT_PRIVATE_H
#define MODEL_LIVE_HOT_PRIVATE_H

#include "model/live_hot.h"

#define HOT_NONE UINT32_MAX

struct hot_row {
	uint64_t id, samples;
	double percent, now;
	size_t comm, dso, function; /* in the text */
	uint32_t first_child, n_children;
	bool made; /* its callers were looked for */
};

struct live_hot {
	struct hot_row *rows;
	size_t n_rows, n_all, room;
	char *text;
	size_t text_bytes, text_room;
	uint32_t *index; /* a hash of ids, half empty */
	size_t index_size, n_indexed;
	uint64_t generation;
	uint32_t event;
	bool opens; /* rows have something below: callchains, or functions of theirs */
	int comm_width, dso_width;
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

/* live_hot_group.c: what the cells of a view say, and rows that are threads or CPUs */
struct ptui_hist_opts hot_hist_opts(const struct live_hot_job *job);
const char *hot_sort(enum live_hot_by by);
/* The texts of row `at` from row `row` of the view. */
int hot_fill_function(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row);
int hot_fill_group(struct live_hot *h, size_t at, const struct ptui_hist *hist, size_t row,
		   enum live_hot_by by);
/* The hottest functions of a thread or a CPU, below its row. */
int hot_open_group(struct live_hot *h, const struct ptui_hist *hist, size_t row,
		   const struct live_hot_job *job, struct ptui_error *err);

#endif
