/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callers that recorded callchains lack. The kernel follows frame pointers:
 *
 *   main -> f -> leaf, which has set up no frame (yet): FP is that of f
 *
 *   chain:  leaf, return address in main        f is missing
 *
 * The call frame information of the sampled address shows it: there the CFA depends on SP.
 */
#ifndef SESSION_LEAF_H
#define SESSION_LEAF_H

#include "resolve/resolver.h"
#include "resolve/stack_unwinder.h"

/* By frame. Zero-initialized. */
struct leaf_cache {
	uint8_t *v;
	size_t cap;
};

void leaf_cache_release(struct leaf_cache *c);
/* To be called when the ids of frames have changed. */
void leaf_cache_invalidate(struct leaf_cache *c);
/* Whether the caller is missing if `frame` is the innermost user frame. False if unknown. */
bool leaf_skips_caller(struct leaf_cache *c, struct stack_unwinder *u, const struct resolver *r,
		       uint32_t frame);

#endif
