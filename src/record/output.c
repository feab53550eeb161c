/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "kernel/cpus.h"
#include "record/base_records.h"
#include "record/header/features.h"
#include "record/header/hostinfo.h"
#include "record/output.h"
#include "record/recording_private.h"

static int put_feature(void *ctx, unsigned feature, const void *bytes, size_t n)
{
	return data_writer_add_feature(ctx, feature, bytes, n);
}

/* Header features that are known before the first record; they survive a kill. */
static int add_early_features(struct ptui_recording *r)
{
	int ret;

	ret = features_add_cmdline(r->sink.writer, r->options.given.cmdline,
				   r->options.given.cmdline_bytes);
	if (!ret)
		ret = features_add_groups(r->sink.writer, &r->events);
	if (!ret && r->options.given.shape.use_clockid)
		ret = features_add_clock(r->sink.writer, r->options.given.shape.clockid);
	if (!ret && r->options.given.shape.branch_filter)
		ret = put_feature(r->sink.writer, PTUI_FEAT_BRANCH_STACK, "", 0);
	if (!ret && r->tracing_data.len)
		ret = put_feature(r->sink.writer, PTUI_FEAT_TRACING_DATA, r->tracing_data.data,
				  r->tracing_data.len);
	if (!ret)
		ret = hostinfo_features(&r->ops->roots, put_feature, r->sink.writer, NULL);
	return ret;
}

bool output_is_stdout(const struct ptui_recording *r)
{
	return !strcmp(r->options.given.output, "-");
}

int output_open(struct ptui_recording *r, struct ptui_error *err)
{
	const struct options *o = &r->options;
	struct data_writer_opts opts = {
		.compress_level = o->given.out.compress_level,
		.append = o->given.out.append,
		.overwrite = o->given.out.overwrite,
		.timestamp = o->given.out.timestamp_filename || o->given.out.change.on,
		.nowhere = o->given.out.nowhere,
		.cancel_fd = r->recorder.stop_fd,
	};

	r->sink.writer = data_writer_open(o->given.output, &opts, err);
	if (!r->sink.writer)
		return err && err->domain == PTUI_ERROR_SYSTEM && err->code ? -err->code : -EIO;
	/* there is no header to write */
	if (o->given.out.nowhere && !o->given.out.memory_bytes)
		return 0;
	if (o->given.out.change.on && !data_writer_has_folder(r->sink.writer))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, o->given.output,
				      _("%s cannot be changed (--switch-output): it is no file"),
				      o->given.output);
	return add_early_features(r) ? ptui_error_nomem(err) : 0;
}

/* As in perf: software clocks count nanoseconds and are shown in milliseconds. */
static int add_unit(struct data_writer *w, const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_SOFTWARE ||
	    (attr->config != PERF_COUNT_SW_CPU_CLOCK && attr->config != PERF_COUNT_SW_TASK_CLOCK))
		return 0;
	return data_writer_set_unit(w, "msec", 1e-6);
}

static int add_cpus(struct data_writer *w, const struct counters *c, const char *list)
{
	int32_t *cpus;
	size_t n = 0;
	int ret = 0;

	if (!list)
		return 0;
	cpus = calloc(c->n_cpus + 1, sizeof(*cpus));
	if (!cpus)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_cpus; i++)
		if (cpus_list_has(list, c->cpus[i]))
			cpus[n++] = c->cpus[i];
	if (n)
		ret = data_writer_set_cpus(w, cpus, n);
	free(cpus);
	return ret;
}

static int add_event(struct ptui_recording *r, uint32_t i, uint64_t *ids)
{
	const struct event *ev = &r->events.v[i];
	size_t n = counters_ids(&r->counters, i, ids, r->counters.n);
	int ret = data_writer_add_event(r->sink.writer, &ev->attr, ev->name, ids, n);

	if (!ret)
		ret = add_unit(r->sink.writer, &ev->attr);
	if (!ret)
		ret = add_cpus(r->sink.writer, &r->counters, ev->cpus);
	if (!ret && r->sink.sideband_log)
		ret = sideband_log_event(r->sink.sideband_log, &ev->attr, ev->name, ids, n);
	if (!ret && r->watch)
		ret = r->watch->event(r->watch->ctx, ev, ids, n);
	return ret;
}

/*
 * A file that is appended to has these records already, for its own threads and CPUs: perf reports
 * an error for a second one.
 */
static size_t drop_maps(char *records, size_t n)
{
	struct perf_event_header h;
	size_t from = 0, to = 0;

	while (n - from >= sizeof(h)) {
		memcpy(&h, records + from, sizeof(h));
		if (h.size < sizeof(h) || h.size > n - from)
			break;
		if (h.type != PTUI_RECORD_THREAD_MAP && h.type != PTUI_RECORD_CPU_MAP) {
			memmove(records + to, records + from, h.size);
			to += h.size;
		}
		from += h.size;
	}
	return to;
}

/* Allocates the sideband log only if snapshots are possible. */
static int output_need_sideband_log(struct ptui_recording *r)
{
	bool kept = counters_have_back(&r->counters) || r->options.given.out.memory_bytes;

	if (!r->options.given.out.change.on && !kept)
		return 0;
	r->sink.sideband_log = sideband_log_new();
	return r->sink.sideband_log ? 0 : -ENOMEM;
}

int output_begin(struct ptui_recording *r, struct buf *base, struct ptui_error *err)
{
	struct iovec iov = { .iov_base = base->data, .iov_len = base->len };
	uint64_t *ids = calloc(r->counters.n + 1, sizeof(*ids));
	uint32_t i;
	int ret = ids ? 0 : -ENOMEM;

	if (!ret)
		ret = output_need_sideband_log(r);
	for (i = 0; i < r->events.n && !ret; i++)
		ret = add_event(r, i, ids);
	free(ids);
	if (ret)
		return ptui_error_nomem(err);
	if (r->watch) {
		r->sink.seen = r->watch->written;
		r->sink.seen_ctx = r->watch->ctx;
	}
	if (recording_begin_buildids(r) || bpf_programs_add_features(&r->bpf, r->sink.writer))
		return ptui_error_nomem(err);
	ret = data_writer_begin_unnamed(r->sink.writer, err);
	if (!ret && data_writer_appends(r->sink.writer))
		iov.iov_len = drop_maps(base->data, base->len);
	if (!ret && iov.iov_len)
		ret = record_sink_put(&r->sink, &iov, 1, err);
	return ret ? ret : data_writer_sync(r->sink.writer, err);
}

int output_take_name(struct ptui_recording *r, struct ptui_error *err)
{
	return data_writer_take_name(r->sink.writer, err);
}

static int put_late(struct ptui_recording *r, struct data_writer *w, uint64_t first_ns,
		    uint64_t last_ns)
{
	int ret = recording_put_buildids(r, w);

	if (!ret)
		ret = bpf_programs_add_features(&r->bpf, w);
	return ret ? ret : features_add_sample_time(w, first_ns, last_ns);
}

/* Ends the file in any case; returns the first error. */
int output_finish(struct ptui_recording *r, struct data_writer *w, uint64_t first_ns,
		  uint64_t last_ns, struct ptui_error *err)
{
	int ret = base_write_tail(r, w, err), later;

	if (!ret && put_late(r, w, first_ns, last_ns))
		ret = ptui_error_nomem(err);
	later = data_writer_finish(w, ret ? NULL : err);
	return ret ? ret : later;
}

int output_complete(void *ctx, struct ptui_error *err)
{
	struct ptui_recording *r = ctx;
	const struct pump *pump = &r->recorder.pump;
	int ret = output_finish(r, r->sink.writer, pump->first_ns, pump->last_ns, err);

	r->raw_bytes = record_sink_raw_bytes(&r->sink);
	r->ratio = data_writer_ratio(r->sink.writer);
	if (!ret && r->options.given.out.change.max_files)
		snapshots_limit(&r->recorder.snapshots, r->options.given.out.change.max_files - 1);
	return ret;
}

int output_note_path(struct ptui_recording *r)
{
	const struct data_writer *w = r->sink.writer;
	char *path;

	if (!w || !strcmp(data_writer_path(w), r->options.given.output))
		return 0;
	path = arena_strdup(&r->options.arena, data_writer_path(w));
	if (!path)
		return -ENOMEM;
	r->options.given.output = path;
	return 0;
}

void output_close(struct ptui_recording *r)
{
	record_sink_release(&r->sink);
}
