/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks over all rows, in slices between keys: the rows are printed, or the row of a function is searched. */
#include <stdio.h>

#include "text/i18n.h"
#include "view/print.h"
#include "view/rows/rows_view.h"

#define STEP_ROWS 256 /* between two looks at the clock */

static void walk_on(void *ctx);

static bool is_late(const struct rows_view *v, uint64_t began_ns)
{
	return v->tree.slice_ns && loop_now_ns() - began_ns > v->tree.slice_ns;
}

/* ---- steps: true when done ---- */

static bool walk_print(struct rows_view *v)
{
	struct rows_walk *w = &v->walk;

	for (size_t n = 0; n < STEP_ROWS && w->at < w->n; n++)
		print_tree_row(w->out, &v->tree, w->at++, rows_view_whole_cell);
	return w->at >= w->n;
}

static bool walk_search(struct rows_view *v)
{
	struct rows_walk *w = &v->walk;

	return rows_of_function(v->rows, w->node, STEP_ROWS, &w->at, &w->found);
}

/* ---- the walk ---- */

static void walk_begin(struct rows_view *v, bool (*step)(struct rows_view *v), size_t n)
{
	v->walk.step = step;
	v->walk.rows = v->rows;
	v->walk.revision = rows_revision(v->rows);
	v->walk.at = 0;
	v->walk.n = n;
	v->walk.percent = 0;
}

/* Of other rows, what was found so far is void. */
static bool is_outdated(const struct rows_view *v)
{
	const struct rows_walk *w = &v->walk;

	return v->rows != w->rows || rows_revision(v->rows) != w->revision ||
	       (w->out && v->tree.n_rows != w->n);
}

static void print_end(struct rows_view *v, bool drop)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct rows_walk *w = &v->walk;

	print_close(w->out, w->path, drop, &err);
	w->out = NULL;
	print_report(v->stack, w->path, drop, &err);
}

bool rows_walk_stop(struct rows_view *v)
{
	struct rows_walk *w = &v->walk;

	if (!w->step)
		return false;
	loop_remove(stack_loop(v->stack), w->timer);
	w->timer = 0;
	w->step = NULL;
	if (w->out)
		print_end(v, true);
	return true;
}

static void walk_end(struct rows_view *v)
{
	bool prints = v->walk.out;

	v->walk.step = NULL;
	if (prints)
		print_end(v, false);
	else
		rows_view_jump_to(v, v->walk.found, v->walk.node);
}

/* One slice; later ones follow. Returns wishes. */
static unsigned walk_slice(struct rows_view *v)
{
	struct rows_walk *w = &v->walk;
	uint64_t began_ns = loop_now_ns();

	while (!w->step(v))
		if (is_late(v, began_ns)) {
			w->timer = loop_after(stack_loop(v->stack), 1, walk_on, v);
			if (!w->timer) {
				rows_walk_stop(v);
				stack_no_memory(v->stack);
			}
			return WISH_REDRAW;
		}
	walk_end(v);
	return WISH_REDRAW;
}

/* -1: no walk. */
static int walk_percent(const struct rows_view *v)
{
	const struct rows_walk *w = &v->walk;

	return !w->step ? -1 : w->n ? (int)(100 * w->at / w->n) : 100;
}

static void walk_on(void *ctx)
{
	struct rows_view *v = ctx;
	struct rows_walk *w = &v->walk;
	int percent = walk_percent(v);

	w->timer = 0;
	if (is_outdated(v))
		rows_walk_stop(v);
	else
		(void)walk_slice(v);
	if (!w->step || percent != w->percent)
		stack_wish(v->stack, v->screen, WISH_REDRAW);
	w->percent = percent;
}

const char *rows_walk_text(const struct rows_view *v, char *buf, size_t size)
{
	int percent = walk_percent(v);

	*buf = '\0';
	if (percent >= 0)
		snprintf(buf, size, v->walk.out ? _("printing… %d%%") : _("searching… %d%%"),
			 percent);
	return buf;
}

unsigned rows_view_print(struct rows_view *v)
{
	struct rows_walk *w = &v->walk;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!v->rows || !rows_n(v->rows))
		return stack_note(v->stack, _("Nothing to print yet."));
	w->out = print_create(NULL, w->path, sizeof(w->path), &err);
	if (!w->out)
		return print_report(v->stack, w->path, false, &err);
	v->ops->print_head(v->screen, w->out);
	fputs("#\n", w->out);
	print_tree_titles(w->out, &v->tree);
	walk_begin(v, walk_print, v->tree.n_rows);
	return walk_slice(v);
}

unsigned rows_walk_jump(struct rows_view *v, uint64_t node)
{
	v->walk.node = node;
	v->walk.found = ROWS_TOP;
	walk_begin(v, walk_search, rows_n(v->rows));
	return walk_slice(v);
}
