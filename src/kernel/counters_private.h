/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the counter set know of each other. */
#ifndef KERNEL_COUNTERS_PRIVATE_H
#define KERNEL_COUNTERS_PRIVATE_H

#include "kernel/counters.h"

/* Unmaps the rings and closes the fds; the set is empty, and as good as new. */
void counters_close_all(struct counters *c);

/* The user's event for error messages: never the internal dummy event. */
const struct event *counters_asked_for(const struct counters *c, uint32_t event);

/* Assigns counter v[index] its ring: a new one, or the shared one. */
int counters_direct(struct counters *c, size_t index, struct ptui_error *err);

#endif
