/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Setup screen: what is recorded, of whom, how often, where to.
 *
 *	 Target      ‹ command ›  make -j2           (c) command · (p) process · (a) whole system
 *	 Events        cycles                        ✓
 *	               + add from the catalog …
 *	 Rate        ‹ frequency ›  4000 samples a second        frequency · period
 *	 Call graph  ‹ frame pointers ›                          frame pointers · off
 *	 Output        perf.data                                 the old one becomes .old
 *
 *	 Same as       ptui record -F 4000 -g -e cycles -- make -j2                  (y) copy
 *
 *	  ! this machine cannot count cycles: cpu-clock is recorded instead
 *
 * Takes: the last session's choices. Gives: the options, to who records. It is not for recording.
 */
#ifndef VIEW_SETUP_SETUP_H
#define VIEW_SETUP_SETUP_H

#include "ptui/doctor.h"
#include "ptui/record.h"
#include "widget/stack.h"

struct setup_screen_opts {
	/*
	 * The person wants to record: `opts` holds during the call. Setup stays below what is
	 * opened here. Returns wishes for Setup.
	 */
	unsigned (*start)(void *ctx, const struct ptui_record_opts *opts);
	/* The person wants to see the recording at `path`, which can be read. Returns wishes. */
	unsigned (*browse)(void *ctx, const char *path);
	void *ctx;
	bool preview;		/* events are counted while they are chosen */
	const char *state_path; /* of the last choices; NULL: setup_path(); "": they are not kept */
	const char *proc;	/* NULL: "/proc" */
	/* NULL: ptui_record_check(). Called in a thread of its own. */
	int (*check)(const struct ptui_record_opts *opts, struct ptui_check *ret,
		     struct ptui_error *err);
};

/* Opens it. 0, or a negative error with nothing opened. Strings of `opts` are copied. */
int setup_open(struct stack *s, const struct setup_screen_opts *opts, struct ptui_error *err);
/*
 * From a screen above, which shows what Setup started: a picker of Setup's events over it. When the
 * person takes some that can be recorded, they are Setup's, and taken() is called. Nothing else
 * changes. False: there is no Setup, or no picker can be opened, which was told then.
 */
bool setup_change_events(struct stack *s, const char *where, unsigned (*taken)(void *ctx),
			 void *ctx);
/* Records what a Setup that lies below says, as its own key does. False: there is none. */
bool setup_record_again(struct stack *s);
/* Back to a Setup that lies below, with all above it closed. False: there is none. */
bool setup_return(struct stack *s);

#endif
