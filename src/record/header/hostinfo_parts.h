/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to hostinfo: processors and memory from sysfs. */
#ifndef RECORD_HEADER_HOSTINFO_PARTS_H
#define RECORD_HEADER_HOSTINFO_PARTS_H

#include <stdint.h>
#include "base/buf.h"
#include "base/file.h"

/* The first line of a file, without the newline. 0 or a negative errno. */
int hostinfo_line(struct buf *out, const char *fmt, ...) PTUI_PRINTF(2, 3);

/*
 * The highest number + 1 in a CPU list ("present", "online"); 0 if unreadable. *ret_count (may be
 * NULL): the number of CPUs in it.
 */
uint32_t hostinfo_cpus(const struct roots *roots, const char *which, uint32_t *ret_count);

/*
 * Calls fn with each number of a list such as "0-3,8". Stops if fn returns nonzero and returns
 * that.
 */
int hostinfo_each(const char *list, int (*fn)(void *ctx, uint32_t number), void *ctx);

int hostinfo_cpu_topology(const struct roots *roots, struct buf *out);
int hostinfo_numa_topology(const struct roots *roots, struct buf *out);
int hostinfo_pmu_mappings(const struct roots *roots, struct buf *out);
int hostinfo_cpu_pmu_caps(const struct roots *roots, struct buf *out);
int hostinfo_pmu_caps(const struct roots *roots, struct buf *out);
int hostinfo_caches(const struct roots *roots, struct buf *out);
int hostinfo_mem_topology(const struct roots *roots, struct buf *out);

#endif
