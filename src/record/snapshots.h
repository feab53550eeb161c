/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the rings that are overwritten, while the recording goes on: asked for from anywhere, taken
 * by the recorder's thread, remembered.
 *
 *	SIGUSR2, --control, a key --> snapshots_ask() --fd--> recorder's poll() --> snapshots_take()
 *	                                                                              | pump_look_back()
 *	who wants to know         <-- snapshots_get() <--------- what was found ------'
 *
 * Each adds to the file what the one before did not have yet; the end of the recording is the last.
 */
#ifndef RECORD_SNAPSHOTS_H
#define RECORD_SNAPSHOTS_H

#include <pthread.h>
#include "ptui/record.h"
#include "record/pump.h"

struct snapshots {
	int fd; /* an eventfd: readable when one was asked for */
	_Atomic uint64_t asked; /* the first who did: ns of CLOCK_MONOTONIC, times 8, + why; 0: nobody */
	pthread_mutex_t lock; /* of what follows */
	struct ptui_snapshot *v;
	size_t n, cap;
};

int snapshots_init(struct snapshots *s, struct ptui_error *err);
void snapshots_release(struct snapshots *s);
/* Async-signal-safe, any thread. Several at once are one. */
void snapshots_ask(struct snapshots *s, enum ptui_snapshot_why why);
/*
 * Takes one: all that was written into any ring is in the file then. `at_ns`: since the start. 0, also
 * when there are no such rings, or negative: told.
 */
int snapshots_take(struct snapshots *s, struct pump *p, uint64_t at_ns, struct ptui_error *err);
/* Any thread. False: there is no i-th yet. */
bool snapshots_get(struct snapshots *s, size_t i, struct ptui_snapshot *ret);

#endif
