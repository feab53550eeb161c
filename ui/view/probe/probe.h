/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Probe screen: the variables at a function, line or instruction; the probe that a choice becomes.
 *
 *	 perf.data › probe fact                                           2 variables
 *	 ────────────────────────────────────────────────────────────────────────────
 *	    Name             Type   Note
 *	 [ ] $retval         int    return value: probes where the function returns
 *	 [x] n               int    parameter
 *	 [ ] keep the probe         removed when ptui exits
 *	 ────────────────────────────────────────────────────────────────────────────
 *	 Definition  fact n
 *	 Probes      p:ptui_4711_81530/fact /home/me/fact:0x1149 n=%di:s32
 */
#ifndef VIEW_PROBE_PROBE_H
#define VIEW_PROBE_PROBE_H

#include "ptui/annotate.h"
#include "ptui/probe.h"
#include "widget/stack.h"

/* What follows: the screen is closed, and `events` ("GROUP:NAME", one per line) were added. */
struct probe_then {
	void (*added)(void *ctx, const char *events); /* NULL: nothing can be recorded from here */
	void *ctx;
};

struct probe_opts {
	const char *where;		      /* where it belongs to: "perf.data"; copied */
	const struct ptui_function *function; /* copied */
	const char *source;		      /* a line of it; copied; NULL: none */
	unsigned line;
	uint64_t offset; /* of an instruction in the function */
	struct probe_then then;
};

/* Returns wishes. */
unsigned probe_open(struct stack *s, const struct probe_opts *opts);

#endif
