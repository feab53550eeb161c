/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line that shows what a screen shows, to be copied:
 *
 *	ptui report -i 'my data' --no-children -g graph,0.5,callee -s comm --dsos libc.so.6
 */
#ifndef MODEL_REPORT_LINE_H
#define MODEL_REPORT_LINE_H

#include <stdbool.h>

#include "ptui/profile.h"
#include "text/words.h"

struct report_line {
	const char *path;
	const struct ptui_load_opts *load; /* NULL: default */
	const struct ptui_hist_opts *hist; /* NULL: default; its event and filter, too */
	bool has_callchains;		   /* the event */
	double percent_limit, chain_min_percent;
	const char *event; /* NULL: all */
	bool hierarchy;
	bool missing; /* -v: with the list of DSOs without symbols */
};

/* Appends the words. */
void report_line_words(const struct report_line *l, struct words *ret);
/* The options of a filter, with "--percentage relative" if percentages are. */
void report_line_filter(const struct ptui_hist_filter *f, bool relative, struct words *ret);

#endif
