/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/annotate/annotate_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

#define PERCENT_RED   5.0
#define PERCENT_GREEN 0.5

#define RED	      "\033[31m"
#define GREEN	      "\033[32m"
#define BLUE	      "\033[34m"
#define MAGENTA	      "\033[35m"
#define PLAIN	      "\033[m"

/* The columns of a tab; objdump's tabs, expanded as perf does. */
#define TAB	  8
#define RAW_WIDTH 24
#define RAW_BYTES 7

struct printer {
	const struct annotate_view *v;
	const struct annotate_style *style;
	struct buf *out;
	size_t addr_width;
	bool cycles;	       /* columns for them */
	const char *last_path; /* that was printed beside code */
	unsigned last_line;
};

static double percent_of(const struct printer *p, size_t event, size_t line)
{
	return ptui_counts_percent(p->v->counts, p->v->events[event], line, p->style->type);
}

static double highest_percent(const struct printer *p, size_t line)
{
	double highest = 0;

	for (size_t i = 0; i < p->v->n_events; i++)
		if (percent_of(p, i, line) > highest)
			highest = percent_of(p, i, line);
	return highest;
}

static const char *percent_colour(const struct printer *p, double percent)
{
	if (!p->style->colour)
		return "";
	return percent >= PERCENT_RED ? RED : percent >= PERCENT_GREEN ? GREEN : "";
}

static void end_colour(const struct printer *p, const char *colour)
{
	if (*colour)
		buf_add_str(p->out, PLAIN);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- header ---- */

static const char *const column_titles[] = { "Percent", "Samples", "Period" };
static const size_t column_widths[] = { 8, 8, 12 };
static const size_t cycles_width = 14;
static const char *const type_names[] = { "local period", "local hits", "global period",
					  "global hits" };

static size_t columns_width(const struct printer *p)
{
	return column_widths[p->style->column] * p->v->n_events + (p->cycles ? cycles_width : 0);
}

static const char *dso_name(const struct printer *p)
{
	const struct ptui_function *f = ptui_annotation_function(p->v->annotation);

	return p->style->full_paths && f->path ? f->path : f->dso;
}

static void add_event_names(const struct printer *p)
{
	const struct annotate_view *v = p->v;

	if (v->n_events > 1)
		buf_add_str(p->out, "anon group { ");
	for (size_t i = 0; i < v->n_events; i++) {
		if (i)
			buf_add_str(p->out, ", ");
		text_escape(p->out, ptui_profile_event(v->profile, v->events[i])->name);
	}
	if (v->n_events > 1)
		buf_add_str(p->out, " }");
}

/* As perf writes it; without an average if no block is known from its beginning to its end. */
static void add_coverage(const struct printer *p)
{
	struct ptui_function_cycles c = ptui_counts_cycles(p->v->counts);

	buf_add_str(p->out, " (");
	if (c.ipc > 0)
		buf_addf(p->out, "Average IPC: %.2f, ", c.ipc);
	buf_addf(p->out, "IPC Coverage: %.1f%%)", c.coverage);
}

static void add_title(const struct printer *p)
{
	size_t from = p->out->len, n, numbers = columns_width(p) - (p->cycles ? cycles_width : 0);

	buf_addf(p->out, " %-*s%s|\tSource code & Disassembly of ", (int)numbers,
		 column_titles[p->style->column], p->cycles ? "   IPC  Cycle " : "");
	text_escape(p->out, dso_name(p));
	buf_add_str(p->out, " for ");
	add_event_names(p);
	buf_addf(p->out, " (%" PRIu64 " samples, percent: %s)",
		 ptui_counts_local(p->v->counts, p->v->events[0]).samples,
		 type_names[p->style->type]);
	if (p->cycles)
		add_coverage(p);
	buf_add_char(p->out, '\n');
	n = p->out->len - from;
	for (size_t i = 0; i < n; i++)
		buf_add_char(p->out, '-');
	buf_add_char(p->out, '\n');
}

/* ---- -v ---- */

static void add_histogram(const struct printer *p)
{
	for (size_t i = 0; i < ptui_annotation_n_lines(p->v->annotation); i++) {
		const struct ptui_line *line = ptui_annotation_line(p->v->annotation, i);
		uint64_t n = ptui_counts_line(p->v->counts, p->v->events[0], i).samples;

		if (n)
			buf_addf(p->out, "%*s%" PRIx64 ": %" PRIu64 "\n", (int)(32 - p->addr_width),
				 "", line->addr, n);
	}
	buf_addf(p->out, "%30s: %" PRIu64 "\n", "h->nr_samples",
		 ptui_counts_local(p->v->counts, p->v->events[0]).samples);
}

/* ---- -l ---- */

struct source_sum {
	const char *path;
	unsigned line;
	double *percents; /* by event, in one array */
};

static int by_place(const void *va, const void *vb)
{
	const struct source_sum *a = va, *b = vb;
	int order = strcmp(a->path, b->path);

	return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

/* Like perf, by the first event in which they differ. */
static int by_percent(const void *va, const void *vb, void *ctx)
{
	const struct source_sum *a = va, *b = vb;
	size_t n = *(const size_t *)ctx;

	for (size_t i = 0; i < n; i++)
		if (a->percents[i] < b->percents[i] || a->percents[i] > b->percents[i])
			return a->percents[i] > b->percents[i] ? -1 : 1;
	return by_place(va, vb);
}

/* The source lines of code with samples, each once. *ret_n is their number. */
static void sum_lines(const struct printer *p, struct source_sum *sums, double *percents,
		      size_t *ret_n)
{
	size_t n = 0, kept = 0, n_events = p->v->n_events;

	for (size_t i = 0; i < ptui_annotation_n_lines(p->v->annotation); i++) {
		const struct ptui_line *line = ptui_annotation_line(p->v->annotation, i);

		if (line->kind != PTUI_LINE_CODE || !line->path || highest_percent(p, i) <= 0)
			continue;
		sums[n] = (struct source_sum){ line->path, line->line, percents + n * n_events };
		for (size_t e = 0; e < n_events; e++)
			sums[n].percents[e] = percent_of(p, e, i);
		n++;
	}
	qsort(sums, n, sizeof(*sums), by_place);
	for (size_t i = 0; i < n; i++) {
		if (!kept || by_place(&sums[kept - 1], &sums[i])) {
			sums[kept++] = sums[i];
			continue;
		}
		for (size_t e = 0; e < n_events; e++)
			sums[kept - 1].percents[e] += sums[i].percents[e];
	}
	*ret_n = kept;
}

static void add_place(const struct printer *p, const char *path, unsigned line)
{
	text_escape(p->out, p->style->full_paths ? path : base_name(path));
	buf_addf(p->out, ":%u", line);
}

static void add_sum(const struct printer *p, const struct source_sum *s)
{
	double highest = 0;

	for (size_t e = 0; e < p->v->n_events; e++) {
		const char *colour = percent_colour(p, s->percents[e]);

		buf_addf(p->out, "%s %7.2f", colour, s->percents[e]);
		end_colour(p, colour);
		if (s->percents[e] > highest)
			highest = s->percents[e];
	}
	buf_addf(p->out, "%s ", percent_colour(p, highest));
	add_place(p, s->path, s->line);
	end_colour(p, percent_colour(p, highest));
	buf_add_char(p->out, '\n');
}

static int add_summary(const struct printer *p)
{
	const struct ptui_function *f = ptui_annotation_function(p->v->annotation);
	size_t n = ptui_annotation_info(p->v->annotation)->n_code, shown = 0;
	struct source_sum *sums = calloc(n + 1, sizeof(*sums));
	double *percents = calloc(n * p->v->n_events + 1, sizeof(*percents));

	if (!sums || !percents) {
		free(sums);
		free(percents);
		return -ENOMEM;
	}
	sum_lines(p, sums, percents, &n);
	qsort_r(sums, n, sizeof(*sums), by_percent, (void *)&p->v->n_events);
	buf_add_str(p->out, "\nSorted summary for file ");
	text_escape(p->out, f->path ? f->path : f->dso);
	buf_add_str(p->out, "\n----------------------------------------------\n\n");
	for (size_t i = 0; i < n; i++) {
		double highest = 0;

		for (size_t e = 0; e < p->v->n_events; e++)
			if (sums[i].percents[e] > highest)
				highest = sums[i].percents[e];
		if (highest <= PERCENT_GREEN)
			continue;
		add_sum(p, &sums[i]);
		shown++;
	}
	if (!shown)
		buf_addf(p->out, " Nothing higher than %1.1f%%\n", PERCENT_GREEN);
	free(sums);
	free(percents);
	return 0;
}

/* ---- lines ---- */

static void add_column(const struct printer *p, size_t event, size_t line)
{
	double percent = percent_of(p, event, line);
	struct ptui_annotate_count count = ptui_counts_line(p->v->counts, p->v->events[event],
							    line);
	const char *colour = percent_colour(p, percent);

	buf_add_str(p->out, colour);
	if (p->style->column == ANNOTATE_SAMPLES)
		buf_addf(p->out, " %7" PRIu64, count.samples);
	else if (p->style->column == ANNOTATE_PERIOD)
		buf_addf(p->out, " %11" PRIu64, count.period);
	else
		buf_addf(p->out, " %7.2f", percent);
	end_colour(p, colour);
}

/* perf's columns: instructions per cycle of the block, cycles up to the branch here. */
static void add_cycles(const struct printer *p, size_t line)
{
	struct ptui_line_cycles c = ptui_counts_line_cycles(p->v->counts, line);

	if (c.ipc > 0)
		buf_addf(p->out, " %6.2f", c.ipc);
	else
		buf_add_spaces(p->out, 7);
	if (c.sum)
		buf_addf(p->out, " %6" PRIu64, c.sum / c.branches);
	else
		buf_add_spaces(p->out, 7);
}

/* Up to RAW_BYTES bytes, from `at`. */
static void add_bytes(const struct printer *p, const struct ptui_line *line, size_t at, bool pad)
{
	size_t from = p->out->len;

	for (size_t i = at; i < line->n_bytes && i < at + RAW_BYTES; i++)
		buf_addf(p->out, "%02x ", line->bytes[i]);
	if (pad)
		buf_add_spaces(p->out, RAW_WIDTH - (p->out->len - from));
}

static void add_addr(const struct printer *p, uint64_t addr)
{
	buf_addf(p->out, " : %s  %*" PRIx64 ":%s", p->style->colour ? MAGENTA : "",
		 (int)p->addr_width, addr, p->style->colour ? PLAIN : "");
	buf_addf(p->out, "%s%*s", p->style->colour ? BLUE : "",
		 (int)(TAB - (p->addr_width + 1) % TAB), "");
}

/* objdump shows at most seven bytes in a line. */
static void add_more_bytes(const struct printer *p, const struct ptui_line *line)
{
	for (size_t at = RAW_BYTES; at < line->n_bytes; at += RAW_BYTES) {
		buf_add_spaces(p->out, columns_width(p));
		add_addr(p, line->addr + at);
		add_bytes(p, line, at, false);
		buf_add_str(p->out, p->style->colour ? PLAIN "\n" : "\n");
	}
}

/* -l: the source line beside the code, once for code that follows it. */
static void add_source_place(struct printer *p, size_t i, const struct ptui_line *line)
{
	double highest = highest_percent(p, i);

	if (!p->style->lines || !line->path || highest <= PERCENT_GREEN ||
	    (p->last_path && !strcmp(p->last_path, line->path) && p->last_line == line->line))
		return;
	p->last_path = line->path;
	p->last_line = line->line;
	buf_addf(p->out, "%s // ", percent_colour(p, highest));
	add_place(p, line->path, line->line);
	end_colour(p, percent_colour(p, highest));
}

static void add_code(struct printer *p, size_t i, const struct ptui_line *line)
{
	for (size_t e = 0; e < p->v->n_events; e++)
		add_column(p, e, i);
	if (p->cycles)
		add_cycles(p, i);
	add_addr(p, line->addr);
	if (p->style->raw)
		add_bytes(p, line, 0, true);
	text_escape(p->out, line->text);
	if (p->style->colour)
		buf_add_str(p->out, PLAIN);
	add_source_place(p, i, line);
	if (line->type) {
		buf_add_str(p->out, "\t\t# data-type: ");
		text_escape(p->out, line->type);
	}
	buf_add_char(p->out, '\n');
	if (p->style->raw)
		add_more_bytes(p, line);
}

/* Tabs are those of an editor, from the beginning of the line. */
static void add_expanded(struct buf *out, const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t n = strcspn(text, "\t"), from = out->len;

		text_escape_n(out, text, n);
		if (!out->err && out->data)
			column += text_width(out->data + from);
		text += n;
		if (*text) {
			buf_add_spaces(out, TAB - column % TAB);
			column += TAB - column % TAB;
			text++;
		}
	}
}

static void add_text(const struct printer *p, const struct ptui_line *line)
{
	buf_add_spaces(p->out, columns_width(p) + 1);
	buf_add_str(p->out, ": ");
	if (line->kind == PTUI_LINE_FUNCTION) {
		buf_add_spaces(p->out, p->addr_width + 1);
		text_escape(p->out, line->text);
		buf_add_str(p->out, "():\n");
		return;
	}
	buf_addf(p->out, "%-*u ", (int)p->addr_width, line->line);
	add_expanded(p->out, line->text);
	buf_add_char(p->out, '\n');
}

static void add_symbol(const struct printer *p)
{
	buf_add_spaces(p->out, columns_width(p) + 1);
	buf_addf(p->out, ": %016" PRIx64 " <", ptui_annotation_info(p->v->annotation)->start);
	text_escape(p->out, ptui_annotation_function(p->v->annotation)->symbol);
	buf_add_str(p->out, ">:\n");
}

int annotation_print(const struct annotate_view *v, const struct annotate_style *style,
		     struct buf *out)
{
	const struct ptui_annotation_info *info = ptui_annotation_info(v->annotation);
	struct printer p = { .v = v, .style = style, .out = out };
	int ret = 0;

	p.addr_width = (size_t)snprintf(NULL, 0, "%" PRIx64, info->end ? info->end - 1 : 0);
	p.cycles = ptui_counts_cycles(v->counts).branches != 0;
	if (style->lines)
		ret = add_summary(&p);
	if (ret)
		return ret;
	add_title(&p);
	if (style->histogram)
		add_histogram(&p);
	add_symbol(&p);
	for (size_t i = 0; i < ptui_annotation_n_lines(v->annotation); i++) {
		const struct ptui_line *line = ptui_annotation_line(v->annotation, i);

		if (line->kind == PTUI_LINE_CODE)
			add_code(&p, i, line);
		else
			add_text(&p, line);
	}
	return out->err;
}
