/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a memory access was answered (PERF_SAMPLE_DATA_SRC), as perf's words. */
#ifndef PROFILE_DATA_SRC_H
#define PROFILE_DATA_SRC_H

#include <stdint.h>
#include "base/buf.h"

enum data_src_part {
	DATA_SRC_OP,	/* "LOAD" */
	DATA_SRC_LEVEL, /* "L3 hit" */
	DATA_SRC_SNOOP, /* "HitM" */
	DATA_SRC_TLB,	/* "L1 or L2 hit" */
	DATA_SRC_LOCK,	/* "Yes" */
	DATA_SRC_BLOCK, /* " Data", with a leading space */
	DATA_SRC_PARTS,
};

/* The bits that the text of a part is made of, as a number: equal numbers have equal texts. */
uint64_t data_src_bits(enum data_src_part part, uint64_t data_src);
/* Appends the text of a part. */
void data_src_add(struct buf *out, enum data_src_part part, uint64_t data_src);

#endif
