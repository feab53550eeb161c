/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branch filters by name: perf's -j, and the term branch_type. */
#include <string.h>
#include "event/selector/terms.h"

#define LEVELS (PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)

static const struct {
	const char *name;
	uint64_t bits;
} filters[] = {
	{ "u", PERF_SAMPLE_BRANCH_USER },
	{ "k", PERF_SAMPLE_BRANCH_KERNEL },
	{ "hv", PERF_SAMPLE_BRANCH_HV },
	{ "any", PERF_SAMPLE_BRANCH_ANY },
	{ "any_call", PERF_SAMPLE_BRANCH_ANY_CALL },
	{ "any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN },
	{ "ind_call", PERF_SAMPLE_BRANCH_IND_CALL },
	{ "abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX },
	{ "in_tx", PERF_SAMPLE_BRANCH_IN_TX },
	{ "no_tx", PERF_SAMPLE_BRANCH_NO_TX },
	{ "cond", PERF_SAMPLE_BRANCH_COND },
	{ "ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP },
	{ "call", PERF_SAMPLE_BRANCH_CALL },
	{ "no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS },
	{ "no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES },
	{ "save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE },
	{ "stack", PERF_SAMPLE_BRANCH_CALL_STACK },
	{ "hw_index", PERF_SAMPLE_BRANCH_HW_INDEX },
	{ "priv", PERF_SAMPLE_BRANCH_PRIV_SAVE },
	{ "counter", PTUI_BRANCH_COUNTERS },
};

bool branch_filter_find(const char *name, size_t len, uint64_t *ret_bits)
{
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		if (strlen(filters[i].name) == len && !memcmp(filters[i].name, name, len)) {
			*ret_bits = filters[i].bits;
			return true;
		}
	}
	return false;
}

uint64_t branch_filter_complete(uint64_t bits)
{
	return bits & ~(uint64_t)LEVELS ? bits : bits | PERF_SAMPLE_BRANCH_ANY;
}
