/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of `ptui stat`. */
#include "cli/stat/stat_run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "cli/out.h"
#include "record/target/target.h"
#include "record/target/tasks.h"

#define LOOK_MS 100 /* how often the processes of -p are looked for */

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

static void format_of(const struct stat_run *r, struct stat_format *f)
{
	*f = (struct stat_format){
		.separator = r->o->separator,
		.json = r->o->json,
		.group_digits = r->o->group_digits,
		.summary = r->o->interval_ms && !r->o->no_csv_summary,
		.metric_only = r->o->metric_only,
		.n_runs = r->o->interval_ms ? 1 : (unsigned)r->o->n_runs,
		.passed_ns = r->o->n_runs > 1 ? r->result.passed.mean :
						(double)r->result.usage.passed_ns,
	};
}

static int print_result(struct stat_run *r)
{
	struct stat_format f;

	format_of(r, &f);
	if (stat_is_text(r->o))
		stat_add_title(r->stat, &r->result, &r->out.text);
	stat_print_heading(r->stat, &f, &r->out.text);
	stat_print(r->stat, &f, &r->out.text);
	if (stat_is_text(r->o))
		stat_add_end(r->stat, &r->result, &r->out.text);
	return stat_output_put(&r->out);
}

/* With -v: why events are not supported. */
static void print_refusals(struct stat_run *r)
{
	for (size_t i = 0; r->o->verbose && i < stat_n_events(r->stat); i++) {
		const struct stat_event *e = stat_event(r->stat, i);

		if (!e->supported && ptui_error_is_set(&e->why))
			cli_warn(r->cli, "%s: %s", e->event->name, e->why.text);
	}
}

static void note_counts(struct stat_run *r)
{
	for (size_t i = 0; i < stat_n_events(r->stat) && !r->counted; i++) {
		const struct stat_event *e = stat_event(r->stat, i);

		for (size_t c = 0; c < e->n_cells; c++)
			r->counted |= e->cells[c].value > 0;
	}
}

static void warn_of_children(const struct stat_run *r)
{
	struct buf children = BUF_INIT;
	pid_t pid = r->o->record.opts.n_pids ? r->o->record.opts.pids[0] : 0;
	bool supported = false;

	for (size_t i = 0; i < stat_n_events(r->stat); i++)
		supported |= stat_event(r->stat, i)->supported;
	if (pid && supported && !r->counted)
		tasks_children(&roots_system, pid, &children);
	if (children.len)
		cli_warn(
			r->cli,
			_("nothing was counted of process %d; its children must be selected as well: -p %s"),
			(int)pid, buf_str(&children));
	buf_release(&children);
}

/* ---- intervals ---- */

static int print_interval(struct stat_run *r, struct ptui_error *err)
{
	uint64_t now = now_ns();
	struct stat_usage usage = { .passed_ns = now - r->interval_begun_ns };
	struct stat_format f;
	int ret = stat_read(r->stat, true, &usage, err);

	note_counts(r);
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
	if (r->n_intervals == 0 ||
	    (stat_is_text(r->o) &&
	     (r->n_intervals % STAT_HEADING_EVERY == 0 || (r->o->clear && r->out.to_terminal))))
		stat_print_heading(r->stat, &f, &r->out.text);
	stat_print(r->stat, &f, &r->out.text);
	r->interval_begun_ns = now;
	r->n_intervals++;
	ret = stat_output_put(&r->out);
	return ret ? ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL, _("cannot write: %s"),
				    strerror(-ret)) :
		     0;
}

/* ---- one run ---- */

static bool has_intervals_left(const struct stat_run *r)
{
	return r->o->interval_ms && !r->delayed &&
	       (!r->o->n_intervals || r->n_intervals < r->o->n_intervals);
}

/* As in perf, a command runs to its end, however many intervals are printed. */
static bool is_over(struct stat_run *r)
{
	if (r->timed_out || r->stopped)
		return true;
	if (r->work.pid)
		return workload_ended(&r->work, false);
	if (r->o->interval_ms && !r->delayed && !has_intervals_left(r))
		return true;
	return caught || !target_tasks_live(&r->o->record.opts);
}

static uint64_t next_event(const struct stat_run *r)
{
	uint64_t now = now_ns(), next = now + LOOK_MS * 1000000ull, due;

	if (has_intervals_left(r)) {
		due = r->begun_ns + (r->n_intervals + 1) * r->o->interval_ms * 1000000;
		next = due < next ? due : next;
	}
	if (r->o->timeout_ms && !r->delayed) {
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
static short wait_for(struct stat_run *r, uint64_t ns, const sigset_t *mask)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	struct pollfd fds[] = {
		{ .fd = r->work.pid ? r->work.pid_fd : -1, .events = POLLIN },
		{ .fd = control_fd(&r->control), .events = POLLIN },
	};

	return ppoll(fds, 2, &t, mask) > 0 ? fds[1].revents : 0;
}

/* The terminal has sent Ctrl-C to the command as well; other signals are passed on. */
static void pass_signal(struct stat_run *r, int *passed)
{
	if (!caught || *passed == caught || !r->work.pid)
		return;
	*passed = caught;
	if (caught != SIGINT)
		workload_signal(&r->work, caught);
}

static int watch(struct stat_run *r, const sigset_t *mask, struct ptui_error *err)
{
	int ret = 0, passed = 0;

	while (!ret && !is_over(r)) {
		short revents = wait_for(r, next_event(r), mask);
		uint64_t now;

		pass_signal(r, &passed);
		r->stopped = control_turn(&r->control, revents);
		now = now_ns();
		if (r->o->timeout_ms && !r->delayed &&
		    now - r->begun_ns >= r->o->timeout_ms * 1000000)
			r->timed_out = true;
		if (!ret && has_intervals_left(r) && !r->timed_out &&
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
static int run_shell(struct stat_run *r, const char *command)
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
	struct stat_run *r = ctx;

	if (on && r->delayed) {
		r->delayed = false;
		r->begun_ns = r->interval_begun_ns = now_ns();
	}
	return on ? stat_enable(r->stat) : stat_disable(r->stat);
}

static int switch_event(void *ctx, uint32_t event, bool on)
{
	struct stat_run *r = ctx;

	return stat_switch_event(r->stat, event, on);
}

static void begin_control(struct stat_run *r)
{
	const struct control_target target = { kernel_ops_real(), stat_events(r->stat), switch_all,
					       switch_event, r };

	control_begin_target(&r->control, &target);
}

/* What was counted from the start; with -I it is not a round of its own. */
static int read_end(struct stat_run *r, struct ptui_error *err)
{
	int ret;

	if (r->o->interval_ms)
		stat_on_value(r->stat, NULL, NULL);
	ret = stat_read(r->stat, false, &r->result.usage, err);
	note_counts(r);
	if (!ret && r->writer && !r->o->interval_ms)
		ret = stat_writer_round(r->writer, true, r->result.usage.passed_ns, err);
	return !ret && r->writer ? stat_writer_finish(r->writer, err) : ret;
}

static int count_once(struct stat_run *r, struct ptui_error *err)
{
	struct stat_usage before, *u = &r->result.usage;
	sigset_t block, mask;
	int ret = 0;

	workload_init(&r->work);
	r->timed_out = false;
	r->delayed = control_starts_late(&r->control);
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
	r->delayed = false;
	u->user_ns -= before.user_ns;
	u->system_ns -= before.system_ns;
	if (!ret && !r->argv)
		stat_disable(r->stat);
	if (!ret && has_intervals_left(r) && now_ns() > r->interval_begun_ns)
		ret = print_interval(r, err);
	if (!ret)
		ret = read_end(r, err);
	print_refusals(r);
	if (r->result.n_done + 1 == r->o->n_runs)
		stat_close_at_exit(r->stat);
	else
		stat_close(r->stat);
	workload_release(&r->work);
	return ret;
}

static int add_run(struct stat_run *r, struct ptui_error *err)
{
	if (vec_grow(&r->each_ns, &r->cap_each, r->result.n_done + 1))
		return ptui_error_nomem(err);
	r->result.each_ns = r->each_ns;
	r->each_ns[r->result.n_done++] = (double)r->result.usage.passed_ns;
	stat_mean_add(&r->result.passed, (double)r->result.usage.passed_ns);
	stat_add_run(r->stat);
	return 0;
}

int stat_run(struct stat_run *r, struct ptui_error *err)
{
	bool forever = r->o->repeat_given && !r->o->n_runs;
	int ret = 0;

	if (r->argv && stat_is_of_command(r->stat))
		workload_warn_of_rights(r->argv[0]);
	while (!ret && (forever || r->result.n_done < r->o->n_runs) && !caught && !r->stopped) {
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
	if (!ret)
		warn_of_children(r);
	if (ret && !ptui_error_is_set(err))
		ptui_error_set(err, PTUI_ERROR_SYSTEM, -ret, NULL, _("cannot count: %s"),
			       strerror(-ret));
	return ret;
}

void stat_run_handle_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaction(numbers[i], &act, NULL);
}

int stat_run_signal(void)
{
	return caught;
}
