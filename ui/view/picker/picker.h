/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event picker: the catalog as a tree, with marks, groups, modifiers, filters and search.
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

#include "ptui/count.h"
#include "text/words.h"
#include "widget/stack.h"

struct picker_opts {
	/* initial marks: texts of -e, each followed by its filter ("": none); copied */
	const struct words *marks;
	/* Called with such marks; not called if cancelled. Returns wishes. */
	unsigned (*done)(void *ctx, const struct words *marks);
	void *ctx;
	/*
	 * The screen that opens it: "Live"; translated, must stay valid. The cursor starts on the first mark,
	 * so that Enter keeps the events. NULL: "Setup"
	 */
	const char *where;
	bool preview; /* start the preview at once */
	pid_t pid;    /* process to preview; 0: the whole system */
	/* NULL: ptui_count_new() */
	struct ptui_count *(*count)(const struct ptui_count_opts *opts, struct ptui_error *err);
	/* NULL: ptui_event_try(). Called in threads. */
	int (*try_event)(const char *event, struct ptui_error *why);
};

/*
 * Reads the catalog once in the background, before the picker is opened: the kernel creates the
 * list of tracepoints on the first access, which is slow.
 */
void picker_prepare(void);
/* Opens it. 0, or negative with nothing opened. */
int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err);

#endif
