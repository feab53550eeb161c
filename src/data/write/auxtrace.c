/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUXTRACE records with the data that follows them, and their index in the header: see
 * read/auxtrace.c, which reads both.
 */
#include <errno.h>
#include <string.h>
#include "data/write/writer_private.h"

#define RECORD_BYTES 48
#define DATA_ALIGN   8
#define DATA_PIECES  4

/* The index is that of a file: a pipe cannot be read at an offset. */
static bool has_index(const struct data_writer *w)
{
	return !w->pipe && !w->opts.nowhere;
}

static int note_place(struct data_writer *w, uint64_t off)
{
	if (!has_index(w))
		return 0;
	buf_add_u64(&w->aux_index, off);
	buf_add_u64(&w->aux_index, RECORD_BYTES);
	return w->aux_index.err;
}

int data_writer_write_aux(struct data_writer *w, const struct data_auxtrace *a,
			  const struct iovec *data, int n, struct ptui_error *err)
{
	static const char zeros[DATA_ALIGN];
	struct iovec iov[1 + DATA_PIECES + 1];
	struct buf record = BUF_INIT;
	uint64_t bytes = writer_iov_bytes(data, (size_t)n), off = w->data_off + w->end;
	size_t padding = (DATA_ALIGN - bytes % DATA_ALIGN) % DATA_ALIGN;
	int ret = n > DATA_PIECES ? -EINVAL : 0;

	if (!w->begun || w->stopped)
		return writer_end_write(w, -EBADF, 0, err);
	buf_add_u32(&record, PTUI_RECORD_AUXTRACE);
	buf_add_u16(&record, 0);
	buf_add_u16(&record, RECORD_BYTES);
	buf_add_u64(&record, bytes + padding);
	buf_add_u64(&record, a->off);
	buf_add_u64(&record, a->reference);
	buf_add_u32(&record, a->idx);
	buf_add_u32(&record, (uint32_t)a->tid);
	buf_add_u32(&record, (uint32_t)a->cpu);
	buf_add_u32(&record, 0);
	if (!ret)
		ret = record.err;
	if (!ret) {
		iov[0] = (struct iovec){ record.data, record.len };
		memcpy(iov + 1, data, (size_t)n * sizeof(*data));
		iov[n + 1] = (struct iovec){ (void *)(uintptr_t)zeros, padding };
		ret = writer_put_records(w, iov, (size_t)n + 2);
	}
	if (!ret)
		ret = note_place(w, off);
	buf_release(&record);
	return writer_end_write(w, ret, RECORD_BYTES + bytes + padding, err);
}

int data_writer_expect_aux(struct data_writer *w)
{
	const uint64_t none = 0;

	return data_writer_add_feature(w, PTUI_FEAT_AUXTRACE, &none, sizeof(none));
}

int writer_make_aux_index(struct data_writer *w)
{
	struct buf entries = BUF_INIT, out = BUF_INIT;
	int ret = 0;

	if (!has_index(w) || (!w->aux_index.len && !w->features[PTUI_FEAT_AUXTRACE].present))
		return 0;
	if (w->append)
		ret = append_aux_index(w, &entries);
	buf_add(&entries, w->aux_index.data, w->aux_index.len);
	buf_add_u64(&out, entries.len / 16);
	buf_add(&out, entries.data, entries.len);
	if (!ret)
		ret = entries.err ? entries.err : out.err;
	if (!ret)
		ret = data_writer_add_feature(w, PTUI_FEAT_AUXTRACE, out.data, out.len);
	buf_release(&entries);
	buf_release(&out);
	return ret;
}
