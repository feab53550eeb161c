/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "kernel/features.h"
#include "ptui/log.h"
#include "record/aux_area.h"
#include "record/doctor/needs.h"
#include "record/options.h"
#include "record/ring_size.h"
#include "record/snapshot/memory_ring.h"

#define DEFAULT_OUTPUT	"perf.data"
#define DEFAULT_FREQ_HZ 4000

/* ---- copying ---- */

/*
 * The strings that the public struct points to, except argv and cmdline. A new string option needs
 * a line here.
 */
static const size_t strings[] = {
	offsetof(struct ptui_record_opts, user),
	offsetof(struct ptui_record_opts, cpus),
	offsetof(struct ptui_record_opts, ring_pages),
	offsetof(struct ptui_record_opts, buildid_dir),
	offsetof(struct ptui_record_opts, output),
	offsetof(struct ptui_record_opts, control.delay),
	offsetof(struct ptui_record_opts, control.channel),
};

#define ARRAY(field, n, each)                                                                   \
	{                                                                                       \
		offsetof(struct ptui_record_opts, field), offsetof(struct ptui_record_opts, n), \
			each                                                                    \
	}
#define WORDS(field, n) ARRAY(field, n, 0)

static const struct {
	size_t at, n;
	size_t each; /* element size; 0: an array of strings, which may be NULL */
} arrays[] = {
	WORDS(events, n_events),
	WORDS(filters, n_events),
	ARRAY(exclude_self, n_events, sizeof(bool)),
	ARRAY(pids, n_pids, sizeof(pid_t)),
	ARRAY(tids, n_tids, sizeof(pid_t)),
	WORDS(cgroups, n_cgroups),
	ARRAY(cgroup_after, n_cgroups, sizeof(size_t)),
	WORDS(trigger.when, trigger.n_when),
	WORDS(trigger.events, trigger.n_events),
	WORDS(trigger.filters, trigger.n_events),
};

/* Replaces the string at `at` by a copy; NULL stays NULL. */
static int copy_string(struct arena *a, void *at)
{
	char *s;

	memcpy(&s, at, sizeof(s));
	if (!s)
		return 0;
	s = arena_strdup(a, s);
	memcpy(at, &s, sizeof(s));
	return s ? 0 : -ENOMEM;
}

/* The same for an array of `n` elements, with a terminating zero; NULL becomes zeros. */
static int copy_array(struct arena *a, void *at, size_t n, size_t each)
{
	char *from, *copy = arena_alloc(a, (n + 1) * (each ? each : sizeof(char *)));
	int ret = copy ? 0 : -ENOMEM;

	memcpy(&from, at, sizeof(from));
	if (!ret && from)
		memcpy(copy, from, n * (each ? each : sizeof(char *)));
	for (size_t i = 0; !each && !ret && i < n; i++)
		ret = copy_string(a, copy + i * sizeof(char *));
	memcpy(at, &copy, sizeof(copy));
	return ret;
}

/* Sets argv to NULL for a command without words. */
static int copy_command(struct arena *a, struct ptui_record_opts *o)
{
	size_t n = 0;

	while (o->argv && o->argv[n])
		n++;
	if (n)
		return copy_array(a, &o->argv, n, 0);
	o->argv = NULL;
	return 0;
}

static int copy_given(struct arena *a, struct ptui_record_opts *o)
{
	char *base = (char *)o;
	size_t n;
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(strings) / sizeof(*strings); i++)
		ret = copy_string(a, base + strings[i]);
	for (size_t i = 0; !ret && i < sizeof(arrays) / sizeof(*arrays); i++) {
		memcpy(&n, base + arrays[i].n, sizeof(n));
		ret = copy_array(a, base + arrays[i].at, n, arrays[i].each);
	}
	if (ret || copy_command(a, o))
		return -ENOMEM;
	o->cmdline = arena_memdup0(a, o->cmdline, o->cmdline_bytes);
	return o->cmdline ? 0 : -ENOMEM;
}

/* As in perf: $HOME/.debug, or .debug in the current directory. */
static int default_buildid_dir(struct arena *a, const char **ret)
{
	const char *home = getenv("HOME");

	*ret = arena_printf(a, "%s%s.debug", home ? home : "", home ? "/" : "");
	return *ret ? 0 : -ENOMEM;
}

int options_copy(struct options *o, const struct ptui_record_opts *from)
{
	memset(o, 0, sizeof(*o));
	arena_init(&o->arena);
	o->given = *from;
	if (copy_given(&o->arena, &o->given) || target_copy(&o->target, &o->given))
		return -ENOMEM;
	o->given.out.change.on |= from->trigger.n_events != 0;
	o->starts_off = from->control.delay != NULL;
	if (from->out.nowhere)
		o->given.output = "";
	else if (!from->output)
		o->given.output = DEFAULT_OUTPUT;
	return from->buildid_dir ? 0 : default_buildid_dir(&o->arena, &o->given.buildid_dir);
}

void options_release(struct options *o)
{
	target_release(&o->target);
	arena_release(&o->arena);
	memset(o, 0, sizeof(*o));
}

/* ---- checks ---- */

static int check_cgroups(const struct options *o, struct ptui_error *err)
{
	if (!o->given.n_cgroups || o->target.all)
		return 0;
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "-G",
		       _("cgroups (-G) can only be recorded system-wide"));
	ptui_error_hint(err, _("add -a: it then records the tasks of these cgroups only"));
	return -EINVAL;
}

/* Rejects options that need a file. */
static int check_nowhere(const struct options *o, struct ptui_error *err)
{
	const struct ptui_record_output *out = &o->given.out;

	if (!out->nowhere ||
	    !(out->compress_level || out->append || out->timestamp_filename || out->change.on))
		return 0;
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, NULL,
		_("without an output file these options have no effect: compressing, appending, "
		  "switching the output"));
}

static int check_memory(const struct options *o, struct ptui_error *err)
{
	if (!o->given.out.memory_bytes || o->given.out.memory_bytes >= MEMORY_BYTES_MIN)
		return 0;
	return ptui_error_set(
		err, PTUI_ERROR_INPUT, EINVAL, "-M",
		_("-M requires at least %d bytes, not %llu: the largest possible sample must fit"),
		MEMORY_BYTES_MIN, (unsigned long long)o->given.out.memory_bytes);
}

/* IOC_REFRESH is for counters that sample and are not inherited. */
static int check_limit(const struct options *o, struct ptui_error *err)
{
	const struct ptui_record_opts *given = &o->given;
	const char *with = given->shape.no_samples ? "-n" :
			   given->shape.overwrite  ? "--overwrite" :
			   given->inherit	   ? "--inherit" :
						     NULL;

	if (!given->overflow_limit || !with)
		return 0;
	return ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, "--overflow-limit",
			      _("--overflow-limit and %s cannot be used together"), with);
}

int options_settle(struct options *o, const struct kernel_ops *ops, struct ptui_error *err)
{
	int ret = target_settle(&o->target, ops, err);

	if (!ret)
		ret = check_cgroups(o, err);
	if (!ret)
		ret = check_nowhere(o, err);
	if (!ret)
		ret = check_memory(o, err);
	if (!ret)
		ret = check_limit(o, err);
	if (!ret && o->given.ring_pages)
		ret = ring_size_parse(o->given.ring_pages, ops, &o->ring_bytes, &o->aux_bytes,
				      &o->ring_rounded, err);
	return ret;
}

bool options_workload_only(const struct options *o)
{
	return o->given.argv && !o->target.system_wide && !target_has_tasks(&o->target);
}

uint64_t options_max_freq_hz(const struct kernel_ops *ops)
{
	long long max;

	return !file_read_long(&max, "%s/sys/kernel/perf_event_max_sample_rate", ops->roots.proc) &&
			       max > 0 ?
		       (uint64_t)max :
		       0;
}

/* Lowers the frequency to the kernel's limit, unless --strict-freq is given. */
static int set_freq(const struct options *o, uint64_t max_hz, struct attr_options *a,
		    uint64_t *ret_lowered_hz, struct ptui_error *err)
{
	a->freq_given = o->given.freq_hz || o->given.max_freq;
	a->freq_hz = o->given.freq_hz ? o->given.freq_hz : DEFAULT_FREQ_HZ;
	if (o->given.max_freq && !max_hz)
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOENT,
				      "kernel.perf_event_max_sample_rate",
				      _("-F max: cannot read kernel.perf_event_max_sample_rate"));
	if (o->given.max_freq)
		a->freq_hz = max_hz;
	if (!max_hz || a->freq_hz <= max_hz)
		return 0;
	if (o->given.strict_freq) {
		ptui_error_set(err, PTUI_ERROR_SYSTEM, EINVAL, "kernel.perf_event_max_sample_rate",
			       _("%llu Hz exceeds the current kernel limit of %llu Hz"),
			       (unsigned long long)a->freq_hz, (unsigned long long)max_hz);
		ptui_error_hint(err, _("as root: sysctl kernel.perf_event_max_sample_rate=%llu"),
				(unsigned long long)a->freq_hz);
		return -EINVAL;
	}
	*ret_lowered_hz = a->freq_hz = max_hz;
	return 0;
}

/*
 * By default only if the sole target is a command that ptui starts: for other targets the kernel
 * would mark the MMAP2 records of concurrent recordings as having build-ids (see HACKING.md).
 */
static bool kernel_reads_build_ids(const struct options *o)
{
	return o->given.buildid == PTUI_BUILDID_MMAP ||
	       (o->given.buildid == PTUI_BUILDID_USUAL && options_workload_only(o));
}

/* Both are one member of the attr. Without them, the kernel wakes the recorder at half a ring buffer. */
static void set_wakeup(const struct ptui_record_output *out, struct perf_event_attr *attr)
{
	if (out->wakeup_bytes) {
		attr->watermark = 1;
		attr->wakeup_watermark = out->wakeup_bytes;
	} else if (out->no_buffering || out->wakeup_events) {
		attr->watermark = 0;
		attr->wakeup_events = out->no_buffering ? 1 : out->wakeup_events;
	}
}

int options_configure(const struct options *o, const struct kernel_ops *ops,
		      struct event_list *events, uint64_t *ret_lowered_hz, struct ptui_error *err)
{
	struct attr_options a = { .shape = o->given.shape, .period = o->given.period };
	struct kernel_features features;
	struct aux_area aux;
	int ret = needs_check(&o->given.shape, ops, err);

	*ret_lowered_hz = 0;
	if (!ret)
		ret = aux_area_settle(&aux, o, events, ops, err);
	kernel_features_init(&features, ops);
	a.period_given = o->given.period != 0;
	if (!ret && !o->given.period)
		ret = set_freq(o, options_max_freq_hz(ops), &a, ret_lowered_hz, err);
	if (ret)
		return ret;
	a.per_cpu_target = o->target.system_wide;
	a.per_thread = o->target.per_thread;
	a.starts_off = o->starts_off;
	a.enable_on_exec = options_workload_only(o) && !o->starts_off;
	a.inherit = o->target.inherit;
	a.live = o->watched || o->given.trigger.n_when;
	if (!ret && aux.bytes) {
		a.aux_watermark = aux.watermark;
		a.aux_sample_bytes = (uint32_t)o->given.aux.sample_bytes;
		a.aux_switches = aux.switches && kernel_has(&features, KERNEL_CONTEXT_SWITCH);
		a.aux_switches_of_all = a.aux_switches && aux.switches_of_all;
		a.aux_switches &= !a.aux_switches_of_all;
		a.text_poke = aux.text_poke && kernel_has(&features, KERNEL_TEXT_POKE);
	}
	a.kernel_lost = kernel_has(&features, KERNEL_FORMAT_LOST);
	a.kernel_build_id = kernel_reads_build_ids(o) && kernel_has(&features, KERNEL_BUILD_ID);
	if (o->given.shape.weight)
		a.kernel_weight_struct = kernel_has(&features, KERNEL_WEIGHT_STRUCT);
	if (event_attrs_configure(events, &a))
		return ptui_error_nomem(err);
	for (size_t i = 0; i < events->n; i++)
		set_wakeup(&o->given.out, &events->v[i].attr);
	return 0;
}
