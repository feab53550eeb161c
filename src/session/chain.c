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

int chain_marker_mode(uint64_t marker)
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

static bool is_marker(uint64_t addr)
{
	return addr >= (uint64_t)PERF_CONTEXT_MAX;
}

bool chain_has_user(const struct data_sample *s)
{
	int mode = DATA_MODE_USER;

	for (uint32_t i = 0; i < s->n_chain; i++) {
		if (is_marker(s->chain[i]))
			mode = chain_marker_mode(s->chain[i]);
		else if (mode == DATA_MODE_USER)
			return true;
	}
	return false;
}

bool chain_is_deferred(const struct data_sample *s, uint64_t *ret_cookie)
{
	uint32_t n = s->n_chain;

	if (n < 2 || s->chain[n - 2] != PTUI_CONTEXT_USER_DEFERRED)
		return false;
	*ret_cookie = s->chain[n - 1];
	return true;
}

static int add_frame(struct chain_builder *b, struct resolver *r, const struct data_sample *s,
		     int mode, uint64_t when, uint64_t addr, size_t *n)
{
	uint32_t frame = resolver_frame(r, s->pid, (unsigned)mode, when, addr);

	if (frame == PTUI_NONE)
		return -ENOMEM;
	if (mode == DATA_MODE_USER && b->first_user == PTUI_NONE)
		b->first_user = frame;
	b->frames[(*n)++] = frame;
	return 0;
}

int chain_frames(struct chain_builder *b, struct resolver *r, const struct data_sample *s,
		 const struct chain_user *user, uint64_t when, size_t *ret_n)
{
	size_t n = 0, n_user = user ? user->n : 0, max = b->max_stack ? b->max_stack : SIZE_MAX;
	int mode = DATA_MODE_USER, ret = 0;

	b->first_user = PTUI_NONE;
	if (vec_grow(&b->frames, &b->cap, s->n_chain + n_user))
		return -ENOMEM;
	for (uint32_t i = 0; i < s->n_chain && n < max && !ret; i++) {
		uint64_t addr = s->chain[i];

		if (addr == PTUI_CONTEXT_USER_DEFERRED)
			break; /* the user part comes in a separate record; a cookie follows */
		if (is_marker(addr)) {
			mode = chain_marker_mode(addr);
			if (mode < 0)
				return -EBADMSG;
		} else if (!user || mode != DATA_MODE_USER) {
			ret = add_frame(b, r, s, mode, when, addr, &n);
		}
	}
	for (size_t i = 0; i < n_user && (!user->limited || n < max) && !ret; i++)
		ret = add_frame(b, r, s, DATA_MODE_USER, when, user->addrs[i], &n);
	*ret_n = n;
	return ret;
}

int chain_intern(struct chain_builder *b, struct resolver *r, struct stacks *stacks,
		 const struct data_sample *s, const struct chain_user *user, uint64_t when,
		 uint32_t *ret_stack)
{
	size_t n;
	int ret = chain_frames(b, r, s, user, when, &n);

	return ret ? ret : push_frames(b, stacks, n, ret_stack);
}
