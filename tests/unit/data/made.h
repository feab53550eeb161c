/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A perf.data file made byte by byte in either byte order, without the code under test. */
#ifndef UNIT_DATA_MADE_H
#define UNIT_DATA_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/buf.h"
#include "data/read/reader.h"

struct made {
	struct buf out;
	bool swap; /* in the other byte order */
	bool pipe;
	size_t record;	 /* start of the current record */
	size_t data_off; /* of the data section */
};

struct made_event {
	uint32_t type;
	uint64_t config, period, sample_type, read_format;
	uint64_t flags; /* bit n as in <linux/perf_event.h> */
	uint64_t branch_type, regs_user, regs_intr;
	uint32_t stack_user;
	uint64_t id; /* its only id; 0: none */
};

#define MADE_SAMPLE_ID_ALL (1ULL << 18)
#define MADE_PRECISE(n)	   ((uint64_t)(n) << 15)

void made_init(struct made *m, bool swap, bool pipe);
void made_release(struct made *m);
void made_u8(struct made *m, uint8_t v);
void made_u16(struct made *m, uint16_t v);
void made_u32(struct made *m, uint32_t v);
void made_u64(struct made *m, uint64_t v);
void made_text(struct made *m, const char *text, size_t padded);

/* Header and attrs of `attr_bytes` each (64 … 144); in a pipe HEADER_ATTR records. */
void made_events(struct made *m, const struct made_event *v, size_t n, uint32_t attr_bytes);
void made_begin(struct made *m, uint32_t type, uint16_t misc);
void made_end(struct made *m);
/* Sets data.size, and adds the features after the data (each a string, NULL: absent). */
void made_finish(struct made *m, const char *const *features, unsigned n);

/* The same with features of any bytes, in the order of their bits. */
struct made_feature {
	unsigned bit;
	const void *bytes;
	size_t n;
};
void made_finish_with(struct made *m, const struct made_feature *v, size_t n);

/* Opens it; fails the test on errors. */
struct data_file *made_open(const struct made *m);

#endif
