/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/counts/counts.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/counts/counts.h"
#include "model/live/live.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/words.h"
#include "view/command_output.h"
#include "view/copy_row.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/popup.h"
#include "widget/spark.h"
#include "widget/table.h"

/* The clock in the first line shows tenths of seconds. */
#define CLOCK_MS    200
#define SPARK_WIDTH 12

/* What follows the end. */
enum counts_after {
	COUNTS_AFTER_STAY,
	COUNTS_AFTER_LEAVE,
	COUNTS_AFTER_QUIT,
};

struct counts_view {
	struct stack *stack;
	struct ptui_count_run *run;
	char *target;
	struct words cmdline;
	unsigned interval_ms;
	void (*closed)(void *ctx, bool quits);
	void *ctx;

	struct counts_model model;
	struct table table;
	struct find find;
	struct command_output output;
	char menu_name[2 * PTUI_COUNT_NAME + 4];
	enum counts_after after;
	unsigned wake_watch, timer;
};

enum {
	COLUMN_EVENT,
	COLUMN_INTERVAL,
	COLUMN_TOTAL,
	COLUMN_RATE,
	COLUMN_RUNNING,
	COLUMN_RATIO,
	COLUMN_HISTORY,
	N_COLUMNS
};

/* ---- rows ---- */

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct counts_view *v = ctx;
	const struct counts_row *r = &v->model.rows[row];
	bool ended = v->model.state.ended;

	switch (column) {
	case COLUMN_EVENT:
		return counts_name(r, buf, size);
	case COLUMN_INTERVAL:
		return counts_interval(r, ended, buf, size);
	case COLUMN_TOTAL:
		if (r->facts.state == PTUI_TOTAL_NOT_SUPPORTED)
			*style = ROLE_BAD;
		else if (r->facts.state == PTUI_TOTAL_NOT_COUNTED)
			*style = ROLE_DIM;
		return counts_total(r, buf, size);
	case COLUMN_RATE:
		return counts_rate(r, ended, buf, size);
	case COLUMN_RUNNING:
		*style = ROLE_NOTE;
		return counts_share(r, buf, size);
	case COLUMN_RATIO:
		return r->facts.ratio;
	default:
		return spark_text(r->rates.values, r->rates.n, SPARK_WIDTH, buf, size);
	}
}

static const struct table_ops row_ops = { .n_rows = offsetof(struct counts_view, model.n),
					  .cell = row_cell };

/* Some of the counts are times, "1,234 msec". */
static bool has_units(const struct counts_view *v)
{
	for (size_t i = 0; i < v->model.n; i++)
		if (*v->model.rows[i].facts.unit)
			return true;
	return false;
}

static void set_columns(struct counts_view *v)
{
	const struct table_column columns[N_COLUMNS] = {
		[COLUMN_EVENT] = { .title = _("Event"),
				   .width = 14,
				   .min = 22,
				   .most = 40,
				   .elide = true },
		[COLUMN_INTERVAL] = { .title = _("Interval"),
				      .width = has_units(v) ? 11 : 8,
				      .align = ALIGN_RIGHT,
				      .hide = 1 },
		[COLUMN_TOTAL] = { .title = _("Total"), .width = 17, .align = ALIGN_RIGHT },
		[COLUMN_RATE] = { .title = _("Rate"),
				  .width = has_units(v) ? 13 : 12,
				  .align = ALIGN_RIGHT,
				  .hide = 4 },
		[COLUMN_RUNNING] = { .title = _("Running"),
				     .width = 7,
				     .align = ALIGN_RIGHT,
				     .hide = 2 },
		[COLUMN_RATIO] = { .title = _("Ratio"), .width = 30, .min = 20, .hide = 3 },
		[COLUMN_HISTORY] = { .title = _("History"), .width = SPARK_WIDTH, .hide = 5 },
	};

	table_fit_columns(&v->table, columns, N_COLUMNS);
}

static const struct counts_row *row_here(const struct counts_view *v)
{
	return v->table.cursor < v->model.n ? &v->model.rows[v->table.cursor] : NULL;
}

/* ---- drawing ---- */

static bool command_runs(const struct counts_view *v)
{
	return v->output.pane && !v->model.state.ended;
}

static void state_text(const struct counts_view *v, char *buf, size_t size, style_t *ret_style)
{
	char clock[32];

	number_clock_ns(clock, sizeof(clock), v->model.state.elapsed_ns);
	snprintf(buf, size, "%s %s", counts_phase(&v->model), clock);
	*ret_style = v->model.state.error ? ROLE_BAD :
		     v->model.state.ended || v->model.state.paused || v->model.stop_asked ?
					    ROLE_NOTE :
					    ROLE_HOT;
}

static void light_text(void *ctx, char *buf, size_t size, style_t *ret_style)
{
	state_text(ctx, buf, size, ret_style);
	if (strrchr(buf, '.'))
		*strrchr(buf, '.') = '\0';
}

static void head(void *self, const struct canvas *line)
{
	const struct counts_view *v = self;
	char where[512], state[256], child[128];
	style_t style;

	state_text(v, state, sizeof(state), &style);
	live_child_text(v->model.state.ended ? v->model.state.child_status : -1, child,
			sizeof(child));
	if (*child)
		text_append(state, sizeof(state), "   %s", child);
	else if (!v->model.state.ended && line->at.w >= 60)
		text_append(state, sizeof(state), _("   every %u ms"), v->interval_ms);
	snprintf(where, sizeof(where), _("Counts  %s"), v->target);
	line_head(line, where, state, style);
}

static void add_time(struct line_fact *facts, size_t *n, int hide, const char *title,
		     unsigned long long ns)
{
	line_add_fact(facts, n, ROLE_TEXT, hide, _("%s %.3f s"), title, (double)ns / 1e9);
}

static void draw(void *self, const struct canvas *c)
{
	const struct ptui_count_run_state *s = &((struct counts_view *)self)->model.state;
	struct counts_view *v = self;
	struct line_fact facts[3];
	struct canvas rows = *c;
	size_t n = 0;

	command_output_set_size(&v->output, c->at.h, c->at.w);
	if (c->at.h > 3)
		rows = canvas_part(c, 0, 0, c->at.h - 2, c->at.w);
	table_draw(&v->table, &rows);
	if (c->at.h <= 3)
		return;
	canvas_rule(c, c->at.h - 2);
	/* the first line has the elapsed time, too */
	add_time(facts, &n, 1, _("elapsed"), s->elapsed_ns);
	if (s->ended && v->output.pane) {
		add_time(facts, &n, 0, _("user"), s->user_ns);
		add_time(facts, &n, 0, _("sys"), s->system_ns);
	}
	rows = canvas_part(c, c->at.h - 1, 0, 1, c->at.w);
	line_facts(&rows, "", facts, n);
}

/* ---- the end ---- */

static void close_view(void *self)
{
	struct counts_view *v = self;
	struct loop *loop = stack_loop(v->stack);

	stack_forget_light(v->stack, v);
	loop_remove(loop, v->wake_watch);
	loop_remove(loop, v->timer);
	command_output_release(&v->output);
	find_release(&v->find);
	free(v->model.rows);
	free(v->target);
	words_release(&v->cmdline);
	if (v->closed)
		v->closed(v->ctx, v->after == COUNTS_AFTER_QUIT);
	free(v);
}

/* True: `v` is freed, or the program ends. */
static bool follow_end(struct counts_view *v)
{
	if (!v->model.state.ended)
		return false;
	loop_remove(stack_loop(v->stack), v->timer);
	v->timer = 0;
	if (v->after == COUNTS_AFTER_STAY)
		return false;
	if (v->after == COUNTS_AFTER_QUIT)
		stack_wish(v->stack, v, WISH_QUIT);
	else
		stack_remove(v->stack, v);
	return true;
}

static void on_wake(void *ctx)
{
	struct counts_view *v = ctx;
	bool was_over = v->model.state.ended;
	struct ptui_error err;

	ptui_count_run_ack(v->run);
	counts_update(&v->model, v->run);
	if (follow_end(v))
		return;
	if (v->model.state.ended && !was_over) {
		ptui_count_run_error(v->run, &err);
		if (v->model.state.error)
			popup_error(v->stack, &err);
		else
			stack_note(v->stack,
				   _("The count has ended: these are the final numbers."));
	}
	stack_wish(v->stack, v, WISH_RECALC);
}

static void on_clock(void *ctx)
{
	struct counts_view *v = ctx;

	ptui_count_run_get_state(v->run, &v->model.state);
	if (!v->model.state.ended)
		stack_wish(v->stack, v, WISH_REDRAW);
}

static void request_end(struct counts_view *v, enum counts_after after)
{
	v->after = after;
	if (v->model.state.ended) {
		follow_end(v);
		return;
	}
	if (v->model.stop_asked && command_runs(v))
		stack_note(v->stack, _("The command is being killed."));
	v->model.stop_asked = true;
	ptui_count_run_stop(v->run);
}

static unsigned leave_chosen(void *ctx, int index)
{
	struct counts_view *v = ctx;

	if (index == 0)
		request_end(v, COUNTS_AFTER_STAY);
	if (index == 1)
		request_end(v, COUNTS_AFTER_LEAVE);
	return WISH_REDRAW;
}

static unsigned leave(struct counts_view *v)
{
	const struct menu_item items[] = {
		{ .text = _("stop the command and show the final numbers"), .current = true },
		{ .text = _("stop the command and leave"), .key = 'q' },
		{ .text = _("go on counting"), .key = 'g' },
	};

	if (v->model.state.ended || !command_runs(v) || v->model.stop_asked) {
		request_end(v, COUNTS_AFTER_LEAVE);
		return WISH_NONE;
	}
	return popup_menu(v->stack, _("Counting"), items, 3, leave_chosen, v);
}

static bool finish(void *self, int signal)
{
	struct counts_view *v = self;

	(void)signal;
	if (v->model.state.ended) {
		v->after = COUNTS_AFTER_QUIT;
		return true;
	}
	if (v->after != COUNTS_AFTER_QUIT)
		request_end(v, COUNTS_AFTER_QUIT);
	return false;
}

/* ---- requests ---- */

static void details_text(void *ctx, char *buf, size_t size)
{
	const struct counts_row *r = row_here(ctx);

	if (r)
		counts_details(r, buf, size);
}

static unsigned show_details(struct counts_view *v)
{
	const struct counts_row *r = row_here(v);
	char name[2 * PTUI_COUNT_NAME + 4];

	if (!r)
		return WISH_NONE;
	return popup_message_of(v->stack, counts_name(r, name, sizeof(name)), details_text, v);
}

static unsigned copy_line(struct counts_view *v)
{
	struct words words = WORDS_INIT;

	words_add(&words, "ptui");
	/* after the path of the program */
	for (size_t i = 1; i < v->cmdline.n; i++)
		words_add(&words, v->cmdline.v[i]);
	return copy_command(v->stack, &words);
}

static unsigned copy_event(struct counts_view *v)
{
	const struct counts_row *r = row_here(v);
	char total[96], text[512];

	if (!r)
		return WISH_NONE;
	snprintf(text, sizeof(text), "%s  %s%s%s", counts_total(r, total, sizeof(total)),
		 r->facts.name, *r->facts.ratio ? "  # " : "", r->facts.ratio);
	return copy_text(v->stack, text);
}

static const enum request menu_requests[] = { REQ_OPEN,	  REQ_STOP_COUNTING, REQ_PAUSE,
					      REQ_OUTPUT, REQ_COPY_ROW,	     REQ_COPY_COMMAND,
					      REQ_SEARCH, REQ_NONE };

static const char *menu_title(void *self)
{
	struct counts_view *v = self;

	return row_here(v) ? counts_name(row_here(v), v->menu_name, sizeof(v->menu_name)) : NULL;
}

static unsigned pause_or_resume(struct counts_view *v)
{
	if (v->model.state.ended)
		return WISH_NONE;
	ptui_count_run_pause(v->run, !v->model.state.paused);
	return WISH_REDRAW;
}

static unsigned request(void *self, enum request req)
{
	struct counts_view *v = self;

	switch (req) {
	case REQ_STOP_COUNTING:
		if (!v->model.state.ended)
			request_end(v, COUNTS_AFTER_STAY);
		return WISH_REDRAW;
	case REQ_PAUSE:
		return pause_or_resume(v);
	case REQ_OUTPUT:
		return command_output_open(&v->output);
	case REQ_OPEN:
		return show_details(v);
	case REQ_COPY_ROW:
		return copy_event(v);
	case REQ_COPY_COMMAND:
		return v->cmdline.n ? copy_line(v) : WISH_NONE;
	case REQ_BACK:
		return leave(v);
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	const struct counts_view *v = self;

	switch (req) {
	case REQ_STOP_COUNTING:
	case REQ_PAUSE:
		return !v->model.state.ended;
	case REQ_OUTPUT:
		return v->output.pane;
	case REQ_COPY_COMMAND:
		return v->cmdline.n;
	case REQ_OPEN:
	case REQ_COPY_ROW:
	case REQ_MENU:
		return v->model.n;
	default:
		return true;
	}
}

static const enum request hints[] = { REQ_STOP_COUNTING, REQ_PAUSE, REQ_OUTPUT, REQ_OPEN, REQ_MENU,
				      REQ_COPY_ROW,	 REQ_HELP,  REQ_BACK,	REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Counts"),
	.keymap = KEYMAP_COUNTS,
	.hints = hints,
	.has_light = true,
	.head = head,
	.draw = draw,
	.menu = menu_requests,
	.menu_title = menu_title,
	.menu_open = N_("show all of this count, and why it is missing"),
	.menu_kind = MENU_DIMS,
	.request = request,
	.can = can,
	.table = offsetof(struct counts_view, table),
	.find = offsetof(struct counts_view, find),
	.finish = finish,
	.close = close_view,
};

/* ---- opening ---- */

static int child_status(void *ctx)
{
	const struct counts_view *v = ctx;

	return v->model.state.ended ? v->model.state.child_status : -1;
}

static void set_size(void *ctx, unsigned short rows, unsigned short cols)
{
	ptui_count_run_set_size(((struct counts_view *)ctx)->run, rows, cols);
}

static int view_init(struct counts_view *v, const struct counts_view_opts *opts)
{
	struct command_output_opts output = { .stack = v->stack,
					      .fd = ptui_count_run_command_fd(v->run),
					      .child_status = child_status,
					      .set_size = set_size,
					      .ctx = v };
	struct loop *loop = stack_loop(v->stack);

	table_init(&v->table, &row_ops, v);
	find_init_table(&v->find, v->stack, &v->table);
	v->target = strdup(opts->target);
	snprintf(output.title, sizeof(output.title), _("Counts › Output  %s"), opts->target);
	if (counts_init(&v->model, v->run) || command_output_init(&v->output, &output) ||
	    !v->target || words_add_all(&v->cmdline, opts->cmdline))
		return -ENOMEM;
	set_columns(v);
	table_recalc(&v->table);
	v->wake_watch = loop_watch(loop, ptui_count_run_wake_fd(v->run), on_wake, v);
	v->timer = loop_every(loop, CLOCK_MS, on_clock, v);
	return v->wake_watch && v->timer ? 0 : -ENOMEM;
}

int counts_view_open(struct stack *s, const struct counts_view_opts *opts, struct ptui_error *err)
{
	struct counts_view *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->run = opts->run;
	v->interval_ms = opts->interval_ms;
	v->ctx = opts->ctx;
	if (view_init(v, opts)) {
		close_view(v);
		return ptui_error_nomem(err);
	}
	if (stack_push(s, &screen, v)) /* closed */
		return ptui_error_nomem(err);
	v->closed = opts->closed;
	stack_set_light(s, (struct stack_light){ light_text, v });
	return 0;
}
