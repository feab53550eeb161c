/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/base_records.h"

#include <errno.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "ptui/log.h"
#include "record/aux_area.h"
#include "record/header/synth.h"
#include "record/target/tasks.h"

#define MAPS_LIMIT_MS 500 /* as in perf */

static bool samples_kernel(const struct base_records *b)
{
	for (size_t i = 0; i < b->counters->events->n; i++)
		if (!b->counters->events->v[i].sideband &&
		    !b->counters->events->v[i].attr.exclude_kernel)
			return true;
	return false;
}

/* Records about the targets, as perf writes them: counter ids, threads, CPUs. */
static int put_maps(struct base_records *b, struct buf *out)
{
	const struct counters *c = b->counters;
	struct data_id_index_entry *index;
	int32_t *tids;
	size_t n_tids = 0;
	int ret;

	index = calloc(c->n + 1, sizeof(*index));
	tids = calloc(c->n + 1, sizeof(*tids));
	ret = index && tids ? 0 : -ENOMEM;
	for (size_t i = 0; i < c->n && !ret; i++) {
		const struct counter *k = &c->v[i];

		index[i] = (struct data_id_index_entry){ k->id, k->event, k->cpu, k->tid };
		if (k->tid != c->v[0].tid && k->tid == -1) /* of all tasks, beside the targets */
			continue;
		if (!n_tids || tids[n_tids - 1] != k->tid)
			tids[n_tids++] = k->tid;
	}
	if (!ret)
		ret = data_put_id_index(out, index, c->n);
	/* Threads that do not fit into one record are omitted: readers do not need them. */
	if (!ret)
		ret = data_put_thread_map(out, tids, NULL, n_tids);
	if (!ret || ret == -E2BIG)
		ret = c->measured ? data_put_cpu_map(out, c->measured, c->n_measured) :
				    data_put_cpu_map(out, c->cpus, c->n_cpus);
	free(index);
	free(tids);
	return ret == -E2BIG ? 0 : ret;
}

static int put_kernel(struct base_records *b, struct synth *s)
{
	int ret = samples_kernel(b) ? synth_kernel(s) : 0;

	if (ret != -ENOENT)
		return ret;
	b->kernel_hidden = true;
	return 0;
}

static void log_synth_limits(const struct synth *s)
{
	if (s->n_late)
		ptui_log(PTUI_LOG_WARN, "record",
			 _("reading the maps of %llu processes exceeded %llu ms each "
			   "(--proc-map-timeout): the maps are incomplete, some functions will be "
			   "unresolved"),
			 (unsigned long long)s->n_late,
			 (unsigned long long)(s->maps_limit_ns / 1000000));
	ptui_log(PTUI_LOG_INFO, "record", _("threads reading /proc: %u"), s->threads);
}

static bool needs_data_maps(const struct base_records *b)
{
	for (size_t i = 0; i < b->counters->events->n; i++)
		if (b->counters->events->v[i].attr.mmap_data)
			return true;
	return false;
}

/* ---- tasks that already run ---- */

static int put_user(const struct target *w, struct synth *s, struct ptui_error *err)
{
	size_t n, n_own = 0;
	pid_t *pids;
	int ret = tasks_processes(s->roots, &pids, &n, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < n; i++)
		if (target_owns(w, s->roots, pids[i]))
			pids[n_own++] = pids[i];
	ret = synth_processes(s, pids, n_own, false);
	free(pids);
	return ret;
}

/* Names and maps belong to processes: each process once. */
static int put_tids(const struct target *w, struct synth *s)
{
	pid_t *leaders = calloc(w->n_tids + 1, sizeof(*leaders));
	size_t j, n = 0;
	int ret;

	if (!leaders)
		return -ENOMEM;
	for (size_t i = 0; i < w->n_tids; i++) {
		pid_t leader = tasks_leader(s->roots, w->tids[i]);

		for (j = 0; j < n && leaders[j] != leader; j++)
			;
		if (leader && j == n)
			leaders[n++] = leader;
	}
	ret = synth_processes(s, leaders, n, false);
	free(leaders);
	return ret;
}

static int put_targets(const struct base_records *b, struct synth *s, struct ptui_error *err)
{
	const struct target *w = &b->options->target;
	int ret = 0;

	if (b->options->given.skip_synth & PTUI_SYNTH_TASK)
		goto command;
	if (w->system_wide)
		return synth_system(s, err);
	ret = synth_processes(s, w->pids, w->n_pids, false);
	if (!ret && w->n_tids)
		ret = put_tids(w, s);
	if (!ret && w->user)
		ret = put_user(w, s, err);
command:
	/* The held command still has ptui's maps: its own come with the exec. */
	if (!ret && b->workload)
		ret = synth_comm(s, b->workload, b->workload);
	return ret;
}

/* ---- put together ---- */

/* Everything that --tail-synthesize can put off to the end. */
static int put_existing_tasks(struct base_records *b, struct buf *out, struct ptui_error *err)
{
	const struct options *o = b->options;
	struct synth s = {
		.roots = &b->ops->roots,
		.attr = &b->counters->events->v[0].attr,
		.buildids = o->given.buildid <= PTUI_BUILDID_MMAP ? b->buildids : NULL,
		.out = out,
		.no_maps = o->given.skip_synth & PTUI_SYNTH_MMAP,
		.data_maps = needs_data_maps(b),
		.namespaces = o->given.shape.namespaces,
		.threads = o->given.synth_threads,
		.bpf = o->given.shape.no_bpf_event ? NULL : b->bpf,
		.ops = b->ops,
		.maps_limit_ns = (o->given.proc_map_timeout_ms ? o->given.proc_map_timeout_ms :
								 MAPS_LIMIT_MS) *
				 1000000,
	};
	int ret = put_kernel(b, &s);

	if (!ret)
		ret = synth_bpf(&s, samples_kernel(b));
	if (!ret && o->given.shape.all_cgroups && !(o->given.skip_synth & PTUI_SYNTH_CGROUP))
		ret = synth_cgroups(&s);
	if (!ret)
		ret = put_targets(b, &s, err);
	log_synth_limits(&s);
	return ret;
}

static int base_records_error(int ret, struct ptui_error *err)
{
	if (ret && !ptui_error_is_set(err))
		ptui_error_errno(err, -ret, NULL, _("cannot read the running processes"));
	return ret;
}

int base_records_put(struct base_records *b, struct buf *out, struct ptui_error *err)
{
	int ret = put_maps(b, out);

	/* after ID_INDEX, as in perf */
	if (!ret)
		ret = aux_area_put_info(b->options, b->catalog, b->counters, out);
	if (!ret && !b->options->given.tail_synth)
		ret = put_existing_tasks(b, out, err);
	if (!ret && b->reader)
		buildid_reader_add_all(b->reader, out->data, out->len);
	return base_records_error(ret, err);
}

int base_records_put_tail(struct base_records *b, struct buf *out, struct ptui_error *err)
{
	int ret = b->options->given.tail_synth ?
			  base_records_error(put_existing_tasks(b, out, err), err) :
			  0;

	if (!ret && b->reader)
		buildid_reader_add_all(b->reader, out->data, out->len);
	return ret;
}
