/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event room: what can be measured, and the text that asks for it.
 *
 *   roots (sysfs, tracefs) ---> catalog ---> names, groups, descriptions    (ptui list)
 *   "cycles:u,sched:*"     ---> selector ---> struct event_list             (ptui record -e)
 *   event_list + options   ---> attr     ---> perf_event_attr as perf makes it
 *
 * It opens nothing and keeps no file descriptor: whether an event can be opened is the
 * kernel room's answer.
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/perf_abi.h"
#include "ptui/error.h"

enum event_kind {
	EVENT_HARDWARE,
	EVENT_SOFTWARE,
	EVENT_CACHE,
	EVENT_TRACEPOINT,
	EVENT_RAW,
	EVENT_KINDS
};

/* One event that was asked for. Owned by its list. */
struct event {
	char *name; /* as perf shows it: the text that chose it, modifiers included ("cycles:u") */
	enum event_kind kind;
	char *tp_system; /* of a tracepoint, else NULL */
	char *tp_name;
	/*
	 * type, config, exclude_*, precise_ip, pinned, exclusive … as far as the selector says;
	 * event_attrs_configure() adds the rest.
	 */
	struct perf_event_attr attr;
	bool mode_given; /* the selector had u, k or h */
	bool sideband;	 /* our own dummy: carries MMAP2, COMM, FORK … and no samples */
	uint32_t leader; /* index of the group's leader in the list; its own index when alone */
};

struct event_list {
	struct event *v;
	size_t n;
	size_t cap;
};

void event_list_init(struct event_list *list);
void event_list_release(struct event_list *list);
/* Appends a zeroed event named `name` (copied), its own leader. NULL: out of memory. */
struct event *event_list_add(struct event_list *list, const char *name);

/* Short name of a kind for headings and JSON: "hardware", "software", … */
const char *event_kind_name(enum event_kind kind);

#endif
