/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Callers that recorded callchains lack. The kernel follows frame pointers:
 *
 *   main -> f -> leaf, which has set up no frame (yet): FP is that of f
 *
 *   chain:  leaf, return address in main        f is missing
 *
 * The call frame information of the sampled address shows it: there the CFA depends on SP.
 *
 * Linux 6.12 and later read the caller from the stack at a uprobe whose instruction is "push %rbp" or endbr64. By
 * call frame information that is a function that begins there and saves FP next.
 */
#ifndef SESSION_LEAF_H
#define SESSION_LEAF_H

#include "profile/row_writer.h"
#include "resolve/resolver.h"
#include "resolve/stack_unwinder.h"

/*
 * By frame. Zero-initialized. A frame is looked up when its first chain is resolved, and answered when
 * the row is written, which may be by another thread.
 */
struct leaf_cache {
	uint8_t *found; /* whether its leaf had a module */
	size_t cap_found;
	uint8_t *answers; /* the writer's */
	size_t cap_answers;
};

void leaf_cache_release(struct leaf_cache *c);
/* To be called when the ids of frames have changed. */
void leaf_cache_invalidate(struct leaf_cache *c);
/* The leaf of a chain whose innermost user frame is `frame`. */
struct row_leaf leaf_of_frame(struct leaf_cache *c, struct stack_unwinder *u,
			      const struct resolver *r, uint32_t frame);
/* Whether leaf_of_frame() was called for it. */
bool leaf_is_known(const struct leaf_cache *c, uint32_t frame);
/* Whether the kernel reads callers at uprobes; NULL: the kernel of this machine. */
bool leaf_has_uprobe_callers(const char *release);
/* Whether the caller is missing. False if unknown. */
bool leaf_skips_caller(struct leaf_cache *c, struct stack_unwinder *u, const struct row_leaf *leaf);
/* Replaces STACK_ASKS of the rows by STACK_SKIPS where that applies. */
void leaf_find_skips(struct leaf_cache *c, struct stack_unwinder *u, const struct resolver *r,
		     const struct stacks *stacks, struct merged_rows *rows);

#endif
