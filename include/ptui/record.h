/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording. Takes events, a target and an output; writes a perf.data file and provides
 * statistics while it runs. The recording runs in its own thread. All functions may be called from
 * any one other thread, except where noted.
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

/* Where the file keeps the build-ids of the sampled DSOs. */
enum ptui_record_buildid {
	/*
	 * for a workload: MMAP2 records from the kernel; else the header table, read from the
	 * mapped files
	 */
	PTUI_BUILDID_USUAL,
	PTUI_BUILDID_MMAP,  /* MMAP2 records from the kernel; an error where not supported */
	PTUI_BUILDID_TABLE, /* header table, of the DSOs with samples */
	PTUI_BUILDID_CACHE, /* header table, and the DSOs are copied to the build-id cache */
	PTUI_BUILDID_NONE,
};

/*
 * --switch-output: what was written so far becomes OUT.YYYYMMDDHHMMSSxx, and the recording
 * continues in a new file. Every snapshot request switches too.
 */
struct ptui_record_switch {
	bool on;	    /* --switch-output */
	uint64_t bytes;	    /* switch after this many bytes; 0: not by size */
	uint64_t after_ns;  /* switch after this time; 0: not by time */
	unsigned max_files; /* keep only the latest files; 0: all */
};

/* Output options. All zero: the defaults of perf record. */
struct ptui_record_output {
	unsigned compress_level; /* -z: zstd level, 1 to 22; 0: not compressed */
	bool append;		 /* -A: append to a file with the same events */
	bool overwrite; /* -f: do not rename an existing file to FILE.old; not with append */
	bool timestamp_filename; /* rename the finished file to FILE.YYYYMMDDHHMMSSxx */
	bool timestamp_boundary; /* parse every sample for an exact SAMPLE_TIME feature */
	bool no_buffering;	 /* wake the recorder for each sample */
	/* wake it after this many samples, or bytes, of an event; 0: when a ring buffer is half full */
	uint32_t wakeup_events, wakeup_bytes;
	uint64_t max_bytes; /* end the recording at this output size; 0: no limit */
	/* --mmap-flush: minimum number of bytes to drain from a ring buffer; 0: 1 */
	uint64_t flush_bytes;
	struct ptui_record_switch change;
	/*
	 * No output file: records go only to the live view (ptui/live.h). `output` is ignored;
	 * options that need a file, and overwrite-mode rings, are errors. With memory_bytes, the
	 * latest samples can be saved after the end: ptui_recording_save().
	 */
	bool nowhere;
	/*
	 * -M: keep samples in a memory ring of this size, at least 65537 bytes, until a snapshot or
	 * the end; 0: write them at once. All other records are written at once. Excludes overwrite
	 * mode.
	 */
	uint64_t memory_bytes;
};

/* AUX areas, of events that have one (intel_pt//). All zero: everything is written. */
struct ptui_record_aux {
	/*
	 * -S: the newest data stays in the AUX areas, and is written for each snapshot, into the output;
	 * with on_exit also at the end
	 */
	bool snapshot, on_exit;
	uint64_t snapshot_bytes; /* of each AUX area; 0: all of it */
	/* --aux-sample: bytes of AUX data in each sample of the other events of its group; 0: none */
	uint64_t sample_bytes;
};

/* When the counters are enabled. All zero: always. */
struct ptui_record_control {
	/* -D: delay in ms; "-1": start disabled; "10-20,30-40": time ranges; NULL: no delay */
	const char *delay;
	/* --control: read commands from "fd:CTL[,ACK]" or "fifo:CTL[,ACK]"; NULL: none */
	const char *channel;
	/*
	 * Receives perf's stderr messages about enabling and control commands: one or more lines
	 * without the final newline. Called from the recorder thread, and once from the thread that
	 * calls start. May be NULL.
	 */
	void (*say)(void *ctx, const char *text);
	void *say_ctx;
};

/* CPU affinity of the recorder thread while it reads a ring. */
enum ptui_record_affinity {
	PTUI_AFFINITY_SYS,  /* no affinity */
	PTUI_AFFINITY_NODE, /* NUMA node of the ring */
	PTUI_AFFINITY_CPU,  /* CPU of the ring */
};

/*
 * Automatic snapshot triggers. They require overwrite-mode rings, samples in memory (-M), or
 * --switch-output.
 */
struct ptui_record_trigger {
	/*
	 * --snapshot-when: conditions on recorded events, like "page-faults/s > 10k". A snapshot is
	 * taken when any of them becomes true; it triggers again only after it was false and half
	 * of the kept samples are new, at most once a second. ", once" takes one snapshot only; ",
	 * keep 5" keeps only the files of the last five.
	 */
	const char *const *when;
	size_t n_when;
	/*
	 * --snapshot-max-size: total bytes of the snapshots taken by conditions, after which none
	 * is taken; 0: 1 GiB.
	 */
	uint64_t max_bytes;
	/*
	 * --switch-output-event: events in -e syntax. They are not recorded; each occurrence takes
	 * a snapshot. Counted on whole CPUs for a workload and with system_wide, else for the
	 * recorded tasks.
	 */
	const char *const *events;
	size_t n_events;
	const char *const *filters; /* filters, n_events entries or NULL */
};

struct ptui_record_opts {
	const char *const *events; /* -e; none: cycles, or cpu-clock */
	size_t n_events;
	/*
	 * filters and exclude_self have n_events entries or are NULL. --filter: tracepoint filter;
	 * NULL: none
	 */
	const char *const *filters;
	/* --exclude-perf: skip events of ptui itself; tracepoints only */
	const bool *exclude_self;
	uint64_t freq_hz; /* sampling frequency in Hz; 0: 4000 if period is 0 too */
	uint64_t period;  /* events between samples; 0: use freq_hz */
	bool max_freq;	  /* -F max: the maximum that the kernel allows */
	bool strict_freq; /* fail if the kernel does not allow the frequency; else lower it */
	struct ptui_shape shape;      /* sample fields: ptui/shape.h */
	unsigned skip_synth;	      /* PTUI_SYNTH_* not to synthesize; 0: synthesize all */
	bool tail_synth;	      /* synthesize at the end of the recording */
	unsigned synth_threads;	      /* threads that read /proc; 0: one per CPU, at most 4 */
	uint64_t proc_map_timeout_ms; /* timeout for the maps of one process; 0: 500 */
	/* Target. Conflicts are resolved by perf's rules and logged as warnings. */
	bool system_wide; /* -a; the default without tasks and workload */
	bool no_inherit;  /* -i: do not record child tasks of the target */
	bool inherit;	  /* --inherit: record child tasks even with -t */
	/* --per-thread: one ring per thread instead of per CPU; no inheritance */
	bool per_thread;
	const pid_t *pids; /* -p: processes with all their threads */
	size_t n_pids;
	const pid_t *tids; /* -t: single threads */
	size_t n_tids;
	const char *user; /* -u: user name or uid; current processes and their children */
	const char *cpus; /* -C: "0-3,8"; whole CPUs, even without -a; NULL: all online CPUs */
	/*
	 * -m: pages, or bytes like "16M"; NULL: what perf_event_mlock_kb allows. ",SIZE" after it: of each
	 * AUX area
	 */
	const char *ring_pages;
	/* -G in order: names "a,,b" for the first cgroup_after[i] of `events` */
	const char *const *cgroups;
	const size_t *cgroup_after;
	size_t n_cgroups;
	char *const *argv; /* workload, NULL-terminated; NULL: none */
	enum ptui_record_buildid buildid;
	bool buildid_all;	 /* all mapped DSOs, not only sampled ones */
	const char *buildid_dir; /* build-id cache; NULL: ~/.debug */
	const char *vmlinux;	 /* vmlinux of the running kernel, added to the cache; NULL: none */
	/* NULL: "perf.data". Pipe format for "-" and named pipes. */
	const char *output;
	struct ptui_record_output out;
	struct ptui_record_aux aux;
	struct ptui_record_trigger trigger;
	struct ptui_record_control control;
	enum ptui_record_affinity affinity;
	/* -r: SCHED_FIFO priority of the recorder thread; 0: none */
	uint64_t realtime_priority;
	/* With PTUI_CALLGRAPH_LIVE: limit of stack copies that wait to be unwound; 0: 64 MiB */
	size_t unwind_queue_bytes;
	/*
	 * Called from the recorder thread after a snapshot or output switch; the path is valid for
	 * the call. May be NULL.
	 */
	uint64_t overflow_limit; /* samples of each counter, after which it stops; 0: none */
	bool measure_cost;	 /* the recorder thread counts its own CPU time */
	void (*took_snapshot)(void *ctx, const struct ptui_snapshot *taken);
	void *took_snapshot_ctx;
	const char *cmdline;  /* CMDLINE feature of the header: NUL-terminated words … */
	size_t cmdline_bytes; /* … and their total length; 0: no feature */
};

struct ptui_record_stats {
	uint64_t bytes;	       /* record bytes written */
	uint64_t raw_bytes;    /* uncompressed size; set at the end */
	double ratio;	       /* compression ratio; 0: not compressed */
	uint64_t samples;      /* samples read from the rings, all events */
	uint64_t wakeups;      /* wakeups of the recorder to write data */
	uint64_t lost;	       /* records dropped by the kernel because a ring was full (LOST) */
	uint64_t lost_samples; /* lost samples as counted by the kernel (PERF_FORMAT_LOST) */
	/* lost sideband records, included in the larger of the two above */
	uint64_t lost_sideband;
	/* With -M: samples in memory; samples dropped from memory without a snapshot */
	uint64_t held_samples, forgotten_samples;
	uint64_t throttled;	/* THROTTLE records */
	uint64_t aux_bytes;	/* AUX data written */
	uint64_t aux_truncated; /* times at which AUX data was cut: an AUX area was full */
	/* user stacks are unwound; samples whose user stack was not, for lack of time */
	bool unwinds;
	uint64_t not_unwound;
	size_t removed_files; /* snapshot files removed to keep at most the given number */
	uint64_t elapsed_ns;
	/*
	 * At the end of a frequency-based recording of whole CPUs, else 0: samples per second of an
	 * event on a CPU, requested and achieved.
	 */
	uint64_t asked_hz, reached_hz;
	/* With measure_cost, at the end: CPU time of the recorder thread; counted: by its own task-clock, not its clock. */
	uint64_t cost_ns;
	bool cost_counted;
	bool running;	    /* the recorder thread runs */
	bool target_gone;   /* the workload or all targets exited */
	bool size_reached;  /* max_bytes */
	bool limit_reached; /* overflow_limit: all counters have stopped */
};

/*
 * Copies the options; opens nothing. NULL on failure with err set: invalid selectors, conflicting
 * options.
 */
struct ptui_recording *ptui_recording_new(const struct ptui_record_opts *opts,
					  struct ptui_error *err);

/*
 * Opens events and rings, creates the output, forks the workload (held until everything is ready),
 * writes the synthesized records, then releases the workload and starts the recorder thread. 0, or
 * a negative errno with err set: nothing is left running, and no finished file is left. Fallbacks
 * (cycles to cpu-clock, kernel to :u) are logged as PTUI_LOG_WARN.
 */
int ptui_recording_start(struct ptui_recording *r, struct ptui_error *err);

/* Reason for a snapshot. */
enum ptui_snapshot_why {
	PTUI_SNAPSHOT_ASKED,   /* ptui_recording_snapshot(), a key */
	PTUI_SNAPSHOT_SIGNAL,  /* SIGUSR2 */
	PTUI_SNAPSHOT_CONTROL, /* --control */
	PTUI_SNAPSHOT_EVENT,   /* --switch-output-event */
	PTUI_SNAPSHOT_WHEN,    /* a condition became true: --snapshot-when */
	PTUI_SNAPSHOT_SIZE,    /* ptui_record_switch.bytes */
	PTUI_SNAPSHOT_TIME,    /* ptui_record_switch.after_ns */
};

/* One snapshot of the kept samples: overwrite-mode rings, or the memory of -M. */
struct ptui_snapshot {
	enum ptui_snapshot_why why;
	/* Its file; valid until 1000 more were taken. NULL: it was added to the output. */
	const char *path;
	uint64_t taken_ns;    /* since the start */
	uint64_t samples;     /* samples kept; of these … */
	uint64_t new_samples; /* … samples in no earlier snapshot; the rest overlaps */
	uint64_t bytes;	      /* file size; without a file of its own: bytes of the new records */
	/* from the oldest to the newest sample; 0: no samples or no timestamps */
	uint64_t span_ns;
	uint64_t overlap_ns; /* overlap with the previous snapshot */
	uint64_t pause_ns;   /* time the rings were paused */
	uint64_t react_ns;   /* from the trigger until the rings run again */
	uint64_t lost;	    /* samples lost while the rings were paused, as counted by the kernel */
	uint64_t aux_bytes; /* AUX data, added to the output */
	bool kept;	/* false: an output switch; the fields describe the contents of its file */
	bool gap;	/* samples since the previous snapshot were overwritten unseen */
	bool removed;	/* its file was removed: ptui_record_switch.max_files, or "keep" */
	bool forgotten; /* too old: no other field is valid */
};

/*
 * Requests a snapshot of the kept samples as a file of its own (with memory_bytes alone: into the
 * output), or an output switch if change.on; otherwise does nothing. The recording continues.
 * Async-signal-safe and thread-safe; valid after start.
 */
void ptui_recording_snapshot(struct ptui_recording *r, enum ptui_snapshot_why why);
/*
 * The i-th snapshot. False: not taken yet, *ret is unchanged. At least the last 1000 (or
 * ptui_record_switch.max_files) are complete; for older ones only `forgotten` is set. Thread-safe.
 */
bool ptui_recording_get_snapshot(struct ptui_recording *r, size_t i, struct ptui_snapshot *ret);

/* Unit of a comparison in a condition. */
enum ptui_armed_unit {
	PTUI_ARMED_COUNT,   /* EVENT: since the start */
	PTUI_ARMED_RATE,    /* EVENT/s */
	PTUI_ARMED_RATIO,   /* EVENT/EVENT */
	PTUI_ARMED_PERCENT, /* the same in percent; the value is still the ratio */
};

#define PTUI_ARMED_VALUES 4

/* The armed snapshot condition. */
struct ptui_armed {
	/*
	 * The text; several --snapshot-when are joined by "or". Valid until the next
	 * ptui_recording_arm(). NULL: none, and all other fields are zero.
	 */
	const char *condition;
	bool holds;	/* at the last evaluation, about ten times a second */
	uint64_t fired; /* snapshots it requested */
	bool over;	/* done: "once", or the size limit is reached */
	/* Values of its first comparisons at the last evaluation. NaN: no value (yet). */
	size_t n_values;
	struct {
		enum ptui_armed_unit unit;
		double value;
	} values[PTUI_ARMED_VALUES];
};

/*
 * Arms a snapshot condition in place of the previous one; NULL disarms. Valid between start and the
 * end, from one thread at a time. -EINVAL with the position in err: invalid, the previous condition
 * stays armed; -EOPNOTSUPP: nothing to take a snapshot of; -ESRCH: nothing is being recorded.
 */
int ptui_recording_arm(struct ptui_recording *r, const char *condition, struct ptui_error *err);
/* Must be called from the thread that arms. */
void ptui_recording_get_armed(struct ptui_recording *r, struct ptui_armed *ret);

/* Requests the end of the recording; async-signal-safe and thread-safe. */
void ptui_recording_stop(struct ptui_recording *r);

/*
 * Waits for the end (target exited, or stop) and finishes the file. 0, or the error that ended the
 * recording; what was written before is a valid file.
 */
int ptui_recording_join(struct ptui_recording *r, struct ptui_error *err);

/* With `nowhere` and memory_bytes: number of samples that are in no file and can be saved. */
uint64_t ptui_recording_unsaved(const struct ptui_recording *r);
/*
 * After join: writes these samples to a file at `path` (an existing file is renamed to PATH.old).
 * They stay in memory, but no longer count as unsaved. 0 or a negative errno with err set.
 */
int ptui_recording_save(struct ptui_recording *r, const char *path, struct ptui_error *err);

void ptui_recording_get_stats(const struct ptui_recording *r, struct ptui_record_stats *ret);

/* Status of the workload as from waitpid(); -1: no workload, or still running. */
int ptui_recording_child_status(const struct ptui_recording *r);

/* Path of the output, as given or the default; NULL: none. Borrowed. */
const char *ptui_recording_output(const struct ptui_recording *r);
/* The children of the first process of -p, as -p takes them ("12,13"); "": there are none, or too many. */
void ptui_recording_children(const struct ptui_recording *r, char *buf, size_t size);

/* NULL is allowed. Stops and joins first if necessary. */
void ptui_recording_free(struct ptui_recording *r);

#ifdef __cplusplus
}
#endif
#endif
