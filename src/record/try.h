/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptui_event_try() with any kernel. */
#ifndef RECORD_TRY_H
#define RECORD_TRY_H

#include "kernel/ops.h"

int record_try(const char *event, const struct kernel_ops *ops, struct ptui_error *why);

#endif
