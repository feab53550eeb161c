/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/chain.h"

#include <errno.h>
#include <stdlib.h>
#include "base/perf_abi.h"
#include "base/vec.h"

void chain_builder_release(struct chain_builder *b)
{
	free(b->frames);
	b->frames = NULL;
	b->cap = 0;
}

/* The mode that a context marker begins; negative: it is none that we know. */
static int marker_mode(uint64_t marker)
{
	static const struct {
		uint64_t marker;
		int mode;
	} markers[] = {
		{ PERF_CONTEXT_HV, DATA_MODE_HYPERVISOR },
		{ PERF_CONTEXT_KERNEL, DATA_MODE_KERNEL },
		{ PERF_CONTEXT_USER, DATA_MODE_USER },
		{ PERF_CONTEXT_GUEST_KERNEL, DATA_MODE_GUEST_KERNEL },
		{ PERF_CONTEXT_GUEST_USER, DATA_MODE_GUEST_USER },
	};

	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		if (markers[i].marker == marker)
			return markers[i].mode;
	}
	return -1;
}

int chain_intern(struct chain_builder *b, struct resolver *r, struct stacks *stacks,
		 const struct data_sample *s, uint64_t when, uint32_t *ret_stack)
{
	uint32_t stack = PTUI_NONE;
	int mode = DATA_MODE_USER;
	size_t n = 0;

	if (vec_grow(&b->frames, &b->cap, s->n_chain))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n_chain; i++) {
		uint64_t addr = s->chain[i];

		if (addr == PTUI_CONTEXT_USER_DEFERRED)
			break; /* the user's part comes in a record of its own */
		if (addr >= (uint64_t)PERF_CONTEXT_MAX) {
			mode = marker_mode(addr);
			if (mode < 0)
				return -EBADMSG;
			continue;
		}
		b->frames[n] = resolver_frame(r, s->pid, (unsigned)mode, when, addr);
		if (b->frames[n++] == PTUI_NONE)
			return -ENOMEM;
	}
	while (n) {
		stack = stacks_push(stacks, stack, b->frames[--n]);
		if (stack == PTUI_NONE)
			return -ENOMEM;
	}
	*ret_stack = stack;
	return 0;
}
