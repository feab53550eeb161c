/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/live/live.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "view/live/live_private.h"
#include "view/worker.h"
#include "widget/popup.h"

/* The clock in the first line and the counts of events: a repaint five times a second cost more than Live's rows. */
#define CLOCK_MS 500

/* Time after which a command that does not exit is reported. */
#define LATE_NS	    1000000000ull
#define MANY_EVENTS 10

void live_update_facts(struct live_view *v)
{
	enum ptui_live_state state = ptui_live_state(v->live);
	bool gone = ptui_live_child_status(v->live) != -1;
	struct ptui_live_stats stats;

	ptui_live_get_stats(v->live, &stats);
	ptui_live_armed(v->live, &v->arm.armed);
	live_snapshots_feed(v);
	for (size_t i = 0; i < v->model.n_lines; i++)
		ptui_live_event(v->live, i, &v->model.lines[i].facts);
	live_model_update(&v->model, &stats, state, gone);
}

uint32_t live_event_of(const struct live_view *v)
{
	return v->line < v->model.n_lines ? v->model.lines[v->line].facts.profile_event : PTUI_NONE;
}

/* Of many events, such as all system calls, only those with samples are selected, if there are any. */
static bool selects_sampled(const struct live_view *v)
{
	bool any = false;

	for (size_t i = 0; i < v->model.n_lines && v->model.n_lines > MANY_EVENTS; i++)
		any |= v->model.lines[i].facts.samples > 0;
	return any;
}

static void select_event(struct live_view *v, size_t step)
{
	bool sampled = selects_sampled(v);
	size_t line = v->line;

	for (size_t i = 0; i < v->model.n_lines; i++) {
		line = (line + step) % v->model.n_lines;
		if (v->model.lines[line].facts.profile_event != PTUI_NONE &&
		    (!sampled || v->model.lines[line].facts.samples))
			break;
	}
	if (line != v->line) {
		v->line = line;
		live_tree_submit(v);
	}
}

static void on_wake(void *ctx)
{
	struct live_view *v = ctx;

	ptui_live_ack(v->live);
	live_update_facts(v);
	if (!v->line_chosen && selects_sampled(v) && !v->model.lines[v->line].facts.samples)
		select_event(v, 1);
	if (live_look_update(v))
		live_tree_submit(v);
	if (!live_end(v))
		stack_wish(v->stack, v, WISH_REDRAW);
}

static void on_clock(void *ctx)
{
	struct live_view *v = ctx;

	ptui_live_get_stats(v->live, &v->model.stats);
	/* the first attempt may have come before the command was asked to exit */
	if (v->killing)
		ptui_live_stop(v->live);
	if (v->stop_ns && !v->told_late && live_command_runs(v) &&
	    loop_now_ns() - v->stop_ns >= LATE_NS) {
		v->told_late = true;
		stack_note(v->stack,
			   _("The command has not exited yet: press the key again to kill it."));
	}
	stack_wish(v->stack, v, WISH_PART);
}

/* ---- requests ---- */

static unsigned pause_or_resume(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int r = v->model.phase == LIVE_PAUSED ? ptui_live_resume(v->live, &err) :
						ptui_live_pause(v->live, &err);

	if (r)
		stack_say(v->stack, ROLE_BAD, "%s", err.text);
	live_update_facts(v);
	return WISH_REDRAW;
}

static unsigned next_event(struct live_view *v, size_t step)
{
	v->line_chosen = true;
	select_event(v, step);
	return WISH_REDRAW;
}

static unsigned live_request(void *self, enum request req)
{
	struct live_view *v = self;
	bool snapshots = req == REQ_SNAPSHOT || req == REQ_SNAPSHOTS || req == REQ_ARM;
	unsigned wishes;

	if (snapshots && !ptui_live_output(v->live) && !ptui_live_is_pipe(v->live))
		return stack_note(v->stack, _("No snapshots here: all samples stay in memory. "
					      "Enter, then w, saves them."));
	switch (req) {
	case REQ_STOP:
		return live_stop(v);
	case REQ_PAUSE:
		return live_has_ended(v) ? WISH_NONE : pause_or_resume(v);
	case REQ_SNAPSHOT:
		return live_snapshots_take(v);
	case REQ_SNAPSHOTS:
		return live_snapshots_show(v);
	case REQ_CHANGE_EVENTS:
		return live_change_events(v);
	case REQ_ARM:
		return live_arm_ask(v);
	case REQ_OUTPUT:
		return command_output_open(&v->output);
	case REQ_TRUST:
		return live_trust_show(v);
	case REQ_MISSING:
		return live_symbols_show(v);
	case REQ_NEXT_EVENT:
		return v->model.n_lines ? next_event(v, 1) : WISH_NONE;
	case REQ_PREV_EVENT:
		return v->model.n_lines ? next_event(v, v->model.n_lines - 1) : WISH_NONE;
	case REQ_BACK:
		wishes = live_tree_request(v, req);
		return wishes & WISH_PASS ? live_leave(v) : wishes;
	default:
		wishes = live_look_request(v, req);
		return wishes == WISH_PASS ? live_tree_request(v, req) : wishes;
	}
}

/* After the end the request only browses. */
static const struct request_info *live_info(void *self, enum request req)
{
	static const struct request_info browse = { .word = N_("browse"),
						    .help = N_("browse what was recorded") };
	const struct live_view *v = self;

	return req == REQ_STOP && live_has_ended(v) ? &browse : NULL;
}

/* Shows only what is available. */
static bool live_can(void *self, enum request req)
{
	const struct live_view *v = self;

	switch (req) {
	case REQ_STOP:
		return !live_has_ended(v) || ptui_live_output(v->live) || v->info.taken;
	case REQ_PAUSE:
		return !live_has_ended(v) && !ptui_live_is_pipe(v->live);
	case REQ_SNAPSHOT:
	case REQ_ARM:
		return live_snapshots_can(self);
	case REQ_SNAPSHOTS: /* if unavailable, it shows the reason */
		return live_snapshots_can(self) || v->snapshots.list->taken;
	case REQ_CHANGE_EVENTS:
		return v->opts.change_events;
	case REQ_PROBE:
		return v->opts.use_probes;
	case REQ_OUTPUT:
		return v->output.pane;
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		return v->model.n_lines > 1;
	default:
		return live_look_can(v, req);
	}
}

/* ---- open, close ---- */

static void live_opts_release(struct live_view_opts *opts)
{
	free((char *)(uintptr_t)opts->target);
	free((char *)(uintptr_t)opts->rate);
	free((char *)(uintptr_t)opts->cmdline);
}

static void view_free(struct live_view *v)
{
	struct loop *loop = stack_loop(v->stack);

	stack_forget_light(v->stack, v);
	loop_remove(loop, v->wake_watch);
	loop_remove(loop, v->timer);
	if (v->snapshots.shown)
		snapshots_view_left_alone(v->snapshots.shown);
	snapshot_list_unref(v->snapshots.list);
	command_output_release(&v->output);
	ptui_profile_unref(v->look.frozen);
	words_release(&v->arm.typed);
	rows_view_release(&v->rows);
	live_hot_free(v->hot);
	latest_worker_free(v->worker);
	live_model_release(&v->model);
	sample_saver_release(&v->saver, v->live);
	live_opts_release(&v->opts);
	free(v);
}

/* Without an end this is reached only if the user did not want to wait for it. */
static void close_view(void *self)
{
	struct live_view *v = self;

	if (!v->joined && v->stop_ns)
		live_report_left(v);
	view_free(v);
}

static const enum request hints[] = { REQ_STOP,	    REQ_SNAPSHOT, REQ_SNAPSHOTS, REQ_ARM,
				      REQ_PAUSE,    REQ_OUTPUT,	  REQ_TOGGLE,	 REQ_NEXT_EVENT,
				      REQ_ZERO,	    REQ_FREEZE,	  REQ_SEARCH,	 REQ_CHANGE_EVENTS,
				      REQ_ANNOTATE, REQ_HELP,	  REQ_BACK,	 REQ_NONE };

const struct screen_ops live_ops = {
	.title = N_("Live"),
	.keymap = KEYMAP_LIVE,
	.hints = hints,
	.has_light = true,
	.head = live_draw_head,
	.draw = live_draw,
	.draw_part = live_draw_part,
	.request = live_request,
	.can = live_can,
	.info = live_info,
	.mouse = live_tree_mouse,
	.finish = live_finish,
	.close = close_view,
};

static int live_opts_copy(struct live_view_opts *to, const struct live_view_opts *from)
{
	char *target, *rate, *cmdline = from->cmdline_bytes ? malloc(from->cmdline_bytes) : NULL;
	int ret = text_copy(&target, from->target ? from->target : "") |
		  text_copy(&rate, from->rate);

	*to = *from;
	to->target = target;
	to->rate = rate;
	to->cmdline = cmdline;
	if (cmdline)
		memcpy(cmdline, from->cmdline, from->cmdline_bytes);
	return ret || (from->cmdline_bytes && !cmdline) ? -ENOMEM : 0;
}

static int child_status(void *ctx)
{
	return ptui_live_child_status(((struct live_view *)ctx)->live);
}

static void set_size(void *ctx, unsigned short rows, unsigned short cols)
{
	ptui_live_set_size(((struct live_view *)ctx)->live, rows, cols);
}

static int output_init(struct live_view *v)
{
	struct command_output_opts opts = {
		.stack = v->stack,
		.fd = ptui_live_command_fd(v->live),
		.child_status = child_status,
		.set_size = set_size,
		.ctx = v,
	};

	snprintf(opts.title, sizeof(opts.title), _("Live › Output  %s"), v->opts.target);
	return command_output_init(&v->output, &opts);
}

static int view_init(struct live_view *v, const struct live_view_opts *opts, struct ptui_error *err)
{
	struct loop *loop = stack_loop(v->stack);

	live_layout_init(v);
	v->snapshots.list = snapshot_list_new();
	if (live_opts_copy(&v->opts, opts) ||
	    live_model_init(&v->model, ptui_live_n_events(v->live)) || live_tree_init(v) ||
	    output_init(v) || !v->snapshots.list)
		return ptui_error_nomem(err);
	v->wake_watch = loop_watch(loop, ptui_live_wake_fd(v->live), on_wake, v);
	v->timer = loop_every(loop, CLOCK_MS, on_clock, v);
	if (!v->wake_watch || !v->timer)
		return ptui_error_nomem(err);
	live_update_facts(v);
	while (v->line + 1 < v->model.n_lines && live_event_of(v) == PTUI_NONE)
		v->line++;
	return 0;
}

int live_view_open(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err)
{
	struct live_view *v = calloc(1, sizeof(*v));
	int r;

	if (!v) {
		ptui_live_free(opts->live);
		return ptui_error_nomem(err);
	}
	v->stack = s;
	v->live = opts->live;
	v->saver = (struct sample_saver){ .stack = s, .done = live_saved, .ctx = v };
	v->model.whole_system = opts->whole_system;
	v->model.n_cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	v->look.view = opts->look;
	v->look.view.whole_system = opts->whole_system;
	v->look.first = v->look.view;
	r = view_init(v, opts, err);
	if (r) {
		view_free(v);
		return r;
	}
	if (stack_push(s, &live_ops, v))
		return ptui_error_nomem(err);
	stack_make_tab(s, v, _("Live"));
	stack_set_light(s, (struct stack_light){ live_draw_light, v });
	return 0;
}

/* ---- starting the recording, in a thread ---- */

/* A faster start shows no message. */
#define WORDS_NS 300000000ull

struct live_start {
	struct stack *stack;
	struct live_view_opts opts; /* copied; the live is the task's */
	struct worker *worker;	    /* NULL: ended */
	uint64_t began_ns;
	bool cancelled;
};

/* Data of the thread. */
struct start_task {
	struct ptui_live *live;
	sigset_t mask; /* of the loop's thread */
	struct ptui_error err;
	int ret;
};

/* The command inherits the signal mask of the starting thread: must not be the worker's. */
static void task_run(void *task, struct worker *w)
{
	struct start_task *t = task;
	sigset_t mine;

	(void)w;
	pthread_sigmask(SIG_SETMASK, &t->mask, &mine);
	t->ret = ptui_live_start(t->live, &t->err);
	pthread_sigmask(SIG_SETMASK, &mine, NULL);
}

static void task_release(void *task)
{
	struct start_task *t = task;

	ptui_live_free(t->live);
	free(t);
}

/* Started, or failed. Closes the screen, and frees what is not passed on. */
static void task_done(void *task, void *owner)
{
	struct start_task *t = task;
	struct live_start *l = owner;
	struct live_view_opts opts = l->opts;
	struct ptui_error err = t->err;
	struct stack *stack = l->stack;
	bool reports = t->ret && !l->cancelled, fine = !t->ret && !l->cancelled;

	l->opts = (struct live_view_opts){ NULL };
	stack_remove(stack, l);
	if (fine) {
		opts.live = t->live;
		t->live = NULL;
		reports = live_view_open(stack, &opts, &err);
	}
	live_opts_release(&opts);
	if (reports)
		opts.failed(opts.ctx, &err);
}

static const struct worker_ops task_ops = { task_run, task_done, task_release };

static void draw(void *self, const struct canvas *c)
{
	struct live_start *l = self;
	struct canvas in;

	if (loop_now_ns() - l->began_ns < WORDS_NS)
		return;
	in = popup_frame(c, _("Starting"), 2, 44);
	canvas_cell(&in, 0, 0, in.at.w, ALIGN_LEFT, ROLE_TEXT, l->opts.target);
	canvas_cell(&in, 1, 0, in.at.w, ALIGN_LEFT, ROLE_DIM,
		    l->cancelled ? _("stopping…") : _("ESC cancels"));
}

static void cancel(struct live_start *l)
{
	l->cancelled = true;
	if (l->worker)
		ptui_live_stop(l->opts.live);
}

static unsigned request(void *self, enum request req)
{
	if (req != REQ_BACK)
		return WISH_PASS;
	cancel(self);
	return WISH_REDRAW;
}

static bool can(void *self, enum request req)
{
	(void)self;
	return req == REQ_BACK || req == REQ_QUIT;
}

static bool finish(void *self, int signal)
{
	struct live_start *l = self;

	(void)signal;
	cancel(l);
	return !l->worker;
}

static void close_start(void *self)
{
	struct live_start *l = self;

	cancel(l);
	worker_abandon(&l->worker);
	live_opts_release(&l->opts);
	free(l);
}

static const enum request start_hints[] = { REQ_BACK, REQ_NONE };

static const struct screen_ops start_ops = {
	.title = N_("Starting"),
	.keymap = KEYMAP_GENERAL,
	.floating = true,
	.hints = start_hints,
	.draw = draw,
	.request = request,
	.can = can,
	.finish = finish,
	.close = close_start,
};

int live_view_start(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err)
{
	struct live_start *l = calloc(1, sizeof(*l));
	struct start_task *t = calloc(1, sizeof(*t));

	if (!l || !t || live_opts_copy(&l->opts, opts)) {
		ptui_live_free(opts->live);
		if (l)
			live_opts_release(&l->opts);
		free(l);
		free(t);
		return ptui_error_nomem(err);
	}
	t->live = opts->live;
	pthread_sigmask(SIG_SETMASK, NULL, &t->mask);
	l->stack = s;
	if (stack_push(s, &start_ops, l)) {
		task_release(t);
		return ptui_error_nomem(err);
	}
	l->began_ns = loop_now_ns();
	if (worker_start_shown(&l->worker, s, &task_ops, t, l, err))
		return 0;
	stack_remove(s, l);
	return -EAGAIN;
}
