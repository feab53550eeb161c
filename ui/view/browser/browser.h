/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Browser: a recording's rows, with perf's keys.
 *
 *	 perf.data                                  [cycles] · instructions	head
 *	 ────────────────────────────────────────────────────────────────
 *	 Samples 96 K of event 'cycles', …            children · callers first
 *	   Children      Self  Command  Shared Object  Symbol
 *	-   71.32%     0.04%   cc1      cc1            [.] main		the tree
 *	   - 71.20% do_compile
 *	 ────────────────────────────────────────────────────────────────
 *	 trust  lost 0 · unknown 1.8% (libfoo.so) · stacks reach start 98%
 */
#ifndef VIEW_BROWSER_BROWSER_H
#define VIEW_BROWSER_BROWSER_H

#include "model/browser/browser.h"
#include "text/words.h"
#include "widget/stack.h"

/*
 * Opens the Browser on a profile (takes a reference). `name`: its origin; copied. 0, or a negative errno
 * with the stack unchanged.
 */
int browser_open(struct stack *s, struct ptui_profile *p, const char *name,
		 const struct browser_opts *opts, struct ptui_error *err);

/*
 * Loads a recording with a progress screen, which the Browser replaces as soon as there are rows: then the
 * Browser shows newer profiles until all is loaded. Other texts must stay valid until it is loaded.
 *
 *	thread	first part, more, more, all --newest one--> 20 times a second -> loader, then Browser
 */
struct browser_load {
	const char *path;	    /* copied */
	const char *name;	    /* on the screen; NULL: the path. Copied */
	struct ptui_load_opts load; /* without progress and partial profiles */
	struct browser_opts opts;
	/* instead of ptui_profile_load(), for tests; called in a thread */
	struct ptui_profile *(*source)(const char *path, const struct ptui_load_opts *opts,
				       struct ptui_error *err, int *ret_error);
	/*
	 * Loading failed before there were rows, and the screen is closed: -ECANCELED if the user stopped
	 * it. `err` may be copied. NULL: the error is shown.
	 */
	void (*failed)(void *ctx, int ret, const struct ptui_error *err);
	void *ctx;
};

int browser_load_open(struct stack *s, const struct browser_load *what, struct ptui_error *err);

/* The texts of options for a thread become copies in `texts`, which may have `failed` then. */
void load_opts_keep(struct ptui_load_opts *o, struct words *texts);

#endif
