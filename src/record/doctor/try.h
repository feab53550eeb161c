/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tries whether events can be opened here, each once, and caches the results. Thread-safe. */
#ifndef RECORD_DOCTOR_TRY_H
#define RECORD_DOCTOR_TRY_H

#include "kernel/ops.h"
#include "ptui/doctor.h"

struct tries;

/* `ops` must outlive it. NULL: out of memory. */
struct tries *tries_new(const struct kernel_ops *ops);
/* Waits for counters being closed by threads. */
void tries_free(struct tries *t);
/* Implements ptui_event_try(). */
int tries_event(struct tries *t, const char *event, struct ptui_error *why);

#endif
