/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a view as lines, in perf's layout. */
#ifndef CLI_REPORT_ROW_H
#define CLI_REPORT_ROW_H

#include "cli/report/report.h"

#define REPORT_CELL_BYTES 8192 /* longer ones are cut */

/*
 * How the rows of a histogram are written; both outlive it. It remembers texts, so each thread needs its own.
 * NULL: out of memory.
 */
struct report_plan *report_plan_new(const struct ptui_hist *h, const struct report_style *style);
void report_plan_free(struct report_plan *p);
/* Appends a row, with its newline. */
void report_plan_row(struct report_plan *p, size_t row, struct buf *out);
/* Of a hierarchy: appends a cell. Texts that are not padded in the last column are not padded at all. */
void report_plan_cell(struct report_plan *p, size_t row, size_t col, struct buf *out);

/* Terminal columns of a column. */
unsigned report_width(const struct ptui_hist *h, const struct report_style *style, size_t col);
/* Texts are cut to a given width (-w), measures are not. */
void report_cut(const struct ptui_hist *h, const struct report_style *style, size_t col,
		char *text);
bool report_is_hidden(const struct report_style *style, size_t col);
/* Whether a column is shown before this one. */
bool report_follows(const struct report_style *style, size_t col);
bool report_below_limit(const struct ptui_hist *h, size_t row, double percent_limit);

#endif
