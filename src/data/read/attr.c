/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoding of perf_event_attr, of any version and byte order. */
#include <errno.h>
#include <string.h>
#include "base/cursor.h"
#include "data/read/event_table.h"

uint32_t attr_size_at(const void *bytes, bool swap)
{
	struct cursor c;
	uint32_t size;

	cursor_init(&c, (const uint8_t *)bytes + 4, 4, swap);
	size = cursor_u32(&c);
	return size ? size : PTUI_ATTR_SIZE_VER0;
}

/*
 * Bit `bit` of the flags, counted as in <linux/perf_event.h>. Big-endian compilers allocate
 * bit-fields from the top of a byte, so that in the file
 *
 *   little-endian:  byte bit/8, bit bit%8          big-endian:  byte bit/8, bit 7 - bit%8
 */
static unsigned flag(const uint8_t *flags, unsigned bit, bool big_endian)
{
	unsigned shift = big_endian ? 7 - bit % 8 : bit % 8;

	return flags[bit / 8] >> shift & 1;
}

#define PRECISE_IP_BIT 15 /* a field of two bits */
#define FLAGS_OFFSET   40
#define FLAG_BITS      40 /* that are known; the rest is reserved */

/*
 * The flags in this machine's order. The upper bit of precise_ip is the first one where bit-fields
 * are allocated from the top.
 */
static void decode_flags(const uint8_t *at, bool swap, struct perf_event_attr *attr)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint8_t bytes[8] = { 0 };

	for (unsigned bit = 0; bit < FLAG_BITS; bit++) {
		unsigned from = bit;

		if (swap && (bit == PRECISE_IP_BIT || bit == PRECISE_IP_BIT + 1))
			from = 2 * PRECISE_IP_BIT + 1 - bit;
		if (flag(at, from, big != swap))
			bytes[bit / 8] |= (uint8_t)(big ? 0x80 >> bit % 8 : 1 << bit % 8);
	}
	memcpy((uint8_t *)attr + FLAGS_OFFSET, bytes, sizeof(bytes));
}

int attr_decode(const void *bytes, size_t n, bool swap, struct perf_event_attr *ret)
{
	struct cursor c;
	const void *flags;
	uint32_t size;

	if (n < PTUI_ATTR_SIZE_VER0)
		return -EBADMSG;
	size = attr_size_at(bytes, swap);
	if (size < PTUI_ATTR_SIZE_VER0)
		return -EBADMSG;
	memset(ret, 0, sizeof(*ret));
	/* Fields beyond attr.size are missing: the cursor returns 0. */
	cursor_init(&c, bytes, n < size ? n : size, swap);
	ret->type = cursor_u32(&c);
	cursor_u32(&c);
	ret->size = size;
	ret->config = cursor_u64(&c);
	ret->sample_period = cursor_u64(&c);
	ret->sample_type = cursor_u64(&c);
	ret->read_format = cursor_u64(&c);
	flags = cursor_bytes(&c, 8);
	decode_flags(flags, swap, ret);
	ret->wakeup_events = cursor_u32(&c);
	ret->bp_type = cursor_u32(&c);
	ret->config1 = cursor_u64(&c);
	ret->config2 = cursor_u64(&c);
	ret->branch_sample_type = cursor_u64(&c);
	ret->sample_regs_user = cursor_u64(&c);
	ret->sample_stack_user = cursor_u32(&c);
	ret->clockid = (int32_t)cursor_u32(&c);
	ret->sample_regs_intr = cursor_u64(&c);
	ret->aux_watermark = cursor_u32(&c);
	ret->sample_max_stack = cursor_u16(&c);
	cursor_u16(&c);
	ret->aux_sample_size = cursor_u32(&c);
	ret->aux_action = cursor_u32(&c);
	ret->sig_data = cursor_u64(&c);
	ret->config3 = cursor_u64(&c);
	ret->config4 = cursor_u64(&c);
	return 0;
}

void attr_describe(const struct perf_event_attr *a, struct data_event *ret)
{
	ret->type = a->type;
	ret->attr_size = a->size;
	ret->config = a->config;
	ret->config1 = a->config1;
	ret->config2 = a->config2;
	ret->config3 = a->config3;
	ret->config4 = a->config4;
	ret->sample_period = a->sample_period;
	ret->sample_type = a->sample_type;
	ret->read_format = a->read_format;
	ret->inherit = a->inherit;
	ret->exclude_user = a->exclude_user;
	ret->exclude_kernel = a->exclude_kernel;
	ret->exclude_hv = a->exclude_hv;
	ret->freq = a->freq;
	ret->precise_ip = a->precise_ip & 3;
	ret->sample_id_all = a->sample_id_all;
	ret->exclude_host = a->exclude_host;
	ret->exclude_guest = a->exclude_guest;
	ret->exclude_callchain_user = a->exclude_callchain_user;
	ret->build_id = a->build_id;
	ret->use_clockid = a->use_clockid;
	ret->sideband = a->mmap | a->comm | a->task | a->context_switch | a->text_poke;
	ret->branch_sample_type = a->branch_sample_type;
	ret->regs_user = a->sample_regs_user;
	ret->regs_intr = a->sample_regs_intr;
	ret->stack_user_bytes = a->sample_stack_user;
	ret->clockid = a->clockid;
	ret->max_stack = a->sample_max_stack;
}

static int bits(uint64_t v)
{
	return __builtin_popcountll(v);
}

void attr_layout(const struct data_event *ev, struct event_layout *ret)
{
	uint64_t type = ev->sample_type;
	const uint64_t before_id = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				   PERF_SAMPLE_ADDR;
	const uint64_t behind_id = PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	const uint64_t trailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	ret->trailer_bytes = ev->sample_id_all ? 8 * (uint32_t)bits(type & trailer) : 0;
	if (type & PERF_SAMPLE_IDENTIFIER) {
		ret->id_pos = 0;
		ret->id_pos_from_end = 1;
	} else if (type & PERF_SAMPLE_ID) {
		ret->id_pos = bits(type & before_id);
		ret->id_pos_from_end = 1 + bits(type & behind_id);
	} else {
		ret->id_pos = -1;
		ret->id_pos_from_end = -1;
	}
	if (!ev->sample_id_all)
		ret->id_pos_from_end = -1;
}
