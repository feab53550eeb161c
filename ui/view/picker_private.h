/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events picker's own: its state, between the files that draw it, tell of an event and act. */
#ifndef VIEW_PICKER_PRIVATE_H
#define VIEW_PICKER_PRIVATE_H

#include "ptui/catalog.h"
#include "model/picker.h"
#include "widget/stack.h"
#include "widget/table.h"

struct picker_screen {
	struct stack *stack;
	struct ptui_catalog *catalog;
	struct picker picker;
	struct table table;
	char search_before[128]; /* while one is typed */
	unsigned (*done)(void *ctx, const struct words *events);
	void *ctx;
};

/* ---- picker_draw.c: the list, and where things stand ---- */

void picker_draw_init(struct picker_screen *v);
void picker_head(void *self, const struct canvas *line);
void picker_draw(void *self, const struct canvas *c);

/* ---- picker_details.c: all of the entry under the cursor ---- */

/* Into all of the canvas; what has no room is left out from the end. */
void picker_details_draw(const struct picker_screen *v, const struct canvas *c);

#endif
