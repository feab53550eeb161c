/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event fd by which one thread, or a signal handler, wakes another out of poll(). */
#ifndef BASE_WAKE_H
#define BASE_WAKE_H

#include "ptui/error.h"

/* The fd, close-on-exec and non-blocking; it is the caller's to close. Or a negative errno. */
int wake_open(struct ptui_error *err);
/* From now on the fd is readable. Async-signal-safe; leaves errno alone. */
void wake_set(int fd);
/* The fd is no longer readable. What was written before wake_set() is visible after this. */
void wake_clear(int fd);

#endif
