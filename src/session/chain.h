/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample's callchain to a node of the stack table.
 *
 *   chain:  KERNEL k2 k1 USER u3 u2 u1      innermost first, markers tell whose follow
 *   stack:  u1 - u2 - u3 - k1 - k2          outermost first: common beginnings are kept once
 */
#ifndef SESSION_CHAIN_H
#define SESSION_CHAIN_H

#include "data/data.h"
#include "profile/stacks.h"
#include "resolve/resolver.h"

/*
 * Reused from sample to sample. All zero is the start. The last chain is kept, outermost
 * first: as far as the next one agrees with it, its nodes are known without a look-up.
 */
struct chain_builder {
	uint32_t *frames; /* of the chain at hand, innermost first */
	size_t cap;
	struct chain_step {
		uint32_t frame, node;
	} * last;
	size_t n_last, cap_last;
};

void chain_builder_release(struct chain_builder *b);
/* The ids of the table's nodes have changed. */
void chain_builder_invalidate(struct chain_builder *b);

/*
 * 0; *ret_stack is PTUI_NONE for a chain without addresses. -EBADMSG: a marker that means
 * nothing is in it (perf leaves such chains out, too). -ENOMEM.
 */
int chain_intern(struct chain_builder *b, struct resolver *r, struct stacks *stacks,
		 const struct data_sample *s, uint64_t when, uint32_t *ret_stack);

#endif
