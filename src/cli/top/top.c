/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui top`: on the Live screen, or as text. */
#include "cli/top/top.h"

#include <errno.h>
#include <unistd.h>
#include "base/i18n.h"
#include "cli/out.h"

#define DEFAULT_DELAY_MS 2000

static bool wants_screen(const struct cli *cli, const struct top_options *o)
{
	return !o->stdio && cli->hooks && cli->hooks->top && isatty(STDIN_FILENO) &&
	       isatty(STDOUT_FILENO);
}

/* -1: no screen can be shown. */
static int show_screen(struct cli *cli, const struct top_options *o)
{
	struct ptui_record_opts record = o->record.opts;
	const struct ptui_top what = {
		.record = &record,
		.sort = o->sort,
		.delay_ms = o->look.delay_ms,
		.half_life_ns = top_half_life_ns(o->look.delay_ms),
		.zero = o->look.zero,
		.hide_kernel = o->look.hide_kernel,
		.hide_user = o->look.hide_user,
		.show_samples = o->show_samples,
		.percent_limit = o->percent_limit,
		.comm = o->comm,
		.dso = o->dso,
		.symbol = o->symbol,
		.hide_dsos = o->hide_dsos,
		.collapse_recursion = o->collapse_recursion,
		.relative = o->relative,
		.kernel = o->kernel,
		.max_stack = (uint32_t)o->max_stack,
		.stitch_lbr = o->stitch_lbr,
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	struct buf cmdline = BUF_INIT;
	int ret;

	record_add_cmdline((const char *const *)cli->argv, (size_t)cli->argc, &cmdline);
	record.cmdline = cmdline.data;
	record.cmdline_bytes = cmdline.err ? 0 : cmdline.len;
	cli_log_quiet(true); /* the screen covers stderr */
	ret = cli->hooks->top(cli->hooks->ctx, &what, &err);
	cli_log_quiet(false);
	buf_release(&cmdline);
	if (ret == -ENOTTY)
		return -1;
	return ret ? cli_failed(cli, &err) : CLI_OK;
}

static int no_screen(const struct cli *cli)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENOTTY, "--tui",
		       _("cannot open the screen: this terminal cannot show it"));
	ptui_error_hint(&err, _("without --tui, ptui prints text"));
	return cli_failed(cli, &err);
}

/* The screen can open rows. As text, there are no callchains without -g, as in perf. */
static int show_screen_chains(struct cli *cli, struct top_options *o)
{
	enum ptui_callgraph *mode = &o->record.opts.shape.callgraph;
	bool chosen = *mode != PTUI_CALLGRAPH_NONE || o->no_chains;
	int status;

	if (!chosen)
		*mode = PTUI_CALLGRAPH_LIVE;
	status = show_screen(cli, o);
	if (!chosen)
		*mode = PTUI_CALLGRAPH_NONE;
	return status;
}

static int top_run(struct cli *cli, struct top_options *o)
{
	const char *only_text = top_only_text(o);
	int status;

	if (o->stdio && o->tui)
		return cli_invalid(cli, "%s", _("--tui and --stdio cannot be used together"));
	if (only_text && (o->tui || wants_screen(cli, o)))
		return cli_invalid(cli, _("%s: not supported on the screen yet; use --stdio"),
				   only_text);
	if (wants_screen(cli, o)) {
		status = show_screen_chains(cli, o);
		if (status >= 0)
			return status;
	}
	return o->tui ? no_screen(cli) : top_watch(cli, o);
}

static int run_top(struct cli *cli, int argc, char **argv)
{
	struct top_options o = { .look.delay_ms = DEFAULT_DELAY_MS,
				 .usual_children = true,
				 .chain.min_percent = 0.5 };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct option_result words;
	int status;

	if (!cli_parse(cli, &o, argc, argv, 0, &words)) {
		status = cli->status;
	} else if (words.n_words) {
		status = cli_invalid(
			cli,
			_("unexpected argument '%s': ptui top starts no command; use 'ptui "
			  "record'"),
			argv[0]);
	} else if (top_options_settle(cli, &o, &err)) {
		status = cli_rejected(cli, &err);
	} else {
		if (o.record.verbose)
			cli_log_verbose();
		status = top_run(cli, &o);
	}
	top_options_release(&o);
	return status;
}

static const char *const top_usage[] = { N_("[OPTIONS]"), NULL };

static const struct cli_example top_examples[] = {
	{ "ptui top", N_("Show what the system is doing, on the Live screen.") },
	{ "ptui top -g -p 1234", N_("Show one process, with callchains.") },
	{ "ptui top -e page-faults -c 1 -s comm", N_("Show page faults by command.") },
	{ "timeout -s INT 10 ptui top --stdio -d 5 >log", N_("Print two updates as text.") },
	{ NULL, NULL },
};

const struct cli_command cmd_top = {
	.name = "top",
	.summary = N_("show what is running now and where the time goes"),
	.usage = top_usage,
	.text = N_("Samples the whole system, or the target given by the options, and shows the "
		   "hottest functions while sampling continues. Nothing is written to disk.\n"
		   "\n"
		   "On a terminal this opens the Live screen; '?' lists its keys. The last "
		   "samples are kept in memory: 'q' asks whether to save them to perf.data; "
		   "'qq' and ^C quit without saving. With --stdio, if the output is a file or a "
		   "pipe, or if the terminal cannot show screens, ptui prints text in the "
		   "format of perf top; on a terminal 'h' lists the keys. It ends with 'q', "
		   "with ^C, or when all target processes have exited."),
	.options = top_options,
	.settings = top_settings,
	.examples = top_examples,
	.run = run_top,
};
