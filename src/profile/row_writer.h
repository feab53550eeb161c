/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From chains of frames to rows of a store: the nodes of their stacks, and the columns.
 *
 *	walk, decode, resolve --row_writer_chain(), row_writer_row()--> batches, in order --> store
 *
 * While a file is loaded, rows are collected in batches, so that what the rows of a batch look at is loaded from memory
 * first. A thread of the writer's may take them, so that samples are resolved while those before are written. The store
 * becomes the same without batches, with them, and with the thread.
 *
 * Whether the caller of a sampled function is missing is a slow question, and one of the writer's: it asks
 * row_writer.skips_caller().
 */
#ifndef PROFILE_ROW_WRITER_H
#define PROFILE_ROW_WRITER_H

#include "profile/store.h"

struct row_queue;
struct step;

/* The innermost user function of a chain. Equal frames have equal modules and offsets. */
struct row_leaf {
	uint32_t frame;	 /* PTUI_NONE: there is none, or it does not matter */
	uint32_t module; /* PTUI_NONE: as in an earlier row */
	uint64_t off;
	bool at_uprobe; /* `module` is set then */
};

/* Its frames, outer ones first. */
struct row_chain {
	const uint32_t *frames;
	size_t n;
	/* If known, they follow the callers that were kept there. */
	bool known;
	/* If not, they follow the outermost `same` frames of the last such chain, ... */
	size_t same;
	/* ... and the node of all but the innermost frame is kept there; PTUI_NONE: nowhere. */
	uint32_t kept_at;
};

struct row_writer {
	struct profile_store *store; /* borrowed */
	uint32_t *nodes;	     /* of the last whole chain, outermost first */
	size_t cap_nodes;
	uint32_t *kept; /* nodes of callers, by row_chain.kept_at */
	size_t cap_kept;
	uint32_t *paths, *kept_paths; /* of the same nodes, but of the chain that came last */
	size_t cap_paths, cap_kept_paths;
	struct step *steps; /* without batches: of the chain that is written */
	size_t cap_steps;
	uint32_t stack;		 /* of the last chain */
	struct row_queue *queue; /* NULL: no batches */
	/* If so, the row gets STACK_SKIPS. Called in the order of rows; with a thread, by the thread. */
	bool (*skips_caller)(void *ctx, const struct row_leaf *leaf);
	void *skips_ctx;
	bool asks_later; /* the row gets STACK_ASKS instead, unless at a uprobe */
};

void row_writer_init(struct row_writer *w, struct profile_store *store);
void row_writer_release(struct row_writer *w); /* ends the thread; accepts a zeroed one */
/*
 * Starts batches, and a thread for them if `threaded`. Until row_writer_finish(), of the store only names and threads
 * may be used. Without memory, everything is written at once by the caller.
 */
void row_writer_start(struct row_writer *w, bool threaded);
/* Waits until everything is in the store, and ends the thread, if any. 0 or -ENOMEM. */
int row_writer_finish(struct row_writer *w);

/* The next chain. 0 or -ENOMEM; with batches, that may be of a call before. */
int row_writer_chain(struct row_writer *w, const struct row_chain *c);
/*
 * Adds a row; unless its stack is PTUI_NONE, it is that of the last chain. `leaf` may be NULL. 0 or
 * -ENOMEM.
 */
int row_writer_row(struct row_writer *w, const struct sample_row *row, const struct row_leaf *leaf);

#endif
