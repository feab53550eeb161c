/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An eventfd by which a thread or a signal handler wakes another thread from poll(). */
#ifndef BASE_WAKE_H
#define BASE_WAKE_H

#include "ptui/error.h"

/* Returns an fd (close-on-exec, non-blocking), to be closed by the caller, or -errno. */
int wake_open(struct ptui_error *err);
/* Makes the fd readable. Async-signal-safe; preserves errno. */
void wake_set(int fd);
/* Makes the fd unreadable. What was written before wake_set() is visible after this call. */
void wake_clear(int fd);

#endif
