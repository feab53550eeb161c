/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text output of `ptui report`, shared by its files. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include "base/buf.h"
#include "cli/report/chain_choice.h"
#include "ptui/profile.h"

#define REPORT_WIDTHS 64 /* columns that can have a given width */
#define FLUSH_BYTES   ((size_t)256 << 10)

enum report_format {
	REPORT_TEXT,
	REPORT_JSON,
	REPORT_CSV,
};

struct report_style {
	enum report_format format;
	const char *separator;		/* -t; NULL: columns are padded with spaces */
	const char *sort;		/* -s as given, or NULL */
	const char *fields;		/* -F as given, or NULL */
	double percent_limit;		/* hides rows below it */
	bool quiet;			/* rows only */
	bool relative;			/* the header counts the filtered samples */
	uint64_t hidden;		/* columns that are not shown, one bit each */
	const char *times;		/* --time, or NULL */
	uint16_t widths[REPORT_WIDTHS]; /* -w: of the first columns; 0: as needed */
	int32_t socket;			/* --socket-filter; -1: all */
	const char *events;		/* what the rows count; NULL: the event's name */
	bool of_group;			/* the event leads a group */
	bool hierarchy;			/* rows by one key after the other */
	bool missing;			/* list the DSOs without symbols in the header */
	bool chains;			/* draw callchains, */
	enum chain_type chain_type;	/* in this form, */
	enum chain_value chain_value;	/* with these numbers */
	bool memory;			/* --mem-mode: periods are weights */
	double chain_min_percent;	/* of the total; smaller branches are hidden */
	uint64_t chain_max_lines;	/* entries per level; 0: all */
};

/*
 * Appends the view of one event as perf prints it, and calls `flush` (which empties `out`) now and
 * then; a nonzero return of flush stops the output.
 */
typedef int (*report_flush_fn)(void *ctx, struct buf *out);
int report_text(struct ptui_hist *h, const struct ptui_event_info *event,
		const struct report_style *style, struct buf *out, report_flush_fn flush, void *ctx,
		struct ptui_error *err);

/* report_data.c: the same for programs, between its begin and end. `first`: of the events printed. */
void report_data_begin(const struct ptui_trust *trust, const struct report_style *style,
		       struct buf *out);
int report_data(struct ptui_hist *h, const struct ptui_event_info *event,
		const struct report_style *style, bool first, struct buf *out,
		report_flush_fn flush, void *ctx, struct ptui_error *err);
void report_data_end(const struct report_style *style, struct buf *out);

/* The lines above the rows, up to the titles. */
void report_head(const struct ptui_hist *h, const struct ptui_event_info *event,
		 const struct report_style *style, struct buf *out);
/* report_blocks.c: blocks of code with their cycles, instead of rows. 0, or -ENOMEM with err set. */
int report_blocks(const struct ptui_hist *h, const struct ptui_event_info *event,
		  const struct report_style *style, struct buf *out, struct ptui_error *err);
/* Fills in the column ipc_lbr. 0 or -ENOMEM. */
int report_ipc(struct ptui_hist *h, const struct ptui_hist_filter *filter);

/* report_hierarchy.c, for report_text() */
void report_hierarchy_titles(const struct ptui_hist *h, const struct report_style *style,
			     struct buf *out);
int report_hierarchy(struct ptui_hist *h, const struct ptui_event_info *event,
		     const struct report_style *style, struct buf *out, report_flush_fn flush,
		     void *ctx, struct ptui_error *err);

/* report_threads.c: a line for each thread with the counts of the events (-T), or for each count. 0 or -ENOMEM. */
int report_threads(const struct ptui_profile *p, bool raw, struct buf *out);

void report_fitted(struct buf *out, const char *text, size_t width, bool right);

/* A sentence about truncated user stacks; nothing if there are none. */
void report_stacks(const struct ptui_hist *h, const struct ptui_event_info *event, struct buf *out);

/* Reads -w. 0, or -EINVAL with err set. */
int report_read_widths(const char *text, uint16_t ret[REPORT_WIDTHS], struct ptui_error *err);

/* Rows with a smaller period, children included, have no callchains in the output. */
uint64_t report_chain_min(const struct ptui_hist *h, const struct report_style *style);
/* The callchains of one row. 0 or -ENOMEM. */
int report_chain(struct ptui_hist *h, size_t row, const struct report_style *style, struct buf *out,
		 struct ptui_error *err);

#endif
