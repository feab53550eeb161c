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
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "base/vec.h"
#include "cli/report/report.h"

#define MARGIN 12

struct drawing {
	const struct ptui_calltree *tree;
	const struct report_style *style;
	struct buf *out;
	uint64_t total;
	size_t left; /* columns before the first bar */
	bool *bars;  /* by depth: the bar continues below */
	size_t cap_bars;
};

static void add_frame(const struct drawing *d, const struct ptui_callnode *node, uint32_t i)
{
	char name[1024];

	ptui_calltree_frame(d->tree, node, i, name, sizeof(name));
	text_escape(d->out, name);
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

static void add_percent(const struct drawing *d, const struct ptui_callnode *node, size_t depth)
{
	char percent[TEXT_NUMBER_BYTES];

	text_percent(percent, (double)node->cumul * 100.0 / (double)d->total);
	buf_add_str(d->out, d->bars[depth - 1] ? "|--" : " --");
	buf_add_str(d->out, percent);
	buf_add(d->out, "--", 2);
}

static void draw_node(const struct drawing *d, const struct ptui_callnode *node, size_t depth)
{
	for (uint32_t i = 0; i < node->n_frames; i++) {
		if (i) {
			add_bars(d, depth);
		} else {
			add_bars(d, depth - 1);
			add_percent(d, node, depth);
		}
		add_frame(d, node, i);
	}
}

static int draw_level(struct drawing *d, uint32_t first, size_t depth)
{
	uint64_t n = 0;

	if (vec_grow(&d->bars, &d->cap_bars, depth + 1))
		return -ENOMEM;
	d->bars[depth - 1] = true;
	for (uint32_t at = first; at != PTUI_NONE;) {
		const struct ptui_callnode *node = ptui_calltree_node(d->tree, at);
		int err;

		add_bars(d, depth);
		buf_add_char(d->out, '\n');
		/* the line above connects to the last one; nothing follows below */
		d->bars[depth - 1] = node->next != PTUI_NONE;
		draw_node(d, node, depth);
		err = draw_level(d, node->first_child, depth + 1);
		if (err)
			return err;
		if (++n == d->style->chain_max_lines)
			break;
		at = node->next;
	}
	return 0;
}

/* A single root has the percentage of the row: omit it. */
static uint32_t draw_root(struct drawing *d, const struct ptui_callnode *root)
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
		add_frame(d, root, i);
		if (++n == d->style->chain_max_lines)
			break;
	}
	return root->first_child;
}

int report_chain(struct ptui_hist *h, size_t row, const struct report_style *style, struct buf *out,
		 struct ptui_error *err)
{
	uint64_t total = ptui_hist_total_period(h);
	uint64_t min = (uint64_t)((double)total * (style->chain_min_percent / 100.0));
	struct drawing d = { .style = style, .out = out, .total = total, .left = MARGIN };
	const struct ptui_callnode *root;
	struct ptui_calltree *tree;
	size_t before = out->len;
	struct ptui_row r;
	uint32_t first;
	int ret = 0;

	ptui_hist_row(h, row, &r);
	if (r.period_children < min) /* no branch is larger than its row */
		return 0;
	d.tree = tree = ptui_hist_calltree(h, row, min, err);
	if (!tree)
		return -ENOMEM;
	first = ptui_calltree_first(tree);
	root = ptui_calltree_node(tree, first);
	if (root && root->next == PTUI_NONE && root->cumul == r.period_children)
		first = draw_root(&d, root);
	if (first != PTUI_NONE)
		ret = draw_level(&d, first, 1);
	if (out->len != before)
		buf_add_char(out, '\n');
	free(d.bars);
	ptui_calltree_free(tree);
	return ret ? ptui_error_nomem(err) : 0;
}
