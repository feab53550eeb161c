/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of a command that ptui started on a terminal of its own, and a line to type into it. */
#ifndef VIEW_COMMAND_OUTPUT_H
#define VIEW_COMMAND_OUTPUT_H

#include "widget/find.h"
#include "widget/pane.h"
#include "widget/prompt.h"
#include "widget/stack.h"

struct command_output_opts {
	struct stack *stack;
	int fd; /* of the terminal; -1: there is no command */
	char title[512];
	int (*child_status)(void *ctx); /* as of waitpid(); -1: it runs */
	void (*set_size)(void *ctx, unsigned short rows, unsigned short cols);
	void *ctx;
};

struct command_output {
	struct command_output_opts opts;
	struct pane *pane; /* NULL: no command */
	unsigned watch;
	unsigned short rows, cols; /* as set for the terminal */
	struct words typed;
	struct find find;
};

/* Reads the output from now on. 0 or -ENOMEM; to be released in any case. */
int command_output_init(struct command_output *o, const struct command_output_opts *opts);
void command_output_release(struct command_output *o);
/* Pushes the screen, or says that there is no command. Returns wishes. */
unsigned command_output_open(struct command_output *o);
/* The size of the terminal. */
void command_output_set_size(struct command_output *o, int rows, int cols);

#endif
