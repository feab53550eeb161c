/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Setup screen in a grid, over a machine that refuses all events but cycles. */
#ifndef TESTS_UNIT_UI_VIEW_SETUP_WORLD_H
#define TESTS_UNIT_UI_VIEW_SETUP_WORLD_H

#include "lib/need.h"
#include "widget/stack.h"

struct world {
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	char path[64];
	unsigned n_started;
	char started[256];
	char browsed[128];
	char folder[64]; /* directory of a test's programs and files */
};

extern bool all_allowed; /* refusals were lifted; atomic */

/* For cmocka: *state is a struct world with the screen in 24 lines of 100 columns. */
int open_world(void **state);
int close_world(void **state);

void open_screen(struct world *w, int rows, int cols);
void close_screen(struct world *w);
void press(struct world *w, key_code key);
void type(struct world *w, const char *text);
/* Is it there now? */
bool seen(struct world *w, const char *text);
/* Draws until the text is visible: results of threads arrive with the loop's turns. */
void wait_seen(struct world *w, const char *text);

#endif
