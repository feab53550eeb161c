/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Internals of struct ptui_live.
 *
 *	recorder's thread --> live_queue --> session's thread: live_build --> builder
 *	                                           |                              |
 *	                                    counter values --- under the lock --- publish
 *
 * live_build: from blocks of records to published profiles. A block is one pass over the ring
 * buffers. A buffer that is read early in a pass may still hold older records than one that is read
 * late: everything up to the end of this pass is complete only after the next one. So
 *
 *	pass N arrives:  add the sideband of N; seal up to the end of N-1; add the samples of N-1
 *	idle, the end:   nothing older can come: the same for N
 *
 * live_pipe: instead of recorder and queue, the session's thread reads a pipe. A round in it (up to
 * a FINISHED_ROUND record) is what a pass is above.
 */
#ifndef SESSION_LIVE_H
#define SESSION_LIVE_H

#include <stdatomic.h>
#include "ptui/live.h"
#include "record/recording.h"
#include "session/builder.h"
#include "session/live/live_queue.h"

struct live_build {
	struct builder builder;
	struct data_file *file;
	struct data_walk *sideband, *samples;
	struct live_block *waiting; /* samples not added yet */
	uint64_t dropped_ns;	    /* time of the last machine_drop_ended() */
	uint64_t seen_ns;	    /* youngest time so far */
	uint64_t *taken;	    /* samples by event since the start */
	uint64_t all_taken, kernel_taken, exact_taken;
	struct profile_debug *debug; /* of the last profile; NULL: none yet */
	uint64_t debug_lineage;
	struct buildids buildids; /* of files mapped while it runs; no reader: none */
};

/* 0 or -ENOMEM. `roots` must outlive it; the defaults of `live` are set. */
int live_build_init(struct live_build *b, const struct ptui_live_opts *live,
		    const struct roots *roots);
/* After the builder was initialized: the cycles of the newest branch stacks are kept, for annotations. */
void live_build_keep_blocks(struct live_build *b);
void live_build_release(struct live_build *b);
int live_build_event(struct live_build *b, const struct event *ev, const uint64_t *ids,
		     size_t n_ids);
/* To be called after all events. */
int live_build_begin(struct live_build *b);
/* Takes ownership of the block. */
int live_build_block(struct live_build *b, struct live_block *block);
int live_build_idle(struct live_build *b);
int live_build_end(struct live_build *b);
/* NULL: out of memory. */
struct ptui_profile *live_build_publish(struct live_build *b);
/* Counts a sample that was added. */
void live_build_count(struct live_build *b, const struct data_sample *s);

struct live_event {
	struct ptui_live_event shown;
	uint32_t index;	 /* in the recording and in the profile */
	uint32_t leader; /* of the group's leader; its own if it is alone */
	char *name, *reason;
};

/* What is read from a pipe; owned by the session's thread once that runs. */
struct live_pipe {
	char *path; /* NULL: the records come from the recording */
	struct ptui_load_opts load;
	atomic_bool stop; /* was requested */
	bool opened;
	uint64_t n_read, n_added; /* records: read, and their samples added */
	/* the records of the last whole round, and the time up to which they are complete */
	uint64_t round_n, round_when;
	uint64_t round_bytes; /* position at its end */
	bool has_rounds;
	bool between_rounds; /* the last record was the end of a round */
	uint64_t *periods;   /* by event: sums since the start */
	size_t n_counted;    /* entries of it, and of live_build.taken */
	int result;
	struct ptui_error err;
};

struct ptui_live {
	struct ptui_live_opts opts;
	const struct kernel_ops *ops;
	struct ptui_recording *recording; /* NULL: a pipe */
	struct live_pipe pipe;
	struct recording_watch watch;
	struct live_queue queue;
	struct live_build build;
	_Atomic uint32_t refresh_ms;
	int wake_fd;
	pthread_t thread;
	bool started, joinable;
	uint64_t began_ns, ended_ns;

	/* owned by the session's thread */
	uint64_t next_read_ns, read_ns; /* next and last reading of the counters */
	uint64_t cost_read_ns, cost_cpu_ns;
	int build_result;

	pthread_mutex_t lock; /* protects everything below */
	enum ptui_live_state state;
	int recorder_result;
	uint64_t paused_since_ns, paused_ns;
	struct ptui_profile *profile;
	struct ptui_live_profile_info info;
	struct live_event *events;
	size_t n_events;
	uint32_t n_recorded; /* events of the recording, including the sideband */
	uint64_t session_cpu_ns;
	double cpu_share;
	struct ptui_live_stats pipe_stats; /* as of the last publication */
};

/* ptui_live_new() over any kernel. */
struct ptui_live *live_new(const struct ptui_record_opts *record, const struct ptui_live_opts *opts,
			   const struct kernel_ops *ops, struct ptui_error *err);

/* live.c: adds a line for an event; NULL: out of memory. */
struct live_event *live_add_event(struct ptui_live *l, const char *name);
void live_set_state(struct ptui_live *l, enum ptui_live_state state);

/* live_thread.c */
int live_thread_start(struct ptui_live *l, struct ptui_error *err);

/* live_pipe.c: opens the pipe, and waits for its header. 0 or a negative errno. */
int live_pipe_open(struct ptui_live *l, struct ptui_error *err);
void live_pipe_release(struct ptui_live *l);
/* What ended it: 0, or the error. */
int live_pipe_result(const struct ptui_live *l, struct ptui_error *err);
/*
 * In the session's thread: reads until a round is complete, nothing comes for a while, or
 * `until_ns`; adds what is complete. 0; 1: it was the last. Errors end it as well.
 */
int live_pipe_read(struct ptui_live *l, uint64_t until_ns);
/* Adds to the last profile what that of a file has besides. 0 or -ENOMEM: only to be freed. */
int live_pipe_complete(struct ptui_live *l, struct ptui_profile *p);
/* Sets counts and statistics after a publication; the lock is held. */
void live_pipe_count(struct ptui_live *l, uint64_t passed_ns);

/* recording.c: the second sets the first as its buildid_fn. */
int session_read_build_id(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);
struct ptui_recording *session_recording_new(const struct ptui_record_opts *opts,
					     const struct kernel_ops *ops, struct ptui_error *err);

#endif
