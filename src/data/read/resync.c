/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where records start again after a damaged one. Headers have no mark, so a place is taken if
 * several records in a row look like some, or fewer that end exactly where the data ends:
 *
 *   [ good ][ bad size ......... ][ type size | … ][ type size | … ][ type size | … ]
 *                                 ^ found
 */
#include <string.h>
#include "data/read/reader_private.h"

#define CHAIN_RECORDS	  4
#define CPUMODES	  6
#define SYNTHESIZED_TYPES 64
#define ZEROS_AT_ONCE	  4096

static bool is_plausible(const struct record_head *h, uint64_t left)
{
	if (!record_type_known(h->type) || h->size < DATA_RECORD_HEADER_BYTES || h->size > left)
		return false;
	if (h->type < SYNTHESIZED_TYPES && (h->misc & DATA_CPUMODE_MASK) >= CPUMODES)
		return false;
	if (h->type == PTUI_RECORD_COMPRESSED)
		return true;
	return h->size % (h->type < SYNTHESIZED_TYPES ? 8 : 4) == 0;
}

/* 1: records start at `off`. */
static int starts_chain(struct window *win, bool swap, uint64_t off, uint64_t end)
{
	for (unsigned n = 0; n < CHAIN_RECORDS; n++) {
		struct record_head h;
		const uint8_t *at;
		uint64_t bytes;
		size_t have = 0;
		int ret = 0;

		if (off == end)
			return n > 0;
		at = window_at(win, off, DATA_RECORD_HEADER_BYTES, &have, &ret);
		if (!at)
			return ret;
		if (!have && off == win->src->size)
			return n > 0; /* the end of a pipe */
		if (have < DATA_RECORD_HEADER_BYTES)
			return 0;
		h = record_decode_head(at, swap);
		if (!is_plausible(&h, end - off))
			return 0;
		bytes = auxtrace_whole_bytes(win, swap, off, &h);
		if (!bytes || bytes > end - off)
			return 0;
		off += bytes;
	}
	return 1;
}

/*
 * How many places from `at` on, each `align` bytes after the one before, have a header of zeros. A machine that
 * crashed may leave gigabytes of them.
 */
static size_t count_zero_heads(const uint8_t *at, size_t bytes, unsigned align)
{
	size_t n = 0;
	uint64_t word;

	for (; n + sizeof(word) <= bytes; n += sizeof(word)) {
		memcpy(&word, at + n, sizeof(word));
		if (word)
			break;
	}
	return n < DATA_RECORD_HEADER_BYTES ? 0 : (n - DATA_RECORD_HEADER_BYTES) / align + 1;
}

int resync_find(struct window *win, bool swap, uint64_t from, unsigned align, uint64_t end,
		uint64_t *ret_off)
{
	for (uint64_t off = from; off < end; off += align) {
		size_t have = 0, zeros;
		int ret = 0;
		const uint8_t *at = window_at(win, off, ZEROS_AT_ONCE, &have, &ret);

		if (!at)
			return ret;
		if (have < DATA_RECORD_HEADER_BYTES)
			break;
		zeros = count_zero_heads(at, have, align);
		if (zeros) {
			off += (uint64_t)(zeros - 1) * align;
			continue;
		}
		ret = starts_chain(win, swap, off, end);
		if (ret < 0)
			return ret;
		if (ret) {
			*ret_off = off;
			return 0;
		}
	}
	return 1;
}
