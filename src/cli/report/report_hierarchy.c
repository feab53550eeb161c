/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --hierarchy: rows by one sort key after the other, in perf's layout. The measures move right with the
 * level, before a common place for the texts:
 *
 *	#       Overhead  Command / Shared Object / Symbol
 *	    87.84%        work
 *	       71.28%        libc.so.6
 *	          17.23%        [.] memcpy
 */
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "cli/report/report_row.h"

#define INDENT 3 /* columns per level */

/* Of all levels. */
static bool is_measure(const struct ptui_hist *h, size_t col)
{
	return ptui_hist_column(h, col)->level == PTUI_NONE;
}

/* The next of these columns in perf's order; those before are at places below *place. SIZE_MAX: no more. */
static size_t next_measure(const struct ptui_hist *h, unsigned *place)
{
	size_t next = SIZE_MAX;

	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		if (is_measure(h, i) && c->place >= *place &&
		    (next == SIZE_MAX || c->place < ptui_hist_column(h, next)->place))
			next = i;
	}
	if (next != SIZE_MAX)
		*place = ptui_hist_column(h, next)->place + 1;
	return next;
}

static size_t n_levels(const struct ptui_hist *h)
{
	size_t n = 0;

	for (size_t i = 0; i < ptui_hist_n_columns(h); i++)
		if (!is_measure(h, i) && ptui_hist_column(h, i)->level >= n)
			n = ptui_hist_column(h, i)->level + 1;
	return n;
}

static size_t left_of_measures(const struct ptui_hist *h, const struct report_style *style)
{
	size_t n = n_levels(h);

	return style->separator || !n ? 0 : (n - 1) * INDENT;
}

/* Titles of a level, as Command+Shared Object. Returns their length. */
static size_t add_level_titles(const struct ptui_hist *h, size_t level, struct buf *out)
{
	size_t begin = out->len;

	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		if (c->level != level)
			continue;
		if (out->len > begin)
			buf_add_char(out, '+');
		buf_add_str(out, c->title + strspn(c->title, " "));
	}
	return out->len - begin;
}

/* What a level needs, with its indent. */
static size_t level_width(const struct ptui_hist *h, const struct report_style *style, size_t level)
{
	size_t width = 0;
	bool first = true;

	for (size_t i = 0; i < ptui_hist_n_columns(h); i++) {
		const struct ptui_column *c = ptui_hist_column(h, i);

		if (c->level != level)
			continue;
		width += report_width(h, style, i) + !first;
		first = false;
	}
	return level * INDENT + width;
}

static void add_dots(struct buf *out, size_t n)
{
	while (n--)
		buf_add_char(out, '.');
}

void report_hierarchy_titles(const struct ptui_hist *h, const struct report_style *style,
			     struct buf *out)
{
	const char *sep = style->separator;
	size_t levels = n_levels(h), width = 0, text = 0;
	unsigned place = 0;
	bool first = true;

	buf_add_str(out, "# ");
	buf_add_spaces(out, left_of_measures(h, style));
	for (size_t i; (i = next_measure(h, &place)) != SIZE_MAX;) {
		report_fitted(out, ptui_hist_column(h, i)->title, report_width(h, style, i), true);
		buf_add_str(out, sep ? sep : "  ");
	}
	for (size_t i = 0; i < levels; i++) {
		if (i)
			buf_add_str(out, " / ");
		text += add_level_titles(h, i, out) + (i ? strlen(" / ") : 0);
	}
	buf_add_str(out, "\n# ");
	add_dots(out, left_of_measures(h, style));
	place = 0;
	for (size_t i; (i = next_measure(h, &place)) != SIZE_MAX;) {
		if (!first)
			buf_add_str(out, sep ? sep : "..");
		first = false;
		add_dots(out, report_width(h, style, i));
	}
	for (size_t i = 0; i < levels; i++) {
		width = level_width(h, style, i);
		text = width > text ? width : text;
	}
	buf_add_str(out, sep ? sep : "  ");
	add_dots(out, text);
	buf_add_str(out, "\n#\n");
}

/* Without the spaces before it. */
static void add_text(struct report_plan *plan, size_t row, size_t col, struct buf *out)
{
	struct buf text = BUF_INIT;
	const char *start;

	report_plan_cell(plan, row, col, &text);
	start = buf_str(&text);
	buf_add_str(out, start + strspn(start, " "));
	if (text.err)
		out->err = text.err;
	buf_release(&text);
}

static void add_node(const struct ptui_hist *level, struct report_plan *plan,
		     const struct ptui_hierarchy_node *node, const struct report_style *style,
		     struct buf *out)
{
	const char *sep = style->separator;
	size_t n = ptui_hist_n_columns(level);
	unsigned place = 0;
	bool first = true;

	buf_add_spaces(out, node->level * INDENT);
	for (size_t i; (i = next_measure(level, &place)) != SIZE_MAX;) {
		if (!sep || !first)
			buf_add_str(out, sep ? sep : "  ");
		first = false;
		report_plan_cell(plan, node->row, i, out);
	}
	buf_add_spaces(out, left_of_measures(level, style));
	for (size_t i = 0; i < n; i++) {
		const struct ptui_column *c = ptui_hist_column(level, i);

		if (c->level != node->level)
			continue;
		buf_add_str(out, sep ? sep : "  ");
		add_text(plan, node->row, i, out);
	}
	buf_add_char(out, '\n');
}

static bool is_below_limit(const struct ptui_hierarchy *t, size_t i,
			   const struct report_style *style)
{
	const struct ptui_hierarchy_node *node = ptui_hierarchy_node(t, i);

	return report_below_limit(ptui_hierarchy_level(t, node->level), node->row,
				  style->percent_limit);
}

/* Of all nodes below this one, which are sorted, the first is the largest. */
static void add_no_entry(const struct ptui_hierarchy *t, size_t i, const struct report_style *style,
			 struct buf *out)
{
	const struct ptui_hierarchy_node *node = ptui_hierarchy_node(t, i);
	const struct ptui_hist *level = ptui_hierarchy_level(t, node->level);
	size_t width = 0;

	if (!node->n_below || !is_below_limit(t, i + 1, style))
		return;
	for (size_t c = 0; c < ptui_hist_n_columns(level); c++)
		if (is_measure(level, c))
			width += report_width(level, style, c) + (width ? 2 : 0);
	if (!style->separator)
		width += (n_levels(level) + node->level) * INDENT;
	buf_add_spaces(out, width + 4);
	buf_addf(out, "no entry >= %.2f%%\n", style->percent_limit);
}

static void free_plans(struct report_plan **plans, size_t n)
{
	for (size_t i = 0; plans && i < n; i++)
		report_plan_free(plans[i]);
	free(plans);
}

/* By level. NULL: out of memory. */
static struct report_plan **new_plans(const struct ptui_hierarchy *t,
				      const struct report_style *style)
{
	size_t n = ptui_hierarchy_n_levels(t);
	struct report_plan **plans = calloc(n + 1, sizeof(*plans));

	for (size_t i = 0; plans && i < n; i++) {
		plans[i] = report_plan_new(ptui_hierarchy_level(t, i), style);
		if (!plans[i]) {
			free_plans(plans, n);
			return NULL;
		}
	}
	return plans;
}

int report_hierarchy(struct ptui_hist *h, const struct ptui_event_info *event,
		     const struct report_style *style, struct buf *out, report_flush_fn flush,
		     void *ctx, struct ptui_error *err)
{
	struct ptui_hierarchy *t = ptui_hierarchy_new(h, err);
	struct report_plan **plans = t ? new_plans(t, style) : NULL;
	int ret = t ? 0 : -1;

	if (t && !plans)
		ret = ptui_error_nomem(err);
	for (size_t i = 0; !ret && i < ptui_hierarchy_n_nodes(t); i++) {
		const struct ptui_hierarchy_node *node = ptui_hierarchy_node(t, i);

		if (is_below_limit(t, i, style)) {
			i += node->n_below;
			continue;
		}
		add_node(ptui_hierarchy_level(t, node->level), plans[node->level], node, style,
			 out);
		add_no_entry(t, i, style, out);
		if (node->leaf != PTUI_NONE && style->chains && ptui_event_has_chains(event))
			ret = report_chain(h, node->leaf, style, out, err);
		if (!ret && out->err)
			ret = ptui_error_nomem(err);
		if (!ret && out->len >= FLUSH_BYTES)
			ret = flush(ctx, out);
	}
	free_plans(plans, t ? ptui_hierarchy_n_levels(t) : 0);
	ptui_hierarchy_free(t);
	return ret;
}
