/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the callchain of a sample to frames, and to a node of the stack table.
 *
 *   chain:  KERNEL k2 k1 USER u3 u2 u1      innermost first; markers give the mode of what follows
 *   stack:  u1 - u2 - u3 - k1 - k2          outermost first, so common beginnings are stored once
 *
 * The user part may come from elsewhere: from unwinding, from a branch stack, or from a record of
 * its own (user_chain.h).
 */
#ifndef SESSION_CHAIN_H
#define SESSION_CHAIN_H

#include "data/data.h"
#include "profile/stacks.h"
#include "resolve/resolver.h"

/*
 * Reused for all samples; zero-initialized. Keeps the last chain: what the next one shares with it,
 * from its outermost address on, is neither resolved nor looked up again. Keeps the callers of recent
 * chains by their words: of a chain with the same ones, only the innermost address is resolved.
 */
struct chain_builder {
	uint32_t max_stack; /* maximum number of frames of a callchain; 0: no limit */
	bool outermost;	    /* of more, the outermost are kept; else the innermost */
	size_t skip; /* words of the current callchain that are left out; its markers count all the same */
	struct resolver_addr *addrs; /* of the current chain, innermost first */
	size_t n, cap;
	uint32_t leaf;		    /* the frame of the sample's own address */
	uint32_t first_user;	    /* innermost user frame of the current chain; PTUI_NONE: none */
	struct resolver_addr *last; /* outermost first; the spans: of it and all outer ones */
	size_t n_last, cap_last;
	int32_t last_pid;
	size_t same;	  /* the outermost frames that are those of the chain before */
	uint32_t *frames; /* the others, n_frames of them, outermost first */
	size_t n_frames, cap_frames;
	struct chain_callers *kept; /* CHAIN_KEPT of them; NULL: none are kept */
	/*
	 * Where the callers of the current chain, all but its innermost frame, are kept; PTUI_NONE: nowhere.
	 * If they were kept before, `frames` has the innermost one only.
	 */
	uint32_t kept_at;
	bool known;
};

/*
 * Callers that came before. Most samples have the callers of a recent one of the process, at another
 * address of the sampled function.
 */
#define CHAIN_KEPT (1u << 13) /* these fit in the processor's cache */

struct chain_callers {
	struct hash_wide
		words;	     /* of the process, the mode and all words but the innermost address */
	uint64_t from, last; /* both included: when they mean the same */
	uint32_t first_user; /* the innermost user frame; PTUI_NONE: none */
	bool used;
};

/* The user part of a stack, innermost first. */
struct chain_user {
	const uint64_t *addrs;
	size_t n;
	bool limited; /* part of the callchain for max_stack; else it has a limit of its own */
};

void chain_builder_release(struct chain_builder *b);
/* From here on, callers are kept, if there is memory for it. */
void chain_builder_keep(struct chain_builder *b);
/* To be called when the node ids of the table have changed. */
void chain_builder_invalidate(struct chain_builder *b);

/*
 * `user` replaces the user part of the callchain; NULL: keep it. 0; b->n is 0 for a chain without
 * addresses. -EBADMSG: the chain has an unknown marker (perf drops such chains, too); the chain before
 * stays the last one. -ENOMEM. A chain with known callers does not become the last one either.
 */
int chain_resolve(struct chain_builder *b, struct resolver *r, const struct data_sample *s,
		  const struct chain_user *user, uint64_t when);

/* The mode that a context marker starts; -1: unknown marker. */
int chain_marker_mode(uint64_t marker);
/* Whether the callchain of the sample has user frames. */
bool chain_has_user(const struct data_sample *s);
/* Whether the user part is in a CALLCHAIN_DEFERRED record: that with the same cookie. */
bool chain_is_deferred(const struct data_sample *s, uint64_t *ret_cookie);

#endif
