/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte buffer and string builder. Errors stick: after a failed allocation adding does
 * nothing and `err` is -ENOMEM, so one check at the end is enough.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include "base/banned.h"
#include "ptui/types.h"

struct buf {
	char *data; /* NUL-terminated after the first add; NULL before */
	size_t len;
	size_t cap;
	int err;
};

#define BUF_INIT              \
	{                     \
		NULL, 0, 0, 0 \
	}

void buf_init(struct buf *b);
void buf_release(struct buf *b);
void buf_clear(struct buf *b); /* keeps the memory, clears the error */
void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_add_zeros(struct buf *b, size_t n);
void buf_add_spaces(struct buf *b, size_t n);
void buf_add_str(struct buf *b, const char *s);
void buf_add_char(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) PTUI_PRINTF(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) PTUI_PRINTF(2, 0);
void buf_add_u8(struct buf *b, uint8_t v);
void buf_add_u16(struct buf *b, uint16_t v);
void buf_add_u32(struct buf *b, uint32_t v); /* host byte order */
void buf_add_u64(struct buf *b, uint64_t v);
/*
 * A place for up to n bytes, which buf_added() then adds; until then the buffer has no NUL at its end.
 * NULL: out of memory.
 */
char *buf_reserve(struct buf *b, size_t n);
void buf_added(struct buf *b, size_t n);
/* Pads with zeros to a multiple of `align` (a power of two). */
void buf_align(struct buf *b, size_t align);
/* Never NULL; "" if empty. Borrowed until the next add. */
const char *buf_str(const struct buf *b);
/* Returns the memory, to be freed by the caller; NULL after an error or if nothing was added. */
char *buf_take(struct buf *b);
/*
 * Moves the text to *text, whose old text is freed, and releases the buffer. 0, or -ENOMEM (an error, or
 * nothing was added): *text is unchanged.
 */
int buf_replace(struct buf *b, char **text);

#endif
