/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting a target until its end: a struct stat and its workload, read by a thread in intervals. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/buf.h"
#include "base/clock.h"
#include "base/thread.h"
#include "base/wake.h"
#include "kernel/ops.h"
#include "probe/temporary.h"
#include "ptui/count.h"
#include "record/target/target.h"
#include "record/target/workload.h"
#include "session/count/count_target.h"
#include "stat/stat.h"
#include "stat/stat_text.h"
#include "symbol/address_filter.h"

#define DEFAULT_INTERVAL_MS 1000
#define LOOK_MS		    100 /* how often processes are looked for */

struct ptui_count_run {
	struct count_target target; /* the copy of the options that `stat` refers to */
	struct stat *stat;
	struct workload work;
	uint64_t interval_ns, timeout_ns, begun_ns;
	struct stat_usage before; /* of earlier children */
	bool no_group_digits;

	int wake_fd;	  /* to the front end */
	int stop_fd;	  /* to the thread */
	atomic_uint stop; /* number of requests */
	atomic_bool pause;
	pthread_t thread;
	bool started;

	/* of the thread */
	uint64_t read_ns;
	bool disabled;
	unsigned n_signals;

	pthread_mutex_t lock; /* of what follows */
	struct ptui_count_run_state state;
	struct ptui_count_total *totals;
	struct ptui_error err;
	struct buf text;
};

/* ---- facts ---- */

static void read_usage(struct stat_usage *ret)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	ret->user_ns = (uint64_t)u.ru_utime.tv_sec * 1000000000 +
		       (uint64_t)u.ru_utime.tv_usec * 1000;
	ret->system_ns = (uint64_t)u.ru_stime.tv_sec * 1000000000 +
			 (uint64_t)u.ru_stime.tv_usec * 1000;
}

static void usage_now(struct ptui_count_run *r, uint64_t passed_ns, struct stat_usage *ret)
{
	read_usage(ret);
	ret->user_ns -= r->before.user_ns;
	ret->system_ns -= r->before.system_ns;
	ret->passed_ns = passed_ns;
}

static void take_sum(const struct stat_event *e, uint64_t passed_ns, struct ptui_count_sum *ret)
{
	uint64_t enabled = 0, running = 0;

	*ret = (struct ptui_count_sum){ .share = 1, .rate = NAN };
	for (size_t i = 0; i < e->n_cells; i++) {
		ret->value += e->cells[i].value;
		enabled += e->cells[i].enabled_ns;
		running += e->cells[i].running_ns;
	}
	ret->counted = running;
	if (enabled)
		ret->share = running >= enabled ? 1 : (double)running / (double)enabled;
	if (passed_ns && (running || !enabled))
		ret->rate = ret->value * 1e9 / (double)passed_ns;
}

/* "2.00 insn per cycle" */
static void take_ratio(struct stat *s, const struct stat_event *e, uint64_t passed_ns, char *ret,
		       size_t size)
{
	struct stat_metric m[STAT_METRICS_MAX];
	size_t n = e->n_cells && e->cells[0].running_ns ?
			   stat_metrics(s, e, &e->cells[0], (double)passed_ns, m) :
			   0,
	       len = 0;

	*ret = '\0';
	for (size_t i = 0; i < n && len < size; i++)
		len += (size_t)snprintf(
			ret + len, size - len, "%s%.*f%s %s", i ? ", " : "", m[i].decimals,
			m[i].value, m[i].percent[0] == ' ' && !m[i].percent[1] ? "" : m[i].percent,
			m[i].unit);
}

static void publish(struct ptui_count_run *r)
{
	pthread_mutex_lock(&r->lock);
	r->state.n_intervals++;
	pthread_mutex_unlock(&r->lock);
	wake_set(r->wake_fd);
}

/* ---- readings ---- */

static int read_interval(struct ptui_count_run *r, struct ptui_error *err)
{
	uint64_t now = clock_monotonic_ns(), passed = now - r->read_ns;
	struct stat_usage usage;
	int ret;

	usage_now(r, passed, &usage);
	ret = stat_read(r->stat, true, &usage, err);
	r->read_ns = now;
	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; i < stat_n_events(r->stat) && !ret; i++)
		take_sum(stat_event(r->stat, i), passed, &r->totals[i].interval);
	pthread_mutex_unlock(&r->lock);
	return ret;
}

static int read_total(struct ptui_count_run *r, uint64_t passed, struct stat_usage *usage,
		      struct ptui_error *err)
{
	int ret;

	usage_now(r, passed, usage);
	ret = stat_read(r->stat, false, usage, err);
	pthread_mutex_lock(&r->lock);
	r->state.elapsed_ns = passed;
	for (size_t i = 0; i < stat_n_events(r->stat) && !ret; i++) {
		const struct stat_event *e = stat_event(r->stat, i);
		struct ptui_count_total *t = &r->totals[i];

		take_sum(e, passed, &t->total);
		take_ratio(r->stat, e, passed, t->ratio, sizeof(t->ratio));
		t->state = !e->supported    ? PTUI_TOTAL_NOT_SUPPORTED :
			   t->total.counted ? PTUI_TOTAL_COUNTED :
					      PTUI_TOTAL_NOT_COUNTED;
		snprintf(t->why, sizeof(t->why), "%s", e->supported ? "" : e->why.text);
	}
	pthread_mutex_unlock(&r->lock);
	return ret;
}

static int read_both(struct ptui_count_run *r, struct ptui_error *err)
{
	struct stat_usage usage;
	int ret = read_interval(r, err);

	if (!ret)
		ret = read_total(r, r->read_ns - r->begun_ns, &usage, err);
	publish(r);
	return ret;
}

/* ---- the thread ---- */

static bool is_over(struct ptui_count_run *r)
{
	if (r->timeout_ns && clock_monotonic_ns() - r->begun_ns >= r->timeout_ns)
		return true;
	if (r->work.pid)
		return workload_ended(&r->work, false);
	return atomic_load(&r->stop) || !target_tasks_live(&r->target.what);
}

static void pass_stop(struct ptui_count_run *r)
{
	unsigned n = atomic_load(&r->stop);

	if (!r->work.pid || n == r->n_signals)
		return;
	workload_signal(&r->work, n > 1 ? SIGKILL : SIGTERM);
	r->n_signals = n;
}

static void follow_pause(struct ptui_count_run *r)
{
	bool pause = atomic_load(&r->pause);

	if (pause == r->disabled)
		return;
	if (pause)
		stat_disable(r->stat);
	else
		stat_enable(r->stat);
	r->disabled = pause;
	pthread_mutex_lock(&r->lock);
	r->state.paused = pause;
	pthread_mutex_unlock(&r->lock);
	wake_set(r->wake_fd);
}

static void wait_for_news(struct ptui_count_run *r)
{
	uint64_t now = clock_monotonic_ns(), due = r->read_ns + r->interval_ns,
		 end = r->timeout_ns ? r->begun_ns + r->timeout_ns : UINT64_MAX;
	struct pollfd fds[] = {
		{ .fd = r->stop_fd, .events = POLLIN },
		{ .fd = r->work.pid ? r->work.pid_fd : -1, .events = POLLIN },
	};
	int ms;

	due = end < due ? end : due;
	ms = due > now ? (int)((due - now) / 1000000) + 1 : 0;
	/* without a pidfd, and for processes that are no children, it is looked for */
	if ((!r->work.pid || r->work.pid_fd < 0) && ms > LOOK_MS)
		ms = LOOK_MS;
	poll(fds, 2, ms);
	wake_clear(r->stop_fd);
}

static int count_until_end(struct ptui_count_run *r, struct ptui_error *err)
{
	int ret = read_both(r, err);

	while (!ret && !is_over(r)) {
		wait_for_news(r);
		pass_stop(r);
		follow_pause(r);
		if (clock_monotonic_ns() >= r->read_ns + r->interval_ns)
			ret = read_both(r, err);
	}
	return ret;
}

/* After --timeout or an error. One that ignores SIGTERM is killed by the next request to stop. */
static void end_workload(struct ptui_count_run *r)
{
	if (!r->work.pid || workload_ended(&r->work, false))
		return;
	workload_signal(&r->work, SIGTERM);
	while (!workload_ended(&r->work, false)) {
		struct pollfd fds[] = {
			{ .fd = r->stop_fd, .events = POLLIN },
			{ .fd = r->work.pid_fd, .events = POLLIN },
		};

		poll(fds, 2, LOOK_MS);
		wake_clear(r->stop_fd);
		if (atomic_load(&r->stop))
			workload_signal(&r->work, SIGKILL);
	}
}

static void make_text(struct ptui_count_run *r, const struct stat_usage *usage)
{
	struct stat_result result = { .n_runs = 1, .n_done = 1, .usage = *usage };
	struct stat_format f = { .group_digits = !r->no_group_digits,
				 .n_runs = 1,
				 .passed_ns = (double)usage->passed_ns };

	stat_mean_add(&result.passed, (double)usage->passed_ns);
	stat_add_title(r->stat, &result, &r->text);
	stat_print(r->stat, &f, &r->text);
	stat_add_end(r->stat, &result, &r->text);
}

static void *run_main(void *arg)
{
	struct ptui_count_run *r = arg;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct stat_usage usage = { 0 };
	int ret = count_until_end(r, &err), ret_end;
	uint64_t passed = clock_monotonic_ns() - r->begun_ns;

	end_workload(r);
	if (!r->work.pid)
		stat_disable(r->stat);
	if (!ret)
		ret = read_interval(r, &err);
	ret_end = ret ? ret : read_total(r, passed, &usage, &err);
	pthread_mutex_lock(&r->lock);
	if (!ret_end)
		make_text(r, &usage);
	r->state.ended = true;
	r->state.stopped = atomic_load(&r->stop) || (r->timeout_ns && passed >= r->timeout_ns);
	r->state.error = ret_end;
	r->state.child_status = r->work.pid ? r->work.status : -1;
	r->state.user_ns = usage.user_ns;
	r->state.system_ns = usage.system_ns;
	r->err = err;
	pthread_mutex_unlock(&r->lock);
	publish(r);
	return NULL;
}

/* ---- the front end's side ---- */

static void run_release(struct ptui_count_run *r)
{
	workload_release(&r->work);
	stat_free(r->stat);
	count_target_release(&r->target);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	if (r->stop_fd >= 0)
		close(r->stop_fd);
	buf_release(&r->text);
	pthread_mutex_destroy(&r->lock);
	free(r->totals);
	free(r);
}

static int run_init(struct ptui_count_run *r, const struct ptui_count_run_opts *o,
		    const struct kernel_ops *ops, struct ptui_error *err)
{
	struct stat_opts opts = { .what = &r->target.what,
				  .detail = o->detail,
				  .no_scale = o->no_scale,
				  .each_cgroup = o->each_cgroup,
				  .per_cgroup = o->per_cgroup,
				  .resolve_filter = address_filter_resolve,
				  .add_probe = probe_temporary_add,
				  .metrics = o->metrics,
				  .n_metrics = o->n_metrics,
				  .metric_no_group = o->metric_no_group,
				  .metric_no_merge = o->metric_no_merge };

	r->wake_fd = wake_open(err);
	r->stop_fd = r->wake_fd < 0 ? -1 : wake_open(err);
	if (r->stop_fd < 0)
		return -EMFILE;
	if (count_target_copy(&r->target, o->what))
		return ptui_error_nomem(err);
	r->stat = stat_new(ops, &opts, err);
	count_target_forget_events(&r->target);
	if (!r->stat)
		return -EINVAL;
	r->totals = calloc(stat_n_events(r->stat) + 1, sizeof(*r->totals));
	if (!r->totals)
		return ptui_error_nomem(err);
	for (size_t i = 0; i < stat_n_events(r->stat); i++) {
		const struct stat_event *e = stat_event(r->stat, i);
		struct ptui_count_total *t = &r->totals[i];

		snprintf(t->name, sizeof(t->name), "%s", e->event->name);
		snprintf(t->cgroup, sizeof(t->cgroup), "%s",
			 e->event->cgroup ? e->event->cgroup : "");
		snprintf(t->unit, sizeof(t->unit), "%s", e->unit);
		t->decimals = floor(e->scale) != e->scale;
		t->interval.share = t->total.share = 1;
		t->interval.rate = t->total.rate = NAN;
	}
	return 0;
}

struct ptui_count_run *ptui_count_run_new(const struct ptui_count_run_opts *opts,
					  struct ptui_error *err)
{
	return count_run_new(opts, kernel_ops_real(), err);
}

struct ptui_count_run *count_run_new(const struct ptui_count_run_opts *opts,
				     const struct kernel_ops *ops, struct ptui_error *err)
{
	struct ptui_count_run *r = calloc(1, sizeof(*r));

	if (!r) {
		ptui_error_nomem(err);
		return NULL;
	}
	pthread_mutex_init(&r->lock, NULL);
	workload_init(&r->work);
	buf_init(&r->text);
	r->err = (struct ptui_error)PTUI_ERROR_INIT;
	r->state.child_status = -1;
	r->interval_ns = (uint64_t)(opts->interval_ms ? opts->interval_ms : DEFAULT_INTERVAL_MS) *
			 1000000;
	r->timeout_ns = (uint64_t)opts->timeout_ms * 1000000;
	r->no_group_digits = opts->no_group_digits;
	r->work.own_terminal = true;
	r->work.rows = opts->rows;
	r->work.cols = opts->cols;
	if (!run_init(r, opts, ops, err))
		return r;
	run_release(r);
	return NULL;
}

int ptui_count_run_start(struct ptui_count_run *r, struct ptui_error *err)
{
	char *const *argv = r->target.what.argv;
	int ret = argv ? workload_fork(&r->work, argv, err) : 0;

	if (!ret)
		ret = stat_open(r->stat, r->work.pid, err);
	if (!ret)
		ret = stat_start(r->stat);
	if (!ret)
		read_usage(&r->before);
	if (!ret && argv && stat_is_of_command(r->stat))
		workload_warn_of_rights(argv[0]);
	r->begun_ns = r->read_ns = clock_monotonic_ns();
	if (!ret && argv)
		ret = workload_start(&r->work, argv[0], err);
	if (!ret)
		ret = thread_start(&r->thread, run_main, r);
	if (ret && !ptui_error_is_set(err))
		ptui_error_errno(err, -ret, "thread", "%s", strerror(-ret));
	r->started = !ret;
	return ret;
}

void ptui_count_run_stop(struct ptui_count_run *r)
{
	atomic_fetch_add(&r->stop, 1);
	wake_set(r->stop_fd);
}

void ptui_count_run_pause(struct ptui_count_run *r, bool pause)
{
	atomic_store(&r->pause, pause);
	wake_set(r->stop_fd);
}

void ptui_count_run_free(struct ptui_count_run *r)
{
	if (!r)
		return;
	if (r->started) {
		/* a workload that ignores SIGTERM is killed */
		ptui_count_run_stop(r);
		ptui_count_run_stop(r);
		pthread_join(r->thread, NULL);
	}
	run_release(r);
}

int ptui_count_run_wake_fd(const struct ptui_count_run *r)
{
	return r->wake_fd;
}

void ptui_count_run_ack(struct ptui_count_run *r)
{
	wake_clear(r->wake_fd);
}

static struct ptui_count_run *lock_run(const struct ptui_count_run *r)
{
	struct ptui_count_run *mine = (struct ptui_count_run *)r;

	pthread_mutex_lock(&mine->lock);
	return mine;
}

void ptui_count_run_get_state(const struct ptui_count_run *r, struct ptui_count_run_state *ret)
{
	struct ptui_count_run *mine = lock_run(r);

	*ret = mine->state;
	/* the clock goes on between readings */
	if (mine->started && !ret->ended)
		ret->elapsed_ns = clock_monotonic_ns() - mine->begun_ns;
	pthread_mutex_unlock(&mine->lock);
}

void ptui_count_run_error(const struct ptui_count_run *r, struct ptui_error *ret)
{
	struct ptui_count_run *mine = lock_run(r);

	*ret = mine->err;
	pthread_mutex_unlock(&mine->lock);
}

size_t ptui_count_run_n_events(const struct ptui_count_run *r)
{
	return stat_n_events(r->stat);
}

bool ptui_count_run_get(const struct ptui_count_run *r, size_t i, struct ptui_count_total *ret)
{
	struct ptui_count_run *mine = lock_run(r);
	bool found = i < stat_n_events(mine->stat);

	if (found)
		*ret = mine->totals[i];
	pthread_mutex_unlock(&mine->lock);
	return found;
}

int ptui_count_run_command_fd(const struct ptui_count_run *r)
{
	return r->work.terminal_fd;
}

void ptui_count_run_set_size(struct ptui_count_run *r, unsigned short rows, unsigned short cols)
{
	workload_set_size(&r->work, rows, cols);
}

const char *ptui_count_run_text(const struct ptui_count_run *r)
{
	struct ptui_count_run *mine = lock_run(r);
	const char *text = mine->state.ended && !mine->state.error && !mine->text.err ?
				   buf_str(&mine->text) :
				   NULL;

	pthread_mutex_unlock(&mine->lock);
	return text;
}
