/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a recording of fields that no machine here has:
 *
 *	fields FILE [simpleperf|unknown]	branches and memory accesses, and records of simpleperf
 *						or of unknown types
 *	fields FILE synth			events made from a trace of Intel PT
 *	fields FILE metric TYPE:CONFIG...	a group of these
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "unit/data/made.h"

#define USER 0x400000

static const struct made_event event = {
	.type = PERF_TYPE_RAW,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK |
		       PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR,
	.period = 1,
	.flags = MADE_SAMPLE_ID_ALL,
	.branch_type = PERF_SAMPLE_BRANCH_ANY,
	.id = 1,
};

/* Each bit of data_src alone, each number of its fields, and what processors report. */
static uint64_t data_src(unsigned i)
{
	static const uint64_t real[] = { 0x68100142,  0x68100442,
					 0x68100242,  0x1e05080021,
					 0x6a100842,  0x68400842,
					 0x2a8100242, (uint64_t)1 << 37 | 1ull << 43 | 0x12 };

	if (i < 46)
		return 1ull << i;
	if (i < 62)
		return (uint64_t)(i - 46) << 33 | 0x2;
	return real[(i - 62) % (sizeof(real) / sizeof(*real))];
}

static void put_sample(struct made *m, unsigned i)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, USER + i);
	made_u32(m, 10);
	made_u32(m, 11);
	made_u64(m, 1000000ull * (i + 1));
	made_u64(m, 0x7fff0000 + i);
	made_u32(m, i % 4);
	made_u32(m, 0);
	made_u64(m, 100 + i);
	made_u64(m, i % 3);
	for (unsigned b = 0; b < i % 3; b++) {
		made_u64(m, USER + 0x100 * i);
		made_u64(m, b ? USER + 0x200 * i : 0xffffffff81000000 + i);
		/* each bit of the flags, and each type */
		made_u64(m, (b ? 1ull << i % 20 : 2 | (uint64_t)i << 4) | (uint64_t)(i % 15) << 20);
	}
	made_u64(m, (uint64_t)(i % 7) << 48 | (uint64_t)(i % 5) << 32 | i);
	made_u64(m, data_src(i));
	made_u64(m, 0x1000ull * i);
	made_end(m);
}

/* A change of kernel code: longer than one line of bytes, and one that only removes. */
static void put_text_poke(struct made *m, uint16_t old, uint16_t new, uint64_t time_ns)
{
	uint16_t n = (uint16_t)(old + new), end = (uint16_t)((n + 4 + 7) / 8 * 8 - 4);

	made_begin(m, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL);
	made_u64(m, 0xffffffff81000010);
	made_u16(m, old);
	made_u16(m, new);
	for (uint16_t i = 0; i < end; i++) /* the trailer is aligned */
		made_u8(m, i < n ? (uint8_t)(i * 7) : 0);
	made_u32(m, 10);
	made_u32(m, 11);
	made_u64(m, time_ns);
	made_u32(m, 1);
	made_u32(m, 0);
	made_end(m);
}

/* The upper half of its size is where others have misc, and the lower half where they have size. */
static void put_simpleperf(struct made *m, uint32_t type, const uint64_t *words, size_t n)
{
	made_begin(m, type, 0);
	for (size_t i = 0; i < n; i++)
		made_u64(m, words[i]);
	made_end(m);
}

static void put_simpleperf_records(struct made *m)
{
	const uint64_t chain[] = {
		11ull << 32 | 10, 2, 12345, 2, USER, USER + 0x10, 0x7ff0, 0x8000
	};
	/* the addresses that it announces are not there */
	const uint64_t cut[] = { 11ull << 32 | 10, 9, 12346, 1000, USER, 0x7ff0 };
	const uint64_t result[] = { 12345, 777, 3, USER, 0x7000, 0x9000, 1, 2, 3 };
	const uint64_t text[] = { 12347, 0x676e69687420410aull, 0 };

	put_simpleperf(m, PTUI_SIMPLEPERF_CALLCHAIN, chain, 8);
	put_simpleperf(m, PTUI_SIMPLEPERF_CALLCHAIN, cut, 6);
	put_simpleperf(m, PTUI_SIMPLEPERF_UNWINDING_RESULT, result, 9);
	put_simpleperf(m, PTUI_SIMPLEPERF_DEBUG, text, 3);
}

/* Ten unknown types: of the kernel, of perf, and others. */
static void put_unknown_records(struct made *m)
{
	static const uint32_t types[] = { 60,	 90,	90,    100,   150,   200,
					  40000, 65536, 65537, 65538, 65538, 65539 };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		made_begin(m, types[i], 0);
		/* a kernel's record ends in the fields of sample_id_all */
		for (unsigned word = 0; word < 4; word++)
			made_u64(m, word + 1);
		made_end(m);
	}
}

/* ---- events made from a trace ---- */

#define SYNTH_EVENTS 10
#define SYNTH_TYPE                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

static void put_synth(struct made *m, unsigned config, unsigned i, uint32_t flags, uint64_t payload,
		      unsigned bytes)
{
	made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
	made_u64(m, config + 1);
	made_u64(m, USER + i);
	made_u32(m, 10);
	made_u32(m, 11);
	made_u64(m, 1000000ull * (i + 1));
	made_u32(m, 0);
	made_u32(m, 0);
	made_u32(m, bytes);
	made_u32(m, flags);
	for (unsigned at = 4; at < bytes; at += 8)
		made_u64(m, at == 4 ? payload : payload + at);
	made_end(m);
}

/* Each config with every bit alone, texts, and less than it needs. */
static void put_synths(struct made *m)
{
	static const uint64_t words[] = { 0,
					  UINT64_MAX,
					  0x6f6c6c6568,
					  0x2164726f7721,
					  0x4100000041,
					  0x0a61626364,
					  0x7161626364656667 };
	unsigned n = 0;

	for (unsigned config = 0; config < SYNTH_EVENTS; config++) {
		for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
			put_synth(m, config, n++, i, words[i], 12);
		for (unsigned bit = 0; bit < 64; bit++) {
			/* the upper half of flags is a number of items */
			uint32_t flags = (uint32_t)(1ull << bit % 16) | (bit % 3) << 16;

			put_synth(m, config, n++, flags, 1ull << bit, 36);
		}
		/* a processor at a frequency; others have no items */
		put_synth(m, config, n++, config == PTUI_SYNTH_CBR ? 0x240a1a : 0x1a, 2400000, 12);
		put_synth(m, config, n++, 1, 0, 4);
	}
}

static int write_synth(struct made *m)
{
	struct made_event events[SYNTH_EVENTS];

	for (unsigned i = 0; i < SYNTH_EVENTS; i++)
		events[i] = (struct made_event){ .type = PTUI_TYPE_SYNTH,
						 .config = i,
						 .sample_type = SYNTH_TYPE,
						 .period = 1,
						 .flags = MADE_SAMPLE_ID_ALL,
						 .id = i + 1 };
	made_events(m, events, SYNTH_EVENTS, 128);
	put_synths(m);
	made_finish(m, NULL, 0);
	return 0;
}

/* ---- a group ---- */

#define MEMBERS_MAX 16
#define GROUP_TYPE                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_READ)

static int write_group(struct made *m, char **words, unsigned n)
{
	struct made_event events[MEMBERS_MAX];
	uint32_t group[8] = { 1, 4 };
	struct made_feature feature = { .bit = PTUI_FEAT_GROUP_DESC, .bytes = group, .n = 20 };

	if (n > MEMBERS_MAX)
		return -1;
	for (unsigned i = 0; i < n; i++) {
		char *colon;

		events[i] = (struct made_event){ .type = (uint32_t)strtoul(words[i], &colon, 0),
						 .sample_type = GROUP_TYPE,
						 .read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP,
						 .period = i ? 0 : 1000,
						 .flags = MADE_SAMPLE_ID_ALL,
						 .id = i + 1 };
		events[i].config = strtoull(colon + 1, NULL, 0);
	}
	group[4] = n; /* count of groups, "" as 4 bytes, the leader, members */
	made_events(m, events, n, 128);
	for (unsigned i = 0; i < 50; i++) {
		made_begin(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
		made_u64(m, 1);
		made_u64(m, USER + i);
		made_u32(m, 10);
		made_u32(m, 11);
		made_u64(m, 1000000ull * (i + 1));
		made_u32(m, 0);
		made_u32(m, 0);
		made_u64(m, n);
		for (unsigned k = 0; k < n; k++) {
			made_u64(m, (i + 1) * (1000000ull + 333333 * k) + i * i * 1000);
			made_u64(m, k + 1);
		}
		made_end(m);
	}
	made_finish_with(m, &feature, 1);
	return 0;
}

static int write_fields(struct made *m, const char *records)
{
	made_events(m, &event, 1, 128);
	if (!strcmp(records, "simpleperf"))
		put_simpleperf_records(m);
	if (!strcmp(records, "unknown"))
		put_unknown_records(m);
	for (unsigned i = 0; i < 80; i++)
		put_sample(m, i);
	put_text_poke(m, 5, 20, 90000000);
	put_text_poke(m, 5, 0, 91000000);
	made_finish(m, NULL, 0);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;
	struct made m;
	int ret;

	if (!f)
		return 2;
	made_init(&m, false, false);
	ret = !strcmp(what, "synth")  ? write_synth(&m) :
	      !strcmp(what, "metric") ? write_group(&m, argv + 3, (unsigned)argc - 3) :
					write_fields(&m, what);
	if (ret || fwrite(m.out.data, 1, m.out.len, f) != m.out.len || fclose(f))
		return 1;
	made_release(&m);
	return 0;
}
