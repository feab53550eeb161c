/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The TRACING_DATA feature: how the raw data of the recorded tracepoints is to be read.
 */
#ifndef RECORD_HEADER_TRACING_DATA_H
#define RECORD_HEADER_TRACING_DATA_H

#include <stddef.h>
#include "base/buf.h"
#include "ptui/error.h"

struct tp_ref {
	const char *system, *name;
};

/*
 * Appends the payload for these tracepoints (of which some may be the same) as read under
 * `tracefs`. What no event needs is left out, as perf does: /proc/kallsyms and the other
 * formats of a system. -ENOENT: there is no such tracepoint. On failure `out` is as it was.
 */
int tracing_data_build(const char *tracefs, const struct tp_ref *tps, size_t n, struct buf *out,
		       struct ptui_error *err);

#endif
