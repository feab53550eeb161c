/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slow work runs in threads; the visible rows stay usable meanwhile. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/rows/rows_trees.h"
#include "text/i18n.h"
#include "view/browser/browser_private.h"
#include "widget/popup.h"

#define EXPAND_ROWS  5000   /* looked at without slices, when all are opened */
#define REOPEN_NODES 1000   /* opened again at once when the rows changed … */
#define REOPEN_ROWS  4000   /* … with so many below them */
#define LIST_ROWS    200000 /* whose callchains are made by a thread */

/* Whether what is open can be opened again at once, for other rows. */
static bool reopens_at_once(const struct tree *t)
{
	size_t n;

	(void)tree_open_nodes(t, &n);
	return n <= REOPEN_NODES && t->n_rows - t->n_top <= REOPEN_ROWS;
}

/* ---- counting ---- */

static void count_run(void *task, struct worker *w)
{
	browser_job_run(task, worker_progress, w);
}

static void count_done(void *task, void *owner)
{
	struct browser_screen *b = owner;
	struct browser_job *job = task;

	b->listed = job->makes_open ? NULL : job->rows.made;
	b->trees = job->trees;
	job->trees = NULL;
	browser_job_done(b->model, job);
	/* the old rows are freed with the task, and a key may come before the next draw */
	browser_recalc(b);
	rows_trees_free(b->trees);
	b->trees = NULL;
	b->listed = NULL;
	rows_view_counted(&b->view);
}

static void count_release(void *task)
{
	browser_job_release(task);
	free(task);
}

const struct worker_ops browser_counting = { count_run, count_done, count_release };

/*
 * The open rows that may have callchains, each before those below it; malloc()ed. Without memory: NULL, and *ret_n 0.
 */
static uint64_t *list_open_rows(const struct browser_screen *b, size_t *ret_n)
{
	const struct tree *t = &b->view.tree;
	int levels = b->view.rows ? rows_n_levels(b->view.rows) : 0;
	uint64_t *ids = NULL;
	size_t cap = 0, n = 0;

	for (size_t row = tree_next_open(t, 0, levels); row != SIZE_MAX && n < LIST_ROWS;
	     row = tree_next_open(t, row + 1, levels)) {
		if (vec_grow(&ids, &cap, n + 1))
			break;
		ids[n++] = tree_node(t, row);
	}
	*ret_n = n;
	return ids;
}

void *browser_job(void *self)
{
	struct browser_screen *b = self;
	struct browser_job *job = calloc(1, sizeof(*job));

	if (job && browser_job_next(b->model, job)) {
		job->open = list_open_rows(b, &job->n_open);
		job->makes_open = reopens_at_once(&b->view.tree);
	}
	return job;
}

unsigned browser_shown(void *self)
{
	struct browser_screen *b = self;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (browser_shows_slowly(b->model))
		return rows_view_changed(&b->view);
	if (browser_show(b->model, &err))
		rows_view_say_error(&b->view, &err);
	browser_recalc(b);
	return WISH_REDRAW;
}

/* ---- newer profiles, while the file is loaded ---- */

bool browser_can_replace(const struct browser_screen *b)
{
	return !b->view.counting && !b->opening && !b->expand_timer && !b->view.walk.step;
}

int browser_set_newer(struct browser_screen *b, struct ptui_profile *p)
{
	int ret = browser_set_profile(b->model, p);

	if (ret == -EINVAL)
		stack_say(b->stack, ROLE_BAD, "%s", _("The file is another recording now."));
	else if (ret < 0)
		stack_no_memory(b->stack);
	if (ret < 0)
		return ret;
	b->generation++;
	rows_view_count(&b->view);
	stack_wish(b->stack, b, WISH_RECALC);
	return 0;
}

/* What the recording was loaded again for. */
static void take_wanted(struct browser_screen *b, struct ptui_profile *all)
{
	struct rows_look *look = b->view.look, before = *look;

	memcpy(look->sort, b->wanted->sort, sizeof(look->sort));
	memcpy(look->fields, b->wanted->fields, sizeof(look->fields));
	look->widths = b->wanted->widths;
	look->order = b->wanted->order;
	if (strcmp(look->only.lists[ROWS_LIST_FIELDS], b->wanted->only.lists[ROWS_LIST_FIELDS]) !=
	    0)
		(void)rows_look_set_only(look, ROWS_ZOOM_LISTS + ROWS_LIST_FIELDS,
					 b->wanted->only.lists[ROWS_LIST_FIELDS],
					 NULL); /* it was checked */
	if (browser_set_newer(b, all))
		*look = before;
	else
		b->chosen = true;
}

static void end_loading(struct browser_screen *b)
{
	struct browser_loading *l = b->loading;

	b->loading = NULL;
	free(b->wanted);
	b->wanted = NULL;
	browser_loading_free(l);
	stack_wish(b->stack, b, WISH_RECALC);
}

void browser_loaded(struct browser_screen *b, struct ptui_profile *all,
		    const struct ptui_error *err)
{
	if (all && b->wanted) {
		take_wanted(b, all);
	} else if (all) {
		browser_set_newer(b, all);
	} else if (b->wanted) {
		popup_error(b->stack, err);
	} else {
		free(b->stopped);
		b->stopped = strdup(err->text); /* NULL: shown only once */
		popup_error(b->stack, err);
	}
	end_loading(b);
}

unsigned browser_stop_loading(struct browser_screen *b)
{
	char text[512];

	if (!b->loading)
		return WISH_PASS;
	if (b->wanted) {
		end_loading(b);
		return WISH_RECALC |
		       stack_note(b->stack, _("The sort keys, columns and filters stay."));
	}
	end_loading(b);
	return WISH_RECALC | stack_note(b->stack, browser_loaded_text(b, text, sizeof(text)));
}

/* ---- opening ---- */

static void expand(void *ctx)
{
	struct browser_screen *b = ctx;
	int ret = tree_expand_step(&b->view.tree, ROWS_SLICE_NS, &b->expanded);

	b->expand_timer = 0;
	if (ret > 0)
		b->expand_timer = loop_after(stack_loop(b->stack), 1, expand, b);
	else
		stack_wish(b->stack, b, WISH_REDRAW);
	if (ret < 0)
		stack_no_memory(b->stack);
}

static void expand_all(struct browser_screen *b)
{
	if (tree_expand_begin(&b->view.tree))
		stack_no_memory(b->stack);
	else if (!b->expand_timer)
		expand(b);
}

static void open_run(void *task, struct worker *w)
{
	(void)rows_trees_run(task, worker_progress, w);
}

static void open_done(void *task, void *owner)
{
	struct browser_screen *b = owner;
	bool all = rows_trees_take(task);

	stack_wish(b->stack, b, WISH_REDRAW);
	/* the rows changed, or the cursor moved meanwhile */
	if (rows_trees_rows(task) != b->view.rows)
		return;
	if (!all)
		stack_no_memory(b->stack);
	else if (b->opens == REQ_EXPAND_ALL)
		expand_all(b);
	else if (b->opens == REQ_NONE)
		expand(b);
	else if (tree_cursor(&b->view.tree) == b->opens_node)
		(void)tree_request(&b->view.tree, b->opens);
	browser_go_on_opening(b);
}

static void open_release(void *task)
{
	rows_trees_free(task);
}

static const struct worker_ops open_ops = { open_run, open_done, open_release };

/* Owns `trees`; `req` follows. */
static void open_start(struct browser_screen *b, struct rows_trees *trees, enum request req,
		       uint64_t node)
{
	worker_abandon(&b->opening);
	if (trees)
		worker_start_shown(&b->opening, b->stack, &open_ops, trees, b, NULL);
	if (!b->opening)
		stack_no_memory(b->stack);
	b->opens = req;
	b->opens_node = node;
}

bool browser_opens_later(struct browser_screen *b, enum request req)
{
	struct rows *rows = b->view.rows;
	uint64_t node = tree_cursor(&b->view.tree);
	struct rows_trees *trees;
	int ret;

	if (rows && (req == REQ_OPEN || req == REQ_TOGGLE) && rows_is_inner(rows, node))
		return false;
	if (!rows || (req != REQ_OPEN && req != REQ_TOGGLE && req != REQ_EXPAND_ENTRY &&
		      req != REQ_EXPAND_ALL))
		return false;
	trees = rows_trees_new(rows,
			       req == REQ_EXPAND_ALL   ? ROWS_TOP :
			       req == REQ_EXPAND_ENTRY ? tree_cursor_entry(&b->view.tree) :
							 node,
			       &ret);
	if (!trees && !ret && (req != REQ_EXPAND_ALL || rows_n_trees(rows, ROWS_TOP) < EXPAND_ROWS))
		return false;
	if (!trees && !ret) {
		expand_all(b);
		return true;
	}
	open_start(b, trees, req, node);
	return true;
}

static void reopen(struct browser_screen *b, struct rows *rows, struct rows_trees *trees)
{
	uint64_t cursor = tree_cursor(&b->view.tree);
	struct tree_ids *open = tree_take_open(&b->view.tree);

	browser_stop_opening(b);
	rows_view_set_rows(&b->view, rows);
	if (!open || tree_reopen_begin(&b->view.tree, open, cursor)) {
		rows_trees_free(trees);
		stack_no_memory(b->stack);
	} else if (trees) {
		open_start(b, trees, REQ_NONE, TREE_TOP);
	} else {
		b->expand_timer = loop_after(stack_loop(b->stack), 1, expand, b);
	}
}

/* The trees of open rows that have to be made first; NULL: none. */
static struct rows_trees *trees_of_open(struct browser_screen *b, struct rows *rows, int *ret_err)
{
	struct rows_trees *ret = NULL;
	uint64_t *ids;
	size_t n;

	*ret_err = 0;
	if (b->listed == rows) {
		ret = b->trees;
		b->trees = NULL;
		return ret;
	}
	ids = list_open_rows(b, &n);
	ret = n ? rows_trees_new_of(rows, ids, n, ret_err) : NULL;
	free(ids);
	return ret;
}

void browser_set_rows(struct browser_screen *b, struct rows *rows)
{
	bool changed = rows && rows_revision(rows) != b->view.rows_revision;
	struct rows_trees *trees = NULL;
	int ret = 0;

	if (changed)
		trees = trees_of_open(b, rows, &ret);
	if (trees || ret || (changed && !reopens_at_once(&b->view.tree)))
		reopen(b, rows, trees);
	else
		rows_view_set_rows(&b->view, rows);
}

void browser_go_on_opening(struct browser_screen *b)
{
	if (b->view.tree.opening && !b->opening && !b->expand_timer)
		b->expand_timer = loop_after(stack_loop(b->stack), 1, expand, b);
}

void browser_stop_opening(struct browser_screen *b)
{
	tree_expand_end(&b->view.tree);
	loop_remove(stack_loop(b->stack), b->expand_timer);
	b->expand_timer = 0;
	worker_abandon(&b->opening);
}

/* ---- completion ---- */

unsigned browser_stop(struct browser_screen *b)
{
	if (browser_can_replace(b))
		return WISH_PASS;
	browser_stop_opening(b);
	if (!b->view.counting)
		return WISH_REDRAW;
	worker_abandon(&b->view.counting);
	b->view.asked = false;
	return browser_cancel(b->model) ? WISH_RECALC : WISH_POP;
}

static void free_model(void *model)
{
	browser_free(model);
}

void browser_leave(struct browser_screen *b)
{
	worker_abandon(&b->opening);
	loop_remove(stack_loop(b->stack), b->expand_timer);
	worker_put_away(free_model, b->model);
	b->model = NULL;
}
