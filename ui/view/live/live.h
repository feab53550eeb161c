/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Live screen: a running recording.
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
 */
#ifndef VIEW_LIVE_LIVE_H
#define VIEW_LIVE_LIVE_H

#include "model/live/live_hot.h"
#include "ptui/error.h"
#include "ptui/live.h"
#include "widget/stack.h"

struct live_view_opts {
	/* owned by the screen even on failure; started for live_view_open() */
	struct ptui_live *live;
	const char *target; /* "make -j2", "pid 4711": translated; copied */
	const char *rate;   /* "4000 Hz"; NULL: unknown; copied */
	/*
	 * The command line that records this: NUL-terminated words of this total length, copied. Its
	 * options of `top` are followed by those of the view. NULL: unknown.
	 */
	const char *cmdline;
	size_t cmdline_bytes;
	bool whole_system;	   /* target of the recording */
	struct live_hot_view look; /* initial view of the functions; since_ns is 0 */
	/*
	 * The recording has ended, the file is complete, and the screen is closed: browse it.
	 * `path` is valid during the call; NULL: no file. `profile` has all samples of the file, or
	 * all that are left; the callee gets a reference; NULL: load the file. `unsaved`: the
	 * joined recording whose samples are in memory only (ptui_live_unsaved()); owned by the
	 * callee; NULL: it is released.
	 */
	void (*done)(void *ctx, const char *path, struct ptui_profile *profile,
		     struct ptui_live *unsaved);
	/*
	 * The user has left instead, or (`quits`) the program ends: a message about file and
	 * command. May be NULL.
	 */
	void (*left)(void *ctx, const char *text, bool quits);
	/*
	 * Chooses other events for a new recording: opens a picker, and calls taken(live) when they
	 * are chosen; the recording continues meanwhile. NULL: not available.
	 */
	unsigned (*change_events)(void *ctx, unsigned (*taken)(void *live), void *live);
	/*
	 * Events were chosen, the recording has ended, its file is complete at `path` (NULL: no
	 * file), and the screen is closed: start the new recording. With change_events only.
	 */
	void (*again)(void *ctx, const char *path);
	/*
	 * Probes were added ("GROUP:NAME", one per line) that the next recording has instead of its
	 * events; then as again(). With change_events only.
	 */
	void (*use_probes)(void *ctx, const char *events);
	/* The next recording is to have unwound stacks. NULL: not available. */
	void (*use_unwound)(void *ctx);
	/* For live_view_start(): the recording could not be started. */
	void (*failed)(void *ctx, const struct ptui_error *err);
	void *ctx;
};

/*
 * Starts the recording in a thread while the screens go on, then opens the screen as below. 0, or a
 * negative errno: then it is released, and nothing is called.
 */
int live_view_start(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err);

/* Pushes the screen. 0, or a negative errno: then the recording was stopped and released. */
int live_view_open(struct stack *s, const struct live_view_opts *opts, struct ptui_error *err);

#endif
