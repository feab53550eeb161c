/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/live/live.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "view/live/live_private.h"
#include "widget/number.h"
#include "widget/popup.h"

/* The clock in the first line has tenths. */
#define CLOCK_MS 200

#define SAVED_AS "perf.data" /* what was in memory only */

/* With a command that is to end: then the screen says so; then, where nobody can see it, it is killed. */
#define LATE_NS	    1000000000ull
#define TOO_LATE_NS 3000000000ull

static bool has_ended(const struct live_view *v)
{
	return v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED;
}

static void take_facts(struct live_view *v)
{
	enum ptui_live_state state = ptui_live_state(v->live);
	bool gone = ptui_live_child_status(v->live) != -1;
	struct ptui_live_stats stats;

	ptui_live_get_stats(v->live, &stats);
	live_arm_take(v);
	live_snapshots_feed(v);
	for (size_t i = 0; i < v->n_events; i++)
		ptui_live_event(v->live, i, &v->events[i]);
	if (live_model_feed(&v->model, v->events, v->n_events, &stats, state, gone))
		stack_say(v->stack, ROLE_BAD, _("Out of memory: the counters are not updated."));
}

/*
 * The profile in hand has the file's rows: nothing left it, nothing was dropped, and no other file has
 * some of them. Or there is no file, or none with samples.
 */
static struct ptui_profile *whole_profile(struct live_view *v)
{
	struct ptui_live_profile_info info = { 0 };
	struct ptui_profile *p = ptui_live_profile(v->live, &info);

	if (p && ptui_live_output(v->live) &&
	    (info.left || v->model.stats.forgotten_samples || v->model.stats.dropped_samples ||
	     v->model.stats.dropped_bytes || snapshot_list_have_files(v->snapshots.list))) {
		ptui_profile_unref(p);
		return NULL;
	}
	return p;
}

/* What the browser has is not all that was sampled, or no file has it. */
static void say_kept(struct stack *s, bool file, uint64_t kept, uint64_t taken, uint64_t unsaved)
{
	char last[32], all[32];

	if (file)
		stack_say(s, ROLE_NOTE, _("The memory buffer (-M) kept the last %s of %s samples."),
			  number_full(last, sizeof(last), kept),
			  number_full(all, sizeof(all), taken));
	else if (unsaved && unsaved < kept)
		stack_say(s, ROLE_NOTE,
			  _("No file was written: w saves the last %s of these %s samples."),
			  number_full(last, sizeof(last), unsaved),
			  number_full(all, sizeof(all), kept));
	else if (unsaved)
		stack_say(s, ROLE_NOTE, _("No file was written: w saves these samples."));
	else if (kept == taken)
		stack_say(s, ROLE_NOTE,
			  _("No file was written: these samples are lost when you leave."));
	else
		stack_say(s, ROLE_NOTE,
			  _("No file was written: these are the last %s of %s samples."),
			  number_full(last, sizeof(last), kept),
			  number_full(all, sizeof(all), taken));
}

/* The last part of a path, for a tab. */
static const char *name_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : _("Live");
}

/* The screen goes, the next one comes. `v` is gone afterwards. */
static void hand_over(struct live_view *v)
{
	void (*done)(void *, const char *, struct ptui_profile *, struct ptui_live *) = v->done;
	struct ptui_profile *profile = whole_profile(v);
	const char *output = ptui_live_output(v->live);
	struct ptui_live_profile_info info = v->info;
	struct ptui_live_stats stats = v->model.stats;
	char *path = output ? strdup(output) : NULL;
	uint64_t n_unsaved = ptui_live_unsaved(v->live);
	struct ptui_live *unsaved = NULL;
	struct stack *stack = v->stack;
	void *ctx = v->ctx;
	bool tabs;

	if (!output && (!profile || !info.taken)) {
		ptui_profile_unref(profile);
		stack_say(stack, ROLE_NOTE, _("No samples were taken."));
		return;
	}
	if (output && !path) {
		ptui_profile_unref(profile);
		stack_say(stack, ROLE_BAD, _("Out of memory."));
		return;
	}
	live_snapshots_stay(v);
	tabs = stack_n_tabs(stack) > 1;
	if (n_unsaved) {
		unsaved = v->live;
		v->live = NULL;
	}
	stack_remove(stack, v);
	done(ctx, path, profile, unsaved);
	/* beside what was opened while it was recorded */
	if (tabs)
		stack_make_tab(stack, NULL, name_of(path));
	if (!path)
		say_kept(stack, false, info.taken - info.left, info.taken, n_unsaved);
	else if (stats.forgotten_samples)
		say_kept(stack, true, stats.samples - stats.forgotten_samples, stats.samples, 0);
	free(path);
}

/* The screen goes, and a new recording is started. `v` is gone afterwards. */
static void record_again(struct live_view *v)
{
	const char *output = ptui_live_output(v->live);
	char *path = output ? strdup(output) : NULL;
	void (*again)(void *, const char *) = v->again;
	struct stack *stack = v->stack;
	void *ctx = v->ctx;

	live_snapshots_stay(v);
	stack_remove(stack, v);
	again(ctx, path);
	free(path);
}

/*
 * A recording that went well is browsed at once. One that has something to tell stays, until the
 * person has seen it: it failed, the command did, nothing was sampled, or another screen is being
 * looked at.
 */
static bool wants_a_look(const struct live_view *v)
{
	int status = ptui_live_child_status(v->live);

	if (!v->asking && !stack_is_top(v->stack, v))
		return true;
	if (v->model.phase == LIVE_FAILED || !v->model.stats.samples)
		return true;
	return !v->model.stop_asked && status != -1 && status != 0;
}

/* What is said when nobody comes to see it in the browser. */
static void say_left(struct live_view *v)
{
	const char *path = ptui_live_output(v->live);
	char text[PATH_MAX + 512], child[128];
	size_t n;

	if (!v->left || !path)
		return;
	live_child_text(ptui_live_child_status(v->live), child, sizeof(child));
	if (*child)
		snprintf(text, sizeof(text),
			 _("The recording is in %s; the command has ended: %s."), path, child);
	else
		snprintf(text, sizeof(text), _("The recording is in %s."), path);
	n = strlen(text);
	if (n < sizeof(text))
		live_snapshots_left(v, text + n, sizeof(text) - n);
	v->left(v->ctx, text, v->after == LIVE_AFTER_QUIT);
}

/* False: it could not be done, and the person is told why. */
static bool save(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char text[256];

	if (ptui_live_save(v->live, SAVED_AS, &err)) {
		popup_error(v->stack, &err);
		return false;
	}
	snprintf(text, sizeof(text), _("The samples are in %s."), SAVED_AS);
	if (v->left)
		v->left(v->ctx, text, true);
	return true;
}

/* What follows the end. True: `v` is gone. */
static bool end(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (v->joined || !has_ended(v))
		return false;
	v->joined = true;
	loop_remove(stack_loop(v->stack), v->timer);
	v->timer = 0;
	if (ptui_live_join(v->live, &err)) {
		/* who does not know what is amiss with this one does not want the next */
		if (v->after == LIVE_AFTER_AGAIN)
			v->after = LIVE_AFTER_BROWSE;
		if (v->after == LIVE_AFTER_BROWSE)
			popup_error(v->stack, &err);
	}
	take_facts(v);
	switch (v->after) {
	case LIVE_AFTER_LEAVE:
		say_left(v);
		stack_remove(v->stack, v);
		return true;
	case LIVE_AFTER_SAVE:
		if (!save(v)) {
			v->after = LIVE_AFTER_BROWSE;
			return false;
		}
		stack_remove(v->stack, v);
		return true;
	case LIVE_AFTER_QUIT:
		say_left(v);
		stack_wish(v->stack, v, WISH_QUIT);
		return true;
	case LIVE_AFTER_AGAIN:
		record_again(v);
		return true;
	case LIVE_AFTER_BROWSE:
		break;
	}
	if (wants_a_look(v)) {
		stack_say(v->stack, ROLE_NOTE, _("The recording has ended."));
		return false;
	}
	hand_over(v);
	return true;
}

static void on_wake(void *ctx, int fd, short revents)
{
	struct live_view *v = ctx;

	(void)fd;
	(void)revents;
	ptui_live_ack(v->live);
	take_facts(v);
	if (live_look_update(v))
		live_tree_submit(v);
	if (!end(v))
		stack_wish(v->stack, v, WISH_REDRAW);
}

static void on_hot(void *ctx, int fd, short revents)
{
	struct live_view *v = ctx;

	(void)fd;
	(void)revents;
	live_tree_refresh(v);
	stack_wish(v->stack, v, WISH_REDRAW);
}

static bool command_runs(const struct live_view *v)
{
	return v->output.pane && ptui_live_child_status(v->live) == -1;
}

static void on_clock(void *ctx)
{
	struct live_view *v = ctx;

	ptui_live_get_stats(v->live, &v->model.stats);
	/* the first time may have come before the command was asked to end */
	if (v->killing)
		ptui_live_stop(v->live);
	if (v->stop_ns && !v->told_late && command_runs(v) &&
	    loop_now_ns() - v->stop_ns >= LATE_NS) {
		v->told_late = true;
		stack_say(v->stack, ROLE_NOTE,
			  _("The command has not exited yet: press the key again to kill it."));
	}
	stack_wish(v->stack, v, WISH_REDRAW);
}

/* ---- what a person asks for ---- */

static void ask_to_end(struct live_view *v, enum live_after after)
{
	v->after = after;
	if (!v->model.stop_asked) {
		v->model.stop_asked = true;
		v->stop_ns = loop_now_ns();
		ptui_live_stop(v->live);
	}
	take_facts(v);
}

/* It was asked to end before, and has not. */
static void kill_late(struct live_view *v)
{
	if (!v->model.stop_asked || !command_runs(v))
		return;
	v->killing = true;
	stack_say(v->stack, ROLE_NOTE, _("The command is being killed."));
}

static unsigned stop(struct live_view *v)
{
	if (has_ended(v) && v->joined) {
		hand_over(v);
		return WISH_NONE;
	}
	kill_late(v);
	ask_to_end(v, LIVE_AFTER_BROWSE);
	return WISH_REDRAW;
}

static void on_again(void *ctx)
{
	struct live_view *v = ctx;

	v->timer = 0;
	record_again(v);
}

/* Other events are chosen. The recording may have ended meanwhile. */
static unsigned events_taken(void *live)
{
	struct live_view *v = live;

	/* not here: what they were chosen on still lies above */
	if (has_ended(v) && v->joined) {
		v->timer = loop_after(stack_loop(v->stack), 1, on_again, v);
		return WISH_NONE;
	}
	ask_to_end(v, LIVE_AFTER_AGAIN);
	stack_say(v->stack, ROLE_NOTE, _("Stopping this recording and starting the next one."));
	return WISH_NONE;
}

static unsigned change_events(struct live_view *v)
{
	if (!v->change_events) {
		stack_say(v->stack, ROLE_NOTE,
			  _("The events can only be changed in Setup, and this recording was not "
			    "started there."));
		return WISH_REDRAW;
	}
	/* the next one waits for this one's command */
	if (v->model.stop_asked && !has_ended(v)) {
		kill_late(v);
		ask_to_end(v, LIVE_AFTER_AGAIN);
		return WISH_REDRAW;
	}
	return v->change_events(v->ctx, events_taken, v);
}

static unsigned pause_or_resume(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int r = v->model.phase == LIVE_PAUSED ? ptui_live_resume(v->live, &err) :
						ptui_live_pause(v->live, &err);

	if (r)
		stack_say(v->stack, ROLE_BAD, "%s", err.text);
	take_facts(v);
	return WISH_REDRAW;
}

static unsigned chosen(void *ctx, int index)
{
	struct live_view *v = ctx;

	v->asking = false;
	if (index == 0)
		return stop(v);
	if (index == 1 && has_ended(v))
		return WISH_POP;
	if (index == 1)
		ask_to_end(v, LIVE_AFTER_LEAVE);
	return WISH_REDRAW;
}

static unsigned unsaved_chosen(void *ctx, int index)
{
	struct live_view *v = ctx;

	v->asking = false;
	if (index < 0 || index > 1)
		return WISH_REDRAW;
	if (!has_ended(v)) {
		ask_to_end(v, index ? LIVE_AFTER_LEAVE : LIVE_AFTER_SAVE);
		return WISH_REDRAW;
	}
	return index || save(v) ? WISH_POP : WISH_REDRAW;
}

/* perf top asks nothing; but nothing is lost without a question. The same key twice leaves. */
static unsigned leave_unsaved(struct live_view *v)
{
	const struct menu_item items[] = {
		{ .text = _("save the samples to perf.data and leave"),
		  .key = 'w',
		  .current = true },
		{ .text = _("leave; the samples are lost"), .key = 'q' },
		{ .text = _("stay"), .key = 'g' },
	};

	if (popup_menu(v->stack, _("These samples are in no file"), items, 3, unsaved_chosen, v))
		stack_say(v->stack, ROLE_BAD, _("Out of memory."));
	else
		v->asking = true;
	return WISH_REDRAW;
}

/*
 * A file stays as it is, and whoever is recorded goes on: leaving loses nothing then. Only a command that
 * is still running ends with its recording.
 */
static unsigned leave(struct live_view *v)
{
	const struct menu_item items[] = {
		{ .text = _("stop the command and browse"), .key = 'b', .current = true },
		{ .text = _("stop the command and leave; the file is kept"), .key = 'q' },
		{ .text = _("go on recording"), .key = 'g' },
	};

	if (ptui_live_unsaved(v->live))
		return leave_unsaved(v);
	if (has_ended(v))
		return WISH_POP;
	if (!command_runs(v) || v->model.stop_asked) {
		ask_to_end(v, LIVE_AFTER_LEAVE);
		return WISH_REDRAW;
	}
	if (popup_menu(v->stack, _("Recording"), items, 3, chosen, v))
		stack_say(v->stack, ROLE_BAD, _("Out of memory."));
	else
		v->asking = true;
	return WISH_REDRAW;
}

static unsigned next_event(struct live_view *v, size_t step)
{
	size_t line = v->line;

	for (size_t i = 0; i < v->n_events; i++) {
		line = (line + step) % v->n_events;
		if (v->events[line].profile_event != PTUI_NONE)
			break;
	}
	if (line != v->line) {
		v->line = line;
		live_tree_submit(v);
	}
	return WISH_REDRAW;
}

unsigned live_request(void *self, enum request req)
{
	struct live_view *v = self;
	unsigned wishes;

	switch (req) {
	case REQ_STOP:
		return stop(v);
	case REQ_PAUSE:
		return has_ended(v) ? WISH_NONE : pause_or_resume(v);
	case REQ_SNAPSHOT:
		return live_snapshots_take(v);
	case REQ_SNAPSHOTS:
		return live_snapshots_show(v);
	case REQ_CHANGE_EVENTS:
		return change_events(v);
	case REQ_ARM:
		return live_arm_ask(v);
	case REQ_OUTPUT:
		if (!v->output.pane)
			stack_say(v->stack, ROLE_NOTE,
				  _("No output: ptui did not start this process."));
		else if (live_output_open(v))
			stack_say(v->stack, ROLE_BAD, _("Out of memory."));
		return WISH_REDRAW;
	case REQ_NEXT_EVENT:
		return v->n_events ? next_event(v, 1) : WISH_NONE;
	case REQ_PREV_EVENT:
		return v->n_events ? next_event(v, v->n_events - 1) : WISH_NONE;
	case REQ_BACK:
		return live_zoom_undo(v) ? WISH_REDRAW : leave(v);
	default:
		wishes = live_look_request(v, req);
		return wishes == WISH_PASS ? live_tree_request(v, req) : wishes;
	}
}

/* There is a file, or samples. */
static bool can_browse(const struct live_view *v)
{
	return ptui_live_output(v->live) || v->info.taken;
}

/* What has ended is only browsed. */
static const struct request_info *live_info(void *self, enum request req)
{
	static const struct request_info browse = { .word = N_("browse"),
						    .help = N_("browse what was recorded") };
	const struct live_view *v = self;

	return req == REQ_STOP && has_ended(v) ? &browse : NULL;
}

/* Only what is there is offered. */
bool live_can(void *self, enum request req)
{
	const struct live_view *v = self;

	switch (req) {
	case REQ_STOP:
		return !has_ended(v) || can_browse(v);
	case REQ_PAUSE:
		return !has_ended(v);
	case REQ_SNAPSHOT:
	case REQ_ARM:
		return live_snapshots_can(v);
	case REQ_SNAPSHOTS: /* where there can be none, it tells why */
		return live_snapshots_can(v) || snapshot_list_taken(v->snapshots.list);
	case REQ_CHANGE_EVENTS:
		return v->change_events;
	case REQ_OUTPUT:
		return v->output.pane;
	case REQ_NEXT_EVENT:
	case REQ_PREV_EVENT:
		return v->n_events > 1;
	default:
		return live_look_can(v, req);
	}
}

static unsigned mouse(void *self, const struct term_event *e)
{
	return live_tree_mouse(self, e);
}

/* Not before the file is whole. Who sent a signal does not come back to say that he meant it. */
static bool finish(void *self, int signal)
{
	struct live_view *v = self;

	if (v->joined)
		return true;
	if (v->after != LIVE_AFTER_QUIT)
		ask_to_end(v, LIVE_AFTER_QUIT);
	if (signal && loop_now_ns() - v->stop_ns >= TOO_LATE_NS)
		v->killing = true;
	return false;
}

/* ---- birth and death ---- */

static void view_free(struct live_view *v)
{
	struct loop *loop = stack_loop(v->stack);

	loop_remove(loop, v->wake_watch);
	loop_remove(loop, v->hot_watch);
	loop_remove(loop, v->timer);
	live_snapshots_release(v);
	live_output_release(v);
	live_look_release(v);
	live_menu_release(v);
	live_arm_release(v);
	live_tree_release(v);
	live_worker_free(v->worker);
	live_model_release(&v->model);
	box_free(v->root);
	ptui_live_free(v->live);
	free(v->events);
	free(v->target);
	free(v->rate);
	free(v);
}

/* The one way here without an end is that somebody did not want to wait for it. */
static void close_view(void *self)
{
	struct live_view *v = self;

	if (!v->joined && v->stop_ns)
		say_left(v);
	view_free(v);
}

static const enum request hints[] = { REQ_STOP,	 REQ_SNAPSHOT, REQ_SNAPSHOTS, REQ_ARM,
				      REQ_PAUSE, REQ_OUTPUT,   REQ_TOGGLE,    REQ_NEXT_EVENT,
				      REQ_ZERO,	 REQ_FREEZE,   REQ_SEARCH,    REQ_CHANGE_EVENTS,
				      REQ_HELP,	 REQ_BACK,     REQ_NONE };

static const struct screen_ops live_ops = {
	.title = N_("Live"),
	.keymap = KEYMAP_LIVE,
	.hints = hints,
	.head = live_draw_head,
	.draw = live_draw,
	.request = live_request,
	.can = live_can,
	.info = live_info,
	.mouse = mouse,
	.finish = finish,
	.close = close_view,
};

static int watch(struct live_view *v)
{
	struct loop *loop = stack_loop(v->stack);

	v->wake_watch = loop_watch(loop, ptui_live_wake_fd(v->live), POLLIN, on_wake, v);
	v->hot_watch = loop_watch(loop, live_worker_fd(v->worker), POLLIN, on_hot, v);
	v->timer = loop_every(loop, CLOCK_MS, on_clock, v);
	return v->wake_watch && v->hot_watch && v->timer ? 0 : -ENOMEM;
}

static int view_init(struct live_view *v, const struct live_view_opts *opts, struct ptui_error *err)
{
	v->target = strdup(opts->target ? opts->target : "");
	v->rate = opts->rate ? strdup(opts->rate) : NULL;
	v->n_events = ptui_live_n_events(v->live);
	v->events = calloc(v->n_events + 1, sizeof(*v->events));
	if (!v->target || (opts->rate && !v->rate) || !v->events || live_layout_make(v) ||
	    live_tree_init(v) || live_output_init(v) || live_snapshots_init(v))
		return ptui_error_nomem(err);
	v->worker = live_worker_new(err);
	if (!v->worker)
		return -EAGAIN;
	if (watch(v))
		return ptui_error_nomem(err);
	take_facts(v);
	while (v->line + 1 < v->n_events && v->events[v->line].profile_event == PTUI_NONE)
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
	v->done = opts->done;
	v->left = opts->left;
	v->change_events = opts->change_events;
	v->again = opts->again;
	v->ctx = opts->ctx;
	v->arm.typed = (struct history)HISTORY_INIT;
	live_model_init(&v->model);
	live_menu_init(v);
	v->model.whole_system = opts->whole_system;
	v->model.n_cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	v->look.view = opts->look;
	v->look.view.whole_system = opts->whole_system;
	r = view_init(v, opts, err);
	if (r) {
		view_free(v);
		return r;
	}
	r = stack_push(s, &live_ops, v);
	if (!r)
		stack_make_tab(s, v, _("Live"));
	return r ? ptui_error_nomem(err) : 0;
}
