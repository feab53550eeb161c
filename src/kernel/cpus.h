/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CPUs are online, by sysfs. */
#ifndef KERNEL_CPUS_H
#define KERNEL_CPUS_H

#include <stdbool.h>
#include "base/file.h"

/* The list, ascending, in *ret_cpus (free() it). Never empty on success. */
int cpus_online(const struct roots *roots, int **ret_cpus, size_t *ret_n, struct ptui_error *err);
bool cpus_is_online(const struct roots *roots, int cpu);

/* "0-3,8": 0 or -EINVAL, -ENOMEM. */
int cpus_parse(const char *text, int **ret_cpus, size_t *ret_n);

/* Whether `cpu` is in such a list. NULL: yes. */
bool cpus_list_has(const char *text, int cpu);
/* `preferred` if it is in the list, else the list's first. */
int cpus_list_pick(const char *text, int preferred);

#endif
