/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -m: the size of ring buffers. */
#ifndef RECORD_RING_SIZE_H
#define RECORD_RING_SIZE_H

#include <stdbool.h>
#include "kernel/ops.h"
#include "ptui/error.h"

/*
 * Parses "128" (pages) or "512K", "16M" (units B, K, M, G) into bytes per ring: a power of two, at
 * least one page. "SIZE,AUX" has the size of AUX areas as well; each is 0 if it is missing. *ret_rounded: that is more than requested. -EINVAL with err set: not a size, or
 * more than this machine's memory.
 */
int ring_size_parse(const char *text, const struct kernel_ops *ops, size_t *ret_bytes,
		    size_t *ret_aux_bytes, bool *ret_rounded, struct ptui_error *err);

/*
 * Default size of a ring: counters_default_ring_bytes(), but less per ring if all rings together
 * would exceed 256 MiB.
 */
size_t ring_size_default(const struct kernel_ops *ops, size_t n_rings);

/*
 * Size of a ring if every hit of a tracepoint on a whole CPU becomes a record: eight times `bytes`,
 * if all rings together stay within 64 MiB and the user may lock as much. A million records per
 * second fill half a MiB within the scheduling latency of the recorder. The same with stack copies
 * that do not reach the file, so that unwinding costs no samples.
 */
size_t ring_size_flood(const struct kernel_ops *ops, size_t bytes);

#endif
