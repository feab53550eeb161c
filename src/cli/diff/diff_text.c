/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is computed for each row, the order of the rows, and their text. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "cli/diff/diff.h"

/* Widths of the columns, as in perf. */
#define PERIOD_WIDTH  14
#define RATIO_WIDTH   14
#define FORMULA_WIDTH 70
#define BLOCK_WIDTH   70
#define HIST_WIDTH    17

/* ---- computing ---- */

static uint64_t period_of(const struct diff_table *t, size_t row, size_t file)
{
	return t->periods[row * t->n_files + file];
}

static bool is_in(const struct diff_table *t, size_t row, size_t file)
{
	return t->present[row * t->n_files + file];
}

static uint64_t total_of(const struct diff_table *t, size_t file)
{
	return t->style->relative ? t->filtered_totals[file] : t->totals[file];
}

static double percent_of(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static double percent(const struct diff_table *t, size_t row, size_t file)
{
	return percent_of(period_of(t, row, file), total_of(t, file));
}

static double delta(const struct diff_table *t, size_t row, size_t file)
{
	return percent(t, row, file) - percent(t, row, 0);
}

/* Rows that the baseline lacks are sorted as if it had a period of 1. */
static double ratio(const struct diff_table *t, size_t row, size_t file)
{
	uint64_t before = period_of(t, row, 0);

	return (double)period_of(t, row, file) / (double)(before ? before : 1);
}

static int64_t weighted(const struct diff_table *t, size_t row, size_t file)
{
	return (int64_t)period_of(t, row, file) * t->style->weight -
	       (int64_t)period_of(t, row, 0) * t->style->base_weight;
}

/* The block in line `line` of a row; NULL: none. */
static const struct diff_block *block_at(const struct diff_table *t, size_t row, size_t file,
					 size_t line)
{
	size_t n;
	const struct diff_block *blocks = diff_cycles_of(t, row, file, &n);

	return line < n ? &blocks[line] : NULL;
}

/* ---- order ---- */

static int cmp_large_first(double a, double b)
{
	return a > b ? -1 : a < b;
}

static bool is_matched(const struct diff_table *t, size_t row)
{
	for (size_t f = 1; f < t->n_files; f++)
		if (is_in(t, row, f))
			return true;
	return false;
}

static int cmp_cycles(const struct diff_table *t, size_t a, size_t b, size_t file)
{
	const struct diff_block *x = block_at(t, a, file, 0), *y = block_at(t, b, file, 0);

	return cmp_large_first(x ? fabs((double)x->diff) : -1, y ? fabs((double)y->diff) : -1);
}

/* Rows that the file lacks are last. */
static int cmp_computed(const struct diff_table *t, size_t a, size_t b, size_t file)
{
	bool a_has = is_in(t, a, file), b_has = is_in(t, b, file);

	if (a_has != b_has)
		return a_has ? -1 : 1;
	if (!a_has)
		return 0;
	switch (t->style->compute) {
	case DIFF_DELTA:
		return cmp_large_first(delta(t, a, file), delta(t, b, file));
	case DIFF_DELTA_ABS:
		return cmp_large_first(fabs(delta(t, a, file)), fabs(delta(t, b, file)));
	case DIFF_RATIO:
		return cmp_large_first(ratio(t, a, file), ratio(t, b, file));
	case DIFF_WDIFF:
		return cmp_large_first((double)weighted(t, a, file), (double)weighted(t, b, file));
	case DIFF_CYCLES:
		return cmp_cycles(t, a, b, file);
	}
	return 0;
}

/* The same; above the last are those whose value needs the baseline, which lacks them. They have no order. */
static int cmp_chosen(const struct diff_table *t, size_t a, size_t b, size_t file)
{
	bool is_delta = t->style->compute == DIFF_DELTA || t->style->compute == DIFF_DELTA_ABS;
	bool a_counts = is_delta || is_in(t, a, 0), b_counts = is_delta || is_in(t, b, 0);

	if (is_in(t, a, file) != is_in(t, b, file) || (a_counts && b_counts))
		return cmp_computed(t, a, b, file);
	return is_in(t, a, file) ? (int)b_counts - (int)a_counts : 0;
}

static int cmp_cells(const struct diff_table *t, const struct diff_row *a, const struct diff_row *b)
{
	for (size_t k = 0; k < t->n_shown; k++) {
		const char *x = strpool_get(&t->cells, a->cells[k]);
		const char *y = strpool_get(&t->cells, b->cells[k]);
		int cmp;

		if (!strcmp(t->names[k], "symbol")) {
			if (a->nameless != b->nameless)
				return a->nameless ? 1 : -1;
			x = diff_symbol_name(x);
			y = diff_symbol_name(y);
		}
		cmp = strcmp(x, y);
		if (cmp)
			return cmp;
	}
	return 0;
}

static int cmp_rows(const void *pa, const void *pb, void *ctx)
{
	const struct diff_table *t = ctx;
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb, by = t->style->order;
	int cmp = 0;

	if (by)
		cmp = cmp_chosen(t, a, b, by);
	if (!cmp)
		cmp = cmp_large_first((double)period_of(t, a, 0), (double)period_of(t, b, 0));
	for (size_t f = 1; f < t->n_files && !cmp; f++)
		cmp = cmp_computed(t, a, b, f);
	return cmp ? cmp : cmp_cells(t, &t->rows[a], &t->rows[b]);
}

/* ---- text ---- */

enum column_kind {
	COLUMN_BASELINE,
	COLUMN_BASE_PERIOD,
	COLUMN_VALUE,
	COLUMN_HIST,
	COLUMN_FORMULA,
	COLUMN_PERIOD,
};

struct column {
	enum column_kind kind;
	size_t file;
	size_t width;
	char title[48];
};

static const struct {
	const char *title;
	size_t width;
} value_columns[] = {
	[DIFF_DELTA_ABS] = { "Delta Abs", 7 },
	[DIFF_DELTA] = { "Delta", 7 },
	[DIFF_RATIO] = { "Ratio", RATIO_WIDTH },
	[DIFF_WDIFF] = { "Weighted diff", RATIO_WIDTH },
	[DIFF_CYCLES] = { "[Program Block Range] Cycles Diff", BLOCK_WIDTH },
};

static void add_column(const struct diff_table *t, struct column *columns, size_t *n,
		       enum column_kind kind, size_t file, const char *title, size_t width)
{
	struct column *c = &columns[(*n)++];

	c->kind = kind;
	c->file = file;
	if (t->n_files > 2)
		snprintf(c->title, sizeof(c->title), "%s/%zu", title, file);
	else
		snprintf(c->title, sizeof(c->title), "%s", title);
	c->width = strlen(c->title) > width ? strlen(c->title) : width;
}

static size_t make_columns(const struct diff_table *t, struct column *columns)
{
	const struct diff_style *s = t->style;
	size_t n = 0;

	add_column(t, columns, &n, COLUMN_BASELINE, 0, "Baseline", 8);
	if (s->periods)
		add_column(t, columns, &n, COLUMN_BASE_PERIOD, 0, "Base period", PERIOD_WIDTH);
	for (size_t f = 1; f < t->n_files; f++) {
		add_column(t, columns, &n, COLUMN_VALUE, f, value_columns[s->compute].title,
			   value_columns[s->compute].width);
		if (s->cycles_hist)
			add_column(t, columns, &n, COLUMN_HIST, f, "stddev/Hist", HIST_WIDTH);
		if (s->formula)
			add_column(t, columns, &n, COLUMN_FORMULA, f, "Formula", FORMULA_WIDTH);
		if (s->periods)
			add_column(t, columns, &n, COLUMN_PERIOD, f, "Period", PERIOD_WIDTH);
	}
	return n;
}

/* `line`: of the row; only blocks have several. */
static void value_text(const struct diff_table *t, size_t row, size_t line, size_t file, char *buf,
		       size_t size)
{
	const struct diff_block *b;

	*buf = '\0';
	if (!is_in(t, row, file))
		return;
	switch (t->style->compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		snprintf(buf, size, "%+.2f%%", delta(t, row, file));
		return;
	case DIFF_RATIO:
		if (is_in(t, row, 0))
			snprintf(buf, size, "%.6f", ratio(t, row, file));
		else
			snprintf(buf, size, "N/A");
		return;
	case DIFF_WDIFF:
		if (is_in(t, row, 0))
			snprintf(buf, size, "%*" PRId64, RATIO_WIDTH, weighted(t, row, file));
		else
			snprintf(buf, size, "N/A");
		return;
	case DIFF_CYCLES:
		b = block_at(t, row, file, line);
		if (b)
			snprintf(buf, size, "%s %4" PRId64, strpool_get(&t->cells, b->range),
				 b->diff);
		return;
	}
}

static void formula_text(const struct diff_table *t, size_t row, size_t line, size_t file,
			 char *buf, size_t size)
{
	uint64_t now = period_of(t, row, file), before = period_of(t, row, 0);
	const struct diff_block *b;

	switch (t->style->compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		snprintf(buf, size,
			 "(%" PRIu64 " * 100 / %" PRIu64 ") - (%" PRIu64 " * 100 / %" PRIu64 ")",
			 now, total_of(t, file), before, total_of(t, 0));
		return;
	case DIFF_RATIO:
		snprintf(buf, size, "%" PRIu64 " / %" PRIu64, now, before);
		return;
	case DIFF_WDIFF:
		snprintf(buf, size, "(%" PRIu64 " * %" PRId64 ") - (%" PRIu64 " * %" PRId64 ")",
			 now, t->style->weight, before, t->style->base_weight);
		return;
	case DIFF_CYCLES:
		b = block_at(t, row, file, line);
		if (b)
			snprintf(buf, size,
				 "(%" PRIu64 " / %" PRIu64 ") - (%" PRIu64 " / %" PRIu64 ")",
				 b->cycles[1], b->runs[1], b->cycles[0], b->runs[0]);
		return;
	}
}

static void hist_text(const struct diff_table *t, size_t row, size_t line, size_t file, char *buf,
		      size_t size)
{
	const struct diff_block *b = block_at(t, row, file, line);

	if (b)
		diff_cycles_hist(b, buf, size);
}

static void column_text(const struct diff_table *t, size_t row, size_t line, const struct column *c,
			char *buf, size_t size)
{
	*buf = '\0';
	switch (c->kind) {
	case COLUMN_BASELINE:
		if (is_in(t, row, 0))
			snprintf(buf, size, "%.2f%s",
				 percent_of(period_of(t, row, 0), t->shown_total),
				 t->style->separator ? "" : "%");
		return;
	case COLUMN_BASE_PERIOD:
		snprintf(buf, size, "%" PRIu64, period_of(t, row, 0));
		return;
	case COLUMN_VALUE:
		value_text(t, row, line, c->file, buf, size);
		return;
	case COLUMN_HIST:
		hist_text(t, row, line, c->file, buf, size);
		return;
	case COLUMN_FORMULA:
		if (is_in(t, row, c->file))
			formula_text(t, row, line, c->file, buf, size);
		return;
	case COLUMN_PERIOD:
		if (is_in(t, row, c->file))
			snprintf(buf, size, "%" PRIu64, period_of(t, row, c->file));
		return;
	}
}

static void add_right(struct buf *out, const char *text, size_t width)
{
	size_t n = text_width(text);

	buf_add_spaces(out, n < width ? width - n : 0);
	text_escape(out, text);
}

static void add_left(struct buf *out, const char *text, size_t width)
{
	size_t n = text_width(text);

	text_escape(out, text);
	buf_add_spaces(out, n < width ? width - n : 0);
}

static void print_line(const struct diff_table *t, size_t row, size_t line,
		       const struct column *columns, size_t n_columns, const size_t *widths,
		       struct buf *out)
{
	const char *separator = t->style->separator;
	char text[192];

	for (size_t i = 0; i < n_columns; i++) {
		column_text(t, row, line, &columns[i], text, sizeof(text));
		if (i || !separator)
			buf_add_str(out, separator ? separator : "  ");
		if (separator) {
			text_escape(out, text + strspn(text, " "));
		} else if (columns[i].kind == COLUMN_VALUE && t->style->compute == DIFF_WDIFF &&
			   strlen(text) == RATIO_WIDTH) {
			/* a weighted difference: perf's place for it, whatever the title's width */
			add_left(out, text, columns[i].width);
		} else {
			add_right(out, text, columns[i].width);
		}
	}
	for (size_t k = 0; k < t->n_shown; k++) {
		if (t->hidden[k])
			continue;
		buf_add_str(out, separator ? separator : "  ");
		add_left(out, strpool_get(&t->cells, t->rows[row].cells[k]),
			 separator || (k == t->last && !t->padded) ? 0 : widths[k]);
	}
	buf_add_char(out, '\n');
}

/* As in perf, a row of both files without a block that both have is left out. */
static size_t n_lines(const struct diff_table *t, size_t row)
{
	size_t most = 0, n;

	if (!t->cycles || !is_in(t, row, 0) || !is_matched(t, row))
		return 1;
	for (size_t f = 1; f < t->n_files; f++) {
		diff_cycles_of(t, row, f, &n);
		if (n > most)
			most = n;
	}
	return most;
}

static void print_row(const struct diff_table *t, size_t row, const struct column *columns,
		      size_t n_columns, const size_t *widths, struct buf *out)
{
	size_t n = n_lines(t, row);

	for (size_t line = 0; line < n; line++)
		print_line(t, row, line, columns, n_columns, widths, out);
}

static void add_dots(struct buf *out, size_t n)
{
	while (n--)
		buf_add_char(out, '.');
}

static void print_titles(const struct diff_table *t, const struct column *columns, size_t n_columns,
			 const size_t *widths, struct buf *out)
{
	const char *separator = t->style->separator, *between = separator ? separator : "  ";

	buf_add_str(out, "# ");
	for (size_t i = 0; i < n_columns; i++) {
		buf_add_str(out, i ? between : "");
		add_right(out, columns[i].title, separator ? 0 : columns[i].width);
	}
	for (size_t k = 0; k < t->n_shown; k++) {
		if (t->hidden[k])
			continue;
		buf_add_str(out, between);
		add_left(out, t->titles[k], separator ? 0 : widths[k]);
	}
	buf_add_char(out, '\n');
	if (separator)
		return;
	buf_add_str(out, "# ");
	for (size_t i = 0; i < n_columns; i++) {
		buf_add_str(out, i ? between : "");
		add_dots(out, columns[i].width);
	}
	for (size_t k = 0; k < t->n_shown; k++) {
		if (t->hidden[k])
			continue;
		buf_add_str(out, between);
		add_dots(out, widths[k]);
	}
	buf_add_str(out, "\n#\n");
}

/* The rows to show, in order. Their number; *ret is NULL if out of memory. */
static size_t sorted_rows(struct diff_table *t, size_t **ret)
{
	size_t n_rows = t->texts.n ? t->texts.n - 1 : 0, n = 0;
	size_t *order = malloc((n_rows + 1) * sizeof(*order));

	*ret = order;
	if (!order)
		return 0;
	for (size_t i = 0; i < n_rows; i++)
		if (!t->style->baseline_only || (is_in(t, i, 0) && is_matched(t, i)))
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), cmp_rows, t);
	/* with -b a share of what is left, as in perf; the differences stay those of all */
	t->shown_total = total_of(t, 0);
	if (t->style->baseline_only) {
		t->shown_total = 0;
		for (size_t i = 0; i < n; i++)
			t->shown_total += period_of(t, order[i], 0);
	}
	return n;
}

static void measure(const struct diff_table *t, const size_t *order, size_t n, size_t *widths)
{
	bool nameless = false;

	for (size_t i = 0; i < n; i++)
		nameless |= t->rows[order[i]].nameless;
	for (size_t k = 0; k < t->n_shown; k++) {
		widths[k] = text_width(t->titles[k]);
		if (nameless && !strcmp(t->names[k], "dso") && widths[k] < DIFF_DSO_WIDTH)
			widths[k] = DIFF_DSO_WIDTH;
		for (size_t i = 0; i < n; i++) {
			size_t w = text_width(strpool_get(&t->cells, t->rows[order[i]].cells[k]));

			if (w > widths[k])
				widths[k] = w;
		}
	}
}

int diff_table_print(struct diff_table *t, const struct diff_style *style, struct buf *out)
{
	struct column *columns = calloc(2 + 4 * t->n_files, sizeof(*columns));
	size_t widths[DIFF_KEYS_MAX], n_columns, n, *order = NULL;

	t->style = style;
	n = t->cycles && diff_cycles_match(t) ? 0 : sorted_rows(t, &order);
	if (!columns || !order) {
		free(columns);
		free(order);
		return -ENOMEM;
	}
	n_columns = make_columns(t, columns);
	if (t->titles[0]) {
		measure(t, order, n, widths);
		if (!style->quiet)
			print_titles(t, columns, n_columns, widths, out);
		for (size_t i = 0; i < n; i++)
			print_row(t, order[i], columns, n_columns, widths, out);
	}
	free(columns);
	free(order);
	return out->err;
}
