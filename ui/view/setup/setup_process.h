/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of processes to choose from. */
#ifndef VIEW_SETUP_SETUP_PROCESS_H
#define VIEW_SETUP_SETUP_PROCESS_H

#include "model/setup/process.h"
#include "widget/stack.h"

struct setup_process_opts {
	const char *proc;
	/* Called with the choice: `process` is valid during the call. Returns wishes. */
	unsigned (*done)(void *ctx, const struct process *process);
	void *ctx;
};

/* Opens it. 0, or negative with nothing opened. */
int setup_process_open(struct stack *s, const struct setup_process_opts *opts,
		       struct ptui_error *err);

#endif
