/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/unwind/short_sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "event/attr.h"

#define HEADER_BYTES (uint32_t)sizeof(struct perf_event_header)
#define BRANCH_BYTES 24u
#define WORD_BYTES   8u
#define DATA	     (PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)

/* ---- the attrs ---- */

void short_samples_init(struct short_samples *s, bool keeps_data, bool keeps_regs, bool no_user)
{
	*s = (struct short_samples){ .keeps_data = keeps_data,
				     .keeps_regs = keeps_regs,
				     .no_user = no_user };
}

void short_samples_release(struct short_samples *s)
{
	free(s->events);
	free(s->ids);
	*s = (struct short_samples){ .events = NULL };
}

/* The data address and source are in all events: perf asks for them with the stack. */
static uint64_t left_out(const struct short_samples *s, uint64_t sample_type)
{
	uint64_t bits = PERF_SAMPLE_STACK_USER;

	if (!s->keeps_data)
		bits |= DATA;
	if (!s->keeps_regs)
		bits |= PERF_SAMPLE_REGS_USER;
	return sample_type & bits;
}

void short_samples_attr(const struct short_samples *s, struct perf_event_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		attr->exclude_callchain_user = s->no_user;
	attr->sample_type &= ~left_out(s, attr->sample_type);
	if (!(attr->sample_type & PERF_SAMPLE_REGS_USER))
		attr->sample_regs_user = 0;
	attr->size = attr_size_min(attr);
}

/* ---- which event a sample is of ---- */

static int id_compare(const void *a, const void *b)
{
	uint64_t x = ((const struct short_id *)a)->id, y = ((const struct short_id *)b)->id;

	return (x > y) - (x < y);
}

static size_t find_id_off(uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		return HEADER_BYTES;
	return HEADER_BYTES + WORD_BYTES * (size_t)__builtin_popcountll(
						   type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							   PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR));
}

static int add_events(struct short_samples *s, size_t n, size_t n_ids)
{
	s->events = calloc(n + 1, sizeof(*s->events));
	s->ids = calloc(n_ids + 1, sizeof(*s->ids));
	s->n_events = n;
	s->n_ids = n_ids;
	return s->events && s->ids ? 0 : -ENOMEM;
}

static void set_event(struct short_samples *s, size_t i, const struct perf_event_attr *attr,
		      uint32_t max_stack)
{
	s->events[i] = (struct short_event){
		.sample_type = attr->sample_type,
		.left_out = left_out(s, attr->sample_type),
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.user_regs = attr->sample_regs_user,
		.intr_regs = attr->sample_regs_intr,
		.max_stack = attr->sample_max_stack ? attr->sample_max_stack : max_stack,
		.no_user = s->no_user,
	};
}

/* All events have the id at the same place. */
static void finish_ids(struct short_samples *s)
{
	if (s->n_ids)
		qsort(s->ids, s->n_ids, sizeof(*s->ids), id_compare);
	s->id_off = s->n_events > 1 ? find_id_off(s->events[0].sample_type) : 0;
}

int short_samples_open(struct short_samples *s, const struct counters *counters, uint32_t max_stack)
{
	const struct event_list *events = counters->events;

	if (add_events(s, events->n, counters->n))
		return -ENOMEM;
	for (size_t i = 0; i < events->n; i++)
		set_event(s, i, &events->v[i].attr, max_stack);
	for (size_t i = 0; i < counters->n; i++)
		s->ids[i] = (struct short_id){ counters->v[i].id, counters->v[i].event };
	finish_ids(s);
	return 0;
}

int short_samples_open_attrs(struct short_samples *s, const struct perf_event_attr *const *attrs,
			     size_t n, const struct short_id *ids, size_t n_ids, uint32_t max_stack)
{
	if (add_events(s, n, n_ids))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		set_event(s, i, attrs[i], max_stack);
	for (size_t i = 0; i < n_ids; i++)
		s->ids[i] = ids[i];
	finish_ids(s);
	return 0;
}

static uint64_t word_at(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* Samples of one event come in runs. */
static const struct short_event *find_event(const struct short_samples *s, const uint8_t *sample,
					    uint32_t size, uint32_t *hint)
{
	struct short_id key = { .id = 0 }, *found;

	if (!s->id_off)
		return s->n_events ? &s->events[0] : NULL;
	if (s->id_off + WORD_BYTES > size)
		return NULL;
	key.id = word_at(sample + s->id_off);
	if (*hint >= s->n_ids || s->ids[*hint].id != key.id) {
		found = bsearch(&key, s->ids, s->n_ids, sizeof(key), id_compare);
		if (!found)
			return NULL;
		*hint = (uint32_t)(found - s->ids);
	}
	return &s->events[s->ids[*hint].event];
}

/* ---- a sample, taken apart ---- */

struct walk {
	const uint8_t *bytes;
	uint32_t size, at;
	bool bad;
};

static uint64_t walk_word(struct walk *w)
{
	if (w->size - w->at < WORD_BYTES) {
		w->bad = true;
		return 0;
	}
	w->at += WORD_BYTES;
	return word_at(w->bytes + w->at - WORD_BYTES);
}

static void walk_skip(struct walk *w, uint64_t n, uint32_t each)
{
	if (n > (w->size - w->at) / each)
		w->bad = true;
	else
		w->at += (uint32_t)n * each;
}

/* data/read/sample.c draws it. */
static void walk_read(struct walk *w, uint64_t format)
{
	uint32_t each = 1 + (uint32_t) !!(format & PERF_FORMAT_ID) +
			(uint32_t) !!(format & PTUI_FORMAT_LOST);
	uint64_t n = format & PERF_FORMAT_GROUP ? walk_word(w) : 1;

	walk_skip(w, !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED), WORD_BYTES);
	walk_skip(w, !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING), WORD_BYTES);
	walk_skip(w, n, each * WORD_BYTES);
}

static void walk_raw(struct walk *w)
{
	uint32_t bytes = 0;

	if (w->size - w->at < sizeof(bytes)) {
		w->bad = true;
		return;
	}
	memcpy(&bytes, w->bytes + w->at, sizeof(bytes));
	walk_skip(w, (uint64_t)bytes + sizeof(bytes), 1);
}

static void walk_branches(struct walk *w, uint64_t branch_sample_type)
{
	uint64_t n = walk_word(w);

	if (branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		walk_word(w);
	walk_skip(w, n,
		  BRANCH_BYTES + (branch_sample_type & PTUI_BRANCH_COUNTERS ? WORD_BYTES : 0));
}

static void walk_stack(struct walk *w)
{
	uint64_t bytes = walk_word(w);

	if (!bytes)
		return;
	walk_skip(w, bytes, 1);
	walk_word(w); /* how many of them are valid */
}

/* Up to the callchain, each field is a word; the data address is the only one that may be left out. */
static void walk_head(struct walk *w, struct sample_parts *p)
{
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				PERF_SAMPLE_TIME;
	const uint64_t after = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD;
	uint64_t type = p->event->sample_type;

	walk_skip(w, (uint64_t)__builtin_popcountll(type & before), WORD_BYTES);
	if (type & PERF_SAMPLE_ADDR) {
		p->addr = w->at;
		walk_word(w);
	}
	walk_skip(w, (uint64_t)__builtin_popcountll(type & after), WORD_BYTES);
	if (type & PERF_SAMPLE_READ)
		walk_read(w, p->event->read_format);
}

static void walk_chain(struct walk *w, struct sample_parts *p)
{
	uint64_t n;

	p->chain = w->at;
	n = walk_word(w);
	walk_skip(w, n, WORD_BYTES);
	p->n_kernel = w->bad ? 0 : (uint32_t)n;
}

bool short_sample_find(const struct short_samples *s, const uint8_t *sample, uint32_t *hint,
		       struct sample_parts *p)
{
	struct walk w = { .bytes = sample, .at = HEADER_BYTES };
	struct perf_event_header header;
	uint64_t type;

	memcpy(&header, sample, sizeof(header));
	w.size = header.size;
	*p = (struct sample_parts){ .size = header.size };
	p->event = find_event(s, sample, header.size, hint);
	if (!p->event)
		return false;
	type = p->event->sample_type;
	walk_head(&w, p);
	if (type & PERF_SAMPLE_CALLCHAIN)
		walk_chain(&w, p);
	if (type & PERF_SAMPLE_RAW)
		walk_raw(&w);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		walk_branches(&w, p->event->branch_sample_type);
	p->regs = p->stack = w.at;
	if (type & PERF_SAMPLE_REGS_USER) {
		p->user_abi = walk_word(&w);
		if (p->user_abi)
			walk_skip(&w, (uint64_t)__builtin_popcountll(p->event->user_regs),
				  WORD_BYTES);
		p->stack = w.at;
	}
	if (type & PERF_SAMPLE_STACK_USER)
		walk_stack(&w);
	p->stack_end = w.at;
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		walk_word(&w);
	if (type & PERF_SAMPLE_DATA_SRC) {
		p->data_src = w.at;
		walk_word(&w);
	}
	return !w.bad;
}

static bool is_marker(uint64_t entry)
{
	return entry >= (uint64_t)PERF_CONTEXT_MAX;
}

uint32_t short_sample_room(const struct sample_parts *p, const uint8_t *sample)
{
	uint32_t frames = 0;

	if (!(p->event->sample_type & PERF_SAMPLE_STACK_USER) || !p->chain || !p->user_abi ||
	    p->event->no_user)
		return 0;
	for (uint32_t i = 0; i < p->n_kernel; i++)
		frames += !is_marker(word_at(sample + p->chain + WORD_BYTES * (1 + i)));
	return frames < p->event->max_stack ? p->event->max_stack - frames : 0;
}

/* ---- writing the short form ---- */

struct build {
	const uint8_t *from;
	uint8_t *out;
	uint32_t at;   /* in `from` */
	uint32_t size; /* of `out` */
};

/* Copies up to here, and goes on there. */
static void build_copy(struct build *b, uint32_t until, uint32_t next)
{
	memcpy(b->out + b->size, b->from + b->at, until - b->at);
	b->size += until - b->at;
	b->at = next;
}

static void build_word(struct build *b, uint64_t word)
{
	memcpy(b->out + b->size, &word, sizeof(word));
	b->size += WORD_BYTES;
}

static bool in_user_mode(const struct sample_parts *p, const uint8_t *sample)
{
	struct perf_event_header header;

	memcpy(&header, sample, sizeof(header));
	return p->event->sample_type & PERF_SAMPLE_IP &&
	       (header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

static uint64_t sample_ip(const struct sample_parts *p, const uint8_t *sample)
{
	return word_at(sample + HEADER_BYTES +
		       (p->event->sample_type & PERF_SAMPLE_IDENTIFIER ? WORD_BYTES : 0));
}

/* A stack that is not unwound still has its innermost frame, if the sample has the IP. */
static void build_user(struct build *b, const struct sample_parts *p, const uint64_t *addrs,
		       uint32_t n, enum short_sample_end end)
{
	uint64_t ip = sample_ip(p, b->from);

	if (n == SHORT_SAMPLE_CUT) {
		addrs = &ip;
		n = in_user_mode(p, b->from);
		end = SHORT_SAMPLE_TRUNCATED;
	}
	build_word(b, (uint64_t)PERF_CONTEXT_USER);
	for (uint32_t i = 0; i < n; i++)
		build_word(b, addrs[i]);
	if (end != SHORT_SAMPLE_WHOLE)
		build_word(b, (uint64_t)PERF_CONTEXT_USER);
	if (end == SHORT_SAMPLE_OTHER_STACK)
		build_word(b, (uint64_t)PERF_CONTEXT_USER);
}

static void build_chain(struct build *b, const struct sample_parts *p, const uint64_t *addrs,
			uint32_t n, enum short_sample_end end)
{
	uint32_t count = b->size;
	uint64_t entries;

	build_word(b, 0);
	b->at = p->chain + WORD_BYTES;
	build_copy(b, p->chain + WORD_BYTES * (1 + p->n_kernel),
		   p->chain + WORD_BYTES * (1 + p->n_kernel));
	if (n)
		build_user(b, p, addrs, n, n > 1 ? end : SHORT_SAMPLE_WHOLE);
	entries = (b->size - count) / WORD_BYTES - 1;
	memcpy(b->out + count, &entries, sizeof(entries));
}

/*
 * The short form is never longer than the sample: it replaces it in place. Only a dump of a few
 * bytes could be smaller than the frames that were found in it.
 */
static uint32_t fitting(const struct sample_parts *p, uint32_t n)
{
	uint64_t left_out = p->event->left_out;
	uint32_t bytes = WORD_BYTES * (uint32_t)__builtin_popcountll(left_out & DATA), room;

	if (left_out & PERF_SAMPLE_REGS_USER)
		bytes += p->stack - p->regs;
	if (left_out & PERF_SAMPLE_STACK_USER)
		bytes += p->stack_end - p->stack;
	room = bytes / WORD_BYTES;
	if (n == SHORT_SAMPLE_CUT)
		return room >= 3 ? n : 0;
	/* and three markers */
	return n + 3 <= room ? n : room > 3 ? room - 3 : 0;
}

uint32_t short_sample_write(const struct sample_parts *p, const uint8_t *sample,
			    const uint64_t *addrs, uint32_t n, enum short_sample_end end,
			    uint8_t *out)
{
	struct build b = { .from = sample, .out = out };
	uint64_t left_out = p->event->left_out;
	uint16_t size;

	n = fitting(p, n);
	if (left_out & PERF_SAMPLE_ADDR)
		build_copy(&b, p->addr, p->addr + WORD_BYTES);
	if (p->chain) {
		build_copy(&b, p->chain, p->chain);
		build_chain(&b, p, addrs, n, end);
	}
	if (left_out & PERF_SAMPLE_REGS_USER)
		build_copy(&b, p->regs, p->stack);
	if (left_out & PERF_SAMPLE_STACK_USER)
		build_copy(&b, p->stack, p->stack_end);
	if (left_out & PERF_SAMPLE_DATA_SRC)
		build_copy(&b, p->data_src, p->data_src + WORD_BYTES);
	build_copy(&b, p->size, p->size);
	size = (uint16_t)b.size;
	memcpy(out + offsetof(struct perf_event_header, size), &size, sizeof(size));
	return size;
}
