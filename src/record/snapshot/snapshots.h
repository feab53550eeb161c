/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots of a running recording: requested from any thread, taken by the recorder thread,
 * listed.
 *
 *	SIGUSR2, --control, a key --> snapshots_ask() --fd--> recorder's poll() --> snapshots_take()
 *	                                                                              | pump_read_kept()
 *	live view, tests          <-- snapshots_get() <--------- the list ------------'
 *
 * Only the last ones stay in the list. The caller decides what a snapshot becomes
 * (snapshot_file.h): a file of its own, or a switch of the output.
 */
#ifndef RECORD_SNAPSHOT_SNAPSHOTS_H
#define RECORD_SNAPSHOT_SNAPSHOTS_H

#include <pthread.h>
#include "ptui/record.h"
#include "record/pump.h"

struct snapshots {
	int fd;			/* an eventfd: readable after a request */
	_Atomic uint64_t asked; /* first request: CLOCK_MONOTONIC ns << 3 | why; 0: none */
	/*
	 * Set by the caller before the start. Delivers a snapshot; `found`: kept samples, or NULL
	 * if nothing is kept (then *ret gets the sizes, too). 1: delivered, *ret_path is its path
	 * or NULL; 0: no snapshot; negative with err set.
	 */
	int (*deliver)(void *ctx, const struct kept_samples *found, struct ptui_snapshot *ret,
		       char **ret_path, struct ptui_error *err);
	void *deliver_ctx;
	/* Set by the caller; called after each snapshot, in the recorder thread. NULL ok. */
	void (*took)(void *ctx, const struct ptui_snapshot *taken);
	void *took_ctx;
	struct ptui_record_switch rule;
	_Atomic unsigned keep_when;	    /* snapshot files by a condition to keep; 0: all */
	_Atomic uint64_t when_bytes;	    /* kept bytes in those files */
	uint64_t changed_bytes, changed_ns; /* at the last snapshot */
	size_t listed;			    /* minimum number of entries to keep in the list */
	/* Closes the fd of a removed file, which frees its blocks. Runs in its own thread. */
	void (*close_removed)(int fd);
	pthread_mutex_t lock; /* of all below */
	struct ptui_snapshot *v;
	size_t n, cap;
	size_t forgotten; /* entries before v[0] */
	size_t n_removed; /* files */
};

int snapshots_init(struct snapshots *s, struct ptui_error *err);
void snapshots_release(struct snapshots *s);
/* Async-signal-safe, any thread. Requests before the snapshot are merged. */
void snapshots_ask(struct snapshots *s, enum ptui_snapshot_why why);
/* Requests a snapshot if the --switch-output rule is met; `bytes`: records so far. */
void snapshots_turn(struct snapshots *s, uint64_t bytes, uint64_t now_ns);
/* The timeout for poll(), at most `ms`. */
int snapshots_wait_ms(const struct snapshots *s, uint64_t now_ns, int ms);
/*
 * Takes one: reads the kept samples, then drains all other rings, so that the sideband is complete.
 * 0, also if there was nothing to take, or negative with err set.
 */
int snapshots_take(struct snapshots *s, struct pump *p, uint64_t began_ns, struct ptui_error *err);
/* Removes the oldest snapshot files until `most` are left. */
void snapshots_limit(struct snapshots *s, size_t most);
/* Number of removed files. Any thread. */
size_t snapshots_removed(struct snapshots *s);
/* Any thread. False: no entry `i` yet. */
bool snapshots_get(struct snapshots *s, size_t i, struct ptui_snapshot *ret);

#endif
