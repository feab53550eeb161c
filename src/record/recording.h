/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rest of src may set on a recording beyond ptui/record.h. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <sys/uio.h>
#include "event/event.h"
#include "kernel/counters.h"
#include "ptui/record.h"
#include "record/header/buildid.h"

/*
 * What ptui_recording_new() is made of, with any kernel; `ops` must outlive the recording. The
 * session room calls it with the real one, and sets who reads build-ids.
 */
struct ptui_recording *recording_new(const struct ptui_record_opts *opts,
				     const struct kernel_ops *ops, struct ptui_error *err);

/*
 * Before start: the function that reads build-ids of ELF files, for maps whose build-ids do not come from the
 * kernel. Called by one thread at a time.
 */
void recording_set_buildid(struct ptui_recording *r, buildid_fn fn, void *ctx);

/*
 * Before start: the function that makes the BUILD_ID table of the file at `path`, all records of which are
 * written, and fills the cache in `cache_dir` (NULL: no). `known`: the build-ids that were read while it
 * was recorded (NULL: none). Called by the recorder's thread at its end, only if a table was asked for.
 * 0, or a negative errno told in err: then there is no table.
 */
struct buildid_reader;
typedef int (*recording_table_fn)(void *ctx, const char *path, const struct roots *roots, bool all,
				  const char *cache_dir, struct buildid_reader *known,
				  struct buf *out, struct ptui_error *err);
void recording_set_buildid_table(struct ptui_recording *r, recording_table_fn fn, void *ctx);

/* ---- who watches it ---- */

/*
 * Called on the way. Nothing here may wait: the rings fill up meanwhile.
 *
 *	start:	 unsupported, event … , begins, written (base records)	in the thread that starts
 *	running: written, idle, written, …  , ended		in the recorder's
 */
struct recording_watch {
	void *ctx;
	/* An event that this machine does not have: the recording goes on without it. */
	int (*unsupported)(void *ctx, const char *name, const char *why);
	/* An event as it was opened, the sideband's too. 0 or a negative errno. */
	int (*event)(void *ctx, const struct event *ev, const uint64_t *ids, size_t n_ids);
	/* All is open: next the counters are switched on, or the command is let go. */
	void (*begins)(void *ctx);
	/*
	 * Whole records, each once, whatever file they are in; of a pass all, its FINISHED_ROUND last.
	 */
	void (*written)(void *ctx, const struct iovec *iov, int n);
	void (*idle)(void *ctx);	      /* a pass found nothing new */
	void (*ended)(void *ctx, int result); /* the last of all calls; as of join */
	int max_wait_ms;		      /* between two passes */
};

/*
 * Before start. The counters get read_format's times, and `watch` stays the caller's until free.
 */
void recording_set_watch(struct ptui_recording *r, const struct recording_watch *watch);
/* Before start: the command gets a terminal of its own. */
void recording_set_terminal(struct ptui_recording *r, unsigned short rows, unsigned short cols);
/* The master side of that; -1: none. Stays the recording's until free. */
int recording_terminal_fd(const struct ptui_recording *r);
int recording_set_size(struct ptui_recording *r, unsigned short rows, unsigned short cols);

/* Whether there is anything that a snapshot could be taken of; when the events are configured. */
bool recording_can_snapshot(const struct ptui_recording *r);

/* From another thread while it runs: the counters off or on. -ESRCH: it does not run. */
int recording_switch(struct ptui_recording *r, bool on);

/*
 * `event` as watch->event was called, from 0. For one thread at a time, between start and join;
 * counters that cannot be read are left out.
 */
void recording_count(const struct ptui_recording *r, uint32_t event, struct counter_sum *ret);

struct recording_cost {
	uint64_t cpu_ns;			   /* of the recorder's thread */
	uint32_t fill_permille, fill_max_permille; /* of the fullest ring: last pass, ever */
};
void recording_cost(const struct ptui_recording *r, struct recording_cost *ret);

#endif
