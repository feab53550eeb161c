/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text written straight into a buffer, without printf(): the output of a large recording is
 * gigabytes. Every function returns the end of what it wrote; room for it is the caller's affair.
 */
#ifndef CLI_SCRIPT_PUT_H
#define CLI_SCRIPT_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PUT_NUMBER_MAX 24 /* bytes of a number, if its width is less */

static inline char *put_text(char *p, const char *text, size_t n)
{
	memcpy(p, text, n);
	return p + n;
}

static inline char *put_str(char *p, const char *text)
{
	return put_text(p, text, strlen(text));
}

static inline char *put_fill(char *p, char c, size_t n)
{
	memset(p, c, n);
	return p + n;
}

/* %*lu with spaces, or zeros, before it. */
static inline char *put_padded(char *p, uint64_t v, size_t width, char pad)
{
	char digits[PUT_NUMBER_MAX];
	size_t at = sizeof(digits), n;

	do
		digits[--at] = (char)('0' + v % 10);
	while (v /= 10);
	n = sizeof(digits) - at;
	if (n < width)
		p = put_fill(p, pad, width - n);
	return put_text(p, digits + at, n);
}

static inline char *put_u64(char *p, uint64_t v, size_t width)
{
	return put_padded(p, v, width, ' ');
}

/* %*d */
static inline char *put_i32(char *p, int32_t v, size_t width)
{
	char *from = p;
	size_t n;

	if (v >= 0)
		return put_u64(p, (uint64_t)v, width);
	*p++ = '-';
	p = put_u64(p, (uint64_t) - (int64_t)v, 0);
	n = (size_t)(p - from);
	if (n < width) {
		memmove(from + (width - n), from, n);
		memset(from, ' ', width - n);
		p = from + width;
	}
	return p;
}

/* %*lx */
static inline char *put_hex(char *p, uint64_t v, size_t width)
{
	size_t n = v ? (size_t)(67 - __builtin_clzll(v)) / 4 : 1;

	if (n < width)
		p = put_fill(p, ' ', width - n);
	for (size_t i = n; i-- > 0; v >>= 4)
		p[i] = "0123456789abcdef"[v & 15];
	return p + n;
}

#endif
