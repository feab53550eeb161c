/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include "base/i18n.h"
#include "kernel/features.h"
#include "record/doctor/needs.h"

#define USED(field) offsetof(struct ptui_shape, field)

static const struct {
	size_t used; /* offset of a bool */
	enum kernel_feature feature;
	const char *option, *since;
} needs[] = {
	{ USED(use_clockid), KERNEL_CLOCKID, "--clockid", "4.1" },
	{ USED(switch_events), KERNEL_CONTEXT_SWITCH, "--switch-events", "4.3" },
	{ USED(namespaces), KERNEL_NAMESPACES, "--namespaces", "4.12" },
	{ USED(all_cgroups), KERNEL_CGROUP, "--all-cgroups", "5.7" },
	{ USED(data_page_size), KERNEL_DATA_PAGE_SIZE, "--data-page-size", "5.11" },
	{ USED(code_page_size), KERNEL_CODE_PAGE_SIZE, "--code-page-size", "5.11" },
};

int needs_check(const struct ptui_shape *shape, const struct kernel_ops *ops,
		struct ptui_error *err)
{
	struct kernel_features features;

	kernel_features_init(&features, ops);
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++) {
		if (!*(const bool *)((const char *)shape + needs[i].used) ||
		    kernel_has(&features, needs[i].feature))
			continue;
		return ptui_error_set(err, PTUI_ERROR_SYSTEM, ENOTSUP, needs[i].option,
				      _("%s is not supported by this kernel (requires Linux %s)"),
				      needs[i].option, needs[i].since);
	}
	return 0;
}
