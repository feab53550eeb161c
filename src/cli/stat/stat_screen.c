/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui stat --tui`: the counts on a screen while they grow, and as text when it is left. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/stat/stat_options.h"
#include "cli/stat/stat_output.h"
#include "ptui/cli.h"
#include "ptui/count.h"

static int cannot_show(struct cli *cli)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	ptui_error_set(&err, PTUI_ERROR_SYSTEM, ENOTTY, "--tui",
		       _("cannot open the screen: this terminal cannot show it"));
	ptui_error_hint(&err, _("without --tui, ptui prints text"));
	return cli_failed(cli, &err);
}

/* An option that has no place on the screen; NULL: none. */
static const char *only_text(const struct stat_command *o)
{
	const struct {
		bool given;
		const char *name;
	} options[] = {
		{ o->records, "record" },
		{ o->separator, "-x" },
		{ o->json, "-j" },
		{ o->null_run, "-n" },
		{ o->repeat_given, "-r" },
		{ o->aggr == STAT_CPU, "-A" },
		{ o->aggr == STAT_THREAD, "--per-thread" },
		{ o->aggr == STAT_CORE, "--per-core" },
		{ o->aggr == STAT_DIE, "--per-die" },
		{ o->aggr == STAT_CLUSTER, "--per-cluster" },
		{ o->aggr == STAT_CACHE, "--per-cache" },
		{ o->aggr == STAT_SOCKET, "--per-socket" },
		{ o->aggr == STAT_NODE, "--per-node" },
		{ o->metric_only, "--metric-only" },
		{ o->one_group, "-g" },
		{ o->n_intervals, "--interval-count" },
		{ o->clear, "--interval-clear" },
		{ o->summary, "--summary" },
		{ o->control.delay, "-D" },
		{ o->control.channel, "--control" },
		{ o->pre, "--pre" },
		{ o->post, "--post" },
		{ o->sync, "-S" },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].given)
			return options[i].name;
	return NULL;
}

/* The text that the command line would have printed. */
static int print_text(const struct stat_command *o, const struct ptui_count_run *run,
		      struct ptui_error *err)
{
	struct stat_output out = STAT_OUTPUT_INIT;
	int ret = stat_output_open(&out, o, err);

	if (!ret) {
		buf_add_str(&out.text, ptui_count_run_text(run));
		ret = stat_output_put(&out);
		if (ret)
			ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL, _("cannot write: %s"),
				       strerror(-ret));
	}
	stat_output_release(&out);
	return ret;
}

static int show(struct cli *cli, const struct stat_command *o, struct ptui_count_run *run,
		const struct ptui_count_run_opts *opts)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_count_run_state state;
	struct buf cmdline = BUF_INIT;
	int ret;

	record_add_cmdline((const char *const *)cli->argv, (size_t)cli->argc, &cmdline);
	cli_log_quiet(true);
	ret = cmdline.err ? ptui_error_nomem(&err) :
			    cli->hooks->count(cli->hooks->ctx, run, opts, cmdline.data, cmdline.len,
					      &err);
	cli_log_quiet(false);
	buf_release(&cmdline);
	if (ret == -ENOTTY)
		return cannot_show(cli);
	ptui_count_run_get_state(run, &state);
	if (!ret && state.error) {
		ptui_count_run_error(run, &err);
		ret = state.error;
	}
	if (!ret && ptui_count_run_text(run))
		ret = print_text(o, run, &err);
	if (ret)
		return cli_failed(cli, &err);
	/* one that was stopped has not failed */
	return state.stopped ? CLI_OK : cli_exit_like(cli, 0, state.child_status);
}

int stat_on_screen(struct cli *cli, struct stat_command *o, char **argv)
{
	const struct ptui_count_run_opts opts = {
		.what = &o->record.opts,
		.metrics = (const char *const *)o->metrics.words,
		.n_metrics = o->metrics.n,
		.each_cgroup = o->each_cgroup,
		.per_cgroup = o->per_cgroup,
		.detail = o->detail,
		.no_scale = !o->scale,
		.no_group_digits = !o->group_digits,
		.metric_no_group = o->metric_no_group,
		.metric_no_merge = o->metric_no_merge,
		.interval_ms = (unsigned)o->interval_ms,
		.timeout_ms = (unsigned)o->timeout_ms,
	};
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_count_run *run;
	int status;

	if (only_text(o)) {
		ptui_error_set(&err, PTUI_ERROR_INPUT, ENOTSUP, only_text(o),
			       _("%s cannot be used together with --tui"), only_text(o));
		return cli_misused(cli, &err);
	}
	if (!cli->hooks || !cli->hooks->count || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return cannot_show(cli);
	o->record.opts.argv = argv[0] ? argv : NULL;
	run = ptui_count_run_new(&opts, &err);
	if (!run)
		return cli_failed(cli, &err);
	status = show(cli, o, run, &opts);
	ptui_count_run_free(run);
	return status;
}
