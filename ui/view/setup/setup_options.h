/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen with all options that have no row in Setup, by group, and what the chosen one does.
 *
 *	 Setup › Options                                             3 of 45 differ
 *	 ──────────────────────────────────────────────────────────────────────────
 *	 What stands in a sample
 *	 * -D, --delay MS            500
 *	       --sample-cpu
 *	 ──────────────────────────────────────────────────────────────────────────
 *	 -D, --delay MS
 *	 begins to record so many milliseconds after the start of the command …
 */
#ifndef VIEW_SETUP_SETUP_OPTIONS_H
#define VIEW_SETUP_SETUP_OPTIONS_H

#include "model/setup/setup_more.h"
#include "widget/stack.h"

struct setup_options_opts {
	struct setup_more *more; /* is changed; outlives the screen */
	/* Something was changed. Returns wishes for the screen `ctx`, which lies below. */
	unsigned (*changed)(void *ctx);
	/* A line was pasted; as `changed`. */
	unsigned (*paste)(void *ctx, const char *text);
	void *ctx;
};

/* Opens it. 0, or a negative error with nothing opened. */
int setup_options_open(struct stack *s, const struct setup_options_opts *opts,
		       struct ptui_error *err);

#endif
