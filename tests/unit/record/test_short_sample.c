/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with every field there is, and the same in short form: what is not left out is the same for
 * a reader, in each combination of what is kept.
 */
#include <stdlib.h>
#include <string.h>
#include "data/read/reader.h"
#include "event/event.h"
#include "lib/need.h"
#include "record/unwind/short_sample.h"

#define ID    77
#define STACK 64
#define ALL_BITS                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |    \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |     \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | \
	 PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |       \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |             \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |              \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

struct sample {
	_Alignas(8) uint8_t bytes[PTUI_RECORD_MAX_BYTES];
	size_t n;
};

static void put(struct sample *s, uint64_t word)
{
	memcpy(s->bytes + s->n, &word, sizeof(word));
	s->n += sizeof(word);
}

/* The next of a row of numbers, so that no two fields are the same. */
static uint64_t next(void)
{
	static uint64_t last = 0x1000;

	return last += 0x11;
}

static void put_read(struct sample *s, uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP;

	put(s, group ? 2 : next());
	put(s, next()); /* enabled, running */
	put(s, next());
	for (int i = 0; group && i < 2; i++) {
		put(s, next());
		put(s, ID + (uint64_t)i);
		put(s, next()); /* lost */
	}
	if (!group) {
		put(s, ID);
		put(s, next());
	}
}

static void make(struct sample *s, const struct perf_event_attr *attr, uint64_t abi)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE,
					    .misc = PERF_RECORD_MISC_USER };
	static const char raw[12] = "raw field12";

	s->n = sizeof(header);
	put(s, ID);
	for (int i = 0; i < 4; i++) /* IP TID TIME ADDR */
		put(s, next());
	put(s, ID);
	for (int i = 0; i < 3; i++) /* STREAM CPU PERIOD */
		put(s, next());
	put_read(s, attr->read_format);
	put(s, 3);
	put(s, (uint64_t)PERF_CONTEXT_KERNEL);
	put(s, next());
	put(s, next());
	memcpy(s->bytes + s->n, &(uint32_t){ sizeof(raw) }, 4);
	memcpy(s->bytes + s->n + 4, raw, sizeof(raw));
	s->n += 16;
	put(s, 2); /* branches, and the hardware's index */
	put(s, next());
	for (int i = 0; i < 6; i++)
		put(s, next());
	put(s, abi);
	for (int i = 0; abi && i < 3; i++)
		put(s, next());
	put(s, abi ? STACK : 0);
	for (int i = 0; abi && i < STACK / 8 + 1; i++)
		put(s, next());
	for (int i = 0; i < 3; i++) /* WEIGHT DATA_SRC TRANSACTION */
		put(s, next());
	put(s, PERF_SAMPLE_REGS_ABI_64);
	put(s, next());
	put(s, next());
	for (int i = 0; i < 4; i++) /* PHYS_ADDR CGROUP DATA_PAGE_SIZE CODE_PAGE_SIZE */
		put(s, next());
	put(s, 16);
	put(s, next());
	put(s, next());
	header.size = (uint16_t)s->n;
	memcpy(s->bytes, &header, sizeof(header));
}

/* Decodes a sample by the reader of files; *ret points into `bytes`. */
static void decode(const struct perf_event_attr *attr, const uint8_t *bytes, size_t n,
		   struct data_file **ret_file, struct data_walk **ret_walk,
		   struct data_sample *ret)
{
	const uint64_t id = ID;
	struct data_record rec;

	*ret_file = data_open_feed(NULL);
	assert_int_equal(data_feed_event(*ret_file, attr, sizeof(*attr), "e", &id, 1), 0);
	*ret_walk = data_walk_new(*ret_file, NULL);
	data_walk_feed(*ret_walk, bytes, n);
	assert_int_equal(data_walk_next(*ret_walk, true, &rec, NULL), 0);
	assert_int_equal(data_walk_sample(*ret_walk, &rec, ret), 0);
}

static void same_fields(const struct data_sample *a, const struct data_sample *b)
{
	assert_int_equal(a->id, b->id);
	assert_int_equal(a->ip, b->ip);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->time_ns, b->time_ns);
	assert_int_equal(a->stream_id, b->stream_id);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->period, b->period);
	assert_int_equal(a->read_value, b->read_value);
	assert_int_equal(a->read_running_ns, b->read_running_ns);
	assert_int_equal(a->n_reads, b->n_reads);
	assert_memory_equal(a->reads, b->reads, a->n_reads * 16);
	assert_int_equal(a->raw_bytes, b->raw_bytes);
	assert_memory_equal(a->raw, b->raw, a->raw_bytes);
	assert_int_equal(a->n_branches, b->n_branches);
	assert_memory_equal(a->branches, b->branches, a->n_branches * 24);
	assert_int_equal(a->weight, b->weight);
	assert_int_equal(a->transaction, b->transaction);
	assert_memory_equal(a->regs_intr, b->regs_intr, 16);
	assert_int_equal(a->phys_addr, b->phys_addr);
	assert_int_equal(a->cgroup, b->cgroup);
	assert_int_equal(a->data_page_size, b->data_page_size);
	assert_int_equal(a->code_page_size, b->code_page_size);
	assert_int_equal(a->aux_bytes, b->aux_bytes);
	assert_memory_equal(a->aux, b->aux, a->aux_bytes);
}

struct kept {
	bool data, regs, no_user;
};

static void check(const struct perf_event_attr *opened, const struct kept *kept, uint64_t abi)
{
	static const uint64_t addrs[] = { 0xa, 0xb, 0xc };
	struct perf_event_attr attr = *opened;
	struct event_list events;
	struct counter v[1] = { { .id = ID } };
	struct counters c = { .events = &events, .v = v, .n = 1 };
	struct sample *s = malloc(sizeof(*s));
	uint8_t *out = malloc(PTUI_RECORD_MAX_BYTES);
	struct short_samples shorts;
	struct sample_parts parts;
	struct data_sample a, b;
	struct data_file *files[2];
	struct data_walk *walks[2];
	uint32_t hint = 0, n, room;

	event_list_init(&events);
	event_list_add(&events, "e");
	events.v[0].attr = *opened;
	short_samples_init(&shorts, kept->data, kept->regs, kept->no_user);
	assert_int_equal(short_samples_open(&shorts, &c, 5), 0);
	make(s, opened, abi);
	assert_true(short_sample_find(&shorts, s->bytes, &hint, &parts));
	room = short_sample_room(&parts, s->bytes);
	/* five frames, two of them the kernel's */
	assert_int_equal(room, abi && !kept->no_user ? 3 : 0);
	n = short_sample_write(&parts, s->bytes, addrs, room, SHORT_SAMPLE_WHOLE, out);
	assert_true(n <= s->n);
	short_samples_attr(&shorts, &attr);
	decode(opened, s->bytes, s->n, &files[0], &walks[0], &a);
	decode(&attr, out, n, &files[1], &walks[1], &b);
	same_fields(&a, &b);
	assert_int_equal(b.addr, kept->data ? a.addr : 0);
	assert_int_equal(b.data_src, kept->data ? a.data_src : 0);
	assert_int_equal(!!b.regs_user, kept->regs && abi);
	if (b.regs_user)
		assert_memory_equal(a.regs_user, b.regs_user, 24);
	assert_null(b.stack_user);
	assert_int_equal(b.n_chain, room ? 3 + 1 + 3 : 3);
	assert_memory_equal(b.chain, a.chain, 3 * 8);
	if (room) {
		assert_true(b.chain[3] == (uint64_t)PERF_CONTEXT_USER);
		assert_memory_equal(b.chain + 4, addrs, sizeof(addrs));
	}
	/* a record that is cut anywhere is refused, or its fields fit */
	for (uint16_t size = sizeof(struct perf_event_header); size < s->n; size += 8) {
		memcpy(s->bytes + 6, &size, sizeof(size));
		if (short_sample_find(&shorts, s->bytes, &hint, &parts))
			assert_true(short_sample_write(&parts, s->bytes, addrs, 0,
						       SHORT_SAMPLE_WHOLE, out) <= size);
	}
	for (int i = 0; i < 2; i++) {
		data_walk_free(walks[i]);
		data_close(files[i]);
	}
	short_samples_release(&shorts);
	event_list_release(&events);
	free(s);
	free(out);
}

static void test_all_fields(void **state)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.sample_type = ALL_BITS,
		.sample_id_all = 1,
		.exclude_callchain_user = 1,
		.sample_regs_user = 7,
		.sample_regs_intr = 3,
		.sample_stack_user = STACK,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX,
	};
	const uint64_t formats = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				 PERF_FORMAT_ID | PTUI_FORMAT_LOST;

	(void)state;
	for (int i = 0; i < 32; i++) {
		const struct kept kept = { i & 1, i & 2, i & 4 };

		attr.read_format = formats | (i & 8 ? PERF_FORMAT_GROUP : 0);
		check(&attr, &kept, i & 16 ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
	}
}

/* A copy of a few bytes leaves little room: the short form is never longer. */
static void test_small_copies(void **state)
{
	uint64_t addrs[64] = { 0 };
	struct event_list events;
	struct counter v[1] = { { .id = ID } };
	struct counters c = { .events = &events, .v = v, .n = 1 };
	struct short_samples shorts;
	struct sample_parts parts;
	struct perf_event_header header = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0 };
	struct sample *s = malloc(sizeof(*s));
	uint8_t *out = malloc(PTUI_RECORD_MAX_BYTES);
	uint32_t hint = 0;

	(void)state;
	event_list_init(&events);
	event_list_add(&events, "e");
	events.v[0].attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN |
				       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	events.v[0].attr.sample_regs_user = 1;
	short_samples_init(&shorts, false, false, false);
	assert_int_equal(short_samples_open(&shorts, &c, 127), 0);
	for (uint64_t stack = 0; stack <= 64; stack += 8) {
		s->n = sizeof(header);
		put(s, 0x1234);
		put(s, 0);
		put(s, PERF_SAMPLE_REGS_ABI_64);
		put(s, 5);
		put(s, stack);
		for (uint64_t i = 0; stack && i <= stack; i += 8)
			put(s, i);
		header.size = (uint16_t)s->n;
		memcpy(s->bytes, &header, sizeof(header));
		assert_true(short_sample_find(&shorts, s->bytes, &hint, &parts));
		for (uint32_t n = 0; n < 64; n++)
			assert_true(short_sample_write(&parts, s->bytes, addrs, n,
						       SHORT_SAMPLE_OTHER_STACK, out) <= s->n);
		assert_true(short_sample_write(&parts, s->bytes, NULL, SHORT_SAMPLE_CUT,
					       SHORT_SAMPLE_WHOLE, out) <= s->n);
	}
	short_samples_release(&shorts);
	event_list_release(&events);
	free(s);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fields),
		cmocka_unit_test(test_small_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
