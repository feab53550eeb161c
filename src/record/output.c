/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "kernel/cpus.h"
#include "record/header/features.h"
#include "record/header/hostinfo.h"
#include "record/recording.h"

static int put_feature(void *ctx, unsigned feature, const void *bytes, size_t n)
{
	return data_writer_add_feature(ctx, feature, bytes, n);
}

/* Header features that are known before the first record; they survive a kill. */
static int add_early_features(const struct output *o)
{
	const struct ptui_record_opts *given = &o->base->options->given;
	struct data_writer *w = o->sink.writer;
	int ret = features_add_cmdline(w, given->cmdline, given->cmdline_bytes);

	if (!ret)
		ret = features_add_groups(w, o->base->counters->events);
	if (!ret && given->shape.use_clockid)
		ret = features_add_clock(w, given->shape.clockid);
	if (!ret && given->shape.branch_filter)
		ret = put_feature(w, PTUI_FEAT_BRANCH_STACK, "", 0);
	if (!ret && o->base->counters->aux_bytes)
		ret = data_writer_expect_aux(w);
	if (!ret && o->tracing_data->len)
		ret = put_feature(w, PTUI_FEAT_TRACING_DATA, o->tracing_data->data,
				  o->tracing_data->len);
	if (!ret)
		ret = hostinfo_features(&o->base->ops->roots, put_feature, w, NULL);
	return ret;
}

bool output_is_stdout(const struct ptui_record_opts *given)
{
	return !strcmp(given->output, "-");
}

/* Allocates the sideband log only if snapshots are possible. */
static int output_need_sideband_log(struct output *o)
{
	const struct ptui_record_output *out = &o->base->options->given.out;
	bool kept = counters_have_back(o->base->counters) || out->memory_bytes;

	if (!out->change.on && !kept)
		return 0;
	o->sink.sideband_log = sideband_log_new();
	return o->sink.sideband_log ? 0 : -ENOMEM;
}

int output_open(struct output *o, struct ptui_error *err)
{
	const struct ptui_record_opts *given = &o->base->options->given;
	const struct ptui_record_output *out = &given->out;
	struct data_writer_opts opts = {
		.compress_level = out->compress_level,
		.append = out->append,
		.overwrite = out->overwrite,
		.timestamp = out->timestamp_filename || out->change.on,
		.nowhere = out->nowhere,
		.cancel_fd = o->cancel_fd,
	};

	o->sink.writer = data_writer_open(given->output, &opts, err);
	if (!o->sink.writer)
		return err && err->domain == PTUI_ERROR_SYSTEM && err->code ? -err->code : -EIO;
	if (output_need_sideband_log(o))
		return ptui_error_nomem(err);
	if (o->watch) {
		o->sink.seen = o->watch->written;
		o->sink.seen_ctx = o->watch->ctx;
	}
	/* there is no header to write */
	if (out->nowhere && !out->memory_bytes)
		return 0;
	if (out->change.on && !data_writer_has_folder(o->sink.writer))
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, given->output,
				      _("cannot switch the output %s (--switch-output): not a "
					"regular file"),
				      given->output);
	return add_early_features(o) ? ptui_error_nomem(err) : 0;
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

static int add_event(struct output *o, uint32_t i, uint64_t *ids)
{
	const struct counters *c = o->base->counters;
	struct event ev = c->events->v[i];
	size_t n = counters_ids(c, i, ids, c->n);
	int ret;

	if (o->shorts)
		short_samples_attr(o->shorts, &ev.attr);
	ret = data_writer_add_event(o->sink.writer, &ev.attr, ev.name, ids, n);
	if (!ret)
		ret = add_unit(o->sink.writer, &ev.attr);
	if (!ret)
		ret = add_cpus(o->sink.writer, c, ev.cpus);
	if (!ret && o->sink.sideband_log)
		ret = sideband_log_event(o->sink.sideband_log, &ev.attr, ev.name, ids, n);
	if (!ret && o->watch)
		ret = o->watch->event(o->watch->ctx, &ev, ids, n);
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
		if (h.type != PTUI_RECORD_THREAD_MAP && h.type != PTUI_RECORD_CPU_MAP &&
		    h.type != PTUI_RECORD_AUXTRACE_INFO) {
			memmove(records + to, records + from, h.size);
			to += h.size;
		}
		from += h.size;
	}
	return to;
}

int output_begin(struct output *o, struct buf *base, struct ptui_error *err)
{
	const struct counters *c = o->base->counters;
	struct iovec iov = { .iov_base = base->data, .iov_len = base->len };
	uint64_t *ids = calloc(c->n + 1, sizeof(*ids));
	int ret = ids ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < c->events->n && !ret; i++)
		ret = add_event(o, i, ids);
	free(ids);
	if (ret)
		return ptui_error_nomem(err);
	if (buildid_feature_begin(o->buildids, o->sink.writer) ||
	    bpf_programs_add_features(o->base->bpf, o->sink.writer))
		return ptui_error_nomem(err);
	ret = data_writer_begin_unnamed(o->sink.writer, err);
	if (!ret && data_writer_appends(o->sink.writer))
		iov.iov_len = drop_maps(base->data, base->len);
	if (!ret && iov.iov_len)
		ret = record_sink_put_base(&o->sink, &iov, err);
	return ret ? ret : data_writer_sync(o->sink.writer, err);
}

int output_name_file(struct output *o, struct ptui_error *err)
{
	return data_writer_name_file(o->sink.writer, err);
}

static int put_tail(struct output *o, struct data_writer *w, struct ptui_error *err)
{
	struct buf out = BUF_INIT;
	int ret = base_records_put_tail(o->base, &out, err);
	struct iovec iov = (struct iovec){ .iov_base = out.data, .iov_len = out.len };

	if (!ret && out.len)
		ret = data_writer_write(w, &iov, 1, err);
	if (!ret && w == o->sink.writer)
		record_sink_show(&o->sink, &iov, out.len > 0);
	buf_release(&out);
	return ret;
}

static int put_late(struct output *o, struct data_writer *w, uint64_t first_ns, uint64_t last_ns)
{
	bool is_last = w == o->sink.writer && !o->base->options->given.out.change.on;
	int ret = buildid_feature_finish(o->buildids, w, is_last);

	if (!ret)
		ret = bpf_programs_add_features(o->base->bpf, w);
	return ret ? ret : features_add_sample_time(w, first_ns, last_ns);
}

/* Ends the file in any case; returns the first error. */
int output_finish(struct output *o, struct data_writer *w, uint64_t first_ns, uint64_t last_ns,
		  struct ptui_error *err)
{
	int ret = put_tail(o, w, err), later;

	if (!ret && put_late(o, w, first_ns, last_ns))
		ret = ptui_error_nomem(err);
	later = data_writer_finish(w, ret ? NULL : err);
	return ret ? ret : later;
}
