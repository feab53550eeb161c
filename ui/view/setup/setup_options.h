/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of all options without a row in Setup, by group, with an explanation.
 *
 *	 Setup › Options                                             3 of 45 differ
 *	 ──────────────────────────────────────────────────────────────────────────
 *	 Sample fields
 *	 * -D, --delay MS            500
 *	       --sample-cpu
 *	 ──────────────────────────────────────────────────────────────────────────
 *	 -D, --delay MS
 *	 start recording this many milliseconds after the command …
 */
#ifndef VIEW_SETUP_SETUP_OPTIONS_H
#define VIEW_SETUP_SETUP_OPTIONS_H

#include "model/setup/setup.h"
#include "widget/stack.h"

struct setup_options_opts {
	struct setup *setup; /* modified; must outlive the screen */
	/* An option was changed. Returns wishes for the screen `ctx` below. */
	unsigned (*changed)(void *ctx);
	/* A line was pasted; as `changed`. */
	unsigned (*paste)(void *ctx, const char *text);
	void *ctx;
};

/* Opens it. 0, or negative with nothing opened. */
int setup_options_open(struct stack *s, const struct setup_options_opts *opts,
		       struct ptui_error *err);

#endif
