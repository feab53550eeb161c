/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of the counter set. */
#ifndef KERNEL_COUNTERS_PRIVATE_H
#define KERNEL_COUNTERS_PRIVATE_H

#include "kernel/counters.h"

/* Unmaps the rings and closes the fds: the set is empty, as after counters_init(). */
void counters_close_all(struct counters *c);

/* The user's event for error messages: never the internal dummy event. */
const struct event *counters_shown_event(const struct counters *c, uint32_t event);

/* Assigns counter v[index] its ring: a new one, or the shared one. */
int counters_set_ring(struct counters *c, size_t index, struct ptui_error *err);

/*
 * 0: raised, try again. Raises to the hard limit first, then as far as needed, which requires
 * privileges. The workload's limit is unaffected: it was forked before.
 */
int counters_raise_fd_limit(struct counters *c);

/* Maps the AUX areas that are not mapped yet, of all rings with a counter that has one. */
int counters_map_aux(struct counters *c, struct ptui_error *err);
/* Unmaps a ring with its AUX area. */
void counters_unmap_ring(struct counters *c, struct counter_ring *r);

#endif
