/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -m: how large a ring is. */
#ifndef RECORD_RING_SIZE_H
#define RECORD_RING_SIZE_H

#include <stdbool.h>
#include "kernel/ops.h"
#include "ptui/error.h"

/*
 * "128" pages, or bytes as "512K" and "16M" (B, K, M, G): bytes of a ring, a power of two, at least
 * a page. *ret_rounded: that is more than was said. -EINVAL, told: no size, more than this
 * machine's memory, or a second size behind a comma, which is for what is not recorded yet.
 */
int ring_size_parse(const char *text, const struct kernel_ops *ops, size_t *ret_bytes,
		    bool *ret_rounded, struct ptui_error *err);

/*
 * What a ring gets when nobody says: what counters_default_ring_bytes() does, but for a ring a
 * thread less, when they are so many that all together would be more than 256 MiB.
 */
size_t ring_size_default(const struct kernel_ops *ops, size_t n_rings);

/*
 * What it gets where every hit of a tracepoint on a whole CPU becomes a record: eight times that
 * where all rings together stay within 64 MiB, and the user may lock as much. A million records a
 * second fill half a MiB in the time that a recorder may wait for its slice.
 */
size_t ring_size_flood(const struct kernel_ops *ops, size_t bytes);

#endif
