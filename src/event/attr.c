/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `perf record` asks the kernel for, event by event.
 *
 * The rules were found by looking at perf 6.1 (perf evlist -v); the one that is ours: the
 * sideband always has its own dummy event, where perf has one for whole CPUs only and lets
 * the first event carry the records otherwise.
 */
#include "event/attr.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define PRECISE_MAX 3

static bool is_ftrace_function(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT && ev->tp_system && ev->tp_name &&
	       !strcmp(ev->tp_system, "ftrace") && !strcmp(ev->tp_name, "function");
}

/* Records of raw data: each one counts, and where and when it was made. */
static bool is_raw_data(const struct event *ev)
{
	return ev->kind == EVENT_TRACEPOINT ||
	       (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT);
}

/* How often: what the command line says, which tracepoints and our dummy heed only if told. */
static void set_period(struct event *ev, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;
	bool told = opts->freq_given || opts->period_given;

	attr->freq = 0;
	attr->sample_period = opts->period;
	if ((is_raw_data(ev) || ev->sideband) && !told) {
		attr->sample_period = 1;
	} else if (opts->freq_hz) {
		attr->freq = 1;
		attr->sample_freq = opts->freq_hz;
	}
	if (attr->freq)
		attr->sample_type |= PERF_SAMPLE_PERIOD;
}

static void set_sample_type(struct event *ev, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;

	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	if (is_raw_data(ev))
		attr->sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	if (opts->callchain)
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
	if (opts->per_cpu_target)
		attr->sample_type |= PERF_SAMPLE_CPU;
	/* walking a user stack may fault, inside of what traces the fault */
	attr->exclude_callchain_user = is_ftrace_function(ev);
}

static void set_sideband(struct perf_event_attr *attr, const struct attr_options *opts)
{
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->task = 1;
	attr->ksymbol = 1;
	attr->bpf_event = 1;
	attr->build_id = opts->kernel_build_id;
}

static void configure(struct event *ev, bool is_leader, const struct attr_options *opts)
{
	struct perf_event_attr *attr = &ev->attr;

	set_sample_type(ev, opts);
	set_period(ev, opts);
	attr->read_format = PERF_FORMAT_ID;
	if (opts->kernel_lost)
		attr->read_format |= PTUI_FORMAT_LOST;
	if (opts->live)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->sample_id_all = 1;
	attr->inherit = opts->inherit;
	if (ev->precise_max)
		attr->precise_ip = PRECISE_MAX;
	/* members of a group start with their leader; the sideband is never off */
	attr->disabled = is_leader && !ev->sideband;
	attr->enable_on_exec = attr->disabled && opts->enable_on_exec;
	if (ev->sideband)
		set_sideband(attr, opts);
}

/*
 * Records must tell whose they are: an id, which stands at a fixed place if all samples are
 * made alike, and is put first or last (IDENTIFIER) if they are not.
 */
static void set_ids(struct event_list *list)
{
	uint64_t id = PERF_SAMPLE_ID;

	for (size_t i = 1; i < list->n; i++) {
		if (list->v[i].attr.sample_type != list->v[0].attr.sample_type)
			id = PERF_SAMPLE_IDENTIFIER;
	}
	for (size_t i = 0; i < list->n; i++)
		list->v[i].attr.sample_type |= id;
}

/*
 * A process may ask for its own maps without being allowed to look at the kernel: a dummy
 * next to events of user mode only asks for no more than they do.
 */
static bool all_exclude_kernel(const struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!list->v[i].attr.exclude_kernel)
			return false;
	}
	return list->n > 0;
}

static int add_sideband(struct event_list *list, const struct attr_options *opts)
{
	bool user_only = !opts->per_cpu_target && all_exclude_kernel(list);
	struct event *ev;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].sideband)
			return 0;
	}
	ev = event_list_add(list, user_only ? "dummy:u" : "dummy:HG");
	if (!ev)
		return -ENOMEM;
	ev->kind = EVENT_SOFTWARE;
	ev->sideband = true;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
	ev->attr.exclude_kernel = user_only;
	ev->attr.exclude_hv = user_only;
	return 0;
}

int event_attrs_configure(struct event_list *list, const struct attr_options *opts)
{
	if (add_sideband(list, opts))
		return -ENOMEM;
	for (size_t i = 0; i < list->n; i++)
		configure(&list->v[i], list->v[i].leader == i, opts);
	set_ids(list);
	for (size_t i = 0; i < list->n; i++)
		list->v[i].attr.size = attr_size_min(&list->v[i].attr);
	return 0;
}

uint32_t attr_size_min(const struct perf_event_attr *attr)
{
	static const uint32_t sizes[] = {
		PTUI_ATTR_SIZE_VER0, PTUI_ATTR_SIZE_VER1, PTUI_ATTR_SIZE_VER2, PTUI_ATTR_SIZE_VER3,
		PTUI_ATTR_SIZE_VER4, PTUI_ATTR_SIZE_VER5, PTUI_ATTR_SIZE_VER6, PTUI_ATTR_SIZE_VER7,
		PTUI_ATTR_SIZE_VER8, PTUI_ATTR_SIZE_VER9,
	};
	const unsigned char *bytes = (const unsigned char *)attr;
	size_t used = sizeof(*attr), i = 0;

	while (used > PTUI_ATTR_SIZE_VER0 && !bytes[used - 1])
		used--;
	while (sizes[i] < used)
		i++;
	return sizes[i];
}
