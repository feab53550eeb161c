/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recovers unfinished files of ptui. Their header is valid, see writer_file.c; what was written
 * after the data that it covers is recovered: whole records, and the tables between them, which
 * look like records.
 */
#include "data/read/reader_private.h"

#define SECTION_BYTES 16

bool recover_is_ours(struct data_file *f, const uint8_t *feature_bits, uint64_t table_off)
{
	uint8_t bytes[DATA_RECORD_HEADER_BYTES];
	size_t n = 0;
	struct cursor c;
	ssize_t got;

	if (!(feature_bits[0] & 1))
		return false;
	for (size_t i = 0; i < PTUI_FEAT_MAX / 8; i++)
		n += (size_t)__builtin_popcount(feature_bits[i]);
	got = source_read(&f->src, table_off, bytes, sizeof(bytes), sizeof(bytes));
	if (got < (ssize_t)sizeof(bytes))
		return false;
	cursor_init(&c, bytes, sizeof(bytes), f->swap);
	return cursor_u32(&c) == PTUI_RECORD_HEADER_EVENT_TYPE && !cursor_u16(&c) &&
	       cursor_u16(&c) == n * SECTION_BYTES;
}

uint64_t recover_data_end(struct data_file *f, uint64_t data_end)
{
	struct window win;
	uint64_t off = data_end;

	window_init(&win, &f->src);
	while (off <= f->src.size) {
		struct record_head h;
		uint64_t bytes;
		size_t n = 0;
		int ret = 0;
		const uint8_t *at = window_at(&win, off, DATA_RECORD_HEADER_BYTES, &n, &ret);

		if (!at || n < DATA_RECORD_HEADER_BYTES)
			break;
		h = record_decode_head(at, f->swap);
		if (h.size < DATA_RECORD_HEADER_BYTES || !record_type_known(h.type))
			break;
		bytes = auxtrace_whole_bytes(&win, f->swap, off, &h);
		if (!bytes || bytes > f->src.size - off)
			break;
		off += bytes;
	}
	window_release(&win);
	return off;
}
