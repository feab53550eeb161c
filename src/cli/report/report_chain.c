/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callchains as perf draws them:
 *
 *         |
 *         ---main               a single root: no percentage
 *            |
 *            |--88.90%--leaf    a branch, others follow
 *            |
 *             --10.89%--other   the last one
 *                       leaf    the rest of a node's frames
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "cli/report/report.h"

#define MARGIN 12

struct drawing {
	struct ptui_calltree *tree;
	const struct report_style *style;
	struct buf *out;
	uint64_t total; /* 100 %, but for levels of a fractal */
	size_t left;	/* columns before the first bar */
	bool *bars;	/* by depth: the bar continues below */
	size_t cap_bars;
};

static void add_frame(const struct drawing *d, const struct ptui_callnode *node, uint32_t i)
{
	char text[1024];

	ptui_calltree_frame(d->tree, node, i, text, sizeof(text));
	text_escape(d->out, text);
	ptui_calltree_line(d->tree, node, i, text, sizeof(text));
	if (*text) {
		buf_add_char(d->out, ' ');
		text_escape(d->out, text);
	}
}

static void add_frame_line(const struct drawing *d, const struct ptui_callnode *node, uint32_t i)
{
	char branches[512];

	add_frame(d, node, i);
	ptui_calltree_branches(d->tree, node, i, branches, sizeof(branches));
	buf_add_str(d->out, branches);
	buf_add_char(d->out, '\n');
}

/* The bars of the levels above, each eleven columns wide. */
static void add_bars(const struct drawing *d, size_t depth)
{
	buf_add_spaces(d->out, d->left);
	for (size_t i = 0; i < depth; i++) {
		buf_add_char(d->out, d->bars[i] ? '|' : ' ');
		buf_add_spaces(d->out, 10);
	}
}

static void add_value(const struct drawing *d, uint64_t period, uint64_t samples, uint64_t total)
{
	char percent[TEXT_NUMBER_BYTES];

	switch (d->style->chain_value) {
	case CHAIN_PERIOD:
		buf_addf(d->out, "%" PRIu64, period);
		break;
	case CHAIN_COUNT:
		buf_addf(d->out, "%" PRIu64, samples);
		break;
	case CHAIN_PERCENT:
		text_percent(percent, total ? (double)period * 100.0 / (double)total : 0);
		buf_add_str(d->out, percent);
		break;
	}
}

static void add_branch(const struct drawing *d, uint64_t period, uint64_t samples, uint64_t total,
		       size_t depth)
{
	add_bars(d, depth - 1);
	buf_add_str(d->out, d->bars[depth - 1] ? "|--" : " --");
	add_value(d, period, samples, total);
	buf_add(d->out, "--", 2);
}

static void draw_node(const struct drawing *d, const struct ptui_callnode *node, uint64_t total,
		      size_t depth)
{
	for (uint32_t i = 0; i < node->n_frames; i++) {
		if (i)
			add_bars(d, depth);
		else
			add_branch(d, node->cumul, node->cumul_samples, total, depth);
		add_frame_line(d, node, i);
	}
}

/* ---- graphs ---- */

/*
 * The nodes of one level. Those of a fractal have percentages of their caller, of which smaller ones are
 * hidden; what is hidden is the last entry, "[...]".
 */
struct level {
	uint32_t first;
	uint64_t total;
	uint64_t left, left_samples; /* of what is not drawn yet, in a fractal */
	uint64_t min;
};

/* As in perf, of the level that follows a single root the total is that of the row. */
static struct level level_of(const struct drawing *d, uint32_t first, uint64_t total,
			     uint64_t below, uint64_t samples_below)
{
	struct level l = { first, total, 0, 0, 0 };
	double min = (double)below * (d->style->chain_min_percent / 100.0);

	if (d->style->chain_type != CHAIN_FRACTAL)
		return l;
	l.left = total;
	l.left_samples = samples_below;
	l.min = (uint64_t)min;
	l.min += (double)l.min < min;
	return l;
}

static uint32_t level_next(const struct drawing *d, const struct level *l, uint32_t at)
{
	while (at != PTUI_NONE && ptui_calltree_node(d->tree, at)->cumul < l->min)
		at = ptui_calltree_node(d->tree, at)->next;
	return at;
}

static void draw_rest(const struct drawing *d, const struct level *l, size_t depth)
{
	if (!l->left || l->left == l->total)
		return;
	if (d->style->chain_value == CHAIN_COUNT && !l->left_samples)
		return;
	d->bars[depth - 1] = false;
	add_branch(d, l->left, l->left_samples, l->total, depth);
	buf_add_str(d->out, "[...]\n");
}

static int draw_level(struct drawing *d, struct level l, size_t depth)
{
	uint64_t n = 0;

	if (vec_grow(&d->bars, &d->cap_bars, depth + 1))
		return -ENOMEM;
	d->bars[depth - 1] = true;
	for (uint32_t at = level_next(d, &l, l.first); at != PTUI_NONE;) {
		const struct ptui_callnode *node = ptui_calltree_node(d->tree, at);
		uint64_t below = node->cumul - node->hits;
		bool fractal = d->style->chain_type == CHAIN_FRACTAL;
		int err;

		if (fractal) {
			l.left -= node->cumul;
			l.left_samples -= node->cumul_samples;
		}
		at = level_next(d, &l, node->next);
		add_bars(d, depth);
		buf_add_char(d->out, '\n');
		/* the line above connects to the last one; nothing follows below */
		d->bars[depth - 1] = at != PTUI_NONE || l.left;
		draw_node(d, node, l.total, depth);
		err = draw_level(d,
				 level_of(d, node->first_child, fractal ? below : l.total, below,
					  node->cumul_samples - node->hit_samples),
				 depth + 1);
		if (err)
			return err;
		if (++n == d->style->chain_max_lines)
			break;
	}
	draw_rest(d, &l, depth);
	return 0;
}

/* A single root has the percentage of the row: omit it. */
static void draw_root(struct drawing *d, const struct ptui_callnode *root)
{
	bool skip_first = !d->style->fields && d->style->sort && !strncmp(d->style->sort, "sym", 3);
	uint64_t n = 0;

	for (uint32_t i = skip_first; i < root->n_frames; i++) {
		buf_add_spaces(d->out, d->left);
		if (!n) {
			buf_add_str(d->out, "|\n");
			buf_add_spaces(d->out, d->left);
			buf_add_str(d->out, "---");
			d->left += 3;
		}
		add_frame_line(d, root, i);
		if (++n == d->style->chain_max_lines)
			break;
	}
}

/* Of a level: samples of the row without callchains are in none. */
static uint64_t sum_level(const struct drawing *d, uint32_t first, uint64_t *ret_samples)
{
	uint64_t period = 0;

	*ret_samples = 0;
	for (uint32_t at = first; at != PTUI_NONE; at = ptui_calltree_node(d->tree, at)->next) {
		period += ptui_calltree_node(d->tree, at)->cumul;
		*ret_samples += ptui_calltree_node(d->tree, at)->cumul_samples;
	}
	return period;
}

static int draw_graph(struct drawing *d, const struct ptui_row *row)
{
	uint32_t first = ptui_calltree_first(d->tree);
	const struct ptui_callnode *root = ptui_calltree_node(d->tree, first);
	uint64_t below, samples;
	size_t before = d->out->len;
	int ret;

	if (d->style->chain_type == CHAIN_FRACTAL)
		d->total = row->period_children;
	if (root && root->next == PTUI_NONE && root->cumul == row->period_children) {
		draw_root(d, root);
		first = root->first_child;
	}
	below = sum_level(d, first, &samples);
	ret = draw_level(d, level_of(d, first, d->total, below, samples), 1);
	if (d->out->len != before)
		buf_add_char(d->out, '\n');
	free(d->bars);
	return ret;
}

/* ---- lists ---- */

/* All frames of a chain, from its root on. */
static bool add_chain(const struct drawing *d, uint32_t at, bool folded)
{
	const struct ptui_callnode *node = ptui_calltree_node(d->tree, at);
	const char *separator = d->style->separator ? d->style->separator : ";";
	bool any = node->parent != PTUI_NONE && add_chain(d, node->parent, folded);

	for (uint32_t i = 0; i < node->n_frames; i++) {
		if (!folded)
			buf_add_spaces(d->out, 16);
		else if (any)
			buf_add_str(d->out, separator);
		add_frame(d, node, i);
		if (!folded)
			buf_add_char(d->out, '\n');
		any = true;
	}
	return any;
}

static int draw_list(struct drawing *d, uint64_t min)
{
	bool folded = d->style->chain_type == CHAIN_FOLDED;
	size_t n;
	uint32_t *ends = ptui_calltree_ends(d->tree, min, &n);

	for (size_t i = 0; ends && i < n; i++) {
		const struct ptui_callnode *node = ptui_calltree_node(d->tree, ends[i]);

		if (!folded)
			buf_add_spaces(d->out, 11);
		/* perf's numbers of a flat list include what is below */
		add_value(d, folded ? node->hits : node->cumul,
			  folded ? node->hit_samples : node->cumul_samples, d->total);
		buf_add_char(d->out, folded ? ' ' : '\n');
		add_chain(d, ends[i], folded);
		buf_add_char(d->out, '\n');
		if (i + 1 == d->style->chain_max_lines)
			break;
	}
	free(ends);
	return ends ? 0 : -ENOMEM;
}

/* Of branches that are shown; of those of a fractal there are others. */
static uint64_t min_period(const struct ptui_hist *h, const struct report_style *style)
{
	return (uint64_t)((double)ptui_hist_total_period(h) * (style->chain_min_percent / 100.0));
}

uint64_t report_chain_min(const struct ptui_hist *h, const struct report_style *style)
{
	/* no branch is larger than its row */
	return style->chain_type == CHAIN_FRACTAL ? 0 : min_period(h, style);
}

int report_chain(struct ptui_hist *h, size_t row, const struct report_style *style, struct buf *out,
		 struct ptui_error *err)
{
	uint64_t total = ptui_hist_total_period(h), min = min_period(h, style);
	struct drawing d = { .style = style, .out = out, .total = total, .left = MARGIN };
	bool graph = style->chain_type == CHAIN_GRAPH || style->chain_type == CHAIN_FRACTAL;
	struct ptui_row r;
	int ret = 0;

	ptui_hist_row(h, row, &r);
	if (r.period_children < report_chain_min(h, style))
		return 0;
	d.tree = ptui_hist_calltree(h, row, style->chain_type == CHAIN_GRAPH ? min : 0, err);
	if (!d.tree)
		return -ENOMEM;
	if (style->chain_value == CHAIN_COUNT)
		ret = ptui_calltree_count(d.tree, h, row, err);
	if (!ret && (graph ? draw_graph(&d, &r) : draw_list(&d, min)))
		ret = ptui_error_nomem(err);
	ptui_calltree_free(d.tree);
	return ret;
}
