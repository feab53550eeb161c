/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses a percentage: "0.5", "1 %". */
#ifndef MODEL_PERCENT_H
#define MODEL_PERCENT_H

#include "ptui/error.h"

/* 0, or -EINVAL: not a number from 0 to 100. */
int percent_read(const char *text, double *ret, struct ptui_error *err);

#endif
