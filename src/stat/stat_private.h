/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals, for the files of this room only. */
#ifndef STAT_STAT_PRIVATE_H
#define STAT_STAT_PRIVATE_H

#include "kernel/counters.h"
#include "record/target/cgroup.h"
#include "record/target/target.h"
#include "stat/stat.h"
#include "stat/stat_metric_table.h"
#include "stat/stat_places.h"

struct catalog;

/* One group of events, as far as the kernel supports them. */
struct set {
	struct event_list list; /* copies of s->list.v[index[i]], which own nothing */
	uint32_t *index;
	struct counters counters;
	bool open;
	struct counter_value *before; /* by counter */
	size_t cap_before;
};

/* A metric of -M, and the events that are counted for it. */
struct chosen_metric {
	const struct stat_metric_def *def;
	uint32_t over, under; /* under PTUI_NONE: the elapsed time */
};

struct stat {
	const struct kernel_ops *ops;
	struct stat_opts opts;
	struct catalog *catalog;
	struct target target;
	struct cgroups cgroups;
	struct event_list list;
	struct stat_event *events;
	struct chosen_metric *chosen;
	size_t n_chosen, cap_chosen;
	struct set **sets; /* counters point into them */
	size_t n_sets, cap_sets;
	stat_value_fn on_value; /* NULL: none */
	void *on_value_ctx;
	uint64_t passed_ns; /* of stat_begin_sums(); 0: not known */
	bool programs_loaded;
	pid_t opener; /* the thread that has opened all counters, and no others; 0: any */
	const struct stat_places *places; /* of a recording; NULL: this machine */
};

/* Parses the events of the options into s->list. 0 or a negative errno with err set. */
int stat_parse_events(struct stat *s, struct ptui_error *err);
/* Adds the events of -M to s->list. 0 or a negative errno with err set. */
int stat_choose_metrics(struct stat *s, struct ptui_error *err);
/* The attr, unit and scale of the i-th event. */
void stat_settle_event(struct stat *s, size_t i);

/* The same fields in all: cells of events, as stat_new() makes them of parsed ones. 0 or -ENOMEM. */
int stat_prepare_events(struct stat *s);

/* The cells of all threads, whose names are lost once they end. 0 or -ENOMEM. */
int stat_name_threads(struct stat *s);

/* A sum of all cells: begin, add each value, end. `before`: what does not count. 0 or -ENOMEM. */
void stat_begin_sums(struct stat *s, uint64_t passed_ns);
int stat_add_value(struct stat *s, const struct stat_value *value,
		   const struct counter_value *before);
int stat_end_sums(struct stat *s);
/* Between adding and the end: what the sums cost, and printing them, in lines of usual length. */
uint64_t stat_sums_cost(const struct stat *s);

#endif
