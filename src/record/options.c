/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "event/attr.h"
#include "kernel/features.h"
#include "ptui/log.h"
#include "record/options.h"

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

/* Each once: a process that is attached twice would be counted twice. */
static void copy_pids(struct options *o, const struct ptui_record_opts *from)
{
	size_t i, j;

	for (i = 0; i < from->n_pids; i++) {
		for (j = 0; j < o->n_pids && o->pids[j] != from->pids[i]; j++)
			;
		if (j == o->n_pids)
			o->pids[o->n_pids++] = from->pids[i];
	}
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
	o->callchain = from->callchain;
	o->system_wide = from->system_wide;
	o->no_inherit = from->no_inherit;
	o->out = from->out;

	o->events = copy_words(from->events, from->n_events);
	o->n_events = from->n_events;
	if (copy_filters(o, from))
		return -ENOMEM;
	o->output = strdup(from->output ? from->output : DEFAULT_OUTPUT);
	o->buildid = from->buildid;
	o->buildid_all = from->buildid_all;
	o->buildid_dir = buildid_dir(from->buildid_dir);
	o->pids = calloc(from->n_pids + 1, sizeof(*o->pids));
	o->cmdline = calloc(from->cmdline_bytes + 1, 1);
	if (!o->events || !o->output || !o->buildid_dir || !o->pids || !o->cmdline || copy_command(o, from->argv))
		return -ENOMEM;
	copy_pids(o, from);
	if (from->cmdline_bytes)
		memcpy(o->cmdline, from->cmdline, from->cmdline_bytes);
	o->cmdline_bytes = from->cmdline_bytes;

	if (o->system_wide && o->n_pids) {
		ptui_log(PTUI_LOG_WARN, "record", _("processes are named: -a is left aside"));
		o->system_wide = false;
	}
	if (!o->n_pids && !o->argv)
		o->system_wide = true;
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
	free(o->pids);
	free(o->output);
	free(o->buildid_dir);
	free(o->cmdline);
	memset(o, 0, sizeof(*o));
}

bool options_workload_only(const struct options *o)
{
	return o->argv && !o->system_wide && !o->n_pids;
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

int options_configure(const struct options *o, const struct kernel_ops *ops,
		      struct event_list *events, uint64_t *ret_lowered_hz)
{
	uint64_t max_hz = options_max_freq_hz(ops);
	struct attr_options a = { 0 };
	struct kernel_features features;

	*ret_lowered_hz = 0;
	kernel_features_init(&features, ops);
	a.period = o->period;
	a.period_given = o->period != 0;
	a.freq_given = !o->period && o->freq_hz;
	if (!o->period)
		a.freq_hz = o->freq_hz ? o->freq_hz : DEFAULT_FREQ_HZ;
	if (max_hz && a.freq_hz > max_hz)
		*ret_lowered_hz = a.freq_hz = max_hz;
	a.callchain = o->callchain;
	a.per_cpu_target = o->system_wide;
	a.enable_on_exec = options_workload_only(o);
	a.inherit = !o->no_inherit;
	a.live = o->watched;
	a.kernel_lost = kernel_has(&features, KERNEL_FORMAT_LOST);
	a.kernel_build_id = o->buildid <= PTUI_BUILDID_MMAP && kernel_has(&features, KERNEL_BUILD_ID);
	return event_attrs_configure(events, &a);
}
