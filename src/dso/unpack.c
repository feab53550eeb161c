/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompresses ELF images up to a limit: the section .gnu_debugdata (xz), and kernel modules (gzip, xz, zstd).
 * libdw could, but it has no limit, and Debian's has no zstd.
 */
#include "dso/unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <zstd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#define STEP_BYTES  ((size_t)1 << 20)
#define LZMA_MEMORY ((uint64_t)128 << 20) /* xz -9 needs 65 MiB */

int dso_unpack_zstd(const void *bytes, size_t n, struct buf *out)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	char *step = malloc(STEP_BYTES);
	ZSTD_inBuffer in = { bytes, n, 0 };
	size_t left = 1, had = out->len;
	int ret = stream && step ? 0 : -ENOMEM;

	while (!ret && left) {
		ZSTD_outBuffer piece = { step, STEP_BYTES, 0 };

		left = ZSTD_decompressStream(stream, &piece, &in);
		buf_add(out, step, piece.pos);
		if (ZSTD_isError(left) || (in.pos == n && left && piece.pos < STEP_BYTES))
			ret = -EBADMSG;
		else if (out->len - had > DSO_UNPACKED_MAX)
			ret = -EFBIG;
		else
			ret = out->err;
	}
	free(step);
	ZSTD_freeDStream(stream);
	return ret;
}

#ifdef HAVE_LZMA
int dso_unpack_xz(const void *bytes, size_t n, struct buf *out)
{
	lzma_stream s = LZMA_STREAM_INIT;
	uint8_t *step = malloc(STEP_BYTES);
	size_t had = out->len;
	lzma_ret got = LZMA_OK;
	int ret = step ? 0 : -ENOMEM;

	if (!ret && lzma_stream_decoder(&s, LZMA_MEMORY, 0) != LZMA_OK)
		ret = -ENOMEM;
	s.next_in = bytes;
	s.avail_in = n;
	while (!ret && got == LZMA_OK) {
		s.next_out = step;
		s.avail_out = STEP_BYTES;
		got = lzma_code(&s, LZMA_FINISH);
		buf_add(out, (const char *)step, STEP_BYTES - s.avail_out);
		if (got == LZMA_MEM_ERROR)
			ret = -ENOMEM;
		else if (got != LZMA_OK && got != LZMA_STREAM_END)
			ret = -EBADMSG;
		else if (out->len - had > DSO_UNPACKED_MAX)
			ret = -EFBIG;
		else
			ret = out->err;
	}
	lzma_end(&s);
	free(step);
	return ret;
}
#else
int dso_unpack_xz(const void *bytes, size_t n, struct buf *out)
{
	(void)bytes;
	(void)n;
	(void)out;
	return -ENOTSUP;
}
#endif

#ifdef HAVE_ZLIB
int dso_unpack_gzip(const void *bytes, size_t n, struct buf *out)
{
	z_stream s = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)n };
	uint8_t *step = malloc(STEP_BYTES);
	size_t had = out->len;
	int ret = step && n <= UINT_MAX ? 0 : -ENOMEM, got = Z_OK;

	if (!ret && inflateInit2(&s, 16 + MAX_WBITS) != Z_OK) /* 16: a gzip header */
		ret = -ENOMEM;
	while (!ret && got == Z_OK) {
		s.next_out = step;
		s.avail_out = (uInt)STEP_BYTES;
		got = inflate(&s, Z_NO_FLUSH);
		buf_add(out, (const char *)step, STEP_BYTES - s.avail_out);
		if (got == Z_MEM_ERROR)
			ret = -ENOMEM;
		else if (got != Z_OK && got != Z_STREAM_END)
			ret = -EBADMSG;
		else if (out->len - had > DSO_UNPACKED_MAX)
			ret = -EFBIG;
		else
			ret = out->err;
	}
	inflateEnd(&s);
	free(step);
	return ret;
}
#else
int dso_unpack_gzip(const void *bytes, size_t n, struct buf *out)
{
	(void)bytes;
	(void)n;
	(void)out;
	return -ENOTSUP;
}
#endif
