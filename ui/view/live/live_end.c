/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a recording on the Live screen ends, and what follows: the browser, another recording, or leaving. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "view/live/live_private.h"
#include "widget/number.h"
#include "widget/popup.h"

#define SAVED_AS    "perf.data"	  /* what was in memory only */
#define TOO_LATE_NS 3000000000ull /* from the request to the kill, if nobody can see the screen */

bool live_has_ended(const struct live_view *v)
{
	return v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED;
}

bool live_command_runs(const struct live_view *v)
{
	return v->output.pane && ptui_live_child_status(v->live) == -1;
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
void live_say_left(struct live_view *v)
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
bool live_end(struct live_view *v)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	if (v->joined || !live_has_ended(v))
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
	live_take_facts(v);
	switch (v->after) {
	case LIVE_AFTER_LEAVE:
		live_say_left(v);
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
		live_say_left(v);
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

void live_ask_to_end(struct live_view *v, enum live_after after)
{
	v->after = after;
	if (!v->model.stop_asked) {
		v->model.stop_asked = true;
		v->stop_ns = loop_now_ns();
		ptui_live_stop(v->live);
	}
	live_take_facts(v);
}

/* It was asked to end before, and has not. */
static void kill_late(struct live_view *v)
{
	if (!v->model.stop_asked || !live_command_runs(v))
		return;
	v->killing = true;
	stack_say(v->stack, ROLE_NOTE, _("The command is being killed."));
}

unsigned live_stop(struct live_view *v)
{
	if (live_has_ended(v) && v->joined) {
		hand_over(v);
		return WISH_NONE;
	}
	kill_late(v);
	live_ask_to_end(v, LIVE_AFTER_BROWSE);
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
	if (live_has_ended(v) && v->joined) {
		v->timer = loop_after(stack_loop(v->stack), 1, on_again, v);
		return WISH_NONE;
	}
	live_ask_to_end(v, LIVE_AFTER_AGAIN);
	stack_say(v->stack, ROLE_NOTE, _("Stopping this recording and starting the next one."));
	return WISH_NONE;
}

unsigned live_change_events(struct live_view *v)
{
	if (!v->change_events) {
		stack_say(v->stack, ROLE_NOTE,
			  _("The events can only be changed in Setup, and this recording was not "
			    "started there."));
		return WISH_REDRAW;
	}
	/* the next one waits for this one's command */
	if (v->model.stop_asked && !live_has_ended(v)) {
		kill_late(v);
		live_ask_to_end(v, LIVE_AFTER_AGAIN);
		return WISH_REDRAW;
	}
	return v->change_events(v->ctx, events_taken, v);
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
		live_ask_to_end(v, LIVE_AFTER_LEAVE);
	return WISH_REDRAW;
}

static unsigned unsaved_chosen(void *ctx, int index)
{
	struct live_view *v = ctx;

	v->asking = false;
	if (index < 0 || index > 1)
		return WISH_REDRAW;
	if (!live_has_ended(v)) {
		live_ask_to_end(v, index ? LIVE_AFTER_LEAVE : LIVE_AFTER_SAVE);
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
unsigned live_leave(struct live_view *v)
{
	const struct menu_item items[] = {
		{ .text = _("stop the command and browse"), .key = 'b', .current = true },
		{ .text = _("stop the command and leave; the file is kept"), .key = 'q' },
		{ .text = _("go on recording"), .key = 'g' },
	};

	if (ptui_live_unsaved(v->live))
		return leave_unsaved(v);
	if (live_has_ended(v))
		return WISH_POP;
	if (!live_command_runs(v) || v->model.stop_asked) {
		live_ask_to_end(v, LIVE_AFTER_LEAVE);
		return WISH_REDRAW;
	}
	if (popup_menu(v->stack, _("Recording"), items, 3, chosen, v))
		stack_say(v->stack, ROLE_BAD, _("Out of memory."));
	else
		v->asking = true;
	return WISH_REDRAW;
}

/* Not before the file is whole. Who sent a signal does not come back to say that he meant it. */
bool live_finish(void *self, int signal)
{
	struct live_view *v = self;

	if (v->joined)
		return true;
	if (v->after != LIVE_AFTER_QUIT)
		live_ask_to_end(v, LIVE_AFTER_QUIT);
	if (signal && loop_now_ns() - v->stop_ns >= TOO_LATE_NS)
		v->killing = true;
	return false;
}
