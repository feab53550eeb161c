/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass of the pump with -M: samples go to the memory ring, all other records to the sink at once.
 * The samples of all rings are merged by time: the memory ring drops its oldest end, and must not
 * drop newer samples of one CPU to keep older ones of another.
 *
 *	ring [ S S M S C | S S ]  --->  memory_ring_add(S) ...      record_sink_put(M C)      record_sink_show(S S S S S)
 *	                                                                            and a FINISHED_ROUND
 *
 * The live view gets samples as they arrive, before any file has them, so it gets its own
 * FINISHED_ROUND marks. The file has none, since older samples may still be written to it.
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
	size_t time_off; /* see overwrite_reader_init(); 0: no merge, ring after ring */
	struct memory_router_cursor *cursors; /* of this pass */
	size_t n_cursors, cap_cursors;
	struct memory_router_list samples, others; /* of this pass */
	struct iovec all[2], fresh[2];		   /* of the last read */
};

/* 0, -EINVAL (memory_ring.h), -ENOMEM. */
int memory_router_init(struct memory_router *f, size_t bytes, size_t time_off);
void memory_router_release(struct memory_router *f); /* zeros are fine */
/* False for a zeroed one: all records go to the file. */
bool memory_router_is_used(const struct memory_router *f);

/* Adds the first `bytes` of a ring to the pass; they must stay until its end. 0 or -ENOMEM. */
int memory_router_ring(struct memory_router *f, const struct ring *ring, size_t bytes);
/* Ends the pass: keeps samples, writes the rest, shows both. 0, or negative with err set. */
int memory_router_finish(struct memory_router *f, struct record_sink *o, struct ptui_error *err);

/*
 * Reads the samples up to this position, oldest first: all, and those that the last read did not
 * have. 1, or 0 if there are none.
 */
int memory_router_read(struct memory_router *f, uint64_t until, struct kept_samples *ret);
/* Bytes in memory, and how many of them are new since the last read. */
void memory_router_peek(const struct memory_router *f, uint64_t *ret_bytes, uint64_t *ret_new);
/* Time of the oldest sample; does not count as a read. 0: no samples, or no times. */
uint64_t memory_router_oldest_ns(const struct memory_router *f);
/* The result of the last read was written: drops it from memory. */
void memory_router_forget(struct memory_router *f);

#endif
