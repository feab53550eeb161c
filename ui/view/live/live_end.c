/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a recording, and what follows: the Browser, another recording, or leaving. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/live/live_private.h"
#include "widget/popup.h"

#define TOO_LATE_NS 3000000000ull /* from the request to SIGKILL, if no screen is visible */

bool live_has_ended(const struct live_view *v)
{
	return v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED;
}

bool live_command_runs(const struct live_view *v)
{
	return v->output.pane && ptui_live_child_status(v->live) == -1;
}

/*
 * The current profile, if it has all that the file has: nothing was dropped or left out, no
 * other file has some of the samples, and no names have come since; or if there is no file, or none with samples.
 */
static struct ptui_profile *complete_profile(struct live_view *v)
{
	struct ptui_live_profile_info info = { 0 };
	struct ptui_profile *p = ptui_live_profile(v->live, &info);

	if (p && ptui_live_output(v->live) &&
	    (info.left || info.lacks_payloads || v->model.stats.forgotten_samples ||
	     v->model.stats.dropped_samples || v->model.stats.dropped_bytes ||
	     snapshot_list_files(v->snapshots.list) || ptui_profile_has_late_map(p))) {
		ptui_profile_unref(p);
		return NULL;
	}
	return p;
}

/* The Browser does not have all samples, or they are in no file. */
static void report_kept(struct stack *s, bool file, uint64_t kept, uint64_t taken, uint64_t unsaved)
{
	if (file)
		stack_say(s, ROLE_NOTE, _("The memory buffer (-M) kept the last %s of %s samples."),
			  grouped(kept).text, grouped(taken).text);
	else if (unsaved && unsaved < kept)
		stack_say(s, ROLE_NOTE,
			  _("No file was written: w saves the last %s of these %s samples."),
			  grouped(unsaved).text, grouped(kept).text);
	else if (unsaved)
		stack_note(s, _("No file was written: w saves these samples."));
	else if (kept == taken)
		stack_note(s, _("No file was written: these samples are lost when you leave."));
	else
		stack_say(s, ROLE_NOTE,
			  _("No file was written: these are the last %s of %s samples."),
			  grouped(kept).text, grouped(taken).text);
}

/* The Browser has what came through the pipe, or the last of it. */
static void report_pipe(struct stack *s, bool stopped, uint64_t kept, uint64_t taken)
{
	if (kept < taken)
		stack_say(s, ROLE_NOTE,
			  _("The pipe was read: these are the last %s of %s samples."),
			  grouped(kept).text, grouped(taken).text);
	else
		stack_say(s, ROLE_NOTE,
			  stopped ? _("The pipe is no longer read: %s samples have come.") :
				    _("The pipe has ended: %s samples have come."),
			  grouped(taken).text);
	stack_redraw(s); /* the writer's last words are often printed on this terminal */
}

/* The options that have ended it; NULL: none has. */
static const char *limit_text(const struct ptui_live_stats *stats)
{
	if (stats->limit_reached)
		return _("All counters have reached --overflow-limit: the recording has ended.");
	return stats->size_reached ?
		       _("The file has reached --max-size: the recording has ended.") :
		       NULL;
}

/* Closes the screen and opens the next one; `v` is freed. */
static void hand_over(struct live_view *v)
{
	void (*done)(void *, const char *, struct ptui_profile *,
		     struct ptui_live *) = v->opts.done;
	struct ptui_profile *profile = complete_profile(v);
	const char *output = ptui_live_output(v->live);
	struct ptui_live_profile_info info = v->info;
	struct ptui_live_stats stats = v->model.stats;
	char *path = output ? strdup(output) : NULL;
	uint64_t n_unsaved = ptui_live_unsaved(v->live);
	struct ptui_live *unsaved = NULL;
	struct stack *stack = v->stack;
	void *ctx = v->opts.ctx;
	bool tabs, pipe = ptui_live_is_pipe(v->live), stopped = v->model.stop_asked;

	if (!output && (!profile || !info.taken)) {
		ptui_profile_unref(profile);
		stack_note(stack, _("No samples were taken."));
		return;
	}
	if (output && !path) {
		ptui_profile_unref(profile);
		stack_no_memory(stack);
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
	/* next to what was opened while recording */
	if (tabs)
		stack_make_tab(stack, NULL, path ? text_file_name(path) : _("Live"));
	if (pipe)
		report_pipe(stack, stopped, info.taken - info.left, info.taken);
	else if (!path)
		report_kept(stack, false, info.taken - info.left, info.taken, n_unsaved);
	else if (stats.forgotten_samples)
		report_kept(stack, true, stats.samples - stats.forgotten_samples, stats.samples, 0);
	else if (limit_text(&stats))
		stack_note(stack, limit_text(&stats));
	free(path);
}

/* Closes the screen and starts a new recording; `v` is freed. */
static void record_again(struct live_view *v)
{
	const char *output = ptui_live_output(v->live);
	char *path = output ? strdup(output) : NULL;
	void (*again)(void *, const char *) = v->opts.again;
	struct stack *stack = v->stack;
	void *ctx = v->opts.ctx;

	live_snapshots_stay(v);
	stack_remove(stack, v);
	again(ctx, path);
	free(path);
}

/*
 * A successful recording is browsed at once. The screen stays if there is something to see: the
 * recording or the command failed, nothing was sampled, or another screen is on top.
 */
static bool stays_open(const struct live_view *v)
{
	int status = ptui_live_child_status(v->live);

	if (!v->asking && !stack_is_top(v->stack, v))
		return true;
	if (v->model.phase == LIVE_FAILED || !v->model.stats.samples)
		return true;
	return !v->model.stop_asked && status != -1 && status != 0;
}

/* Message if the recording is not shown in the Browser. */
void live_report_left(struct live_view *v)
{
	const char *path = ptui_live_output(v->live);
	char text[PATH_MAX + 512], child[128];

	if (!v->opts.left || !path)
		return;
	live_child_text(ptui_live_child_status(v->live), child, sizeof(child));
	if (*child)
		snprintf(text, sizeof(text),
			 _("The recording is in %s; the command has ended: %s."), path, child);
	else
		snprintf(text, sizeof(text), _("The recording is in %s."), path);
	live_snapshots_left(v, text, sizeof(text));
	v->opts.left(v->opts.ctx, text, v->after == LIVE_AFTER_QUIT);
}

static void live_save(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!sample_saver_start(&v->saver, v->live, SAMPLE_SAVER_NAME, &err))
		return;
	v->after = LIVE_AFTER_BROWSE;
	popup_error(v->stack, &err);
}

void live_saved(void *ctx, const char *path, const struct ptui_error *err)
{
	struct live_view *v = ctx;
	char text[256];

	if (err) {
		v->after = LIVE_AFTER_BROWSE;
		popup_error(v->stack, err);
		return;
	}
	snprintf(text, sizeof(text), _("The samples are in %s."), path);
	if (v->opts.left)
		v->opts.left(v->opts.ctx, text, true);
	stack_remove(v->stack, v);
}

static unsigned live_wait_for_save(struct live_view *v)
{
	return stack_note(v->stack,
			  _("The samples are being saved; this screen closes when they are."));
}

/* Continues after the end. True: `v` is freed. */
bool live_end(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (v->joined || !live_has_ended(v))
		return false;
	v->joined = true;
	loop_remove(stack_loop(v->stack), v->timer);
	v->timer = 0;
	if (ptui_live_join(v->live, &err)) {
		/* stop at the first error: do not start the next recording */
		if (v->after == LIVE_AFTER_AGAIN)
			v->after = LIVE_AFTER_BROWSE;
		if (v->after == LIVE_AFTER_BROWSE)
			popup_error(v->stack, &err);
	}
	live_update_facts(v);
	switch (v->after) {
	case LIVE_AFTER_LEAVE:
		live_report_left(v);
		stack_remove(v->stack, v);
		return true;
	case LIVE_AFTER_SAVE:
		live_save(v);
		return false;
	case LIVE_AFTER_QUIT:
		live_report_left(v);
		stack_wish(v->stack, v, WISH_QUIT);
		return true;
	case LIVE_AFTER_AGAIN:
		record_again(v);
		return true;
	case LIVE_AFTER_BROWSE:
		break;
	}
	if (stays_open(v)) {
		const char *limit = limit_text(&v->model.stats);

		stack_note(v->stack, ptui_live_is_pipe(v->live) ? _("The pipe has ended.") :
				     limit			? limit :
								  _("The recording has ended."));
		return false;
	}
	hand_over(v);
	return true;
}

static void live_request_end(struct live_view *v, enum live_after after)
{
	v->after = after;
	if (!v->model.stop_asked) {
		v->model.stop_asked = true;
		v->stop_ns = loop_now_ns();
		ptui_live_stop(v->live);
	}
	live_update_facts(v);
}

/* The end was requested before, but has not happened. */
static void kill_late(struct live_view *v)
{
	if (!v->model.stop_asked || !live_command_runs(v))
		return;
	v->killing = true;
	stack_note(v->stack, _("The command is being killed."));
}

unsigned live_stop(struct live_view *v)
{
	if (v->saver.worker)
		return live_wait_for_save(v);
	if (live_has_ended(v) && v->joined) {
		hand_over(v);
		return WISH_NONE;
	}
	kill_late(v);
	live_request_end(v, LIVE_AFTER_BROWSE);
	return WISH_REDRAW;
}

static void on_again(void *ctx)
{
	struct live_view *v = ctx;

	v->timer = 0;
	record_again(v);
}

/* Another recording is to follow. This one may have ended by then. */
static unsigned events_taken(void *live)
{
	struct live_view *v = live;

	/* not here: the picker is still on top */
	if (live_has_ended(v) && v->joined) {
		v->timer = loop_after(stack_loop(v->stack), 1, on_again, v);
		return WISH_NONE;
	}
	live_request_end(v, LIVE_AFTER_AGAIN);
	stack_note(v->stack, _("Stopping this recording and starting the next one."));
	return WISH_NONE;
}

unsigned live_record_unwound(struct live_view *v)
{
	kill_late(v); /* the next recording waits for this command */
	v->opts.use_unwound(v->opts.ctx);
	events_taken(v);
	return WISH_REDRAW;
}

static void record_probes(void *self, const char *events)
{
	struct live_view *v = self;

	kill_late(v);
	v->opts.use_probes(v->opts.ctx, events);
	events_taken(v);
}

struct probe_then live_probe_then(struct live_view *v)
{
	return (struct probe_then){ v->opts.use_probes ? record_probes : NULL, v };
}

unsigned live_change_events(struct live_view *v)
{
	if (!v->opts.change_events)
		return stack_note(
			v->stack,
			_("The events can only be changed in Setup, and this recording was not "
			  "started there."));
	/* the next recording waits for this command */
	if (v->model.stop_asked && !live_has_ended(v)) {
		kill_late(v);
		live_request_end(v, LIVE_AFTER_AGAIN);
		return WISH_REDRAW;
	}
	return v->opts.change_events(v->opts.ctx, events_taken, v);
}

static unsigned chosen(void *ctx, int index)
{
	struct live_view *v = ctx;

	v->asking = false;
	if (index == 0)
		return live_stop(v);
	if (index == 1 && live_has_ended(v))
		return WISH_POP;
	if (index == 1)
		live_request_end(v, LIVE_AFTER_LEAVE);
	return WISH_REDRAW;
}

static unsigned unsaved_chosen(void *ctx, int index)
{
	struct live_view *v = ctx;

	v->asking = false;
	if (index < 0 || index > 1)
		return WISH_REDRAW;
	if (index && live_has_ended(v))
		return WISH_POP;
	if (!live_has_ended(v))
		live_request_end(v, index ? LIVE_AFTER_LEAVE : LIVE_AFTER_SAVE);
	else
		live_save(v);
	return WISH_REDRAW;
}

/*
 * A file is kept, and the targets keep running, so nothing is lost. Only a command that is still
 * running ends with its recording.
 */
unsigned live_leave(struct live_view *v)
{
	const struct menu_item items[] = {
		{ .text = _("stop the command and browse"), .current = true },
		{ .text = _("stop the command and leave; the file is kept"), .key = 'q' },
		{ .text = _("go on recording"), .key = 'g' },
	};

	if (v->saver.worker)
		return live_wait_for_save(v);
	/* perf top does not ask, but samples would be lost. The same key twice leaves. */
	if (ptui_live_unsaved(v->live)) {
		sample_saver_ask(&v->saver, unsaved_chosen);
		v->asking = !stack_is_top(v->stack, v);
		return WISH_REDRAW;
	}
	if (live_has_ended(v))
		return WISH_POP;
	if (!live_command_runs(v) || v->model.stop_asked) {
		live_request_end(v, LIVE_AFTER_LEAVE);
		return WISH_REDRAW;
	}
	popup_menu(v->stack, _("Recording"), items, 3, chosen, v);
	v->asking = !stack_is_top(v->stack, v);
	return WISH_REDRAW;
}

/* Waits until the file is complete. A signal quits without a question. */
bool live_finish(void *self, int signal)
{
	struct live_view *v = self;

	if (v->joined)
		return !v->saver.worker;
	if (v->after != LIVE_AFTER_QUIT)
		live_request_end(v, LIVE_AFTER_QUIT);
	if (signal && loop_now_ns() - v->stop_ns >= TOO_LATE_NS)
		v->killing = true;
	return false;
}
