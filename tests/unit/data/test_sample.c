/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every field of a sample, in both byte orders, and samples that lie about their sizes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "unit/data/made.h"

#define ALL_FIELDS                                                                         \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |    \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |     \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | \
	 PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |       \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |             \
	 PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |              \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX)

static const struct made_event full = {
	.type = PERF_TYPE_HARDWARE,
	.sample_type = ALL_FIELDS,
	.period = 10,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING | PTUI_FORMAT_LOST,
	.branch_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX,
	.regs_user = 0x81,
	.regs_intr = 1,
	.stack_user = 16,
	.id = 7,
};

/* `odd`: the raw data does not keep what follows at a multiple of 8. */
static void put_full(struct made *m, bool odd)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	made_u64(m, 7);
	made_u64(m, 0xffffffff81000042);
	made_u32(m, 100);
	made_u32(m, 101);
	made_u64(m, 123456789);
	made_u64(m, 0xdead);
	made_u64(m, 7);
	made_u64(m, 70);
	made_u32(m, 3);
	made_u32(m, 0);
	made_u64(m, 250000);
	/* read: 2 members, the second is its own */
	made_u64(m, 2);
	made_u64(m, 1000);
	made_u64(m, 900);
	made_u64(m, 55);
	made_u64(m, 6);
	made_u64(m, 0);
	made_u64(m, 66);
	made_u64(m, 7);
	made_u64(m, 1);
	/* callchain */
	made_u64(m, 3);
	made_u64(m, PERF_CONTEXT_KERNEL);
	made_u64(m, 0xffffffff81000042);
	made_u64(m, 0xffffffff81000100);
	/* raw */
	made_u32(m, odd ? 5 : 4);
	buf_add(&m->out, "rawww", odd ? 5 : 4);
	/* branches */
	made_u64(m, 1);
	made_u64(m, 0);
	made_u64(m, 0x10);
	made_u64(m, 0x20);
	made_u64(m, 0x3);
	/* registers and stack */
	made_u64(m, 2);
	made_u64(m, 0xaaaa);
	made_u64(m, 0xbbbb);
	made_u64(m, 16);
	buf_add(&m->out, "0123456789abcdef", 16);
	made_u64(m, 8);
	made_u64(m, 31);
	made_u64(m, 32);
	made_u64(m, 33);
	made_u64(m, 2);
	made_u64(m, 0xcccc);
	made_u64(m, 34);
	made_u64(m, 35);
	made_u64(m, 4096);
	made_u64(m, 8192);
	made_u64(m, 8);
	buf_add(&m->out, "auxauxau", 8);
	made_end(m);
}

static void check_full(const struct data_sample *s, bool odd, bool swap)
{
	assert_int_equal(s->event, 0);
	assert_int_equal(s->misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(s->present, ALL_FIELDS);
	assert_int_equal(s->id, 7);
	assert_int_equal(s->ip, 0xffffffff81000042);
	assert_int_equal(s->pid, 100);
	assert_int_equal(s->tid, 101);
	assert_int_equal(s->time_ns, 123456789);
	assert_int_equal(s->addr, 0xdead);
	assert_int_equal(s->stream_id, 70);
	assert_int_equal(s->cpu, 3);
	assert_int_equal(s->period, 250000);
	assert_int_equal(s->read_value, 66);
	assert_int_equal(s->n_reads, 2);
	assert_int_equal(s->reads[0], 55);
	assert_int_equal(s->reads[1], 6);
	assert_int_equal(s->reads[2], 66);
	assert_int_equal(s->reads[3], 7);
	assert_int_equal(s->reads_lost[0], 0);
	assert_int_equal(s->reads_lost[1], 1);
	assert_int_equal(s->read_enabled_ns, 1000);
	assert_int_equal(s->read_running_ns, 900);
	assert_int_equal(s->n_chain, 3);
	assert_int_equal(s->chain[0], PERF_CONTEXT_KERNEL);
	assert_int_equal(s->chain[2], 0xffffffff81000100);
	assert_int_equal(s->raw_bytes, odd ? 5 : 4);
	assert_memory_equal(s->raw, "rawww", s->raw_bytes);
	assert_int_equal(s->n_branches, 1);
	assert_int_equal(s->branches[swap ? 7 : 0], 0x10);
	assert_int_equal(s->regs_user_abi, 2);
	assert_int_equal(s->regs_user_mask, 0x81);
	assert_int_equal(s->regs_user[0], 0xaaaa);
	assert_int_equal(s->regs_user[1], 0xbbbb);
	assert_int_equal(s->stack_user_bytes, 16);
	assert_int_equal(s->stack_user_dyn_bytes, 8);
	assert_memory_equal(s->stack_user, "0123456789abcdef", 16);
	assert_int_equal(s->weight, 31);
	assert_int_equal(s->data_src, 32);
	assert_int_equal(s->transaction, 33);
	assert_int_equal(s->phys_addr, 34);
	assert_int_equal(s->cgroup, 35);
	assert_int_equal(s->data_page_size, 4096);
	assert_int_equal(s->code_page_size, 8192);
	assert_int_equal(s->regs_intr_abi, 2);
	assert_int_equal(s->regs_intr_mask, 1);
	assert_int_equal(s->regs_intr[0], 0xcccc);
	assert_int_equal(s->aux_bytes, 8);
	assert_memory_equal(s->aux, "auxauxau", 8);
}

static int decode(const struct made *m, struct data_damage *ret,
		  void (*check)(const struct data_sample *s, bool odd, bool swap), bool odd);

static void check_weights(const struct data_sample *s, bool odd, bool swap)
{
	(void)odd;
	(void)swap;
	assert_int_equal(s->weight, 0x12345678);
	assert_int_equal(s->latency[0], 0x9abc);
	assert_int_equal(s->latency[1], 0xdef0);
	assert_int_equal(s->data_src, 99);
}

static void a_weight_of_three_parts(void **state)
{
	const struct made_event ev = { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT |
						      PERF_SAMPLE_DATA_SRC };
	struct data_damage damage;

	(void)state;
	for (unsigned swap = 0; swap < 2; swap++) {
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, &ev, 1, 112);
		made_begin(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(&m, 0xdef09abc12345678);
		made_u64(&m, 99);
		made_end(&m);
		made_finish(&m, NULL, 0);
		assert_int_equal(decode(&m, &damage, check_weights, false), 0);
		made_release(&m);
	}
}

/* Decodes the only sample; *ret is the damage found. */
static int decode(const struct made *m, struct data_damage *ret,
		  void (*check)(const struct data_sample *s, bool odd, bool swap), bool odd)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct data_file *f = made_open(m);
	struct data_walk *w = data_walk_new(f, &err);
	struct data_record rec;
	struct data_sample s;
	int result;

	assert_int_equal(data_walk_next(w, true, &rec, &err), 0);
	result = data_walk_sample(w, &rec, &s);
	if (!result && check)
		check(&s, odd, m->swap);
	data_walk_damage(w, ret);
	data_walk_free(w);
	data_close(f);
	return result;
}

static void every_field(void **state)
{
	struct data_damage damage;

	(void)state;
	for (unsigned how = 0; how < 4; how++) {
		struct made m;

		made_init(&m, how & 1, false);
		made_events(&m, &full, 1, 112);
		put_full(&m, how & 2);
		made_finish(&m, NULL, 0);
		assert_int_equal(decode(&m, &damage, check_full, how & 2), 0);
		assert_int_equal(damage.bad_records, 0);
		made_release(&m);
	}
}

/* A record truncated at any byte is bad, and is not read past its end. */
static void cut_short(void **state)
{
	struct data_damage damage;
	struct made m;
	size_t whole;

	(void)state;
	made_init(&m, false, false);
	made_events(&m, &full, 1, 112);
	put_full(&m, false);
	whole = m.out.len - m.record;
	for (size_t n = whole - 1; n >= 8; n--) {
		char *copy;

		m.out.len = m.record + n;
		m.out.data[m.record + 6] = (char)(n & 0xff);
		m.out.data[m.record + 7] = (char)(n >> 8);
		made_finish(&m, NULL, 0);
		/* in memory of exactly its size, for sanitizers */
		copy = malloc(m.out.len);
		memcpy(copy, m.out.data, m.out.len);
		{
			struct made exact = m;

			exact.out.data = copy;
			assert_int_equal(decode(&exact, &damage, NULL, false), -EBADMSG);
		}
		assert_int_equal(damage.bad_records, 1);
		free(copy);
	}
	made_release(&m);
}

/* Counts inside the sample that are larger than the sample. */
static void counts_that_lie(void **state)
{
	static const uint64_t lies[] = { 1 << 20,	 UINT64_MAX,
					 UINT64_MAX / 8, UINT64_MAX / 24 + 1,
					 1ULL << 61,	 1ULL << 63 };
	static const struct {
		uint64_t type, read_format;
	} counted[] = {
		{ PERF_SAMPLE_CALLCHAIN, 0 },
		{ PERF_SAMPLE_BRANCH_STACK, 0 },
		{ PERF_SAMPLE_STACK_USER, 0 },
		{ PERF_SAMPLE_AUX, 0 },
		{ PERF_SAMPLE_RAW, 0 },
		{ PERF_SAMPLE_READ, PERF_FORMAT_GROUP },
		{ PERF_SAMPLE_READ, PERF_FORMAT_GROUP | PERF_FORMAT_ID | PTUI_FORMAT_LOST },
	};
	struct data_damage damage;

	(void)state;
	for (unsigned i = 0; i < sizeof(counted) / sizeof(*counted); i++)
		for (unsigned k = 0; k < sizeof(lies) / sizeof(*lies); k++) {
			struct made_event ev = { .sample_type = counted[i].type,
						 .read_format = counted[i].read_format };
			uint64_t lie = lies[k];
			struct made m;

			if (counted[i].type == PERF_SAMPLE_RAW)
				lie |= UINT32_MAX; /* has only 32 bits */
			made_init(&m, false, false);
			made_events(&m, &ev, 1, 64);
			made_begin(&m, PERF_RECORD_SAMPLE, 0);
			made_u64(&m, lie);
			made_u64(&m, 0);
			made_u64(&m, 0);
			made_end(&m);
			made_finish(&m, NULL, 0);
			assert_int_equal(decode(&m, &damage, NULL, false), -EBADMSG);
			assert_int_equal(damage.bad_records, 1);
			made_release(&m);
		}
}

static void check_weight_struct(const struct data_sample *s, bool odd, bool swap)
{
	(void)odd;
	(void)swap;
	assert_int_equal(s->weight, 77);
	assert_int_equal(s->period, 1234);
	assert_int_equal(s->read_value, 5);
}

/* ---- each field alone, and all but it ---- */

static void put_read(struct made *m, uint64_t format)
{
	unsigned n = format & PERF_FORMAT_GROUP ? 2 : 1;

	made_u64(m, format & PERF_FORMAT_GROUP ? n : 55);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		made_u64(m, 1000);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		made_u64(m, 900);
	for (unsigned i = 0; i < n; i++) {
		if (format & PERF_FORMAT_GROUP)
			made_u64(m, 55 + i);
		if (format & PERF_FORMAT_ID)
			made_u64(m, 7 + i);
		if (format & PTUI_FORMAT_LOST)
			made_u64(m, 3);
	}
}

static void put_regs(struct made *m, uint64_t abi, unsigned n)
{
	made_u64(m, abi);
	for (unsigned i = 0; abi && i < n; i++)
		made_u64(m, 0xa0 + i);
}

/* Fields before the callchain: a word each, unless they are two halves. */
static void put_fields(struct made *m, uint64_t type, uint64_t format, uint64_t abi)
{
	static const uint64_t head[] = { PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP };
	static const uint64_t rest[] = { PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
					 PERF_SAMPLE_STREAM_ID };

	for (unsigned i = 0; i < 2; i++)
		if (type & head[i])
			made_u64(m, i ? 0x1234 : 7);
	if (type & PERF_SAMPLE_TID) {
		made_u32(m, 100);
		made_u32(m, 101);
	}
	for (unsigned i = 0; i < 4; i++)
		if (type & rest[i])
			made_u64(m, i == 2 ? 7 : 60 + i);
	if (type & PERF_SAMPLE_CPU) {
		made_u32(m, 3);
		made_u32(m, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		made_u64(m, 250000);
	if (type & PERF_SAMPLE_READ)
		put_read(m, format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		made_u64(m, 2);
		made_u64(m, PERF_CONTEXT_USER);
		made_u64(m, 0x1234);
	}
	if (type & PERF_SAMPLE_RAW) {
		made_u32(m, 4);
		buf_add(&m->out, "rawx", 4);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		made_u64(m, 2);
		made_u64(m, 44);
		for (unsigned i = 0; i < 6; i++)
			made_u64(m, 0x10 + i);
		made_u64(m, 0xc0);
		made_u64(m, 0xc1);
	}
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(m, abi, 2);
	if (type & PERF_SAMPLE_STACK_USER) {
		made_u64(m, 8);
		buf_add(&m->out, "01234567", 8);
		made_u64(m, 8);
	}
	if (type & PERF_SAMPLE_WEIGHT_TYPE)
		made_u64(m, 31);
	if (type & PERF_SAMPLE_DATA_SRC)
		made_u64(m, 32);
	if (type & PERF_SAMPLE_TRANSACTION)
		made_u64(m, 33);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(m, abi, 1);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		made_u64(m, 34);
	if (type & PERF_SAMPLE_CGROUP)
		made_u64(m, 35);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		made_u64(m, 4096);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		made_u64(m, 8192);
	if (type & PERF_SAMPLE_AUX) {
		made_u64(m, 8);
		buf_add(&m->out, "auxauxau", 8);
	}
}

#define GIVEN(bit, value) (type & (bit) ? (value) : 0)

static void check_reads(const struct data_sample *s, uint64_t type, uint64_t format)
{
	bool group = format & PERF_FORMAT_GROUP, ids = format & PERF_FORMAT_ID;
	bool read = type & PERF_SAMPLE_READ;

	assert_int_equal(s->read_enabled_ns,
			 read && format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 1000 : 0);
	assert_int_equal(s->read_running_ns,
			 read && format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 900 : 0);
	assert_int_equal(s->read_value, read ? 55 : 0);
	assert_int_equal(s->n_reads, read && ids ? 1 + group : 0);
	for (unsigned i = 0; i < s->n_reads; i++) {
		assert_int_equal(s->reads[2 * i], 55 + i);
		assert_int_equal(s->reads[2 * i + 1], 7 + i);
	}
}

static void check_branches(const struct data_sample *s, uint64_t type, bool swap)
{
	assert_int_equal(s->n_branches, GIVEN(PERF_SAMPLE_BRANCH_STACK, 2));
	assert_int_equal(s->branch_hw_index, GIVEN(PERF_SAMPLE_BRANCH_STACK, 44));
	for (unsigned i = 0; i < 3 * s->n_branches; i++)
		assert_int_equal(data_word(s->branches, i, swap), 0x10 + i);
	for (unsigned i = 0; i < s->n_branches; i++)
		assert_int_equal(data_word(s->branch_counters, i, swap), 0xc0 + i);
}

static void check_fields(const struct data_sample *s, uint64_t type, uint64_t format, uint64_t abi,
			 bool swap)
{
	assert_int_equal(s->id, GIVEN(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID, 7));
	assert_int_equal(s->ip, GIVEN(PERF_SAMPLE_IP, 0x1234));
	assert_int_equal(s->pid, GIVEN(PERF_SAMPLE_TID, 100));
	assert_int_equal(s->tid, GIVEN(PERF_SAMPLE_TID, 101));
	assert_int_equal(s->time_ns, GIVEN(PERF_SAMPLE_TIME, 60));
	assert_int_equal(s->addr, GIVEN(PERF_SAMPLE_ADDR, 61));
	assert_int_equal(s->stream_id, GIVEN(PERF_SAMPLE_STREAM_ID, 63));
	assert_int_equal(s->cpu, GIVEN(PERF_SAMPLE_CPU, 3));
	assert_int_equal(s->period, type & PERF_SAMPLE_PERIOD ? 250000 : 10);
	check_reads(s, type, format);
	assert_int_equal(s->n_chain, GIVEN(PERF_SAMPLE_CALLCHAIN, 2));
	assert_int_equal(s->raw_bytes, GIVEN(PERF_SAMPLE_RAW, 4));
	check_branches(s, type, swap);
	assert_int_equal(s->regs_user_abi, GIVEN(PERF_SAMPLE_REGS_USER, abi));
	if (s->regs_user_abi)
		assert_int_equal(s->regs_user[1], 0xa1);
	else
		assert_null(s->regs_user);
	assert_int_equal(s->stack_user_bytes, GIVEN(PERF_SAMPLE_STACK_USER, 8));
	assert_int_equal(s->weight, GIVEN(PERF_SAMPLE_WEIGHT_TYPE, 31));
	assert_int_equal(s->data_src, GIVEN(PERF_SAMPLE_DATA_SRC, 32));
	assert_int_equal(s->transaction, GIVEN(PERF_SAMPLE_TRANSACTION, 33));
	assert_int_equal(s->regs_intr_abi, GIVEN(PERF_SAMPLE_REGS_INTR, abi));
	assert_int_equal(s->phys_addr, GIVEN(PERF_SAMPLE_PHYS_ADDR, 34));
	assert_int_equal(s->cgroup, GIVEN(PERF_SAMPLE_CGROUP, 35));
	assert_int_equal(s->data_page_size, GIVEN(PERF_SAMPLE_DATA_PAGE_SIZE, 4096));
	assert_int_equal(s->code_page_size, GIVEN(PERF_SAMPLE_CODE_PAGE_SIZE, 8192));
	assert_int_equal(s->aux_bytes, GIVEN(PERF_SAMPLE_AUX, 8));
}

static void try_fields(uint64_t type, uint64_t format, uint64_t abi)
{
	struct made_event ev = full;

	ev.sample_type = type;
	ev.read_format = format;
	ev.branch_type |= PTUI_BRANCH_COUNTERS;
	for (unsigned swap = 0; swap < 2; swap++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		struct data_record rec;
		struct data_sample s;
		struct data_file *f;
		struct data_walk *w;
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, &ev, 1, 136);
		made_begin(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		put_fields(&m, type, format, abi);
		made_end(&m);
		made_finish(&m, NULL, 0);
		f = made_open(&m);
		w = data_walk_new(f, &err);
		assert_int_equal(data_walk_next(w, true, &rec, &err), 0);
		assert_int_equal(data_walk_sample(w, &rec, &s), 0);
		check_fields(&s, type, format, abi, swap);
		data_walk_free(w);
		data_close(f);
		made_release(&m);
	}
}

static void each_field(void **state)
{
	const uint64_t all = ALL_FIELDS;

	(void)state;
	for (unsigned bit = 0; bit < 25; bit++) {
		uint64_t one = 1ull << bit;

		try_fields(one, 0, 2);
		/* WEIGHT and WEIGHT_STRUCT are never set both */
		try_fields(one == PERF_SAMPLE_WEIGHT_STRUCT ? (all & ~PERF_SAMPLE_WEIGHT) | one :
							      all & ~one,
			   full.read_format, 2);
	}
	try_fields(0, 0, 0);
}

static void each_read_format(void **state)
{
	(void)state;
	for (uint64_t format = 0; format < 32; format++)
		try_fields(ALL_FIELDS, format, 2);
}

/* No registers (a kernel thread), of a 32-bit and of a 64-bit process. */
static void each_register_abi(void **state)
{
	(void)state;
	for (uint64_t abi = 0; abi < 3; abi++)
		try_fields(ALL_FIELDS, full.read_format, abi);
}

static void weight_struct_and_given_period(void **state)
{
	struct made_event ev = { .period = 1234,
				 .sample_type = PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_READ };
	struct data_damage damage;

	(void)state;
	for (unsigned swap = 0; swap < 2; swap++) {
		struct made m;

		made_init(&m, swap, false);
		made_events(&m, &ev, 1, 128);
		made_begin(&m, PERF_RECORD_SAMPLE, 0);
		made_u64(&m, 5);
		made_u64(&m, 0x0001000200000000 | 77);
		made_end(&m);
		made_finish(&m, NULL, 0);
		assert_int_equal(decode(&m, &damage, check_weight_struct, false), 0);
		made_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field),
		cmocka_unit_test(a_weight_of_three_parts),
		cmocka_unit_test(each_field),
		cmocka_unit_test(each_read_format),
		cmocka_unit_test(each_register_abi),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(counts_that_lie),
		cmocka_unit_test(weight_struct_and_given_period),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
