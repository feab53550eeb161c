/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User callchains that the kernel recorded on the way back to user space (Linux 6.19):
 *
 *   SAMPLE  chain: KERNEL k2 k1 USER_DEFERRED cookie      one or more
 *   CALLCHAIN_DEFERRED  cookie, USER u3 u2 u1             later, of the same thread
 *
 * They are added with the sideband, before the samples.
 */
#ifndef SESSION_DEFERRED_H
#define SESSION_DEFERRED_H

#include "base/hash.h"
#include "data/data.h"
#include "session/chain.h"

/* One record. */
struct deferred_chain {
	uint64_t cookie, when;
	size_t first; /* of addrs */
	uint32_t n;
	int32_t tid;
};

/* Zero-initialized. */
struct deferred_chains {
	struct deferred_chain *v;
	size_t n, cap;
	struct index_table index;
	uint64_t *addrs; /* innermost first, chain by chain */
	size_t n_addrs, cap_addrs;
};

void deferred_release(struct deferred_chains *d);
/* The first one of a thread and cookie is kept. 0 or -ENOMEM. */
int deferred_add(struct deferred_chains *d, const struct data_record *rec, uint64_t when);
/* False: there is no such record. */
bool deferred_find(const struct deferred_chains *d, int32_t tid, uint64_t cookie,
		   struct chain_user *ret);
/* For long recordings: removes those before `when`. 0 or -ENOMEM. */
int deferred_drop(struct deferred_chains *d, uint64_t when);

#endif
