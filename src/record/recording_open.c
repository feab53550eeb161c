/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the counters of a recording on its targets. */
#include <errno.h>
#include <stdlib.h>
#include "base/i18n.h"
#include "event/selector/filter.h"
#include "record/recording_private.h"
#include "record/ring_size.h"
#include "record/select.h"
#include "record/target/attach.h"
#include "record/target/tasks.h"

/* An estimate, before any ring is opened. */
static size_t count_rings(const struct ptui_recording *r)
{
	const struct target *w = &r->options.target;
	size_t n, total = w->n_tids, n_pids = w->n_pids;
	pid_t *pids = w->pids, *tids;

	if (!w->per_thread)
		return 1;
	if (w->user && tasks_processes(&r->ops->roots, &pids, &n_pids, NULL))
		return 1;
	for (size_t i = 0; i < n_pids; i++) {
		if ((w->user && !target_owns(w, &r->ops->roots, pids[i])) ||
		    tasks_threads(&r->ops->roots, pids[i], &tids, &n, NULL))
			continue;
		free(tids);
		total += n;
	}
	if (w->user)
		free(pids);
	return total;
}

static int open_command(struct ptui_recording *r, struct ptui_error *err)
{
	const char *name = r->options.given.argv[0];
	int ret = counters_open(&r->counters, r->workload.pid, err);

	if (ret == -ESRCH)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ESRCH, name,
				      _("the process for %s was killed before it could execute "
					"the command"),
				      name);
	return ret;
}

static bool has_tracepoints(const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->v[i].kind == EVENT_TRACEPOINT)
			return true;
	return false;
}

/* -m then applies to the overwrite-mode rings. */
static bool uses_overwrite(const struct event_list *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (events->v[i].attr.write_backward)
			return true;
	return false;
}

static int open_counters(struct ptui_recording *r, struct ptui_error *err)
{
	const struct target *w = &r->options.target;
	size_t bytes = r->options.ring_bytes;
	int ret = aux_area_settle(&r->aux, &r->options, &r->events, r->ops, err);

	if (ret)
		return ret;
	if (!bytes)
		bytes = r->aux.ring_bytes;
	if (!bytes)
		bytes = ring_size_default(r->ops, count_rings(r));
	if (!r->options.ring_bytes &&
	    (r->unwind_queue || (w->system_wide && has_tracepoints(&r->events))))
		bytes = ring_size_flood(r->ops, bytes);
	ret = counters_init(&r->counters, r->ops, &r->events, bytes, err);
	if (ret)
		return ret;
	r->counters.aux_bytes = r->aux.bytes;
	r->counters.aux_overwrite = r->options.given.aux.snapshot ||
				    r->options.given.aux.sample_bytes;
	if (uses_overwrite(&r->events))
		r->counters.front_bytes = ring_size_default(r->ops, count_rings(r));
	if (w->cpus && counters_measure_cpus(&r->counters, w->cpus, w->n_cpus))
		return ptui_error_nomem(err);
	if (w->per_thread)
		counters_follow_tasks(&r->counters);
	if (w->system_wide)
		return counters_open(&r->counters, -1, err);
	return target_has_tasks(w) ? attach_tasks(&r->counters, w, err) : open_command(r, err);
}

static int check_kept(const struct ptui_recording *r, struct ptui_error *err)
{
	const struct ptui_record_output *out = &r->options.given.out;

	if (!(out->nowhere || out->memory_bytes) || !uses_overwrite(&r->events))
		return 0;
	if (out->memory_bytes)
		return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-M",
				      _("-M and --overwrite exclude each other: samples are kept "
					"either in memory or in the ring buffers"));
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
			      _("overwrite mode requires an output file"));
}

/* The kernel reports a rejected filter elsewhere: ask for its message. */
int recording_open(struct ptui_recording *r, struct ptui_error *err)
{
	int ret = record_exclude_self(&r->events, r->ops->roots.proc,
				      r->options.target.system_wide);

	if (ret < 0)
		return ptui_error_errno(err, -ret, "/proc/self/task",
					_("cannot list ptui's own threads (--exclude-perf)"));
	ret = check_kept(r, err);
	if (ret)
		return ret;
	ret = open_counters(r, err);
	if (!ret)
		ret = recording_connect_bpf(r, err);
	if (ret && r->counters.ops && r->counters.bad_filter != PTUI_NONE)
		event_filter_why(r->catalog, &r->events.v[r->counters.bad_filter], err);
	return ret;
}
