/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * AUXTRACE records, and their index in the header. A record is followed by its data, which is not part
 * of it, since header.size has only 16 bits:
 *
 *	[ header | u64 bytes, off, reference | u32 idx, tid, cpu, 0 ][ data, `bytes` of them ]
 *
 * The index (PTUI_FEAT_AUXTRACE) has the place of each: u64 n, { u64 file offset, u64 size } × n.
 */
#include <errno.h>
#include "data/read/reader_private.h"

#define ENTRY_BYTES 16
#define BODY_BYTES  40

int auxtrace_decode(const struct data_file *f, const uint8_t *body, size_t n,
		    struct data_auxtrace *ret)
{
	struct cursor c;

	cursor_init(&c, body, n, f->swap);
	ret->bytes = cursor_u64(&c);
	ret->off = cursor_u64(&c);
	ret->reference = cursor_u64(&c);
	ret->idx = cursor_u32(&c);
	ret->tid = (int32_t)cursor_u32(&c);
	ret->cpu = (int32_t)cursor_u32(&c);
	return c.bad ? -EBADMSG : 0;
}

uint64_t auxtrace_whole_bytes(struct window *win, bool swap, uint64_t off,
			      const struct record_head *h)
{
	const size_t want = DATA_RECORD_HEADER_BYTES + 8;
	const uint8_t *at;
	struct cursor c;
	uint64_t bytes;
	size_t n = 0;
	int ret = 0;

	if (h->type != PTUI_RECORD_AUXTRACE)
		return h->size;
	at = h->size < want ? NULL : window_at(win, off, want, &n, &ret);
	if (!at || n < want)
		return 0;
	cursor_init(&c, at + DATA_RECORD_HEADER_BYTES, 8, swap);
	bytes = cursor_u64(&c);
	return bytes > UINT64_MAX - h->size ? 0 : bytes + h->size;
}

const char *data_auxtrace_name(uint32_t type)
{
	static const char *const names[] = {
		[PTUI_AUXTRACE_INTEL_PT] = "Intel PT",	 [PTUI_AUXTRACE_INTEL_BTS] = "Intel BTS",
		[PTUI_AUXTRACE_CS_ETM] = "CoreSight",	 [PTUI_AUXTRACE_ARM_SPE] = "Arm SPE",
		[PTUI_AUXTRACE_S390_CPUMSF] = "CPU-MSF", [PTUI_AUXTRACE_HISI_PTT] = "HiSilicon PTT",
	};

	return type < sizeof(names) / sizeof(*names) ? names[type] : NULL;
}

int data_auxtrace_at(const struct data_file *f, size_t i, struct data_auxtrace *ret)
{
	uint8_t bytes[DATA_RECORD_HEADER_BYTES + BODY_BYTES];
	size_t n = 0;
	const uint8_t *index = data_feature(f, PTUI_FEAT_AUXTRACE, &n);
	struct record_head h;
	struct cursor c;
	uint64_t off;
	ssize_t got;

	if (!index || n < 8 || i >= (n - 8) / ENTRY_BYTES || i >= data_word(index, 0, f->swap))
		return 1;
	cursor_init(&c, index + 8 + i * ENTRY_BYTES, ENTRY_BYTES, f->swap);
	off = cursor_u64(&c);
	got = source_read((struct source *)(uintptr_t)&f->src, off, bytes, sizeof(bytes),
			  sizeof(bytes));
	if (got < (ssize_t)sizeof(bytes))
		return -EBADMSG;
	h = record_decode_head(bytes, f->swap);
	if (h.type != PTUI_RECORD_AUXTRACE || h.size != cursor_u64(&c))
		return -EBADMSG;
	return auxtrace_decode(f, bytes + DATA_RECORD_HEADER_BYTES, BODY_BYTES, ret);
}
