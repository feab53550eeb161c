/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct ptui_record_opts, owned, and with perf's rules where options contradict. */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include "event/event.h"
#include "kernel/ops.h"
#include "ptui/record.h"
#include "record/whom.h"

/* ptui_record_trigger */
struct options_trigger {
	char **when;
	size_t n_when;
	uint64_t max_bytes;
	char **events;
	char **filters; /* n_events, NULL for none */
	size_t n_events;
};

struct options {
	char **events;
	char **filters; /* n_events, NULL for none */
	bool *exclude_self;
	size_t n_events;
	uint64_t freq_hz, period;
	bool max_freq, strict_freq;
	struct ptui_shape shape;
	unsigned skip_synth, synth_threads;
	bool tail_synth;
	uint64_t proc_map_timeout_ms;
	bool watched; /* the counters are read meanwhile: they need the times */
	struct whom whom;
	char **cgroups; /* names, and how many of `events` stand before them */
	size_t *cgroup_after;
	size_t n_cgroups;
	char *ring_pages;  /* as it was said; NULL: the default */
	size_t ring_bytes; /* of it, after options_settle() */
	bool ring_rounded; /* it is more than was said */
	char **argv; /* NULL: no command */
	char *output;
	enum ptui_record_buildid buildid;
	bool buildid_all;
	char *buildid_dir; /* never NULL, as of options_copy() */
	struct ptui_record_output out;
	struct options_trigger trigger;
	void (*took_snapshot)(void *ctx, const struct ptui_snapshot *taken);
	void *took_snapshot_ctx;
	bool starts_off; /* -D: the counters are not switched on by the start, nor by the exec */
	enum ptui_record_affinity affinity;
	uint64_t realtime_priority;
	char *cmdline;
	size_t cmdline_bytes;
};

/* 0 or -ENOMEM, with *o to be released in any case. */
int options_copy(struct options *o, const struct ptui_record_opts *from);
void options_release(struct options *o);

/*
 * Looks up what only this machine can tell: the user, the CPUs, the size of the rings; -G needs -a,
 * as in perf. 0 or a negative errno.
 */
int options_settle(struct options *o, const struct kernel_ops *ops, struct ptui_error *err);

/* The command is the one target: it can be enabled by its exec. */
bool options_workload_only(const struct options *o);

/* kernel.perf_event_max_sample_rate now; 0: it cannot be read. */
uint64_t options_max_freq_hz(const struct kernel_ops *ops);

/*
 * Completes the events as these options want them (event/attr.h), for this kernel. *ret_lowered_hz:
 * what the kernel allows, when more samples a second were asked for, else 0. What this kernel or
 * ptui cannot do is refused. 0, -ENOMEM, or -ENOTSUP and -EINVAL with the reason.
 */
int options_configure(const struct options *o, const struct kernel_ops *ops,
		      struct event_list *events, uint64_t *ret_lowered_hz, struct ptui_error *err);

#endif
