/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stands behind struct ptui_live.
 *
 *	recorder's thread --> live_queue --> session's thread: live_build --> builder
 *	                                           |                              |
 *	                                 counters, numbers --- under the lock --- publish
 *
 * live_build: from blocks of records to published profiles. A block is one pass over the rings.
 * A ring that was read early in a pass may still hold older records than one read late: only
 * when the next pass is in, all is there that is not younger than this one. So
 *
 *	pass N in:     sideband of N added; sideband up to the end of N-1 sealed; samples of N-1
 *	idle, the end: nothing older can come: the same for N
 */
#ifndef SESSION_LIVE_H
#define SESSION_LIVE_H

#include "ptui/live.h"
#include "record/recording.h"
#include "session/builder.h"
#include "session/live_queue.h"

struct live_build {
	struct builder builder;
	struct data_file *file;
	struct data_walk *sideband, *samples;
	struct live_block *waiting; /* its samples are not added yet */
	uint64_t dropped_ns;	    /* when what had ended was last forgotten */
	uint64_t seen_ns;	    /* youngest time in it and all before */
	uint64_t *taken;	    /* samples by event, since the start */
	uint64_t all_taken, kernel_taken, exact_taken;
	struct buildids
		buildids; /* of files that are mapped while it runs; without a reader: none */
};

/* 0 or -ENOMEM. `roots` must outlive it. */
int live_build_init(struct live_build *b, uint64_t max_samples, const struct roots *roots,
		    const struct ptui_kernel_symbols *kernel);
void live_build_release(struct live_build *b);
int live_build_event(struct live_build *b, const struct event *ev, const uint64_t *ids,
		     size_t n_ids);
/* After all events. */
int live_build_begin(struct live_build *b);
/* Takes ownership of the block. */
int live_build_block(struct live_build *b, struct live_block *block);
int live_build_idle(struct live_build *b);
int live_build_end(struct live_build *b);
/* NULL: out of memory. */
struct ptui_profile *live_build_publish(struct live_build *b);

/* One event as the front end sees it. */
struct live_event {
	struct ptui_live_event shown;
	uint32_t index;	 /* in the recording and the profile */
	uint32_t leader; /* index of its group's leader, its own when it is alone */
	char *name, *reason;
};

struct ptui_live {
	struct ptui_live_opts opts;
	const struct kernel_ops *ops;
	struct ptui_recording *recording;
	struct recording_watch watch;
	struct live_queue queue;
	struct live_build build;
	_Atomic uint32_t refresh_ms;
	int wake_fd;
	pthread_t thread;
	bool started, joinable;
	uint64_t began_ns, ended_ns;

	/* the session's thread's */
	uint64_t next_read_ns, read_ns; /* of the counters: when, and when last */
	uint64_t cost_read_ns, cost_cpu_ns;
	int build_result;

	pthread_mutex_t lock; /* of all that follows */
	enum ptui_live_state state;
	int recorder_result;
	uint64_t paused_since_ns, paused_ns;
	struct ptui_profile *profile;
	struct ptui_live_profile_info info;
	struct live_event *events;
	size_t n_events;
	uint32_t n_recorded; /* those told by the recording, the sideband too */
	uint64_t session_cpu_ns;
	double cpu_share;
};

/* ptui_live_new() over any kernel. */
struct ptui_live *live_new(const struct ptui_record_opts *record, const struct ptui_live_opts *opts,
			   const struct kernel_ops *ops, struct ptui_error *err);

/* live_thread.c */
int live_thread_start(struct ptui_live *l, struct ptui_error *err);

/* recording.c: with the function that reads build-ids, a buildid_fn. */
int session_read_build_id(void *ctx, const char *path, uint8_t id[DATA_BUILD_ID_MAX]);
struct ptui_recording *session_recording_new(const struct ptui_record_opts *opts,
					     const struct kernel_ops *ops, struct ptui_error *err);

#endif
