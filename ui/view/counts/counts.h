/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Counts screen: events counted without samples, for `ptui stat --tui`.
 *
 *	 Counts  make -j2                              ● COUNT 00:12.4   1000 ms	head
 *	 ────────────────────────────────────────────────────────────────────────────
 *	   Event          Interval          Total     Rate  Running  Ratio		table
 *	   instructions     3.12 G  5,380,164,022  3.1 G/s   50.0 %  2.00 insn per cycle
 *	   cycles           1.55 G  2,690,082,011  1.5 G/s   50.0 %  2.990 GHz
 *	 ────────────────────────────────────────────────────────────────────────────
 *	 user 0.314 s · sys 0.016 s							times
 *
 * After the end it stays, with the final numbers.
 */
#ifndef VIEW_COUNTS_COUNTS_H
#define VIEW_COUNTS_COUNTS_H

#include "ptui/count.h"
#include "ptui/error.h"
#include "text/words.h"
#include "widget/stack.h"

struct counts_view_opts {
	struct ptui_count_run *run; /* started; must outlive the screen */
	const char *target;	    /* "make -j2": translated; copied */
	unsigned interval_ms;
	const struct words *cmdline; /* that counts this; copied */
	/* It has ended, and the screen is closed. `quits`: the program ends. */
	void (*closed)(void *ctx, bool quits);
	void *ctx;
};

/* Pushes the screen. 0, or a negative errno with err set: nothing is called then. */
int counts_view_open(struct stack *s, const struct counts_view_opts *opts, struct ptui_error *err);

#endif
