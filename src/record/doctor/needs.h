/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks what the options require of the kernel and of ptui, before anything is opened. */
#ifndef RECORD_DOCTOR_NEEDS_H
#define RECORD_DOCTOR_NEEDS_H

#include "kernel/ops.h"
#include "ptui/shape.h"

/* 0, or -ENOTSUP with err set: the option and the reason. */
int needs_check(const struct ptui_shape *shape, const struct kernel_ops *ops,
		struct ptui_error *err);

#endif
