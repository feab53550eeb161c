/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>
#include <time.h>
#include "kernel/event_open.h"
#include "kernel/features.h"
#include "ptui/log.h"

static void set_format_lost(struct perf_event_attr *attr)
{
	attr->read_format = PTUI_FORMAT_LOST;
}

static void set_build_id(struct perf_event_attr *attr)
{
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->build_id = 1;
}

static void set_clockid(struct perf_event_attr *attr)
{
	attr->size = PTUI_ATTR_SIZE_VER3;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

static void set_context_switch(struct perf_event_attr *attr)
{
	attr->context_switch = 1;
}

static void set_namespaces(struct perf_event_attr *attr)
{
	attr->namespaces = 1;
}

static void set_cgroup(struct perf_event_attr *attr)
{
	attr->cgroup = 1;
	attr->sample_type = PERF_SAMPLE_CGROUP;
}

static void set_data_page_size(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_DATA_PAGE_SIZE;
}

static void set_code_page_size(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_CODE_PAGE_SIZE;
}

static void set_weight_struct(struct perf_event_attr *attr)
{
	attr->sample_type = PERF_SAMPLE_WEIGHT_STRUCT;
}

static const struct {
	const char *name;
	void (*want)(struct perf_event_attr *attr);
} probes[KERNEL_FEATURES] = {
	[KERNEL_FORMAT_LOST] = { "read_format LOST", set_format_lost },
	[KERNEL_BUILD_ID] = { "attr.build_id", set_build_id },
	[KERNEL_CLOCKID] = { "attr.clockid", set_clockid },
	[KERNEL_CONTEXT_SWITCH] = { "attr.context_switch", set_context_switch },
	[KERNEL_NAMESPACES] = { "attr.namespaces", set_namespaces },
	[KERNEL_CGROUP] = { "sample_type CGROUP", set_cgroup },
	[KERNEL_DATA_PAGE_SIZE] = { "sample_type DATA_PAGE_SIZE", set_data_page_size },
	[KERNEL_CODE_PAGE_SIZE] = { "sample_type CODE_PAGE_SIZE", set_code_page_size },
	[KERNEL_WEIGHT_STRUCT] = { "sample_type WEIGHT_STRUCT", set_weight_struct },
};

void kernel_features_init(struct kernel_features *f, const struct kernel_ops *ops)
{
	memset(f, 0, sizeof(*f));
	f->ops = ops;
}

bool kernel_has(struct kernel_features *f, enum kernel_feature feature)
{
	struct perf_event_attr attr;
	int ret;

	if (f->known[feature])
		return f->known[feature] > 0;

	/* For this process and without the kernel part, which everyone may open. */
	memset(&attr, 0, sizeof(attr));
	attr.size = PTUI_ATTR_SIZE_VER0;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.disabled = 1;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	probes[feature].want(&attr);
	ret = event_open_probe(f->ops, &attr);
	f->known[feature] = ret ? -1 : 1;
	ptui_log(PTUI_LOG_DEBUG, "kernel", "%s: %s (%d)", probes[feature].name, ret ? "no" : "yes",
		 ret);
	return !ret;
}
