/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as sysfs writes them, "0-3,8". Inside the event room only. */
#ifndef EVENT_CPU_LIST_H
#define EVENT_CPU_LIST_H

#include <stdbool.h>
#include "base/buf.h"

/* Whether it is one. */
bool cpu_list_is_valid(const char *text);
/* Appends the intersection, in the order of `a`; may be empty. */
void cpu_list_add_common(struct buf *out, const char *a, const char *b);

#endif
