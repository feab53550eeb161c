/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/record_sink.h"

#include <string.h>
#include "base/perf_abi.h"

#define EARLY_PIECE_BYTES ((size_t)1 << 20)

void record_sink_release(struct record_sink *o)
{
	data_writer_free(o->writer);
	o->writer = NULL;
	sideband_log_free(o->sideband_log);
	o->sideband_log = NULL;
	buf_release(&o->copy);
	buf_release(&o->early);
}

void record_sink_show(const struct record_sink *o, const struct iovec *iov, int n)
{
	if (o->seen && n && !o->waits_for_base)
		o->seen(o->seen_ctx, iov, n);
}

static bool is_round(const struct iovec *v)
{
	struct perf_event_header h;

	if (v->iov_len != sizeof(h))
		return false;
	memcpy(&h, v->iov_base, sizeof(h));
	return h.type == PTUI_RECORD_FINISHED_ROUND;
}

static int clear_build_id_bits(struct record_sink *o, const struct iovec *iov, int n)
{
	struct perf_event_header h;

	buf_clear(&o->copy);
	for (int i = 0; i < n; i++)
		buf_add(&o->copy, iov[i].iov_base, iov[i].iov_len);
	for (size_t at = 0; !o->copy.err && o->copy.len - at >= sizeof(h); at += h.size) {
		memcpy(&h, o->copy.data + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > o->copy.len - at)
			break;
		if (h.type != PERF_RECORD_MMAP2)
			continue;
		h.misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
		memcpy(o->copy.data + at, &h, sizeof(h));
	}
	return o->copy.err;
}

static int record_sink_put_now(struct record_sink *o, const struct iovec *iov, int n,
			       struct ptui_error *err)
{
	int ret = o->holds ? 0 : data_writer_write(o->writer, iov, n, err);

	if (ret)
		return ret;
	for (int i = 0; o->holds && i < n; i++)
		o->held_bytes += iov[i].iov_len;
	if (o->seen && n)
		o->seen(o->seen_ctx, iov, n);
	return o->sideband_log && sideband_log_add(o->sideband_log, iov, n) ?
		       ptui_error_nomem(err) :
		       0;
}

static int record_sink_keep_early(struct record_sink *o, const struct iovec *iov, int n,
				  struct ptui_error *err)
{
	for (int i = 0; i < n; i++)
		buf_add(&o->early, iov[i].iov_base, iov[i].iov_len);
	return o->early.err ? ptui_error_nomem(err) : 0;
}

int record_sink_put(struct record_sink *o, const struct iovec *iov, int n, struct ptui_error *err)
{
	struct iovec cleared[2];
	int n_rounds; /* 0 or 1 */

	if (o->false_build_ids && n) {
		/* the end of a round is always a piece of its own */
		n_rounds = is_round(&iov[n - 1]);
		if (clear_build_id_bits(o, iov, n - n_rounds))
			return ptui_error_nomem(err);
		cleared[0] = (struct iovec){ .iov_base = o->copy.data, .iov_len = o->copy.len };
		cleared[1] = iov[n - 1];
		iov = cleared;
		n = 1 + n_rounds;
	}
	return o->waits_for_base ? record_sink_keep_early(o, iov, n, err) :
				   record_sink_put_now(o, iov, n, err);
}

int record_sink_put_aux(struct record_sink *o, const struct data_auxtrace *a,
			const struct iovec *iov, int n, struct ptui_error *err)
{
	return data_writer_write_aux(o->writer, a, iov, n, err);
}

int record_sink_put_base(struct record_sink *o, const struct iovec *iov, struct ptui_error *err)
{
	return record_sink_put_now(o, iov, 1, err);
}

bool record_sink_is_full(const struct record_sink *o)
{
	return o->waits_for_base && o->early.len >= RECORD_SINK_EARLY_BYTES;
}

/* In pieces like those of the passes: the end of a round is a piece of its own. */
int record_sink_end_base(struct record_sink *o, struct ptui_error *err)
{
	struct perf_event_header h;
	size_t from = 0, at = 0;
	struct iovec iov[2];
	int ret = 0;

	o->waits_for_base = false;
	while (!ret && o->early.len - at >= sizeof(h)) {
		bool is_end;

		memcpy(&h, o->early.data + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > o->early.len - at)
			break;
		is_end = h.type == PTUI_RECORD_FINISHED_ROUND;
		iov[0] = (struct iovec){ o->early.data + from, at - from };
		iov[1] = (struct iovec){ o->early.data + at, h.size };
		at += h.size;
		if (!is_end && at - from < EARLY_PIECE_BYTES && at < o->early.len)
			continue;
		ret = record_sink_put_now(o, iov[0].iov_len ? iov : iov + 1, iov[0].iov_len ? 2 : 1,
					  err);
		from = at;
	}
	buf_release(&o->early);
	return ret;
}

int record_sink_flush(struct record_sink *o, struct ptui_error *err)
{
	struct iovec records;
	int ret = 0;

	if (!o->holds)
		return 0;
	records = sideband_log_unwritten(o->sideband_log);
	if (records.iov_len)
		ret = data_writer_write(o->writer, &records, 1, err);
	if (!ret)
		sideband_log_note_written(o->sideband_log);
	return ret;
}

uint64_t record_sink_bytes(const struct record_sink *o)
{
	return o->waits_for_base ? 0 : o->bytes_before + data_writer_bytes(o->writer);
}

uint64_t record_sink_passed_bytes(const struct record_sink *o)
{
	return record_sink_bytes(o) + o->held_bytes;
}

uint64_t record_sink_raw_bytes(const struct record_sink *o)
{
	return o->raw_before + data_writer_raw_bytes(o->writer);
}
