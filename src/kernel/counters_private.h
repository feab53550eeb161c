/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the counter set know of each other. */
#ifndef KERNEL_COUNTERS_PRIVATE_H
#define KERNEL_COUNTERS_PRIVATE_H

struct counters;

/* Unmaps the rings and closes the fds; the set is empty, and as good as new. */
void counters_close_all(struct counters *c);

#endif
