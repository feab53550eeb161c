/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Setup screen: what is recorded, of whom, how often, where to.
 *
 *	  Target       command                         command · process · whole system
 *	               make -j2
 *	  Events       cycles
 *	               + add from the catalog …
 *	  Rate         4000 samples a second           by frequency · by period
 *	  Call graph   frame pointers                  frame pointers · off
 *	  Output       perf.data
 *
 *	  Same as      ptui record -F 4000 -g -e cycles -- make -j2
 *	  ! this machine cannot count cycles: cpu-clock is recorded instead
 *
 * Takes: the last session's choices. Gives: the options, to who records. It is not for recording.
 */
#ifndef VIEW_SETUP_H
#define VIEW_SETUP_H

#include "ptui/doctor.h"
#include "ptui/record.h"
#include "widget/stack.h"

struct setup_screen_opts {
	/*
	 * The person wants to record: `opts` holds during the call. Setup stays below what is
	 * opened here. Returns wishes for Setup.
	 */
	unsigned (*start)(void *ctx, const struct ptui_record_opts *opts);
	void *ctx;
	const char *state_path; /* of the last choices; NULL: setup_path(); "": they are not kept */
	const char *proc;	/* NULL: "/proc" */
	/* NULL: ptui_record_check(). Called in a thread of its own. */
	int (*check)(const struct ptui_record_opts *opts, struct ptui_check *ret,
		     struct ptui_error *err);
};

/* Opens it. 0, or a negative error with nothing opened. Strings of `opts` are copied. */
int setup_open(struct stack *s, const struct setup_screen_opts *opts, struct ptui_error *err);

#endif
