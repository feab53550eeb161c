/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of names: globs with ! & | and parentheses, "!_* & (read* | write*)". */
#ifndef PROBE_FILTER_H
#define PROBE_FILTER_H

#include <stdbool.h>
#include "ptui/error.h"

/* 0, or -EINVAL with `err` set. */
int probe_filter_check(const char *filter, struct ptui_error *err);
/* `filter` must have been checked. */
bool probe_filter_matches(const char *filter, const char *name);

#endif
