/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a big recording without running the load: big FILE LIBRARY SAMPLES [wide]
 *
 * LIBRARY has consecutive functions of BENCH_STEP bytes from the symbol f0 on; their number is its
 * int bench_functions. It is loaded here, so that its map is what the kernel would have recorded.
 * Callchains are BENCH_DEPTH deep; below main they branch now and then, as in a program, so that
 * stacks repeat. Deterministic: a recording can be made again.
 *
 * wide: samples hit any function, for a view with a row for each, and one in eight is of a second
 * event.
 */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/buf.h"
#include "data/write/writer.h"

#define BENCH_STEP  64
#define BENCH_DEPTH 20
#define N_THREADS   4
#define PID	    1000000
#define PERIOD_NS   250000
#define CHUNK_BYTES (1u << 20)

struct big {
	struct data_writer *writer;
	struct perf_event_attr attr;
	struct buf out;
	struct ptui_error err;
	struct data_mmap code;
	uint64_t first; /* address of f0 */
	uint32_t functions;
	uint64_t random;
	bool wide;
};

static uint32_t draw(struct big *b, uint32_t below)
{
	b->random = b->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(b->random >> 33) % below;
}

/* The map around f0, from this process's own maps. */
static int find_code(struct big *b, const char *library)
{
	void *lib = dlopen(library, RTLD_NOW);
	void *first = lib ? dlsym(lib, "f0") : NULL;
	int *functions = lib ? dlsym(lib, "bench_functions") : NULL;
	char line[4096], path[2048];
	uint64_t start, end;
	FILE *maps;
	int ret = -ENOENT;

	if (!first || !functions || !(maps = fopen("/proc/self/maps", "r")))
		return -ENOENT;
	b->first = (uint64_t)(uintptr_t)first;
	b->functions = (uint32_t)*functions;
	while (ret && fgets(line, sizeof(line), maps)) {
		if (sscanf(line,
			   "%" SCNx64 "-%" SCNx64 " r-xp %" SCNx64 " %x:%x %" SCNu64 " %2047s",
			   &start, &end, &b->code.pgoff, &b->code.maj, &b->code.min, &b->code.ino,
			   path) != 7 ||
		    b->first < start || b->first >= end)
			continue;
		b->code.start = start;
		b->code.len = end - start;
		b->code.prot = 5;  /* read, execute */
		b->code.flags = 2; /* private */
		b->code.pid = b->code.tid = PID;
		b->code.path = strdup(path);
		ret = b->code.path ? 0 : -ENOMEM;
	}
	fclose(maps);
	return ret;
}

static int flush(struct big *b)
{
	struct iovec iov = { .iov_base = b->out.data, .iov_len = b->out.len };
	int ret = b->out.err;

	if (!ret && b->out.len)
		ret = data_writer_write(b->writer, &iov, 1, &b->err);
	buf_clear(&b->out);
	return ret;
}

/*
 * From main down; on one level in three one of four functions, each called from its own place in
 * the caller. The sample hits any address in the leaf.
 */
static void add_chain(struct big *b)
{
	uint64_t chain[BENCH_DEPTH];
	uint32_t fn = 0;

	for (unsigned depth = 0; depth < BENCH_DEPTH; depth++) {
		uint32_t way = depth % 3 == 2 ? draw(b, 10) : 0;

		way = way < 7 ? 0 : way - 6;
		if (depth)
			chain[depth - 1] += 8 + way * 8;
		fn = (fn * 7 + way * 131 + depth) % b->functions;
		if (b->wide && depth == BENCH_DEPTH - 1)
			fn = draw(b, b->functions);
		chain[depth] = b->first + fn * BENCH_STEP;
	}
	chain[BENCH_DEPTH - 1] += draw(b, BENCH_STEP);
	buf_add_u64(&b->out, BENCH_DEPTH + 1);
	buf_add_u64(&b->out, PERF_CONTEXT_USER);
	for (unsigned depth = BENCH_DEPTH; depth-- > 0;)
		buf_add_u64(&b->out, chain[depth]);
}

static void add_sample(struct big *b, uint64_t n)
{
	size_t start = b->out.len, ip, chain;
	uint16_t bytes;

	buf_add_u32(&b->out, PERF_RECORD_SAMPLE);
	buf_add_u16(&b->out, PERF_RECORD_MISC_USER);
	buf_add_u16(&b->out, 0);
	if (b->wide)
		buf_add_u64(&b->out, n % 8 == 7 ? 2 : 1);
	ip = b->out.len;
	buf_add_u64(&b->out, 0);
	buf_add_u32(&b->out, PID);
	buf_add_u32(&b->out, PID + (uint32_t)(n % N_THREADS));
	buf_add_u64(&b->out, 1000000000u + n * PERIOD_NS);
	buf_add_u64(&b->out, PERIOD_NS);
	chain = b->out.len + 16; /* after its length and the context */
	add_chain(b);
	if (b->out.err)
		return;
	/* The sample's own address is its chain's first. */
	memcpy(b->out.data + ip, b->out.data + chain, 8);
	bytes = (uint16_t)(b->out.len - start);
	memcpy(b->out.data + start + 6, &bytes, sizeof(bytes));
}

static int write_all(struct big *b, uint64_t samples)
{
	struct perf_event_attr second = b->attr;
	const uint64_t id[] = { 1, 2 };
	char comm[24];
	int ret;

	second.config = PERF_COUNT_SW_TASK_CLOCK;
	ret = data_writer_add_event(b->writer, &b->attr, "cpu-clock", &id[0], 1);
	if (!ret && b->wide)
		ret = data_writer_add_event(b->writer, &second, "task-clock", &id[1], 1);
	if (!ret)
		ret = data_writer_begin(b->writer, &b->err);
	for (int32_t t = 0; !ret && t < N_THREADS; t++) {
		snprintf(comm, sizeof(comm), "bench-%d", t / 2);
		if (t)
			ret = data_put_fork(&b->out, PID, PID, PID + t, PID, &b->attr, NULL);
		if (!ret)
			ret = data_put_comm(&b->out, PID, PID + t, comm, 0, &b->attr, NULL);
	}
	if (!ret)
		ret = data_put_mmap2(&b->out, &b->code, PERF_RECORD_MISC_USER, &b->attr, NULL);
	for (uint64_t n = 0; !ret && n < samples; n++) {
		add_sample(b, n);
		if (b->out.len > CHUNK_BYTES)
			ret = flush(b);
	}
	if (!ret)
		ret = flush(b);
	return ret ? ret : data_writer_finish(b->writer, &b->err);
}

int main(int argc, char **argv)
{
	static struct big b = { .random = 1 };
	uint64_t samples = argc >= 4 ? strtoull(argv[3], NULL, 10) : 0;
	int ret;

	b.wide = argc == 5 && !strcmp(argv[4], "wide");
	if (!samples || argc > 4 + b.wide) {
		fprintf(stderr, "usage: big FILE LIBRARY SAMPLES [wide]\n");
		return 2;
	}
	if (find_code(&b, argv[2])) {
		fprintf(stderr, "big: %s has no f0 and bench_functions\n", argv[2]);
		return 1;
	}
	b.attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.size = PTUI_ATTR_SIZE_VER5,
		.sample_freq = 4000,
		.freq = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD,
		.read_format = PERF_FORMAT_ID,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.task = 1,
		.sample_id_all = 1,
	};
	if (b.wide)
		b.attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	b.writer = data_writer_new(argv[1], &b.err);
	ret = b.writer ? write_all(&b, samples) : -1;
	if (ret)
		fprintf(stderr, "big: %s (%d)\n", b.err.text, ret);
	data_writer_free(b.writer);
	buf_release(&b.out);
	free((char *)b.code.path);
	return ret ? 1 : 0;
}
