/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any records of events with any attr, in both byte orders:
 *
 *	u8 how | 2 × { u64 sample_type, read_format, branch_type, regs_user, regs_intr } | records
 *
 * `how`: 1 the other byte order, 2 sample_id_all, 4 a single event, 8 a pipe. No crash, and nothing
 * is read outside of a record.
 */
#include <stdlib.h>
#include "base/cursor.h"
#include "fuzz/read_all.h"
#include "unit/data/made.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_event(struct cursor *c, struct made_event *ev)
{
	ev->sample_type = cursor_u64(c);
	ev->read_format = cursor_u64(c);
	ev->branch_type = cursor_u64(c);
	ev->regs_user = cursor_u64(c);
	ev->regs_intr = cursor_u64(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made_event events[2] = { { .id = 1, .period = 1 }, { .id = 2, .period = 1 } };
	struct data_file *f;
	uint64_t records;
	struct cursor c;
	struct made m;
	uint8_t how, *exact;

	cursor_init(&c, data, size, false);
	how = cursor_u8(&c);
	for (unsigned i = 0; i < 2; i++) {
		read_event(&c, &events[i]);
		events[i].flags = how & 2 ? MADE_SAMPLE_ID_ALL : 0;
	}
	made_init(&m, how & 1, how & 8);
	made_events(&m, events, how & 4 ? 1 : 2, 112);
	buf_add(&m.out, c.p, cursor_left(&c));
	made_finish(&m, NULL, 0);
	exact = malloc(m.out.len);
	if (!exact)
		abort();
	memcpy(exact, m.out.data, m.out.len);
	f = data_open_memory(exact, m.out.len, NULL, NULL);
	if (f)
		read_all(f, &records);
	data_close(f);
	free(exact);
	made_release(&m);
	return 0;
}
