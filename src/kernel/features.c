/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <time.h>
#include "kernel/event_open.h"
#include "kernel/features.h"
#include "ptui/log.h"

/* What is asked for, besides a dummy event. */
static const struct {
	const char *name;
	struct perf_event_attr attr;
} probes[KERNEL_FEATURES] = {
	[KERNEL_FORMAT_LOST] = { "read_format LOST", { .read_format = PTUI_FORMAT_LOST } },
	[KERNEL_BUILD_ID] = { "attr.build_id", { .mmap = 1, .mmap2 = 1, .build_id = 1 } },
	[KERNEL_CLOCKID] = { "attr.clockid",
			     { .size = PTUI_ATTR_SIZE_VER3,
			       .use_clockid = 1,
			       .clockid = CLOCK_MONOTONIC } },
	[KERNEL_CONTEXT_SWITCH] = { "attr.context_switch", { .context_switch = 1 } },
	[KERNEL_NAMESPACES] = { "attr.namespaces", { .namespaces = 1 } },
	[KERNEL_CGROUP] = { "sample_type CGROUP",
			    { .cgroup = 1, .sample_type = PERF_SAMPLE_CGROUP } },
	[KERNEL_DATA_PAGE_SIZE] = { "sample_type DATA_PAGE_SIZE",
				    { .sample_type = PERF_SAMPLE_DATA_PAGE_SIZE } },
	[KERNEL_CODE_PAGE_SIZE] = { "sample_type CODE_PAGE_SIZE",
				    { .sample_type = PERF_SAMPLE_CODE_PAGE_SIZE } },
	[KERNEL_WEIGHT_STRUCT] = { "sample_type WEIGHT_STRUCT",
				   { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT } },
	[KERNEL_TEXT_POKE] = { "attr.text_poke", { .text_poke = 1 } },
};

void kernel_features_init(struct kernel_features *f, const struct kernel_ops *ops)
{
	memset(f, 0, sizeof(*f));
	f->ops = ops;
}

bool kernel_has(struct kernel_features *f, enum kernel_feature feature)
{
	struct perf_event_attr attr = probes[feature].attr;
	int ret;

	if (f->known[feature])
		return f->known[feature] > 0;

	/* For this process and without the kernel part, which everyone may open. */
	if (!attr.size)
		attr.size = PTUI_ATTR_SIZE_VER0;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	ret = event_open_probe(f->ops, &attr);
	f->known[feature] = ret ? -1 : 1;
	ptui_log(PTUI_LOG_DEBUG, "kernel", "%s: %s (%d)", probes[feature].name, ret ? "no" : "yes",
		 ret);
	return !ret;
}
