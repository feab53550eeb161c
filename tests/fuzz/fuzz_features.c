/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as features of the header: u8 how | { u8 bit, u16 bytes, payload } … `how`: 1 the other
 * byte order. The recording is loaded, and its header printed. No crash, and no damage to what is
 * outside of the features.
 */
#include <stdlib.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "fuzz/read_all.h"
#include "ptui/profile.h"
#include "session/load.h"
#include "unit/data/made.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FEATURES_MAX 8

static const struct made_event events[] = {
	{ .type = PERF_TYPE_HARDWARE,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_IDENTIFIER,
	  .id = 3 },
	{ .type = PERF_TYPE_TRACEPOINT,
	  .config = 316,
	  .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_IDENTIFIER,
	  .id = 4 },
};

static void put_records(struct made *m)
{
	made_begin(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	made_u32(m, 1);
	made_u32(m, 1);
	made_u64(m, 0x1000);
	made_u64(m, 0x10000);
	made_u64(m, 0);
	made_text(m, "/none", 8);
	made_end(m);
	for (uint64_t id = 3; id < 5; id++) {
		made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(m, id);
		made_u64(m, 0x1234);
		made_u32(m, 1);
		made_u32(m, 1);
		made_end(m);
	}
}

/* In the order of their bits, each once. */
static size_t read_sections(struct cursor *c, struct made_feature *v)
{
	size_t n = 0;

	while (n < FEATURES_MAX && cursor_left(c) >= 3) {
		struct made_feature one = { .bit = cursor_u8(c) };
		size_t at = n;

		one.n = cursor_u16(c);
		if (one.n > cursor_left(c))
			one.n = cursor_left(c);
		one.bytes = cursor_bytes(c, one.n);
		while (at && v[at - 1].bit > one.bit)
			at--;
		if (!one.bit || (at && v[at - 1].bit == one.bit))
			continue;
		for (size_t i = n++; i > at; i--)
			v[i] = v[i - 1];
		v[at] = one;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made_feature features[FEATURES_MAX];
	struct ptui_profile *p;
	struct data_file *f;
	uint64_t records;
	bool more;
	struct cursor c;
	struct made m;
	size_t n;

	cursor_init(&c, data, size, false);
	made_init(&m, cursor_u8(&c) & 1, false);
	made_events(&m, events, 2, 64);
	put_records(&m);
	n = read_sections(&c, features);
	made_finish_with(&m, features, n);
	f = data_open_memory(m.out.data, m.out.len, NULL, NULL);
	if (!f)
		abort();
	read_features(f);
	read_all(f, &records);
	/* a directory's other files are looked for beside "memory"; some sections have records */
	more = data_has_feature(f, PTUI_FEAT_DIR_FORMAT) ||
	       data_has_feature(f, PTUI_FEAT_SIMPLEPERF_INIT_MAP);
	if (records != 3 && !more)
		abort();
	p = session_load(f, NULL, NULL, NULL);
	if (!p || (ptui_profile_event(p, 0)->samples != 1 && !more))
		abort();
	ptui_profile_unref(p);
	data_close(f);
	made_release(&m);
	return 0;
}
