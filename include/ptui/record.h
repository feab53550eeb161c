/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recording, as one object. Takes: what to measure, whom, where to. Gives: a perf.data
 * file, and while it grows its numbers. The recording runs in a thread of its own; every
 * function here may be called from any one other thread, except where said.
 *
 *   new -> start -> (stats …) -> stop -> join -> free
 */
#ifndef PTUI_RECORD_H
#define PTUI_RECORD_H

#include <stdbool.h>
#include <sys/types.h>
#include "ptui/error.h"
#include "ptui/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_recording;
struct ptui_snapshot;

/* Where a file keeps the build-ids of the modules that its samples lie in. */
enum ptui_record_buildid {
	/* of a command in MMAP2 records, by the kernel; else in the header, read from the mapped files */
	PTUI_BUILDID_USUAL,
	PTUI_BUILDID_MMAP,  /* in MMAP2 records, by the kernel; refused where it cannot */
	PTUI_BUILDID_TABLE, /* in the header, by a look at all samples at the end */
	PTUI_BUILDID_CACHE, /* and the modules go into perf's cache as well */
	PTUI_BUILDID_NONE,
};

/*
 * When the output changes: what was written so far becomes a file of its own, OUT.YYYYMMDDHHMMSSxx, and the
 * recording goes on in another one. Every reason for a snapshot is one to change it, and so are these.
 */
struct ptui_record_switch {
	bool on;	    /* --switch-output */
	uint64_t bytes;	    /* also when so much was written; 0: not by size */
	uint64_t after_ns;  /* also when so much time has passed; 0: not by time */
	unsigned max_files; /* older ones of this recording are removed; 0: all stay */
};

/* How the file is written. All zero: as perf record does without options. */
struct ptui_record_output {
	unsigned compress_level; /* -z: zstd's, 1 to 22; 0: not compressed */
	bool append;	/* -A: behind what is in the file, which must be of the same events */
	bool overwrite; /* -f: an older file is not kept as FILE.old; not with append */
	bool timestamp_filename; /* the file becomes FILE.YYYYMMDDHHMMSSxx when it is finished */
	bool timestamp_boundary; /* every sample is looked at for SAMPLE_TIME: that is exact then */
	bool no_buffering;	 /* the recorder is woken by each sample */
	uint64_t max_bytes;	 /* the recording ends when so much was written; 0: never */
	uint64_t flush_bytes;	 /* --mmap-flush: a ring with less is left until later; 0: 1 */
	struct ptui_record_switch change;
	/*
	 * Nothing is written: who watches (ptui/live.h) is shown every record, and that is all. `output` does
	 * not count; what is done to a file, and rings that are kept until a snapshot, are refused. With
	 * memory_bytes the last samples can be saved when it has ended: ptui_recording_save().
	 */
	bool nowhere;
	/*
	 * -M: samples stay in memory of this size until a snapshot or the end, 65537 at least; 0: they go to the
	 * file at once. Everything else does. Excludes events that are kept in rings (overwrite).
	 */
	uint64_t memory_bytes;
};

/* When the counters are on. All zero: from beginning to end. */
struct ptui_record_control {
	/* -D: ms until they are switched on; "-1": not by itself; "10-20,30-40": stretches; NULL: at once */
	const char *delay;
	/* --control: commands are read from "fd:CTL[,ACK]" or "fifo:CTL[,ACK]"; NULL: none are */
	const char *channel;
	/*
	 * What perf says on stderr when they are switched, and what was asked for: a line or more,
	 * without the last end. Called in the recorder's thread, and once in the one that starts. NULL ok.
	 */
	void (*say)(void *ctx, const char *text);
	void *say_ctx;
};

/* Where the recorder's thread runs when it empties a ring. */
enum ptui_record_affinity {
	PTUI_AFFINITY_SYS,  /* wherever the kernel puts it */
	PTUI_AFFINITY_NODE, /* on the ring's node of memory */
	PTUI_AFFINITY_CPU,  /* on the ring's CPU */
};

/*
 * What a snapshot is taken for by itself, besides those who ask for one. There must be something to take
 * one of: rings that are overwritten, samples in memory, or an output that changes.
 */
struct ptui_record_trigger {
	/*
	 * --snapshot-when: conditions on the events that are recorded, as "page-faults/s > 10k"; each
	 * is enough. A snapshot is taken when one comes true, and not again before it was false and half
	 * of what is kept is new; at most one a second. With ", once" behind it only one is taken, with
	 * ", keep 5" only the files of the last five stay.
	 */
	const char *const *when;
	size_t n_when;
	/*
	 * --snapshot-max-size: when the snapshots of what is kept that they took have so many bytes, none is
	 * taken by them any more; 0: 1 GiB.
	 */
	uint64_t max_bytes;
	/*
	 * --switch-output-event: texts as of -e. They are not recorded; each time one happens a snapshot
	 * is taken. Of a command, and with system_wide: on whole CPUs; else of the tasks that are recorded.
	 */
	const char *const *events;
	size_t n_events;
	const char *const *filters; /* n_events of them, or NULL; as of -e */
};

struct ptui_record_opts {
	const char *const *events; /* -e texts in order; none: cycles, or cpu-clock */
	size_t n_events;
	/* n_events of each, or NULL. --filter: what must hold of a tracepoint's fields; NULL: nothing */
	const char *const *filters;
	const bool
		*exclude_self; /* --exclude-perf: without what ptui itself does; tracepoints only */
	uint64_t freq_hz;      /* 0: 4000 when period is 0 too */
	uint64_t period;       /* events between samples; 0: use freq_hz */
	bool max_freq;	       /* -F max: as often as the kernel allows */
	bool strict_freq; /* refuse a frequency that the kernel does not allow; else it is lowered */
	struct ptui_shape shape; /* what stands in the samples: ptui/shape.h */
	unsigned skip_synth; /* PTUI_SYNTH_*: what was there before, and is not told; 0: all is */
	bool tail_synth;     /* it is told at the end of the recording instead of its beginning */
	unsigned synth_threads;	      /* that read /proc at once; 0: one for each CPU, at most 4 */
	uint64_t proc_map_timeout_ms; /* for the maps of one process; 0: 500 */
	/* Whom. What excludes each other is settled by perf's rules, and told as a warning. */
	bool system_wide;  /* -a; also when there is no task and no command */
	bool no_inherit;   /* -i: children of the target are not recorded */
	bool inherit;	   /* --inherit: they are, where -t alone would not */
	bool per_thread;   /* --per-thread: a ring a thread; children are not recorded */
	const pid_t *pids; /* -p: with all their threads */
	size_t n_pids;
	const pid_t *tids; /* -t: these threads alone */
	size_t n_tids;
	const char *user; /* -u: a name or number; what runs of it now, and its children */
	const char *cpus; /* -C: "0-3,8"; whole CPUs, also without -a; NULL: all that are online */
	const char *
		ring_pages; /* -m: pages, or bytes as "16M"; NULL: what perf_event_mlock_kb grants */
	/* -G, in order: names "a,,b", for the events of the first cgroup_after[i] of `events` */
	const char *const *cgroups;
	const size_t *cgroup_after;
	size_t n_cgroups;
	char *const *argv; /* the command, NULL-terminated; NULL: none */
	enum ptui_record_buildid buildid;
	bool buildid_all;	 /* the table has all modules that were mapped */
	const char *buildid_dir; /* the cache; NULL: ~/.debug */
	const char *vmlinux;	 /* of the running kernel: goes into the cache; NULL: not given */
	/* NULL: "perf.data". "-" and named pipes get perf's pipe format. */
	const char *output;
	struct ptui_record_output out;
	struct ptui_record_trigger trigger;
	struct ptui_record_control control;
	enum ptui_record_affinity affinity;
	uint64_t
		realtime_priority; /* -r: the recorder's thread is SCHED_FIFO with this priority; 0: it is not */
	/*
	 * Called in the recorder's thread when a snapshot was taken, or the output has changed: its path is
	 * valid for the call. NULL ok.
	 */
	void (*took_snapshot)(void *ctx, const struct ptui_snapshot *taken);
	void *took_snapshot_ctx;
	const char *cmdline; /* what the header's CMDLINE feature says: words, each ended by \0 … */
	size_t cmdline_bytes; /* … and its length; 0: no feature */
};

struct ptui_record_stats {
	uint64_t bytes;	       /* of records written */
	uint64_t raw_bytes;    /* of them before they were compressed; when it is over */
	double ratio;	       /* of the two; 0: they were not compressed */
	uint64_t samples;      /* of all events, as far as they were taken out of the rings */
	uint64_t wakeups;      /* times the recorder was woken to write data */
	uint64_t lost;	       /* records the kernel dropped because a ring was full (LOST) */
	uint64_t lost_samples; /* by the counters' own account (PERF_FORMAT_LOST) */
	uint64_t
		lost_sideband; /* of the larger of both: not samples, but records with names and maps */
	/* With a memory: samples that are in it; that had to leave it, and no snapshot had them. */
	uint64_t held_samples, forgotten_samples;
	uint64_t throttled;   /* THROTTLE records */
	size_t removed_files; /* of snapshots, by the recorder: there were more than were to stay */
	uint64_t elapsed_ns;
	/*
	 * When it is over, of a recording of whole CPUs by frequency, else 0: samples a second of an event
	 * on a CPU, that were wanted and that came.
	 */
	uint64_t asked_hz, reached_hz;
	bool running;	   /* the thread is at work */
	bool target_gone;  /* the command ended, or all targets did */
	bool size_reached; /* max_bytes */
};

/*
 * Copies the options; opens nothing. Selector mistakes and conflicting options are told
 * here. NULL on failure.
 */
struct ptui_recording *ptui_recording_new(const struct ptui_record_opts *opts,
					  struct ptui_error *err);

/*
 * Opens events and rings, creates the output, forks the command (held until all is ready),
 * writes the base records, then lets the command go and the recorder's thread begin. On
 * failure nothing is left running, and no file that looks finished is left behind.
 * Fallbacks that were taken (cycles to cpu-clock, kernel to :u) are logged as
 * PTUI_LOG_WARN.
 */
int ptui_recording_start(struct ptui_recording *r, struct ptui_error *err);

/* What a snapshot was taken for. */
enum ptui_snapshot_why {
	PTUI_SNAPSHOT_ASKED,   /* ptui_recording_snapshot(), a key */
	PTUI_SNAPSHOT_SIGNAL,  /* SIGUSR2 */
	PTUI_SNAPSHOT_CONTROL, /* --control */
	PTUI_SNAPSHOT_EVENT,   /* --switch-output-event */
	PTUI_SNAPSHOT_WHEN,    /* a condition came true: --snapshot-when */
	PTUI_SNAPSHOT_SIZE,    /* ptui_record_switch.bytes */
	PTUI_SNAPSHOT_TIME,    /* ptui_record_switch.after_ns */
};

/* What one look at what is kept found: the rings that are overwritten, or the memory of -M. */
struct ptui_snapshot {
	enum ptui_snapshot_why why;
	/* The file it is in; valid until 1000 more were taken. NULL: it was added to the output. */
	const char *path;
	uint64_t taken_ns;    /* since the start */
	uint64_t samples;     /* that were kept; of them … */
	uint64_t new_samples; /* … those that no snapshot before had; the others overlap with it */
	uint64_t bytes;	      /* of the file; where it has none of its own: of the new records */
	uint64_t span_ns;     /* from the oldest sample to the newest; 0: no samples, or no times */
	uint64_t overlap_ns;  /* of that, what the one before had as well */
	uint64_t pause_ns;    /* for so long the kernel could not write into the rings */
	uint64_t react_ns;    /* from the reason to the rings running again */
	uint64_t lost; /* samples that came while the rings stood still, by the kernel's account */
	bool kept; /* of what is kept; false: the output has changed, and these are all that is in its file */
	bool gap;     /* since the one before some samples were overwritten that nobody saw */
	bool removed; /* the recorder has removed its file: ptui_record_switch.max_files, or "keep" */
	bool forgotten; /* it was taken long ago, and nothing else is known of it any more */
};

/*
 * Asks for a snapshot: of what is kept, as a file of its own (with memory_bytes alone: into the output);
 * else the output changes, where change.on says so. The recording goes on. Otherwise nothing happens.
 * Async-signal-safe; any thread; from start on.
 */
void ptui_recording_snapshot(struct ptui_recording *r, enum ptui_snapshot_why why);
/*
 * The i-th that was taken. False: there is none yet, and *ret stays as it was. At least the last 1000 (or
 * ptui_record_switch.max_files) are known, of others only `forgotten` is set. Any thread.
 */
bool ptui_recording_get_snapshot(struct ptui_recording *r, size_t i, struct ptui_snapshot *ret);

/* What is measured in a comparison of a condition. */
enum ptui_armed_unit {
	PTUI_ARMED_COUNT,   /* EVENT: since the start */
	PTUI_ARMED_RATE,    /* EVENT/s */
	PTUI_ARMED_RATIO,   /* EVENT/EVENT */
	PTUI_ARMED_PERCENT, /* the same, said in percent; the value is the ratio all the same */
};

#define PTUI_ARMED_VALUES 4

/* The condition that snapshots are taken for. */
struct ptui_armed {
	/* As it was said; several of --snapshot-when are joined by "or". Valid until the next
	   ptui_recording_arm(). NULL: there is none, and the rest is zero. */
	const char *condition;
	bool holds;	/* at the last look, some ten a second */
	uint64_t fired; /* snapshots that were asked for by it */
	bool over; /* no more are taken by it: it was to be one only, or they have all the space */
	/* What its first comparisons compare, as of the last look. NaN: no value (yet). */
	size_t n_values;
	struct {
		enum ptui_armed_unit unit;
		double value;
	} values[PTUI_ARMED_VALUES];
};

/*
 * From now on a snapshot is taken when `condition` comes true, instead of what was armed before; NULL:
 * no more. Between start and the end, by one thread at a time. -EINVAL with the place: it is no
 * condition, and what was armed stays; -EOPNOTSUPP: there is nothing to take a snapshot of; -ESRCH:
 * nothing is being recorded.
 */
int ptui_recording_arm(struct ptui_recording *r, const char *condition, struct ptui_error *err);
/* By the thread that arms. */
void ptui_recording_get_armed(struct ptui_recording *r, struct ptui_armed *ret);

/* Asks it to end; async-signal-safe; any thread. */
void ptui_recording_stop(struct ptui_recording *r);

/*
 * Waits for the end (target gone or stop), finishes the file. The error of the recording
 * if it failed on the way: what had been written is still a valid file then.
 */
int ptui_recording_join(struct ptui_recording *r, struct ptui_error *err);

/* nowhere, with memory_bytes: samples that are in no file, and could be saved. */
uint64_t ptui_recording_unsaved(const struct ptui_recording *r);
/*
 * Behind join: writes them to a file at `path` (an older one is kept as PATH.old). They stay, but are not
 * unsaved any more. 0 or a negative errno, told.
 */
int ptui_recording_save(struct ptui_recording *r, const char *path, struct ptui_error *err);

void ptui_recording_get_stats(const struct ptui_recording *r, struct ptui_record_stats *ret);

/* Status of the command as waitpid() gives it; -1: there is or was none, or it runs still. */
int ptui_recording_child_status(const struct ptui_recording *r);

/* The path it writes, the option's or the default; NULL: nowhere. Borrowed. */
const char *ptui_recording_output(const struct ptui_recording *r);

/* NULL ok; stops and joins first if need be. */
void ptui_recording_free(struct ptui_recording *r);

#ifdef __cplusplus
}
#endif
#endif
