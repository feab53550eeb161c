/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * COMPRESSED records: one zstd stream over the whole recording, split at arbitrary places, also
 * within a record. It is unpacked once, in order, to a spool that every walk reads.
 *
 *   outer:  [ MMAP2 ][ COMPRESSED 0 ][ FINISHED_ROUND ][ COMPRESSED 1 ] …
 *   spool:           [ rec | rec | re               ][ c | rec | rec  ]
 *                                  packed[0].spool_end^    packed[1].spool_end^
 */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include "base/vec.h"
#include "data/read/reader_private.h"

#define OUT_BYTES ((size_t)128 << 10)
/* Limit of one unpacked record, against zip bombs: perf packs one ring buffer at a time. */
#define RECORD_BYTES_MAX ((uint64_t)256 << 20)

struct data_unpacker {
	ZSTD_DStream *stream;
	size_t part; /* of the source: each has its own stream */
	uint8_t out[OUT_BYTES];
};

void unpack_free(struct data_unpacker *u)
{
	if (!u)
		return;
	ZSTD_freeDStream(u->stream);
	free(u);
}

static struct data_unpacker *unpacker_new(void)
{
	struct data_unpacker *u = malloc(sizeof(*u));

	if (!u)
		return NULL;
	u->part = 0;
	u->stream = ZSTD_createDStream();
	if (!u->stream) {
		free(u);
		return NULL;
	}
	return u;
}

static int unpack(struct data_file *f, const uint8_t *bytes, size_t n)
{
	ZSTD_inBuffer in = { bytes, n, 0 };
	uint64_t total = 0;
	size_t got;

	do {
		ZSTD_outBuffer out = { f->unpacker->out, OUT_BYTES, 0 };
		size_t before = in.pos, left;

		left = ZSTD_decompressStream(f->unpacker->stream, &out, &in);
		got = out.pos;
		total += got;
		if (ZSTD_isError(left) || total > RECORD_BYTES_MAX) {
			ZSTD_DCtx_reset(f->unpacker->stream, ZSTD_reset_session_only);
			return -EBADMSG;
		}
		if (got && source_append(&f->unpacked, f->unpacker->out, got))
			return -ENOMEM;
		if (!got && in.pos == before)
			break;
	} while (in.pos < in.size || got == OUT_BYTES);
	return 0;
}

/* As walks count them: INIT_MAP is the last one. */
static size_t part_at(const struct data_file *f, uint64_t off)
{
	const struct data_feature_slot *maps = &f->features[PTUI_FEAT_SIMPLEPERF_INIT_MAP];

	if (simpleperf_has_init_map(f) && off >= maps->off && off - maps->off < maps->size)
		return f->src.n_parts + 1;
	return source_part_at(&f->src, off);
}

static int unpack_next(struct data_file *f, uint64_t off, const uint8_t *bytes, size_t n)
{
	struct data_packed *p;
	int ret;

	if (!f->unpacker)
		f->unpacker = unpacker_new();
	if (f->unpacker && part_at(f, off) != f->unpacker->part) {
		f->unpacker->part = part_at(f, off);
		ZSTD_DCtx_reset(f->unpacker->stream, ZSTD_reset_session_only);
	}
	if (!f->unpacker || vec_grow(&f->packed, &f->packed_cap, f->n_packed + 1))
		return -ENOMEM;
	ret = unpack(f, bytes, n);
	if (ret && ret != -EBADMSG)
		return ret;
	p = &f->packed[f->n_packed++];
	p->off = off;
	p->spool_end = f->unpacked.size;
	p->bad = ret != 0;
	return 0;
}

int unpack_record(struct data_file *f, size_t index, uint64_t off, const uint8_t *bytes, size_t n,
		  uint64_t *ret_end)
{
	int ret = 0;

	pthread_mutex_lock(&f->lock);
	if (index == f->n_packed)
		ret = unpack_next(f, off, bytes, n);
	else if (index > f->n_packed || f->packed[index].off != off)
		ret = -EIO; /* the file has changed since it was first read */
	if (!ret) {
		*ret_end = f->packed[index].spool_end;
		ret = f->packed[index].bad ? -EBADMSG : 0;
	}
	pthread_mutex_unlock(&f->lock);
	return ret;
}
