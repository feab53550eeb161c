/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Live's rows: made by the worker, shown by view/rows. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/number.h"
#include "view/live/live_private.h"
#include "view/print.h"

/* ---- how far the functions can be trusted, and DSOs without symbols ---- */

static unsigned remedy_chosen(void *ctx, enum trust_remedy remedy)
{
	struct live_view *v = ctx;

	return remedy == TRUST_RECORD_UNWOUND ? live_record_unwound(v) : live_symbols_show(v);
}

/* Also of this recording: whether its event was counted all the time. */
unsigned live_trust_show(struct live_view *v)
{
	const struct ptui_live_event *e = &v->model.lines[v->line].facts;
	struct trust_show show = {
		.stack = v->stack, .map = KEYMAP_LIVE, .chosen = remedy_chosen, .ctx = v
	};
	struct trust_fact facts[TRUST_FACTS_MAX];
	size_t n = v->hot ? v->hot->n_facts : 0;
	bool times = false;

	if (!n)
		return stack_note(v->stack, _("No samples yet."));
	memcpy(facts, v->hot->facts, n * sizeof(*facts));
	for (size_t i = 0; i < n; i++)
		times |= facts[i].kind == TRUST_RUNNING;
	if (!times && n < TRUST_FACTS_MAX && trust_running(e->enabled_ns, e->running_ns, &facts[n]))
		n++;
	if (v->opts.use_unwound && trust_wants_unwinding(facts, n))
		show.req[TRUST_RECORD_UNWOUND] = REQ_CHANGE_EVENTS;
	if (v->hot->missing->n)
		show.req[TRUST_LIST_SYMBOLS] = REQ_MISSING;
	return trust_show(&show, facts, n);
}

/* ---- DSOs without symbols ---- */

static void symbols_closed(void *ctx)
{
	((struct live_view *)ctx)->symbols = NULL;
}

static bool zoom_into_dso(void *ctx, const char *dso)
{
	return rows_view_zoom_dso(&((struct live_view *)ctx)->rows, dso);
}

unsigned live_symbols_show(struct live_view *v)
{
	struct missing_list *list = v->hot ? v->hot->missing : NULL;
	struct symbols_opts opts = {
		.where = _("Live"), .closed = symbols_closed, .zoom = zoom_into_dso, .ctx = v
	};

	if (!list)
		return stack_note(v->stack, _("No samples yet."));
	opts.path = ptui_live_output(v->live);
	opts.list = missing_list_ref(list);
	v->symbols = symbols_open(v->stack, &opts);
	return WISH_REDRAW;
}

/* ---- the worker ---- */

static void job_free(void *arg)
{
	struct live_hot_job *job = arg;

	ptui_profile_unref(job->profile);
	free((void *)(uintptr_t)job->open);
	free(job);
}

/* After a failure it is counted again at the next refresh. */
static void *count(void *maker, void *job)
{
	return live_hot_make(maker, job, NULL);
}

static void answer_free(void *hot)
{
	live_hot_free(hot);
}

static void maker_free(void *maker)
{
	live_hot_maker_free(maker);
}

/* With the open rows at depth 0, whose callers the worker has to make. Owns the profile. NULL: out of memory. */
static struct live_hot_job *job_new(struct live_view *v, struct ptui_profile *p)
{
	struct rows *rows = v->rows.rows;
	size_t n = rows ? rows_n(rows) : 0;
	struct live_hot_job *job = calloc(1, sizeof(*job));
	uint64_t *open = malloc((n + 1) * sizeof(*open));

	if (!job || !open) {
		ptui_profile_unref(p);
		free(job);
		free(open);
		return NULL;
	}
	*job = (struct live_hot_job){ .profile = p,
				      .event = live_event_of(v),
				      .generation = v->info.generation,
				      .left = v->info.left,
				      .open = open,
				      .view = live_look_view(v) };
	for (size_t i = 0; i < n; i++) {
		uint64_t id = rows_child(rows, ROWS_TOP, i);

		if (tree_is_open(&v->rows.tree, id))
			open[job->n_open++] = id;
	}
	return job;
}

void live_tree_submit(struct live_view *v)
{
	struct live_hot_job *job;
	struct ptui_profile *p;

	if (live_event_of(v) == PTUI_NONE)
		return;
	p = live_look_profile(v, &v->info);
	if (!p || live_event_of(v) >= ptui_profile_n_events(p)) {
		ptui_profile_unref(p);
		return;
	}
	job = job_new(v, p);
	if (!job || !latest_worker_submit(v->worker, job))
		stack_say(v->stack, ROLE_BAD,
			  _("Out of memory: the function list is not updated."));
}

/* A row was opened whose callers the worker has not made. */
static void submit_opened(struct live_view *v)
{
	if (v->rows.rows && rows_deferred(v->rows.rows))
		live_tree_submit(v);
}

/* Takes an answer, also if the next job waits: they may come faster than they are counted. */
static void counted(void *self, void *answer, bool is_latest)
{
	struct live_view *v = self;
	struct live_hot *hot = answer, *before = v->hot;

	(void)is_latest;
	stack_wish(v->stack, v, WISH_REDRAW);
	/* another event was selected meanwhile: its answer follows */
	if (!hot || hot->event != live_event_of(v)) {
		live_hot_free(hot);
		return;
	}
	v->hot = hot;
	rows_view_set_rows(&v->rows, hot->rows);
	live_hot_free(before);
	if (v->symbols)
		symbols_update(v->symbols, missing_list_ref(hot->missing));
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
	char cell[ROW_BYTES];

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
	print_text(out, v->model.lines[v->line].facts.name);
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
	uint32_t event = live_event_of(v);
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
		.event = live_event_of(v),
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
	.screen = &live_ops,
	.menu = menu,
	.rooms = rooms,
	.other = &other,
	.grows = true,
	.changed = changed,
	.shown = shown,
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

static const struct latest_worker_ops worker_ops = {
	.work = count,
	.done = counted,
	.release_job = job_free,
	.release_answer = answer_free,
	.release_ctx = maker_free,
};

int live_tree_init(struct live_view *v)
{
	struct live_hot_maker *maker;

	v->rows.look = &v->look.view.look;
	if (rows_view_init(&v->rows, v->stack, &ops, v, false))
		return -ENOMEM;
	v->rows.find.in_slices = false;
	v->rows.tree.table.follow_first = true;
	maker = live_hot_maker_new();
	if (maker)
		v->worker = latest_worker_new(stack_loop(v->stack), &worker_ops, maker, v);
	return v->worker ? 0 : -ENOMEM;
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
