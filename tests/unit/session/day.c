/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/session/day.h"

#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/hash.h"
#include "lib/need.h"
#include "profile/profile.h"

#define SERVER	     500 /* its pid, and the tid of its first thread */
#define N_THREADS    8
#define N_PROGRAMS   16 /* in the kernel, at a time */
#define N_PIDS	     15000
#define MIDDLE	     (DAY_LIVING / 2) /* in births after its own */

#define BIN	     0x400000ull
#define COMMON	     0x7f0000000000ull
#define MADE	     0x7e0000000000ull /* generated code */
#define NOWHERE	     0x100000000000ull
#define PROGRAM	     0xffffffffc0000000ull
#define BYTES	     0x10000ull

#define NONE	     UINT64_MAX /* no number */
#define RUN_BYTES    (128u << 10)
#define RUN_SAMPLES  1000
#define RECORD_BYTES 512 /* larger than any record */

static const char *const events[] = { "cpu-clock" };

void day_init(struct day *d, struct fake_kernel *k)
{
	static const pid_t init[] = { 1 };
	pid_t server[N_THREADS];

	memset(d, 0, sizeof(*d));
	d->kernel = k;
	d->run = malloc(RUN_BYTES);
	assert_non_null(d->run);
	for (int i = 0; i < N_THREADS; i++)
		server[i] = SERVER + i;
	fake_process(k, "init", init, 1);
	fake_process(k, "server", server, N_THREADS);
}

void day_release(struct day *d)
{
	free(d->run);
	d->run = NULL;
}

void day_record_opts(struct ptui_record_opts *ret, const char *output)
{
	*ret = (struct ptui_record_opts){ .events = events,
					  .n_events = 1,
					  .system_wide = true,
					  .output = output,
					  .shape.callgraph = PTUI_CALLGRAPH_FP };
}

size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t day_heap_bytes(void)
{
	struct mallinfo2 m;

	if (__sanitizer_get_current_allocated_bytes)
		return __sanitizer_get_current_allocated_bytes();
	m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

/* ---- processes ---- */

static uint64_t newest(uint64_t i)
{
	return DAY_LIVING + i / DAY_BIRTH;
}

static int32_t pid_of(uint64_t serial)
{
	return (int32_t)(1000 + 2 * (serial % N_PIDS));
}

/* Whether it has no program of its own: it runs that of its parent, the process born before it. */
static bool is_copy(uint64_t serial)
{
	return serial % 7 == 3;
}

/* The youngest process in this slot. */
static uint64_t in_slot(uint64_t serial, uint64_t slot, uint64_t n)
{
	return serial - (serial + n - slot) % n;
}

static uint64_t time_of(uint64_t i)
{
	return DAY_BASE_NS + i * DAY_STEP_NS;
}

/* ---- expected samples ---- */

/* A name, followed by a number unless it is NONE. */
static int make_name(char *to, size_t size, const char *name, uint64_t number)
{
	if (number == NONE)
		return snprintf(to, size, "%s", name);
	return snprintf(to, size, "%s%u", name, (unsigned)number);
}

static void set_place(struct day_place *p, const char *dso, uint64_t number, uint64_t off)
{
	memset(p, 0, sizeof(*p));
	make_name(p->dso, sizeof(p->dso), dso, number);
	p->off = off;
}

/* The place of the sample's address, and the address. */
static uint64_t place_in_server(uint64_t i, uint64_t h, struct day_place *ret)
{
	uint64_t slot = h % N_THREADS, off = (h >> 8) % 256 * 16;

	set_place(ret, "code-", in_slot(newest(i), slot, N_THREADS), off);
	return MADE + slot * BYTES + off;
}

static uint64_t place_in_kernel(uint64_t i, uint64_t h, struct day_place *ret)
{
	uint64_t slot = h % N_PROGRAMS, q = in_slot(newest(i), slot, N_PROGRAMS);

	set_place(ret, "bpf_prog_", q, PROGRAM + slot * BYTES + 8);
	make_name(ret->symbol, sizeof(ret->symbol), "bpf_prog_", q);
	return ret->off;
}

static uint64_t place_in_process(uint64_t serial, uint64_t age, uint64_t h, struct day_place *ret)
{
	uint64_t owner = is_copy(serial) ? serial - 1 : serial, off = (h >> 8) % 64 * 16;

	switch (h % 8) {
	case 0:
	case 1:
	case 2:
		set_place(ret, "bin-", owner, off);
		return BIN + off;
	case 3:
	case 4:
		set_place(ret, "libcommon.so", NONE, off);
		return COMMON + off;
	case 5:
	case 6:
		if (age >= MIDDLE * DAY_BIRTH) {
			set_place(ret, "gen-", serial, off);
			return MADE + off;
		}
		set_place(ret, "[JIT] tid ", (uint64_t)pid_of(owner), MADE + off);
		return MADE + off;
	default:
		set_place(ret, "[unknown]", NONE, NOWHERE + h % 4096);
		return ret->off;
	}
}

/* Addresses of the chain, innermost first; `ret` has their places. */
static void sample_of(uint64_t i, struct day_sample *ret, uint64_t *addr)
{
	uint64_t h = hash_u64(i + 1), serial, age, q;
	struct day_place *at = ret->chain;
	bool kernel = h % 16 == 1;

	memset(ret, 0, sizeof(*ret));
	ret->time_ns = time_of(i);
	ret->cpu = (int)(i / RUN_SAMPLES & 1);
	if (i % 16 == 9) { /* idle, in a program that is never unloaded */
		make_name(ret->comm, sizeof(ret->comm), "swapper", NONE);
		set_place(at, "bpf_prog_idle", NONE, PROGRAM + N_PROGRAMS * BYTES + 8);
		make_name(at->symbol, sizeof(at->symbol), "bpf_prog_idle", NONE);
		addr[0] = at->off;
		ret->n_chain = 1;
		ret->at = *at;
		return;
	}
	h >>= 4;
	if (h % 4 == 0) {
		q = in_slot(newest(i), h >> 16 & (N_THREADS - 1), N_THREADS);
		ret->pid = SERVER;
		ret->tid = SERVER + (int32_t)(q % N_THREADS);
		make_name(ret->comm, sizeof(ret->comm), "job-", q);
		addr[0] = kernel ? place_in_kernel(i, h >> 8, at) : place_in_server(i, h >> 8, at);
		set_place(&ret->chain[1], "[unknown]", NONE, NOWHERE + 1);
		addr[1] = NOWHERE + 1;
		ret->n_chain = 2;
	} else {
		serial = newest(i) - (h >> 16) % DAY_LIVING;
		age = i % DAY_BIRTH + (newest(i) - serial) * DAY_BIRTH;
		ret->pid = ret->tid = pid_of(serial);
		if (age >= MIDDLE * DAY_BIRTH) {
			ret->tid += h >> 24 & 1;
			make_name(ret->comm, sizeof(ret->comm), "late-", serial);
		} else {
			make_name(ret->comm, sizeof(ret->comm), "early-",
				  is_copy(serial) ? serial - 1 : serial);
		}
		addr[0] = kernel ? place_in_kernel(i, h >> 8, at) :
				   place_in_process(serial, age, h >> 8, at);
		addr[1] = place_in_process(serial, age, 3 | (h >> 28) << 8, &ret->chain[1]);
		addr[2] = place_in_process(serial, age, 0x100, &ret->chain[2]);
		ret->n_chain = 3;
	}
	if (i % 8 == 5) { /* a bogus caller */
		addr[ret->n_chain] = 2 * NOWHERE + i * 64;
		set_place(&ret->chain[ret->n_chain], "[unknown]", NONE, addr[ret->n_chain]);
		ret->n_chain++;
	}
	ret->at = ret->chain[0];
}

void day_expect(uint64_t i, struct day_sample *ret)
{
	uint64_t addr[DAY_DEPTH];

	sample_of(i, ret, addr);
}

/* ---- the kernel's records ---- */

static void flush(struct day *d)
{
	if (!d->n_run)
		return;
	while (!fake_emit_many(d->kernel, d->cpu, d->run, d->n_run))
		sched_yield();
	d->n_run = d->n_records = 0;
}

/* Called after everything was read. */
static void change_cpu(struct day *d, int cpu)
{
	if (cpu == d->cpu)
		return;
	flush(d);
	while (!fake_is_drained(d->kernel, d->cpu))
		sched_yield();
	d->cpu = cpu;
}

static uint8_t *begin_record(struct day *d)
{
	if (d->n_run + RECORD_BYTES > RUN_BYTES)
		flush(d);
	return d->run + d->n_run;
}

static void end_record(struct day *d, uint32_t type, uint16_t misc, const uint8_t *end)
{
	struct perf_event_header header = { type, misc, (uint16_t)(end - d->run - d->n_run) };

	memcpy(d->run + d->n_run, &header, sizeof(header));
	d->n_run = (size_t)(end - d->run);
	d->n_records++;
}

static uint8_t *put(uint8_t *at, const void *bytes, size_t n)
{
	memcpy(at, bytes, n);
	return at + n;
}

static uint8_t *put_u64(uint8_t *at, uint64_t v)
{
	return put(at, &v, sizeof(v));
}

static uint8_t *put_u32s(uint8_t *at, uint32_t a, uint32_t b)
{
	return put_u64(at, a | (uint64_t)b << 32);
}

/* Padded with zeros to whole words. */
static uint8_t *put_name(uint8_t *at, const char *name, uint64_t number)
{
	char text[64] = "";
	int n = make_name(text, sizeof(text), name, number);

	return put(at, text, ((size_t)n + 8) & ~(size_t)7);
}

static const struct fake_fd *counter(const struct day *d, uint64_t config)
{
	const struct fake_fd *f = fake_find(d->kernel, PERF_TYPE_SOFTWARE, config, -1, d->cpu);

	assert_non_null(f);
	return f;
}

/* Sideband records come between two samples, one nanosecond apart. */
static void end_sideband(struct day *d, uint32_t type, uint16_t misc, uint8_t *at, int32_t pid,
			 int32_t tid)
{
	const struct fake_fd *f = counter(d, PERF_COUNT_SW_DUMMY);
	uint64_t has = f->attr.sample_type;

	if (has & PERF_SAMPLE_TID)
		at = put_u32s(at, (uint32_t)pid, (uint32_t)tid);
	if (has & PERF_SAMPLE_TIME)
		at = put_u64(at, time_of(d->n) - DAY_STEP_NS / 2 + d->n_beside++);
	if (has & PERF_SAMPLE_ID)
		at = put_u64(at, f->id);
	if (has & PERF_SAMPLE_CPU)
		at = put_u64(at, (uint64_t)d->cpu);
	if (has & PERF_SAMPLE_IDENTIFIER)
		at = put_u64(at, f->id);
	end_record(d, type, misc, at);
	d->sideband++;
}

static void tell_task(struct day *d, uint32_t type, int32_t pid, int32_t tid, int32_t ppid)
{
	uint8_t *at = begin_record(d) + sizeof(struct perf_event_header);

	at = put_u32s(at, (uint32_t)pid, (uint32_t)ppid);
	at = put_u32s(at, (uint32_t)tid, (uint32_t)ppid);
	at = put_u64(at, time_of(d->n));
	end_sideband(d, type, 0, at, pid, tid);
}

static void tell_comm(struct day *d, int32_t pid, int32_t tid, bool exec, const char *name,
		      uint64_t number)
{
	uint8_t *at = begin_record(d) + sizeof(struct perf_event_header);

	at = put_u32s(at, (uint32_t)pid, (uint32_t)tid);
	at = put_name(at, name, number);
	end_sideband(d, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, at, pid, tid);
}

static void tell_map(struct day *d, int32_t pid, uint64_t start, const char *name, uint64_t number)
{
	uint8_t *at = begin_record(d) + sizeof(struct perf_event_header);

	at = put_u32s(at, (uint32_t)pid, (uint32_t)pid);
	at = put_u64(at, start);
	at = put_u64(at, BYTES);
	at = put_u64(at, 0);
	at = put_u32s(at, 8, 1);
	at = put_u64(at, number & UINT32_MAX);
	at = put_u64(at, 0);
	at = put_u32s(at, PROT_READ | PROT_EXEC, MAP_PRIVATE);
	at = put_name(at, name, number);
	end_sideband(d, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, at, pid, pid);
}

static void tell_program(struct day *d, uint64_t slot, uint64_t number, bool comes)
{
	uint8_t *at = begin_record(d) + sizeof(struct perf_event_header);

	at = put_u64(at, PROGRAM + slot * BYTES);
	at = put_u32s(at, 4096, PERF_RECORD_KSYMBOL_TYPE_BPF | (comes ? 0 : 1u << 16));
	at = number == NONE ? put_name(at, "bpf_prog_idle", NONE) :
			      put_name(at, "bpf_prog_", number);
	end_sideband(d, PERF_RECORD_KSYMBOL, 0, at, 0, 0);
}

static void tell_birth(struct day *d, uint64_t serial)
{
	int32_t pid = pid_of(serial);
	uint64_t slot = serial % N_THREADS;

	tell_task(d, PERF_RECORD_FORK, pid, pid, is_copy(serial) ? pid_of(serial - 1) : 1);
	if (!is_copy(serial)) {
		tell_comm(d, pid, pid, true, "early-", serial);
		tell_map(d, pid, BIN, "/none/bin-", serial);
		tell_map(d, pid, COMMON, "/none/libcommon.so", NONE);
		tell_map(d, pid, MADE, "//anon", NONE);
	}
	tell_comm(d, SERVER, (int32_t)(SERVER + slot), false, "job-", serial);
	tell_map(d, SERVER, MADE + slot * BYTES, "/none/code-", serial);
	if (serial >= N_PROGRAMS)
		tell_program(d, serial % N_PROGRAMS, serial - N_PROGRAMS, false);
	tell_program(d, serial % N_PROGRAMS, serial, true);
}

static void tell_middle(struct day *d, uint64_t serial)
{
	int32_t pid = pid_of(serial);

	tell_comm(d, pid, pid, false, "late-", serial);
	tell_task(d, PERF_RECORD_FORK, pid, pid + 1, pid);
	tell_map(d, pid, MADE, "/none/gen-", serial);
}

static void tell_end(struct day *d, uint64_t serial)
{
	int32_t pid = pid_of(serial);

	tell_task(d, PERF_RECORD_EXIT, pid, pid + 1, pid);
	tell_task(d, PERF_RECORD_EXIT, pid, pid, pid);
}

/* The processes that exist at the first sample, and the BPF program that is never unloaded. */
static void tell_beginning(struct day *d)
{
	tell_program(d, N_PROGRAMS, NONE, true);
	for (uint64_t q = 0; q < DAY_LIVING; q++) {
		tell_birth(d, q);
		if (q >= MIDDLE)
			tell_middle(d, q - MIDDLE);
	}
}

static void tell_sample(struct day *d)
{
	const struct fake_fd *f = counter(d, PERF_COUNT_SW_CPU_CLOCK);
	uint64_t addr[DAY_DEPTH], has = f->attr.sample_type;
	uint8_t *at = begin_record(d) + sizeof(struct perf_event_header);
	struct day_sample s;
	bool kernel;

	d->n_beside = 0;
	sample_of(d->n, &s, addr);
	kernel = s.at.symbol[0];
	if (has & PERF_SAMPLE_IDENTIFIER)
		at = put_u64(at, f->id);
	at = put_u64(at, addr[0]);
	at = put_u32s(at, (uint32_t)s.pid, (uint32_t)s.tid);
	at = put_u64(at, s.time_ns);
	if (has & PERF_SAMPLE_ID)
		at = put_u64(at, f->id);
	if (has & PERF_SAMPLE_CPU)
		at = put_u64(at, (uint64_t)s.cpu);
	if (has & PERF_SAMPLE_PERIOD)
		at = put_u64(at, 1000000);
	at = put_u64(at, s.n_chain + 1 + (kernel && s.n_chain > 1));
	at = put_u64(at, (uint64_t)(kernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER));
	for (size_t i = 0; i < s.n_chain; i++) {
		if (i == 1 && kernel)
			at = put_u64(at, (uint64_t)PERF_CONTEXT_USER);
		at = put_u64(at, addr[i]);
	}
	end_record(d, PERF_RECORD_SAMPLE, kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		   at);
}

void day_live(struct day *d, uint64_t n)
{
	for (uint64_t end = d->n + n; d->n < end; d->n++) {
		change_cpu(d, (int)(d->n / RUN_SAMPLES & 1));
		if (!d->n)
			tell_beginning(d);
		if (d->n % DAY_BIRTH == 0) {
			tell_birth(d, newest(d->n));
			tell_middle(d, newest(d->n) - MIDDLE);
			tell_end(d, newest(d->n) - DAY_LIVING);
		}
		tell_sample(d);
	}
	flush(d);
}

/* ---- comparing with profiles ---- */

static void assert_place(const struct ptui_profile *p, uint32_t frame, const struct day_place *want)
{
	const struct profile_frame *f = &p->frames[frame];

	assert_true(frame < p->n_frames);
	assert_string_equal(f->short_name == PTUI_NONE ? "[unknown]" :
							 strpool_get(&p->names, f->short_name),
			    want->dso);
	assert_string_equal(f->sym_name == PTUI_NONE ? "" : strpool_get(&p->names, f->sym_name),
			    want->symbol);
	assert_int_equal(f->addr, want->off);
}

static void assert_sample(const struct ptui_profile *p, size_t row, const struct day_sample *want)
{
	const struct samples *s = &p->samples;
	uint32_t node = s->stack[row];

	assert_int_equal(s->time_ns[row], want->time_ns);
	assert_int_equal(s->threads[s->thread[row]].pid, want->pid);
	assert_int_equal(s->threads[s->thread[row]].tid, want->tid);
	assert_string_equal(strpool_get(&p->names, s->comm[row]), want->comm);
	assert_place(p, s->frame[row], &want->at);
	for (size_t i = 0; i < want->n_chain; i++) {
		assert_true(node < p->stacks.n);
		assert_place(p, p->stacks.nodes[node].frame, &want->chain[i]);
		node = p->stacks.nodes[node].parent;
	}
	assert_int_equal(node, PTUI_NONE);
}

struct tally {
	char row[128];
	uint64_t samples;
};

static int by_row(const void *a, const void *b)
{
	return strcmp(((const struct tally *)a)->row, ((const struct tally *)b)->row);
}

/* Merges equal entries. */
static size_t tally_add_up(struct tally *t, size_t n)
{
	size_t to = 0;

	qsort(t, n, sizeof(*t), by_row);
	for (size_t i = 1; i < n; i++) {
		if (by_row(&t[to], &t[i]))
			t[++to] = t[i];
		else
			t[to].samples += t[i].samples;
	}
	return n ? to + 1 : 0;
}

static void tally_sample(struct tally *t, const struct day_sample *s)
{
	if (s->at.symbol[0])
		snprintf(t->row, sizeof(t->row), "%s|%s|[k] %s", s->comm, s->at.dso, s->at.symbol);
	else
		snprintf(t->row, sizeof(t->row), "%s|%s|[.] %#.16llx", s->comm, s->at.dso,
			 (unsigned long long)s->at.off);
	t->samples = 1;
}

static void assert_rows(struct ptui_profile *p, struct tally *want, size_t n)
{
	const struct ptui_hist_opts opts = { .sort = "comm,dso,sym", .fields = "comm,dso,sym" };
	struct ptui_hist *h = ptui_hist_new(p, &opts, NULL);
	struct tally *shown;

	assert_non_null(h);
	n = tally_add_up(want, n);
	assert_int_equal(ptui_hist_n_rows(h), n);
	shown = calloc(n + 1, sizeof(*shown));
	assert_non_null(shown);
	for (size_t i = 0; i < n; i++) {
		char comm[32], dso[48], symbol[48];
		struct ptui_row row;

		ptui_hist_cell(h, i, 0, comm, sizeof(comm));
		ptui_hist_cell(h, i, 1, dso, sizeof(dso));
		ptui_hist_cell(h, i, 2, symbol, sizeof(symbol));
		ptui_hist_row(h, i, &row);
		snprintf(shown[i].row, sizeof(shown[i].row), "%s|%s|%s", comm, dso, symbol);
		shown[i].samples = row.samples;
	}
	qsort(shown, n, sizeof(*shown), by_row);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(shown[i].row, want[i].row);
		assert_int_equal(shown[i].samples, want[i].samples);
	}
	free(shown);
	ptui_hist_free(h);
}

void assert_day_is_true(struct ptui_profile *p, uint64_t fed, uint64_t left)
{
	size_t n = p->samples.n;
	struct tally *tally = calloc(n + 1, sizeof(*tally));
	struct day_sample want;

	assert_non_null(tally);
	assert_int_equal(n + left, fed);
	assert_int_equal(ptui_profile_event(p, 0)->samples, n);
	for (size_t i = 0; i < n; i++) {
		day_expect(left + i, &want);
		assert_sample(p, i, &want);
		tally_sample(&tally[i], &want);
	}
	assert_rows(p, tally, n);
	free(tally);
}
