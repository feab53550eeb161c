/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as TRACING_DATA: u8 bytes of a payload | the payload | tracing data. Names are taken from
 * it, and the payload is printed by each of the first formats. No crash.
 */
#include <stdlib.h>
#include "base/cursor.h"
#include "base/perf_abi.h"
#include "event/trace_format.h"
#include "fuzz/read_all.h"
#include "unit/data/made.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define IDS 400

static const struct made_event event = {
	.type = PERF_TYPE_TRACEPOINT, .config = 316, .sample_type = PERF_SAMPLE_IP, .id = 4
};

static void print_payload(const void *tracing, size_t n, const void *raw, size_t raw_bytes)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct trace_formats *t = trace_formats_new(tracing, n, NULL, NULL, &err);
	struct trace_field field;
	struct buf out = BUF_INIT;

	for (uint64_t id = 0; t && id < IDS; id++) {
		if (!trace_formats_field(t, id, 0))
			continue;
		trace_formats_print(t, id, 0, raw, raw_bytes, &out);
		trace_formats_print_raw(t, id, raw, raw_bytes, &out);
		for (size_t i = 0; i < 100 && trace_formats_describe(t, id, i, &field); i++)
			trace_formats_print_field(t, id, i, raw, raw_bytes, &out);
	}
	buf_release(&out);
	trace_formats_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct made_feature feature = { .bit = PTUI_FEAT_TRACING_DATA };
	struct data_file *f;
	const void *raw;
	struct cursor c;
	struct made m;
	size_t n;

	cursor_init(&c, data, size, false);
	n = cursor_u8(&c);
	n = n < cursor_left(&c) ? n : cursor_left(&c);
	raw = cursor_bytes(&c, n);
	feature.bytes = c.p;
	feature.n = cursor_left(&c);
	made_init(&m, false, false);
	made_events(&m, &event, 1, 64);
	made_finish_with(&m, &feature, 1);
	f = data_open_memory(m.out.data, m.out.len, NULL, NULL);
	if (!f)
		abort();
	read_features(f);
	data_close(f);
	made_release(&m);
	print_payload(feature.bytes, feature.n, raw, n);
	return 0;
}
