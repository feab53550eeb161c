/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --total-cycles: blocks of code with their cycles, in perf's text; the key ipc_lbr. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "cli/report/report.h"
#include "profile/hist/hist.h"
#include "ptui/annotate.h"

#define MANY 1000000 /* are printed as 1.0M */

/* Not translated: programs parse perf's words. */
static const struct {
	const char *title;
	unsigned width;
} columns[] = {
	{ "Sampled Cycles%", 15 }, { "Sampled Cycles", 14 },	    { "Avg Cycles%", 11 },
	{ "Avg Cycles", 10 },	   { "[Program Block Range]", 70 }, { "Shared Object", 20 },
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* `before`: what is in front of the first column. */
static void add_cell(size_t column, const char *text, const char *before,
		     const struct report_style *style, struct buf *out)
{
	struct buf shown = BUF_INIT;

	buf_add_str(out, !column ? before : style->separator ? style->separator : "  ");
	text_escape(&shown, text);
	report_fitted(out, buf_str(&shown), columns[column].width, true);
	if (shown.err)
		out->err = shown.err;
	buf_release(&shown);
}

static void add_titles(const struct report_style *style, struct buf *out)
{
	for (size_t i = 0; i < N_COLUMNS; i++)
		add_cell(i, columns[i].title, "# ", style, out);
	buf_add_char(out, '\n');
	if (style->separator)
		return;
	for (size_t i = 0; i < N_COLUMNS; i++) {
		buf_add_str(out, i ? "  " : "# ");
		for (unsigned w = 0; w < columns[i].width; w++)
			buf_add_char(out, '.');
	}
	buf_add_str(out, "\n#\n");
}

static void cycles_text(uint64_t cycles, char *buf, size_t size)
{
	if (cycles >= MANY)
		snprintf(buf, size, "%.1fM", (double)cycles / MANY);
	else if (cycles >= MANY / 1000)
		snprintf(buf, size, "%.1fK", (double)cycles / (MANY / 1000));
	else
		snprintf(buf, size, "%" PRIu64, cycles);
}

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void add_block(const struct ptui_code_blocks *blocks, const struct ptui_code_block *b,
		      const struct report_style *style, struct buf *out)
{
	char text[32];

	snprintf(text, sizeof(text), "%.2f%%", share(b->cycles, blocks->total_cycles));
	add_cell(0, text, style->separator ? "" : "  ", style, out);
	cycles_text(b->all_cycles, text, sizeof(text));
	add_cell(1, text, NULL, style, out);
	snprintf(text, sizeof(text), "%.2f%%", share(b->all_cycles / b->runs, blocks->mean_cycles));
	add_cell(2, text, NULL, style, out);
	cycles_text(b->all_cycles / b->runs, text, sizeof(text));
	add_cell(3, text, NULL, style, out);
	add_cell(4, b->range, NULL, style, out);
	add_cell(5, b->dso, NULL, style, out);
	buf_add_char(out, '\n');
}

int report_blocks(const struct ptui_hist *h, const struct ptui_event_info *event,
		  const struct report_style *style, struct buf *out, struct ptui_error *err)
{
	struct ptui_code_blocks blocks;
	int ret = ptui_hist_code_blocks(h, &blocks, err);

	if (ret)
		return ret;
	report_head(h, event, style, out);
	if (!style->quiet)
		add_titles(style, out);
	for (size_t i = 0; i < blocks.n; i++)
		if (share(blocks.v[i].cycles, blocks.total_cycles) >= style->percent_limit)
			add_block(&blocks, &blocks.v[i], style, out);
	free(blocks.v);
	buf_add_str(out, "\n\n");
	return out->err ? ptui_error_nomem(err) : 0;
}

/* ---- instructions per cycle ---- */

struct row_function {
	struct ptui_function f;
	size_t row;
};

static int compare_functions(const void *pa, const void *pb)
{
	const struct row_function *a = pa, *b = pb;

	if (a->f.module != b->f.module)
		return a->f.module < b->f.module ? -1 : 1;
	return a->f.start < b->f.start ? -1 : a->f.start > b->f.start;
}

/* Nothing is known of a function whose code cannot be read. */
static struct ptui_function_cycles cycles_of(struct ptui_profile *p, const struct ptui_function *f,
					     const struct ptui_hist_filter *filter)
{
	const struct ptui_annotate_opts opts = { .no_source = true, .no_text = true };
	const struct ptui_annotate_filter samples = { .samples = *filter };
	struct ptui_function_cycles ret = { .branches = 0 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_annotation *a = ptui_annotate_new(p, f, &opts, &err);
	struct ptui_annotate_counts *counts = a ? ptui_annotate_count(a, p, &samples, &err) : NULL;

	if (counts)
		ret = ptui_counts_cycles(counts);
	ptui_annotate_counts_free(counts);
	ptui_annotation_free(a);
	return ret;
}

int report_ipc(struct ptui_hist *h, const struct ptui_hist_filter *filter)
{
	size_t n_rows = ptui_hist_n_rows(h), n = 0;
	struct row_function *v = calloc(n_rows + 1, sizeof(*v));
	struct ptui_function_cycles cycles = { .branches = 0 };
	int ret = v ? 0 : -ENOMEM;

	for (size_t i = 0; v && i < n_rows; i++) {
		v[n].row = i;
		n += ptui_hist_row_function(h, i, &v[n].f);
	}
	if (v)
		qsort(v, n, sizeof(*v), compare_functions);
	for (size_t i = 0; i < n && !ret; i++) {
		if (!i || compare_functions(&v[i - 1], &v[i]))
			cycles = cycles_of(ptui_hist_profile(h), &v[i].f, filter);
		if (cycles.branches)
			ret = hist_set_ipc(h, v[i].row, cycles.ipc, cycles.coverage);
	}
	free(v);
	return ret;
}
