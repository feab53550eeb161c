/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as compressed records: u8 how | u8 bytes / 16 of each record | the stream. `how`: 1
 * COMPRESSED2, 2 the other byte order. No crash; both walks find the same.
 */
#include <stdlib.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "fuzz/read_all.h"
#include "unit/data/made.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct made_event event = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
					 .flags = MADE_SAMPLE_ID_ALL,
					 .id = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t records[2], sums[2];
	struct data_file *f;
	struct cursor c;
	struct made m;
	uint8_t how;
	size_t piece;

	cursor_init(&c, data, size, false);
	how = cursor_u8(&c);
	piece = 16 * ((size_t)cursor_u8(&c) + 1);
	made_init(&m, how & 2, true);
	made_events(&m, &event, 1, 112);
	while (cursor_left(&c)) {
		size_t n = cursor_left(&c) < piece ? cursor_left(&c) : piece;

		made_begin(&m, how & 1 ? PTUI_RECORD_COMPRESSED2 : PTUI_RECORD_COMPRESSED, 0);
		if (how & 1)
			made_u64(&m, n);
		buf_add(&m.out, cursor_bytes(&c, n), n);
		if (how & 1)
			buf_align(&m.out, 8);
		made_end(&m);
	}
	f = data_open_memory(m.out.data, m.out.len, NULL, NULL);
	if (!f)
		abort();
	for (unsigned i = 0; i < 2; i++)
		sums[i] = read_all(f, &records[i]);
	if (records[0] != records[1] || sums[0] != sums[1])
		abort();
	data_close(f);
	made_release(&m);
	return 0;
}
