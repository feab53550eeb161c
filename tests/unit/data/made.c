/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/data/made.h"

#include <byteswap.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"

#define HEADER_BYTES 104

void made_init(struct made *m, bool swap, bool pipe)
{
	memset(m, 0, sizeof(*m));
	m->swap = swap;
	m->pipe = pipe;
}

void made_release(struct made *m)
{
	buf_release(&m->out);
}

void made_u8(struct made *m, uint8_t v)
{
	buf_add_u8(&m->out, v);
}

void made_u16(struct made *m, uint16_t v)
{
	buf_add_u16(&m->out, m->swap ? bswap_16(v) : v);
}

void made_u32(struct made *m, uint32_t v)
{
	buf_add_u32(&m->out, m->swap ? bswap_32(v) : v);
}

void made_u64(struct made *m, uint64_t v)
{
	buf_add_u64(&m->out, m->swap ? bswap_64(v) : v);
}

void made_text(struct made *m, const char *text, size_t padded)
{
	size_t n = strlen(text) + 1;

	buf_add(&m->out, text, n);
	buf_add_zeros(&m->out, padded > n ? padded - n : 0);
}

static void put_at(struct made *m, size_t at, uint64_t v, size_t bytes)
{
	uint64_t v64 = m->swap ? bswap_64(v) : v;
	uint32_t v32 = m->swap ? bswap_32((uint32_t)v) : (uint32_t)v;
	uint16_t v16 = m->swap ? bswap_16((uint16_t)v) : (uint16_t)v;
	const void *from = bytes == 8 ? (const void *)&v64 : bytes == 4 ? (const void *)&v32 : &v16;

	memcpy(m->out.data + at, from, bytes);
}

/*
 * Big-endian compilers fill bit-fields from the top: bit n of the flags is the n-th from the left,
 * and of a two-bit field (precise_ip, 15 and 16) the upper bit comes first.
 */
static void put_flags(struct made *m, uint64_t flags)
{
	uint8_t bytes[8] = { 0 };
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != m->swap;

	if (big) {
		uint64_t precise = flags >> 15 & 3;

		flags &= ~(3ULL << 15);
		flags |= (precise >> 1) << 15 | (precise & 1) << 16;
	}
	for (unsigned bit = 0; bit < 64; bit++)
		if (flags >> bit & 1)
			bytes[bit / 8] |= (uint8_t)(big ? 0x80 >> bit % 8 : 1 << bit % 8);
	buf_add(&m->out, bytes, 8);
}

static void put_attr(struct made *m, const struct made_event *e, uint32_t attr_bytes)
{
	size_t at = m->out.len;

	made_u32(m, e->type);
	made_u32(m, attr_bytes);
	made_u64(m, e->config);
	made_u64(m, e->period);
	made_u64(m, e->sample_type);
	made_u64(m, e->read_format);
	put_flags(m, e->flags);
	buf_add_zeros(&m->out, 4 + 4 + 8);
	if (attr_bytes >= 72)
		made_u64(m, 0);
	if (attr_bytes >= 80)
		made_u64(m, e->branch_type);
	if (attr_bytes >= 96) {
		made_u64(m, e->regs_user);
		made_u32(m, e->stack_user);
		made_u32(m, 0);
	}
	if (attr_bytes >= 104)
		made_u64(m, e->regs_intr);
	buf_add_zeros(&m->out, attr_bytes - (m->out.len - at));
}

static void put_magic(struct made *m)
{
	buf_add(&m->out, m->swap ? "2ELIFREP" : "PERFILE2", 8);
}

static void events_of_pipe(struct made *m, const struct made_event *v, size_t n,
			   uint32_t attr_bytes)
{
	put_magic(m);
	made_u64(m, 16);
	m->data_off = m->out.len;
	for (size_t i = 0; i < n; i++) {
		made_begin(m, 64, 0);
		put_attr(m, &v[i], attr_bytes);
		if (v[i].id)
			made_u64(m, v[i].id);
		made_end(m);
	}
}

void made_events(struct made *m, const struct made_event *v, size_t n, uint32_t attr_bytes)
{
	size_t ids_off = HEADER_BYTES + n * (attr_bytes + 16);

	if (m->pipe) {
		events_of_pipe(m, v, n, attr_bytes);
		return;
	}
	put_magic(m);
	made_u64(m, HEADER_BYTES);
	made_u64(m, attr_bytes + 16);
	made_u64(m, HEADER_BYTES);
	made_u64(m, n * (attr_bytes + 16));
	buf_add_zeros(&m->out, HEADER_BYTES - m->out.len);
	for (size_t i = 0; i < n; i++) {
		put_attr(m, &v[i], attr_bytes);
		made_u64(m, ids_off + i * 8);
		made_u64(m, v[i].id ? 8 : 0);
	}
	for (size_t i = 0; i < n; i++)
		made_u64(m, v[i].id);
	m->data_off = m->out.len;
	put_at(m, 40, m->data_off, 8);
}

void made_begin(struct made *m, uint32_t type, uint16_t misc)
{
	m->record = m->out.len;
	made_u32(m, type);
	made_u16(m, misc);
	made_u16(m, 0);
}

void made_end(struct made *m)
{
	put_at(m, m->record + 6, m->out.len - m->record, 2);
}

void made_finish_with(struct made *m, const struct made_feature *v, size_t n)
{
	size_t off = m->out.len + n * 16;

	if (m->pipe)
		return;
	put_at(m, 48, m->out.len - m->data_off, 8);
	for (size_t i = 0; i < n; i++) {
		size_t at = 72 + v[i].bit / 64 * 8;
		uint64_t bits = 0;

		made_u64(m, off);
		made_u64(m, v[i].n);
		off += v[i].n;
		memcpy(&bits, m->out.data + at, 8);
		bits = m->swap ? bswap_64(bits) : bits;
		put_at(m, at, bits | 1ULL << v[i].bit % 64, 8);
	}
	for (size_t i = 0; i < n; i++)
		buf_add(&m->out, v[i].bytes, v[i].n);
}

void made_finish(struct made *m, const char *const *features, unsigned n)
{
	struct made_feature v[PTUI_FEAT_MAX];
	struct made texts = { .swap = m->swap };
	size_t count = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!features[i])
			continue;
		made_u32(&texts, 64);
		made_text(&texts, features[i], 64);
		v[count++] = (struct made_feature){ i, NULL, 4 + 64 };
	}
	for (size_t i = 0; i < count; i++)
		v[i].bytes = texts.out.data + i * (4 + 64);
	made_finish_with(m, v, count);
	made_release(&texts);
}

struct data_file *made_open(const struct made *m)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = data_open_memory(m->out.data, m->out.len, &err, NULL);

	if (!f)
		fail_msg("cannot open what was made: %s", err.text);
	return f;
}
