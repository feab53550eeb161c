/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stat room: counts without samples, for `ptui stat`. One counter set per group of events, so
 * that an event that the kernel refuses does not stop the others; counts summed by CPU, core,
 * socket, thread or altogether; means over repeated runs; ratios of known events.
 *
 *	stat_new -> { stat_open -> stat_enable -> stat_read ... -> stat_close } once per run
 *	                                              |
 *	                 stat_add_run (means) <-------+------> stat_print (text, CSV, JSON)
 *
 * Not thread-safe.
 */
#ifndef STAT_STAT_H
#define STAT_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/buf.h"
#include "base/hash.h"
#include "event/event.h"
#include "kernel/ops.h"
#include "ptui/record.h"
#include "record/bpf_load.h"

/* What the counts of an event are summed by. */
enum stat_aggr {
	STAT_GLOBAL,
	STAT_CPU,
	STAT_THREAD,
	STAT_CORE,
	STAT_DIE,
	STAT_CLUSTER,
	STAT_CACHE,
	STAT_SOCKET,
	STAT_NODE,
};

/* symbols of an address filter as addresses, as address_filter_resolve(); appends to `out` */
typedef int (*stat_filter_fn)(const char *text, const char *proc, struct buf *out,
			      struct ptui_error *err);

struct stat_opts {
	/* events, filters, cgroups, and the target with its command; borrowed */
	const struct ptui_record_opts *what;
	enum stat_aggr aggr;
	unsigned cache_level;	    /* of STAT_CACHE; 0: the last one of each CPU */
	unsigned detail;	    /* number of -d: more default events */
	bool null_run;		    /* no events */
	bool starts_off;	    /* not enabled by the exec of the command */
	bool alone;		    /* the threads that call stat_open() open no other counters */
	bool no_scale;		    /* multiplexed counts are not extrapolated */
	bool one_group;		    /* all events are one group (-g) */
	const char *each_cgroup;    /* "a,b" or patterns: all events for each of them; NULL: none */
	bool per_cgroup;	    /* without each_cgroup: for each that has tasks */
	const char *const *metrics; /* -M: "a,b"; names and groups of stat_metric_table.h */
	size_t n_metrics;
	stat_filter_fn resolve_filter;
	probe_adder_fn add_probe; /* of BPF programs */
	bool metric_no_group;	  /* events of a metric may be counted at different times … */
	bool metric_no_merge;	  /* … and each metric has events of its own */
};

/* Where a count was taken; -1 in what it is summed over. */
struct stat_id {
	int node, socket, die;
	int core; /* cluster; or cache: the first CPU that shares it */
	int cpu;
	pid_t tid;
	int level; /* of the cache */
};

bool stat_same_id(const struct stat_id *a, const struct stat_id *b);
struct stat_event;
struct stat_cell;
/* The cell of this place; NULL: none. */
struct stat_cell *stat_find_cell(const struct stat_event *e, const struct stat_id *id);
/* After its cells were sorted. 0 or -ENOMEM: then none is found any more. */
int stat_index_cells(struct stat_event *e);

/* Mean of the runs, by Welford's method. */
struct stat_mean {
	double n, mean, m2;
};
void stat_mean_add(struct stat_mean *m, double value);
/* Standard deviation of the mean; 0 for less than two values. */
double stat_mean_error(const struct stat_mean *m);

/* One sum of one event. */
struct stat_cell {
	struct stat_id id;
	char comm[64];	     /* with STAT_THREAD */
	unsigned n_counters; /* in the sum */
	/* of the last stat_read(); the value is extrapolated if it was multiplexed, in units of the event */
	double value;
	uint64_t enabled_ns, running_ns;
	/* over the runs */
	struct stat_mean values, enabled, running;
};

struct stat_event {
	const struct event *event;
	bool supported;	       /* the kernel opened it */
	struct ptui_error why; /* why not */
	const char *unit;      /* "msec", or "" */
	double scale;	       /* from count to unit */
	bool of_metric;	       /* counted for -M only */
	struct stat_cell *cells;
	size_t n_cells, cap_cells;
	struct index_table index; /* cells by their ids */
};

struct stat;
struct counter_value;

/* Parses the events. NULL with err set. `ops` and what `opts` refers to must outlive it. */
struct stat *stat_new(const struct kernel_ops *ops, const struct stat_opts *opts,
		      struct ptui_error *err);
void stat_free(struct stat *s);

/*
 * Opens the counters: of the command with process id `pid` (0: none, or the whole system is
 * counted), or of the target. An event that the kernel does not support is marked as such. Returns
 * 0, or a negative errno with err set if the target does not exist or counting is not permitted.
 */
int stat_open(struct stat *s, pid_t pid, struct ptui_error *err);
/* Starts counting, unless the exec of the command does so. 0 or a negative errno. */
int stat_start(struct stat *s);
int stat_enable(struct stat *s);
int stat_disable(struct stat *s);
int stat_switch_event(struct stat *s, uint32_t event, bool on);
const struct event_list *stat_events(const struct stat *s);
/* One value of one counter: what it has counted since it was opened. */
struct stat_value {
	uint32_t event;
	int cpu; /* -1: any */
	pid_t tid;
	uint64_t id;
	const struct counter_value *now; /* NULL: it could not be read */
};
/* Called by stat_read() for each value that was read; nonzero ends it. NULL: nothing is called. */
typedef int (*stat_value_fn)(void *ctx, const struct stat_value *value);
void stat_on_value(struct stat *s, stat_value_fn fn, void *ctx);
/* The id in the values of an event that has no counter, such as duration_time. */
static inline uint64_t stat_tool_id(uint32_t event)
{
	return UINT64_MAX - event;
}

/*
 * Reads all counters into the cells: what was counted since stat_open() or, with `since_last`,
 * since the last call. `passed_ns`: the time of that; the usage is that of the command.
 */
struct stat_usage {
	uint64_t passed_ns, user_ns, system_ns;
};
int stat_read(struct stat *s, bool since_last, const struct stat_usage *usage,
	      struct ptui_error *err);
void stat_close(struct stat *s);
/* The same when the program is about to exit: a child process closes tracepoints, which takes the kernel long. */
void stat_close_at_exit(struct stat *s);
/* Adds the cells as the result of one run. */
void stat_add_run(struct stat *s);

size_t stat_n_events(const struct stat *s);
struct stat_event *stat_event(struct stat *s, size_t i);
bool stat_is_system_wide(const struct stat *s);
/* -a by thread. */
bool stat_is_of_all_threads(const struct stat *s);
/* Nothing but the command is counted. */
bool stat_is_of_command(const struct stat *s);
enum stat_aggr stat_aggr(const struct stat *s);

/* cpu-clock and task-clock. */
bool stat_is_clock(const struct event *ev);

/* CPU topology from sysfs; -1 where it is not known. */
void stat_topology(const struct roots *roots, int cpu, const struct stat_opts *opts,
		   struct stat_id *ret);

/* ---- ratios ---- */

struct stat_metric {
	bool known; /* both events were counted */
	double value;
	int width, decimals; /* as perf prints them */
	const char *percent; /* after the number: "%", " " or "" */
	char unit[48];	     /* "CPUs utilized", "M/sec" */
};
#define STAT_METRICS_MAX 4
/* The counts beside one: the mean of those of an event, in ns of clocks; 0: none was counted. */
struct stat_related {
	double (*value)(void *ctx, uint32_t type, uint64_t config, bool any_mode);
	void *ctx;
};
/* The ratios of the count of an event that is no clock: to a related one, or to the clock. Returns how many. */
size_t stat_ratios(uint32_t type, uint64_t config, double value, const struct stat_related *related,
		   struct stat_metric ret[STAT_METRICS_MAX]);
/*
 * The ratios of a cell: to the clock, or to a related event with the same id and cgroup; those of -M
 * for the events of -M. `passed_ns`: the elapsed time. Returns how many.
 */
size_t stat_metrics(struct stat *s, const struct stat_event *e, const struct stat_cell *c,
		    double passed_ns, struct stat_metric ret[STAT_METRICS_MAX]);
/*
 * The columns of an event with --metric-only, known or not: ratios that have one value for all, not
 * rates. `c` NULL: only the titles.
 */
size_t stat_metric_columns(struct stat *s, const struct stat_event *e, const struct stat_cell *c,
			   double passed_ns, struct stat_metric ret[STAT_METRICS_MAX]);

/* ---- text ---- */

struct stat_format {
	const char *separator; /* CSV; NULL: aligned text */
	bool json;
	bool group_digits;
	unsigned n_runs;
	bool summary;	  /* of CSV with -I: lines begin with the word, in place of the time */
	bool interval;	  /* lines begin with a time … */
	uint64_t time_ns; /* … this one */
	double passed_ns; /* what rates refer to */
	bool metric_only; /* one line per sum, with the ratios of all events */
};
/* Appends one line per event and sum, as perf stat prints them. */
void stat_print(struct stat *s, const struct stat_format *f, struct buf *out);
#define STAT_HEADING_EVERY 25 /* intervals */
/* The heading of the lines of -I, and of those of --metric-only. */
void stat_print_heading(struct stat *s, const struct stat_format *f, struct buf *out);

#endif
