/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/thread.h"
#include "base/wake.h"
#include "kernel/self_counter.h"
#include "ptui/log.h"
#include "record/recorder.h"

#define UNWIND_WAIT_MS 100
#define SYNC_NS	       1000000000ULL
/* until a terminal is hung up for a command that ignores SIGTERM */
#define PATIENCE_NS   1000000000ULL
#define BLIND_WAIT_MS 50 /* for a command's exit without pidfd */

/* The entries for poll(): one per ring, then these. */
struct wait_set {
	struct pollfd *fds;
	size_t n_rings;
	struct pollfd *stop, *child, *control, *snapshot, *phase, *unwound;
	bool starts;		 /* starting up: poll the rings only */
	struct pollfd *triggers; /* an array, see triggers_n_fds() */
	size_t n;
};

#define N_OTHERS 6

int recorder_init(struct recorder *r, struct ptui_error *err)
{
	memset(r, 0, sizeof(*r));
	r->child_status = -1;
	pthread_mutex_init(&r->switch_lock, NULL);
	sem_init(&r->gate, 0, 0);
	sem_init(&r->base_written, 0, 0);
	r->stop_fd = wake_open(err);
	if (r->stop_fd < 0)
		return r->stop_fd;
	r->phase_fd = wake_open(err);
	if (r->phase_fd < 0)
		return r->phase_fd;
	return snapshots_init(&r->snapshots, err);
}

void recorder_release(struct recorder *r)
{
	if (r->joinable) {
		recorder_stop(r);
		recorder_join(r, NULL);
	}
	if (r->stop_fd >= 0)
		close(r->stop_fd);
	if (r->phase_fd >= 0)
		close(r->phase_fd);
	r->stop_fd = r->phase_fd = -1;
	pump_release(&r->pump);
	snapshots_release(&r->snapshots);
	sem_destroy(&r->gate);
	sem_destroy(&r->base_written);
	pthread_mutex_destroy(&r->switch_lock);
}

void recorder_stop(struct recorder *r)
{
	wake_set(r->stop_fd);
}

/* ---- waiting ---- */

static int wait_set_init(struct wait_set *w, struct recorder *r)
{
	w->n_rings = r->counters->n_rings;
	w->n = w->n_rings + N_OTHERS + triggers_n_fds(r->triggers);
	w->fds = calloc(w->n, sizeof(*w->fds));
	if (!w->fds)
		return -ENOMEM;
	w->stop = w->fds + w->n_rings;
	w->child = w->stop + 1;
	w->control = w->child + 1;
	w->snapshot = w->control + 1;
	w->phase = w->snapshot + 1;
	w->unwound = w->phase + 1;
	w->triggers = w->unwound + 1;
	return 0;
}

static bool is_starting(const struct recorder *r)
{
	return r->phase == RECORDER_PREPARES || r->phase == RECORDER_STARTS;
}

static bool child_lives(const struct recorder *r)
{
	return !is_starting(r) && r->workload->pid && r->workload->running;
}

/* Records the command's exit status if it has exited. */
static bool child_ended(struct recorder *r, bool block)
{
	if (!child_lives(r) || !workload_ended(r->workload, block))
		return false;
	r->child_status = r->workload->status;
	return true;
}

static int timeout_ms(const struct recorder *r, uint64_t synced_ns, uint64_t now_ns)
{
	uint64_t passed = now_ns - synced_ns;
	int ms = passed >= SYNC_NS ? 0 : (int)((SYNC_NS - passed) / 1000000) + 1;

	if (r->phase == RECORDER_ABANDONED)
		return 0;
	if (child_lives(r) && r->workload->pid_fd < 0 && ms > BLIND_WAIT_MS)
		ms = BLIND_WAIT_MS;
	/* the last pass is unwound after the next one, or after one that finds nothing */
	if (r->unwind_queue && unwind_queue_is_busy(r->unwind_queue) && ms > UNWIND_WAIT_MS)
		ms = UNWIND_WAIT_MS;
	if (r->max_wait_ms && ms > r->max_wait_ms)
		ms = r->max_wait_ms;
	ms = triggers_wait_ms(r->triggers, ms);
	ms = snapshots_wait_ms(&r->snapshots, now_ns, ms);
	return r->control && !is_starting(r) ? control_wait_ms(r->control, ms) : ms;
}

static int wait_for_work(struct recorder *r, struct wait_set *w, int ms)
{
	const struct kernel_ops *ops = r->counters->ops;
	int ret;

	w->starts = is_starting(r) || r->sink->waits_for_base;
	counters_fill_poll(r->counters, w->fds);
	*w->stop = (struct pollfd){ .fd = r->stop_fd, .events = POLLIN };
	*w->child = (struct pollfd){ .fd = child_lives(r) ? r->workload->pid_fd : -1,
				     .events = POLLIN };
	*w->control = (struct pollfd){ .fd = r->control ? control_fd(r->control) : -1,
				       .events = POLLIN };
	*w->snapshot = (struct pollfd){ .fd = r->snapshots.fd, .events = POLLIN };
	triggers_fill_poll(r->triggers, w->triggers);
	for (size_t i = 0; i < w->n_rings && record_sink_is_full(r->sink); i++)
		w->fds[i].fd = -1;
	for (struct pollfd *other = w->stop; w->starts && other < w->fds + w->n; other++)
		other->fd = -1;
	*w->unwound = (struct pollfd){ .fd = r->unwind_queue ? r->unwind_queue->fd : -1,
				       .events = POLLIN };
	*w->phase = (struct pollfd){ .fd = w->starts ? r->phase_fd : -1, .events = POLLIN };
	ret = ops->poll(ops->ctx, w->fds, w->n, ms);
	return ret == -EINTR ? 0 : ret;
}

static bool control_stops(struct recorder *r, short revents)
{
	bool stop;

	if (!r->control)
		return false;
	pthread_mutex_lock(&r->switch_lock);
	stop = control_turn(r->control, revents);
	pthread_mutex_unlock(&r->switch_lock);
	return stop;
}

/* True if the recording is over, according to the result of poll(). */
static bool is_over(struct recorder *r, const struct wait_set *w)
{
	bool left = counters_polled(r->counters, w->fds);

	if (w->starts)
		return false;
	if (r->phase == RECORDER_ABANDONED || w->stop->revents ||
	    control_stops(r, w->control->revents))
		return true;
	if (child_ended(r, false)) {
		r->target_gone = true;
		return true;
	}
	/* A command that changed its user keeps running, but without counters: wait for it. */
	if (!left && !(r->workload_is_target && child_lives(r))) {
		r->target_gone = true;
		return true;
	}
	return false;
}

/* All counters have stopped by themselves; a lost sample was an overflow as well. */
static bool has_reached_limit(const struct recorder *r)
{
	uint64_t n = counters_overflows_until_stop(r->counters);

	return n && r->counts.samples + r->counts.lost >= n;
}

/* ---- the end ---- */

/* What the counters report as lost: one LOST_SAMPLES record per event, as in perf. */
static int put_lost_samples(struct recorder *r, struct buf *out)
{
	struct counters *c = r->counters;
	struct buf payload = BUF_INIT;
	struct counter_value value;
	struct data_id id = { .has = DATA_HAS_ID };
	uint64_t lost;
	int ret = 0;

	for (uint32_t event = 0; event < c->events->n && !ret; event++) {
		const struct perf_event_attr *attr = &c->events->v[event].attr;

		if (!(attr->read_format & PTUI_FORMAT_LOST))
			continue;
		lost = 0;
		for (size_t i = 0; i < c->n; i++) {
			if (c->v[i].event != event || counters_read(c, i, &value))
				continue;
			lost += value.lost;
			id.id = c->v[i].id;
		}
		if (!lost)
			continue;
		r->lost_samples += lost;
		if (c->events->v[event].sideband)
			r->lost_sideband += lost;
		buf_clear(&payload);
		buf_add_u64(&payload, lost);
		data_put_id(&payload, attr, &id);
		ret = payload.err ? payload.err :
				    data_put_user(out, PERF_RECORD_LOST_SAMPLES, payload.data,
						  payload.len);
	}
	buf_release(&payload);
	return ret;
}

/*
 * The final counts of counters that were read while recording: one READ record each, as the kernel
 * writes them. From these a reader learns how long an event was not scheduled.
 */
static int put_reads(struct recorder *r, struct buf *out)
{
	const uint64_t times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	struct counters *c = r->counters;
	struct buf payload = BUF_INIT;
	struct counter_value value;
	int ret = 0;

	for (size_t i = 0; i < c->n && !ret; i++) {
		const struct event *ev = &c->events->v[c->v[i].event];
		uint64_t format = ev->attr.read_format;
		struct data_id id = { .has = DATA_HAS_ID | DATA_HAS_TID,
				      .pid = c->v[i].tid,
				      .tid = c->v[i].tid,
				      .id = c->v[i].id };

		if (ev->sideband || (format & times) != times || format & PERF_FORMAT_GROUP ||
		    counters_read(c, i, &value) || !value.enabled_ns)
			continue;
		buf_clear(&payload);
		buf_add_u32(&payload, (uint32_t)id.pid);
		buf_add_u32(&payload, (uint32_t)id.tid);
		buf_add_u64(&payload, value.value);
		buf_add_u64(&payload, value.enabled_ns);
		buf_add_u64(&payload, value.running_ns);
		if (format & PERF_FORMAT_ID)
			buf_add_u64(&payload, id.id);
		if (format & PTUI_FORMAT_LOST)
			buf_add_u64(&payload, value.lost);
		data_put_id(&payload, &ev->attr, &id);
		ret = payload.err ? payload.err :
				    data_put_user(out, PERF_RECORD_READ, payload.data, payload.len);
	}
	buf_release(&payload);
	return ret;
}

static int put_final_counts(struct recorder *r, struct ptui_error *err)
{
	struct buf out = BUF_INIT;
	struct iovec iov;
	int ret = put_lost_samples(r, &out);

	if (!ret && r->reads)
		ret = put_reads(r, &out);
	if (ret)
		ptui_error_nomem(err);
	iov = (struct iovec){ .iov_base = out.data, .iov_len = out.len };
	if (!ret && out.len)
		ret = record_sink_put(r->sink, &iov, 1, err);
	buf_release(&out);
	return ret;
}

/*
 * Ends a command that still runs, as perf does, and waits for it. If it ignores SIGTERM, a second
 * stop request kills it; if it may not be signalled (it changed its user), it is left running. A
 * terminal of its own is hung up after PATIENCE_NS: interactive shells ignore SIGTERM.
 */
static void end_child(struct recorder *r)
{
	struct pollfd fds[2] = { { .fd = r->workload->pid_fd, .events = POLLIN },
				 { .fd = r->stop_fd, .events = POLLIN } };
	const struct kernel_ops *ops = r->counters->ops;
	bool hang_up = r->workload->terminal_fd >= 0;
	uint64_t began_ns;

	if (!child_lives(r) || child_ended(r, false))
		return;
	wake_clear(r->stop_fd);
	if (workload_signal(r->workload, SIGTERM))
		return;
	/* a stopped process handles no signals */
	workload_signal(r->workload, SIGCONT);
	began_ns = ops->clock_ns(ops->ctx);
	while (child_lives(r) && !child_ended(r, false)) {
		int ms = hang_up || r->workload->pid_fd < 0 ? BLIND_WAIT_MS : -1;

		if (poll(fds, 2, ms) > 0 && fds[1].revents) {
			workload_signal(r->workload, SIGKILL);
			child_ended(r, true);
		} else if (hang_up && ops->clock_ns(ops->ctx) - began_ns >= PATIENCE_NS) {
			workload_signal(r->workload, SIGHUP);
			hang_up = false;
		}
	}
}

static int recorder_drain(struct recorder *r, struct ptui_error *err)
{
	struct kept_samples found;
	int ret;

	r->pump.min_drain_bytes = 0;
	ret = r->aux_on_exit && pump_snapshot_aux(&r->pump, err) < 0 ? -EIO : 0;
	if (!ret)
		ret = pump_pass_all(&r->pump, err);
	/* the last snapshot: kept samples are written however the recording ends */
	if (ret >= 0 && !r->stays_in_memory)
		ret = pump_read_kept(&r->pump, &found, err);
	if (ret > 0 && !r->stays_in_memory)
		ret = pump_write_kept(&r->pump, &found, !r->last_whole, err);
	if (ret >= 0)
		ret = put_final_counts(r, err);
	return ret < 0 ? ret : record_sink_flush(r->sink, err);
}

/* Returns the first error. */
static int recorder_finish(struct recorder *r, int ret, struct ptui_error *err)
{
	const struct kernel_ops *ops = r->counters->ops;
	int later;

	triggers_end(r->triggers);
	pthread_mutex_lock(&r->switch_lock);
	r->switchable = false;
	counters_disable(r->counters);
	pthread_mutex_unlock(&r->switch_lock);
	r->ended_ns = ops->clock_ns(ops->ctx);
	if (!ret)
		ret = recorder_drain(r, err);
	later = r->complete(r->complete_ctx, ret ? NULL : err);
	return ret ? ret : later;
}

int recorder_switch(struct recorder *r, bool on)
{
	int ret = -ESRCH;

	pthread_mutex_lock(&r->switch_lock);
	if (r->switchable)
		ret = on ? counters_enable(r->counters) : counters_disable(r->counters);
	pthread_mutex_unlock(&r->switch_lock);
	return ret;
}

/* Syncs the file afterwards: a snapshot survives a crash. */
static int take_snapshot(struct recorder *r, struct ptui_error *err)
{
	int ret = snapshots_take(&r->snapshots, &r->pump, r->began_ns, err);

	if (ret)
		return ret;
	ret = data_writer_sync(r->sink->writer, err);
	return ret ? ret : 1;
}

/* Writes the records that were kept in memory, once the file has the base records. */
static int recorder_end_base(struct recorder *r, struct ptui_error *err)
{
	const struct kernel_ops *ops = r->counters->ops;
	int ret = 0;

	if (!r->sink->waits_for_base || r->phase == RECORDER_PREPARES)
		return 0;
	/* before reading the phase: a later change makes it readable again */
	wake_clear(r->phase_fd);
	if (r->phase != RECORDER_ABANDONED) {
		pump_hold_sideband(&r->pump);
		if (r->unwind_queue &&
		    unwind_queue_push_sideband(r->unwind_queue, r->sink->early.data,
					       r->sink->early.len))
			ret = ptui_error_nomem(err);
		if (!ret)
			ret = record_sink_end_base(r->sink, err);
		r->counts.bytes = record_sink_bytes(r->sink);
		r->began_ns = r->snapshots.changed_ns = ops->clock_ns(ops->ctx);
	}
	r->sink->waits_for_base = false;
	sem_post(&r->base_written);
	return ret;
}

static int recorder_run(struct recorder *r, struct ptui_error *err)
{
	const struct kernel_ops *ops = r->counters->ops;
	uint64_t synced_ns = ops->clock_ns(ops->ctx), now_ns = synced_ns;
	struct wait_set w;
	int ret;

	if (wait_set_init(&w, r))
		return ptui_error_nomem(err);
	for (;;) {
		ret = recorder_end_base(r, err);
		if (ret < 0)
			break;
		ret = wait_for_work(r, &w, timeout_ms(r, synced_ns, now_ns));
		if (ret < 0) {
			ptui_error_errno(err, -ret, "poll", _("cannot wait for the counters"));
			break;
		}
		if (is_over(r, &w)) {
			ret = 0;
			break;
		}
		if (!w.starts)
			triggers_turn(r->triggers, w.triggers);
		ret = record_sink_is_full(r->sink) ? 0 : pump_pass(&r->pump, err);
		if (ret >= 0 && r->sink->waits_for_base) {
			synced_ns = now_ns = ops->clock_ns(ops->ctx);
			continue;
		}
		if (ret >= 0 && w.snapshot->revents)
			ret = take_snapshot(r, err);
		if (ret > 0 && pump_trim_sideband_log(&r->pump, err))
			ret = -ENOMEM;
		if (ret < 0)
			break;
		if (!w.starts && r->max_bytes && r->counts.bytes >= r->max_bytes) {
			r->size_reached = true;
			ret = 0;
			break;
		}
		if (!w.starts && has_reached_limit(r)) {
			r->limit_reached = true;
			ret = 0;
			break;
		}
		if (r->pump.idle && !w.snapshot->revents && r->idle)
			r->idle(r->watch_ctx);
		r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
		now_ns = ops->clock_ns(ops->ctx);
		snapshots_turn(&r->snapshots, record_sink_passed_bytes(r->sink), now_ns);
		if (now_ns - synced_ns < SYNC_NS)
			continue;
		ret = buildid_reader_flush(r->buildids, r->sink->writer, err);
		if (!ret)
			ret = data_writer_sync(r->sink->writer, err);
		if (ret)
			break;
		synced_ns = now_ns;
	}
	free(w.fds);
	return ret;
}

/* Waits until the start has succeeded (true) or failed. */
static bool await_start(struct recorder *r)
{
	struct pollfd fd = { .fd = r->phase_fd, .events = POLLIN };

	while (is_starting(r)) {
		poll(&fd, 1, -1);
		wake_clear(r->phase_fd);
	}
	return r->phase == RECORDER_STARTED;
}

/* The counter is of the thread that opens it. */
static void cost_begin(struct recorder *r, struct self_counter *c)
{
	c->fd = -1;
	if (r->measures_cost &&
	    self_counter_open(c, r->counters->ops, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK))
		c->fd = -1;
}

static void cost_end(struct recorder *r, struct self_counter *c)
{
	uint64_t ns;

	r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	if (c->fd < 0)
		return;
	if (!self_counter_read(c, &ns))
		r->counted_ns = ns;
	self_counter_close(c);
}

static void *recorder_main(void *arg)
{
	struct recorder *r = arg;
	struct self_counter cost;
	int ret;

	while (sem_wait(&r->gate) && errno == EINTR)
		;
	if (!r->running)
		return NULL; /* released without a start */
	cost_begin(r, &cost);
	ret = recorder_run(r, &r->err);
	if (r->sink->waits_for_base)
		sem_post(&r->base_written); /* it failed: the starting thread must not wait */
	if (!await_start(r)) {
		cost_end(r, &cost);
		r->running = false;
		return NULL;
	}
	ret = recorder_finish(r, ret, &r->err);
	end_child(r);
	cost_end(r, &cost);
	r->result = ret < 0 ? ret : 0;
	r->running = false;
	if (r->ended)
		r->ended(r->watch_ctx, r->result);
	return NULL;
}

static int be_realtime(struct recorder *r, struct ptui_error *err)
{
	struct sched_param param = { .sched_priority = (int)r->realtime_priority };
	int ret = pthread_setschedparam(r->thread, SCHED_FIFO, &param);

	if (!ret)
		return 0;
	ptui_error_errno(err, ret, "-r",
			 _("cannot set realtime priority %d for the recorder thread (-r)"),
			 param.sched_priority);
	if (ret == EPERM)
		ptui_error_hint(err, _("this requires CAP_SYS_NICE, or a sufficient 'ulimit -r'"));
	return -ret;
}

int recorder_spawn(struct recorder *r, struct ptui_error *err)
{
	int ret = thread_start(&r->thread, recorder_main, r);

	if (ret)
		return ptui_error_errno(err, -ret, "thread", _("cannot start the recorder thread"));
	r->joinable = true;
	return r->realtime_priority ? be_realtime(r, err) : 0;
}

int recorder_start(struct recorder *r, struct ptui_error *err)
{
	const struct kernel_ops *ops = r->counters->ops;

	if (pump_init(&r->pump, r->counters, r->sink, &r->counts) ||
	    affinity_init(&r->pump.affinity, r->affinity, &ops->roots))
		return ptui_error_nomem(err);
	if (r->memory_bytes && pump_use_memory(&r->pump, r->memory_bytes))
		return ptui_error_nomem(err);
	r->pump.min_drain_bytes = r->min_drain_bytes;
	r->pump.exact_times = r->exact_times;
	r->pump.aux_snapshot_bytes = r->aux_snapshot_bytes;
	r->pump.aux_sampled = r->aux_sampled;
	r->pump.buildids = r->buildids;
	r->pump.bpf = r->bpf;
	r->pump.unwind_queue = r->unwind_queue;
	r->sink->waits_for_base = true;
	r->began_ns = r->snapshots.changed_ns = ops->clock_ns(ops->ctx);
	r->running = r->switchable = true;
	sem_post(&r->gate);
	return 0;
}

static void recorder_set_phase(struct recorder *r, int phase)
{
	r->phase = phase;
	wake_set(r->phase_fd);
}

void recorder_prepared(struct recorder *r)
{
	recorder_set_phase(r, RECORDER_STARTS);
	while (sem_wait(&r->base_written) && errno == EINTR)
		;
}

void recorder_started(struct recorder *r)
{
	recorder_set_phase(r, RECORDER_STARTED);
}

void recorder_abandon(struct recorder *r)
{
	recorder_set_phase(r, RECORDER_ABANDONED);
	recorder_join(r, NULL);
}

int recorder_join(struct recorder *r, struct ptui_error *err)
{
	if (!r->joinable)
		return 0;
	if (!r->began_ns)
		sem_post(&r->gate); /* spawned but never started */
	pthread_join(r->thread, NULL);
	r->joinable = false;
	if (r->result && err)
		*err = r->err;
	return r->result;
}
