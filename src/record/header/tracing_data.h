/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The TRACING_DATA feature: the formats of the recorded tracepoints' raw data. */
#ifndef RECORD_HEADER_TRACING_DATA_H
#define RECORD_HEADER_TRACING_DATA_H

#include <stddef.h>
#include "base/buf.h"
#include "ptui/error.h"

struct tp_ref {
	const char *system, *name;
};

/*
 * Appends the payload for these tracepoints (which may contain duplicates), read under `tracefs`.
 * As in perf, omits what no event needs: /proc/kallsyms and the other formats of a system. -ENOENT:
 * no such tracepoint. On failure `out` is unchanged.
 */
int tracing_data_build(const char *tracefs, const struct tp_ref *tps, size_t n, struct buf *out,
		       struct ptui_error *err);

#endif
