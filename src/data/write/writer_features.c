/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Features: their payloads, and the table of their places. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "data/write/writer_private.h"

#define NAME_ALIGN	   64		     /* perf pads names to this */
#define REFRESH_MAX_BYTES  (UINT16_MAX - 15) /* what fits into a record */
#define REFRESH_FREE_BYTES 4096
#define REFRESH_PART	   4
#define COMPRESSED_VERSION 1
#define COMPRESSED_ZSTD	   1

int data_writer_add_feature(struct data_writer *w, unsigned feature, const void *bytes, size_t n)
{
	struct buf merged = BUF_INIT;
	struct writer_feature *f;
	int ret;

	if (!feature || feature >= PTUI_FEAT_MAX)
		return -EINVAL;
	buf_add(&merged, bytes, n);
	ret = merged.err;
	if (!ret && w->append)
		ret = append_merge(w, feature, &merged);
	if (ret) {
		buf_release(&merged);
		return ret;
	}
	f = &w->features[feature];
	if (f->present && f->n == merged.len && (!f->n || !memcmp(f->bytes, merged.data, f->n))) {
		buf_release(&merged);
		return 0; /* unchanged: keeps its place */
	}
	free(f->bytes);
	*f = (struct writer_feature){ .present = true, .n = merged.len };
	f->bytes = buf_take(&merged);
	buf_release(&merged);
	return 0;
}

/*
 * Whether the payload would be too large a part of the file: records must be REFRESH_PART times as
 * long as the payload that is written again between them.
 */
static bool is_too_large_part(const struct data_writer *w, const struct writer_feature *f, size_t n)
{
	return n > REFRESH_FREE_BYTES && w->data_off + w->end - f->off < REFRESH_PART * n;
}

static int refresh_in_file(struct data_writer *w, unsigned feature, struct buf *bytes)
{
	struct writer_feature *f = &w->features[feature], before = *f;
	int ret;

	*f = (struct writer_feature){ .present = true, .bytes = bytes->data, .n = bytes->len };
	ret = file_layout_put_feature(w, feature);
	if (ret) {
		*f = before;
		writer_make_table(w, false, &w->table);
		return ret;
	}
	free(before.bytes);
	buf_take(bytes);
	return 0;
}

int data_writer_refresh_feature(struct data_writer *w, unsigned feature, const void *bytes,
				size_t n, struct ptui_error *err)
{
	const struct writer_feature *f = &w->features[feature];
	struct buf merged = BUF_INIT;
	int ret;

	if (!w->begun || w->fd < 0 || w->pipe || w->stopped || !f->present)
		return 0;
	buf_add(&merged, bytes, n);
	ret = merged.err;
	if (!ret && w->append)
		ret = append_merge(w, feature, &merged);
	n = merged.len;
	if (!ret && n && n <= REFRESH_MAX_BYTES && !is_too_large_part(w, f, n) &&
	    (n != f->n || memcmp(f->bytes, merged.data, n)))
		ret = refresh_in_file(w, feature, &merged);
	buf_release(&merged);
	if (ret == -ENOMEM)
		return ptui_error_nomem(err);
	return ret ? writer_error(w, -ret, err, _("cannot write the header of %s")) : 0;
}

/* EVENT_DESC: names, attrs and ids of the events. */
int writer_make_event_desc(struct data_writer *w)
{
	uint32_t attr_bytes = writer_attr_bytes(w);
	struct buf out = BUF_INIT;
	int ret;

	buf_add_u32(&out, (uint32_t)w->n_events);
	buf_add_u32(&out, attr_bytes);
	for (size_t i = 0; i < w->n_events; i++) {
		const struct writer_event *e = &w->events[i];
		size_t len = strlen(e->name) + 1;
		size_t padded = (len + NAME_ALIGN - 1) / NAME_ALIGN * NAME_ALIGN;

		writer_put_attr(&out, e, attr_bytes);
		buf_add_u32(&out, (uint32_t)e->n_ids);
		buf_add_u32(&out, (uint32_t)padded);
		buf_add(&out, e->name, len);
		buf_add_zeros(&out, padded - len);
		buf_add(&out, e->ids, e->n_ids * sizeof(uint64_t));
	}
	ret = out.err;
	if (!ret)
		ret = data_writer_add_feature(w, PTUI_FEAT_EVENT_DESC, out.data, out.len);
	buf_release(&out);
	return ret;
}

/* u32 version, type, level, ratio (known at the end), bytes of the longest piece */
int writer_make_compressed(struct data_writer *w)
{
	struct buf out = BUF_INIT;
	int ret;

	if (!w->compressor)
		return 0;
	buf_add_u32(&out, COMPRESSED_VERSION);
	buf_add_u32(&out, COMPRESSED_ZSTD);
	buf_add_u32(&out, (uint32_t)w->opts.compress_level);
	buf_add_u32(&out, (uint32_t)(compressor_ratio(w->compressor) + 0.5));
	buf_add_u32(&out, compressor_piece_bytes());
	ret = out.err;
	if (!ret)
		ret = data_writer_add_feature(w, PTUI_FEAT_COMPRESSED, out.data, out.len);
	buf_release(&out);
	return ret;
}

void writer_feature_bits(const struct data_writer *w, bool finished,
			 uint64_t bits[PTUI_FEAT_MAX / 64])
{
	memset(bits, 0, PTUI_FEAT_MAX / 8);
	bits[0] = !finished;
	for (size_t i = 0; i < PTUI_FEAT_MAX; i++)
		if (w->features[i].present)
			bits[i / 64] |= 1ULL << (i % 64);
}

size_t writer_table_bytes(const struct data_writer *w)
{
	size_t n = 0;

	for (size_t i = 0; i < PTUI_FEAT_MAX; i++)
		n += w->features[i].present ? WRITER_SECTION_BYTES : 0;
	return n;
}

void writer_place_features(struct data_writer *w, uint64_t off, struct buf *out)
{
	for (size_t i = 0; i < PTUI_FEAT_MAX; i++) {
		struct writer_feature *f = &w->features[i];

		if (!f->present || f->off)
			continue;
		f->off = off;
		buf_add(out, f->bytes, f->n);
		off += f->n;
	}
}

int writer_make_table(const struct data_writer *w, bool finished, struct buf *out)
{
	uint16_t bytes = (uint16_t)(writer_table_bytes(w) + WRITER_SECTION_BYTES);

	buf_clear(out);
	if (!finished) {
		buf_add_u32(out, PTUI_RECORD_HEADER_EVENT_TYPE);
		buf_add_u16(out, 0);
		buf_add_u16(out, bytes);
		buf_add_u64(out, 0);
	}
	for (size_t i = 0; i < PTUI_FEAT_MAX; i++) {
		if (!w->features[i].present)
			continue;
		buf_add_u64(out, w->features[i].off);
		buf_add_u64(out, w->features[i].n);
	}
	return out->err;
}
