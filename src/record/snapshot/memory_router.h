/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass of the pump does with -M: of what is in the rings the samples go into the memory, and
 * everything else where records always go, at once. The samples of all rings are merged by time: the
 * memory drops from its old end, and must not drop newer samples of one CPU to keep older ones of another.
 *
 *	ring [ S S M S C | S S ]  --->  memory_ring_add(S) ...      record_sink_put(M C)      record_sink_show(S S S S S)
 *	                                                                            and a FINISHED_ROUND
 *
 * Who watches sees the samples as they pass, though no file has them: rounds are finished for him,
 * while in the file nothing ever is, since older samples may still come into it.
 */
#ifndef RECORD_SNAPSHOT_MEMORY_ROUTER_H
#define RECORD_SNAPSHOT_MEMORY_ROUTER_H

#include "kernel/ring.h"
#include "record/record_sink.h"
#include "record/snapshot/memory_ring.h"
#include "record/snapshot/overwrite_reader.h"

/* Pieces of rings. */
struct memory_router_list {
	struct iovec *v;
	size_t n, cap;
};

/* The next sample of a ring. */
struct memory_router_cursor {
	struct ring_hop hop;
	uint64_t at, time_ns;
	size_t bytes;
};

struct memory_router {
	struct memory_ring memory;
	size_t time_off; /* as of overwrite_reader_init(); 0: ring after ring */
	struct memory_router_cursor *cursors; /* of this pass */
	size_t n_cursors, cap_cursors;
	struct memory_router_list samples, others; /* of this pass */
	struct iovec all[2], fresh[2];		   /* of the last look */
};

/* 0, -EINVAL (memory.h), -ENOMEM. */
int memory_router_init(struct memory_router *f, size_t bytes, size_t time_off);
void memory_router_release(struct memory_router *f); /* zeros are fine */
/* Zeros: all goes to the file. */
bool memory_router_is_used(const struct memory_router *f);

/* The first `bytes` of a ring; they stay there until the pass is over. 0 or -ENOMEM. */
int memory_router_ring(struct memory_router *f, const struct ring *ring, size_t bytes);
/* All that the rings gave: kept, written, and shown. 0, or negative: told in err. */
int memory_router_finish(struct memory_router *f, struct record_sink *o, struct ptui_error *err);

/*
 * What is in the memory up to this position, as of a look at rings: all of it, and what the look before did
 * not have. The oldest records first. 1, or 0: nothing.
 */
int memory_router_read(struct memory_router *f, uint64_t until, struct kept_samples *ret);
/* Bytes in the memory, and how many of them the last look did not have. */
void memory_router_peek(const struct memory_router *f, uint64_t *ret_bytes, uint64_t *ret_new);
/* The time of the oldest sample in it, which is no look; 0: there is none, or no times. */
uint64_t memory_router_oldest_ns(const struct memory_router *f);
/* What the last look found was written: it leaves the memory. */
void memory_router_forget(struct memory_router *f);

#endif
