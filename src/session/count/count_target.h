/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target of a counting run: a copy of those record options that are needed after the start. */
#ifndef SESSION_COUNT_TARGET_H
#define SESSION_COUNT_TARGET_H

#include "kernel/ops.h"
#include "ptui/count.h"
#include "ptui/record.h"

struct count_target {
	/* workload and target are owned; events, filters and cgroups borrowed until they are forgotten */
	struct ptui_record_opts what;
};

/* 0 or -ENOMEM; call count_target_release() in any case. */
int count_target_copy(struct count_target *t, const struct ptui_record_opts *what);
/* They were parsed. */
void count_target_forget_events(struct count_target *t);
void count_target_release(struct count_target *t);

/* For tests: with a kernel of their own. */
struct ptui_count_run *count_run_new(const struct ptui_count_run_opts *opts,
				     const struct kernel_ops *ops, struct ptui_error *err);

#endif
