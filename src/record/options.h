/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy of struct ptui_record_opts, with what is found out about it and perf's rules where options contradict. */
#ifndef RECORD_OPTIONS_H
#define RECORD_OPTIONS_H

#include "base/arena.h"
#include "event/event.h"
#include "kernel/ops.h"
#include "ptui/record.h"
#include "record/target/target.h"

struct options {
	struct arena arena; /* of all that `given` points to */
	/*
	 * As it was given, with defaults: output and buildid_dir are never NULL, an argv has a word, and the
	 * arrays beside events (filters, exclude_self) are there.
	 */
	struct ptui_record_opts given;
	bool watched; /* the counters are read meanwhile: they need the times */
	struct target target;
	size_t ring_bytes; /* of given.ring_pages, after options_settle(); 0: the default */
	bool ring_rounded; /* it is more than was said */
	bool starts_off;   /* -D: the counters are not switched on by the start, nor by the exec */
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
