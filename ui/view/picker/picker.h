/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events picker: the catalog as a tree, with marks, groups, modifiers, filters and a search.
 *
 *	 ▾ Hardware (10)                        │ cpu-cycles = cycles               Hardware
 *	   [x] cycles:u  {1}                    │ ✓ this machine has it
 *	   [x] instructions  {1}                │ type 0, config 0x0
 *	   [ ] cache-misses           ✗ not here│ modifiers u k h G H p P S D W e
 *	 ▾ Tracepoints (2,307)                  │ ─────────────────────────────────────────
 *	   ▾ sched (24)                         │ Marked, as record -e takes it
 *	     [x] sched:sched_switch  if …       │ {cycles:u,instructions}
 *	   ▸ syscalls (680)                     │ sched:sched_switch  if prev_state > 0
 */
#ifndef VIEW_PICKER_PICKER_H
#define VIEW_PICKER_PICKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "model/setup/setup_words.h"
#include "ptui/count.h"
#include "widget/stack.h"

struct picker_opts {
	const struct words *events;  /* marked at first; copied */
	const struct words *filters; /* of each: "" or, at the end, nothing for none; copied */
	/* What is marked in the end; not called when the person leaves without. Returns wishes. */
	unsigned (*done)(void *ctx, const struct words *events, const struct words *filters);
	void *ctx;
	const char *
		where; /* whose events they are: "Live"; NULL: "Setup"; translated, lives as long */
	bool at_marked; /* the cursor begins on the first that is marked: Enter takes them as they are */
	bool preview; /* events are counted from the start on, not only when it is asked for */
	pid_t pid;    /* of this process; 0: of the whole system */
	/* NULL: ptui_count_new() */
	struct ptui_count *(*count)(const struct ptui_count_opts *opts, struct ptui_error *err);
	/* NULL: ptui_event_try(). Called in threads of its own. */
	int (*try)(const char *event, struct ptui_error *why);
};

/*
 * Somebody may open it soon: reads the catalog once, aside, since the kernel makes the names of its
 * tracepoints when they are first asked for, and takes its time.
 */
void picker_prepare(void);
/* Opens it. 0, or a negative error with nothing opened. */
int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err);

#endif
