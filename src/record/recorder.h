/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record room.
 *
 * Takes: what was asked for (ptui/record.h), a kernel (struct kernel_ops).
 * Gives: a perf.data file, and while it grows its numbers.
 * Not for: what the records mean. Nothing here decodes a sample or reads ELF (the history alone
 * looks at who was mapped where); build-ids of files come by a callback from who can.
 *
 *	target, workload --> counters        who is measured, held until all stands
 *	synth, buildid   --> base records    what was there before
 *	pump             --> rounds          rings to file, by the one sink that all records pass
 *	past             --> history         of the sideband, for the files of
 *	dump             --> snapshots       of what is kept (catch, feed), or of an output that changes
 *	facts, hostinfo  --> features        the header
 *	recording        --> ptui/record.h   puts them together: start, stop, join
 *
 * recorder.h is the thread between start and join:
 *
 *	start: only passes, until the targets run and the file has its name
 *	poll --- rings have data, or a second has passed ---> one pass, sync ---> poll
 *	  |----- the command ended, all targets are gone, stop ---> disable, last pass, LOST_SAMPLES,
 *	                                                               READ, features, end the command
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include "record/control.h"
#include "record/pump.h"
#include "record/snapshot/snapshots.h"
#include "record/snapshot/triggers.h"
#include "record/target/workload.h"

struct recorder {
	struct counters *counters; /* all borrowed */
	struct record_sink *sink;
	struct workload *workload;
	bool workload_is_target;    /* its end, not the counters', is the end */
	uint64_t realtime_priority; /* of the thread, SCHED_FIFO; 0: none */
	enum ptui_record_affinity affinity;
	struct triggers *triggers; /* who asks for snapshots by himself; borrowed */
	struct control *control;   /* when the counters are on; borrowed; NULL: always */
	/* Called in the thread when all records are written (or a write failed): ends the file. */
	int (*complete)(void *ctx, struct ptui_error *err);
	void *complete_ctx;
	/* Both may be NULL. Called in the thread: a pass found nothing; all is over, the file whole. */
	void (*idle)(void *ctx);
	void (*ended)(void *ctx, int result);
	void *watch_ctx;
	bool reads; /* what the counters counted is told at the end; -s has the kernel do that */
	uint64_t max_bytes;		 /* that are written; 0: as many as there are */
	uint64_t leave_bytes;		 /* as of struct pump, until the end */
	bool exact_times;		 /* the same */
	struct bpf_programs *bpf;	 /* the same */
	struct buildid_reader *buildids; /* the same */
	bool last_whole;       /* the file ends with all that is kept, also what a snapshot had */
	uint64_t memory_bytes; /* samples go into a memory; 0: to the file */
	bool stays_in_memory;  /* and are there at the end: there is no file */
	int max_wait_ms; /* rings are looked at so often even when they ask for nothing; 0: 1 s */
	struct pump pump;
	struct pump_counts counts;
	struct snapshots snapshots;
	_Atomic uint64_t lost_samples, lost_sideband;
	_Atomic uint64_t began_ns, ended_ns;
	_Atomic uint64_t cpu_ns; /* what the thread took */
	_Atomic bool running, target_gone, size_reached;
	pthread_mutex_t switch_lock; /* the counters are not switched on behind their end */
	bool switchable;
	_Atomic int child_status; /* -1: none, or it runs still */
	int stop_fd;		  /* an eventfd */
	pthread_t thread;
	sem_t gate; /* behind which the thread waits for its start */
	bool joinable;
	/*
	 * While the recording starts, the thread only empties the ring buffers: the targets, the output's name
	 * and the counters' state still belong to the thread that starts it.
	 */
	_Atomic enum { RECORDER_STARTS, RECORDER_STARTED, RECORDER_ABANDONED } phase;
	int phase_fd; /* an eventfd, readable when `phase` has changed */
	int result;   /* of the thread; after join */
	struct ptui_error err;
};

/* Makes the stop fd; everything else is set by the caller before start. */
int recorder_init(struct recorder *r, struct ptui_error *err);
/* Stops and joins when need be. */
void recorder_release(struct recorder *r);
/*
 * Makes the thread, which waits until it is started (or released): its id is known before counters
 * are opened, for --exclude-perf.
 */
int recorder_spawn(struct recorder *r, struct ptui_error *err);
/*
 * Lets the spawned thread empty the ring buffers. Counters are open, the writer has begun; nothing ends the
 * recording, and the output is not completed, before recorder_started().
 */
int recorder_start(struct recorder *r, struct ptui_error *err);
/* The start is over: the targets run, and the output has its name. */
void recorder_started(struct recorder *r);
/* Or it has failed: the thread ends as if it had never started. Waits for that. */
void recorder_abandon(struct recorder *r);
/* Async-signal-safe, any thread, at any time between init and release. */
void recorder_stop(struct recorder *r);
/* Pause and resume, from another thread. -ESRCH: it does not run. */
int recorder_switch(struct recorder *r, bool on);
/* Waits for the thread's end. Its result; the error it met in err. */
int recorder_join(struct recorder *r, struct ptui_error *err);

#endif
