/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands in the overwritable rings, caught: their output is paused no longer than it takes to copy
 * their memory, all else is done when they run again.
 *
 *	pause --> copy each ring --> resume | hop over the copies, count, cut off what the wrap has cut
 *	|<------- pause_ns -------->|       | --> whole records, for whoever writes them
 *
 * The memory it goes to is there beforehand, and so are the rings' own pages: no page is fetched in the
 * pause. One thread at a time.
 */
#ifndef RECORD_SNAPSHOT_OVERWRITE_READER_H
#define RECORD_SNAPSHOT_OVERWRITE_READER_H

#include <sys/uio.h>
#include "kernel/counters.h"
#include "record/snapshot/sideband_log.h"

struct overwrite_ring;

/* What one look found, all records whole; of each ring the newest first. */
struct kept_samples {
	const struct iovec *all;   /* stays until the next look */
	const struct iovec *fresh; /* of it, what the last look did not have */
	int n_all, n_fresh;
	uint64_t bytes, samples;	 /* of all */
	uint64_t new_bytes, new_samples; /* of what is new */
	/* Of the samples; 0: there are none, or no times. */
	uint64_t first_ns, last_ns;
	const struct sideband_pids *pids; /* of all samples; NULL: not known. Until the next look */
	uint64_t new_first_ns;		  /* of what is new */
	uint64_t overlap_ns; /* of the time from first to last, what the last look had as well */
	uint64_t pause_ns;   /* how long the kernel could not write into them */
	uint64_t resumed_ns; /* when they ran again: CLOCK_MONOTONIC */
	uint64_t lost; /* samples that came meanwhile, by the kernel's account; 0: it has none */
	bool shown;    /* to who watches, and counted, as it came */
	bool gap;      /* what came between two looks was overwritten in part */
};

/* A sample that was found (`ns` 0: it has no time), by whoever looks; and the end of it. */
void kept_samples_note(struct kept_samples *c, uint64_t ns, bool is_new);
void kept_samples_end(struct kept_samples *c);

struct overwrite_reader {
	struct counters *counters; /* borrowed */
	size_t time_off;	   /* where a sample's time stands; 0: nowhere */
	size_t pid_off;		   /* of a sample\'s process id; 0: not known */
	struct sideband_pids pids; /* of the samples of the last look */
	struct overwrite_ring *rings;
	int n_rings;	 /* that are overwritten */
	uint8_t *memory; /* of all copies */
	size_t memory_bytes;
	struct iovec *iov; /* `all` and `fresh` */
	uint64_t lost;	   /* so far */
};

/* The counters are open. 0 or -ENOMEM; without such rings it has nothing to do. */
int overwrite_reader_init(struct overwrite_reader *c, struct counters *counters, size_t time_off,
			  size_t pid_off);
void overwrite_reader_release(struct overwrite_reader *c); /* zeros are fine */

/* 1, 0 (there are no such rings, or nothing in them), or negative: told in err. */
int overwrite_reader_read(struct overwrite_reader *c, struct kept_samples *ret,
			  struct ptui_error *err);
/* What a look would find: bytes in the rings, and how many of them the last look did not have. No pause. */
void overwrite_reader_peek(const struct overwrite_reader *c, uint64_t *ret_bytes,
			   uint64_t *ret_new);
/*
 * The time of the oldest sample in them and the processes of all, which is no look: what is new stays
 * new. first_ns is 0: there is none, or no times, or that cannot be told now.
 */
void overwrite_reader_find_oldest(struct overwrite_reader *c, struct kept_samples *ret);

#endif
