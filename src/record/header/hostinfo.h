/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Header features about the machine: host name, kernel, processor, memory, topology, PMUs. All are
 * read under `roots`, except for uname() and cpuid.
 */
#ifndef RECORD_HEADER_HOSTINFO_H
#define RECORD_HEADER_HOSTINFO_H

#include <stddef.h>
#include "base/file.h"
#include "ptui/error.h"

/*
 * Calls put() with the payload of each available feature: PTUI_FEAT_HOSTNAME, OSRELEASE, VERSION,
 * ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CPU_TOPOLOGY, NUMA_TOPOLOGY, PMU_MAPPINGS, CACHE,
 * MEM_TOPOLOGY. Skips what cannot be read. Stops if put() returns nonzero and returns that; else 0
 * or -ENOMEM.
 */
int hostinfo_features(const struct roots *roots,
		      int (*put)(void *ctx, unsigned feature, const void *bytes, size_t n),
		      void *ctx, struct ptui_error *err);

#endif
