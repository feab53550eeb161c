/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as in sysfs, "0-3,8". Private to the event room. */
#ifndef EVENT_CPU_LIST_H
#define EVENT_CPU_LIST_H

#include <stdbool.h>
#include "base/buf.h"

/* Whether `text` is such a list. */
bool cpu_list_is_valid(const char *text);
/* Appends the intersection, in the order of `a`; may be empty. */
void cpu_list_add_common(struct buf *out, const char *a, const char *b);

#endif
