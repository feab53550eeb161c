/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of tracepoints from TRACING_DATA, for files that have them nowhere else:
 *
 *   magic "tracing" version\0 | u8 big-endian | u8 sizeof(long) | u32 page size
 *   "header_page\0"  u64 n, bytes      "header_event\0"  u64 n, bytes
 *   u32 n of ftrace's own formats:     { u64 n, bytes }
 *   u32 n of systems:                  { name\0, u32 n of formats: { u64 n, bytes } }
 *   … kallsyms, printk formats, comms
 */
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/cursor.h"
#include "data/read/event_table.h"
#include "data/read/reader_private.h"

#define MAGIC_BYTES 10

static const char *read_sized(struct cursor *c, size_t *ret_n)
{
	uint64_t n = cursor_u64(c);

	*ret_n = 0;
	if (n > cursor_left(c)) {
		c->bad = true;
		return NULL;
	}
	*ret_n = n;
	return cursor_bytes(c, n);
}

/* The value of a line "key: value", and its length. */
static const char *line_value(const char *text, size_t n, const char *key, size_t *ret_n)
{
	size_t key_n = strlen(key);
	const char *end = text + n;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));

		if (!eol)
			eol = end;
		if ((size_t)(eol - text) > key_n && !memcmp(text, key, key_n)) {
			*ret_n = (size_t)(eol - text) - key_n;
			return text + key_n;
		}
		text = eol < end ? eol + 1 : end;
	}
	return NULL;
}

static int name_events(struct event_table *events, const char *sys, const char *text, size_t n)
{
	size_t name_n, id_n;
	const char *name = line_value(text, n, "name: ", &name_n);
	const char *id = line_value(text, n, "ID: ", &id_n);
	struct buf full = BUF_INIT;
	char digits[24] = "";
	uint64_t config;
	int ret = 0;

	if (!name || !id || id_n >= sizeof(digits))
		return 0;
	memcpy(digits, id, id_n);
	config = strtoull(digits, NULL, 10);
	for (size_t i = 0; i < events->n && !ret; i++) {
		const struct data_event_slot *e = events->v[i];

		if (e->ev.type != PERF_TYPE_TRACEPOINT || e->ev.config != config ||
		    e->named_by_file)
			continue;
		buf_clear(&full);
		buf_addf(&full, "%s:%.*s", sys, (int)name_n, name);
		ret = full.err ? full.err :
				 event_table_name(events, (uint32_t)i, full.data, full.len);
	}
	buf_release(&full);
	return ret;
}

static int read_formats(struct event_table *events, struct cursor *c, const char *sys)
{
	uint32_t n = cursor_u32(c);
	int ret = 0;

	for (uint32_t i = 0; i < n && !c->bad && !ret; i++) {
		size_t bytes;
		const char *text = read_sized(c, &bytes);

		if (text)
			ret = name_events(events, sys, text, bytes);
	}
	return ret;
}

int tracepoint_names_read(struct event_table *events, const void *bytes, size_t n)
{
	uint32_t systems;
	struct cursor c;
	size_t skipped;
	uint8_t big;
	int ret;

	cursor_init(&c, bytes, n, false);
	cursor_bytes(&c, MAGIC_BYTES);
	cursor_cstr(&c);
	big = cursor_u8(&c);
	c.swap = (big != 0) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	cursor_bytes(&c, 1 + 4);
	cursor_cstr(&c);
	read_sized(&c, &skipped);
	cursor_cstr(&c);
	read_sized(&c, &skipped);
	ret = read_formats(events, &c, "ftrace");
	systems = cursor_u32(&c);
	for (uint32_t i = 0; i < systems && !c.bad && !ret; i++) {
		const char *sys = cursor_cstr(&c);

		if (!c.bad)
			ret = read_formats(events, &c, sys);
	}
	return ret;
}
