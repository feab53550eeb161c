/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the header of a recording says about the machine it was made on: name, kernel,
 * processor, memory, topology, PMUs. Read under `roots`, except for uname() and cpuid.
 */
#ifndef RECORD_HEADER_HOSTINFO_H
#define RECORD_HEADER_HOSTINFO_H

#include <stddef.h>
#include "base/file.h"
#include "ptui/error.h"

/*
 * Calls put() with the payload of each feature that this machine can tell: PTUI_FEAT_HOSTNAME,
 * OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC, CPUID, TOTAL_MEM, CPU_TOPOLOGY, NUMA_TOPOLOGY,
 * PMU_MAPPINGS, CACHE, MEM_TOPOLOGY. What cannot be read is left out. Ends with what put()
 * returned when that is not 0, or -ENOMEM.
 */
int hostinfo_features(const struct roots *roots,
		      int (*put)(void *ctx, unsigned feature, const void *bytes, size_t n),
		      void *ctx, struct ptui_error *err);

#endif
