/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text written straight into a buffer, without printf(): the output of a large recording is
 * gigabytes. Every function returns the end of what it wrote; room for it is the caller's affair.
 */
#ifndef CLI_SCRIPT_PUT_H
#define CLI_SCRIPT_PUT_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PUT_NUMBER_MAX 24 /* bytes of a number, if its width is less */
#define PUT_PIECE      32

static inline char *put_text(char *p, const char *text, size_t n)
{
	memcpy(p, text, n);
	return p + n;
}

/* Copies in pieces of a constant size, which need no call; both sides have room after them. */
static inline char *put_line(char *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i += PUT_PIECE)
		memcpy(p + i, text + i, PUT_PIECE);
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

/* Eight hexadecimal digits, as bytes from the lowest one on, of which none is looked at alone. */
static inline uint64_t put_hex_digits(uint32_t v)
{
	uint64_t x = __builtin_bswap32(v), above_nine;

	x = (x | x << 16) & 0x0000ffff0000ffff;
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x >> 4 & 0x000f000f000f000f) | (x & 0x000f000f000f000f) << 8;
	above_nine = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	return x + 0x3030303030303030 + above_nine * ('a' - '0' - 10);
}

/* 16 hexadecimal digits, of which all but the last n become spaces. */
static inline char *put_hex_padded(char *p, const uint64_t digits[2], size_t n)
{
	static const uint64_t to_space[4] = { 0x1010101010101010, 0x1010101010101010 };
	uint64_t mask[2];

	memcpy(mask, (const char *)to_space + n, sizeof(mask));
	mask[0] ^= digits[0];
	mask[1] ^= digits[1];
	memcpy(p, mask, sizeof(mask));
	return p + sizeof(mask);
}

/* %*lx; writes up to 16 bytes whatever the width */
static inline char *put_hex(char *p, uint64_t v, size_t width)
{
	size_t n = v ? (size_t)(67 - __builtin_clzll(v)) / 4 : 1;
	uint64_t digits[2] = { htole64(put_hex_digits((uint32_t)(v >> 32))),
			       htole64(put_hex_digits((uint32_t)v)) };

	if (width == 16) /* known to the compiler */
		return put_hex_padded(p, digits, n);
	if (n < width)
		p = put_fill(p, ' ', width - n);
	return put_text(p, (const char *)digits + 16 - n, n);
}

#endif
