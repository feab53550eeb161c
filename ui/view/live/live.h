/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of a recording that runs.
 *
 *	 Live  make -j2                       ● REC 00:12.4   4000 Hz   own 0.3 %	head
 *	 ────────────────────────────────────────────────────────────────────────
 *	 ▸ cycles         38.9 G   3.12 G/s  ▅▅▆▆▅▅▇   instructions/cycle  1.38		events
 *	   instructions   53.8 G   4.31 G/s  ▅▅▆▆▅▅▇
 *	 samples 96,204 · lost 0 · throttled 0 · perf.data 14.2 MB			totals
 *	 only in the file: the oldest 12,000 samples					note
 *	 ────────────────────────────────────────────────────────────────────────
 *	   Overhead   now  Command  Shared Object  Symbol				hot
 *	+   11.82 %  12 %  cc1      cc1            [.] ggc_internal_alloc
 *
 * Takes: a recording that was started, or is to be. Gives: its file, when it has ended. Not for choosing what is
 * recorded, nor for browsing what was.
 */
#ifndef VIEW_LIVE_LIVE_H
#define VIEW_LIVE_LIVE_H

#include "model/live/live_hot.h"
#include "ptui/error.h"
#include "ptui/live.h"
#include "widget/stack.h"

struct live_view_opts {
	struct ptui_live *
		live; /* the screen's from now on, whatever happens; started for live_view_open() */
	const char *target;	   /* "make -j2", "pid 4711": translated; copied */
	const char *rate;	   /* "4000 Hz"; NULL: not said; copied */
	bool whole_system;	   /* who is measured */
	struct live_hot_view look; /* how the functions are looked at, at first; since_ns is 0 */
	/*
	 * The recording has ended, the file is whole, and the screen has gone from the stack:
	 * browse it. `path` is valid during the call; NULL: none was written. `profile` has all that the
	 * file has, or all that is left, and a reference goes to the callee; NULL: load the file.
	 * `unsaved`: the recording, joined, whose samples are in memory only (ptui_live_unsaved()); it goes to
	 * the callee. NULL: it is put away.
	 */
	void (*done)(void *ctx, const char *path, struct ptui_profile *profile,
		     struct ptui_live *unsaved);
	/*
	 * The person has left instead, or (`quits`) the program is to end: what there is to be said
	 * about the file and the command. May be NULL.
	 */
	void (*left)(void *ctx, const char *text, bool quits);
	/*
	 * The person wants to record again with other events: opens what they are chosen on, and calls
	 * taken(live) when they are; the recording goes on meanwhile. NULL: there is no such way.
	 */
	unsigned (*change_events)(void *ctx, unsigned (*taken)(void *live), void *live);
	/*
	 * They are chosen, the recording has ended, its file is whole and in `path` (NULL: none was
	 * written), and the screen has gone: start the new one. With change_events only.
	 */
	void (*again)(void *ctx, const char *path);
	/* Of live_view_start(): it could not be started. */
	void (*failed)(void *ctx, const struct ptui_error *err);
	void *ctx;
};

/*
 * Starts the recording beside the screens, which go on, and then opens the screen as below. 0 or a
 * negative errno: then it is put away, and nothing is called.
 */
int live_view_start(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err);

/* Pushes the screen. 0 or a negative errno: then the recording was stopped and is put away. */
int live_view_open(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err);

#endif
