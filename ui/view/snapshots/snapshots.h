/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The snapshots of a recording, while it goes on and afterwards.
 *
 *	 Live · [Snapshots]                            ● REC 04:31.2   3 files, 6.6 MB	head
 *	 ─────────────────────────────────────────────────────────────────────────────
 *	      #     Taken    Span  Samples    Size  Why        Name			table
 *	      3   04:28.1  3.90 s   15,310  2.1 MB  condition  gc-pause
 *	 *    2   02:10.7  4.20 s   16,902  2.3 MB  key
 *	 ─────────────────────────────────────────────────────────────────────────────
 *	 #3: a condition came true at 04:28.1 …						details
 *
 * Each can be opened in a tab beside it. Takes: the list, which somebody feeds. Not for taking
 * snapshots: it asks whoever records.
 */
#ifndef VIEW_SNAPSHOTS_SNAPSHOTS_H
#define VIEW_SNAPSHOTS_SNAPSHOTS_H

#include "model/snapshots/snapshots.h"
#include "ptui/error.h"
#include "widget/stack.h"

struct snapshots_view;

/* Who records. All may be NULL but closed(). */
struct snapshots_recorder {
	/* Can one be taken now? Takes one; returns wishes. */
	bool (*can)(void *ctx);
	unsigned (*take)(void *ctx);
	/* "● REC 04:31.2" */
	void (*state)(void *ctx, char *buf, size_t size, style_t *ret_style);
	/* The screen has gone. */
	void (*closed)(void *ctx);
	void *ctx;
};

/*
 * Opens it in a tab. The list gets a reference more. NULL on failure. Until closed() is called, the
 * caller tells it by the functions below what becomes of the recording.
 */
struct snapshots_view *snapshots_view_open(struct stack *s, struct snapshot_list *list,
					   const struct snapshots_recorder *r,
					   struct ptui_error *err);
/* The list has changed. */
void snapshots_view_changed(struct snapshots_view *v);
/* Who records goes: nothing of it is called any more. */
void snapshots_view_left_alone(struct snapshots_view *v);
/* Brings its tab in front. */
void snapshots_view_raise(struct snapshots_view *v);

/*
 * What is told of one at once: "Snapshot 2 (key): 16,902 samples, 4.20 s; rings paused for 412 us".
 * Returns buf.
 */
char *snapshots_news(size_t number, const struct ptui_snapshot *facts, char *buf, size_t size);

#endif
