/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decoding of perf_event_attr, of any version and byte order. */
#include <errno.h>
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

enum {
	FLAG_INHERIT = 1,
	FLAG_EXCLUDE_USER = 4,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_EXCLUDE_HV = 6,
	FLAG_MMAP = 8,
	FLAG_COMM = 9,
	FLAG_FREQ = 10,
	FLAG_TASK = 13,
	FLAG_PRECISE_LOW = 15,
	FLAG_PRECISE_HIGH = 16,
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_EXCLUDE_HOST = 19,
	FLAG_EXCLUDE_GUEST = 20,
	FLAG_EXCLUDE_CALLCHAIN_USER = 22,
	FLAG_USE_CLOCKID = 25,
	FLAG_BUILD_ID = 34,
};

static void decode_flags(const uint8_t *at, bool swap, struct data_event *ev)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	unsigned first = flag(at, FLAG_PRECISE_LOW, big), second = flag(at, FLAG_PRECISE_HIGH, big);

	ev->inherit = flag(at, FLAG_INHERIT, big);
	ev->exclude_user = flag(at, FLAG_EXCLUDE_USER, big);
	ev->exclude_kernel = flag(at, FLAG_EXCLUDE_KERNEL, big);
	ev->exclude_hv = flag(at, FLAG_EXCLUDE_HV, big);
	ev->freq = flag(at, FLAG_FREQ, big);
	ev->precise_ip = big ? (first << 1 | second) & 3 : (second << 1 | first) & 3;
	ev->sample_id_all = flag(at, FLAG_SAMPLE_ID_ALL, big);
	ev->exclude_host = flag(at, FLAG_EXCLUDE_HOST, big);
	ev->exclude_guest = flag(at, FLAG_EXCLUDE_GUEST, big);
	ev->exclude_callchain_user = flag(at, FLAG_EXCLUDE_CALLCHAIN_USER, big);
	ev->build_id = flag(at, FLAG_BUILD_ID, big);
	ev->use_clockid = flag(at, FLAG_USE_CLOCKID, big);
	ev->sideband = flag(at, FLAG_MMAP, big) | flag(at, FLAG_COMM, big) |
		       flag(at, FLAG_TASK, big);
}

int attr_decode(const void *bytes, size_t n, bool swap, struct data_event *ret)
{
	struct cursor c;
	const uint8_t *flags;
	uint32_t size;

	if (n < PTUI_ATTR_SIZE_VER0)
		return -EBADMSG;
	size = attr_size_at(bytes, swap);
	if (size < PTUI_ATTR_SIZE_VER0)
		return -EBADMSG;
	/* Fields beyond attr.size are missing: the cursor returns 0. */
	cursor_init(&c, bytes, n < size ? n : size, swap);
	ret->type = cursor_u32(&c);
	cursor_u32(&c);
	ret->attr_size = size;
	ret->config = cursor_u64(&c);
	ret->sample_period = cursor_u64(&c);
	ret->sample_type = cursor_u64(&c);
	ret->read_format = cursor_u64(&c);
	flags = cursor_bytes(&c, 8);
	decode_flags(flags, swap, ret);
	cursor_bytes(&c, 4 + 4); /* wakeup, bp_type */
	ret->config1 = cursor_u64(&c);
	ret->config2 = cursor_u64(&c);
	ret->branch_sample_type = cursor_u64(&c);
	ret->regs_user = cursor_u64(&c);
	ret->stack_user_bytes = cursor_u32(&c);
	ret->clockid = (int32_t)cursor_u32(&c);
	ret->regs_intr = cursor_u64(&c);
	cursor_u32(&c); /* AUX */
	ret->max_stack = cursor_u16(&c);
	cursor_bytes(&c, 2 + 4 + 4 + 8); /* AUX, sig_data */
	ret->config3 = cursor_u64(&c);
	ret->config4 = cursor_u64(&c);
	return 0;
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
