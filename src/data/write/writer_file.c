/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file layout, valid while the file grows:
 *
 *   0        104                                         data_off
 *   [ header | ids of event 0, 1, … | attrs … | payloads … | records …[ table ] records …[ table ]
 *                                     ^ each of stride_bytes: attr (stride - 16), { ids off, size }
 *
 * perf looks for the next attr attr.size + 16 bytes later, other readers header.attr_size bytes
 * later: both work only if every attr has the size of the largest.
 *
 * Features that are known before the first record are in front of the data. Readers look for the
 * table of their places after data.size, so each flush writes records, the table again, and then
 * data.size. Only that number is ever overwritten, so the file is valid at every moment, and after
 * a disk error it has everything that was flushed before.
 *
 * Old tables then are among the records, and look like one: the first section of a table is that of
 * bit 0, which has no meaning (perf keeps it clear, and skips it), and its offset is the header of
 * a record whose type perf wrote long ago and skips since:
 *
 *   u64 offset of bit 0                         u64 size	sections of the features
 *   [ u32 HEADER_EVENT_TYPE, u16 0, u16 bytes | 0         | offset, size | … ]
 *
 * A feature that changes while the file grows (BUILD_ID) is written in a record of that type, too.
 * A finished file ends with a table without it, so the bit shows recover.c that the recorder did
 * not finish.
 */
#include <errno.h>
#include <unistd.h>
#include "data/write/writer_private.h"

#define DATA_SIZE_OFF 48 /* offset of data.size in the header */
#define DATA_ALIGN    8
#define TABLES_PART   4 /* records are 4 times as long as the tables between them */

static int put_header(const struct data_writer *w, bool finished)
{
	uint64_t bits[PTUI_FEAT_MAX / 64];
	struct buf out = BUF_INIT;
	int ret;

	writer_feature_bits(w, finished, bits);
	buf_add(&out, WRITER_MAGIC, 8);
	buf_add_u64(&out, WRITER_HEADER_BYTES);
	buf_add_u64(&out, w->stride_bytes);
	buf_add_u64(&out, w->attrs_off);
	buf_add_u64(&out, w->n_events * (uint64_t)w->stride_bytes);
	buf_add_u64(&out, w->data_off);
	buf_add_u64(&out, w->data_bytes);
	buf_add_zeros(&out, WRITER_SECTION_BYTES); /* event types: not written any more */
	buf_add(&out, bits, sizeof(bits));
	ret = out.err;
	if (!ret)
		ret = writer_put(w->fd, out.data, out.len, 0);
	buf_release(&out);
	return ret;
}

/* Everything between the header and the data. Places the features. */
static int make_front(struct data_writer *w, struct buf *out)
{
	uint32_t attr_bytes = writer_attr_bytes(w);
	uint64_t ids_off = WRITER_HEADER_BYTES;

	w->stride_bytes = attr_bytes + WRITER_SECTION_BYTES;
	for (size_t i = 0; i < w->n_events; i++)
		buf_add(out, w->events[i].ids, w->events[i].n_ids * sizeof(uint64_t));
	w->attrs_off = WRITER_HEADER_BYTES + out->len;
	for (size_t i = 0; i < w->n_events; i++) {
		uint64_t ids_bytes = w->events[i].n_ids * sizeof(uint64_t);

		writer_put_attr(out, &w->events[i], attr_bytes);
		buf_add_u64(out, ids_off);
		buf_add_u64(out, ids_bytes);
		ids_off += ids_bytes;
	}
	writer_place_features(w, WRITER_HEADER_BYTES + out->len, out);
	buf_align(out, DATA_ALIGN);
	w->data_off = WRITER_HEADER_BYTES + out->len;
	return out->err;
}

int file_layout_begin(struct data_writer *w)
{
	struct buf out = BUF_INIT;
	int ret = make_front(w, &out);

	if (!ret)
		ret = writer_make_table(w, false, &w->table);
	/* only files that are written in place; devices have no length */
	if (!ret && w->device && ftruncate(w->fd, 0) && errno != EINVAL)
		ret = -errno;
	if (!ret)
		ret = writer_put(w->fd, out.data, out.len, WRITER_HEADER_BYTES);
	if (!ret && w->append)
		ret = append_copy(w, &w->data_bytes);
	w->end = w->data_bytes;
	if (!ret)
		ret = writer_put(w->fd, w->table.data, w->table.len,
				 (int64_t)(w->data_off + w->end));
	if (!ret)
		ret = put_header(w, false);
	w->end += w->table.len;
	buf_release(&out);
	return ret;
}

static int truncate_back(const struct data_writer *w, int ret)
{
	/* if this fails, data.size does not include it anyway */
	if (ftruncate(w->fd, (off_t)(w->data_off + w->end)))
		return ret;
	return ret;
}

/* Writes records and, if forced by `flush` or small in comparison, the table. */
int file_layout_put(struct data_writer *w, const struct iovec *iov, size_t n, bool flush)
{
	struct iovec *v = writer_iov(w, iov, n, 1);
	uint64_t end;
	int ret;

	if (!v)
		return -ENOMEM;
	end = w->end + writer_iov_bytes(iov, n);
	flush |= end - w->data_bytes >= (TABLES_PART + 1) * w->table.len;
	if (flush)
		v[n++] = (struct iovec){ w->table.data, w->table.len };
	ret = writer_put_iov(w->fd, v, n, (int64_t)(w->data_off + w->end));
	if (!ret && flush)
		ret = writer_put(w->fd, &end, sizeof(end), DATA_SIZE_OFF);
	if (ret)
		return truncate_back(w, ret);
	w->end = end;
	if (flush) {
		w->data_bytes = end;
		w->end += w->table.len;
	}
	return 0;
}

/* [ HEADER_EVENT_TYPE | the feature ] and a table with its place. */
int file_layout_put_feature(struct data_writer *w, unsigned feature)
{
	static const char zeros[DATA_ALIGN];
	struct writer_feature *f = &w->features[feature];
	size_t padding = (DATA_ALIGN - f->n % DATA_ALIGN) % DATA_ALIGN;
	struct perf_event_header h = { .type = PTUI_RECORD_HEADER_EVENT_TYPE,
				       .size = (uint16_t)(sizeof(h) + f->n + padding) };
	struct iovec iov[] = { { &h, sizeof(h) },
			       { f->bytes, f->n },
			       { (void *)(uintptr_t)zeros, padding } };
	int ret;

	f->off = w->data_off + w->end + sizeof(h);
	ret = writer_make_table(w, false, &w->table);
	return ret ? ret : file_layout_put(w, iov, 3, true);
}

int file_layout_sync(struct data_writer *w)
{
	if (w->end == w->data_bytes + w->table.len)
		return 0;
	return file_layout_put(w, NULL, 0, true);
}

/* Writes features that were added later, after the final table. */
int file_layout_finish(struct data_writer *w)
{
	uint64_t at, before = w->data_bytes;
	struct buf payloads = BUF_INIT, table = BUF_INIT;
	int ret = file_layout_sync(w); /* first: this may still fit on a full disk */

	at = w->data_off + w->end;
	writer_place_features(w, at + writer_table_bytes(w), &payloads);
	if (!ret)
		ret = payloads.err ? payloads.err : writer_make_table(w, true, &table);
	if (!ret)
		ret = writer_put(w->fd, payloads.data, payloads.len, (int64_t)(at + table.len));
	if (!ret)
		ret = writer_put(w->fd, table.data, table.len, (int64_t)at);
	if (!ret) {
		before = w->data_bytes;
		w->data_bytes = w->end;
		ret = put_header(w, true);
	}
	if (ret) {
		w->data_bytes = before;
		truncate_back(w, ret);
	}
	buf_release(&payloads);
	buf_release(&table);
	return ret;
}
