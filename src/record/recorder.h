/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record room.
 *
 * Input: options (ptui/record.h) and a kernel (struct kernel_ops). Output: a perf.data file, and
 * counts while it grows. Nothing here decodes samples (except for the sideband log) or reads ELF
 * files; a callback reads the build-ids of files.
 *
 *	target, workload --> counters        what is measured; the workload is held until all is open
 *	synth, buildid   --> base records    the state before the recording
 *	pump             --> rounds          ring buffers to file, through record_sink
 *	sideband_log     --> sideband        for snapshot files
 *	snapshots        --> snapshot files  of kept samples, or switched output files
 *	features         --> header          with hostinfo
 *	recording        --> ptui/record.h   combines them: start, stop, join
 *
 * recorder.h is the thread between start and join:
 *
 *	start: only passes: into memory until the output has the base records, then to the output, until
 *	       the targets run and it has its name
 *	poll --- rings have data, or a second has passed ---> one pass, sync ---> poll
 *	  |----- the command exited, all targets are gone, stop ---> disable, last pass, LOST_SAMPLES,
 *	                                                             READ, features, end the command
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
	/* the recording ends when the workload exits, not when the counters are gone */
	bool workload_is_target;
	uint64_t realtime_priority; /* SCHED_FIFO priority of the thread; 0: none */
	enum ptui_record_affinity affinity;
	struct triggers *triggers; /* automatic snapshots; borrowed */
	struct control *control;   /* switches the counters; borrowed; NULL: always enabled */
	/* Called in the thread after the last record (or a failed write): ends the file. */
	int (*complete)(void *ctx, struct ptui_error *err);
	void *complete_ctx;
	/*
	 * May be NULL. Called in the thread: after a pass that found nothing; after the file is
	 * complete.
	 */
	void (*idle)(void *ctx);
	void (*ended)(void *ctx, int result);
	void *watch_ctx;
	bool reads;		  /* write READ records at the end; with -s the kernel does */
	uint64_t max_bytes;	  /* limit of the output file; 0: none */
	uint64_t min_drain_bytes; /* copied to struct pump */
	bool exact_times;	  /* copied to struct pump */
	struct bpf_programs *bpf; /* copied to struct pump */
	struct unwind_queue *unwind_queue; /* copied to struct pump */
	struct buildid_reader *buildids;   /* copied to struct pump */
	/* the file ends with all kept samples, even those that are in snapshot files */
	bool last_whole;
	size_t aux_snapshot_bytes; /* copied to struct pump */
	bool aux_sampled;	   /* likewise */
	bool aux_on_exit;	   /* the end takes an AUX snapshot, too */
	uint64_t memory_bytes;	   /* size of the memory ring (-M); 0: none */
	bool stays_in_memory;	   /* samples stay in memory at the end: there is no file */
	int max_wait_ms;	   /* longest time between two passes; 0: 1 s */
	struct pump pump;
	struct pump_counts counts;
	struct snapshots snapshots;
	_Atomic uint64_t lost_samples, lost_sideband;
	_Atomic uint64_t began_ns, ended_ns;
	_Atomic uint64_t cpu_ns;     /* used by the thread */
	bool measures_cost;	     /* the thread counts its own task-clock */
	_Atomic uint64_t counted_ns; /* by that, at the end; 0: it was refused */
	_Atomic bool running, target_gone, size_reached, limit_reached;
	pthread_mutex_t switch_lock; /* keeps counters from being enabled after the end */
	bool switchable;
	_Atomic int child_status; /* -1: no command, or still running */
	int stop_fd;		  /* an eventfd */
	pthread_t thread;
	sem_t base_written; /* posted by the thread; see recorder_prepared() */
	sem_t gate;	    /* the spawned thread waits here for its start */
	bool joinable;
	/*
	 * While the recording starts, the thread only drains the ring buffers: the targets, the
	 * output's name and the state of the counters still belong to the starting thread.
	 */
	_Atomic enum {
		RECORDER_PREPARES, /* the output still belongs to the starting thread, too */
		RECORDER_STARTS,
		RECORDER_STARTED,
		RECORDER_ABANDONED
	} phase;
	int phase_fd; /* an eventfd, readable after `phase` has changed */
	int result;   /* of the thread; valid after join */
	struct ptui_error err;
};

/* Initializes the fds and locks; the caller sets everything else before the start. */
int recorder_init(struct recorder *r, struct ptui_error *err);
/* Stops and joins the thread if needed. */
void recorder_release(struct recorder *r);
/*
 * Creates the thread, which waits until recorder_start() or release. Its tid is known before
 * counters are opened (--exclude-perf).
 */
int recorder_spawn(struct recorder *r, struct ptui_error *err);
/*
 * Lets the spawned thread drain the ring buffers, into memory. The counters must be open, and the output.
 * The recording cannot end, and the output is not completed, before recorder_started().
 */
int recorder_start(struct recorder *r, struct ptui_error *err);
/*
 * The output has begun, and has the base records: the thread now writes to it. Returns when the records in
 * memory are written; no sample may come before.
 */
void recorder_prepared(struct recorder *r);
/* The start has succeeded: the targets run, and the output has its name. */
void recorder_started(struct recorder *r);
/* The start has failed: the thread ends as if it had never started. Waits for that. */
void recorder_abandon(struct recorder *r);
/* Async-signal-safe, from any thread between init and release. */
void recorder_stop(struct recorder *r);
/* Pauses or resumes, from another thread. -ESRCH: not running. */
int recorder_switch(struct recorder *r, bool on);
/* Waits for the thread and returns its result, with err set if negative. */
int recorder_join(struct recorder *r, struct ptui_error *err);

#endif
