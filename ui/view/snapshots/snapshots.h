/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of snapshots of a recording, while it runs and afterwards. Each can be opened in a tab.
 *
 *	 Live · [Snapshots]                              3 files, 6.6 MB   ● REC 04:31	head
 *	 ─────────────────────────────────────────────────────────────────────────────
 *	     #     Taken    Span  Samples    Size  Why        Name			table
 *	     3   04:28.1  3.90 s   15,310  2.1 MB  condition  gc-pause
 *	*    2   02:10.7  4.20 s   16,902  2.3 MB  key
 *	 ─────────────────────────────────────────────────────────────────────────────
 *	 #3: a condition became true at 04:28.1 …					details
 */
#ifndef VIEW_SNAPSHOTS_SNAPSHOTS_H
#define VIEW_SNAPSHOTS_SNAPSHOTS_H

#include "model/snapshots/snapshots.h"
#include "ptui/error.h"
#include "widget/stack.h"

struct snapshots_view;

/* Callbacks of the recording screen. All may be NULL except closed(). */
struct snapshots_recorder {
	/* Can one be taken now? Takes one; returns wishes. */
	bool (*can)(void *ctx);
	unsigned (*take)(void *ctx);
	/* The list was closed. */
	void (*closed)(void *ctx);
	void *ctx;
};

/*
 * Opens it in a tab. Takes a reference to the list. NULL on failure. Until closed() is called, the
 * caller reports changes of the recording with the functions below.
 */
struct snapshots_view *snapshots_view_open(struct stack *s, struct snapshot_list *list,
					   const struct snapshots_recorder *r,
					   struct ptui_error *err);
/* The list has changed. */
void snapshots_view_changed(struct snapshots_view *v);
/* The recording screen closes: its callbacks are not called any more. */
void snapshots_view_left_alone(struct snapshots_view *v);

/*
 * Message for a new one: "Snapshot 2 (key): 16,902 samples, 4.20 s; ring buffers paused for 412
 * us". Returns buf.
 */
char *snapshots_news(size_t number, const struct ptui_snapshot *facts, char *buf, size_t size);

#endif
