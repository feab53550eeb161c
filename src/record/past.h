/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What has to be known for samples that are still kept: the sideband's records, in memory.
 *
 *	base records, each pass --> past_add() --> [ records, in the order in which they came ]
 *	                                                  |                 |
 *	           past_prune(horizon) <---------------'                 '--> past_records()
 *	           leaves out what no sample behind the horizon can need        the beginning of a file
 *
 * Records that belong to no task (of the kernel, its modules and symbols, control groups, ids) stay.
 * What tells of a moment (LOST, THROTTLE, SWITCH, READ) leaves behind the horizon. Of tasks that
 * stays which still answers a question: past_prune.c.
 *
 * One thread at a time.
 */
#ifndef RECORD_PAST_H
#define RECORD_PAST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>
#include "base/perf_abi.h"

struct past;

struct past *past_new(void); /* NULL: out of memory */
void past_free(struct past *h); /* NULL ok */
/* An event as it was opened: how its records say when they happened. 0, -EBADMSG or -ENOMEM. */
int past_event(struct past *h, const struct perf_event_attr *attr, const char *name,
		  const uint64_t *ids, size_t n_ids);
/* Whole records, which may be cut by the ends of the pieces. Samples are passed over. 0 or -ENOMEM. */
int past_add(struct past *h, const struct iovec *iov, int n);
/* All of them. Until the next call of another function. */
struct iovec past_records(const struct past *h);
/* Those that came after past_note_written(), as far as they were not pruned. Until the next call of another. */
struct iovec past_unwritten(const struct past *h);
void past_note_written(struct past *h);
/* Of the youngest record; 0: none had a time. */
uint64_t past_newest_ns(const struct past *h);
/* It has doubled since it was pruned: then that costs little, all in all. */
bool past_is_long(const struct past *h);
/*
 * From here on nobody will ask for samples from before `horizon_ns`. For all others the answers stay
 * what they were. 0 or -ENOMEM, with all as it was.
 */
int past_prune(struct past *h, uint64_t horizon_ns);

/* Removes the records of moments (LOST, THROTTLE, SWITCH ...): a file has them, the next needs none. */
int past_drop_moments(struct past *h);

#endif
