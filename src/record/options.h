/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy of struct ptui_record_opts with defaults and derived values, checked by perf's rules. */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include "base/arena.h"
#include "event/event.h"
#include "kernel/ops.h"
#include "ptui/record.h"
#include "record/target/target.h"

struct options {
	struct arena arena; /* owns everything that `given` points to */
	/*
	 * With defaults: output and buildid_dir are not NULL, argv is NULL or not empty, and the
	 * arrays parallel to events (filters, exclude_self) exist.
	 */
	struct ptui_record_opts given;
	bool watched; /* counters are read while recording: requires the times in read_format */
	struct target target;
	size_t ring_bytes; /* from given.ring_pages, after options_settle(); 0: default */
	size_t aux_bytes;  /* the same for AUX areas */
	bool ring_rounded; /* ring_bytes is larger than requested */
	bool starts_off;   /* -D: neither the start nor the exec enables the counters */
};

/* 0 or -ENOMEM; call options_release() in any case. */
int options_copy(struct options *o, const struct ptui_record_opts *from);
void options_release(struct options *o);

/*
 * Resolves what depends on the machine: user, CPUs, ring size; -G requires -a, as in perf. 0, or a
 * negative errno with err set.
 */
int options_settle(struct options *o, const struct kernel_ops *ops, struct ptui_error *err);

/* True if the command is the only target: its exec can enable the counters. */
bool options_workload_only(const struct options *o);

/* Current kernel.perf_event_max_sample_rate; 0: unreadable. */
uint64_t options_max_freq_hz(const struct kernel_ops *ops);

/*
 * Sets up the attrs of the events by the options (event/attr.h), for this kernel. *ret_lowered_hz:
 * the kernel's limit if a higher frequency was requested, else 0. 0, -ENOMEM, or -ENOTSUP and
 * -EINVAL with err set.
 */
int options_configure(const struct options *o, const struct kernel_ops *ops,
		      struct event_list *events, uint64_t *ret_lowered_hz, struct ptui_error *err);

#endif
