/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program with screens: `ptui report` opens the Browser, `ptui record --tui` Live, `ptui` alone leads
 * from Setup to Live to the Browser. Everything else is the command line (src/cli).
 */

#include "screens/screens.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptui/log.h"
#include "ptui/probe.h"
#include "term/theme.h"
#include "text/i18n.h"
#include "view/browser/browser.h"
#include "view/live/live.h"
#include "view/setup/setup.h"
#include "widget/popup.h"
#include "widget/stack.h"

static int read_config(struct screens *s, struct ptui_error *err)
{
	char path[4096];
	int ret;

	if (!ptui_config_path(path, sizeof(path)))
		return 0;
	ret = config_read(s->keys, &s->config, path, err);
	if (!ret && *s->config.theme && !theme_find(s->config.theme))
		ret = ptui_error_input(err, path, _("%s: unknown theme '%s'"), path,
				       s->config.theme);
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
int screens_open(struct screens *s, struct ptui_error *err)
{
	const char *env = getenv("PTUI_THEME");
	struct ptui_error no_term = PTUI_ERROR_INIT;
	struct term_opts opts = { 0 };
	sigset_t before;
	int ret;

	s->ret = 0;
	s->config = (struct config)CONFIG_INIT;
	i18n_screens(true);
	s->keys = keymaps_new(err);
	if (!s->keys)
		return -ENOMEM;
	ret = read_config(s, err);
	if (ret)
		return ret;
	if (!*s->config.theme && env && *env && !theme_find(env)) {
		ptui_error_input(err, "PTUI_THEME", _("%s: unknown theme '%s'"), "PTUI_THEME", env);
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

/* "signals 0.0, descriptors 4.1, …": milliseconds of the longest step of each kind. */
static const char *longest(const uint64_t ns[N_LOOP_STEPS], char *buf, size_t size)
{
	snprintf(buf, size, "signals %.1f, descriptors %.1f, timers %.1f, keys %.1f, paint %.1f",
		 (double)ns[LOOP_SIGNALS] / 1e6, (double)ns[LOOP_WATCHES] / 1e6,
		 (double)ns[LOOP_TIMERS] / 1e6, (double)ns[LOOP_EVENTS] / 1e6,
		 (double)ns[LOOP_PAINT] / 1e6);
	return buf;
}

/* For developers and tests/bench/screen: the cost of the screens, and what delayed keys. */
static void log_stats(const struct screens *s)
{
	struct loop_stats l;
	struct term_stats t;
	char wall[128], cpu[128];

	if (!s->stack || !s->term || !ptui_log_wants(PTUI_LOG_DEBUG))
		return;
	loop_get_stats(stack_loop(s->stack), &l);
	term_get_stats(s->term, &t);
	ptui_log(
		PTUI_LOG_DEBUG, "screen",
		"%llu paints, %llu bytes each, %.0f us each (%.0f to compare and send); "
		"%llu turns, %llu over 16 ms, %llu of CPU time; longest in ms: %s; of CPU time: %s",
		(unsigned long long)t.paints,
		(unsigned long long)(t.paints ? t.bytes / t.paints : 0),
		l.paints ? (double)l.paint_ns / 1e3 / (double)l.paints : 0,
		t.paints ? (double)t.paint_ns / 1e3 / (double)t.paints : 0,
		(unsigned long long)l.turns, (unsigned long long)l.slow,
		(unsigned long long)l.cpu_slow, longest(l.longest_ns, wall, sizeof(wall)),
		longest(l.longest_cpu_ns, cpu, sizeof(cpu)));
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
int screens_run(struct screens *s, int ret, struct ptui_error *err)
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

void screens_load_failed(void *ctx, int ret, const struct ptui_error *err)
{
	struct screens *s = ctx;

	s->ret = ret;
	s->err = *err;
}

/* A pipe is not read again, nor is standard input. */
static struct browser_load what_to_load(struct screens *s, const struct ptui_browse *what)
{
	bool is_stdin = !strcmp(what->path, "-");
	struct browser_load load = {
		.path = what->path,
		.name = is_stdin ? _("standard input") : what->path,
		.load = what->load,
		.opts = {
			.hist = what->hist,
			.order_given = what->order_given,
			.hierarchy = what->hierarchy,
			.limits = { what->percent_limit, what->chain_min_percent },
			.max_samples = what->max_samples,
			.load = what->load,
			.no_file = is_stdin || what->from_pipe,
			.filter = &what->hist.filter,
			.event = what->event,
			.annotates = what->annotates,
			.symbol = what->symbol,
			.record_again = screens_record_again,
			.record_probes = screens_record_probes,
			.ctx = s,
		},
		.failed = screens_load_failed,
		.ctx = s,
	};

	/* they are read once: another file is compared with all of them, and is one file itself */
	if (what->load.n_more) {
		snprintf(s->several, sizeof(s->several),
			 Q_("%s and %zu more file", "%s and %zu more files", what->load.n_more),
			 what->path, what->load.n_more);
		load.name = s->several;
		load.opts.load.n_more = 0;
		load.opts.no_file = true;
	}
	return load;
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
	if (browser_open(s->stack, profile, load.name, &opts, &err))
		screens_load_failed(s, -ENOMEM, &err);
	ptui_profile_unref(profile);
}

static void pipe_failed(void *ctx, const struct ptui_error *err)
{
	screens_load_failed(ctx, err->code ? -err->code : -EIO, err);
}

/* Live shows the pipe while it is fed. */
static int follow(struct screens *s, const struct ptui_browse *what, struct ptui_error *err)
{
	const struct ptui_live_opts how = { .unnamed_functions = true,
					    .kernel = what->load.kernel,
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
	int ret = screens_open(s, err);

	if (!ret && what->from_pipe)
		ret = follow(s, what, err);
	else if (!ret)
		ret = browser_load_open(s->stack, &load, err);
	return screens_run(s, ret, err);
}

void screens_show_error(struct screens *s, const struct ptui_error *err)
{
	popup_error(s->stack, err);
}

/* ---- Setup ---- */

static int open_setup(struct screens *s, struct ptui_error *err)
{
	const struct setup_screen_opts opts = { .start = screens_record,
						.count = screens_count,
						.browse = screens_browse_file,
						.ctx = s,
						.preview = s->config.preview != 0 };

	return setup_open(s->stack, &opts, err);
}

/* Goes back to the Setup below, or opens one, and prepares it. False: the user knows why not. */
static bool prepare(struct screens *s, struct setup_like like)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	char *own = like.path ? strdup(like.path) : NULL; /* its Browser closes */
	bool opened = false;

	if (like.path && !own)
		stack_no_memory(s->stack);
	else if (!setup_return(s->stack) && open_setup(s, &err))
		screens_show_error(s, &err);
	else
		opened = true;
	like.path = own;
	if (opened)
		setup_prepare(s->stack, &like);
	free(own);
	return opened;
}

unsigned screens_record_again(void *ctx, const char *path, bool unwound)
{
	prepare(ctx, (struct setup_like){ .path = path, .unwound = unwound });
	return WISH_REDRAW;
}

/* The same for probes that were added from there. */
void screens_record_probes(void *ctx, const char *path, const char *events)
{
	prepare(ctx, (struct setup_like){ .path = path, .probes = events });
}

/* From a Live without a Setup: a new one, which starts the recording. */
void screens_record_probes_again(struct screens *s, const char *line, const char *events)
{
	if (prepare(s, (struct setup_like){ .line = line, .probes = events }))
		setup_record_again(s->stack);
}

/* ---- what a killed ptui left ---- */

static unsigned remove_leftovers(void *ctx, int index)
{
	struct screens *s = ctx;
	struct ptui_error err = PTUI_ERROR_INIT;

	(void)index;
	if (ptui_probe_leftovers_remove(&err))
		screens_show_error(s, &err);
	else
		stack_say(s->stack, ROLE_GOOD, "%s", _("The probes are removed."));
	return WISH_REDRAW;
}

static void show_leftovers(struct screens *s)
{
	const struct menu_item action = { .text = _("remove them"), .key = 'r' };
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
		.record = screens_record_line,
		.top = screens_top,
		.count = screens_count_line,
		.manual = manual,
		.parting = parting,
		.counted = counted_text,
		.ctx = &s,
	};
	int status;

	term_on_fault(ptui_probes_fault);
	status = ptui_cli_main(argc, argv, &hooks);
	/* so that the sender of the signal sees its effect */
	if (s.signal) {
		signal(s.signal, SIG_DFL);
		raise(s.signal);
	}
	return status;
}
