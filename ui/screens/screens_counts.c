/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts, from Setup and for `stat --tui`. */
#include "screens/screens.h"

#include <stdlib.h>
#include <string.h>

#include "view/counts/counts.h"
#include "widget/popup.h"

#define COUNT_INTERVAL_MS 1000

static int open_counts(struct screens *s, const struct ptui_count_run_opts *opts,
		       struct counts_view_opts *view, struct ptui_error *err)
{
	char target[640];
	int ret;

	screens_target_text(opts->what, target, sizeof(target));
	view->target = target;
	view->interval_ms = opts->interval_ms ? opts->interval_ms : COUNT_INTERVAL_MS;
	ret = ptui_count_run_start(view->run, err);
	return ret ? ret : counts_view_open(s->stack, view, err);
}

int screens_count_line(void *ctx, struct ptui_count_run *run,
		       const struct ptui_count_run_opts *opts, const char *cmdline,
		       size_t cmdline_bytes, struct ptui_error *err)
{
	struct screens *s = ctx;
	struct words words = WORDS_INIT;
	struct counts_view_opts view = { .run = run, .cmdline = &words };
	int ret = screens_open(s, err);

	s->ret = 0;
	for (size_t at = 0; at < cmdline_bytes && !ret; at += strlen(cmdline + at) + 1)
		ret = words_add(&words, cmdline + at) ? ptui_error_nomem(err) : 0;
	if (!ret)
		ret = open_counts(s, opts, &view, err);
	words_release(&words);
	return screens_run(s, ret, err);
}

/* From Setup: its text is printed when the program ends. */
static void counted(void *ctx, bool quits)
{
	struct screens *s = ctx;
	const char *text = ptui_count_run_text(s->run);

	(void)quits;
	free(s->counted);
	s->counted = text ? strdup(text) : NULL;
	ptui_count_run_free(s->run);
	s->run = NULL;
}

unsigned screens_count(void *ctx, const struct ptui_record_opts *opts, const struct words *words)
{
	struct screens *s = ctx;
	const struct ptui_count_run_opts how = { .what = opts };
	struct counts_view_opts view = { .cmdline = words, .closed = counted, .ctx = s };
	struct ptui_error err = PTUI_ERROR_INIT;

	view.run = s->run = ptui_count_run_new(&how, &err);
	if (!s->run || open_counts(s, &how, &view, &err)) {
		popup_error(s->stack, &err);
		ptui_count_run_free(s->run);
		s->run = NULL;
	}
	return WISH_REDRAW;
}
