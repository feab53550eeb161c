/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two recordings.
 *
 *	 perf.data.old › perf.data                   [cycles] · instructions	head
 *	 ────────────────────────────────────────────────────────────────
 *	 before  perf.data.old   1,204 samples in 3.90 s   38.9 G events	info
 *	 after   perf.data       1,500 samples in 4.20 s   42.1 G events
 *	 Before    After     Delta            Command  Shared Object  Symbol
 *	 40.00%   52.10%   +12.10%  ████████  cc1      cc1            [.] parse	the table
 *	   new    4.10%    +4.10%  ███       cc1      cc1            [.] fresh
 *	 ────────────────────────────────────────────────────────────────
 *	 note  ~ not significant · only before: faults
 *
 * Percentages are relative to each recording's own samples, so that recordings of different length
 * can be compared.
 */
#ifndef VIEW_COMPARE_COMPARE_H
#define VIEW_COMPARE_COMPARE_H

#include "ptui/profile.h"
#include "view/probe/probe.h"
#include "widget/stack.h"

struct compare_view_opts {
	const char *before_path, *after_path; /* copied; NULL: loaded, and in no file */
	/* Names on the screen; NULL: from the paths. Copied. */
	const char *before_name, *after_name;
	/* Only samples of these times, as ptui_hist_filter.times; NULL: all. Copied. */
	const char *before_times, *after_times;
	/* Already loaded: the path is not read. NULL: load it. Takes a reference. */
	struct ptui_profile *before, *after;
	struct ptui_load_opts load; /* without progress; its texts are copied */
	struct probe_then probe_then;
};

/*
 * Opens the screen, which loads the files with progress; ESC cancels. If loading fails, the error
 * is shown after the screen has closed. 0, or a negative errno with nothing opened.
 */
int compare_view_open(struct stack *s, const struct compare_view_opts *opts,
		      struct ptui_error *err);

#endif
