/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live view of a recording in progress. Takes the options of ptui/record.h and memory limits.
 * Provides the perf.data file and, at any time, event counts, recorder statistics and the profile
 * so far, of the same type as the profile of a loaded file.
 *
 *   kernel --rings--> recorder thread --write--> perf.data          has everything
 *                            |
 *                            '--bounded queue--> session thread --publishes--> profile (capped)
 *                               what does not fit                      '------> counts, statistics
 *                               is dropped and counted
 *
 * Or the records come from a recorder elsewhere, through a pipe: ptui_live_new_pipe().
 *
 *   new -> start -> (wake fd; profile, events, stats, pause, resume …) -> stop -> join -> free
 *
 * All functions must be called from one thread at a time; ptui_live_stop() may be called from any
 * thread and from a signal handler. Only join and free wait for the recording. The time of start
 * grows with the number of events and processes; pause and resume take a few system calls. However
 * the recording ends, the file is valid perf.data.
 */
#ifndef PTUI_LIVE_H
#define PTUI_LIVE_H

#include <stdbool.h>
#include <sys/types.h>
#include "ptui/error.h"
#include "ptui/profile.h"
#include "ptui/record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_live;

struct ptui_live_opts {
	/*
	 * Maximum number of samples in the live profile, 44 bytes each; 0: 1,000,000. The oldest
	 * samples are dropped in batches; the file keeps them. Stacks and locations have caps of
	 * their own (about 200 MB each): above a cap, half of the samples are dropped. Maps and
	 * symbols that neither a sample nor a live process uses are freed, so that memory stays
	 * bounded.
	 */
	uint64_t max_samples;
	uint32_t refresh_ms;  /* minimum interval between profiles; 0: 1000; at least 20 */
	uint64_t queue_bytes; /* queue size in bytes between recorder and session; 0: 8 MiB */
	/* run the workload on its own pseudo terminal, in its own session and process group */
	bool own_terminal;
	unsigned short rows, cols; /* size of that terminal; 0: 24 and 80 */
	uint32_t max_stack;	   /* maximum number of frames in a callchain; 0: no limit */
	/* stitch deep call stacks of the LBR, if the processor has one; of a pipe, ptui_load_opts says so */
	bool stitch_lbr;
	bool unnamed_functions;		   /* as in ptui_load_opts, whose own is for a pipe, too */
	struct ptui_kernel_symbols kernel; /* borrowed: its strings must outlive the ptui_live */
};

/*
 * Copies the options (opts NULL: all zero); opens nothing. NULL on failure with err set, for
 * example for an invalid selector. An event that this machine does not support is not an error
 * here: see ptui_live_event.
 */
struct ptui_live *ptui_live_new(const struct ptui_record_opts *record,
				const struct ptui_live_opts *opts, struct ptui_error *err);

/*
 * Follows a recording that arrives through a pipe: `path` as for ptui_profile_load(). Nothing is
 * opened before start, which waits for the header; ptui_live_stop() cancels that as well. `load` has
 * where symbols are; its strings must outlive the ptui_live. Counts are sums of sample periods.
 * There is nothing to pause, to take a snapshot of or to save, no workload and no output file. The
 * state is ENDED at the end of the pipe. No samples are dropped before there are 16 million.
 */
struct ptui_live *ptui_live_new_pipe(const char *path, const struct ptui_load_opts *load,
				     const struct ptui_live_opts *opts, struct ptui_error *err);
bool ptui_live_is_pipe(const struct ptui_live *l);

/*
 * Like ptui_recording_start(). The workload inherits the resource limits of this process, and the
 * signal mask and dispositions of the calling thread. On failure nothing runs and no finished file
 * is left; another try needs a new ptui_live.
 */
int ptui_live_start(struct ptui_live *l, struct ptui_error *err);

/*
 * Requests the end of the recording; async-signal-safe. The workload gets SIGTERM, one second later
 * SIGHUP if it has its own terminal, and SIGKILL if stop is called again after these.
 */
void ptui_live_stop(struct ptui_live *l);

/*
 * Disables and enables the counters. Sideband records (mmap, comm, fork …) continue while paused,
 * so that later samples can be resolved. 0 if already in that state; -ESRCH: the recording has
 * ended.
 */
int ptui_live_pause(struct ptui_live *l, struct ptui_error *err);
int ptui_live_resume(struct ptui_live *l, struct ptui_error *err);

/*
 * Waits for the end of the recording and finishes the file; discards output of the workload to its
 * terminal. Does not block if the state is ENDED or FAILED. Returns 0, or the error that ended the
 * recording; what was written before is a valid file. Profile, events and stats remain available.
 */
int ptui_live_join(struct ptui_live *l, struct ptui_error *err);

/*
 * NULL is allowed. Stops and joins first if necessary: a workload that ignores SIGTERM for some
 * seconds is killed. References to profiles stay valid.
 */
void ptui_live_free(struct ptui_live *l);

/*
 * Requests a snapshot (see ptui_recording_snapshot()); the recording continues. New samples of
 * overwrite-mode rings enter the profile at that time. -EOPNOTSUPP: the recording has nothing to
 * take a snapshot of; -ESRCH: nothing is being recorded.
 */
int ptui_live_snapshot(struct ptui_live *l, struct ptui_error *err);
/* True if snapshots can be taken. Valid after start. */
bool ptui_live_has_ring(const struct ptui_live *l);
/* The i-th snapshot. False: not taken yet, *ret is unchanged. */
bool ptui_live_get_snapshot(const struct ptui_live *l, size_t i, struct ptui_snapshot *ret);

/*
 * Arms a snapshot condition ("cache-misses/s > 1e6") in place of the previous one; NULL disarms.
 * -EINVAL with the position in err: invalid, the previous condition stays armed; -EOPNOTSUPP,
 * -ESRCH as above. The condition of --snapshot-when is armed at start.
 */
int ptui_live_arm(struct ptui_live *l, const char *condition, struct ptui_error *err);
/* The armed condition and its last values. The text is valid until the next ptui_live_arm(). */
void ptui_live_armed(struct ptui_live *l, struct ptui_armed *ret);

/*
 * Changes the minimum interval between profiles, in ms, at least 20; the interval at which rings
 * are read stays. Thread-safe.
 */
void ptui_live_set_refresh(struct ptui_live *l, uint32_t refresh_ms);
uint32_t ptui_live_refresh(const struct ptui_live *l);

/* See ptui_recording_unsaved() and ptui_recording_save(). */
uint64_t ptui_live_unsaved(const struct ptui_live *l);
int ptui_live_save(struct ptui_live *l, const char *path, struct ptui_error *err);

/* ---- state and notification ---- */

enum ptui_live_state {
	PTUI_LIVE_NEW,
	PTUI_LIVE_RUNNING,
	PTUI_LIVE_PAUSED,
	PTUI_LIVE_ENDED,  /* file complete, last profile published */
	PTUI_LIVE_FAILED, /* the same up to the failure; join returns the error */
};

enum ptui_live_state ptui_live_state(const struct ptui_live *l);
bool ptui_live_is_over(const struct ptui_live *l); /* ended or failed */

/*
 * For poll(): readable when something was published or the state changed since the last
 * ptui_live_ack(). Call ptui_live_ack() before reading results, so that no change is missed. Owned
 * by the ptui_live.
 */
int ptui_live_wake_fd(const struct ptui_live *l);
void ptui_live_ack(struct ptui_live *l);

/* ---- events ---- */

enum ptui_live_event_state {
	/* enabled and running times are above zero, so `scaled` is valid */
	PTUI_LIVE_COUNTING,
	PTUI_LIVE_NOT_COUNTED,	 /* opened, but never scheduled on a counter */
	PTUI_LIVE_NOT_SUPPORTED, /* not supported by this machine; the others are recorded */
	PTUI_LIVE_ERROR,	 /* pinned (D), and the kernel could not schedule it: error state */
};

struct ptui_live_event {
	const char *name;	/* as in the profile; valid as long as the ptui_live */
	uint32_t profile_event; /* index in the profile; PTUI_NONE when not supported */
	enum ptui_live_event_state state;
	const char *reason; /* one sentence if not supported, else NULL */
	/* summed over CPUs and threads, as of the last refresh */
	uint64_t count;	 /* raw count */
	uint64_t scaled; /* count * enabled / running, computed per thread or CPU */
	uint64_t enabled_ns, running_ns;
	double running_share; /* running / enabled, 0 to 1; 1 if never enabled */
	double rate;	      /* scaled count per second over the last refresh */
	double running_rate;  /* running_ns per nanosecond over the last refresh */
	/* samples that entered the live profile, including those dropped from it since */
	uint64_t samples;
	uint64_t lost; /* its samples that the kernel could not write (LOST) */
};

/*
 * Number of events, 0 before start: the recorded events in order, then the unsupported ones. The
 * internal sideband event is not included.
 */
size_t ptui_live_n_events(const struct ptui_live *l);
/* The i-th event; all zero beyond the end. */
void ptui_live_event(const struct ptui_live *l, size_t i, struct ptui_live_event *ret);

/* ---- statistics ---- */

struct ptui_live_stats {
	uint64_t elapsed_ns; /* since start, including pauses; frozen at the end */
	uint64_t paused_ns;  /* time paused */
	uint64_t samples;    /* read from the rings, all events */
	/* with -M: samples dropped from memory that no file has */
	uint64_t forgotten_samples;
	uint64_t bytes;		/* record bytes written */
	uint64_t lost;		/* records dropped by the kernel because a ring was full (LOST) */
	uint64_t lost_samples;	/* lost samples as counted by the kernel (PERF_FORMAT_LOST) */
	uint64_t lost_sideband; /* as in struct ptui_record_stats */
	uint64_t throttled;	/* THROTTLE records */
	uint64_t not_unwound;	/* samples whose user stack was not unwound, for lack of time */
	uint64_t wakeups;	/* passes over the rings that found data */
	double ring_fill;	/* fullest ring of the last pass, 0 to 1 … */
	double ring_fill_max;	/* … and of any pass */
	uint64_t recorder_cpu_ns, session_cpu_ns; /* CPU time of the two threads */
	double cpu_share; /* of both threads over the last refresh: 0.01 is 1 % of one CPU */
	/* missing in the live profile, but in the file */
	uint64_t dropped_bytes, dropped_samples; /* the queue was full */
	bool size_reached, limit_reached; /* as in struct ptui_record_stats: why it has ended */
	/* if the first process of -p has run for a second without a sample: its children, as -p takes them; or "" */
	char children[128];
};

void ptui_live_get_stats(const struct ptui_live *l, struct ptui_live_stats *ret);

/* ---- the profile so far ---- */

struct ptui_live_profile_info {
	uint64_t generation; /* increases with each published profile; 0: none yet */
	uint64_t left;	     /* samples dropped because of the cap */
	uint64_t first_ns;   /* time of the oldest sample; 0: no samples … */
	uint64_t last_ns;    /* … and of the newest one */
	/* time of the newest record received, even if not yet in the profile */
	uint64_t seen_ns;
	/* since start, all events, including samples dropped because of the cap: */
	uint64_t taken;	       /* samples received */
	uint64_t kernel_taken; /* … of these, kernel samples */
	uint64_t exact_taken;  /* … of these, with PERF_RECORD_MISC_EXACT_IP (:pp) */
	/* only tracepoints are recorded: what their samples say is in the file, not in the profile */
	bool lacks_payloads;
};

/*
 * Returns a new reference to the latest profile, which is immutable; release it with
 * ptui_profile_unref(). NULL: none yet. `ret` may be NULL. Cheap enough to call on every wakeup.
 *
 * Samples appear one round of the rings later than in the file, and all of them at the end: if none
 * were dropped, the last profile has the same rows as the file.
 */
struct ptui_profile *ptui_live_profile(const struct ptui_live *l,
				       struct ptui_live_profile_info *ret);

/* ---- the workload ---- */

/*
 * Master side of the workload's pseudo terminal, non-blocking; -1: none. The front end must read it
 * (or the workload blocks when the buffer is full) and may write key input. read() fails with EIO
 * when no process has the slave side open. Owned by the ptui_live, open until free.
 */
int ptui_live_command_fd(const struct ptui_live *l);
/* Sets the size of the workload's terminal. 0 (also without a terminal) or a negative errno. */
int ptui_live_set_size(struct ptui_live *l, unsigned short rows, unsigned short cols);

/* Status as from waitpid(); -1: no workload, or still running. */
int ptui_live_child_status(const struct ptui_live *l);

/* Path of the output file, borrowed. NULL: no file is written; only the profile remains. */
const char *ptui_live_output(const struct ptui_live *l);

#ifdef __cplusplus
}
#endif
#endif
