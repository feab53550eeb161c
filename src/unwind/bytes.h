/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of call frame information: base/cursor.h with the numbers of DWARF. */
#ifndef UNWIND_BYTES_H
#define UNWIND_BYTES_H

#include "base/cursor.h"

/* Seven bits per byte, the lowest first; the last one has no bit 7. */
static inline uint64_t bytes_leb(struct cursor *c, bool is_signed)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cursor_u8(c);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && shift < 64 && (byte & 0x40))
		v |= ~0ull << shift;
	return v;
}

static inline uint64_t bytes_uleb(struct cursor *c)
{
	return bytes_leb(c, false);
}

static inline int64_t bytes_sleb(struct cursor *c)
{
	return (int64_t)bytes_leb(c, true);
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static inline uint64_t bytes_word(struct cursor *c, unsigned bytes)
{
	return bytes == 8 ? cursor_u64(c) :
	       bytes == 4 ? cursor_u32(c) :
	       bytes == 2 ? cursor_u16(c) :
			    cursor_u8(c);
}

#endif
