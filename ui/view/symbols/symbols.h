/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of the DSOs without symbols, above the Browser or Live, and of all DSOs:
 *
 *	 perf.data › DSOs without symbols                                        3 DSOs
 *	   Samples  DSO          Problem            What to install or fetch
 *	    12.30%  libfoo.so    no symbol table    its debug package, or DEBUGINFOD_URLS
 *
 *	 perf.data › DSOs                                                        9 DSOs
 *	   Samples  Unnamed  DSO          Problem            What to install or fetch
 *	    60.20%    0.00%  libc.so.6    none
 *	    12.30%   12.30%  libfoo.so    no symbol table    its debug package, or DEBUGINFOD_URLS
 */
#ifndef VIEW_SYMBOLS_SYMBOLS_H
#define VIEW_SYMBOLS_SYMBOLS_H

#include "model/browser/missing.h"
#include "widget/stack.h"

struct symbols_view;

struct symbols_opts {
	const char *where;	   /* where it belongs to: "perf.data"; copied */
	const char *path;	   /* of the recording; copied; NULL: none */
	struct missing_list *list; /* the screen frees it, also on failure */
	void (*closed)(void *ctx); /* NULL: not needed */
	bool (*zoom)(
		void *ctx,
		const char *dso); /* shows the functions of one DSO only; false: it said why not */
	void *ctx;
};

/* NULL: out of memory, which was reported. */
struct symbols_view *symbols_open(struct stack *s, const struct symbols_opts *opts);
/* Shows a newer list, which it frees; the cursor stays on its DSO. */
void symbols_update(struct symbols_view *v, struct missing_list *list);

#endif
