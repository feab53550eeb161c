/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `ptui stat`. */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "cli/stat/stat_options.h"

#define CACHE_LEVEL_MAX 9

static int check(const struct stat_command *o, char *const *argv, struct ptui_error *err)
{
	const struct ptui_record_opts *what = &o->record.opts;
	bool tasks = what->n_pids || what->n_tids || what->user;
	bool wide = (what->system_wide || what->cpus || !argv[0]) && !tasks;

	if (o->records && (o->n_runs != 1 || o->repeat_given))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "-r",
			_("-r and 'ptui stat record' cannot be used together: a recording has one run"));
	if (o->records && (o->aggr == STAT_CLUSTER || o->aggr == STAT_CACHE))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--per-cache",
				      _("--per-cluster and --per-cache cannot be used with 'ptui "
					"stat record': a recording has no place for them"));
	if (o->separator && o->json)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("-x and -j cannot be used together"));
	if (o->output && o->log_fd && !o->records)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--log-fd",
				      _("%s and %s cannot be used together"), "-o", "--log-fd");
	if (o->aggr == STAT_THREAD && !tasks && (what->cpus || (argv[0] && !what->system_wide)))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--per-thread",
				      _("--per-thread requires -a, -p, -t or -u"));
	if (o->aggr != STAT_GLOBAL && o->aggr != STAT_THREAD && !wide)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, NULL,
			_("counts per CPU, core, cluster, cache, die, socket or node require -a or -C"));
	if (o->each_cgroup && !wide)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--for-each-cgroup",
				      _("%s requires -a or -C"), "--for-each-cgroup");
	if (o->each_cgroup && what->n_cgroups)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-G",
				      _("-G and --for-each-cgroup cannot be used together"));
	if (what->n_cgroups && !wide)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-G",
				      _("%s requires -a or -C"), "-G");
	if (o->per_cgroup && !wide)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--per-cgroup",
				      _("%s requires -a or -C"), "--per-cgroup");
	if (o->aggr == STAT_THREAD && (o->each_cgroup || o->per_cgroup || what->n_cgroups))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "--per-thread",
			_("--per-thread cannot be used with cgroups: the kernel counts either"));
	if (o->n_runs != 1 && !argv[0])
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-r",
				      _("-r requires a command"));
	if (o->aggr == STAT_THREAD && o->n_runs > 1)
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EINVAL, "-r",
			_("-r and --per-thread cannot be used together: each run has its own threads"));
	if (o->metric_only && (o->n_runs > 1 || o->repeat_given))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--metric-only",
				      _("%s and %s cannot be used together"), "--metric-only",
				      "-r");
	if (o->metric_only && o->aggr == STAT_THREAD)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--metric-only",
				      _("%s and %s cannot be used together"), "--metric-only",
				      "--per-thread");
	if (o->n_intervals && !o->interval_ms)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--interval-count",
				      _("--interval-count requires -I"));
	if (o->table && o->n_runs <= 1)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--table",
				      _("--table requires -r"));
	return 0;
}

/* --per-cgroup -G a,b is --for-each-cgroup a,b. */
static int settle_cgroups(struct stat_command *o, struct ptui_error *err)
{
	struct ptui_record_opts *what = &o->record.opts;

	if (!o->per_cgroup || !what->n_cgroups || o->each_cgroup)
		return 0;
	for (size_t i = 0; i < what->n_cgroups; i++)
		buf_addf(&o->cgroup_names, "%s%s", i ? "," : "", what->cgroups[i]);
	if (o->cgroup_names.err)
		return ptui_error_nomem(err);
	what->n_cgroups = 0;
	o->each_cgroup = buf_str(&o->cgroup_names);
	return 0;
}

/* "\\t" is a tab, as in perf. */
int stat_options_settle(struct stat_command *o, char *const *argv, struct ptui_error *err)
{
	struct ptui_record_opts *what = &o->record.opts;

	if (o->separator && !strcmp(o->separator, "\\t"))
		o->separator = "\t";
	if (o->separator && !*o->separator)
		o->separator = ",";
	what->events = o->record.events.texts.words;
	what->n_events = o->record.events.texts.n;
	what->pids = o->record.pids.pids;
	what->n_pids = o->record.pids.n;
	what->tids = o->record.tids.pids;
	what->n_tids = o->record.tids.n;
	what->cgroups = o->record.cgroups.texts.words;
	what->cgroup_after = o->record.cgroups.after;
	what->n_cgroups = o->record.cgroups.texts.n;
	if (record_events_complete(&o->record.events))
		return ptui_error_nomem(err);
	o->control.say = record_print_line;
	o->control.say_ctx = &o->quiet;
	what->filters = (const char *const *)o->record.events.filters;
	if (settle_cgroups(o, err))
		return -ENOMEM;
	return check(o, argv, err);
}

static int read_detail(void *field, const char *value, bool unset, struct ptui_error *err)
{
	(void)value;
	(void)unset;
	(void)err;
	(*(unsigned *)field)++;
	return 0;
}

static int read_repeat(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct stat_command *o = field;

	(void)unset;
	if (option_number(value, 0, 1000000, &o->n_runs))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("'%s' is not a number of runs"), value);
	o->repeat_given = true;
	return 0;
}

#define READ_AGGR(name, which)                                                              \
	static int name(void *field, const char *value, bool unset, struct ptui_error *err) \
	{                                                                                   \
		(void)value;                                                                \
		(void)unset;                                                                \
		(void)err;                                                                  \
		*(enum stat_aggr *)field = which;                                           \
		return 0;                                                                   \
	}
READ_AGGR(read_cpu, STAT_CPU)
READ_AGGR(read_thread, STAT_THREAD)
READ_AGGR(read_core, STAT_CORE)
READ_AGGR(read_die, STAT_DIE)
READ_AGGR(read_cluster, STAT_CLUSTER)
READ_AGGR(read_socket, STAT_SOCKET)
READ_AGGR(read_node, STAT_NODE)

static int read_cache(void *field, const char *value, bool unset, struct ptui_error *err)
{
	struct stat_command *o = field;
	uint64_t level = 0;

	(void)unset;
	if (value &&
	    option_number(value + (*value == 'l' || *value == 'L'), 1, CACHE_LEVEL_MAX, &level))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, value,
				      _("'%s' is not the level of a cache, such as l2"), value);
	o->aggr = STAT_CACHE;
	o->cache_level = (unsigned)level;
	return 0;
}

/* Why some options of perf stat are not supported. */
static const char not_topdown[] =
	N_("top-down metrics need tables of each processor's events, which ptui does not have");
static const char not_bpf[] = N_("not supported: ptui counts with perf_event_open() only");
static const char not_merge[] =
	N_("not supported: ptui always shows each selected event on its own");

#define AT(member) .offset = offsetof(struct stat_command, member)

const struct option stat_options[] = {
	{ OPTION_GROUP, .help = N_("Events") },
	{ OPTION_MULTI, 'e', "event", N_("EVENT"),
	  N_("event selector (see 'ptui list'), or several separated by commas; may be repeated "
	     "(default: clock, context switches, migrations, page faults, cycles, instructions, branches)"),
	  AT(record.events) },
	{ OPTION_CALL, 0, "filter", N_("FILTER"),
	  N_("tracepoint filter for the preceding -e, such as 'prev_pid != 0'; or an address filter "
	     "of an event with an AUX area, such as 'filter main @ program'"),
	  AT(record.events), .call = record_add_filter },
	{ OPTION_CALL, 'd', "detailed", NULL,
	  N_("also count cache events; twice or three times: more of them"), AT(detail),
	  .flags = OPTION_NO_VALUE, .call = read_detail },
	{ OPTION_FLAG, 'g', "group", NULL, N_("put all events into one group"), AT(one_group) },
	{ OPTION_FLAG, 'n', "null", NULL, N_("count nothing, only measure the time"),
	  AT(null_run) },
	{ OPTION_MULTI, 'M', "metrics", N_("METRIC[,METRIC...]"),
	  N_("metrics or metric groups (see 'ptui list metrics metricgroups'); may be repeated"),
	  AT(metrics) },
	{ OPTION_FLAG, 0, "metric-no-group", NULL,
	  N_("with -M: do not put the two events of a metric into a group"), AT(metric_no_group) },
	{ OPTION_FLAG, 0, "metric-no-merge", NULL,
	  N_("with -M: count events separately for each metric"), AT(metric_no_merge) },
	{ OPTION_FLAG, 0, "all-kernel", NULL, N_("count only in the kernel"),
	  AT(record.opts.shape.all_kernel) },
	{ OPTION_FLAG, 0, "all-user", NULL, N_("count only in user space"),
	  AT(record.opts.shape.all_user) },
	{ OPTION_FLAG, 0, "scale", NULL,
	  N_("extrapolate the counts of events that shared a counter (the default)"), AT(scale),
	  .flags = OPTION_NO },

	{ OPTION_GROUP, .help = N_("Target") },
	{ OPTION_FLAG, 'a', "all-cpus", NULL,
	  N_("the whole system (default without a command or another target)"),
	  AT(record.opts.system_wide) },
	{ OPTION_CALL, 'p', "pid", N_("PID[,PID...]"),
	  N_("processes with all their threads; with a command, until it exits"), AT(record.pids),
	  .call = record_read_pids },
	{ OPTION_CALL, 't', "tid", N_("TID[,TID...]"), N_("threads"), AT(record.tids),
	  .call = record_read_tids },
	{ OPTION_STRING, 'u', "uid", N_("USER"),
	  N_("all processes of a user (name or number), with their children"),
	  AT(record.opts.user) },
	{ OPTION_STRING, 'C', "cpu", N_("CPU[,CPU-CPU...]"),
	  N_("all tasks on these CPUs, such as 0-3,8; with a command, until it exits"),
	  AT(record.opts.cpus) },
	{ OPTION_CALL, 'G', "cgroup", N_("NAME[,NAME...]"),
	  N_("with -a: restrict the preceding events to these cgroups, in order; a single "
	     "name applies to all events, an empty one means all tasks"),
	  AT(record), .call = record_read_cgroup },
	{ OPTION_STRING, 0, "for-each-cgroup", N_("NAME[,NAME...]"),
	  N_("with -a: count all events for each of these cgroups; also regular expressions, "
	     "such as '^user.slice/.*[.]service$'"),
	  AT(each_cgroup) },
	{ OPTION_CALL, 'i', "no-inherit", NULL, N_("do not count child processes and new threads"),
	  AT(record.opts), .flags = OPTION_NO | OPTION_NO_VALUE, .call = record_read_inherit },

	{ OPTION_GROUP, .help = N_("Runs and time") },
	{ OPTION_CALL, 'r', "repeat", N_("N"),
	  N_("run the command N times, and show means and their errors; 0: until Ctrl-C"),
	  .offset = 0, .call = read_repeat },
	{ OPTION_FLAG, 0, "table", NULL, N_("with -r: show the time of each run"), AT(table) },
	{ OPTION_NUMBER, 'I', "interval-print", N_("MS"),
	  N_("print what was counted every so many ms"), AT(interval_ms), .min = 1,
	  .max = UINT32_MAX },
	{ OPTION_NUMBER, 0, "interval-count", N_("N"),
	  N_("with -I: print N times; without a command, end then"), AT(n_intervals), .min = 1,
	  .max = UINT32_MAX },
	{ OPTION_FLAG, 0, "interval-clear", NULL, N_("with -I: clear the screen before each print"),
	  AT(clear) },
	{ OPTION_FLAG, 0, "summary", NULL, N_("with -I: print the sums at the end"), AT(summary) },
	{ OPTION_FLAG, 0, "no-csv-summary", NULL,
	  N_("with --summary and -x: do not begin the lines of the sums with 'summary'"),
	  AT(no_csv_summary) },
	{ OPTION_NUMBER, 0, "timeout", N_("MS"), N_("end after so many ms"), AT(timeout_ms),
	  .min = 10, .max = UINT32_MAX },
	{ OPTION_STRING, 'D', "delay", N_("MS"),
	  N_("enable events this many milliseconds after the start; -1: when --control "
	     "enables them; 10-20,30-40: only during these intervals"),
	  AT(control.delay) },
	{ OPTION_STRING, 0, "control", N_("WHERE"),
	  N_("read commands from fd:CTL[,ACK] or fifo:CTL[,ACK] and acknowledge them on ACK: enable, "
	     "disable, enable EVENT, disable EVENT, evlist [-v|-g|-F], ping, stop"),
	  AT(control.channel) },
	{ OPTION_STRING, 0, "pre", N_("COMMAND"), N_("shell command to run before each run"),
	  AT(pre) },
	{ OPTION_STRING, 0, "post", N_("COMMAND"), N_("shell command to run after each run"),
	  AT(post) },
	{ OPTION_FLAG, 'S', "sync", NULL, N_("call sync() before each run"), AT(sync) },

	{ OPTION_GROUP, .help = N_("Sums") },
	{ OPTION_CALL, 'A', "no-aggr", NULL, N_("one line per CPU"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_cpu },
	{ OPTION_CALL, 0, "per-thread", NULL,
	  N_("one line per thread, with -a, -p, -t or -u; with -a: of those that ran"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_thread },
	{ OPTION_CALL, 0, "per-core", NULL, N_("one line per core"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_core },
	{ OPTION_CALL, 0, "per-die", NULL, N_("one line per die"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_die },
	{ OPTION_CALL, 0, "per-socket", NULL, N_("one line per socket"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_socket },
	{ OPTION_CALL, 0, "per-node", NULL, N_("one line per NUMA node"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_node },
	{ OPTION_CALL, 0, "per-cluster", NULL, N_("one line per cluster of cores"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_cluster },
	{ OPTION_CALL, 0, "per-cache", N_("LEVEL"),
	  N_("one line per cache of this level, such as l2 (default: the last level)"),
	  .flags = OPTION_ATTACHED, .call = read_cache },
	{ OPTION_FLAG, 0, "per-cgroup", NULL,
	  N_("with -a: one line per cgroup that has tasks at the start (at most 256, those with most "
	     "tasks), or of -G; tasks in cgroups below count, too"),
	  AT(per_cgroup) },

	{ OPTION_GROUP, .help = N_("Output") },
	{ OPTION_FLAG, 0, "metric-only", NULL,
	  N_("print only metrics and ratios, in one line per interval or sum"), AT(metric_only) },
	{ OPTION_STRING, 'x', "field-separator", N_("SEPARATOR"),
	  N_("print fields with this between them (\\t: a tab)"), AT(separator) },
	{ OPTION_FLAG, 'j', "json-output", NULL, N_("print one JSON object per line"), AT(json) },
	{ OPTION_STRING, 'o', "output", N_("FILE"),
	  N_("print to a file instead of stderr; with record: the recording (default: perf.data)"),
	  AT(output) },
	{ OPTION_FLAG, 0, "append", NULL, N_("add to the file of -o"), AT(append) },
	{ OPTION_NUMBER, 0, "log-fd", N_("FD"), N_("print to a file descriptor"), AT(log_fd),
	  .min = 1, .max = INT32_MAX },
	{ OPTION_FLAG, 'B', "big-num", NULL,
	  N_("group the digits of large numbers as the locale does (the default)"),
	  AT(group_digits), .flags = OPTION_NO },
	{ OPTION_FLAG, 0, "tui", NULL,
	  N_("watch the counts on a screen (-I: its interval), and print them when it is left"),
	  AT(tui) },
	{ OPTION_FLAG, 0, "quiet", NULL, N_("print no counts"), AT(quiet) },
	{ OPTION_FLAG, 'v', "verbose", NULL, N_("say why events are not supported"), AT(verbose) },
	OPTION_NOT(0, "topdown", OPTION_NO_VALUE, not_topdown),
	OPTION_NOT(0, "td-level", 0, not_topdown),
	OPTION_NOT(
		'T', "transaction", OPTION_NO_VALUE,
		N_("not supported: select the events of transactions with -e, such as cpu/tx-start/")),
	OPTION_NOT(0, "smi-cost", OPTION_NO_VALUE,
		   N_("not supported: counting SMIs changes freeze_on_smi of the whole machine")),
	OPTION_NOT(0, "iostat", OPTION_ATTACHED,
		   N_("not supported: it counts uncore events of Intel servers only")),
	OPTION_NOT(0, "cputype", 0,
		   N_("not supported: name the PMU in -e, such as cpu_core/cycles/")),
	OPTION_NOT('b', "bpf-prog", 0, not_bpf),
	OPTION_NOT(0, "bpf-counters", OPTION_NO_VALUE | OPTION_NO, not_bpf),
	OPTION_NOT(0, "bpf-attr-map", 0, not_bpf),
	/* the colours of perf's thresholds, which the rows of ptui never have */
	{ OPTION_FLAG, 0, "metric-no-threshold", AT(metric_no_threshold), .flags = OPTION_HIDDEN },
	OPTION_NOT(0, "hybrid-merge", OPTION_NO_VALUE, not_merge),
	OPTION_NOT(0, "merge", OPTION_NO_VALUE | OPTION_NO,
		   not_merge), /* --no-merge is the default */
	OPTION_NOT(0, "percore-show-thread", OPTION_NO_VALUE,
		   N_("not supported: ptui has no 'percore' term; use --per-core")),
	{ OPTION_END },
};

const struct option stat_report_options[] = {
	{ OPTION_STRING, 'i', "input", N_("FILE"),
	  N_("read another file than perf.data; -: a pipe"), AT(input) },
	{ OPTION_CALL, 'A', "no-aggr", NULL, N_("one line per CPU"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_cpu },
	{ OPTION_CALL, 0, "per-core", NULL, N_("one line per core"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_core },
	{ OPTION_CALL, 0, "per-die", NULL, N_("one line per die"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_die },
	{ OPTION_CALL, 0, "per-socket", NULL, N_("one line per socket"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_socket },
	{ OPTION_CALL, 0, "per-node", NULL, N_("one line per NUMA node"), AT(aggr),
	  .flags = OPTION_NO_VALUE, .call = read_node },
	{ OPTION_END },
};

#undef AT
