/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds of counts into perf.data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "data/write/writer.h"
#include "event/catalog.h"
#include "record/header/features.h"
#include "record/header/hostinfo.h"
#include "record/header/tracing_data.h"
#include "stat/stat_data.h"
#include "stat/stat_layout.h"
#include "stat/stat_private.h"

struct stat_writer {
	struct stat *stat;
	const struct roots *roots;
	struct stat_writer_opts opts;
	struct data_writer *file;
	int32_t *tids; /* of the THREAD_MAP */
	size_t n_tids, cap_tids;
	int32_t *cpus; /* of the CPU_MAP */
	size_t n_cpus, cap_cpus;
	struct buf values; /* STAT records of the round */
};

static int put_feature(void *ctx, unsigned feature, const void *bytes, size_t n)
{
	return data_writer_add_feature(ctx, feature, bytes, n);
}

/* Without the formats of tracepoints perf refuses the file, also its own. */
static int add_tracing_data(struct stat_writer *w, struct ptui_error *err)
{
	struct tp_ref *refs = calloc(w->stat->list.n + 1, sizeof(*refs));
	struct buf out = BUF_INIT;
	const char *tracefs;
	size_t n = 0;
	int ret = refs ? 0 : ptui_error_nomem(err);

	for (size_t i = 0; i < w->stat->list.n && !ret; i++) {
		const struct event *ev = &w->stat->list.v[i];

		if (ev->kind == EVENT_TRACEPOINT)
			refs[n++] = (struct tp_ref){ ev->tp_system, ev->tp_name };
	}
	if (!ret && n)
		ret = catalog_tracefs(w->stat->catalog, &tracefs, err);
	if (!ret && n)
		ret = tracing_data_build(tracefs, refs, n, &out, err);
	if (!ret && n && put_feature(w->file, PTUI_FEAT_TRACING_DATA, out.data, out.len))
		ret = ptui_error_nomem(err);
	buf_release(&out);
	free(refs);
	return ret;
}

struct stat_writer *stat_writer_new(struct stat *s, const struct roots *roots,
				    const struct stat_writer_opts *opts, struct ptui_error *err)
{
	struct stat_writer *w = calloc(1, sizeof(*w));
	int ret;

	if (!w) {
		ptui_error_nomem(err);
		return NULL;
	}
	w->stat = s;
	w->roots = roots;
	w->opts = *opts;
	buf_init(&w->values);
	w->file = data_writer_new(opts->path, err);
	if (!w->file) {
		stat_writer_free(w);
		return NULL;
	}
	ret = add_tracing_data(w, err);
	if (ret) {
		stat_writer_free(w);
		return NULL;
	}
	ret = features_add_cmdline(w->file, opts->cmdline, opts->cmdline_bytes);
	if (!ret)
		ret = features_add_groups(w->file, &s->list);
	if (!ret)
		ret = put_feature(w->file, PTUI_FEAT_STAT, "", 0);
	if (!ret)
		ret = hostinfo_features(roots, put_feature, w->file, NULL);
	if (ret) {
		ptui_error_nomem(err);
		stat_writer_free(w);
		return NULL;
	}
	return w;
}

static int add_once(int32_t **v, size_t *n, size_t *cap, int32_t value)
{
	for (size_t i = 0; i < *n; i++)
		if ((*v)[i] == value)
			return 0;
	if (vec_grow(v, cap, *n + 1))
		return -ENOMEM;
	(*v)[(*n)++] = value;
	return 0;
}

/* The ids of one event, and the CPUs and threads of its counters. */
static int add_counters(struct stat_writer *w, uint32_t event, struct buf *ids)
{
	int ret = 0;

	for (size_t i = 0; i < w->stat->n_sets && !ret; i++) {
		const struct set *set = w->stat->sets[i];

		for (size_t j = 0; j < set->counters.n && !ret; j++) {
			const struct counter *k = &set->counters.v[j];

			if (set->index[k->event] != event)
				continue;
			buf_add_u64(ids, k->id);
			ret = add_once(&w->cpus, &w->n_cpus, &w->cap_cpus, k->cpu);
			if (!ret)
				ret = add_once(&w->tids, &w->n_tids, &w->cap_tids, k->tid);
		}
	}
	return ret ? ret : ids->err;
}

static int add_event(struct stat_writer *w, uint32_t i, struct buf *updates)
{
	const struct stat_event *e = stat_event(w->stat, i);
	struct perf_event_attr attr = e->event->attr;
	struct buf ids = BUF_INIT;
	struct buf name = BUF_INIT;
	uint64_t id;
	int ret = 0;

	attr.sample_type = PERF_SAMPLE_IDENTIFIER;
	buf_add_str(&name, e->event->name);
	if (e->event->cgroup) /* which perf's format has no place for */
		buf_addf(&name, " [%s]", e->event->cgroup);
	if (name.err) {
		ret = name.err;
	} else if (e->event->kind == EVENT_TOOL) { /* perf opens a dummy for it */
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_DUMMY;
		attr.size = PERF_ATTR_SIZE_VER0;
		attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		buf_add_u64(&ids, stat_tool_id(i));
	} else {
		ret = add_counters(w, i, &ids);
	}
	if (!ret)
		ret = data_writer_add_event(w->file, &attr, buf_str(&name),
					    (const uint64_t *)(void *)ids.data,
					    ids.len / sizeof(id));
	if (!ret && ids.len) {
		memcpy(&id, ids.data, sizeof(id));
		if (*e->unit)
			ret = data_put_event_update(updates, id, DATA_UPDATE_UNIT, e->unit,
						    strlen(e->unit) + 1);
		if (!ret && *e->unit)
			ret = data_put_event_update(updates, id, DATA_UPDATE_SCALE, &e->scale,
						    sizeof(e->scale));
	}
	buf_release(&ids);
	buf_release(&name);
	return ret;
}

static int put_threads(struct stat_writer *w, struct buf *out)
{
	struct stat_thread *threads = calloc(w->n_tids + 1, sizeof(*threads));
	const char **comms = calloc(w->n_tids + 1, sizeof(*comms));
	int ret = threads && comms ? 0 : -ENOMEM;

	for (size_t i = 0; i < w->n_tids && !ret; i++) {
		if (w->tids[i] >= 0)
			stat_comm(w->roots, NULL, w->tids[i], threads[i].comm,
				  sizeof(threads[i].comm));
		comms[i] = threads[i].comm;
	}
	ret = ret ? ret : data_put_thread_map(out, w->tids, comms, w->n_tids);
	free(threads);
	free(comms);
	return ret;
}

static int put_config(const struct stat_writer *w, struct buf *out)
{
	const uint64_t config[] = {
		3,
		STAT_CONFIG_AGGR,
		stat_aggr_in_file(stat_aggr(w->stat)),
		STAT_CONFIG_INTERVAL,
		w->opts.interval_ms,
		STAT_CONFIG_SCALE,
		!w->opts.no_scale,
	};

	return data_put_user(out, PTUI_RECORD_STAT_CONFIG, config, sizeof(config));
}

static int by_number(const void *a, const void *b)
{
	return *(const int32_t *)a - *(const int32_t *)b;
}

static int add_value(void *ctx, const struct stat_value *v)
{
	struct stat_writer *w = ctx;
	uint32_t thread = 0;
	struct {
		uint64_t id;
		uint32_t cpu, thread;
		uint64_t value, enabled_ns, running_ns;
	} payload;

	for (uint32_t i = 0; i < w->n_tids; i++)
		if (w->tids[i] == v->tid)
			thread = i;
	payload.id = v->id;
	/* of an event without a counter: the first CPU has it */
	payload.cpu = (uint32_t)(v->id == stat_tool_id(v->event) ? w->cpus[0] : v->cpu);
	payload.thread = thread;
	payload.value = v->now->value;
	payload.enabled_ns = v->now->enabled_ns;
	payload.running_ns = v->now->running_ns;
	return data_put_user(&w->values, PTUI_RECORD_STAT, &payload, sizeof(payload));
}

static int write_all(struct stat_writer *w, const struct buf *records, struct ptui_error *err)
{
	struct iovec iov = { records->data, records->len };

	return records->len ? data_writer_write(w->file, &iov, 1, err) : 0;
}

int stat_writer_begin(struct stat_writer *w, struct ptui_error *err)
{
	struct buf out = BUF_INIT;
	int ret = 0;

	for (uint32_t i = 0; i < stat_n_events(w->stat) && !ret; i++)
		ret = add_event(w, i, &out);
	if (!ret && !w->n_cpus)
		ret = add_once(&w->cpus, &w->n_cpus, &w->cap_cpus, -1);
	if (!ret && !w->n_tids)
		ret = add_once(&w->tids, &w->n_tids, &w->cap_tids, -1);
	if (!ret) {
		qsort(w->cpus, w->n_cpus, sizeof(*w->cpus), by_number);
		ret = put_threads(w, &out);
	}
	if (!ret)
		ret = data_put_cpu_map(&out, w->cpus, w->n_cpus);
	if (!ret)
		ret = put_config(w, &out);
	if (ret)
		ptui_error_nomem(err);
	else
		ret = data_writer_begin(w->file, err);
	if (!ret)
		ret = write_all(w, &out, err);
	if (!ret)
		stat_on_value(w->stat, add_value, w);
	buf_release(&out);
	return ret;
}

int stat_writer_round(struct stat_writer *w, bool final, uint64_t time_ns, struct ptui_error *err)
{
	const uint64_t payload[] = { final ? STAT_ROUND_FINAL : STAT_ROUND_INTERVAL, time_ns };
	int ret = data_put_user(&w->values, PTUI_RECORD_STAT_ROUND, payload, sizeof(payload));

	if (ret || w->values.err)
		return ptui_error_nomem(err);
	ret = write_all(w, &w->values, err);
	buf_clear(&w->values);
	return ret;
}

int stat_writer_finish(struct stat_writer *w, struct ptui_error *err)
{
	stat_on_value(w->stat, NULL, NULL);
	return data_writer_finish(w->file, err);
}

void stat_writer_free(struct stat_writer *w)
{
	if (!w)
		return;
	stat_on_value(w->stat, NULL, NULL);
	data_writer_free(w->file);
	buf_release(&w->values);
	free(w->tids);
	free(w->cpus);
	free(w);
}
