/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording that is watched while it grows. Takes: what ptui/record.h takes, and how much
 * may be kept in memory. Gives: the perf.data file, and at any time the counts of the events,
 * the recorder's own numbers and the profile so far, of the same type as a loaded file's.
 *
 *   kernel --rings--> recorder's thread --write--> perf.data          keeps everything
 *                            |
 *                            '--bounded copy--> session's thread --publishes--> profile (capped)
 *                               what does not fit                      '------> counts, numbers
 *                               is dropped here, counted
 *
 *   new -> start -> (wake fd; profile, events, stats, pause, resume …) -> stop -> join -> free
 *
 * One thread at a time, the front end's, calls all of this (stop may be called from any thread
 * and from a signal handler). No call waits for the recording but join and free; start takes as
 * long as there are events and processes, pause and resume as long as some system calls.
 * Whatever the way out, the file is a valid perf.data.
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
	 * Of the live profile, 44 bytes each; 0: 1,000,000. Older ones leave it, some at a time; the
	 * file keeps them. Their stacks, and the places that these name, have caps of their own (some
	 * 200 MB each): above them half of the rows leave. What no row and no living process has is
	 * given back, so that a day takes no more than an hour.
	 */
	uint64_t max_samples;
	uint32_t refresh_ms;	   /* publishes at most so often; 0: 1000; at least 20 */
	uint64_t queue_bytes;	   /* room for what the session has not read yet; 0: 8 MiB */
	bool own_terminal;	   /* the command gets a pseudo terminal, and with it a session and
				  a process group, of its own */
	unsigned short rows, cols; /* of that terminal; 0: 24 and 80 */
	struct ptui_kernel_symbols kernel; /* its strings outlive the ptui_live */
};

/*
 * Copies the options (opts NULL: all zero); opens nothing. Mistakes in selectors are told
 * here. An event that this machine does not have is no mistake: see ptui_live_event.
 */
struct ptui_live *ptui_live_new(const struct ptui_record_opts *record,
				const struct ptui_live_opts *opts, struct ptui_error *err);

/*
 * As ptui_recording_start(): the command gets the limits of this process, and the signal mask
 * and dispositions of the thread that calls this. On failure nothing runs, and no file that
 * looks finished is left; a new ptui_live is needed for another try.
 */
int ptui_live_start(struct ptui_live *l, struct ptui_error *err);

/*
 * Asks it to end; async-signal-safe. The command is ended: SIGTERM; SIGHUP a second later if it has
 * a terminal of its own; SIGKILL when asked again behind these.
 */
void ptui_live_stop(struct ptui_live *l);

/*
 * Switches the counters off and on again. What tells who is mapped where (the sideband) goes on
 * meanwhile, so that nothing is unknown afterwards. 0 when it is so already; -ESRCH: the
 * recording has ended.
 */
int ptui_live_pause(struct ptui_live *l, struct ptui_error *err);
int ptui_live_resume(struct ptui_live *l, struct ptui_error *err);

/*
 * Waits for the end and finishes; what the command still says to its terminal is thrown away
 * meanwhile. A screen calls it when the state is ENDED or FAILED: then it does not wait. The
 * error of the recording if it failed on the way: what had been written is a valid file then.
 * Profile, events and stats can be asked for afterwards as before.
 */
int ptui_live_join(struct ptui_live *l, struct ptui_error *err);

/*
 * NULL ok; stops and joins first if need be: a command that does not heed SIGTERM for some seconds
 * is killed. Profiles that were taken stay.
 */
void ptui_live_free(struct ptui_live *l);

/*
 * Asks for a snapshot (see ptui_recording_snapshot()), and the recording goes on. What is new in rings that
 * are overwritten comes to the profile with it. -EOPNOTSUPP: there is nothing to take one of; -ESRCH:
 * nothing is being recorded.
 */
int ptui_live_snapshot(struct ptui_live *l, struct ptui_error *err);
/* From start on: whether there is anything to take one of. */
bool ptui_live_has_ring(const struct ptui_live *l);
/* The i-th that was taken. False: there is none yet, and *ret stays as it was. */
bool ptui_live_get_snapshot(const struct ptui_live *l, size_t i, struct ptui_snapshot *ret);

/*
 * From now on a snapshot is taken when `condition` comes true ("cache-misses/s > 1e6"), instead of what
 * was armed before; NULL: no more. -EINVAL with the place, and what was armed stays; -EOPNOTSUPP,
 * -ESRCH as above. What --snapshot-when says is armed from the start on.
 */
int ptui_live_arm(struct ptui_live *l, const char *condition, struct ptui_error *err);
/* What is armed, and its values as of the last look. The text is valid until the next ptui_live_arm(). */
void ptui_live_armed(struct ptui_live *l, struct ptui_armed *ret);

/*
 * Publishes from now on at most so often, in ms, at least 20; the rings are looked at as often as
 * was said when it was made. Any thread.
 */
void ptui_live_set_refresh(struct ptui_live *l, uint32_t refresh_ms);
uint32_t ptui_live_refresh(const struct ptui_live *l);

/* As of ptui_recording_unsaved() and ptui_recording_save(). */
uint64_t ptui_live_unsaved(const struct ptui_live *l);
int ptui_live_save(struct ptui_live *l, const char *path, struct ptui_error *err);

/* ---- news ---- */

enum ptui_live_state {
	PTUI_LIVE_NEW,
	PTUI_LIVE_RUNNING,
	PTUI_LIVE_PAUSED,
	PTUI_LIVE_ENDED,  /* the file is whole, the last profile is published */
	PTUI_LIVE_FAILED, /* the same, as far as it went: join tells why */
};

enum ptui_live_state ptui_live_state(const struct ptui_live *l);

/*
 * For poll(): readable when something was published or the state has changed since the last
 * ptui_live_ack(). Call that first, then look: nothing is missed. Stays the live's own.
 */
int ptui_live_wake_fd(const struct ptui_live *l);
void ptui_live_ack(struct ptui_live *l);

/* ---- events ---- */

enum ptui_live_event_state {
	PTUI_LIVE_COUNTING,	 /* the times are above zero, and so `scaled` means something */
	PTUI_LIVE_NOT_COUNTED,	 /* opened, but never was on a counter while it was on */
	PTUI_LIVE_NOT_SUPPORTED, /* this machine does not have it; the others are recorded */
	PTUI_LIVE_ERROR, /* pinned (D), and the kernel could not keep it on a counter: the error state */
};

struct ptui_live_event {
	const char *name;	/* as the profile has it; valid as long as the live */
	uint32_t profile_event; /* index in the profile; PTUI_NONE when not supported */
	enum ptui_live_event_state state;
	const char *reason; /* one sentence when not supported, else NULL */
	/* summed over CPUs and threads, as of the last refresh */
	uint64_t count;	 /* as counted */
	uint64_t scaled; /* count * enabled / running, by thread or CPU */
	uint64_t enabled_ns, running_ns;
	double running_share; /* running / enabled, 0 to 1; 1 when it was never enabled */
	double rate;	      /* scaled, a second, over the last refresh */
	double running_rate;  /* running_ns, a nanosecond, over the last refresh */
	uint64_t samples;     /* that came to the live profile, those included that left it */
	uint64_t lost;	      /* samples of it that the kernel could not write (LOST) */
};

/*
 * Known from the start on (before: 0): those that are recorded, in order, then those that are not
 * supported. The sideband's own event is not among them.
 */
size_t ptui_live_n_events(const struct ptui_live *l);
/* The i-th; all zero beyond the end. */
void ptui_live_event(const struct ptui_live *l, size_t i, struct ptui_live_event *ret);

/* ---- numbers ---- */

struct ptui_live_stats {
	uint64_t elapsed_ns; /* since the start, pauses included; stands at the end */
	uint64_t paused_ns;  /* of these */
	uint64_t samples;    /* taken out of the rings, all events */
	uint64_t
		forgotten_samples; /* with -M: the memory had no room for them any more, and no file has them */
	uint64_t bytes;		/* of records written */
	uint64_t lost;		/* records the kernel dropped because a ring was full (LOST) */
	uint64_t lost_samples;	/* by the counters' own account (PERF_FORMAT_LOST) */
	uint64_t lost_sideband; /* as in struct ptui_record_stats */
	uint64_t throttled;	/* THROTTLE records */
	uint64_t wakeups;	/* passes over the rings that found something */
	double ring_fill;	/* 0 to 1: the fullest ring at the last pass … */
	double ring_fill_max;	/* … and at any */
	uint64_t recorder_cpu_ns, session_cpu_ns; /* what the two threads took so far */
	double cpu_share; /* both, over the last refresh: 0.01 is 1 % of one CPU */
	/* what the live profile does not have, and the file does */
	uint64_t dropped_bytes, dropped_samples; /* the queue was full */
};

void ptui_live_get_stats(const struct ptui_live *l, struct ptui_live_stats *ret);

/* ---- the profile so far ---- */

struct ptui_live_profile_info {
	uint64_t generation; /* grows with each one that is published; 0: none yet */
	uint64_t left;	     /* samples that have left it because of the cap */
	uint64_t first_ns;   /* time of the oldest sample in it; 0: there are none … */
	uint64_t last_ns;    /* … and of the youngest */
	uint64_t seen_ns;    /* of the youngest record that has come, in it or not yet in it */
	/* since the start, of all events, those included that left it: … */
	uint64_t taken;	       /* samples that came to it */
	uint64_t kernel_taken; /* … of these, while the kernel ran */
	uint64_t exact_taken;  /* … of these, with the address of the very instruction (:pp) */
};

/*
 * A new reference (ptui_profile_unref()) to the latest one; it never changes. NULL: none yet.
 * `ret` may be NULL. Cheap enough to be asked at every wake.
 *
 * Samples come one round of the rings later than they are in the file, and all of them at the
 * end: when nothing was dropped and none has left, the last profile has the file's rows.
 */
struct ptui_profile *ptui_live_profile(const struct ptui_live *l,
				       struct ptui_live_profile_info *ret);

/* ---- the command ---- */

/*
 * The master side of the command's terminal, not blocking; -1: it has none. The front end reads
 * it (a command whose terminal is not read will stand still in the end) and may write what a
 * person types. read() gives -EIO when nobody has the other side open any more. Stays the live's
 * own, open until free.
 */
int ptui_live_command_fd(const struct ptui_live *l);
/* 0 or a negative errno; a command without a terminal of its own: 0. */
int ptui_live_set_size(struct ptui_live *l, unsigned short rows, unsigned short cols);

/* As of waitpid(); -1: there is or was none, or it runs still. */
int ptui_live_child_status(const struct ptui_live *l);

/* The path of the file. Borrowed. NULL: it is written nowhere, and the profile is all that stays. */
const char *ptui_live_output(const struct ptui_live *l);

#ifdef __cplusplus
}
#endif
#endif
