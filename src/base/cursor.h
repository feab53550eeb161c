/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds-checked reading of foreign bytes. A read past the end returns 0 and sets `bad`, so that a
 * decoder reads all fields and checks once.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *p;
	const uint8_t *end;
	bool swap; /* the bytes are in the other byte order */
	bool bad;  /* a read went past the end */
};

static inline void cursor_init(struct cursor *c, const void *bytes, size_t n, bool swap)
{
	c->p = bytes;
	c->end = c->p + n;
	c->swap = swap;
	c->bad = false;
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* The next n bytes, borrowed; NULL and `bad` if there are fewer. */
static inline const void *cursor_bytes(struct cursor *c, size_t n)
{
	const uint8_t *at = c->p;

	if (n > cursor_left(c)) {
		c->bad = true;
		c->p = c->end;
		return NULL;
	}
	c->p += n;
	return at;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *at = cursor_bytes(c, 1);

	return at ? *at : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const void *at = cursor_bytes(c, 2);
	uint16_t v = 0;

	if (at)
		memcpy(&v, at, 2);
	return c->swap ? bswap_16(v) : v;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const void *at = cursor_bytes(c, 4);
	uint32_t v = 0;

	if (at)
		memcpy(&v, at, 4);
	return c->swap ? bswap_32(v) : v;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const void *at = cursor_bytes(c, 8);
	uint64_t v = 0;

	if (at)
		memcpy(&v, at, 8);
	return c->swap ? bswap_64(v) : v;
}

/*
 * A string within the next n bytes; moves past all n. NULL and `bad` if there are fewer than n
 * bytes or no NUL among them.
 */
static inline const char *cursor_str(struct cursor *c, size_t n)
{
	const char *at = cursor_bytes(c, n);

	if (!at || !n || !memchr(at, 0, n)) {
		c->bad = true;
		return NULL;
	}
	return at;
}

/* A string up to its NUL; moves past that. "" and `bad` if there is none. */
static inline const char *cursor_cstr(struct cursor *c)
{
	const char *at = (const char *)c->p;
	size_t n = strnlen(at, cursor_left(c));

	if (n == cursor_left(c)) {
		c->bad = true;
		return "";
	}
	cursor_bytes(c, n + 1);
	return at;
}

#endif
