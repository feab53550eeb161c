/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "kernel/features.h"
#include "ptui/log.h"
#include "record/memory.h"
#include "record/needs.h"
#include "record/options.h"
#include "record/ring_size.h"

#define DEFAULT_OUTPUT "perf.data"
#define DEFAULT_FREQ_HZ 4000

static void free_words(char **words)
{
	char **at;

	for (at = words; at && *at; at++)
		free(*at);
	free(words);
}

/* NULL-terminated; NULL when out of memory. */
static char **copy_words(const char *const *words, size_t n)
{
	char **copy = calloc(n + 1, sizeof(*copy));
	size_t i;

	for (i = 0; copy && i < n; i++) {
		copy[i] = strdup(words[i]);
		if (!copy[i]) {
			free_words(copy);
			return NULL;
		}
	}
	return copy;
}

static int copy_command(struct options *o, char *const *argv)
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	if (!n)
		return 0;
	o->argv = copy_words((const char *const *)argv, n);
	return o->argv ? 0 : -ENOMEM;
}

static int copy_cgroups(struct options *o, const struct ptui_record_opts *from)
{
	o->cgroups = copy_words(from->cgroups, from->n_cgroups);
	o->cgroup_after = calloc(from->n_cgroups + 1, sizeof(*o->cgroup_after));
	if (!o->cgroups || !o->cgroup_after)
		return -ENOMEM;
	for (size_t i = 0; i < from->n_cgroups; i++)
		o->cgroup_after[i] = from->cgroup_after[i];
	o->n_cgroups = from->n_cgroups;
	return 0;
}

static int copy_filters(struct options *o, const struct ptui_record_opts *from)
{
	o->filters = calloc(from->n_events + 1, sizeof(*o->filters));
	o->exclude_self = calloc(from->n_events + 1, sizeof(*o->exclude_self));
	if (!o->filters || !o->exclude_self)
		return -ENOMEM;
	for (size_t i = 0; i < from->n_events; i++) {
		o->exclude_self[i] = from->exclude_self && from->exclude_self[i];
		if (!from->filters || !from->filters[i])
			continue;
		o->filters[i] = strdup(from->filters[i]);
		if (!o->filters[i])
			return -ENOMEM;
	}
	return 0;
}

static int copy_trigger(struct options_trigger *t, const struct ptui_record_trigger *from)
{
	t->when = copy_words(from->when, from->n_when);
	t->events = copy_words(from->events, from->n_events);
	t->filters = calloc(from->n_events + 1, sizeof(*t->filters));
	if (!t->when || !t->events || !t->filters)
		return -ENOMEM;
	t->n_when = from->n_when;
	t->max_bytes = from->max_bytes;
	t->n_events = from->n_events;
	for (size_t i = 0; from->filters && i < from->n_events; i++) {
		t->filters[i] = from->filters[i] ? strdup(from->filters[i]) : NULL;
		if (from->filters[i] && !t->filters[i])
			return -ENOMEM;
	}
	return 0;
}

static void release_trigger(struct options_trigger *t)
{
	for (size_t i = 0; t->filters && i < t->n_events; i++)
		free(t->filters[i]);
	free(t->filters);
	free_words(t->events);
	free_words(t->when);
}

/* As perf: $HOME/.debug, or .debug here. */
static char *buildid_dir(const char *given)
{
	const char *home = getenv("HOME");
	struct buf path = BUF_INIT;
	char *copy;

	if (given)
		return strdup(given);
	buf_addf(&path, "%s%s.debug", home ? home : "", home ? "/" : "");
	copy = buf_take(&path);
	buf_release(&path);
	return copy;
}

int options_copy(struct options *o, const struct ptui_record_opts *from)
{
	memset(o, 0, sizeof(*o));
	o->freq_hz = from->freq_hz;
	o->period = from->period;
	o->max_freq = from->max_freq;
	o->strict_freq = from->strict_freq;
	o->shape = from->shape;
	o->skip_synth = from->skip_synth;
	o->tail_synth = from->tail_synth;
	o->synth_threads = from->synth_threads;
	o->proc_map_timeout_ms = from->proc_map_timeout_ms;
	o->out = from->out;
	o->out.change.on |= from->trigger.n_events != 0;
	o->took_snapshot = from->took_snapshot;
	o->took_snapshot_ctx = from->took_snapshot_ctx;
	o->starts_off = from->control.delay != NULL;
	o->affinity = from->affinity;
	o->realtime_priority = from->realtime_priority;
	o->events = copy_words(from->events, from->n_events);
	o->n_events = from->n_events;
	if (copy_filters(o, from) || copy_cgroups(o, from) || copy_trigger(&o->trigger, &from->trigger) ||
	    whom_copy(&o->whom, from))
		return -ENOMEM;
	if (from->ring_pages && !(o->ring_pages = strdup(from->ring_pages)))
		return -ENOMEM;
	o->output = strdup(from->out.nowhere ? "" : from->output ? from->output : DEFAULT_OUTPUT);
	o->buildid = from->buildid;
	o->buildid_all = from->buildid_all;
	o->buildid_dir = buildid_dir(from->buildid_dir);
	o->cmdline = calloc(from->cmdline_bytes + 1, 1);
	if (!o->events || !o->output || !o->buildid_dir || !o->cmdline ||
	    copy_command(o, from->argv))
		return -ENOMEM;
	if (from->cmdline_bytes)
		memcpy(o->cmdline, from->cmdline, from->cmdline_bytes);
	o->cmdline_bytes = from->cmdline_bytes;
	return 0;
}

void options_release(struct options *o)
{
	for (size_t i = 0; o->filters && i < o->n_events; i++)
		free(o->filters[i]);
	free(o->filters);
	free(o->exclude_self);
	free_words(o->events);
	free_words(o->argv);
	free_words(o->cgroups);
	free(o->cgroup_after);
	free(o->ring_pages);
	whom_release(&o->whom);
	release_trigger(&o->trigger);
	free(o->output);
	free(o->buildid_dir);
	free(o->cmdline);
	memset(o, 0, sizeof(*o));
}

static int check_cgroups(const struct options *o, struct ptui_error *err)
{
	if (!o->n_cgroups || o->whom.all)
		return 0;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-G",
		       _("control groups (-G) can only be recorded system-wide"));
	ptui_error_hint(err, _("add -a: of the whole machine only their tasks are recorded then"));
	return -EINVAL;
}

/* What is done to a file, without one. */
static int check_nowhere(const struct options *o, struct ptui_error *err)
{
	const struct ptui_record_output *out = &o->out;

	if (!out->nowhere || !(out->compress_level || out->append || out->timestamp_filename ||
			       out->change.on || out->memory_bytes))
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL,
			      _("nothing is written that could be compressed, appended to, named or kept"));
}

static int check_memory(const struct options *o, struct ptui_error *err)
{
	if (!o->out.memory_bytes || o->out.memory_bytes >= MEMORY_BYTES_MIN)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-M",
			      _("-M wants at least %d bytes, not %llu: the largest sample there can be must "
				"find room"),
			      MEMORY_BYTES_MIN, (unsigned long long)o->out.memory_bytes);
}

int options_settle(struct options *o, const struct kernel_ops *ops, struct ptui_error *err)
{
	int ret = whom_settle(&o->whom, ops, err);

	if (!ret)
		ret = check_cgroups(o, err);
	if (!ret)
		ret = check_nowhere(o, err);
	if (!ret)
		ret = check_memory(o, err);
	if (!ret && o->ring_pages)
		ret = ring_size_parse(o->ring_pages, ops, &o->ring_bytes, &o->ring_rounded, err);
	return ret;
}

bool options_workload_only(const struct options *o)
{
	return o->argv && !o->whom.system_wide && !whom_has_tasks(&o->whom);
}

uint64_t options_max_freq_hz(const struct kernel_ops *ops)
{
	struct buf path = BUF_INIT;
	long long max = 0;

	buf_addf(&path, "%s/sys/kernel/perf_event_max_sample_rate", ops->roots.proc);
	if (path.err || file_read_long(buf_str(&path), &max) || max <= 0)
		max = 0;
	buf_release(&path);
	return (uint64_t)max;
}

/* What the kernel does not allow is lowered, unless that was forbidden. */
static int set_freq(const struct options *o, uint64_t max_hz, struct attr_options *a,
		    uint64_t *ret_lowered_hz, struct ptui_error *err)
{
	a->freq_given = o->freq_hz || o->max_freq;
	a->freq_hz = o->freq_hz ? o->freq_hz : DEFAULT_FREQ_HZ;
	if (o->max_freq && !max_hz)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT, "kernel.perf_event_max_sample_rate",
				      _("-F max: this kernel does not tell how many samples a second it allows"));
	if (o->max_freq)
		a->freq_hz = max_hz;
	if (!max_hz || a->freq_hz <= max_hz)
		return 0;
	if (o->strict_freq) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, EINVAL, "kernel.perf_event_max_sample_rate",
			       _("%llu samples a second are more than the kernel allows now, which is %llu"),
			       (unsigned long long)a->freq_hz, (unsigned long long)max_hz);
		ptui_error_hint(err, _("as root: sysctl kernel.perf_event_max_sample_rate=%llu"),
				(unsigned long long)a->freq_hz);
		return -EINVAL;
	}
	*ret_lowered_hz = a->freq_hz = max_hz;
	return 0;
}

/*
 * By default only of a command of our own: of other processes' maps the kernel would tell everyone who
 * records them that build-ids are in the records (see HACKING.md).
 */
static bool asks_for_build_ids(const struct options *o)
{
	return o->buildid == PTUI_BUILDID_MMAP ||
	       (o->buildid == PTUI_BUILDID_USUAL && options_workload_only(o));
}

int options_configure(const struct options *o, const struct kernel_ops *ops,
		      struct event_list *events, uint64_t *ret_lowered_hz, struct ptui_error *err)
{
	struct attr_options a = { .shape = o->shape, .period = o->period };
	struct kernel_features features;
	int ret = needs_check(&o->shape, events, ops, err);

	*ret_lowered_hz = 0;
	kernel_features_init(&features, ops);
	a.period_given = o->period != 0;
	if (!ret && !o->period)
		ret = set_freq(o, options_max_freq_hz(ops), &a, ret_lowered_hz, err);
	if (ret)
		return ret;
	a.per_cpu_target = o->whom.system_wide;
	a.per_thread = o->whom.per_thread;
	a.starts_off = o->starts_off;
	a.enable_on_exec = options_workload_only(o) && !o->starts_off;
	a.inherit = o->whom.inherit;
	a.live = o->watched || o->trigger.n_when;
	a.kernel_lost = kernel_has(&features, KERNEL_FORMAT_LOST);
	a.kernel_build_id = asks_for_build_ids(o) && kernel_has(&features, KERNEL_BUILD_ID);
	if (o->shape.weight)
		a.kernel_weight_struct = kernel_has(&features, KERNEL_WEIGHT_STRUCT);
	if (event_attrs_configure(events, &a))
		return ptui_error_nomem(err);
	for (size_t i = 0; o->out.no_buffering && i < events->n; i++) {
		events->v[i].attr.watermark = 0;
		events->v[i].attr.wakeup_events = 1;
	}
	return 0;
}
