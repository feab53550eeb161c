/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Butterfly screen, above the Browser or Live: a function between its callers and callees.
 *
 *	 perf.data › Butterfly › parse                                          2 callers, 1 callee
 *	 parse: 35.00% of the samples, 14.00% in itself
 *	 Of function  Of total  Role      Shared Object  Function
 *	      30.00%    10.50%  caller    cc1            main
 *	      70.00%    24.50%  caller    cc1            run
 *	     100.00%    35.00%  function  cc1            parse
 *	      40.00%    14.00%  itself
 *	      60.00%    21.00%  callee    cc1            eval
 *
 * The samples are counted once, in a thread, and again only for another function: on Live they are
 * those at the moment when the screen was opened.
 */
#ifndef VIEW_BUTTERFLY_BUTTERFLY_H
#define VIEW_BUTTERFLY_BUTTERFLY_H

#include "model/butterfly/butterfly.h"
#include "widget/stack.h"

struct butterfly_view_opts {
	const char *where;	      /* where it belongs to: "perf.data"; copied */
	struct ptui_profile *profile; /* takes a reference */
	struct butterfly_opts counts;
	uint32_t frame; /* of the function */
	/* Annotates a function, or (REQ_PROBE) opens the Probe screen for it. Returns wishes. */
	unsigned (*open)(void *ctx, enum request req, const struct ptui_function *f);
	bool can_probe;
	void *ctx;
};

/* Returns wishes. */
unsigned butterfly_open(struct stack *s, const struct butterfly_view_opts *opts);

#endif
