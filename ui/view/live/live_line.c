/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Y: copies the command line that shows this: of the recording, for top with the options of the view. */
#include <stdio.h>
#include <string.h>

#include "model/report_line.h"
#include "text/i18n.h"
#include "view/copy_row.h"
#include "view/live/live_private.h"

static int add_option(struct words *w, const char *option, const char *value)
{
	return words_add(w, option) || (value && words_add(w, value)) ? -1 : 0;
}

/* A flag that is not as the view began. */
static int add_change(struct words *w, bool now, bool first, const char *on, const char *off)
{
	return now == first ? 0 : words_add(w, now ? on : off);
}

static const char *sort_of(const struct live_hot_view *view)
{
	return view->by == LIVE_HOT_THREADS ? "pid" :
	       view->by == LIVE_HOT_CPUS    ? "cpu" :
	       *view->look.sort		    ? view->look.sort :
					      NULL;
}

/* Later options override those that were given. */
static int add_view(const struct live_view *v, struct words *w)
{
	const struct live_hot_view *now = &v->look.view, *first = &v->look.first;
	const struct ptui_hist_filter only = {
		.comm = *now->look.only.comm ? now->look.only.comm : NULL,
		.dso = *now->look.only.dso ? now->look.only.dso : NULL,
		.symbol = *now->look.only.function ? now->look.only.function : NULL,
		.hide_dsos = *now->look.only.lists[ROWS_LIST_HIDDEN] ?
				     now->look.only.lists[ROWS_LIST_HIDDEN] :
				     NULL,
		.collapse_recursion = now->look.only.collapse_recursion,
	};
	uint32_t ms = ptui_live_refresh(v->live);
	char delay[32], percent[32];

	snprintf(delay, sizeof(delay), "%u.%03u", ms / 1000, ms % 1000);
	snprintf(percent, sizeof(percent), "%.15g", now->look.limits.row_percent);
	return (sort_of(now) && add_option(w, "-s", sort_of(now))) || add_option(w, "-d", delay) ||
			       add_change(w, now->each_update, first->each_update, "-z",
					  "--no-zero") ||
			       add_change(w, now->hide_kernel, first->hide_kernel, "-K",
					  "--no-hide_kernel_symbols") ||
			       add_change(w, now->hide_user, first->hide_user, "-U",
					  "--no-hide_user_symbols") ||
			       (now->look.limits.row_percent != first->look.limits.row_percent &&
				add_option(w, "--percent-limit", percent)) ||
			       (first->look.relative && !now->look.relative &&
				add_option(w, "--percentage", "absolute")) ||
			       report_line_filter(&only,
						  now->look.relative && !first->look.relative, w) ?
		       -1 :
		       0;
}

static int add_words(const struct live_view *v, struct words *w)
{
	bool record = false, top = false;

	for (size_t at = 0; at < v->opts.cmdline_bytes; at += strlen(v->opts.cmdline + at) + 1) {
		const char *word = v->opts.cmdline + at;
		bool command = !record && !top && at;

		if (words_add(w, word))
			return -1;
		top |= command && !strcmp(word, "top");
		if (!command || strcmp(word, "record") != 0)
			continue;
		record = true;
		word += strlen(word) + 1;
		if ((word >= v->opts.cmdline + v->opts.cmdline_bytes ||
		     strcmp(word, "--tui") != 0) &&
		    words_add(w, "--tui"))
			return -1;
	}
	return top ? add_view(v, w) : 0;
}

unsigned live_copy_command(struct live_view *v)
{
	struct words words = WORDS_INIT;

	if (!v->opts.cmdline_bytes)
		return stack_note(v->stack, _("the command line cannot be copied"));
	return copy_command(v->stack, &words, add_words(v, &words));
}
