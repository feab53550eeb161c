/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings and hooks of a recording for the rest of src, beyond ptui/record.h. */
#ifndef RECORD_RECORDING_H
#define RECORD_RECORDING_H

#include <sys/uio.h>
#include "event/event.h"
#include "kernel/counters.h"
#include "ptui/record.h"
#include "record/bpf_load.h"
#include "record/header/buildid_feature.h"

/*
 * Implements ptui_recording_new() for any kernel; `ops` must outlive the recording. The session
 * room calls it with the real kernel and sets the build-id callbacks.
 */
struct ptui_recording *recording_new(const struct ptui_record_opts *opts,
				     const struct kernel_ops *ops, struct ptui_error *err);

/*
 * Call before start. `fn` reads build-ids of ELF files, for maps whose build-ids do not come from
 * the kernel. Called by one thread at a time.
 */
void recording_set_buildid(struct ptui_recording *r, buildid_fn fn, void *ctx);

/* Call before start. `unwinding` must outlive the recording (unwind/unwind_queue.h). */
struct stack_unwinding;
void recording_set_unwinding(struct ptui_recording *r, const struct stack_unwinding *unwinding);

/* Call before start. `fn` makes the temporary probes that BPF programs are attached to. */
void recording_set_probe_adder(struct ptui_recording *r, probe_adder_fn fn);

/*
 * Call before start. The recorder thread calls the function at its end, if a BUILD_ID table is
 * needed.
 */
void recording_set_buildid_table(struct ptui_recording *r, buildid_feature_fn fn, void *ctx);

/* ---- live view ---- */

/*
 * Callbacks of a live view. They must not block, or the rings overflow.
 *
 *	start:	 unsupported, event … , begins, written (base records)	in the starting thread
 *	running: written, idle, written, …  , ended		in the recorder thread
 */
struct recording_watch {
	void *ctx;
	/* An event that this machine does not support; the recording goes on without it. */
	int (*unsupported)(void *ctx, const char *name, const char *why);
	/* An opened event, sideband included. 0 or a negative errno. */
	int (*event)(void *ctx, const struct event *ev, const uint64_t *ids, size_t n_ids);
	/* All is open: next the counters are enabled, or the command is executed. */
	void (*begins)(void *ctx);
	/*
	 * Whole records, each once, whichever file they go to; all of a pass, its FINISHED_ROUND
	 * last.
	 */
	void (*written)(void *ctx, const struct iovec *iov, int n);
	void (*idle)(void *ctx);	      /* a pass found nothing new */
	void (*ended)(void *ctx, int result); /* the last call; `result` as of join */
	int max_wait_ms;		      /* longest time between two passes */
};

/* Call before start. Adds the times to read_format; `watch` must stay valid until free. */
void recording_set_watch(struct ptui_recording *r, const struct recording_watch *watch);
/* Call before start: runs the command in a pseudo-terminal. */
void recording_set_terminal(struct ptui_recording *r, unsigned short rows, unsigned short cols);
/* Its master side; -1: none. Owned by the recording. */
int recording_terminal_fd(const struct ptui_recording *r);
int recording_set_size(struct ptui_recording *r, unsigned short rows, unsigned short cols);

/* True if snapshots can be taken; the events must be configured. */
bool recording_can_snapshot(const struct ptui_recording *r);

/* Disables or enables the counters, from another thread. -ESRCH: not running. */
int recording_switch(struct ptui_recording *r, bool on);

/*
 * Sums the counters of `event`, numbered from 0 as watch->event was called; unreadable ones are
 * skipped. From one thread at a time, between start and join.
 */
void recording_count(const struct ptui_recording *r, uint32_t event, struct counter_sum *ret);

struct recording_cost {
	uint64_t cpu_ns; /* used by the recorder thread and the one that unwinds */
	uint32_t fill_permille, fill_max_permille; /* fullest ring: last pass, maximum */
};
void recording_cost(const struct ptui_recording *r, struct recording_cost *ret);

#endif
