/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two recordings side by side.
 *
 *	 perf.data.old › perf.data                   [cycles] · instructions	head
 *	 ────────────────────────────────────────────────────────────────
 *	 before  perf.data.old   1,204 samples in 3.90 s   38.9 G events	info
 *	 after   perf.data       1,500 samples in 4.20 s   42.1 G events
 *	 Before    After     Delta            Command  Shared Object  Symbol
 *	 40.00%   52.10%   +12.10%  ████████  cc1      cc1            [.] parse	the table
 *	    new    4.10%    +4.10%  ███       cc1      cc1            [.] fresh
 *	 ────────────────────────────────────────────────────────────────
 *	 note  ~ may be chance · only before: faults
 *
 * Percentages are of each recording's own samples, so that two that took different times can be
 * compared. Takes: two files. Not for what is in one of them: that is the browser.
 */
#ifndef VIEW_COMPARE_COMPARE_H
#define VIEW_COMPARE_COMPARE_H

#include "ptui/profile.h"
#include "widget/stack.h"

struct compare_view_opts {
	const char *before_path, *after_path; /* copied */
	/* How they are called on the screen; NULL: as the paths say. Copied. */
	const char *before_name, *after_name;
	/* Loaded already: its path is not read. NULL: it is. Gets a reference more. */
	struct ptui_profile *before, *after;
	struct ptui_load_opts load; /* without progress; its texts are copied */
};

/*
 * Opens the screen, which loads what is to be loaded: how far it is is shown, ESC gives it up. A file
 * that cannot be loaded is told when the screen has gone. 0 or a negative errno, with nothing opened.
 */
int compare_view_open(struct stack *s, const struct compare_view_opts *opts,
		      struct ptui_error *err);

#endif
