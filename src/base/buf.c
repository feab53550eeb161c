/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `cap` includes the NUL, so len < cap if there is memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"

#define BUF_MIN_BYTES 64

void buf_init(struct buf *b)
{
	*b = (struct buf)BUF_INIT;
}

void buf_release(struct buf *b)
{
	free(b->data);
	buf_init(b);
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->err = 0;
	if (b->data)
		b->data[0] = '\0';
}

/* Makes room for n more bytes and the NUL. Returns the place, or NULL with the error set. */
static char *make_room(struct buf *b, size_t n)
{
	size_t need, cap;
	char *data;

	if (b->err)
		return NULL;
	if (n >= PTRDIFF_MAX - b->len)
		goto nomem;
	need = b->len + n + 1;
	if (need > b->cap) {
		cap = b->cap <= PTRDIFF_MAX / 2 ? b->cap * 2 : PTRDIFF_MAX;
		if (cap < BUF_MIN_BYTES)
			cap = BUF_MIN_BYTES;
		if (cap < need)
			cap = need;
		data = realloc(b->data, cap);
		if (!data)
			goto nomem;
		b->data = data;
		b->cap = cap;
	}
	return b->data + b->len;
nomem:
	b->err = -ENOMEM;
	return NULL;
}

static void commit(struct buf *b, size_t n)
{
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
	char *at = make_room(b, n);

	if (!at)
		return;
	if (n)
		memcpy(at, bytes, n);
	commit(b, n);
}

char *buf_reserve(struct buf *b, size_t n)
{
	return make_room(b, n);
}

void buf_added(struct buf *b, size_t n)
{
	commit(b, n);
}

static void add_repeated(struct buf *b, char c, size_t n)
{
	char *at = make_room(b, n);

	if (!at)
		return;
	memset(at, c, n);
	commit(b, n);
}

void buf_add_zeros(struct buf *b, size_t n)
{
	add_repeated(b, 0, n);
}

void buf_add_spaces(struct buf *b, size_t n)
{
	add_repeated(b, ' ', n);
}

void buf_add_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_add_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	char *at = make_room(b, 0);
	va_list again;
	int n;

	if (!at)
		return;
	va_copy(again, ap);
	n = vsnprintf(at, b->cap - b->len, fmt, ap);
	if (n < 0) {
		b->err = -errno;
		b->data[b->len] = '\0';
		goto out;
	}
	if ((size_t)n >= b->cap - b->len) {
		*at = '\0'; /* leave no partial text without memory */
		at = make_room(b, n);
		if (!at)
			goto out;
		vsnprintf(at, (size_t)n + 1, fmt, again);
	}
	commit(b, n);
out:
	va_end(again);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void buf_add_u8(struct buf *b, uint8_t v)
{
	buf_add(b, &v, sizeof(v));
}

void buf_add_u16(struct buf *b, uint16_t v)
{
	buf_add(b, &v, sizeof(v));
}

void buf_add_u32(struct buf *b, uint32_t v)
{
	buf_add(b, &v, sizeof(v));
}

void buf_add_u64(struct buf *b, uint64_t v)
{
	buf_add(b, &v, sizeof(v));
}

void buf_align(struct buf *b, size_t align)
{
	size_t pad = (0 - b->len) & (align - 1);

	if (pad)
		buf_add_zeros(b, pad);
}

const char *buf_str(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *buf_take(struct buf *b)
{
	char *data = b->data;

	if (b->err) {
		int err = b->err; /* kept */

		buf_release(b);
		b->err = err;
		return NULL;
	}
	buf_init(b);
	return data;
}

int buf_replace(struct buf *b, char **text)
{
	char *taken = buf_take(b);

	buf_release(b);
	if (!taken)
		return -ENOMEM;
	free(*text);
	*text = taken;
	return 0;
}
