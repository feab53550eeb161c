/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/tar.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "archive/tar_header.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"

#define EXTENDED_BYTES_MAX ((uint64_t)64 << 10)

struct tar_reader {
	int fd;
	ZSTD_DCtx *unpacker; /* NULL: not packed */
	uint8_t *in;
	size_t in_bytes;
	ZSTD_inBuffer ready; /* read, and not unpacked */
	bool ended;	     /* the file has no more bytes */
	uint64_t left;	     /* of the current file */
	size_t padding;	     /* after it */
	struct buf name, target;
	uint64_t size; /* of the next entry, from its extended header */
	bool has_size;
};

struct tar_reader *tar_reader_new(int fd, bool packed)
{
	struct tar_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->fd = fd;
	r->in_bytes = ZSTD_DStreamInSize();
	r->in = malloc(r->in_bytes);
	if (packed)
		r->unpacker = ZSTD_createDCtx();
	if (r->in && (!packed || r->unpacker))
		return r;
	tar_reader_free(r);
	return NULL;
}

void tar_reader_free(struct tar_reader *r)
{
	if (!r)
		return;
	ZSTD_freeDCtx(r->unpacker);
	free(r->in);
	buf_release(&r->name);
	buf_release(&r->target);
	free(r);
}

static int fill(struct tar_reader *r)
{
	ssize_t n;

	if (r->ready.pos < r->ready.size || r->ended)
		return 0;
	n = file_read_full(r->fd, r->in, r->in_bytes);
	if (n < 0)
		return (int)n;
	r->ready = (ZSTD_inBuffer){ r->in, (size_t)n, 0 };
	r->ended = !n;
	return 0;
}

/* n bytes, or -EBADMSG. */
static int get(struct tar_reader *r, void *bytes, size_t n)
{
	ZSTD_outBuffer out = { bytes, n, 0 };
	size_t before, status;
	int ret;

	if (!r->unpacker) {
		ssize_t got = file_read_full(r->fd, bytes, n);

		return got < 0 ? (int)got : (size_t)got < n ? -EBADMSG : 0;
	}
	while (out.pos < n) {
		ret = fill(r);
		if (ret)
			return ret;
		before = out.pos;
		status = ZSTD_decompressStream(r->unpacker, &out, &r->ready);
		if (ZSTD_isError(status) || (r->ended && out.pos == before))
			return -EBADMSG;
	}
	return 0;
}

static int skip(struct tar_reader *r, uint64_t n)
{
	uint8_t bytes[TAR_BLOCK];
	int ret = 0;

	for (; n && !ret; n -= n < sizeof(bytes) ? n : sizeof(bytes))
		ret = get(r, bytes, n < sizeof(bytes) ? (size_t)n : sizeof(bytes));
	return ret;
}

/* ---- headers ---- */

/* Octal digits, with blanks around them. */
static int read_octal(const char *field, size_t size, uint64_t *ret)
{
	size_t i = 0;

	*ret = 0;
	while (i < size && field[i] == ' ')
		i++;
	for (; i < size && field[i] >= '0' && field[i] <= '7'; i++)
		*ret = *ret << 3 | (uint64_t)(field[i] - '0');
	return i == size || field[i] == ' ' || !field[i] ? 0 : -EBADMSG;
}

static int check_sum(const struct tar_header *h)
{
	uint64_t wanted;
	unsigned sum = 0;

	for (size_t i = 0; i < sizeof(*h); i++)
		sum += i >= offsetof(struct tar_header, sum) &&
				       i < offsetof(struct tar_header, sum) + sizeof(h->sum) ?
			       ' ' :
			       ((const uint8_t *)h)[i];
	return read_octal(h->sum, sizeof(h->sum), &wanted) || wanted != sum ? -EBADMSG : 0;
}

/* "23 path=usr/lib/...\n" */
static int read_record(struct tar_reader *r, char *record)
{
	char *equals = strchr(record, '=');

	if (!equals)
		return -EBADMSG;
	*equals++ = '\0';
	if (!strcmp(record, "path"))
		buf_add_str(&r->name, equals);
	else if (!strcmp(record, "linkpath"))
		buf_add_str(&r->target, equals);
	else if (!strcmp(record, "size"))
		r->has_size = text_number(equals, INT64_MAX, &r->size) != NULL;
	return 0;
}

static int read_records(struct tar_reader *r, char *at, char *end)
{
	while (at < end) {
		uint64_t n;
		char *digits = at,
		     *rest = (char *)(uintptr_t)text_number(at, (uint64_t)(end - at), &n);

		if (!rest || *rest != ' ' || n < (uint64_t)(rest - digits) + 2 ||
		    digits[n - 1] != '\n')
			return -EBADMSG;
		digits[n - 1] = '\0';
		if (strlen(rest) != n - 1 - (size_t)(rest - digits) || read_record(r, rest + 1))
			return -EBADMSG;
		at = digits + n;
	}
	return 0;
}

static int read_extended(struct tar_reader *r, uint64_t size, bool wanted)
{
	char *bytes;
	int ret;

	if (size > EXTENDED_BYTES_MAX)
		return -EBADMSG;
	bytes = calloc(1, size + 1);
	if (!bytes)
		return -ENOMEM;
	ret = get(r, bytes, size);
	if (!ret)
		ret = skip(r, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
	if (!ret && wanted)
		ret = read_records(r, bytes, bytes + size);
	free(bytes);
	return ret;
}

static enum tar_kind kind_of(char type)
{
	return type == TAR_TYPE_FILE || !type ? TAR_FILE :
	       type == TAR_TYPE_LINK	      ? TAR_LINK :
	       type == TAR_TYPE_FOLDER	      ? TAR_FOLDER :
						TAR_OTHER;
}

static void add_field(struct buf *out, const char *field, size_t size)
{
	buf_add(out, field, strnlen(field, size));
}

static int set_entry(struct tar_reader *r, const struct tar_header *h, uint64_t size,
		     struct tar_entry *ret)
{
	uint64_t mode;

	if (!r->name.len && h->prefix[0]) {
		add_field(&r->name, h->prefix, sizeof(h->prefix));
		buf_add_char(&r->name, '/');
		add_field(&r->name, h->name, sizeof(h->name));
	} else if (!r->name.len) {
		add_field(&r->name, h->name, sizeof(h->name));
	}
	if (!r->target.len)
		add_field(&r->target, h->target, sizeof(h->target));
	if (read_octal(h->mode, sizeof(h->mode), &mode))
		return -EBADMSG;
	*ret = (struct tar_entry){ .kind = kind_of(h->type),
				   .name = buf_str(&r->name),
				   .target = buf_str(&r->target),
				   .mode = (mode_t)(mode & 0777) };
	if (ret->kind == TAR_FILE || ret->kind == TAR_OTHER) {
		ret->size = r->has_size ? r->size : size;
		r->left = ret->size;
		r->padding = (TAR_BLOCK - ret->size % TAR_BLOCK) % TAR_BLOCK;
	}
	return r->name.err || r->target.err ? -ENOMEM : 0;
}

int tar_next(struct tar_reader *r, struct tar_entry *ret)
{
	static const struct tar_header zeros;
	struct tar_header h;
	uint64_t size;
	int error = skip(r, r->left);

	if (!error)
		error = skip(r, r->padding);
	r->left = r->padding = 0;
	buf_clear(&r->name);
	buf_clear(&r->target);
	r->has_size = false;
	while (!error) {
		error = get(r, &h, sizeof(h));
		if (error)
			break;
		if (!memcmp(&h, &zeros, sizeof(h)))
			return 1;
		if (check_sum(&h) || memcmp(h.magic, "ustar", 5) ||
		    read_octal(h.size, sizeof(h.size), &size))
			return -EBADMSG;
		if (h.type != TAR_TYPE_PAX && h.type != TAR_TYPE_GLOBAL)
			return set_entry(r, &h, size, ret);
		error = read_extended(r, size, h.type == TAR_TYPE_PAX);
	}
	return error;
}

ssize_t tar_read(struct tar_reader *r, void *bytes, size_t n)
{
	int ret;

	if (n > r->left)
		n = (size_t)r->left;
	ret = n ? get(r, bytes, n) : 0;
	if (ret)
		return ret;
	r->left -= n;
	return (ssize_t)n;
}
