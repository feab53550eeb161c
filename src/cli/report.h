/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `ptui report` share: how a view is printed. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include "base/buf.h"
#include "ptui/profile.h"

struct report_style {
	const char *separator;	  /* -t; NULL: columns are filled up with spaces */
	const char *sort;	  /* -s as given, or NULL */
	const char *fields;	  /* -F as given, or NULL */
	double percent_limit;	  /* rows below are not shown */
	bool quiet;		  /* rows only */
	bool chains;		  /* draw callchains */
	double chain_min_percent; /* of the total; below, a branch is left out */
	uint64_t chain_max_lines; /* so many entries a level; 0: all */
};

/*
 * The text of one event's view, as perf prints it. Appends to `out` and calls `flush` (which
 * empties it) now and then; a flush that returns other than 0 ends the printing.
 */
typedef int (*report_flush_fn)(void *ctx, struct buf *out);
int report_text(struct ptui_hist *h, const struct ptui_event_info *event,
		const struct report_style *style, struct buf *out, report_flush_fn flush, void *ctx,
		struct ptui_error *err);

/* How far the user stacks of a view reach, as a sentence; nothing where there are none. */
void report_stacks(const struct ptui_hist *h, const struct ptui_event_info *event, struct buf *out);

/* One row as a line. */
void report_row(const struct ptui_hist *h, size_t row, const struct report_style *style,
		struct buf *out);
bool report_below_limit(const struct ptui_hist *h, size_t row, double percent_limit);

/* The drawing of one row's chains. 0 or -ENOMEM. */
int report_chain(struct ptui_hist *h, size_t row, const struct report_style *style, struct buf *out,
		 struct ptui_error *err);

#endif
