/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/base_records.h"
#include "record/recording_private.h"

#define MAPS_LIMIT_MS 500 /* as in perf */

static bool samples_kernel(const struct ptui_recording *r)
{
	size_t i;

	for (i = 0; i < r->events.n; i++)
		if (!r->events.v[i].sideband && !r->events.v[i].attr.exclude_kernel)
			return true;
	return false;
}

/* Records about the targets, as perf writes them: counter ids, threads, CPUs. */
static int put_maps(struct ptui_recording *r, struct buf *out)
{
	const struct counters *c = &r->counters;
	struct data_id_index_entry *index;
	int32_t *tids;
	size_t i, n_tids = 0;
	int ret;

	index = calloc(c->n + 1, sizeof(*index));
	tids = calloc(c->n + 1, sizeof(*tids));
	ret = index && tids ? 0 : -ENOMEM;
	for (i = 0; i < c->n && !ret; i++) {
		const struct counter *k = &c->v[i];

		index[i] = (struct data_id_index_entry){ k->id, k->event, k->cpu, k->tid };
		if (!n_tids || tids[n_tids - 1] != k->tid)
			tids[n_tids++] = k->tid;
	}
	if (!ret)
		ret = data_put_id_index(out, index, c->n);
	/* Threads that do not fit into one record are omitted: readers do not need them. */
	if (!ret)
		ret = data_put_thread_map(out, tids, NULL, n_tids);
	if (!ret || ret == -E2BIG)
		ret = data_put_cpu_map(out, c->cpus, c->n_cpus);
	free(index);
	free(tids);
	return ret == -E2BIG ? 0 : ret;
}

static int put_kernel(struct ptui_recording *r, struct synth *s)
{
	int ret = samples_kernel(r) ? synth_kernel(s) : 0;

	if (ret != -ENOENT)
		return ret;
	r->kernel_hidden = true;
	return 0;
}

static void log_synth_limits(const struct synth *s)
{
	if (s->n_late)
		ptui_log(
			PTUI_LOG_WARN, "record",
			_("the maps of %llu processes took longer than %llu ms each and are not whole (--proc-map-timeout): some of their functions will have no names"),
			(unsigned long long)s->n_late,
			(unsigned long long)(s->maps_limit_ns / 1000000));
	ptui_log(PTUI_LOG_INFO, "record", _("threads that read /proc: %u"), s->threads);
}

static bool needs_data_maps(const struct ptui_recording *r)
{
	for (size_t i = 0; i < r->events.n; i++)
		if (r->events.v[i].attr.mmap_data)
			return true;
	return false;
}

/* Everything that --tail-synthesize can put off to the end. */
static int put_existing_tasks(struct ptui_recording *r, struct buf *out, struct ptui_error *err)
{
	const struct options *o = &r->options;
	struct synth s = {
		.roots = &r->ops->roots,
		.attr = &r->events.v[0].attr,
		.buildids = o->given.buildid <= PTUI_BUILDID_MMAP ? &r->buildids : NULL,
		.out = out,
		.no_maps = o->given.skip_synth & PTUI_SYNTH_MMAP,
		.data_maps = needs_data_maps(r),
		.namespaces = o->given.shape.namespaces,
		.threads = o->given.synth_threads,
		.bpf = o->given.shape.no_bpf_event ? NULL : &r->bpf,
		.ops = r->ops,
		.maps_limit_ns = (o->given.proc_map_timeout_ms ? o->given.proc_map_timeout_ms :
								 MAPS_LIMIT_MS) *
				 1000000,
	};
	int ret;

	ret = put_kernel(r, &s);
	if (!ret)
		ret = synth_bpf(&s, samples_kernel(r));
	if (!ret && o->given.shape.all_cgroups && !(o->given.skip_synth & PTUI_SYNTH_CGROUP))
		ret = synth_cgroups(&s);
	if (!ret)
		ret = recording_put_targets(r, &s, err);
	log_synth_limits(&s);
	return ret;
}

static int base_records_error(int ret, struct ptui_error *err)
{
	if (ret && !ptui_error_is_set(err))
		ptui_error_errno(err, -ret, NULL, _("cannot tell what runs already"));
	return ret;
}

int base_put(struct ptui_recording *r, struct buf *out, struct ptui_error *err)
{
	int ret = put_maps(r, out);

	if (!ret && !r->options.given.tail_synth)
		ret = put_existing_tasks(r, out, err);
	if (!ret && r->buildid_reader)
		buildid_reader_add_all(r->buildid_reader, out->data, out->len);
	return base_records_error(ret, err);
}

int base_write_tail(struct ptui_recording *r, struct data_writer *w, struct ptui_error *err)
{
	struct buf out = BUF_INIT;
	struct iovec iov;
	int ret = r->options.given.tail_synth ?
			  base_records_error(put_existing_tasks(r, &out, err), err) :
			  0;

	iov = (struct iovec){ .iov_base = out.data, .iov_len = out.len };
	if (!ret && r->buildid_reader)
		buildid_reader_add_all(r->buildid_reader, out.data, out.len);
	if (!ret && out.len)
		ret = data_writer_write(w, &iov, 1, err);
	if (!ret && w == r->sink.writer)
		record_sink_show(&r->sink, &iov, out.len > 0);
	buf_release(&out);
	return ret;
}
