/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/tar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "archive/tar_header.h"
#include "base/buf.h"
#include "base/file.h"

#define LEVEL	   3
#define COPY_BYTES ((size_t)256 << 10)

struct tar_writer {
	int fd;
	ZSTD_CCtx *packer; /* NULL: not packed */
	uint8_t *bytes;	   /* COPY_BYTES of a file */
	uint8_t *out;
	size_t out_bytes;
};

struct tar_writer *tar_writer_new(int fd, bool packed)
{
	struct tar_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->fd = fd;
	w->bytes = malloc(COPY_BYTES);
	w->out_bytes = ZSTD_CStreamOutSize();
	w->out = malloc(w->out_bytes);
	if (packed)
		w->packer = ZSTD_createCCtx();
	if (!w->bytes || !w->out || (packed && !w->packer)) {
		tar_writer_free(w);
		return NULL;
	}
	if (packed) {
		ZSTD_CCtx_setParameter(w->packer, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(w->packer, ZSTD_c_checksumFlag, 1);
	}
	return w;
}

void tar_writer_free(struct tar_writer *w)
{
	if (!w)
		return;
	ZSTD_freeCCtx(w->packer);
	free(w->bytes);
	free(w->out);
	free(w);
}

static int put(struct tar_writer *w, const void *bytes, size_t n, bool end)
{
	ZSTD_inBuffer in = { bytes, n, 0 };
	size_t left;

	if (!w->packer)
		return file_write_all(w->fd, bytes, n);
	do {
		ZSTD_outBuffer out = { w->out, w->out_bytes, 0 };
		int ret;

		left = ZSTD_compressStream2(w->packer, &out, &in,
					    end ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return -ENOMEM;
		ret = file_write_all(w->fd, w->out, out.pos);
		if (ret)
			return ret;
	} while (end ? left != 0 : in.pos < in.size);
	return 0;
}

static int put_padding(struct tar_writer *w, uint64_t size)
{
	static const uint8_t zeros[TAR_BLOCK];
	size_t over = size % TAR_BLOCK;

	return over ? put(w, zeros, TAR_BLOCK - over, false) : 0;
}

/* ---- headers ---- */

static void set_octal(char *field, size_t size, uint64_t value)
{
	snprintf(field, size, "%0*llo", (int)size - 1, (unsigned long long)value);
}

static int put_header(struct tar_writer *w, const char *name, const char *target, char type,
		      uint64_t size, mode_t mode)
{
	struct tar_header h = { .type = type, .magic = "ustar", .version = { '0', '0' } };
	unsigned sum = 0;

	/* a field that is full has no NUL */
	memcpy(h.name, name, strnlen(name, sizeof(h.name)));
	memcpy(h.target, target, strnlen(target, sizeof(h.target)));
	set_octal(h.mode, sizeof(h.mode), mode & 0777);
	set_octal(h.uid, sizeof(h.uid), 0);
	set_octal(h.gid, sizeof(h.gid), 0);
	set_octal(h.size, sizeof(h.size), size <= TAR_OCTAL_MAX ? size : 0);
	set_octal(h.mtime, sizeof(h.mtime), 0);
	memset(h.sum, ' ', sizeof(h.sum));
	for (size_t i = 0; i < sizeof(h); i++)
		sum += ((const uint8_t *)&h)[i];
	snprintf(h.sum, sizeof(h.sum), "%06o", sum & 0777777);
	return put(w, &h, sizeof(h), false);
}

/* "23 path=usr/lib/...\n", whose number counts itself */
static void add_record(struct buf *out, const char *key, const char *value)
{
	size_t rest = strlen(key) + strlen(value) + 3, n = rest + 1;

	while ((size_t)snprintf(NULL, 0, "%zu", n) + rest != n)
		n = (size_t)snprintf(NULL, 0, "%zu", n) + rest;
	buf_addf(out, "%zu %s=%s\n", n, key, value);
}

/* What does not fit into the fields of the header goes before it, into a header of its own. */
static int put_extended(struct tar_writer *w, const char *name, const char *target, uint64_t size)
{
	struct buf records = BUF_INIT;
	char number[32];
	int ret = 0;

	if (strlen(name) > sizeof(((struct tar_header *)0)->name))
		add_record(&records, "path", name);
	if (strlen(target) > sizeof(((struct tar_header *)0)->target))
		add_record(&records, "linkpath", target);
	if (size > TAR_OCTAL_MAX) {
		snprintf(number, sizeof(number), "%llu", (unsigned long long)size);
		add_record(&records, "size", number);
	}
	if (records.err)
		ret = -ENOMEM;
	else if (records.len)
		ret = put_header(w, "pax", "", TAR_TYPE_PAX, records.len, 0644);
	if (!ret && records.len)
		ret = put(w, records.data, records.len, false);
	if (!ret && records.len)
		ret = put_padding(w, records.len);
	buf_release(&records);
	return ret;
}

int tar_put_file(struct tar_writer *w, const char *name, int fd, uint64_t size, mode_t mode)
{
	uint64_t left = size;
	int ret = put_extended(w, name, "", size);

	if (!ret)
		ret = put_header(w, name, "", TAR_TYPE_FILE, size, mode);
	while (!ret && left) {
		ssize_t n = file_read_full(fd, w->bytes, left < COPY_BYTES ? left : COPY_BYTES);

		if (n <= 0)
			return n < 0 ? (int)n : -ESTALE;
		ret = put(w, w->bytes, (size_t)n, false);
		left -= (uint64_t)n;
	}
	return ret ? ret : put_padding(w, size);
}

int tar_put_link(struct tar_writer *w, const char *name, const char *target)
{
	int ret = put_extended(w, name, target, 0);

	return ret ? ret : put_header(w, name, target, TAR_TYPE_LINK, 0, 0777);
}

/* Two blocks of zeros. */
int tar_finish(struct tar_writer *w)
{
	static const uint8_t zeros[2 * TAR_BLOCK];

	return put(w, zeros, sizeof(zeros), true);
}
