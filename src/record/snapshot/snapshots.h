/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the rings that are overwritten, while the recording goes on: asked for from anywhere, taken
 * by the recorder's thread, remembered.
 *
 *	SIGUSR2, --control, a key --> snapshots_ask() --fd--> recorder's poll() --> snapshots_take()
 *	                                                                              | pump_read_kept()
 *	who wants to know         <-- snapshots_get() <--------- what was found ------'
 *
 * Of many only the last are remembered. What becomes of it says the caller (record/dump.h): a file of its own, or a change of the output.
 */
#ifndef RECORD_SNAPSHOT_SNAPSHOTS_H
#define RECORD_SNAPSHOT_SNAPSHOTS_H

#include <pthread.h>
#include "ptui/record.h"
#include "record/pump.h"

struct snapshots {
	int fd; /* an eventfd: readable when one was asked for */
	_Atomic uint64_t
		asked; /* the first who did: ns of CLOCK_MONOTONIC, times 8, + why; 0: nobody */
	/*
	 * Set by the caller, before the start: what becomes of one. `found`: what was kept; NULL: nothing is,
	 * and it tells how much there is too. 1: it is told of, with its path, if it has one; 0: nothing came
	 * of it; negative: told.
	 */
	int (*deliver)(void *ctx, const struct kept_samples *found, struct ptui_snapshot *ret,
		       char **ret_path, struct ptui_error *err);
	void *deliver_ctx;
	/* Set by the caller as well: told of each that was taken, in the recorder's thread. NULL ok. */
	void (*took)(void *ctx, const struct ptui_snapshot *taken);
	void *took_ctx;
	struct ptui_record_switch rule;
	_Atomic unsigned keep_when;  /* files of snapshots by a condition that stay; 0: all */
	_Atomic uint64_t when_bytes; /* that those have, of what is kept */
	uint64_t changed_bytes, changed_ns; /* when the last was taken */
	size_t listed;			    /* so many of the last are known at least */
	/* Closes a file that was removed, which frees its blocks. In a thread of its own. */
	void (*close_removed)(int fd);
	pthread_mutex_t lock; /* of what follows */
	struct ptui_snapshot *v;
	size_t n, cap;
	size_t forgotten; /* that were before v[0] */
	size_t n_removed; /* files */
};

int snapshots_init(struct snapshots *s, struct ptui_error *err);
void snapshots_release(struct snapshots *s);
/* Async-signal-safe, any thread. Several at once are one. */
void snapshots_ask(struct snapshots *s, enum ptui_snapshot_why why);
/* Asks by itself when the rule says so; so many bytes of records have passed so far. */
void snapshots_turn(struct snapshots *s, uint64_t bytes, uint64_t now_ns);
/* How long poll() may wait, at most `ms`. */
int snapshots_wait_ms(const struct snapshots *s, uint64_t now_ns, int ms);
/*
 * Takes one: what is kept is looked at, then all that is in other rings goes where it belongs, so that
 * nothing is missing that was known by then. 0, also when nothing came of it, or negative: told.
 */
int snapshots_take(struct snapshots *s, struct pump *p, uint64_t began_ns, struct ptui_error *err);
/* Removes the oldest files of those that were made, until there are `most`. */
void snapshots_limit(struct snapshots *s, size_t most);
/* So many files were removed. Any thread. */
size_t snapshots_removed(struct snapshots *s);
/* Any thread. False: there is no i-th yet. */
bool snapshots_get(struct snapshots *s, size_t i, struct ptui_snapshot *ret);

#endif
