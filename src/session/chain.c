/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"

void chain_builder_release(struct chain_builder *b)
{
	free(b->frames);
	free(b->last);
	memset(b, 0, sizeof(*b));
}

void chain_builder_invalidate(struct chain_builder *b)
{
	b->n_last = 0;
}

/* The mode that a context marker starts; negative: unknown marker. */
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

/* Interns the n frames in b->frames as stack nodes, outermost first. */
static int push_frames(struct chain_builder *b, struct stacks *stacks, size_t n,
		       uint32_t *ret_stack)
{
	uint32_t stack = PTUI_NONE;
	bool same = true;

	if (vec_grow(&b->last, &b->cap_last, n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint32_t frame = b->frames[n - 1 - i];

		same = same && i < b->n_last && b->last[i].frame == frame;
		if (same) {
			stack = b->last[i].node;
			continue;
		}
		stack = stacks_push(stacks, stack, frame);
		if (stack == PTUI_NONE) {
			b->n_last = 0;
			return -ENOMEM;
		}
		b->last[i] = (struct chain_step){ frame, stack };
	}
	b->n_last = n;
	*ret_stack = stack;
	return 0;
}

int chain_intern(struct chain_builder *b, struct resolver *r, struct stacks *stacks,
		 const struct data_sample *s, uint64_t when, uint32_t *ret_stack)
{
	int mode = DATA_MODE_USER;
	size_t n = 0;

	if (vec_grow(&b->frames, &b->cap, s->n_chain))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n_chain; i++) {
		uint64_t addr = s->chain[i];

		if (addr == PTUI_CONTEXT_USER_DEFERRED)
			break; /* the user part comes in a separate record */
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
	return push_frames(b, stacks, n, ret_stack);
}
