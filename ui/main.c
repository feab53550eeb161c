/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program with screens: `ptui report` opens the Browser, `ptui record --tui` Live, `ptui` alone leads
 * from Setup to Live to the Browser. Everything else is the command line (src/cli).
 */

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input/keymap.h"
#include "input/manual.h"
#include "model/setup/setup.h"
#include "ptui/cli.h"
#include "ptui/config.h"
#include "ptui/log.h"
#include "ptui/probe.h"
#include "term/term.h"
#include "term/theme.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "view/browser/browser.h"
#include "view/counts/counts.h"
#include "view/live/live.h"
#include "view/setup/setup.h"
#include "widget/popup.h"
#include "widget/stack.h"

/* State of one run of the screens. */
struct screens {
	struct keymaps *keys;
	struct config config;
	struct term *term;
	struct stack *stack;

	/* result */
	int ret;
	struct ptui_error err;
	int signal;		   /* signal that ended the program; 0: none */
	char left[PATH_MAX + 256]; /* message to print after the screens close */

	const struct ptui_browse *what; /* while its pipe is followed */

	struct ptui_count_run *run; /* that Setup started; NULL: none */
	char *counted;		    /* text of the last one, to print after the screens close */

	struct stat before; /* the recording that was replaced; st_ino 0: none */
	char before_path[PATH_MAX];
	bool again; /* while its successor is being started */
};

static int read_config(struct screens *s, struct ptui_error *err)
{
	char path[4096];
	int ret;

	if (!ptui_config_path(path, sizeof(path)))
		return 0;
	ret = config_read(s->keys, &s->config, path, err);
	if (!ret && *s->config.theme && !theme_find(s->config.theme))
		ret = ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, path,
				     _("%s: unknown theme '%s'"), path, s->config.theme);
	return ret;
}

/*
 * A signal between setting the terminal's modes and installing the handlers would leave the modes
 * set.
 */
static void hold_signals(sigset_t *ret_before)
{
	static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, ret_before);
}

/* -ENOTTY: this terminal cannot show screens. */
static int screens_open(struct screens *s, struct ptui_error *err)
{
	const char *env = getenv("PTUI_THEME");
	struct ptui_error no_term = PTUI_ERROR_INIT;
	struct term_opts opts = { 0 };
	sigset_t before;
	int ret;

	s->config = (struct config)CONFIG_INIT;
	i18n_screens(true);
	s->keys = keymaps_new(err);
	if (!s->keys)
		return -ENOMEM;
	ret = read_config(s, err);
	if (ret)
		return ret;
	if (!*s->config.theme && env && *env && !theme_find(env)) {
		ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "PTUI_THEME",
			       _("%s: unknown theme '%s'"), "PTUI_THEME", env);
		ptui_error_hint(err, _("the themes are %s, %s and %s"), theme_name(0),
				theme_name(1), theme_name(2));
		return -EINVAL;
	}
	opts.theme = *s->config.theme ? s->config.theme : NULL;
	opts.ascii = s->config.ascii == 1;
	opts.no_mouse = s->config.mouse == 0;
	hold_signals(&before);
	s->term = term_open(&opts, &no_term);
	if (s->term)
		s->stack = stack_new(s->term, s->keys, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!s->term)
		return -ENOTTY;
	return s->stack ? 0 : -ENOMEM;
}

/* For developers and tests/bench/screen: the cost of the screens, and what delayed keys. */
static void log_stats(const struct screens *s)
{
	struct loop_stats l;
	struct term_stats t;

	if (!s->stack || !s->term || !ptui_log_wants(PTUI_LOG_DEBUG))
		return;
	loop_get_stats(stack_loop(s->stack), &l);
	term_get_stats(s->term, &t);
	ptui_log(PTUI_LOG_DEBUG, "screen",
		 "%llu paints, %llu bytes each, %.0f us each (%.0f to compare and send); "
		 "%llu turns, %llu over 16 ms; longest in ms: signals %.1f, descriptors %.1f, "
		 "timers %.1f, keys %.1f, paint %.1f",
		 (unsigned long long)t.paints,
		 (unsigned long long)(t.paints ? t.bytes / t.paints : 0),
		 l.paints ? (double)l.paint_ns / 1e3 / (double)l.paints : 0,
		 t.paints ? (double)t.paint_ns / 1e3 / (double)t.paints : 0,
		 (unsigned long long)l.turns, (unsigned long long)l.slow,
		 (double)l.longest_ns[LOOP_SIGNALS] / 1e6, (double)l.longest_ns[LOOP_WATCHES] / 1e6,
		 (double)l.longest_ns[LOOP_TIMERS] / 1e6, (double)l.longest_ns[LOOP_EVENTS] / 1e6,
		 (double)l.longest_ns[LOOP_PAINT] / 1e6);
}

/* Restores the terminal. */
static void screens_close(struct screens *s)
{
	sigset_t before;

	hold_signals(&before);
	if (s->stack)
		s->signal = loop_signal(stack_loop(s->stack));
	log_stats(s);
	stack_free(s->stack);
	term_close(s->term);
	sigprocmask(SIG_SETMASK, &before, NULL);
	keymaps_free(s->keys);
	i18n_screens(false);
	s->stack = NULL;
	s->term = NULL;
	s->keys = NULL;
}

/* Until the user leaves them. A hang-up does not make the recording fail. */
static int screens_run(struct screens *s, int ret, struct ptui_error *err)
{
	if (!ret)
		(void)stack_run(s->stack);
	screens_close(s);
	if (!ret && s->ret) {
		ret = s->ret;
		*err = s->err;
	}
	return ret;
}

static void load_failed(void *ctx, int ret, const struct ptui_error *err)
{
	struct screens *s = ctx;

	s->ret = ret;
	s->err = *err;
}

static unsigned record_again(void *ctx, const char *path, bool unwound);
static void record_probes(void *ctx, const char *path, const char *events);

/* A pipe is not read again, nor is standard input. */
static struct browser_load what_to_load(struct screens *s, const struct ptui_browse *what)
{
	bool is_stdin = !strcmp(what->path, "-");

	return (struct browser_load){
		.path = what->path,
		.name = is_stdin ? _("standard input") : what->path,
		.load = what->load,
		.opts = {
			.hist = what->hist,
			.order_given = what->order_given,
			.limits = { what->percent_limit, what->chain_min_percent },
			.load = what->load,
			.no_file = is_stdin || what->from_pipe,
			.filter = &what->hist.filter,
			.event = what->event,
			.annotates = what->annotates,
			.symbol = what->symbol,
			.record_again = record_again,
			.record_probes = record_probes,
			.ctx = s,
		},
		.failed = load_failed,
		.ctx = s,
	};
}

/* The pipe has ended, and Live with it. */
static void piped(void *ctx, const char *path, struct ptui_profile *profile,
		  struct ptui_live *unsaved)
{
	struct screens *s = ctx;
	const struct browser_load load = what_to_load(s, s->what);
	struct browser_opts opts = load.opts;
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)path;
	(void)unsaved;
	opts.record_again = NULL; /* it was another machine */
	opts.record_probes = NULL;
	if (browser_open(s->stack, NULL, profile, load.name, &opts, &err))
		load_failed(s, -ENOMEM, &err);
	ptui_profile_unref(profile);
}

static void pipe_failed(void *ctx, const struct ptui_error *err)
{
	load_failed(ctx, err->code ? -err->code : -EIO, err);
}

/* Live shows the pipe while it is fed. */
static int follow(struct screens *s, const struct ptui_browse *what, struct ptui_error *err)
{
	const struct ptui_live_opts how = { .kernel = what->load.kernel,
					    .max_stack = what->load.max_stack };
	struct live_view_opts view = {
		.target = strcmp(what->path, "-") ? what->path : _("from a pipe"),
		.whole_system = true,
		.done = piped,
		.failed = pipe_failed,
		.ctx = s,
	};

	s->what = what;
	view.look.samples = what->hist.show_samples;
	view.look.look.limits.row_percent = what->percent_limit;
	snprintf(view.look.look.sort, sizeof(view.look.look.sort), "%s",
		 what->hist.sort ? what->hist.sort : "");
	view.live = ptui_live_new_pipe(what->path, &what->load, &how, err);
	return view.live ? live_view_start(s->stack, &view, err) : -ENOMEM;
}

static int browse(void *ctx, const struct ptui_browse *what, struct ptui_error *err)
{
	struct screens *s = ctx;
	const struct browser_load load = what_to_load(s, what);
	int ret;

	s->ret = 0;
	ret = screens_open(s, err);
	if (!ret && what->from_pipe)
		ret = follow(s, what, err);
	else if (!ret)
		ret = browser_load_open(s->stack, &load, err);
	return screens_run(s, ret, err);
}

/* ---- Setup, Live, Browser: each lies above the previous one on the stack ---- */

static void show_error(struct screens *s, const struct ptui_error *err)
{
	popup_error(s->stack, err);
}

static void reload_failed(void *ctx, int ret, const struct ptui_error *err)
{
	if (ret != -ECANCELED)
		show_error(ctx, err);
}

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
		.failed = reload_failed,
		.ctx = s,
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	int ret;

	load.opts.record_again = record_again;
	load.opts.record_probes = record_probes;
	load.opts.ctx = s;
	load.opts.from_setup = from_setup;
	load.opts.no_file = !path;
	load.opts.unsaved = unsaved;
	if (profile)
		ret = browser_open(s->stack, NULL, profile, path ? path : _("sampled data"),
				   &load.opts, &err);
	else
		ret = browser_load_open(s->stack, &load, &err);
	ptui_profile_unref(profile);
	if (ret) {
		ptui_live_free(unsaved);
		show_error(s, &err);
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

static unsigned browse_file(void *ctx, const char *path)
{
	browse_recording(ctx, path, NULL, NULL, false);
	return WISH_REDRAW;
}

static void left(void *ctx, const char *text, bool quits)
{
	struct screens *s = ctx;

	if (quits)
		snprintf(s->left, sizeof(s->left), "%s", text);
	stack_say(s->stack, ROLE_NOTE, "%s", text);
}

static void join_ids(const pid_t *ids, size_t n_ids, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < n_ids && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, i ? ", %d" : "%d", (int)ids[i]);
}

/* "make -j2", "pid 12, 13", "the whole system", "the whole system, while make -j2 runs" */
static void target_text(const struct ptui_record_opts *o, char *buf, size_t size)
{
	char ids[256] = "", command[256] = "", target[320] = "";
	size_t n = 0;

	for (char *const *w = o->argv; w && *w && n < sizeof(command); w++)
		n += (size_t)snprintf(command + n, sizeof(command) - n, "%s%s", n ? " " : "", *w);
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
	show_error(ctx, err);
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

	setup_record_probes(s->stack, NULL, events);
}

static void use_unwound(void *ctx)
{
	struct screens *s = ctx;

	setup_set_unwound(s->stack);
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
	size_t tracepoints, others;

	setup_count_tracepoints(o->events, o->n_events, &tracepoints, &others);
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
	char target[640], rate[64];

	target_text(opts, target, sizeof(target));
	rate_text(opts, rate, sizeof(rate));
	view->target = target;
	view->rate = rate;
	view->cmdline = opts->cmdline;
	view->cmdline_bytes = opts->cmdline_bytes;
	view->whole_system = opts->system_wide || !is_of_tasks(opts);
	view->ctx = s;
	view->live = ptui_live_new(opts, how, err);
	return view->live ? live_view_start(s->stack, view, err) : -EINVAL;
}

static unsigned record(void *ctx, const struct ptui_record_opts *opts)
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
		show_error(s, &err);
	return WISH_REDRAW;
}

/* ---- record --tui: without a Setup below ---- */

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
	load_failed(ctx, -EIO, err);
}

static int record_line(void *ctx, const struct ptui_record_opts *opts, struct ptui_error *err)
{
	struct screens *s = ctx;
	struct ptui_live_opts how = { .own_terminal = true };
	struct live_view_opts view = { .done = line_recorded,
				       .left = line_left,
				       .failed = line_failed };
	int ret = screens_open(s, err);

	s->ret = 0;
	if (!ret)
		ret = open_live(s, opts, &how, &view, err);
	return screens_run(s, ret, err);
}

/* ---- stat --tui ---- */

#define COUNT_INTERVAL_MS 1000

static int open_counts(struct screens *s, const struct ptui_count_run_opts *opts,
		       struct counts_view_opts *view, struct ptui_error *err)
{
	char target[640];
	int ret;

	target_text(opts->what, target, sizeof(target));
	view->target = target;
	view->interval_ms = opts->interval_ms ? opts->interval_ms : COUNT_INTERVAL_MS;
	ret = ptui_count_run_start(view->run, err);
	return ret ? ret : counts_view_open(s->stack, view, err);
}

static int count_line(void *ctx, struct ptui_count_run *run, const struct ptui_count_run_opts *opts,
		      const char *cmdline, size_t cmdline_bytes, struct ptui_error *err)
{
	struct screens *s = ctx;
	struct counts_view_opts view = { .run = run,
					 .cmdline = cmdline,
					 .cmdline_bytes = cmdline_bytes };
	int ret = screens_open(s, err);

	s->ret = 0;
	if (!ret)
		ret = open_counts(s, opts, &view, err);
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

static unsigned count(void *ctx, const struct ptui_record_opts *opts, const struct words *words)
{
	struct screens *s = ctx;
	const struct ptui_count_run_opts how = { .what = opts };
	struct counts_view_opts view = { .closed = counted, .ctx = s };
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t size = 0;
	char *line;

	for (size_t i = 0; i < words->n; i++)
		size += strlen(words->v[i]) + 1;
	line = malloc(size + 1);
	for (size_t i = 0; line && i < words->n; i++) {
		size_t bytes = strlen(words->v[i]) + 1;

		memcpy(line + view.cmdline_bytes, words->v[i], bytes);
		view.cmdline_bytes += bytes;
	}
	view.cmdline = line;
	view.run = s->run = ptui_count_run_new(&how, &err);
	if (!s->run || open_counts(s, &how, &view, &err)) {
		popup_error(s->stack, &err);
		ptui_count_run_free(s->run);
		s->run = NULL;
	}
	free(line);
	return WISH_REDRAW;
}

static int open_setup(struct screens *s, struct ptui_error *err)
{
	const struct setup_screen_opts opts = { .start = record,
						.count = count,
						.browse = browse_file,
						.ctx = s,
						.preview = s->config.preview != 0 };

	return setup_open(s->stack, &opts, err);
}

/*
 * From a Browser: back to the Setup that its recording came from, or to a new one. *ret_path is a copy of its
 * path, which closes with it; NULL: it has none. False: the user knows why not.
 */
static bool leave_for_setup(struct screens *s, const char *path, char **ret_path)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	*ret_path = path ? strdup(path) : NULL;
	if (path && !*ret_path)
		stack_no_memory(s->stack);
	else if (!setup_return(s->stack) && open_setup(s, &err))
		show_error(s, &err);
	else
		return true;
	free(*ret_path);
	return false;
}

static unsigned record_again(void *ctx, const char *path, bool unwound)
{
	struct screens *s = ctx;
	char *own;

	if (leave_for_setup(s, path, &own)) {
		setup_record_like(s->stack, own, unwound);
		free(own);
	}
	return WISH_REDRAW;
}

/* The same for probes that were added from there. */
static void record_probes(void *ctx, const char *path, const char *events)
{
	struct screens *s = ctx;
	char *own;

	if (!leave_for_setup(s, path, &own))
		return;
	setup_record_probes(s->stack, own, events);
	free(own);
}

/* ---- what a killed ptui left ---- */

static unsigned remove_leftovers(void *ctx, size_t index)
{
	struct screens *s = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)index;
	if (ptui_probe_leftovers_remove(&err))
		show_error(s, &err);
	else
		stack_say(s->stack, ROLE_GOOD, "%s", _("The probes are removed."));
	return WISH_REDRAW;
}

static void show_leftovers(struct screens *s)
{
	const struct popup_action action = { 'r', _("remove them") };
	struct ptui_probe_leftovers left;
	char text[2048];

	ptui_probe_leftovers(&left);
	snprintf(text, sizeof(text),
		 Q_("%zu probe was left by a ptui that has ended:\n%s\n\nThis removes it:\n%s",
		    "%zu probes were left by a ptui that has ended:\n%s\n\nThis removes them:\n%s",
		    left.n),
		 left.n, left.n ? left.names : "", left.n ? left.command : "");
	if (left.n)
		popup_message_with(s->stack, _("Probes"), text, &action, 1, remove_leftovers, s);
	ptui_probe_leftovers_release(&left);
}

static int session(void *ctx, struct ptui_error *err)
{
	struct screens *s = ctx;
	int ret = screens_open(s, err);

	if (!ret)
		ret = open_setup(s, err);
	if (!ret)
		show_leftovers(s);
	if (!ret)
		(void)stack_run(s->stack);
	screens_close(s);
	return ret;
}

#define TOP_MEMORY (64 << 20) /* the newest samples, which can be saved */

static int top(void *ctx, const struct ptui_top *what, struct ptui_error *err)
{
	struct screens *s = ctx;
	struct ptui_live_opts how = { .refresh_ms = what->delay_ms,
				      .max_stack = what->max_stack,
				      .kernel = what->kernel };
	struct ptui_record_opts opts = *what->record;
	struct live_view_opts view = { .done = recorded, .left = left, .failed = line_failed };
	int ret = screens_open(s, err);

	opts.out.memory_bytes = TOP_MEMORY;
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
	s->ret = 0;
	if (!ret)
		ret = open_live(s, &opts, &how, &view, err);
	return screens_run(s, ret, err);
}

static void manual(void *ctx, enum ptui_manual_part part, struct ptui_manual *m)
{
	(void)ctx;
	manual_write(m, part);
}

static const char *parting(void *ctx)
{
	const struct screens *s = ctx;

	return *s->left ? s->left : NULL;
}

static const char *counted_text(void *ctx)
{
	return ((const struct screens *)ctx)->counted;
}

int main(int argc, char **argv)
{
	static struct screens s;
	const struct ptui_cli_hooks hooks = {
		.browse = browse,
		.session = session,
		.record = record_line,
		.top = top,
		.count = count_line,
		.manual = manual,
		.parting = parting,
		.counted = counted_text,
		.ctx = &s,
	};
	int status;

	term_on_fault(ptui_probes_fault);
	status = ptui_cli_main(argc, argv, &hooks);
	ptui_probes_remove();
	/* so that the sender of the signal sees its effect */
	if (s.signal) {
		signal(s.signal, SIG_DFL);
		raise(s.signal);
	}
	return status;
}
