/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What opens here, tried once each and remembered. Takes: a kernel. Gives: for an event's text, yes
 * or the reason why not. Any thread.
 */
#ifndef RECORD_DOCTOR_TRY_H
#define RECORD_DOCTOR_TRY_H

#include "kernel/ops.h"
#include "ptui/doctor.h"

struct tries;

/* `ops` must outlive it. NULL: out of memory. */
struct tries *tries_new(const struct kernel_ops *ops);
/* Waits for the counters that are closed in threads of their own. */
void tries_free(struct tries *t);
/* ptui_event_try() of it. */
int tries_event(struct tries *t, const char *event, struct ptui_error *why);

#endif
