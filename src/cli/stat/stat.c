/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui stat`: runs a command or watches a target, and prints counts as perf stat does. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/out.h"
#include "cli/stat/stat_options.h"
#include "cli/stat/stat_output.h"
#include "record/control.h"
#include "record/target/workload.h"
#include "stat/stat_data.h"

#define LOOK_MS 100 /* how often the processes of -p are looked for */

/* One `ptui stat`. */
struct run {
	struct cli *cli;
	const struct stat_command *o;
	char *const *argv; /* NULL: no command */
	struct stat *stat;
	struct stat_output out;
	struct stat_writer *writer; /* of ptui stat record; else NULL */
	struct control control;	    /* -D, --control */
	bool stopped;		    /* by --control */
	struct workload work;
	struct stat_mean passed; /* ns, by run */
	double *each_ns;	 /* of the runs */
	size_t n_done, cap_each;
	struct stat_usage usage; /* of the last run */
	uint64_t begun_ns, interval_begun_ns, n_intervals;
	int child_status;
	bool timed_out;
};

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t time_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

/* Of all commands that have ended. */
static void read_usage(struct stat_usage *ret)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	ret->user_ns = time_ns(&u.ru_utime);
	ret->system_ns = time_ns(&u.ru_stime);
}

/* ---- text ---- */

static bool is_text(const struct stat_command *o)
{
	return !o->separator && !o->json;
}

static void add_title(struct run *r)
{
	const struct ptui_record_opts *what = &r->o->record.opts;
	struct buf words = BUF_INIT;

	buf_add_str(&r->out.text, "\n Performance counter stats for ");
	if (what->n_pids || what->n_tids) {
		const pid_t *ids = what->n_pids ? what->pids : what->tids;
		size_t n = what->n_pids ? what->n_pids : what->n_tids;

		buf_add_str(&r->out.text, what->n_pids ? "process id '" : "thread id '");
		for (size_t i = 0; i < n; i++)
			buf_addf(&r->out.text, "%s%d", i ? "," : "", (int)ids[i]);
	} else if (what->user) {
		buf_addf(&r->out.text, "user '%s", what->user);
	} else if (what->cpus) {
		buf_addf(&r->out.text, "'CPU(s) %s", what->cpus);
	} else if (stat_is_system_wide(r->stat)) {
		buf_add_str(&r->out.text, "'system wide");
	} else {
		for (size_t i = 0; r->argv && r->argv[i]; i++)
			buf_addf(&words, "%s%s", i ? " " : "", r->argv[i]);
		buf_add_char(&r->out.text, '\'');
		text_escape(&r->out.text, buf_str(&words));
	}
	buf_release(&words);
	buf_add_char(&r->out.text, '\'');
	if (r->o->n_runs > 1)
		buf_addf(&r->out.text, " (%zu runs)", r->n_done);
	buf_add_str(&r->out.text, ":\n\n");
}

/* Decimals that show two digits of the error. */
static int decimals_for(double error_s)
{
	if (error_s > 1)
		return 2;
	return error_s > 0 ? (int)lround(ceil(-log10(error_s))) + 2 : 9;
}

static void add_table(struct run *r, int decimals, double mean_s)
{
	int indent = 18 - snprintf(NULL, 0, "%.*f", decimals, mean_s);

	buf_addf(&r->out.text, "%*s# Table of individual measurements:\n", indent, "");
	for (size_t i = 0; i < r->n_done; i++) {
		double s = r->each_ns[i] / 1e9;
		int marks = s > 0 ? 1 + abs((int)(100.0 * (s - mean_s) / s) / 5) : 1;

		buf_addf(&r->out.text, " %17.*f (%+.*f) ", decimals, s, decimals, s - mean_s);
		for (int j = 0; j < marks && j < 100; j++)
			buf_add_char(&r->out.text, '#');
		buf_add_char(&r->out.text, '\n');
	}
	buf_addf(&r->out.text, "\n%*s# Final result:\n", indent, "");
}

static void add_end(struct run *r)
{
	double mean_s = r->passed.mean / 1e9, error_s = stat_mean_error(&r->passed) / 1e9;
	int decimals = decimals_for(error_s);

	if (!r->o->null_run)
		buf_add_char(&r->out.text, '\n');
	if (r->o->n_runs <= 1) {
		buf_addf(&r->out.text, " %17.9f seconds time elapsed", mean_s);
		if (stat_is_of_command(r->stat))
			buf_addf(&r->out.text, "\n\n %17.9f seconds user\n %17.9f seconds sys\n",
				 (double)r->usage.user_ns / 1e9, (double)r->usage.system_ns / 1e9);
	} else {
		if (r->o->table)
			add_table(r, decimals, mean_s);
		buf_addf(&r->out.text, " %17.*f +- %.*f seconds time elapsed", decimals, mean_s,
			 decimals, error_s);
		if (error_s > 0 && mean_s > 0)
			buf_addf(&r->out.text, "  ( +-%6.2f%% )", 100 * error_s / mean_s);
	}
	buf_add_str(&r->out.text, "\n\n");
}

static void format_of(const struct run *r, struct stat_format *f)
{
	*f = (struct stat_format){
		.separator = r->o->separator,
		.json = r->o->json,
		.group_digits = r->o->group_digits,
		.summary = r->o->interval_ms && !r->o->no_csv_summary,
		.n_runs = r->o->interval_ms ? 1 : (unsigned)r->o->n_runs,
		.passed_ns = r->o->n_runs > 1 ? r->passed.mean : (double)r->usage.passed_ns,
	};
}

static int print_result(struct run *r)
{
	struct stat_format f;

	format_of(r, &f);
	if (is_text(r->o))
		add_title(r);
	stat_print(r->stat, &f, &r->out.text);
	if (is_text(r->o))
		add_end(r);
	return stat_output_put(&r->out);
}

/* With -v: why events are not supported. */
static void print_refusals(struct run *r)
{
	for (size_t i = 0; r->o->verbose && i < stat_n_events(r->stat); i++) {
		const struct stat_event *e = stat_event(r->stat, i);

		if (!e->supported && ptui_error_is_set(&e->why))
			cli_warn(r->cli, "%s: %s", e->event->name, e->why.text);
	}
}

/* ---- intervals ---- */

static int print_interval(struct run *r, struct ptui_error *err)
{
	uint64_t now = now_ns();
	struct stat_usage usage = { .passed_ns = now - r->interval_begun_ns };
	struct stat_format f;
	int ret = stat_read(r->stat, true, &usage, err);

	if (!ret && r->writer)
		ret = stat_writer_round(r->writer, false, now - r->begun_ns, err);
	if (ret)
		return ret;
	format_of(r, &f);
	f.interval = true;
	f.summary = false;
	f.time_ns = now - r->begun_ns;
	f.passed_ns = (double)usage.passed_ns;
	if (r->o->clear && r->out.to_terminal)
		buf_add_str(&r->out.text, "\033[H\033[2J\033[3J");
	if (is_text(r->o) &&
	    (r->n_intervals % STAT_HEADING_EVERY == 0 || (r->o->clear && r->out.to_terminal)))
		stat_print_heading(r->stat, &r->out.text);
	stat_print(r->stat, &f, &r->out.text);
	r->interval_begun_ns = now;
	r->n_intervals++;
	ret = stat_output_put(&r->out);
	return ret ? ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL, _("cannot write: %s"),
				    strerror(-ret)) :
		     0;
}

/* ---- one run ---- */

/* Whether any of the tasks of -p and -t is there. */
static bool tasks_live(const struct ptui_record_opts *what)
{
	for (size_t i = 0; i < what->n_pids; i++)
		if (!kill(what->pids[i], 0) || errno == EPERM)
			return true;
	for (size_t i = 0; i < what->n_tids; i++)
		if (!kill(what->tids[i], 0) || errno == EPERM)
			return true;
	return !what->n_pids && !what->n_tids;
}

static bool is_over(struct run *r)
{
	if (r->timed_out || r->stopped ||
	    (r->o->n_intervals && r->n_intervals >= r->o->n_intervals))
		return true;
	if (r->work.pid)
		return workload_ended(&r->work, false);
	return caught || !tasks_live(&r->o->record.opts);
}

static uint64_t next_event(const struct run *r)
{
	uint64_t now = now_ns(), next = now + LOOK_MS * 1000000ull, due;

	if (r->o->interval_ms) {
		due = r->begun_ns + (r->n_intervals + 1) * r->o->interval_ms * 1000000;
		next = due < next ? due : next;
	}
	if (r->o->timeout_ms) {
		due = r->begun_ns + r->o->timeout_ms * 1000000;
		next = due < next ? due : next;
	}
	due = now + (uint64_t)control_wait_ms(&r->control, LOOK_MS) * 1000000;
	next = due < next ? due : next;
	return next > now ? next - now : 0;
}

/*
 * Signals are delivered here only, so that none is missed between a look and the wait. Returns what poll() has for the
 * channel of --control.
 */
static short wait_for(struct run *r, uint64_t ns, const sigset_t *mask)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	struct pollfd fds[] = {
		{ .fd = r->work.pid ? r->work.pid_fd : -1, .events = POLLIN },
		{ .fd = control_fd(&r->control), .events = POLLIN },
	};

	return ppoll(fds, 2, &t, mask) > 0 ? fds[1].revents : 0;
}

/* The terminal has sent Ctrl-C to the command as well; other signals are passed on. */
static void pass_signal(struct run *r, int *passed)
{
	if (!caught || *passed == caught || !r->work.pid)
		return;
	*passed = caught;
	if (caught != SIGINT)
		workload_signal(&r->work, caught);
}

static int watch(struct run *r, const sigset_t *mask, struct ptui_error *err)
{
	int ret = 0, passed = 0;

	while (!ret && !is_over(r)) {
		short revents = wait_for(r, next_event(r), mask);
		uint64_t now;

		pass_signal(r, &passed);
		now = now_ns();
		r->stopped = control_turn(&r->control, revents);
		if (r->o->timeout_ms && now - r->begun_ns >= r->o->timeout_ms * 1000000)
			r->timed_out = true;
		if (!ret && r->o->interval_ms && !r->timed_out &&
		    now - r->begun_ns >= (r->n_intervals + 1) * r->o->interval_ms * 1000000)
			ret = print_interval(r, err);
	}
	if (r->work.pid && (r->timed_out || ret || r->work.running)) {
		workload_signal(&r->work, SIGTERM);
		workload_ended(&r->work, true);
	}
	return ret;
}

/* With --pre and --post. */
static int run_shell(struct run *r, const char *command)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	int status = command ? system(command) : 0;

	if (!status)
		return 0;
	ptui_error_set(&err, PTUI_ERROR_SYSTEM, ECHILD, command, _("'%s' failed"), command);
	cli_failed(r->cli, &err);
	return -ECHILD;
}

static int switch_all(void *ctx, bool on)
{
	struct run *r = ctx;

	return on ? stat_enable(r->stat) : stat_disable(r->stat);
}

static int switch_event(void *ctx, uint32_t event, bool on)
{
	struct run *r = ctx;

	return stat_switch_event(r->stat, event, on);
}

static void begin_control(struct run *r)
{
	const struct control_target target = { kernel_ops_real(), stat_events(r->stat), switch_all,
					       switch_event, r };

	control_begin_target(&r->control, &target);
}

/* What was counted from the start; with -I it is not a round of its own. */
static int read_end(struct run *r, struct ptui_error *err)
{
	int ret;

	if (r->o->interval_ms)
		stat_on_value(r->stat, NULL, NULL);
	ret = stat_read(r->stat, false, &r->usage, err);
	if (!ret && r->writer && !r->o->interval_ms)
		ret = stat_writer_round(r->writer, true, r->usage.passed_ns, err);
	return !ret && r->writer ? stat_writer_finish(r->writer, err) : ret;
}

static int count_once(struct run *r, struct ptui_error *err)
{
	struct stat_usage before, *u = &r->usage;
	sigset_t block, mask;
	int ret = 0;

	workload_init(&r->work);
	r->timed_out = false;
	r->n_intervals = 0;
	if (r->argv)
		ret = workload_fork(&r->work, r->argv, err);
	if (!ret)
		ret = stat_open(r->stat, r->work.pid, err);
	if (!ret && r->writer)
		ret = stat_writer_begin(r->writer, err);
	if (!ret && !control_starts_off(&r->control))
		ret = stat_start(r->stat);
	begin_control(r);
	read_usage(&before);
	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGHUP);
	sigprocmask(SIG_BLOCK, &block, &mask);
	r->begun_ns = r->interval_begun_ns = now_ns();
	if (!ret && r->argv)
		ret = workload_start(&r->work, r->argv[0], err);
	if (!ret)
		ret = watch(r, &mask, err);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	r->child_status = r->argv && !ret ? r->work.status : -1;
	read_usage(u);
	u->passed_ns = now_ns() - r->begun_ns;
	u->user_ns -= before.user_ns;
	u->system_ns -= before.system_ns;
	if (!ret && !r->argv)
		stat_disable(r->stat);
	if (!ret && r->o->interval_ms && now_ns() > r->interval_begun_ns && !r->o->n_intervals)
		ret = print_interval(r, err);
	if (!ret)
		ret = read_end(r, err);
	print_refusals(r);
	if (r->n_done + 1 == r->o->n_runs)
		stat_close_at_exit(r->stat);
	else
		stat_close(r->stat);
	workload_release(&r->work);
	return ret;
}

static int add_run(struct run *r, struct ptui_error *err)
{
	if (vec_grow(&r->each_ns, &r->cap_each, r->n_done + 1))
		return ptui_error_nomem(err);
	r->each_ns[r->n_done++] = (double)r->usage.passed_ns;
	stat_mean_add(&r->passed, (double)r->usage.passed_ns);
	stat_add_run(r->stat);
	return 0;
}

static int count(struct run *r, struct ptui_error *err)
{
	bool forever = r->o->repeat_given && !r->o->n_runs;
	int ret = 0;

	while (!ret && (forever || r->n_done < r->o->n_runs) && !caught && !r->stopped) {
		if (run_shell(r, r->o->pre))
			return -ECHILD;
		if (r->o->sync)
			sync();
		ret = count_once(r, err);
		if (!ret && run_shell(r, r->o->post))
			return -ECHILD;
		if (!ret)
			ret = add_run(r, err);
		if (!ret && forever && !r->o->interval_ms)
			ret = print_result(r);
	}
	if (!ret && !forever && (!r->o->interval_ms || r->o->summary))
		ret = print_result(r);
	if (ret && !ptui_error_is_set(err))
		ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL, _("cannot count: %s"),
			       strerror(-ret));
	return ret;
}

static int open_writer(struct run *r, struct ptui_error *err)
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

static void handle_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaction(numbers[i], &act, NULL);
}

static int run_with(struct cli *cli, struct stat_command *o, char **argv)
{
	struct run r = { .cli = cli,
			 .o = o,
			 .out = STAT_OUTPUT_INIT,
			 .child_status = -1,
			 .argv = argv[0] ? argv : NULL };
	struct stat_opts opts = { .what = &o->record.opts,
				  .aggr = o->aggr,
				  .detail = o->detail,
				  .null_run = o->null_run,
				  .no_scale = !o->scale,
				  .one_group = o->one_group,
				  .each_cgroup = o->each_cgroup };
	struct ptui_error err = PTUI_ERROR_INIT;
	int status = CLI_OK, ret;

	if (stat_options_settle(o, argv, &err) || control_init(&r.control, &o->control, &err)) {
		control_release(&r.control);
		return cli_failed(cli, &err);
	}
	opts.starts_off = control_starts_off(&r.control);
	o->record.opts.argv = r.argv;
	r.stat = stat_new(kernel_ops_real(), &opts, &err);
	if (!r.stat) {
		control_release(&r.control);
		return cli_failed(cli, &err);
	}
	ret = stat_output_open(&r.out, o, &err);
	handle_signals();
	if (!ret && o->records)
		ret = open_writer(&r, &err);
	if (!ret)
		ret = count(&r, &err);
	if (ret == -ECHILD && !ptui_error_is_set(&err))
		status = CLI_FAILED; /* said already */
	else if (ret)
		status = cli_failed(cli, &err);
	else if (!r.timed_out && !r.stopped)
		status = cli_exit_like(cli, caught, r.child_status);
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
	record_options_release(&o.record);
	return status;
}

static const char *const stat_usage[] = {
	N_("[OPTION...] [--] COMMAND [ARGUMENT...]"),
	N_("[OPTION...] -a | -p PID | -t TID | -u USER | -C CPUS"),
	N_("[OPTION...] record [OPTION...] [--] [COMMAND [ARGUMENT...]]"),
	N_("[OPTION...] report [-i FILE] [-A | --per-core | --per-node]"), NULL
};

static const struct cli_example stat_examples[] = {
	{ "ptui stat -- make", N_("Count what a build costs.") },
	{ "ptui stat -r 5 -e task-clock,page-faults ./program",
	  N_("Run a program five times, and show means and their errors.") },
	{ "ptui stat -a -A -I 1000", N_("Print the counts of each CPU every second.") },
	{ "ptui stat -e 'sched:*' -p 1234 -- sleep 10",
	  N_("Count the scheduler's events of a process.") },
	{ "ptui stat record -a -I 1000 -- make",
	  N_("Keep the counts of each second in perf.data.") },
	{ "ptui stat report --per-core", N_("Print them by core.") },
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
