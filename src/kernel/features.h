/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Features of this kernel's perf_event_open(), probed with dummy events. Versions are not compared,
 * since distributions backport.
 */
#ifndef KERNEL_FEATURES_H
#define KERNEL_FEATURES_H

#include <stdbool.h>
#include "kernel/ops.h"

enum kernel_feature {
	KERNEL_FORMAT_LOST,    /* read_format LOST: samples lost, by counter (6.0) */
	KERNEL_BUILD_ID,       /* attr.build_id: MMAP2 carries build-ids (5.12) */
	KERNEL_CLOCKID,	       /* attr.use_clockid (4.1) */
	KERNEL_CONTEXT_SWITCH, /* attr.context_switch (4.3) */
	KERNEL_NAMESPACES,     /* attr.namespaces (4.12) */
	KERNEL_CGROUP,	       /* attr.cgroup and PERF_SAMPLE_CGROUP (5.7) */
	KERNEL_DATA_PAGE_SIZE, /* PERF_SAMPLE_DATA_PAGE_SIZE (5.11) */
	KERNEL_CODE_PAGE_SIZE, /* PERF_SAMPLE_CODE_PAGE_SIZE (5.11) */
	KERNEL_WEIGHT_STRUCT,  /* PERF_SAMPLE_WEIGHT_STRUCT (5.12) */
	KERNEL_TEXT_POKE,      /* attr.text_poke (5.9) */
	KERNEL_FEATURES
};

/* Cached results. Not thread-safe. */
struct kernel_features {
	const struct kernel_ops *ops;
	signed char known[KERNEL_FEATURES]; /* 0: unknown, 1: yes */
};

void kernel_features_init(struct kernel_features *f, const struct kernel_ops *ops);
bool kernel_has(struct kernel_features *f, enum kernel_feature feature);

#endif
