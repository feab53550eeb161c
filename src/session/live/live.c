/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watching a recording: the front end's side. */
#include "session/live/live.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/file.h"
#include "base/i18n.h"
#include "base/wake.h"

#define DEFAULT_SAMPLES	     1000000
#define DEFAULT_PIPE_SAMPLES 16000000 /* no file has those that are dropped */
#define DEFAULT_REFRESH_MS   1000
#define DEFAULT_QUEUE_BYTES  ((uint64_t)8 << 20)
#define MIN_QUEUE_BYTES	     4096
#define MIN_REFRESH_MS	     20
#define PATIENCE_MS	     2000 /* for a command to end, before it is asked again */
#define STOP_AGAIN_MS	     100
#define LBR_THREADS	     1024	 /* whose stacks are stitched */
#define MAX_WAIT_MS	     500	 /* between two passes over the ring buffers */
#define IDLE_NS		     1000000000u /* without samples, before children are looked for */

/* ---- callbacks of the recording ---- */

struct live_event *live_add_event(struct ptui_live *l, const char *name)
{
	struct live_event *events = realloc(l->events, (l->n_events + 1) * sizeof(*events));
	struct live_event *e;

	if (!events)
		return NULL;
	l->events = events;
	e = &events[l->n_events];
	memset(e, 0, sizeof(*e));
	e->name = strdup(name);
	if (!e->name)
		return NULL;
	e->shown.name = e->name;
	l->n_events++;
	return e;
}

static int on_unsupported(void *ctx, const char *name, const char *why)
{
	struct live_event *e = live_add_event(ctx, name);

	if (!e)
		return -ENOMEM;
	e->shown.state = PTUI_LIVE_NOT_SUPPORTED;
	e->shown.profile_event = e->index = PTUI_NONE;
	e->reason = strdup(why);
	e->shown.reason = e->reason;
	return e->reason ? 0 : -ENOMEM;
}

static int on_event(void *ctx, const struct event *ev, const uint64_t *ids, size_t n_ids)
{
	struct ptui_live *l = ctx;
	uint32_t index = l->n_recorded++;
	struct live_event *e;

	if (!ev->sideband) {
		e = live_add_event(l, ev->name);
		if (!e)
			return -ENOMEM;
		e->shown.state = PTUI_LIVE_NOT_COUNTED;
		e->shown.running_share = 1;
		e->shown.profile_event = e->index = index;
		l->info.lacks_payloads = (l->n_events == 1 || l->info.lacks_payloads) &&
					 ev->attr.type == PERF_TYPE_TRACEPOINT;
		e->leader = ev->leader;
	}
	return live_build_event(&l->build, ev, ids, n_ids);
}

static void on_written(void *ctx, const struct iovec *iov, int n)
{
	live_queue_put(&((struct ptui_live *)ctx)->queue, iov, n);
}

static void on_idle(void *ctx)
{
	live_queue_idle(&((struct ptui_live *)ctx)->queue);
}

/* Before the recorder's thread starts: a command may end before ptui_live_start() returns. */
static void on_begins(void *ctx)
{
	((struct ptui_live *)ctx)->began_ns = clock_monotonic_ns();
}

static void on_ended(void *ctx, int result)
{
	struct ptui_live *l = ctx;

	pthread_mutex_lock(&l->lock);
	l->recorder_result = result;
	l->ended_ns = clock_monotonic_ns();
	pthread_mutex_unlock(&l->lock);
	live_queue_end(&l->queue);
}

/* ---- new ---- */

static void set_opts(struct ptui_live *l, const struct ptui_live_opts *opts)
{
	struct ptui_live_opts *o = &l->opts;

	if (opts)
		*o = *opts;
	if (!o->max_samples)
		o->max_samples = DEFAULT_SAMPLES;
	if (!o->refresh_ms)
		o->refresh_ms = DEFAULT_REFRESH_MS;
	if (o->refresh_ms < MIN_REFRESH_MS)
		o->refresh_ms = MIN_REFRESH_MS;
	l->refresh_ms = o->refresh_ms;
	if (!o->queue_bytes)
		o->queue_bytes = DEFAULT_QUEUE_BYTES;
	if (o->queue_bytes < MIN_QUEUE_BYTES)
		o->queue_bytes = MIN_QUEUE_BYTES;
	if (!o->rows)
		o->rows = 24;
	if (!o->cols)
		o->cols = 80;
	l->watch = (struct recording_watch){
		.ctx = l,
		.unsupported = on_unsupported,
		.event = on_event,
		.begins = on_begins,
		.written = on_written,
		.idle = on_idle,
		.ended = on_ended,
		.max_wait_ms = (int)o->refresh_ms / 2,
	};
	if (l->watch.max_wait_ms > MAX_WAIT_MS)
		l->watch.max_wait_ms = MAX_WAIT_MS;
}

/* The number of registers of the LBR, as perf reads it. 0 or -ENOTSUP. */
static int stitch_lbr(struct ptui_live *l, struct ptui_error *err)
{
	static const char *const pmus[] = { "cpu", "cpu_core" };
	long long n = 0;

	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]) && n <= 0; i++)
		(void)file_read_long(&n, "%s/bus/event_source/devices/%s/caps/branches",
				     l->ops->roots.sysfs, pmus[i]);
	if (n <= 0 || n > UINT16_MAX)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOTSUP, "--stitch-lbr",
				      _("--stitch-lbr: the kernel does not say how deep the LBR of "
					"this processor is, or it has none"));
	l->build.builder.user_chains.max_lbr = (unsigned)n;
	l->build.builder.user_chains.max_threads = LBR_THREADS;
	return 0;
}

struct ptui_live *live_new(const struct ptui_record_opts *record, const struct ptui_live_opts *opts,
			   const struct kernel_ops *ops, struct ptui_error *err)
{
	struct ptui_live *l = calloc(1, sizeof(*l));

	if (!l || pthread_mutex_init(&l->lock, NULL)) {
		free(l);
		ptui_error_nomem(err);
		return NULL;
	}
	l->ops = ops;
	set_opts(l, opts);
	l->wake_fd = wake_open(err);
	if (live_queue_init(&l->queue, l->opts.queue_bytes) ||
	    live_build_init(&l->build, &l->opts, &ops->roots)) {
		ptui_error_nomem(err);
		goto fail;
	}
	if (l->wake_fd < 0)
		goto fail;
	if (l->opts.stitch_lbr && stitch_lbr(l, err))
		goto fail;
	l->recording = session_recording_new(record, ops, err);
	if (!l->recording)
		goto fail;
	if (record->buildid != PTUI_BUILDID_NONE)
		l->build.buildids.fn = session_read_build_id;
	recording_set_watch(l->recording, &l->watch);
	if (l->opts.own_terminal)
		recording_set_terminal(l->recording, l->opts.rows, l->opts.cols);
	return l;
fail:
	ptui_live_free(l);
	return NULL;
}

struct ptui_live *ptui_live_new(const struct ptui_record_opts *record,
				const struct ptui_live_opts *opts, struct ptui_error *err)
{
	return live_new(record, opts, kernel_ops_real(), err);
}

/*
 * No recording: the events and counts are in what is read, and live_build gets them once the pipe
 * is open.
 */
struct ptui_live *ptui_live_new_pipe(const char *path, const struct ptui_load_opts *load,
				     const struct ptui_live_opts *opts, struct ptui_error *err)
{
	struct ptui_live *l = calloc(1, sizeof(*l));

	if (!l || pthread_mutex_init(&l->lock, NULL)) {
		free(l);
		ptui_error_nomem(err);
		return NULL;
	}
	l->ops = kernel_ops_real();
	set_opts(l, opts);
	if (!opts || !opts->max_samples)
		l->opts.max_samples = DEFAULT_PIPE_SAMPLES;
	l->wake_fd = wake_open(err);
	buildids_init(&l->build.buildids, &l->ops->roots, NULL, NULL);
	if (load)
		l->pipe.load = *load;
	l->pipe.path = strdup(path);
	if (live_queue_init(&l->queue, MIN_QUEUE_BYTES) || !l->pipe.path)
		ptui_error_nomem(err);
	else if (l->wake_fd >= 0)
		return l;
	ptui_live_free(l);
	return NULL;
}

bool ptui_live_is_pipe(const struct ptui_live *l)
{
	return !l->recording;
}

bool ptui_live_is_over(const struct ptui_live *l)
{
	enum ptui_live_state state = ptui_live_state(l);

	return state == PTUI_LIVE_ENDED || state == PTUI_LIVE_FAILED;
}

/*
 * Reads the command's terminal, since a blocked command could not end. With `kill`, a command that
 * ignores the request to end gets it again.
 */
static void await_end(struct ptui_live *l, bool kill)
{
	uint64_t until_ns = clock_monotonic_ns() + PATIENCE_MS * 1000000ull;
	struct pollfd fds[2] = { { .fd = l->wake_fd, .events = POLLIN },
				 { .fd = ptui_live_command_fd(l), .events = POLLIN } };
	char sink[4096];

	while (!ptui_live_is_over(l)) {
		if (poll(fds, 2, kill ? STOP_AGAIN_MS : -1) < 0)
			continue;
		if (kill && clock_monotonic_ns() >= until_ns)
			ptui_live_stop(l);
		if (fds[0].revents)
			ptui_live_ack(l);
		if (fds[1].revents && read(fds[1].fd, sink, sizeof(sink)) <= 0)
			fds[1].fd = -1;
	}
}

void ptui_live_free(struct ptui_live *l)
{
	if (!l)
		return;
	if (l->joinable) {
		ptui_live_stop(l);
		await_end(l, true);
		ptui_live_join(l, NULL);
	}
	ptui_recording_free(l->recording);
	live_build_release(&l->build);
	live_pipe_release(l);
	live_queue_release(&l->queue);
	ptui_profile_unref(l->profile);
	for (size_t i = 0; i < l->n_events; i++) {
		free(l->events[i].name);
		free(l->events[i].reason);
	}
	free(l->events);
	if (l->wake_fd >= 0)
		close(l->wake_fd);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* ---- from start to join ---- */

void live_set_state(struct ptui_live *l, enum ptui_live_state state)
{
	pthread_mutex_lock(&l->lock);
	l->state = state;
	pthread_mutex_unlock(&l->lock);
	wake_set(l->wake_fd);
}

/* Sorts events that are not recorded behind the others. */
static int order_events(struct ptui_live *l)
{
	struct live_event *sorted = calloc(l->n_events + 1, sizeof(*sorted));
	size_t n = 0;

	if (!sorted)
		return -ENOMEM;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < l->n_events; i++)
			if ((l->events[i].index == PTUI_NONE) == (pass == 1))
				sorted[n++] = l->events[i];
	free(l->events);
	l->events = sorted;
	return 0;
}

static int start_pipe(struct ptui_live *l, struct ptui_error *err)
{
	int ret = live_pipe_open(l, err);

	if (!ret) {
		l->started = true;
		live_set_state(l, PTUI_LIVE_RUNNING);
		ret = live_thread_start(l, err);
	}
	if (ret)
		live_set_state(l, PTUI_LIVE_FAILED);
	return ret;
}

int ptui_live_start(struct ptui_live *l, struct ptui_error *err)
{
	int ret;

	if (!l->recording)
		return start_pipe(l, err);
	ret = ptui_recording_start(l->recording, err);
	if (ret) {
		if (!l->started)
			live_set_state(l, PTUI_LIVE_FAILED);
		return ret;
	}
	live_queue_bound(&l->queue);
	l->started = true;
	if (order_events(l) || live_build_begin(&l->build)) {
		ret = ptui_error_nomem(err);
	} else {
		live_set_state(l, PTUI_LIVE_RUNNING);
		ret = live_thread_start(l, err);
	}
	if (ret) {
		ptui_recording_stop(l->recording);
		ptui_recording_join(l->recording, NULL);
		live_set_state(l, PTUI_LIVE_FAILED);
	}
	return ret;
}

void ptui_live_stop(struct ptui_live *l)
{
	l->pipe.stop = true;
	if (l->recording)
		ptui_recording_stop(l->recording);
}

static int not_for_pipes(struct ptui_error *err)
{
	return ptui_error_set(err, PTUI_ERROR_INPUT, EOPNOTSUPP, NULL,
			      _("not possible here: the recorder is at the other end of a pipe"));
}

static int switch_counters(struct ptui_live *l, bool on, struct ptui_error *err)
{
	enum ptui_live_state from = on ? PTUI_LIVE_PAUSED : PTUI_LIVE_RUNNING;
	enum ptui_live_state to = on ? PTUI_LIVE_RUNNING : PTUI_LIVE_PAUSED;
	enum ptui_live_state state = ptui_live_state(l);
	int ret;

	if (!l->recording)
		return not_for_pipes(err);
	if (state == to)
		return 0;
	ret = state == from ? recording_switch(l->recording, on) : -ESRCH;
	if (ret == -ESRCH)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ESRCH, NULL,
				      _("the recording is not running"));
	if (ret)
		return ptui_error_errno(err, -ret, NULL,
					on ? _("cannot enable the counters") :
					     _("cannot disable the counters"));
	pthread_mutex_lock(&l->lock);
	if (l->state == from) {
		l->state = to;
		if (on)
			l->paused_ns += clock_monotonic_ns() - l->paused_since_ns;
		else
			l->paused_since_ns = clock_monotonic_ns();
	}
	pthread_mutex_unlock(&l->lock);
	wake_set(l->wake_fd);
	return 0;
}

int ptui_live_pause(struct ptui_live *l, struct ptui_error *err)
{
	return switch_counters(l, false, err);
}

int ptui_live_resume(struct ptui_live *l, struct ptui_error *err)
{
	return switch_counters(l, true, err);
}

int ptui_live_snapshot(struct ptui_live *l, struct ptui_error *err)
{
	enum ptui_live_state state = ptui_live_state(l);

	if (!l->recording)
		return not_for_pipes(err);
	if (state != PTUI_LIVE_RUNNING && state != PTUI_LIVE_PAUSED)
		return ptui_error_set(err, PTUI_ERROR_INPUT, ESRCH, NULL,
				      _("the recording is not running"));
	if (!recording_can_snapshot(l->recording))
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, EOPNOTSUPP, NULL,
			_("snapshots are not possible: use --overwrite or -M SIZE to keep the "
			  "last samples"));
	ptui_recording_snapshot(l->recording, PTUI_SNAPSHOT_ASKED);
	return 0;
}

bool ptui_live_has_ring(const struct ptui_live *l)
{
	return l->recording && recording_can_snapshot(l->recording);
}

bool ptui_live_get_snapshot(const struct ptui_live *l, size_t i, struct ptui_snapshot *ret)
{
	return l->recording && ptui_recording_get_snapshot(l->recording, i, ret);
}

int ptui_live_arm(struct ptui_live *l, const char *condition, struct ptui_error *err)
{
	return l->recording ? ptui_recording_arm(l->recording, condition, err) : not_for_pipes(err);
}

void ptui_live_armed(struct ptui_live *l, struct ptui_armed *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (l->recording)
		ptui_recording_get_armed(l->recording, ret);
}

int ptui_live_join(struct ptui_live *l, struct ptui_error *err)
{
	int ret;

	if (!l->joinable)
		return l->recording ? ptui_recording_join(l->recording, err) : 0;
	await_end(l, false);
	pthread_join(l->thread, NULL);
	l->joinable = false;
	if (!l->recording)
		return live_pipe_result(l, err);
	ret = ptui_recording_join(l->recording, err);
	if (!ret && l->build_result)
		ret = ptui_error_nomem(err);
	return ret;
}

uint64_t ptui_live_unsaved(const struct ptui_live *l)
{
	return l->recording ? ptui_recording_unsaved(l->recording) : 0;
}

int ptui_live_save(struct ptui_live *l, const char *path, struct ptui_error *err)
{
	return l->recording ? ptui_recording_save(l->recording, path, err) : not_for_pipes(err);
}

/* ---- state ---- */

enum ptui_live_state ptui_live_state(const struct ptui_live *l)
{
	struct ptui_live *mine = (struct ptui_live *)l;
	enum ptui_live_state state;

	pthread_mutex_lock(&mine->lock);
	state = l->state;
	pthread_mutex_unlock(&mine->lock);
	return state;
}

int ptui_live_wake_fd(const struct ptui_live *l)
{
	return l->wake_fd;
}

void ptui_live_ack(struct ptui_live *l)
{
	wake_clear(l->wake_fd);
}

/* ---- results ---- */

size_t ptui_live_n_events(const struct ptui_live *l)
{
	return l->started ? l->n_events : 0;
}

void ptui_live_event(const struct ptui_live *l, size_t i, struct ptui_live_event *ret)
{
	struct ptui_live *mine = (struct ptui_live *)l;

	memset(ret, 0, sizeof(*ret));
	if (i >= ptui_live_n_events(l))
		return;
	pthread_mutex_lock(&mine->lock);
	*ret = l->events[i].shown;
	pthread_mutex_unlock(&mine->lock);
}

static void get_times(const struct ptui_live *l, struct ptui_live_stats *ret)
{
	uint64_t until_ns = l->ended_ns ? l->ended_ns : clock_monotonic_ns();

	ret->elapsed_ns = until_ns - l->began_ns;
	ret->paused_ns = l->paused_ns;
	if (l->state == PTUI_LIVE_PAUSED)
		ret->paused_ns += until_ns - l->paused_since_ns;
}

void ptui_live_set_refresh(struct ptui_live *l, uint32_t refresh_ms)
{
	l->refresh_ms = refresh_ms < MIN_REFRESH_MS ? MIN_REFRESH_MS : refresh_ms;
}

uint32_t ptui_live_refresh(const struct ptui_live *l)
{
	return l->refresh_ms;
}

void ptui_live_get_stats(const struct ptui_live *l, struct ptui_live_stats *ret)
{
	struct ptui_live *mine = (struct ptui_live *)l;
	struct ptui_record_stats s;
	struct recording_cost cost;

	memset(ret, 0, sizeof(*ret));
	if (!l->started)
		return;
	if (!l->recording) {
		pthread_mutex_lock(&mine->lock);
		*ret = l->pipe_stats;
		get_times(l, ret);
		ret->session_cpu_ns = l->session_cpu_ns;
		ret->cpu_share = l->cpu_share;
		pthread_mutex_unlock(&mine->lock);
		return;
	}
	ptui_recording_get_stats(l->recording, &s);
	recording_cost(l->recording, &cost);
	ret->samples = s.samples;
	ret->forgotten_samples = s.forgotten_samples;
	ret->size_reached = s.size_reached;
	ret->limit_reached = s.limit_reached;
	ret->bytes = s.bytes;
	ret->lost = s.lost;
	ret->lost_samples = s.lost_samples;
	ret->lost_sideband = s.lost_sideband;
	ret->throttled = s.throttled;
	ret->not_unwound = s.not_unwound;
	ret->wakeups = s.wakeups;
	ret->ring_fill = cost.fill_permille / 1000.0;
	ret->ring_fill_max = cost.fill_max_permille / 1000.0;
	ret->recorder_cpu_ns = cost.cpu_ns;
	live_queue_dropped(&mine->queue, &ret->dropped_bytes, &ret->dropped_samples);
	pthread_mutex_lock(&mine->lock);
	get_times(l, ret);
	ret->session_cpu_ns = l->session_cpu_ns;
	ret->cpu_share = l->cpu_share;
	pthread_mutex_unlock(&mine->lock);
	if (!ret->samples && ret->elapsed_ns - ret->paused_ns > IDLE_NS)
		ptui_recording_children(l->recording, ret->children, sizeof(ret->children));
}

struct ptui_profile *ptui_live_profile(const struct ptui_live *l,
				       struct ptui_live_profile_info *ret)
{
	struct ptui_live *mine = (struct ptui_live *)l;
	struct ptui_profile *p;

	pthread_mutex_lock(&mine->lock);
	p = l->profile ? ptui_profile_ref(l->profile) : NULL;
	if (ret)
		*ret = l->info;
	pthread_mutex_unlock(&mine->lock);
	return p;
}

int ptui_live_command_fd(const struct ptui_live *l)
{
	return l->recording ? recording_terminal_fd(l->recording) : -1;
}

int ptui_live_set_size(struct ptui_live *l, unsigned short rows, unsigned short cols)
{
	return l->recording ? recording_set_size(l->recording, rows, cols) : 0;
}

int ptui_live_child_status(const struct ptui_live *l)
{
	return l->recording ? ptui_recording_child_status(l->recording) : -1;
}

const char *ptui_live_output(const struct ptui_live *l)
{
	return l->recording ? ptui_recording_output(l->recording) : NULL;
}
