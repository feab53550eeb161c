/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PERF_RECORD_SAMPLE: fields in fixed order, each present if its bit of sample_type is set. */
#include <errno.h>
#include <string.h>
#include "data/read/reader_private.h"

#define BRANCH_ENTRY_BYTES 24
#define READ_FIELDS	   (PERF_FORMAT_ID | PTUI_FORMAT_LOST)

/* The event of a sample; PTUI_NONE: its id is not in the header. */
static uint32_t event_of(const struct data_file *f, const struct data_record *rec,
			 struct sample_scratch *scratch)
{
	int pos = f->events.common.id_pos;
	struct cursor c;
	uint32_t event;
	uint64_t id;

	if (f->events.n == 1)
		return 0;
	if (pos < 0 || rec->body_bytes < ((uint32_t)pos + 1) * 8)
		return PTUI_NONE;
	cursor_init(&c, rec->body + (uint32_t)pos * 8, 8, f->swap);
	id = cursor_u64(&c);
	if (!id)
		return f->events.n ? 0 : PTUI_NONE;
	if (scratch->known[id % SAMPLE_IDS_KNOWN].id == id)
		return scratch->known[id % SAMPLE_IDS_KNOWN].event;
	event = event_table_find(&f->events, id);
	if (event != PTUI_NONE) {
		scratch->known[id % SAMPLE_IDS_KNOWN].id = id;
		scratch->known[id % SAMPLE_IDS_KNOWN].event = event;
	}
	return event;
}

/*
 * n words in host byte order: in place if possible, else copied to the scratch buffer, which is as
 * large as the largest record.
 */
static const uint64_t *get_words(struct cursor *c, uint64_t n, struct sample_scratch *scratch)
{
	const uint8_t *at;
	uint64_t *to;

	if (n > cursor_left(c) / 8) {
		c->bad = true;
		return NULL;
	}
	at = cursor_bytes(c, n * 8);
	if (!c->swap && (uintptr_t)at % sizeof(uint64_t) == 0)
		return (const uint64_t *)(const void *)at;
	to = scratch->words + scratch->used;
	memcpy(to, at, n * 8);
	for (size_t i = 0; c->swap && i < n; i++)
		to[i] = bswap_64(to[i]);
	scratch->used += n;
	return to;
}

/*
 *   alone:  value [enabled] [running] [id] [lost]
 *   group:  n [enabled] [running]  { value [id] [lost] } × n
 */
static void decode_read(struct cursor *c, const struct data_event *ev,
			struct sample_scratch *scratch, struct data_sample *s)
{
	uint64_t format = ev->read_format, *pairs = scratch->words + scratch->used;
	unsigned each = 1 + (unsigned)__builtin_popcountll(format & READ_FIELDS);
	bool group = format & PERF_FORMAT_GROUP;
	uint64_t n = 1, value = 0;

	if (group)
		n = cursor_u64(c);
	else
		value = cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		s->read_enabled_ns = cursor_u64(c);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		s->read_running_ns = cursor_u64(c);
	if (!group) {
		s->read_value = pairs[0] = value;
		if (format & PERF_FORMAT_ID) {
			pairs[1] = cursor_u64(c);
			s->reads = pairs;
			s->n_reads = 1;
			scratch->used += 2;
			each--;
		}
		cursor_bytes(c, 8 * (each - 1));
		return;
	}
	if (n > cursor_left(c) / (8 * each)) {
		c->bad = true;
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t id = 0, lost = 0;

		value = cursor_u64(c);
		if (format & PERF_FORMAT_ID)
			id = cursor_u64(c);
		if (format & PTUI_FORMAT_LOST)
			lost = cursor_u64(c);
		if (!i || (id && id == s->id))
			s->read_value = value;
		if (format & PERF_FORMAT_ID) { /* the buffer has room for all three */
			pairs[2 * i] = value;
			pairs[2 * i + 1] = id;
			if (format & PTUI_FORMAT_LOST)
				pairs[2 * n + i] = lost;
		}
	}
	if (format & PERF_FORMAT_ID) {
		s->reads = pairs;
		s->n_reads = (uint32_t)n;
		s->reads_lost = format & PTUI_FORMAT_LOST ? pairs + 2 * n : NULL;
		scratch->used += (format & PTUI_FORMAT_LOST ? 3 : 2) * n;
	}
}

static void decode_branches(struct cursor *c, const struct data_event *ev, struct data_sample *s)
{
	uint64_t n = cursor_u64(c);

	if (ev->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		s->branch_hw_index = cursor_u64(c);
	if (n > cursor_left(c) / BRANCH_ENTRY_BYTES) {
		c->bad = true;
		return;
	}
	s->n_branches = n;
	s->branches = cursor_bytes(c, n * BRANCH_ENTRY_BYTES);
	if (ev->branch_sample_type & PTUI_BRANCH_COUNTERS)
		s->branch_counters = cursor_bytes(c, n * 8);
}

static void decode_stack(struct cursor *c, struct data_sample *s)
{
	uint64_t size = cursor_u64(c);

	if (size > cursor_left(c)) {
		c->bad = true;
		return;
	}
	s->stack_user_bytes = size;
	if (!size)
		return;
	s->stack_user = cursor_bytes(c, size);
	s->stack_user_dyn_bytes = cursor_u64(c);
	if (s->stack_user_dyn_bytes > size)
		s->stack_user_dyn_bytes = size;
}

/* ---- the fields of nearly every sample ---- */

/* A word each. */
#define HEAD_FIELDS                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |  \
	 PERF_SAMPLE_PERIOD)

static inline uint64_t head_u64(const uint8_t **p, bool swap)
{
	uint64_t v;

	memcpy(&v, *p, sizeof(v));
	*p += sizeof(v);
	return swap ? bswap_64(v) : v;
}

static inline uint32_t head_u32(const uint8_t **p, bool swap)
{
	uint32_t v;

	memcpy(&v, *p, sizeof(v));
	*p += sizeof(v);
	return swap ? bswap_32(v) : v;
}

/* All of them are there. Inlined for each byte order. */
static inline void decode_head(const uint8_t *p, uint64_t type, bool swap, struct data_sample *s)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = head_u64(&p, swap);
	if (type & PERF_SAMPLE_IP)
		s->ip = head_u64(&p, swap);
	if (type & PERF_SAMPLE_TID) {
		s->pid = (int32_t)head_u32(&p, swap);
		s->tid = (int32_t)head_u32(&p, swap);
	}
	if (type & PERF_SAMPLE_TIME)
		s->time_ns = head_u64(&p, swap);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = head_u64(&p, swap);
	if (type & PERF_SAMPLE_ID)
		s->id = head_u64(&p, swap);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = head_u64(&p, swap);
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = head_u32(&p, swap);
		p += sizeof(uint32_t);
	}
	if (type & PERF_SAMPLE_PERIOD)
		s->period = head_u64(&p, swap);
}

/* What follows from the fields of an event alone; most samples are of the event before. */
static void find_shape(struct sample_scratch *scratch, uint64_t type)
{
	const uint64_t ids = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID;

	scratch->type = type;
	scratch->head_bytes = sizeof(uint64_t) * (size_t)__builtin_popcountll(type & HEAD_FIELDS);
	scratch->has = (type & ids ? DATA_HAS_ID : 0U) |
		       (type & PERF_SAMPLE_TID ? DATA_HAS_TID : 0U) |
		       (type & PERF_SAMPLE_TIME ? DATA_HAS_TIME : 0U) |
		       (type & PERF_SAMPLE_STREAM_ID ? DATA_HAS_STREAM : 0U) |
		       (type & PERF_SAMPLE_CPU ? DATA_HAS_CPU : 0U);
}

static void decode_regs(struct cursor *c, uint64_t mask, struct sample_scratch *scratch,
			uint64_t *ret_abi, const uint64_t **ret_regs)
{
	*ret_abi = cursor_u64(c);
	if (*ret_abi)
		*ret_regs = get_words(c, (uint64_t)__builtin_popcountll(mask), scratch);
}

static void decode_body(struct cursor *c, const struct data_event *ev, uint64_t type,
			struct sample_scratch *scratch, struct data_sample *s)
{
	if (type & PERF_SAMPLE_READ)
		decode_read(c, ev, scratch, s);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		uint64_t n = cursor_u64(c);

		s->chain = get_words(c, n, scratch);
		s->n_chain = s->chain ? (uint32_t)n : 0;
	}
	if (type & PERF_SAMPLE_RAW) {
		s->raw_bytes = cursor_u32(c);
		s->raw = cursor_bytes(c, s->raw_bytes);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		decode_branches(c, ev, s);
	if (type & PERF_SAMPLE_REGS_USER) {
		s->regs_user_mask = ev->regs_user;
		decode_regs(c, ev->regs_user, scratch, &s->regs_user_abi, &s->regs_user);
	}
	if (type & PERF_SAMPLE_STACK_USER)
		decode_stack(c, s);
}

/* Written as one number, so its parts are at the same bits in either byte order. */
static void decode_weights(struct cursor *c, struct data_sample *s)
{
	uint64_t all = cursor_u64(c);

	s->weight = all & UINT32_MAX;
	s->latency[0] = (uint16_t)(all >> 32);
	s->latency[1] = (uint16_t)(all >> 48);
}

static void decode_tail(struct cursor *c, const struct data_event *ev, uint64_t type,
			struct sample_scratch *scratch, struct data_sample *s)
{
	if (type & PERF_SAMPLE_WEIGHT)
		s->weight = cursor_u64(c);
	else if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		decode_weights(c, s);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cursor_u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = cursor_u64(c);
	if (type & PERF_SAMPLE_REGS_INTR) {
		s->regs_intr_mask = ev->regs_intr;
		decode_regs(c, ev->regs_intr, scratch, &s->regs_intr_abi, &s->regs_intr);
	}
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor_u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor_u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor_u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor_u64(c);
	if (type & PERF_SAMPLE_AUX) {
		s->aux_bytes = cursor_u64(c);
		s->aux = cursor_bytes(c, s->aux_bytes);
	}
}

/* Fields that most samples lack are skipped by two tests instead of twenty. */
#define BODY_FIELDS                                                                              \
	(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | \
	 PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define TAIL_FIELDS                                                                     \
	(PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC |        \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR |      \
	 PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | \
	 PERF_SAMPLE_AUX)

/* The compiler would clear it by a string instruction, which takes longer to start than this. */
static void clear_sample(struct data_sample *s)
{
	size_t n = sizeof(*s);

	__asm__("" : "+r"(n)); /* unknown to it: a call of memset() */
	memset(s, 0, n);
}

/* Nothing of a guest is looked up among the files and the kernel of the host. */
static void set_guest(struct sample_scratch *scratch, struct data_sample *s)
{
	unsigned mode = s->misc & DATA_CPUMODE_MASK;
	uint64_t *words = scratch->words + scratch->used;

	if (mode != DATA_MODE_GUEST_KERNEL && mode != DATA_MODE_GUEST_USER)
		s->misc = (uint16_t)((s->misc & ~DATA_CPUMODE_MASK) |
				     (mode == DATA_MODE_USER ? DATA_MODE_GUEST_USER :
							       DATA_MODE_GUEST_KERNEL));
	for (uint32_t i = 0; i < s->n_chain; i++)
		words[i] = s->chain[i] == (uint64_t)PERF_CONTEXT_KERNEL ?
				   (uint64_t)PERF_CONTEXT_GUEST_KERNEL :
			   s->chain[i] == (uint64_t)PERF_CONTEXT_USER ?
				   (uint64_t)PERF_CONTEXT_GUEST_USER :
				   s->chain[i];
	if (!s->n_chain)
		return;
	s->chain = words;
	scratch->used += s->n_chain;
}

int sample_decode(const struct data_file *f, const struct data_record *rec,
		  struct sample_scratch *scratch, struct data_sample *s)
{
	const struct data_event *ev;
	const uint8_t *head;
	struct cursor c;
	uint64_t type;

	clear_sample(s);
	scratch->used = 0;
	s->misc = rec->misc;
	s->event = event_of(f, rec, scratch);
	if (s->event == PTUI_NONE)
		return 0; /* unknown event, unknown fields */
	ev = &f->events.v[s->event]->ev;
	type = ev->sample_type;
	s->present = type;
	cursor_init(&c, rec->body, rec->body_bytes, f->swap);
	if (type != scratch->type)
		find_shape(scratch, type);
	head = cursor_bytes(&c, scratch->head_bytes);
	if (!head)
		return -EBADMSG;
	s->has = scratch->has;
	s->period = ev->sample_period; /* unless each has its own */
	if (f->swap)
		decode_head(head, type, true, s);
	else
		decode_head(head, type, false, s);
	if (type & BODY_FIELDS)
		decode_body(&c, ev, type, scratch, s);
	if (type & TAIL_FIELDS)
		decode_tail(&c, ev, type, scratch, s);
	if (f->events.n_guests && data_guest_of_id(f, s->id, &s->guest))
		set_guest(scratch, s);
	return c.bad ? -EBADMSG : 0;
}

int sample_time(const struct data_file *f, const struct data_record *rec,
		struct sample_scratch *scratch, uint64_t *ret_time)
{
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	uint32_t event = event_of(f, rec, scratch), at;
	struct cursor c;
	uint64_t type;

	*ret_time = 0;
	if (event == PTUI_NONE)
		return 0;
	type = f->events.v[event]->ev.sample_type;
	at = 8 * (uint32_t)__builtin_popcountll(type & before);
	if (!(type & PERF_SAMPLE_TIME))
		return 0;
	if (rec->body_bytes < at + 8)
		return -EBADMSG;
	cursor_init(&c, rec->body + at, 8, f->swap);
	*ret_time = cursor_u64(&c);
	return 0;
}
