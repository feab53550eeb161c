/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user part of a stack if it is not in the callchain of the sample:
 *
 *   registers and a copy of the stack   unwound (--call-graph dwarf)
 *   call stack of the LBR               its addresses (--call-graph lbr)
 *   cookie                              callchain of the record with the same cookie (deferred.h)
 */
#ifndef SESSION_USER_CHAIN_H
#define SESSION_USER_CHAIN_H

#include "profile/samples.h"
#include "resolve/stack_unwinder.h"
#include "session/chain.h"
#include "session/deferred.h"

/*
 * Call stacks of the LBR that are deeper than it is: what an earlier sample of the thread had below the
 * outermost call of the current one, if both have the calls in common that are in the same registers.
 *
 *	earlier sample   g f e d c b a -          a, b: stitched to the current one
 *	current sample   - - - i h e d c          in the order of the registers
 */
struct lbr_thread {
	int32_t tid;
	uint64_t time_ns, hw_index;
	uint64_t *entries; /* of the last sample: n of them, the newest first, as recorded */
	size_t n, cap_entries;
	uint64_t *below; /* addresses that are stitched, innermost first */
	size_t n_below, cap_below;
};

struct user_chains {
	struct stack_unwinder *unwinder; /* NULL: no event has callchains */
	struct deferred_chains deferred;
	unsigned max_lbr; /* --stitch-lbr: number of registers of the LBR; 0: stacks as recorded */
	size_t max_threads; /* of the newest threads its stacks are kept; 0: of all */
	struct lbr_thread *lbr;
	size_t n_lbr, cap_lbr;
	bool swapped;	 /* the recording has the other byte order */
	uint64_t *addrs; /* of the current sample */
	size_t cap;
};

void user_chains_release(struct user_chains *u); /* accepts a zeroed one */

/* Whether the samples of an event have a copy of the user stack instead of a user callchain. */
bool user_chain_is_dumped(const struct data_event *e);
/* Whether its stacks were unwound while recording: record/unwind/short_sample.h. */
bool user_chain_was_unwound(const struct data_event *e);

/*
 * 1: *ret is the user part, valid until the next call. 0: the user part is that of the callchain,
 * if any. *ret_how is set in both cases. -ENOMEM.
 */
int user_chain_get(struct user_chains *u, const struct data_event *e, const struct data_sample *s,
		   uint64_t when, struct chain_user *ret, uint8_t *ret_how);

#endif
