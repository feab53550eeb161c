/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui stat`: runs a command or watches a target, and prints counts as perf stat does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/stat/stat_run.h"
#include "probe/temporary.h"
#include "symbol/address_filter.h"

static int open_writer(struct stat_run *r, struct ptui_error *err)
{
	const struct stat_command *o = r->o;
	struct buf cmdline = BUF_INIT;
	struct stat_writer_opts opts = { .path = o->output ? o->output : "perf.data",
					 .interval_ms = o->interval_ms,
					 .no_scale = !o->scale };

	record_add_cmdline((const char *const *)r->cli->argv, (size_t)r->cli->argc, &cmdline);
	opts.cmdline = cmdline.data;
	opts.cmdline_bytes = cmdline.len;
	r->writer = cmdline.err ? NULL :
				  stat_writer_new(r->stat, &kernel_ops_real()->roots, &opts, err);
	buf_release(&cmdline);
	return r->writer ? 0 : ptui_error_is_set(err) ? -EIO : ptui_error_nomem(err);
}

static int run_with(struct cli *cli, struct stat_command *o, char **argv)
{
	struct stat_run r = { .cli = cli,
			      .o = o,
			      .out = STAT_OUTPUT_INIT,
			      .child_status = -1,
			      .argv = argv[0] ? argv : NULL };
	struct stat_opts opts = { .what = &o->record.opts,
				  .alone = true,
				  .aggr = o->aggr,
				  .cache_level = o->cache_level,
				  .detail = o->detail,
				  .null_run = o->null_run,
				  .no_scale = !o->scale,
				  .one_group = o->one_group,
				  .per_cgroup = o->per_cgroup,
				  .resolve_filter = address_filter_resolve,
				  .add_probe = probe_temporary_add,
				  .metrics = o->metrics.words,
				  .n_metrics = o->metrics.n,
				  .metric_no_group = o->metric_no_group,
				  .metric_no_merge = o->metric_no_merge };
	struct ptui_error err = PTUI_ERROR_INIT;
	int status = CLI_OK, ret;

	if (stat_options_settle(o, argv, &err))
		return cli_failed(cli, &err);
	if (o->tui)
		return stat_on_screen(cli, o, argv);
	if (control_init(&r.control, &o->control, &err)) {
		control_release(&r.control);
		return cli_failed(cli, &err);
	}
	r.result.n_runs = o->n_runs;
	r.result.table = o->table;
	opts.starts_off = control_starts_off(&r.control);
	opts.each_cgroup = o->each_cgroup;
	o->record.opts.argv = r.argv;
	r.stat = stat_new(kernel_ops_real(), &opts, &err);
	if (!r.stat) {
		control_release(&r.control);
		return cli_failed(cli, &err);
	}
	ret = stat_output_open(&r.out, o, &err);
	stat_run_handle_signals();
	if (!ret && o->records)
		ret = open_writer(&r, &err);
	if (!ret)
		ret = stat_run(&r, &err);
	if (ret == -ECHILD && !ptui_error_is_set(&err))
		status = CLI_FAILED; /* said already */
	else if (ret)
		status = cli_failed(cli, &err);
	else if (!r.timed_out && !r.stopped)
		status = cli_exit_like(cli, stat_run_signal(), r.child_status);
	control_release(&r.control);
	stat_writer_free(r.writer);
	stat_free(r.stat);
	free(r.each_ns);
	stat_output_release(&r.out);
	return status;
}

/* The options after "record" and "report". */
static bool parse_rest(struct cli *cli, struct stat_command *o, const struct option *options,
		       char **argv, struct option_result *parsed)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int argc = 0;

	while (argv[argc + 1])
		argc++;
	if (option_parse(options, o, argc, argv + 1, OPTION_STOP_AT_WORD, parsed, &err)) {
		cli->status = cli_rejected(cli, &err);
		return false;
	}
	argv[1 + parsed->n_words] = NULL;
	if (parsed->help)
		cli->status = cli_help(cli, cli->command);
	return !parsed->help;
}

static int run_words(struct cli *cli, struct stat_command *o, char **argv)
{
	struct option_result parsed;

	o->records = argv[0] && !strcmp(argv[0], "record");
	if (o->records)
		return parse_rest(cli, o, stat_options, argv, &parsed) ?
			       run_with(cli, o, argv + 1) :
			       cli->status;
	if (argv[0] && !strcmp(argv[0], "report"))
		return parse_rest(cli, o, stat_report_options, argv, &parsed) ?
			       stat_report(cli, o, argv + 1) :
			       cli->status;
	return run_with(cli, o, argv);
}

static int run_stat(struct cli *cli, int argc, char **argv)
{
	struct stat_command o = { .n_runs = 1, .scale = true, .group_digits = true };
	struct option_result parsed;
	int status;

	if (cli_parse(cli, &o, argc, argv, OPTION_STOP_AT_WORD, &parsed)) {
		argv[parsed.n_words] = NULL;
		status = run_words(cli, &o, argv);
	} else {
		status = cli->status;
	}
	option_words_release(&o.metrics);
	buf_release(&o.cgroup_names);
	record_options_release(&o.record);
	return status;
}

static const char *const stat_usage[] = {
	N_("[OPTION...] [--] COMMAND [ARGUMENT...]"),
	N_("[OPTION...] -a | -p PID | -t TID | -u USER | -C CPUS"),
	N_("--tui [OPTION...] [--] [COMMAND [ARGUMENT...]]"),
	N_("[OPTION...] record [OPTION...] [--] [COMMAND [ARGUMENT...]]"),
	N_("[OPTION...] report [-i FILE] [-A | --per-core | --per-node]"),
	NULL
};

static const struct cli_example stat_examples[] = {
	{ "ptui stat -- make", N_("Count what a build costs.") },
	{ "ptui stat -r 5 -e task-clock,page-faults ./program",
	  N_("Run a program five times, and show means and their errors.") },
	{ "ptui stat -a -A -I 1000", N_("Print the counts of each CPU every second.") },
	{ "ptui stat -M insn_per_cycle,branch_miss_rate --metric-only -I 1000 -a",
	  N_("Print two metrics every second.") },
	{ "ptui stat -e 'sched:*' -p 1234 -- sleep 10",
	  N_("Count the scheduler's events of a process.") },
	{ "ptui stat record -a -I 1000 -- make",
	  N_("Keep the counts of each second in perf.data.") },
	{ "ptui stat report --per-core", N_("Print them by core.") },
	{ "ptui stat --tui -d -- make", N_("Watch the counts of a build on a screen.") },
	{ NULL, NULL },
};

const struct cli_command cmd_stat = {
	.name = "stat",
	.summary = N_("count the events of a command, a process or the system"),
	.usage = stat_usage,
	.text = N_(
		"Runs a command and counts its events, or those of processes, CPUs or the whole "
		"system until Ctrl-C; prints the text of perf stat on stderr.\n\n"
		"Events that this machine cannot count are shown as <not supported>, those that never "
		"got a counter as <not counted>. A percentage at the end of a line is the share of time that "
		"the event was on a counter; its count is extrapolated.\n\n"
		"'ptui stat record' writes the counts to perf.data as well (-o: to another file, or '-' for "
		"a pipe), with -I all intervals; 'ptui stat report' prints them again (-i: of another "
		"file), also by core, die, socket, node or CPU. Both read and write what perf stat does.\n\n"
		"The exit status is that of the command."),
	.options = stat_options,
	.examples = stat_examples,
	.run = run_stat,
};
