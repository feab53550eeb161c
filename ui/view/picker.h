/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events picker: the catalog with marks and a search. */
#ifndef VIEW_PICKER_H
#define VIEW_PICKER_H

#include "model/setup_words.h"
#include "widget/stack.h"

struct picker_opts {
	const struct words *events; /* marked at first; copied */
	/* What is marked in the end; not called when the person leaves without. Returns wishes. */
	unsigned (*done)(void *ctx, const struct words *events);
	void *ctx;
};

/* Opens it. 0, or a negative error with nothing opened. */
int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err);

#endif
