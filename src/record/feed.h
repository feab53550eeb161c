/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a pass of the pump does with -M: of what is in the rings the samples go into the memory, and
 * everything else where records always go, at once.
 *
 *	ring [ S S M S C | S S ]  --->  memory_add(S) ...      outlet_put(M C)      outlet_show(S S S S S)
 *	                                                                            and a FINISHED_ROUND
 *
 * Who watches sees the samples as they pass, though no file has them: rounds are finished for him,
 * while in the file nothing ever is, since older samples may still come into it.
 */
#ifndef RECORD_FEED_H
#define RECORD_FEED_H

#include "kernel/ring.h"
#include "record/catch.h"
#include "record/memory.h"
#include "record/outlet.h"

/* Pieces of rings. */
struct feed_list {
	struct iovec *v;
	size_t n, cap;
};

struct feed {
	struct memory memory;
	struct feed_list samples, others; /* of this pass */
	struct iovec all[2], fresh[2];	  /* of the last look */
};

/* 0, -EINVAL (memory.h), -ENOMEM. */
int feed_init(struct feed *f, size_t bytes);
void feed_release(struct feed *f); /* zeros are fine */
/* Zeros: all goes to the file. */
bool feed_is_used(const struct feed *f);

/* The first `bytes` of a ring; they stay there until the pass is over. 0 or -ENOMEM. */
int feed_ring(struct feed *f, const struct ring *ring, size_t bytes);
/* All that the rings gave: written, and shown. 0, or negative: told in err. */
int feed_finish(struct feed *f, struct outlet *o, struct ptui_error *err);

/*
 * What is in the memory up to this position, as of a look at rings: all of it, and what the look before did
 * not have. `time_off` as of catcher_init(). The oldest records first. 1, or 0: nothing.
 */
int feed_look(struct feed *f, uint64_t until, size_t time_off, struct pump_catch *ret);
/* Bytes in the memory, and how many of them the last look did not have. */
void feed_peek(const struct feed *f, uint64_t *ret_bytes, uint64_t *ret_new);
/* The time of the oldest sample in it, which is no look; 0: there is none, or no times. */
uint64_t feed_oldest_ns(const struct feed *f, size_t time_off);
/* What the last look found was written: it leaves the memory. */
void feed_forget(struct feed *f);

#endif
