/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/copy_row.h"
#include "view/live/live_private.h"
#include "widget/number.h"

/* Live's own columns; the sort keys' follow. */
enum column { COLUMN_OVERHEAD, COLUMN_NOW, COLUMN_BUSY, COLUMNS_OWN };

/* The worker's answer lacks this row's callers: requests them. */
static void want_callers(struct live_view *v, uint64_t id)
{
	struct live_wanted *w = &v->wanted;
	bool unmade = live_hot_is_unmade(v->hot, id);

	if (!unmade && !w->all)
		return;
	if (w->n == w->room) {
		size_t room = w->room ? w->room * 2 : 64;
		uint64_t *ids = reallocarray(w->ids, room, sizeof(*ids));

		/* the row stays empty until the next request */
		if (!ids)
			return;
		w->ids = ids;
		w->room = room;
	}
	w->ids[w->n++] = id;
	w->fresh |= unmade;
}

static size_t count(void *ctx, uint64_t node)
{
	struct live_view *v = ctx;

	if (node != TREE_TOP && live_hot_opens(v->hot, node))
		want_callers(v, node);
	return live_hot_count(v->hot, node);
}

static uint64_t child(void *ctx, uint64_t node, size_t i)
{
	struct live_view *v = ctx;

	return live_hot_child(v->hot, node, i);
}

static bool opens(void *ctx, uint64_t node)
{
	struct live_view *v = ctx;

	return live_hot_opens(v->hot, node);
}

/*
 * Weighted views have no `now`: all of their percentages are recent. In others the column comes with
 * the first value, and stays.
 */
static bool has_now(const struct live_view *v)
{
	return !v->look.view.half_life_ns && !v->look.view.each_update &&
	       (v->has_now || live_hot_has_now(v->hot));
}

static enum column own_column(const struct live_view *v, size_t column)
{
	return (enum column)(column >= COLUMN_NOW && !v->has_now ? column + 1 : column);
}

static const char *tree_cell(void *ctx, uint64_t node, size_t column, char *buf, size_t size,
			     style_t *style)
{
	struct live_view *v = ctx;
	struct live_hot_entry e;

	if (!live_hot_get(v->hot, node, &e))
		return "";
	if (column >= v->n_own) {
		/* the DSO is context */
		if (!v->tree.table.columns[column].fill)
			*style = ROLE_DIM;
		return live_hot_cell(v->hot, node, column - v->n_own);
	}
	switch (own_column(v, column)) {
	case COLUMN_OVERHEAD:
		*style = style_heat(e.percent);
		return number_percent(buf, size, e.percent);
	case COLUMN_NOW:
		if (isnan(e.now))
			return "";
		*style = style_heat(e.now);
		snprintf(buf, size, "%.0f%%", e.now);
		return buf;
	default:
		if (isnan(e.busy))
			return "";
		*style = style_heat(e.busy);
		snprintf(buf, size, "%.0f%%", e.busy);
		return buf;
	}
}

static const char *tree_label(void *ctx, uint64_t node, char *buf, size_t size, style_t *style,
			      char *head, size_t head_size, style_t *head_style)
{
	struct live_view *v = ctx;
	struct live_hot_entry e;

	(void)style;
	if (!live_hot_get(v->hot, node, &e))
		return "";
	snprintf(head, head_size, "%5.2f%%", e.percent); /* align names */
	*head_style = style_heat(e.percent);
	if (!v->modules || !*e.dso)
		return e.text;
	snprintf(buf, size, "%s  %s", e.text, e.dso);
	return buf;
}

static const struct tree_ops tree_ops = {
	.count = count,
	.child = child,
	.opens = opens,
	.cell = tree_cell,
	.label = tree_label,
};

/*
 * Minimum and preferred width of a column (longer names are truncated in favour of the functions),
 * smallest width, and order of hiding.
 */
struct room {
	const char *name; /* of the sort key */
	int least, most, min, hide;
};

static const struct room rooms[] = {
	{ "comm", 8, 16, 6, 4 },   { "dso", 13, 24, 10, 3 },   { "symbol", 20, 20, 10, 0 },
	{ "sample", 9, 12, 0, 5 }, { "period", 12, 15, 0, 5 }, { "pid", 16, 24, 12, 0 },
};

static const struct room *room_of(const char *name)
{
	static const struct room any = { "", 6, 24, 6, 6 };

	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++)
		if (!strcmp(rooms[i].name, name))
			return &rooms[i];
	return &any;
}

static bool same_columns(const struct live_view *v)
{
	bool same = v->n_columns == live_hot_n_columns(v->hot);

	for (size_t i = 0; same && i < v->n_columns; i++)
		same = !strcmp(v->columns[i].name, live_hot_column(v->hot, i)->name);
	return same;
}

/* Columns only grow, so that nothing moves. */
static void grow_columns(struct live_view *v)
{
	bool same = same_columns(v);

	v->n_columns = live_hot_n_columns(v->hot);
	for (size_t i = 0; i < v->n_columns; i++) {
		const struct live_hot_column *c = live_hot_column(v->hot, i);
		int was = same ? v->columns[i].width : 0;

		v->columns[i] = *c;
		if (c->width < was)
			v->columns[i].width = was;
	}
}

/* The column that takes the remaining width: functions, if shown. */
static size_t filled(const struct live_view *v)
{
	for (size_t i = 0; i < v->n_columns; i++)
		if (!strcmp(v->columns[i].name, "symbol"))
			return i;
	return v->n_columns - 1;
}

static struct table_column make_column(const struct live_hot_column *c, bool fill)
{
	const struct room *room = room_of(c->name);
	struct table_column column = { .title = _(c->title),
				       .width = c->width,
				       .align = c->number ? ALIGN_RIGHT : ALIGN_LEFT,
				       .fill = fill };
	int title = utf8_width(column.title);

	/* the fill column takes only what is left */
	if (fill || column.width < room->least)
		column.width = room->least;
	if (column.width > room->most)
		column.width = room->most;
	if (column.width < title)
		column.width = title;
	if (!c->number)
		column.min = room->min;
	column.hide = fill ? 0 : room->hide;
	return column;
}

static void set_columns(struct live_view *v)
{
	const struct table_column own[COLUMNS_OWN] = {
		[COLUMN_OVERHEAD] = { .title = _("Overhead"), .width = 8, .align = ALIGN_RIGHT },
		[COLUMN_NOW] = { .title = _("now"), .width = 5, .align = ALIGN_RIGHT, .hide = 2 },
		[COLUMN_BUSY] = { .title = _("busy"), .width = 5, .align = ALIGN_RIGHT, .hide = 1 },
	};
	struct table_column columns[COLUMNS_OWN + LIVE_HOT_COLUMNS_MAX];
	size_t fill;

	grow_columns(v);
	fill = filled(v);
	v->has_now = has_now(v);
	v->n_own = (live_hot_has_busy(v->hot) ? COLUMNS_OWN : COLUMN_BUSY) - !v->has_now;
	for (size_t i = 0; i < v->n_own; i++)
		columns[i] = own[own_column(v, i)];
	for (size_t i = 0; i < v->n_columns; i++)
		columns[v->n_own + i] = make_column(&v->columns[i], i == fill);
	/* "Thread" instead of perf's title */
	if (v->n_columns && v->look.view.by == LIVE_HOT_THREADS)
		columns[v->n_own + v->n_columns - 1].title = _("Thread");
	table_set_columns(&v->tree.table, columns, v->n_own + v->n_columns);
}

int live_tree_init(struct live_view *v)
{
	int r = tree_init(&v->tree, &tree_ops, v);

	if (r)
		return r;
	find_init_table(&v->find, v->stack, &v->tree.table);
	v->tree.table.header = true;
	v->tree.table.follow_first = true;
	set_columns(v);
	return 0;
}

void live_tree_release(struct live_view *v)
{
	tree_release(&v->tree);
	live_hot_free(v->hot);
	find_release(&v->find);
	free(v->wanted.ids);
}

void live_tree_submit(struct live_view *v)
{
	struct live_hot_job job = { .event = 0 };

	if (v->line >= v->n_events || v->events[v->line].profile_event == PTUI_NONE)
		return;
	job.profile = live_look_profile(v, &v->info);
	if (!job.profile)
		return;
	job.event = v->events[v->line].profile_event;
	job.generation = v->info.generation;
	job.left = v->info.left;
	job.open = v->wanted.ids;
	job.n_open = v->wanted.n;
	job.view = live_look_view(v);
	v->wanted.fresh = false;
	if (job.event < ptui_profile_n_events(job.profile) && live_worker_submit(v->worker, &job))
		stack_say(v->stack, ROLE_BAD,
			  _("Out of memory: the function list is not updated."));
	ptui_profile_unref(job.profile);
}

static void submit_wanted(struct live_view *v)
{
	if (v->wanted.fresh)
		live_tree_submit(v);
}

void live_tree_refresh(struct live_view *v)
{
	struct live_hot *hot = live_worker_take(v->worker);

	/* another event was selected meanwhile: its answer follows */
	if (hot && live_hot_event(hot) != v->events[v->line].profile_event) {
		live_hot_free(hot);
		return;
	}
	if (!hot)
		return;
	live_hot_free(v->hot);
	v->hot = hot;
	set_columns(v);
	v->wanted.n = 0;
	v->wanted.all = true;
	if (tree_recalc(&v->tree))
		stack_say(v->stack, ROLE_BAD,
			  _("Out of memory: the function list is not updated."));
	v->wanted.all = false;
	live_trust_refresh(v);
	submit_wanted(v);
}

unsigned live_tree_request(struct live_view *v, enum request req)
{
	unsigned wishes = find_request(&v->find, req);

	if (wishes != WISH_PASS)
		return wishes;
	if (req == REQ_COPY_ROW)
		return copy_row(v->stack, &v->tree);
	wishes = tree_request(&v->tree, req);
	submit_wanted(v);
	return wishes;
}

unsigned live_tree_mouse(struct live_view *v, const struct term_event *e)
{
	struct term_event inside = *e;
	unsigned wishes;

	if (!box_has(&v->boxes[BOX_FUNCTIONS], e->y))
		return WISH_PASS;
	inside.y -= v->boxes[BOX_FUNCTIONS].y;
	wishes = tree_mouse(&v->tree, &inside);
	submit_wanted(v);
	return wishes;
}
