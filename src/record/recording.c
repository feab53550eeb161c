/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start, in an order that loses nothing:
 *
 *	fork the command, held         with the limits and signals of the caller
 *	open counters and rings        if refused: nothing was created yet
 *	start the recorder thread      from here on the rings are drained, into memory
 *	base records                   /proc is read after the sideband is enabled
 *	begin the output               under a temporary name: base records, then those in memory
 *	enable; exec the command       if exec fails: no file, the command is gone
 *	name the output                an older file is kept; its deletion may be slow
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/header/tracing_data.h"
#include "record/recording_private.h"
#include "record/select.h"
#include "record/target/attach.h"
#include "record/target/tasks.h"

#define STOPPED_WAIT_MS 50 /* between passes that look whether all counters have stopped */

/* ---- options to events ---- */

/* Applies -G to the first `n` of -e. */
static int add_cgroups(struct ptui_recording *r, size_t n, struct ptui_error *err)
{
	const struct options *o = &r->options;
	int ret = 0;

	for (size_t i = 0; i < o->given.n_cgroups && !ret; i++)
		if (o->given.cgroup_after[i] == n)
			ret = cgroups_add(&r->cgroups, &r->ops->roots, o->given.cgroups[i],
					  &r->events, err);
	return ret;
}

static int parse_events(struct ptui_recording *r, struct ptui_error *err)
{
	const struct options *o = &r->options;
	int ret = add_cgroups(r, 0, err);

	if (!o->given.n_events && !ret)
		return catalog_add_default(r->catalog, &r->events) ? ptui_error_nomem(err) : 0;
	for (size_t i = 0; i < o->given.n_events && !ret; i++) {
		size_t from = r->events.n;

		ret = record_select(r->catalog, o->given.events[i], &r->events, err);
		if (!ret)
			ret = record_filter(r->catalog, &r->events, from, o->given.filters[i],
					    o->given.exclude_self[i], err);
		if (!ret)
			ret = add_cgroups(r, i + 1, err);
	}
	return ret;
}

/* Logs options that were adjusted. */
static void log_adjusted_options(const struct options *o)
{
	const char *at = buf_str(&o->target.conflicts);

	for (size_t n; *at; at += n + (at[n] != '\0')) {
		n = strcspn(at, "\n");
		ptui_log(PTUI_LOG_WARN, "record", "%.*s", (int)n, at);
	}
	if (o->ring_rounded)
		ptui_log(PTUI_LOG_WARN, "record", _("-m %s is rounded up to %zu KiB"),
			 o->given.ring_pages, o->ring_bytes / 1024);
}

struct ptui_recording *recording_new(const struct ptui_record_opts *opts,
				     const struct kernel_ops *ops, struct ptui_error *err)
{
	struct ptui_recording *r = calloc(1, sizeof(*r));
	int ret;

	if (!r) {
		ptui_error_nomem(err);
		return NULL;
	}
	r->ops = ops;
	r->buildid_feature.given = &r->options.given;
	r->buildid_feature.roots = &ops->roots;
	event_list_init(&r->events);
	buildids_init(&r->buildids, &ops->roots, NULL, NULL);
	bpf_programs_init(&r->bpf);
	workload_init(&r->workload);
	r->control.fd = r->control.ack_fd = -1;
	ret = triggers_init(&r->triggers, err);
	if (recorder_init(&r->recorder, ret ? NULL : err) || ret)
		goto fail;
	if (options_copy(&r->options, opts)) {
		ptui_error_nomem(err);
		goto fail;
	}
	if (options_settle(&r->options, ops, err) || control_init(&r->control, &opts->control, err))
		goto fail;
	log_adjusted_options(&r->options);
	r->catalog = catalog_new(&ops->roots);
	if (!r->catalog) {
		ptui_error_nomem(err);
		goto fail;
	}
	catalog_allow_bpf(r->catalog, true);
	ret = parse_events(r, err);
	catalog_allow_bpf(r->catalog, false);
	if (ret || recording_add_bpf_outputs(r, err) || recording_add_triggers(r, err))
		goto fail;
	return r;
fail:
	ptui_recording_free(r);
	return NULL;
}

void recording_set_buildid(struct ptui_recording *r, buildid_fn fn, void *ctx)
{
	r->buildids.fn = fn;
	r->buildids.ctx = ctx;
}

void recording_set_buildid_table(struct ptui_recording *r, buildid_feature_fn fn, void *ctx)
{
	r->buildid_feature.table = fn;
	r->buildid_feature.table_ctx = ctx;
}

/* ---- start ---- */

/* Lowers what the kernel does not allow, as perf does. */
static int configure(struct ptui_recording *r, struct ptui_error *err)
{
	int ret = buildid_feature_check(&r->buildid_feature, r->ops, err);

	if (ret)
		return ret;
	ret = options_configure(&r->options, r->ops, &r->events, &r->lowered_hz, err);
	if (!ret)
		record_warn_group_inherit(&r->events, r->options.target.inherit &&
							      !r->options.target.system_wide);
	return ret;
}

/* Reads the formats of the tracepoints for the header, if there are any. */
static int read_formats(struct ptui_recording *r, struct ptui_error *err)
{
	struct tp_ref *tps = calloc(r->events.n + 1, sizeof(*tps));
	const char *tracefs;
	size_t n = 0;
	int ret = 0;

	if (!tps)
		return ptui_error_nomem(err);
	for (size_t i = 0; i < r->events.n; i++)
		if (r->events.v[i].kind == EVENT_TRACEPOINT)
			tps[n++] = (struct tp_ref){ r->events.v[i].tp_system,
						    r->events.v[i].tp_name };
	if (n)
		ret = catalog_tracefs(r->catalog, &tracefs, err);
	if (n && !ret)
		ret = tracing_data_build(tracefs, tps, n, &r->tracing_data, err);
	free(tps);
	return ret;
}

/* ---- start ---- */

/* True if a header is needed: for the output, or for saving what is in memory. */
static bool keeps_header(const struct ptui_recording *r)
{
	return !r->options.given.out.nowhere || r->options.given.out.memory_bytes;
}

/* Gives the parts of the recording what they work with, after everything is open. */
static void recording_connect(struct ptui_recording *r)
{
	r->base = (struct base_records){
		.options = &r->options,
		.counters = &r->counters,
		.ops = r->ops,
		.buildids = &r->buildids,
		.reader = r->buildid_feature.reader,
		.bpf = &r->bpf,
		.catalog = r->catalog,
		.workload = r->workload.pid,
	};
	r->output.base = &r->base;
	r->output.buildids = &r->buildid_feature;
	r->output.tracing_data = &r->tracing_data;
	r->output.watch = r->watch;
	r->output.cancel_fd = r->recorder.stop_fd;
	r->output.shorts = r->unwind_queue ? &r->unwind_queue->shorts : NULL;
	r->snapshot_file.output = &r->output;
	r->snapshot_file.pump = &r->recorder.pump;
}

/* Callback for struct recorder: all records are written. */
static int recording_complete(void *ctx, struct ptui_error *err)
{
	struct ptui_recording *r = ctx;
	const struct record_sink *sink = &r->output.sink;
	const struct pump *pump = &r->recorder.pump;
	size_t max_files = r->options.given.out.change.max_files;
	int ret = output_finish(&r->output, sink->writer, pump->first_ns, pump->last_ns, err);

	r->raw_bytes = record_sink_raw_bytes(sink);
	r->ratio = data_writer_ratio(sink->writer);
	if (!ret && max_files)
		snapshots_limit(&r->recorder.snapshots, max_files - 1);
	return ret;
}

static int start_recorder(struct ptui_recording *r, struct ptui_error *err)
{
	r->recorder.counters = &r->counters;
	r->recorder.sink = &r->output.sink;
	r->recorder.workload = &r->workload;
	r->recorder.control = &r->control;
	r->recorder.triggers = &r->triggers;
	r->recorder.workload_is_target = options_workload_only(&r->options);
	r->recorder.complete = recording_complete;
	r->recorder.complete_ctx = r;
	r->recorder.max_bytes = r->options.given.out.max_bytes;
	r->recorder.memory_bytes = r->options.given.out.memory_bytes;
	r->recorder.stays_in_memory = r->options.given.out.memory_bytes &&
				      r->options.given.out.nowhere;
	r->recorder.min_drain_bytes = r->options.given.out.flush_bytes;
	r->recorder.aux_snapshot_bytes = r->aux.snapshot_bytes;
	r->recorder.aux_sampled = r->options.given.aux.sample_bytes != 0;
	r->recorder.aux_on_exit = r->options.given.aux.on_exit && r->aux.snapshot_bytes;
	r->recorder.exact_times = r->options.given.out.timestamp_boundary;
	r->recorder.buildids = r->buildid_feature.reader;
	r->recorder.unwind_queue = r->unwind_queue;
	r->recorder.bpf = keeps_header(r) ? &r->bpf : NULL;
	if (r->watch) {
		r->recorder.idle = r->watch->idle;
		r->recorder.ended = r->watch->ended;
		r->recorder.watch_ctx = r->watch->ctx;
		r->recorder.reads = true;
		r->recorder.max_wait_ms = r->watch->max_wait_ms;
	}
	r->recorder.snapshots.deliver = snapshot_deliver;
	r->recorder.snapshots.deliver_ctx = &r->snapshot_file;
	r->recorder.snapshots.rule = r->options.given.out.change;
	r->recorder.snapshots.took = r->options.given.took_snapshot;
	r->recorder.snapshots.took_ctx = r->options.given.took_snapshot_ctx;
	r->triggers.pump = &r->recorder.pump;
	r->recorder.last_whole = snapshot_makes_files(&r->snapshot_file);
	return recorder_start(&r->recorder, err);
}

/* Begins the output with the base records. Meanwhile the recorder keeps records in memory. */
static int put_base(struct ptui_recording *r, struct ptui_error *err)
{
	struct buf base = BUF_INIT;
	int ret = base_records_put(&r->base, &base, err);

	if (!ret)
		ret = recording_put_unwinding(r, &base, err);
	if (!ret)
		ret = output_begin(&r->output, &base, err);
	buf_release(&base);
	if (ret)
		return ret;
	if (r->watch)
		r->watch->begins(r->watch->ctx);
	control_begin(&r->control, &r->counters,
		      recording_can_snapshot(r) ? &r->recorder.snapshots : NULL);
	recorder_prepared(&r->recorder);
	return 0;
}

static int let_go(struct ptui_recording *r, struct ptui_error *err)
{
	int limit = (int)r->options.given.overflow_limit, ret;

	ret = limit ? counters_limit_overflows(&r->counters, limit) : 0;
	if (ret)
		return ptui_error_errno(err, -ret, "--overflow-limit",
					_("cannot limit the overflows of the counters"));
	if (!options_workload_only(&r->options) && !control_starts_off(&r->control)) {
		ret = attach_enable(&r->counters, &r->options.target);
		if (ret)
			return ptui_error_errno(err, -ret, NULL, _("cannot enable the counters"));
	}
	if (options_workload_only(&r->options))
		workload_warn_of_rights(r->options.given.argv[0]);
	return r->workload.pid ? workload_start(&r->workload, r->options.given.argv[0], err) : 0;
}

/* As in perf: rings are drained when they are half full. */
static void log_drain_interval(const struct ptui_recording *r)
{
	const struct options *o = &r->options;
	uint64_t half = r->counters.n_rings ? r->counters.rings[0].ring.size / 2 : 0;

	if (o->given.out.change.bytes && o->given.out.change.bytes < half &&
	    !o->given.out.no_buffering && !o->given.out.wakeup_events && !o->given.out.wakeup_bytes)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("the files of --switch-output will be larger: a ring buffer is drained "
			   "only when it contains %llu KiB (-m)"),
			 (unsigned long long)half / 1024);
}

/* Logs how the recording differs from the options. Called after a successful start only. */
static void log_changes(struct ptui_recording *r)
{
	if (r->lowered_hz)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("%llu Hz exceeds kernel.perf_event_max_sample_rate: recording at %llu "
			   "Hz"),
			 (unsigned long long)r->options.given.freq_hz,
			 (unsigned long long)r->lowered_hz);
	counters_log(&r->counters);
	log_drain_interval(r);
	if (r->base.kernel_hidden)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("kernel addresses are hidden (see kernel.kptr_restrict and "
			   "kernel.perf_event_paranoid): kernel functions will be shown as "
			   "addresses"));
}

/* Closing counters is slow in the kernel: do it in the background. */
static void release_counters(struct ptui_recording *r)
{
	trigger_event_close(&r->triggers.event, r->watch != NULL);
	if (r->watch)
		counters_release_aside(&r->counters);
	else
		counters_release_in_child(&r->counters);
}

/* Undoes a start. The file has no name yet, or keeps what is valid of it. */
static void recording_undo(struct ptui_recording *r)
{
	workload_release(&r->workload);
	record_sink_release(&r->output.sink);
	release_counters(r);
}

int ptui_recording_start(struct ptui_recording *r, struct ptui_error *err)
{
	int ret = 0;

	if (r->started)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EBUSY, NULL,
				      _("the recording has already been started"));
	r->started = true;
	r->workload.stdout_aside = output_is_stdout(&r->options.given);
	if (r->options.given.argv)
		ret = workload_fork(&r->workload, r->options.given.argv, err);
	if (!ret)
		ret = bpf_load_events(&r->events, r->catalog, r->probe_adder, err);
	if (!ret && r->watch)
		ret = recording_drop_unsupported(r, err);
	if (!ret)
		recording_start_unwinding(r);
	if (!ret)
		ret = configure(r, err);
	r->recorder.realtime_priority = r->options.given.realtime_priority;
	r->recorder.affinity = r->options.given.affinity;
	/* nothing wakes the recorder when a counter stops */
	if (r->options.given.overflow_limit && !r->recorder.max_wait_ms)
		r->recorder.max_wait_ms = STOPPED_WAIT_MS;
	r->recorder.measures_cost = r->options.given.measure_cost;
	if (!ret)
		ret = recorder_spawn(&r->recorder, err);
	if (!ret)
		ret = buildid_feature_start(&r->buildid_feature, &r->buildids, &r->events, err);
	if (!ret)
		ret = recording_open_triggers(r, err);
	if (!ret)
		ret = recording_open(r, err);
	if (!ret)
		ret = recording_begin_triggers(r, err);
	if (!ret && keeps_header(r))
		ret = read_formats(r, err);
	if (!ret)
		ret = recording_open_unwinding(r, err);
	if (!ret)
		recording_connect(r);
	if (!ret)
		ret = output_open(&r->output, err);
	if (!ret)
		ret = start_recorder(r, err);
	if (!ret)
		ret = put_base(r, err);
	if (!ret)
		ret = let_go(r, err);
	if (!ret)
		ret = output_name_file(&r->output, err);
	if (ret) {
		recorder_abandon(&r->recorder);
		recording_undo(r);
		return ret;
	}
	log_changes(r);
	recorder_started(&r->recorder);
	return ret;
}

void ptui_recording_stop(struct ptui_recording *r)
{
	recorder_stop(&r->recorder);
}

void ptui_recording_snapshot(struct ptui_recording *r, enum ptui_snapshot_why why)
{
	snapshots_ask(&r->recorder.snapshots, why);
}

bool ptui_recording_get_snapshot(struct ptui_recording *r, size_t i, struct ptui_snapshot *ret)
{
	return snapshots_get(&r->recorder.snapshots, i, ret);
}

/* The name of a finished file may differ from the given one (--timestamp-filename). */
static int note_path(struct ptui_recording *r)
{
	const struct data_writer *w = r->output.sink.writer;
	char *path;

	if (!w || !strcmp(data_writer_path(w), r->options.given.output))
		return 0;
	path = arena_strdup(&r->options.arena, data_writer_path(w));
	if (!path)
		return -ENOMEM;
	r->options.given.output = path;
	return 0;
}

int ptui_recording_join(struct ptui_recording *r, struct ptui_error *err)
{
	int ret = recorder_join(&r->recorder, err);

	if (note_path(r) && !ret)
		ret = ptui_error_nomem(err);
	/* even if the command could not be ended */
	if (!r->recorder.stays_in_memory)
		record_sink_release(&r->output.sink);
	/* the counters of others are closed at exit: see ptui_recording_free() */
	if (r->watch)
		release_counters(r);
	return ret;
}

uint64_t ptui_recording_unsaved(const struct ptui_recording *r)
{
	return r->recorder.stays_in_memory && !r->saved ? r->recorder.counts.held : 0;
}

int ptui_recording_save(struct ptui_recording *r, const char *path, struct ptui_error *err)
{
	int ret;

	if (!r->recorder.stays_in_memory || r->recorder.running || r->recorder.joinable)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
				      _("there are no samples in memory to save: the recording "
					"must have ended, and have no output file"));
	ret = snapshot_save_memory(&r->snapshot_file, path, err);
	if (!ret)
		r->saved = true;
	return ret;
}

/* ---- status ---- */

/* System-wide only: sleeping tasks are not sampled, nor are disabled events. */
static void add_rate(const struct ptui_recording *r, struct ptui_record_stats *s)
{
	const struct counters *c = &r->counters;
	uint64_t asked_hz = 0, n = 0;

	if (s->running || !s->elapsed_ns || !r->options.target.system_wide || r->options.starts_off)
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct event *ev = &c->events->v[c->v[i].event];

		if (ev->sideband)
			continue;
		if (!ev->attr.freq)
			return;
		asked_hz += ev->attr.sample_freq;
		n++;
	}
	if (!n)
		return;
	s->asked_hz = asked_hz / n;
	s->reached_hz = (uint64_t)((double)s->samples * 1e9 / (double)s->elapsed_ns / (double)n);
}

/*
 * While it runs: in a shared ring buffer the event in a LOST record is the one that came next, which need not be
 * the one that lost records. The counters know, as at the end.
 */
static void count_lost_sideband(const struct ptui_recording *r, struct ptui_record_stats *ret)
{
	uint64_t all = 0, sideband = 0;
	struct counter_sum sum;

	for (uint32_t i = 0; i < r->events.n; i++) {
		counters_sum(&r->counters, i, &sum);
		all += sum.lost;
		if (r->events.v[i].sideband)
			sideband += sum.lost;
	}
	if (all < ret->lost) /* an older kernel does not count them */
		return;
	ret->lost_samples = all;
	ret->lost_sideband = sideband;
}

void ptui_recording_get_stats(const struct ptui_recording *r, struct ptui_record_stats *ret)
{
	const struct recorder *c = &r->recorder;
	uint64_t began_ns = c->began_ns, until_ns = c->ended_ns;
	uint64_t lost;

	memset(ret, 0, sizeof(*ret));
	ret->bytes = c->counts.bytes;
	ret->samples = c->counts.samples;
	ret->wakeups = c->counts.rounds;
	ret->lost = c->counts.lost;
	ret->lost_samples = c->lost_samples;
	ret->lost_sideband = ret->lost_samples >= ret->lost ? c->lost_sideband :
							      c->counts.lost_sideband;
	if (c->running && ret->lost_sideband)
		count_lost_sideband(r, ret);
	/* the recorder keeps counting while this reads */
	lost = ret->lost > ret->lost_samples ? ret->lost : ret->lost_samples;
	if (ret->lost_sideband > lost)
		ret->lost_sideband = lost;
	ret->throttled = c->counts.throttled;
	ret->aux_bytes = c->counts.aux_bytes;
	ret->aux_truncated = c->counts.aux_truncated;
	if (r->unwind_queue) {
		ret->unwinds = true;
		ret->not_unwound = r->unwind_queue->n_cut;
	}
	ret->held_samples = c->counts.held;
	ret->forgotten_samples = c->counts.forgotten;
	ret->removed_files = snapshots_removed((struct snapshots *)(uintptr_t)&c->snapshots);
	if (r->options.given.measure_cost) {
		ret->cost_counted = c->counted_ns != 0;
		ret->cost_ns = c->counted_ns ? c->counted_ns : c->cpu_ns;
	}
	ret->running = c->running;
	ret->target_gone = c->target_gone;
	ret->size_reached = c->size_reached;
	ret->limit_reached = c->limit_reached;
	ret->raw_bytes = r->raw_bytes;
	ret->ratio = r->ratio;
	if (!began_ns)
		return;
	if (!until_ns)
		until_ns = r->ops->clock_ns(r->ops->ctx);
	ret->elapsed_ns = until_ns - began_ns;
	add_rate(r, ret);
}

int ptui_recording_child_status(const struct ptui_recording *r)
{
	return r->recorder.child_status;
}

const char *ptui_recording_output(const struct ptui_recording *r)
{
	return r->options.given.out.nowhere ? NULL : r->options.given.output;
}

void ptui_recording_children(const struct ptui_recording *r, char *buf, size_t size)
{
	const struct ptui_record_opts *o = &r->options.given;
	struct buf children = BUF_INIT;

	if (o->n_pids)
		tasks_children(&r->ops->roots, o->pids[0], &children);
	snprintf(buf, size, "%s", children.len < size ? buf_str(&children) : "");
	buf_release(&children);
}

void ptui_recording_free(struct ptui_recording *r)
{
	if (!r)
		return;
	recorder_release(&r->recorder);
	recording_undo(r);
	buildid_feature_release(&r->buildid_feature);
	unwind_queue_free(r->unwind_queue);
	buildids_release(&r->buildids);
	bpf_programs_release(&r->bpf);
	triggers_release(&r->triggers);
	control_release(&r->control);
	buf_release(&r->tracing_data);
	event_list_release(&r->events);
	cgroups_release(&r->cgroups);
	catalog_free(r->catalog);
	options_release(&r->options);
	free(r);
}
