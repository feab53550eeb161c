/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live's rows: made by the worker, shown by view/rows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/live/live_private.h"
#include "view/print.h"
#include "widget/number.h"

/* ---- the worker ---- */

/* The open rows at depth 0, whose callers the worker has to make; malloc()ed. */
static uint64_t *open_rows(struct live_view *v, size_t *ret_n)
{
	struct rows *rows = v->rows.rows;
	size_t n = rows ? rows_n(rows) : 0;
	uint64_t *ids = malloc((n + 1) * sizeof(*ids));

	*ret_n = 0;
	for (size_t i = 0; ids && i < n; i++) {
		uint64_t id = rows_child(rows, ROWS_TOP, i);

		if (tree_is_open(&v->rows.tree, id))
			ids[(*ret_n)++] = id;
	}
	return ids;
}

void live_tree_submit(struct live_view *v)
{
	struct live_hot_job job = { .event = 0 };
	uint64_t *open;

	if (v->line >= v->n_events || v->events[v->line].profile_event == PTUI_NONE)
		return;
	job.profile = live_look_profile(v, &v->info);
	if (!job.profile)
		return;
	open = open_rows(v, &job.n_open);
	job.open = open;
	job.event = v->events[v->line].profile_event;
	job.generation = v->info.generation;
	job.left = v->info.left;
	job.view = live_look_view(v);
	if (job.event < ptui_profile_n_events(job.profile) &&
	    (!open || live_worker_submit(&v->worker, &job)))
		stack_say(v->stack, ROLE_BAD,
			  _("Out of memory: the function list is not updated."));
	free(open);
	ptui_profile_unref(job.profile);
}

/* A row was opened whose callers the worker has not made. */
static void submit_opened(struct live_view *v)
{
	if (v->rows.rows && rows_deferred(v->rows.rows))
		live_tree_submit(v);
}

void live_tree_refresh(void *view, struct live_hot *hot)
{
	struct live_view *v = view;
	struct live_hot *before = v->hot;

	stack_wish(v->stack, v, WISH_REDRAW);
	/* another event was selected meanwhile: its answer follows */
	if (!hot || hot->event != v->events[v->line].profile_event) {
		live_hot_free(hot);
		return;
	}
	v->hot = hot;
	rows_view_set_rows(&v->rows, hot->rows);
	live_hot_free(before);
	live_trust_refresh(v);
	submit_opened(v);
}

/* ---- columns ---- */

enum { OWN_NOW, OWN_BUSY };

/*
 * Weighted views have no `now`: all of their percentages are recent. In others the column comes with
 * the first value, and stays.
 */
static size_t own_columns(void *self, struct table_column ret[ROWS_OWN_MAX])
{
	struct live_view *v = self;
	size_t n = 0;

	v->has_now = !v->look.view.half_life_ns && !v->look.view.each_update &&
		     (v->has_now || v->hot->has_now);
	if (v->has_now)
		ret[n++] = (struct table_column){
			.title = _("now"), .width = 5, .align = ALIGN_RIGHT, .hide = 2
		};
	if (v->hot->has_busy)
		ret[n++] = (struct table_column){
			.title = _("busy"), .width = 5, .align = ALIGN_RIGHT, .hide = 1
		};
	return n;
}

static const char *own_cell(void *self, uint64_t node, size_t own, char *buf, size_t size,
			    style_t *style)
{
	const struct live_view *v = self;
	uint32_t row = rows_row(v->hot->rows, node);
	double percent;

	if (row == PTUI_NONE)
		return "";
	percent = (own == OWN_NOW && v->has_now ? v->hot->now : v->hot->busy)[row];
	if (isnan(percent))
		return "";
	*style = style_heat(percent);
	snprintf(buf, size, "%.0f%%", percent);
	return buf;
}

/* "7:worker" without padding: the table pads; "CPU 3". */
static const char *cell_text(void *self, uint64_t node, const struct ptui_column *column, char *buf,
			     size_t size)
{
	const struct live_view *v = self;
	char cell[ROWS_CELL];

	if (v->look.view.by == LIVE_HOT_CPUS && !strcmp(column->name, "cpu")) {
		int cpu = rows_cpu(v->hot->rows, node);

		if (cpu < 0)
			return _("CPUs are not recorded (--sample-cpu)");
		snprintf(buf, size, _("CPU %d"), cpu);
		return buf;
	}
	if (strcmp(column->name, "pid") != 0)
		return NULL;
	rows_cell(v->hot->rows, node, rows_find_column(v->hot->rows, "pid"), cell, sizeof(cell));
	snprintf(buf, size, "%s", cell + strspn(cell, " "));
	return buf;
}

static const struct rows_room rooms[] = {
	{ "comm", 8, 16, 6, 4 },
	{ "dso", 13, 24, 10, 3 },
	{ "symbol", 20, 20, 20, 0 },
	{ "sample", 9, 12, 0, 5 },
	{ "period", 12, 15, 0, 5 },
	{ "pid", 16, 24, 12, 0 },
	{ NULL },
};

static const struct rows_room other = { "", 6, 24, 6, 6 };

/* ---- requests ---- */

static unsigned changed(void *self)
{
	live_tree_submit(self);
	return WISH_REDRAW;
}

/* The rows of the worker's last answer, until the next one. */
static unsigned shown(void *self)
{
	struct live_view *v = self;
	struct rows *rows = v->rows.rows;
	/* callers have a limit of their own */
	struct rows_limits limits = v->look.view.look.limits;

	if (rows) {
		limits.chain_percent = rows_limits(rows)->chain_percent;
		if (rows_set_limits(rows, &limits) ||
		    rows_set_order(rows, &v->look.view.look.order))
			stack_no_memory(v->stack);
		rows_view_set_rows(&v->rows, rows);
	}
	return changed(v);
}

static void print_head(void *self, FILE *out)
{
	struct live_view *v = self;
	char text[1024] = "", clock[32];

	fprintf(out, "# %s, ", number_clock_ns(clock, sizeof(clock), v->model.stats.elapsed_ns));
	print_text(out, v->opts.target);
	fputs("\n# ", out);
	print_text(out, v->model.lines[v->line].name);
	live_look_text(v, text, sizeof(text));
	if (*text)
		fputs(", ", out);
	print_text(out, text);
	fputc('\n', out);
}

static const enum request menu[] = {
	REQ_ANNOTATE,	 REQ_BUTTERFLY,	    REQ_JUMP,	       REQ_GO_BACK,	REQ_PROBE,
	REQ_ZOOM_THREAD, REQ_ZOOM_DSO,	    REQ_ZOOM_FUNCTION, REQ_ZOOM_CPU,	REQ_ZOOM_KERNEL,
	REQ_HIDE,	 REQ_TOGGLE,	    REQ_EXPAND_ENTRY,  REQ_SORT,	REQ_FILTER,
	REQ_PERCENTAGE,	 REQ_PERCENT_LIMIT, REQ_CHILDREN,      REQ_CHAIN_ORDER, REQ_MODULES,
	REQ_PATHS,	 REQ_FULL_NAMES,    REQ_HEADER,	       REQ_COPY_ROW,	REQ_PRINT,
	REQ_EXPAND_ALL,	 REQ_COLLAPSE_ALL,  REQ_HIDE_KERNEL,   REQ_HIDE_USER,	REQ_ZERO,
	REQ_FREEZE,	 REQ_DECAY,	    REQ_TRUST,	       REQ_MISSING,	REQ_COPY_COMMAND,
	REQ_NONE,
};

/* The sort keys are those of functions. */
static void sorted(void *self)
{
	((struct live_view *)self)->look.view.by = LIVE_HOT_FUNCTIONS;
}

/* "Thread" instead of perf's title. */
static const char *column_title(void *self, const struct ptui_column *column)
{
	const struct live_view *v = self;

	return v->look.view.by == LIVE_HOT_THREADS && !strcmp(column->name, "pid") ?
		       _("Thread") :
		       _(column->title);
}

/* A copy: the profile may be replaced meanwhile. */
static const struct ptui_event_info *event_shown(void *self)
{
	struct live_view *v = self;
	struct ptui_profile *p = ptui_live_profile(v->live, NULL);
	uint32_t event = v->line < v->n_events ? v->events[v->line].profile_event : PTUI_NONE;
	bool known = p && event < ptui_profile_n_events(p);

	if (known)
		v->event_shown = *ptui_profile_event(p, event);
	ptui_profile_unref(p);
	return known ? &v->event_shown : NULL;
}

/* For the annotate screen, which is above this one. */
static struct ptui_profile *newest(void *self, uint64_t *ret_generation)
{
	struct live_view *v = self;
	struct ptui_live_profile_info info = { 0 };
	struct ptui_profile *p = live_look_profile(v, &info);

	*ret_generation = info.generation;
	return p;
}

static void code_of_row(void *self, uint64_t node, struct annotate_opts *ret)
{
	struct live_view *v = self;
	uint64_t generation;

	(void)node;
	*ret = (struct annotate_opts){
		.where = _("Live"),
		.path = ptui_live_output(v->live),
		.profile = newest(v, &generation),
		.newest = newest,
		.ctx = v,
		.event = v->events[v->line].profile_event,
		.only = v->look.view.look.only,
		.since_ns = v->look.view.since_ns,
		.probe_then = live_probe_then(v),
	};
}

/* Of a function in a thread or on a CPU: the samples there. */
static void only_group(struct rows_only *only, const struct rows *rows, uint64_t node)
{
	struct ptui_row_origin from;
	int cpu = rows_cpu(rows, node);

	if (rows_kind(rows, node) != ROWS_FUNCTION || !rows_origin(rows, node, &from))
		return;
	if (from.has_thread) {
		only->by_thread = true;
		only->tid = from.tid;
	} else if (cpu >= 0) {
		only->by_cpu = true;
		only->cpu = (uint32_t)cpu;
	}
}

static void butterfly_of_row(void *self, uint64_t node, struct butterfly_opts *ret)
{
	struct live_view *v = self;
	const struct live_hot_view view = live_look_view(v);

	*ret = (struct butterfly_opts){ .hist = live_hot_opts(&view, v->hot->event),
					.look = view.look,
					.user = view.hide_kernel,
					.kernel = view.hide_user };
	only_group(&ret->look.only, v->rows.rows, node);
}

static const struct rows_view_ops ops = {
	.title = N_("Live"),
	.map = KEYMAP_LIVE,
	.menu = menu,
	.rooms = rooms,
	.other = &other,
	.grows = true,
	.changed = changed,
	.shown = shown,
	.request = live_request,
	.can = live_can,
	.event = event_shown,
	.print_head = print_head,
	.code = code_of_row,
	.butterfly = butterfly_of_row,
	.own = own_columns,
	.own_cell = own_cell,
	.text = cell_text,
	.column_title = column_title,
	.sorted = sorted,
};

int live_tree_init(struct live_view *v)
{
	v->rows.look = &v->look.view.look;
	if (rows_view_init(&v->rows, v->stack, &ops, v, false))
		return -ENOMEM;
	v->rows.find.in_slices = false;
	v->rows.tree.table.follow_first = true;
	return 0;
}

void live_tree_release(struct live_view *v)
{
	rows_view_release(&v->rows);
	live_hot_free(v->hot);
}

unsigned live_tree_request(struct live_view *v, enum request req)
{
	unsigned wishes = rows_view_request(&v->rows, req);

	submit_opened(v);
	return wishes;
}

unsigned live_tree_mouse(void *self, const struct term_event *e)
{
	struct live_view *v = self;
	unsigned wishes = rows_view_mouse(&v->rows, e);

	submit_opened(v);
	return wishes;
}
