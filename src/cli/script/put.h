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

/* The same for up to 16 characters: so many are written whatever their number. */
static inline char *put_pad(char *p, char c, size_t n)
{
	const uint64_t pad = 0x0101010101010101 * (uint64_t)(unsigned char)c;

	memcpy(p, &pad, sizeof(pad));
	memcpy(p + sizeof(pad), &pad, sizeof(pad));
	return p + n;
}

/* The last n of eight digits, which are bytes from the lowest one on; writes eight bytes. */
static inline char *put_last_digits(char *p, uint64_t digits, size_t n)
{
	digits = htole64(digits >> (64 - 8 * n));
	memcpy(p, &digits, sizeof(digits));
	return p + n;
}

#define PUT_TEN_8 100000000u

/* Eight decimal digits, as bytes from the lowest one on, of which none is looked at alone; no characters yet. */
static inline uint64_t put_digits(uint32_t v)
{
	uint64_t x = v / 10000 | (uint64_t)(v % 10000) << 32;
	uint64_t high = (x * 10486 >> 20) & 0x0000007f0000007f; /* by 100 */

	x = high | (x - 100 * high) << 16;
	high = (x * 103 >> 10) & 0x000f000f000f000f; /* by 10 */
	return high | (x - 10 * high) << 8;
}

/* %*lu with spaces, or zeros, before it; writes up to 24 bytes whatever the width, which is 16 at most. */
static inline char *put_padded(char *p, uint64_t v, size_t width, char pad)
{
	const uint64_t zeros = 0x3030303030303030;
	uint64_t digits = put_digits((uint32_t)(v % PUT_TEN_8));
	size_t n = 8;

	if (v >= PUT_TEN_8) {
		p = put_padded(p, v / PUT_TEN_8, width > 8 ? width - 8 : 0, pad);
	} else {
		n -= (size_t)__builtin_ctzll(digits | (uint64_t)1 << 56) / 8;
		if (n < width)
			p = put_pad(p, pad, width - n);
	}
	return put_last_digits(p, digits + zeros, n);
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

/* The two hexadecimal digits of a byte, the first one lowest. */
static const uint16_t put_hex_pairs[256] = {
#define DIGIT(n) ((n) < 10 ? '0' + (n) : 'a' - 10 + (n))
#define PAIR(n)	 (DIGIT((n) / 16) | DIGIT((n) % 16) << 8)
#define PAIRS(n) PAIR(n), PAIR((n) + 1), PAIR((n) + 2), PAIR((n) + 3)
#define ROW(n)	 PAIRS(n), PAIRS((n) + 4), PAIRS((n) + 8), PAIRS((n) + 12)
	ROW(0x00), ROW(0x10), ROW(0x20), ROW(0x30), ROW(0x40), ROW(0x50), ROW(0x60), ROW(0x70),
	ROW(0x80), ROW(0x90), ROW(0xa0), ROW(0xb0), ROW(0xc0), ROW(0xd0), ROW(0xe0), ROW(0xf0),
#undef ROW
#undef PAIRS
#undef PAIR
#undef DIGIT
};

/* Eight hexadecimal digits, as bytes from the lowest one on. */
static inline uint64_t put_hex_digits(uint32_t v)
{
	return put_hex_pairs[v >> 24] | (uint64_t)put_hex_pairs[v >> 16 & 0xff] << 16 |
	       (uint64_t)put_hex_pairs[v >> 8 & 0xff] << 32 |
	       (uint64_t)put_hex_pairs[v & 0xff] << 48;
}

/* Digits of a number; 1 for 0. */
static inline size_t put_hex_count(uint32_t v)
{
	return (size_t)(35 - __builtin_clz(v | 1)) / 4;
}

/* %16lx */
static inline char *put_hex_16(char *p, uint64_t v)
{
	const uint64_t spaces = 0x2020202020202020, to_space = 0x1010101010101010;
	uint32_t high = (uint32_t)(v >> 32), first = high ? high : (uint32_t)v;
	size_t n = put_hex_count(first);
	/* the zeros before the first digit become spaces */
	uint64_t digits = put_hex_digits(first) ^ to_space >> (8 * n - 8) >> 8, low = digits;

	if (high)
		low = put_hex_digits((uint32_t)v);
	else
		digits = spaces;
	digits = htole64(digits);
	low = htole64(low);
	memcpy(p, &digits, sizeof(digits));
	memcpy(p + sizeof(digits), &low, sizeof(low));
	return p + 16;
}

/* %lx; writes up to 16 bytes */
static inline char *put_hex(char *p, uint64_t v)
{
	uint32_t high = (uint32_t)(v >> 32);

	if (!high)
		return put_last_digits(p, put_hex_digits((uint32_t)v), put_hex_count((uint32_t)v));
	p = put_last_digits(p, put_hex_digits(high), put_hex_count(high));
	return put_last_digits(p, put_hex_digits((uint32_t)v), 8);
}

#endif
