/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ptui/doctor.h for any kernel. */
#ifndef RECORD_DOCTOR_CHECK_H
#define RECORD_DOCTOR_CHECK_H

#include "kernel/ops.h"
#include "ptui/doctor.h"

int record_check(const struct ptui_record_opts *opts, const struct kernel_ops *ops,
		 struct ptui_check *ret, struct ptui_error *err);

#endif
