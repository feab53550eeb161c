/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of selected events, and their names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/vec.h"
#include "event/bpf_file.h"
#include "event/event.h"

#define PRECISE_MAX 3

void event_list_init(struct event_list *list)
{
	memset(list, 0, sizeof(*list));
}

static void event_release(struct event *ev)
{
	free(ev->name);
	free(ev->tp_system);
	free(ev->tp_name);
	free(ev->group_name);
	free(ev->cpus);
	free(ev->asked_cpus);
	free(ev->driver_config);
	free(ev->filter);
	free(ev->cgroup);
	event_bpf_free(ev->bpf);
}

void event_list_truncate(struct event_list *list, size_t n)
{
	while (list->n > n)
		event_release(&list->v[--list->n]);
}

bool event_list_has_buildids(const struct event_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].attr.build_id)
			return true;
	return false;
}

void event_list_drop(struct event_list *list, size_t index)
{
	size_t kept = index, dropped = 0;

	/* members follow their leader, contiguously */
	for (size_t i = index; i < list->n; i++) {
		struct event *ev = &list->v[i];

		if (i == index || ev->leader == index) {
			event_release(ev);
			dropped++;
			continue;
		}
		if (ev->leader > index)
			ev->leader -= (uint32_t)dropped;
		list->v[kept++] = *ev;
	}
	list->n = kept;
}

void event_list_release(struct event_list *list)
{
	event_list_truncate(list, 0);
	free(list->v);
	event_list_init(list);
}

struct event *event_list_add(struct event_list *list, const char *name)
{
	struct event *ev;
	char *copy;

	if (vec_grow(&list->v, &list->cap, list->n + 1))
		return NULL;
	copy = strdup(name);
	if (!copy)
		return NULL;
	ev = &list->v[list->n];
	memset(ev, 0, sizeof(*ev));
	ev->name = copy;
	ev->leader = (uint32_t)list->n++;
	return ev;
}

__u64 *event_config(struct perf_event_attr *attr, unsigned int field)
{
	__u64 *const fields[] = {
		&attr->config, &attr->config1, &attr->config2, &attr->config3, &attr->config4,
	};

	return fields[field];
}

uint32_t event_pmu_type(const struct perf_event_attr *attr)
{
	switch (attr->type) {
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return PTUI_NONE;
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		/* hybrid: the core type is in the upper half */
		return attr->config >> 32 ? (uint32_t)(attr->config >> 32) : PERF_TYPE_RAW;
	default:
		return attr->type;
	}
}

int event_list_add_default(struct event_list *list)
{
	struct event *ev = event_list_add(list, "cycles");

	if (!ev)
		return -ENOMEM;
	ev->kind = EVENT_HARDWARE;
	ev->attr.type = PERF_TYPE_HARDWARE;
	ev->attr.config = PERF_COUNT_HW_CPU_CYCLES;
	ev->precise_max = true; /* like cycles:P, which leaves guests in */
	return 0;
}

const char *event_kind_name(enum event_kind kind)
{
	static const char *const names[EVENT_KINDS] = {
		[EVENT_HARDWARE] = "hardware",
		[EVENT_SOFTWARE] = "software",
		[EVENT_CACHE] = "cache",
		[EVENT_TOOL] = "tool",
		[EVENT_PMU] = "pmu",
		[EVENT_RAW] = "raw",
		[EVENT_BREAKPOINT] = "breakpoint",
		[EVENT_TRACEPOINT] = "tracepoint",
		[EVENT_PROBE] = "probe",
		[EVENT_SDT] = "sdt",
		[EVENT_VENDOR] = "vendor",
	};

	return names[kind];
}

/*
 * By default, guests are excluded if modes or a precise level are given, else included; H and G are
 * only written if they differ from the default.
 */
const char *event_modifiers(const struct perf_event_attr *attr, char buf[EVENT_MODIFIERS_BYTES])
{
	bool rule = attr->exclude_kernel || attr->exclude_user || attr->exclude_hv ||
		    attr->precise_ip;
	char *to = buf;

	*to++ = ':';
	if (attr->exclude_kernel || attr->exclude_user || attr->exclude_hv) {
		if (!attr->exclude_kernel)
			*to++ = 'k';
		if (!attr->exclude_user)
			*to++ = 'u';
		if (!attr->exclude_hv)
			*to++ = 'h';
	}
	for (unsigned int i = 0; i < attr->precise_ip; i++)
		*to++ = 'p';
	if (attr->exclude_host || attr->exclude_guest == rule) {
		if (!attr->exclude_host)
			*to++ = 'H';
		if (!attr->exclude_guest)
			*to++ = 'G';
	}
	if (to == buf + 1)
		to = buf;
	*to = '\0';
	return buf;
}

static int rename_event(struct event *ev, const char *name, const char *modifiers)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s%s", name, modifiers);
	return buf_replace(&text, &ev->name);
}

int event_use_cpu_clock(struct event *ev)
{
	char modifiers[EVENT_MODIFIERS_BYTES];
	struct perf_event_attr attr = ev->attr;

	if (ev->precise_max)
		attr.precise_ip = PRECISE_MAX;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	if (rename_event(ev, "cpu-clock", event_modifiers(&attr, modifiers)))
		return -ENOMEM;
	ev->attr = attr;
	ev->kind = EVENT_SOFTWARE;
	return 0;
}

/* Whether the name has modifiers: a colon besides the spec's own. */
static bool has_modifiers(const struct event *ev)
{
	const char *colon = strchr(ev->name, ':');

	if (colon && ev->kind == EVENT_RAW && ev->name[0] != 'r')
		colon = strchr(colon + 1, ':'); /* TYPE:CONFIG */
	return colon != NULL;
}

int event_exclude_kernel(struct event *ev)
{
	/* a tracepoint's name never shows its modifiers */
	if (ev->kind != EVENT_TRACEPOINT &&
	    rename_event(ev, ev->name, has_modifiers(ev) ? "u" : ":u"))
		return -ENOMEM;
	ev->attr.exclude_kernel = 1;
	ev->attr.exclude_hv = 1;
	return 0;
}
