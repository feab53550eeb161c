/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From records to COMPRESSED records: one zstd stream over the whole recording, split at arbitrary
 * places, also within a record.
 *
 * perf 6.1 unpacks each COMPRESSED record with one call, into a buffer of the size in the
 * COMPRESSED feature, after the incomplete record of the previous one; a record that unpacks to
 * nothing counts as damage. So every record of ours is flushed, and contains one piece that fits
 * even if it does not compress.
 */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include "data/write/writer_private.h"

#define HEADER_BYTES 8
#define PIECE_BYTES  ((size_t)63 << 10)			 /* unpacked */
#define ROOM_BYTES   ((size_t)PTUI_RECORD_MAX_BYTES - 1) /* header.size has 16 bits */
#define REST_BYTES   PTUI_RECORD_MAX_BYTES		 /* of an incomplete record */

struct compressor {
	ZSTD_CCtx *stream;
	size_t taken; /* of the current piece */
	uint64_t from_bytes, to_bytes;
	ZSTD_outBuffer out;
	uint8_t room[ROOM_BYTES];
};

struct compressor *compressor_new(int level)
{
	struct compressor *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->stream = ZSTD_createCCtx();
	if (!c->stream ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(c->stream, ZSTD_c_compressionLevel, level))) {
		compressor_free(c);
		return NULL;
	}
	return c;
}

void compressor_free(struct compressor *c)
{
	if (!c)
		return;
	ZSTD_freeCCtx(c->stream);
	free(c);
}

/* Flushes the stream and writes the record of the piece. */
static int end_piece(struct compressor *c, ZSTD_EndDirective how, struct buf *out)
{
	ZSTD_inBuffer none = { NULL, 0, 0 };

	if (ZSTD_compressStream2(c->stream, &c->out, &none, how))
		return -EIO; /* an error; the room is always large enough */
	buf_add_u32(out, PTUI_RECORD_COMPRESSED);
	buf_add_u16(out, 0);
	buf_add_u16(out, (uint16_t)(HEADER_BYTES + c->out.pos));
	buf_add(out, c->room, c->out.pos);
	c->to_bytes += HEADER_BYTES + c->out.pos;
	c->taken = 0;
	return out->err;
}

static int pack_piece(struct compressor *c, const uint8_t *bytes, size_t n)
{
	ZSTD_inBuffer in = { bytes, n, 0 };

	if (!c->taken)
		c->out = (ZSTD_outBuffer){ c->room, ROOM_BYTES - HEADER_BYTES, 0 };
	while (in.pos < in.size)
		if (ZSTD_isError(ZSTD_compressStream2(c->stream, &c->out, &in, ZSTD_e_continue)))
			return -EIO;
	c->taken += n;
	c->from_bytes += n;
	return 0;
}

static int pack(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out)
{
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		const uint8_t *at = iov[i].iov_base;
		size_t left = iov[i].iov_len;

		while (left && !ret) {
			size_t part;

			/* ended only when more follows, so that the last piece is never empty */
			if (c->taken == PIECE_BYTES)
				ret = end_piece(c, ZSTD_e_flush, out);
			part = PIECE_BYTES - c->taken;
			if (part > left)
				part = left;
			if (!ret)
				ret = pack_piece(c, at, part);
			at += part;
			left -= part;
		}
	}
	return ret;
}

int compressor_pack(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out)
{
	int ret = pack(c, iov, n, out);

	return ret || !c->taken ? ret : end_piece(c, ZSTD_e_flush, out);
}

int compressor_end(struct compressor *c, const struct iovec *iov, size_t n, struct buf *out)
{
	int ret = pack(c, iov, n, out);

	return ret ? ret : end_piece(c, ZSTD_e_end, out);
}

uint32_t compressor_piece_bytes(void)
{
	return PIECE_BYTES + REST_BYTES;
}

double compressor_ratio(const struct compressor *c)
{
	return c->to_bytes ? (double)c->from_bytes / (double)c->to_bytes : 0;
}
