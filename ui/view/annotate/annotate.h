/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The annotate screen: the instructions of a function with their samples, above the Browser, Live or
 * Compare. A call that is followed opens another one above it.
 *
 *	 perf.data › work                                                         hot
 *	 ──────────────────────────────────────────────────────────────────────────────
 *	 Samples: 164 of 321 of event 'cycles'                            local period
 *	 Percent               Code
 *	   73.78  │  1213:     cmp    %esi,%r10d
 *	    0.61  └──          ↓ je   7b
 *	 ──────────────────────────────────────────────────────────────────────────────
 *	 hot.c:9 · mix (inlined)
 */
#ifndef VIEW_ANNOTATE_ANNOTATE_H
#define VIEW_ANNOTATE_ANNOTATE_H

#include "model/rows/rows_look.h"
#include "ptui/annotate.h"
#include "view/probe/probe.h"
#include "widget/stack.h"

struct annotate_opts {
	const char *where;	      /* where it belongs to: "perf.data"; copied */
	const char *path;	      /* of the recording; copied; NULL: it is in no file */
	struct ptui_profile *profile; /* takes a reference */
	/*
	 * A reference to the newest profile, and its generation; NULL: none. Called as long as the screen
	 * is open. NULL: the profile does not change.
	 */
	struct ptui_profile *(*newest)(void *ctx, uint64_t *ret_generation);
	void *ctx;

	const struct ptui_function *function; /* copied; NULL: the hottest … */
	const char *symbol;		      /* … of this name; NULL: of all; copied */
	uint32_t event;			      /* its column is the first one */
	struct rows_only only;		      /* only samples that it selects */
	const char *parent;		      /* as in ptui_hist_opts; never freed */
	uint64_t since_ns;		      /* only samples from then on; 0: all */
	struct probe_then probe_then;	      /* of a probe of a line */
};

/* Returns wishes. */
unsigned annotate_open(struct stack *s, const struct annotate_opts *opts);

#endif
