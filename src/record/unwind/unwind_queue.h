/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between the ring buffers and the sink, if user stacks are unwound while recording: passes wait
 * here until a thread has unwound their samples.
 *
 *	recorder: ring buffers --push--> [ pass | pass ] --> thread: unwinds pass N-1 when pass N, with
 *	          sink <--take-- [ pass | pass ] <---------'         the sideband it may need, has come
 *
 * Passes stay in order. The recorder thread does not wait: when more bytes are queued than allowed,
 * it cuts the samples of the next pass itself (short_sample.h), which are counted. The sideband is
 * never left out. Only one thread writes records, the recorder.
 */
#ifndef RECORD_UNWIND_UNWIND_QUEUE_H
#define RECORD_UNWIND_UNWIND_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include "ptui/error.h"
#include "record/unwind/short_sample.h"

/*
 * Unwinds user stacks; from a room that knows machines and files. An instance is used by one thread
 * at a time.
 */
struct stack_unwinding {
	void *ctx;
	/* `max_stack`: the kernel's limit of frames. NULL: cannot unwind here, err is set. */
	void *(*begin)(void *ctx, uint32_t max_stack, struct ptui_error *err);
	void (*end)(void *unwinding);
	/* Events as they were opened. 0 or a negative errno. */
	int (*event)(void *unwinding, const struct event *ev, const uint64_t *ids, size_t n_ids);
	/*
	 * The sideband among whole records, in the order of passes. Samples of the records added before
	 * will be unwound next. 0 or -ENOMEM.
	 */
	int (*records)(void *unwinding, const void *bytes, size_t n);
	/* No older sideband will come: samples of all records will be unwound next. */
	int (*settle)(void *unwinding);
	/*
	 * A whole sample: the user addresses, the IP first, at most `max`. *ret_end is set if the
	 * copy of the stack does not have the next one.
	 */
	uint32_t (*unwind)(void *unwinding, const void *sample, uint64_t *addrs, uint32_t max,
			   enum short_sample_end *ret_end);
};

/* What a scan of the rings found in a pass. */
struct pass_found {
	uint64_t samples, lost, lost_sideband, throttled, aux_truncated;
	uint64_t first_ns, last_ns; /* of the samples; 0: none */
	bool false_build_ids;	    /* struct record_sink */
};

/* The records of one ring buffer in a pass. */
struct unwind_part {
	size_t at, n; /* in `bytes` */
};

struct unwind_pass {
	struct unwind_pass *next;
	struct pass_found found;
	uint64_t seq;
	bool only_sideband; /* base records: the sink gets them directly */
	bool is_cut;
	size_t queued_bytes; /* that count as queued */
	struct unwind_part *parts;
	size_t n_parts;
	size_t n; /* bytes */
	uint8_t *bytes;
};

struct unwind_queue {
	const struct stack_unwinding *ops;
	void *unwinding;
	const struct counters *counters; /* borrowed */
	bool has_rings; /* an event is not in overwrite mode: its samples pass the queue */
	struct short_samples shorts;
	struct shortener *shortener, *cutter; /* the thread's, the recorder's */
	uint32_t max_stack;
	size_t max_bytes;
	int fd;			    /* an eventfd: readable when passes can be taken */
	uint64_t n_pushed, n_taken; /* the recorder's: sequence numbers */
	_Atomic uint64_t n_cut;	    /* samples */
	_Atomic uint64_t n_unwound;
	_Atomic uint64_t cpu_ns; /* of the thread */
	pthread_t thread;

	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t work;
	struct unwind_pass *first, *last;	    /* to be unwound */
	struct unwind_pass *done_first, *done_last; /* to be taken */
	size_t bytes, cut_bytes;		    /* queued, without those that are done */
	bool idle;				    /* nothing older will come */
	bool ends;
};

/*
 * Starts the thread. `ops` must outlive the queue; takes over `shorts`, which is not opened yet.
 * `max_stack` is the kernel's limit of frames, `max_bytes` 0: the default. NULL: cannot unwind here, err is set.
 */
struct unwind_queue *unwind_queue_new(const struct stack_unwinding *ops,
				      const struct short_samples *shorts, uint32_t max_stack,
				      size_t max_bytes, struct ptui_error *err);
/* Ends the thread, and drops what was not taken. NULL ok. */
void unwind_queue_free(struct unwind_queue *q);

/*
 * Before the first push: all counters are open, and stay the caller's. 0 or a negative errno.
 */
int unwind_queue_open(struct unwind_queue *q, const struct counters *c);
/* Base records and others that reach the sink by another way (copied). 0 or -ENOMEM. */
int unwind_queue_push_sideband(struct unwind_queue *q, const void *records, size_t n);

/* ---- the recorder thread ---- */

/* An empty pass for up to `n_parts` ring buffers with `bytes`. NULL: out of memory. */
struct unwind_pass *unwind_pass_new(size_t bytes, size_t n_parts);
void unwind_pass_free(struct unwind_pass *p);
/* The next ring buffer's records. */
void unwind_pass_add(struct unwind_pass *p, const struct iovec *iov, int n);

/* False: even cut samples wait for the thread, so the ring buffers are left alone. */
bool unwind_queue_has_room(struct unwind_queue *q);
/* Takes ownership. */
void unwind_queue_push(struct unwind_queue *q, struct unwind_pass *p);
/* The ring buffers are empty: all that was pushed can be unwound now. */
void unwind_queue_idle(struct unwind_queue *q);
/* The oldest pass that is done, the caller's to free; NULL: none yet. */
struct unwind_pass *unwind_queue_take(struct unwind_queue *q);
/* False: all that was pushed has been taken. */
bool unwind_queue_is_busy(const struct unwind_queue *q);

/* ---- samples from elsewhere: rings in overwrite mode ---- */

/*
 * Unwinds samples in place, with an instance of its own that knows `sideband`. `iov` are whole
 * records and become shorter; `marks[i]`, an offset in iov[i], is moved with its record. 0 or
 * negative with err set.
 */
int unwind_queue_in_place(struct unwind_queue *q, const struct iovec *sideband, struct iovec *iov,
			  size_t *marks, int n, struct ptui_error *err);

#endif
