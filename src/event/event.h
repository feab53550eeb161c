/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event room: the event catalog, event selectors, and perf_event_attr.
 *
 *   roots (sysfs, tracefs) ---> catalog ---> names, groups, descriptions    (ptui list)
 *   "cycles:u,sched:*"     ---> selector ---> struct event_list             (ptui record -e)
 *   event_list + options   ---> attr     ---> perf_event_attr as perf makes it
 *
 * It opens no events: whether an event can be opened is checked by the kernel room.
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
	EVENT_TOOL, /* the tool counts them itself: duration_time */
	EVENT_CACHE,
	EVENT_PMU,	  /* by its PMU in sysfs: cpu/event=0x3c/ */
	EVENT_RAW,	  /* by numbers: r1a8, 4:0x1a8 */
	EVENT_BREAKPOINT, /* mem:ADDRESS */
	EVENT_TRACEPOINT,
	EVENT_PROBE,  /* user-defined tracepoint: probe:NAME. An EVENT_TRACEPOINT for the kernel */
	EVENT_SDT,    /* SDT marker of a program, a possible probe location: sdt_PROVIDER:NAME */
	EVENT_VENDOR, /* from the processor's manual: pfm:NAME */
	EVENT_KINDS
};

struct pmu_event;
struct event_bpf;

enum event_callgraph {
	EVENT_CALLGRAPH_NONE,
	EVENT_CALLGRAPH_FP,
	EVENT_CALLGRAPH_DWARF,
	EVENT_CALLGRAPH_LBR,
};

/* Which members of struct event_terms are set. */
#define EVENT_TERM_PERIOD     (1u << 0)
#define EVENT_TERM_FREQ	      (1u << 1)
#define EVENT_TERM_TIME	      (1u << 2)
#define EVENT_TERM_CALLGRAPH  (1u << 3)
#define EVENT_TERM_STACK_SIZE (1u << 4)
#define EVENT_TERM_MAX_STACK  (1u << 5)
#define EVENT_TERM_INHERIT    (1u << 6)
#define EVENT_TERM_OVERWRITE  (1u << 7)
#define EVENT_TERM_BRANCH     (1u << 8)
#define EVENT_TERM_NR	      (1u << 9)
#define EVENT_TERM_PERCORE    (1u << 10)
#define EVENT_TERM_AUX	      (1u << 11) /* any of aux-output, aux-action, aux-sample-size */

/* Terms between the slashes of one event; they override command-line options. */
struct event_terms {
	uint32_t given;
	uint64_t period, freq_hz;
	enum event_callgraph callgraph;
	uint32_t stack_bytes;
	uint16_t max_stack;
	bool time, inherit, overwrite;
	uint64_t branch_sample_type; /* 0: no branch stack */
	uint64_t nr;		     /* stop after this many events: implemented by the reader */
};

/* One selected event. Owned by its list. */
struct event {
	char *name; /* as perf shows it: its text in the selector, with modifiers ("cycles:u") */
	enum event_kind kind;
	char *tp_system; /* of a tracepoint, else NULL */
	char *tp_name;
	/*
	 * type, config, exclude_*, precise_ip, pinned, exclusive … as selected;
	 * event_attrs_configure() sets the rest.
	 */
	struct perf_event_attr attr;
	bool mode_given;  /* the selector had u, k or h */
	bool host_given;  /* the selector had G or H */
	bool precise_max; /* P: as precise as opens, the kernel room tries precise_ip downwards from
			     3 */
	bool sample_read; /* S: the leader's samples contain the members' counts */
	bool weak;	  /* W: the group may be split if it cannot be scheduled */
	struct event_terms terms;
	const char *pmu; /* its PMU, or NULL; owned by the catalog */
	const struct pmu_event
		*pmu_event; /* the name in the selector, or NULL; owned by the catalog */
	char *cpus;	    /* a list as in sysfs: only these CPUs count it; NULL: all. Owned */
	char *asked_cpus;   /* cpu= terms; `cpus` has the intersection with the PMU's CPUs. Owned */
	char *filter;	    /* tracepoint filter, or NULL. Owned */
	bool exclude_self;  /* exclude events of ptui's own threads */
	char *driver_config; /* of @NAME=VALUE terms, by commas, or NULL. Owned */
	char *cgroup;	     /* count only its tasks, in system-wide mode; NULL: all. Owned */
	int cgroup_fd;	     /* of its directory, if open; owned by the recorder */
	/* what it writes into an AUX area, besides records: PTUI_AUXTRACE_*; 0: nothing */
	uint32_t aux;
	uint64_t aux_period; /* of such an event, if it takes samples: its own default */
	bool off;	     /* disabled on its own while it is recorded */
	bool sideband;	     /* our own dummy: carries MMAP2, COMM, FORK … and no samples */
	bool on_all_cpus; /* a sideband of all tasks, whatever is recorded: one counter per CPU */
	/* index of the group leader in the list; its own index if not grouped */
	uint32_t leader;
	struct event_bpf
		*bpf; /* program of a BPF object file that filters it, or NULL (event/bpf_file.h).
				  Owned */
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
/* True if an event has attr.build_id: the MMAP2 records carry build-ids. */
bool event_list_has_buildids(const struct event_list *list);
/*
 * Adds cycles with the highest precise level that opens, for a CPU with one core type
 * (catalog_add_default()). 0 or -ENOMEM.
 */
int event_list_add_default(struct event_list *list);

/*
 * The two fallbacks when the kernel refuses an event; both rename it as perf does. 0 or -ENOMEM
 * (nothing changed).
 */
int event_use_cpu_clock(struct event *ev);  /* cycles:u -> cpu-clock:uH */
int event_exclude_kernel(struct event *ev); /* cycles -> cycles:u */

/*
 * Modifiers of an attr with the colon (":u", ":ppp", ":HG"), or "", as perf appends them to
 * generated names.
 */
#define EVENT_MODIFIERS_BYTES 16
const char *event_modifiers(const struct perf_event_attr *attr, char buf[EVENT_MODIFIERS_BYTES]);

/* config (0), config1 … config4 of an attr. */
__u64 *event_config(struct perf_event_attr *attr, unsigned int field);

/* The type of the PMU that counts it; PTUI_NONE: none with a number of counters. */
uint32_t event_pmu_type(const struct perf_event_attr *attr);

/* Short name of a kind for headings and JSON: "hardware", "software", … */
const char *event_kind_name(enum event_kind kind);

#endif
