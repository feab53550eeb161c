/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Setup, Live, Browser: each lies above the previous one on the stack. */
#include "screens/screens.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup/setup.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/browser/browser.h"
#include "view/counts/counts.h"
#include "view/live/live.h"
#include "view/setup/setup.h"
#include "widget/popup.h"

/*
 * Path of the recording that was replaced: its own name, or the name it was moved to before the
 * next one, as in perf. False: none, or removed.
 */
static bool find_before(const struct screens *s, char *buf, size_t size)
{
	static const char *const ends[] = { "", ".old" };

	for (size_t i = 0; s->before.st_ino && i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct stat st;

		if ((size_t)snprintf(buf, size, "%s%s", s->before_path, ends[i]) < size &&
		    !stat(buf, &st) && st.st_dev == s->before.st_dev &&
		    st.st_ino == s->before.st_ino)
			return true;
	}
	return false;
}

static void show_previous(struct screens *s, bool in_browser)
{
	char path[PATH_MAX];

	if (find_before(s, path, sizeof(path)) && in_browser)
		stack_say(s->stack, ROLE_NOTE,
			  _("The previous recording is in %s: press D to compare."), path);
	else if (find_before(s, path, sizeof(path)))
		stack_say(s->stack, ROLE_NOTE, _("The previous recording is in %s."), path);
	s->before.st_ino = 0;
}

static void browse_recording(struct screens *s, const char *path, struct ptui_profile *profile,
			     struct ptui_live *unsaved, bool from_setup)
{
	struct browser_load load = {
		.path = path,
		.opts = BROWSER_OPTS_INIT,
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret;

	/* other keys may be chosen there */
	load.load.extras = PTUI_EXTRA_NUMBERS | PTUI_EXTRA_TRACE | PTUI_EXTRA_TRACE_ALONE;
	load.opts.load = load.load;
	load.opts.record_again = screens_record_again;
	load.opts.record_probes = screens_record_probes;
	load.opts.ctx = s;
	load.opts.from_setup = from_setup;
	load.opts.no_file = !path;
	load.opts.unsaved = unsaved;
	if (profile)
		ret = browser_open(s->stack, profile, path ? path : _("sampled data"), &load.opts,
				   &err);
	else
		ret = browser_load_open(s->stack, &load, &err);
	ptui_profile_unref(profile);
	if (ret) {
		ptui_live_free(unsaved);
		screens_show_error(s, &err);
	} else {
		show_previous(s, true);
	}
}

/* Live has ended; without a Setup below it was top. */
static void recorded(void *ctx, const char *path, struct ptui_profile *profile,
		     struct ptui_live *unsaved)
{
	browse_recording(ctx, path, profile, unsaved, true);
}

unsigned screens_browse_file(void *ctx, const char *path)
{
	browse_recording(ctx, path, NULL, NULL, false);
	return WISH_REDRAW;
}

static void left(void *ctx, const char *text, bool quits)
{
	struct screens *s = ctx;

	if (quits)
		snprintf(s->left, sizeof(s->left), "%s", text);
	stack_note(s->stack, text);
}

static void join_ids(const pid_t *ids, size_t n_ids, char *buf, size_t size)
{
	*buf = '\0';
	for (size_t i = 0; i < n_ids; i++)
		text_join(buf, size, ", ", "%d", (int)ids[i]);
}

/* "make -j2", "pid 12, 13", "the whole system", "the whole system, while make -j2 runs" */
static void screens_target_text(const struct ptui_record_opts *o, char *buf, size_t size)
{
	char ids[256], command[256] = "", target[320] = "";

	for (char *const *w = o->argv; w && *w; w++)
		text_join(command, sizeof(command), " ", "%s", *w);
	join_ids(o->n_pids ? o->pids : o->tids, o->n_pids ? o->n_pids : o->n_tids, ids,
		 sizeof(ids));
	if (*ids)
		snprintf(target, sizeof(target), o->n_pids ? _("pid %s") : _("thread %s"), ids);
	else if (o->user)
		snprintf(target, sizeof(target), _("user %s"), o->user);
	else if (o->cpus)
		snprintf(target, sizeof(target), _("CPUs %s"), o->cpus);
	else if (o->system_wide || !o->argv)
		snprintf(target, sizeof(target), "%s", _("the whole system"));
	if (o->argv && *target)
		snprintf(buf, size, _("%s, while %s runs"), target, command);
	else
		snprintf(buf, size, "%s", o->argv ? command : target);
}

static void start_failed(void *ctx, const struct ptui_error *err)
{
	screens_show_error(ctx, err);
	show_previous(ctx, false);
}

/* From Live, above the Setup that it came from. */
static unsigned change_events(void *ctx, unsigned (*taken)(void *live), void *live)
{
	struct screens *s = ctx;

	setup_change_events(s->stack, _("Live"), taken, live);
	return WISH_REDRAW;
}

static void use_probes(void *ctx, const char *events)
{
	struct screens *s = ctx;

	setup_prepare(s->stack, &(struct setup_like){ .probes = events });
}

static void use_unwound(void *ctx)
{
	struct screens *s = ctx;

	setup_prepare(s->stack, &(struct setup_like){ .unwound = true, .quiet = true });
}

static void again(void *ctx, const char *path)
{
	struct screens *s = ctx;

	if (!path || stat(path, &s->before))
		s->before.st_ino = 0;
	else
		snprintf(s->before_path, sizeof(s->before_path), "%s", path);
	s->again = true;
	setup_record_again(s->stack);
	s->again = false;
}

static bool is_of_tasks(const struct ptui_record_opts *o)
{
	return (o->argv && !o->cpus) || o->n_pids || o->n_tids || o->user;
}

static void rate_text(const struct ptui_record_opts *o, char *buf, size_t size)
{
	size_t tracepoints = 0, others = 0;

	for (size_t i = 0; i < o->n_events; i++)
		setup_count_tracepoints(o->events[i], &tracepoints, &others);
	if (o->max_freq)
		snprintf(buf, size, "%s", _("max Hz"));
	else if (!o->freq_hz && !o->period && tracepoints && !others)
		snprintf(buf, size, "%s", _("every event"));
	else if (o->freq_hz || !o->period)
		snprintf(buf, size, _("%llu Hz"),
			 o->freq_hz ? (unsigned long long)o->freq_hz : 4000ull);
	else
		snprintf(buf, size, _("every %s"), grouped(o->period).text);
}

/* `view` has the view's settings and callbacks. */
static int open_live(struct screens *s, const struct ptui_record_opts *opts,
		     const struct ptui_live_opts *how, struct live_view_opts *view,
		     struct ptui_error *err)
{
	struct ptui_live_opts with = *how;
	char target[640], rate[64];

	with.unnamed_functions = true;
	screens_target_text(opts, target, sizeof(target));
	rate_text(opts, rate, sizeof(rate));
	view->target = target;
	view->rate = rate;
	view->cmdline = opts->cmdline;
	view->cmdline_bytes = opts->cmdline_bytes;
	view->whole_system = opts->system_wide || !is_of_tasks(opts);
	view->ctx = s;
	view->live = ptui_live_new(opts, &with, err);
	return view->live ? live_view_start(s->stack, view, err) : -EINVAL;
}

unsigned screens_record(void *ctx, const struct ptui_record_opts *opts)
{
	struct screens *s = ctx;
	struct ptui_live_opts how = { .own_terminal = true };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct live_view_opts view = { .done = recorded,
				       .left = left,
				       .failed = start_failed,
				       .change_events = change_events,
				       .again = again,
				       .use_unwound = use_unwound,
				       .use_probes = use_probes };
	int rows, cols;

	if (!s->again)
		s->before.st_ino = 0;
	/* a command may ask for its terminal's size before the output was ever drawn */
	stack_body_size(s->stack, &rows, &cols);
	how.rows = (unsigned short)rows;
	how.cols = (unsigned short)cols;
	if (open_live(s, opts, &how, &view, &err))
		screens_show_error(s, &err);
	return WISH_REDRAW;
}

/* ---- record --tui and top: without a Setup below ---- */

/* "ptui record ..." as it was typed. */
static void add_typed(struct words *line, const struct ptui_record_opts *o)
{
	const char *end = o->cmdline + o->cmdline_bytes;
	const char *at = o->cmdline + strlen(o->cmdline) + 1;

	words_add(line, "ptui");
	for (; at < end; at += strlen(at) + 1)
		words_add(line, at);
}

/* The target of top as one of record. */
static void add_target(struct words *line, const struct ptui_record_opts *o)
{
	char pids[256], tids[256];

	join_ids(o->pids, o->n_pids, pids, sizeof(pids));
	join_ids(o->tids, o->n_tids, tids, sizeof(tids));
	words_add(line, "ptui");
	words_add(line, "record");
	words_add_option(line, "-p", *pids ? pids : NULL);
	words_add_option(line, "-t", *tids ? tids : NULL);
	words_add_option(line, "-u", o->user);
	words_add_option(line, "-C", o->cpus);
	if (o->system_wide || !is_of_tasks(o))
		words_add(line, "-a");
	if (o->shape.callgraph != PTUI_CALLGRAPH_NONE)
		words_add(line, "-g");
}

static void line_use_probes(void *ctx, const char *events)
{
	struct screens *s = ctx;

	free(s->probes);
	s->probes = strdup(events);
}

static void line_again(void *ctx, const char *path)
{
	struct screens *s = ctx;
	struct words words = WORDS_INIT;
	char *line;

	(void)path;
	if (s->line->out.memory_bytes && !s->line->output) /* top */
		add_target(&words, s->line);
	else
		add_typed(&words, s->line);
	line = words_join(&words);
	if (line && s->probes)
		screens_record_probes_again(s, line, s->probes);
	else
		stack_no_memory(s->stack);
	words_release(&words);
	free(line);
	free(s->probes);
	s->probes = NULL;
}

static void line_recorded(void *ctx, const char *path, struct ptui_profile *profile,
			  struct ptui_live *unsaved)
{
	struct screens *s = ctx;

	if (path)
		snprintf(s->left, sizeof(s->left), _("The recording is in %s."), path);
	browse_recording(s, path, profile, unsaved, false);
}

/* No screen is left that could show it. */
static void line_left(void *ctx, const char *text, bool quits)
{
	struct screens *s = ctx;

	(void)quits;
	snprintf(s->left, sizeof(s->left), "%s", text);
}

static void line_failed(void *ctx, const struct ptui_error *err)
{
	screens_load_failed(ctx, -EIO, err);
}

int screens_record_line(void *ctx, const struct ptui_record_opts *opts, struct ptui_error *err)
{
	struct screens *s = ctx;
	struct ptui_live_opts how = { .own_terminal = true };
	struct live_view_opts view = { .done = line_recorded,
				       .left = line_left,
				       .failed = line_failed,
				       .again = line_again,
				       .use_probes = line_use_probes };
	int ret = screens_open(s, err);

	s->line = opts;
	if (!ret)
		ret = open_live(s, opts, &how, &view, err);
	return screens_run(s, ret, err);
}

#define TOP_MEMORY (64 << 20) /* the newest samples, which can be saved */

int screens_top(void *ctx, const struct ptui_top *what, struct ptui_error *err)
{
	struct screens *s = ctx;
	struct ptui_live_opts how = { .refresh_ms = what->delay_ms,
				      .max_stack = what->max_stack,
				      .stitch_lbr = what->stitch_lbr,
				      .kernel = what->kernel };
	struct ptui_record_opts opts = *what->record;
	struct live_view_opts view = { .done = recorded,
				       .left = left,
				       .failed = line_failed,
				       .again = line_again,
				       .use_probes = line_use_probes };
	int ret = screens_open(s, err);

	opts.out.memory_bytes = TOP_MEMORY;
	rows_look_begin(&view.look.look, &(struct ptui_hist_filter){
						 .hide_dsos = what->hide_dsos,
						 .collapse_recursion = what->collapse_recursion });
	view.look.half_life_ns = what->zero ? 0 : what->half_life_ns;
	view.look.each_update = what->zero;
	view.look.hide_kernel = what->hide_kernel;
	view.look.hide_user = what->hide_user;
	view.look.samples = what->show_samples;
	view.look.look.limits.row_percent = what->percent_limit;
	view.look.look.relative = what->relative;
	snprintf(view.look.look.sort, sizeof(view.look.look.sort), "%s", what->sort);
	snprintf(view.look.look.only.comm, sizeof(view.look.look.only.comm), "%s",
		 what->comm ? what->comm : "");
	snprintf(view.look.look.only.function, sizeof(view.look.look.only.function), "%s",
		 what->symbol ? what->symbol : "");
	snprintf(view.look.look.only.dso, sizeof(view.look.look.only.dso), "%s",
		 what->dso ? what->dso : "");
	s->line = &opts;
	if (!ret)
		ret = open_live(s, &opts, &how, &view, err);
	return screens_run(s, ret, err);
}

/* ---- counts, from Setup and for stat --tui ---- */

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

	for (size_t at = 0; at < cmdline_bytes; at += strlen(cmdline + at) + 1)
		words_add(&words, cmdline + at);
	if (!ret && words.failed)
		ret = ptui_error_nomem(err);
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
