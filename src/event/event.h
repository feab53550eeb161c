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

#include "base/perf_abi.h"
#include "ptui/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	bool mode_given;  /* the selector had u, k or h */
	bool host_given;  /* the selector had G or H */
	bool precise_max; /* P: as precise as opens, the kernel room tries precise_ip downwards from
			     3 */
	bool sideband;	  /* our own dummy: carries MMAP2, COMM, FORK … and no samples */
	uint32_t leader;  /* index of the group's leader in the list; its own index when alone */
	char *group_name; /* of a named group's leader ("x" of x{a,b}), else NULL */
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
/* Drops the events from index `n` on. */
void event_list_truncate(struct event_list *list, size_t n);
/* Drops one event, and if it leads a group, the group. */
void event_list_drop(struct event_list *list, size_t index);
/* What is recorded when nothing was asked for: cycles, as precise as opens. 0 or -ENOMEM. */
int event_list_add_default(struct event_list *list);

/*
 * The two ways out when the kernel refuses an event, both with the name that perf gives it
 * afterwards. 0 or -ENOMEM (nothing changed).
 */
int event_use_cpu_clock(struct event *ev);  /* cycles:u -> cpu-clock:uH */
int event_exclude_kernel(struct event *ev); /* cycles -> cycles:u */

/*
 * The modifiers that an attr has, colon first (":u", ":ppp", ":HG"), or "" for none, as perf
 * writes them behind a name that it makes up.
 */
#define EVENT_MODIFIERS_BYTES 16
const char *event_modifiers(const struct perf_event_attr *attr, char buf[EVENT_MODIFIERS_BYTES]);

/* Short name of a kind for headings and JSON: "hardware", "software", … */
const char *event_kind_name(enum event_kind kind);

#endif
