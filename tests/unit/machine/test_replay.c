/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random recordings in the machine and in a simple model, which replays every record in order: at
 * time T each process has a list of maps, newest last; FORK copies the parent's, exec empties it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "machine/machine.h"

#define N_RECORDS 120
#define N_PIDS	  5
#define N_TIMES	  40
#define N_ADDRS	  24 /* pages */
#define MAX_MAPS  4096

struct rec {
	struct data_record r;
	uint64_t when;
	char path[16];
};

struct model_map {
	uint64_t start, end;
	char path[16];
	bool ksymbol;
};

struct model_proc {
	bool known;
	size_t n;
	struct model_map maps[MAX_MAPS];
};

static struct rec recs[N_RECORDS];
static struct model_proc procs[N_PIDS + 1]; /* the last is the kernel */
static uint64_t rng;

static uint32_t rnd(uint32_t n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % n;
}

static void make_record(struct rec *rec, uint64_t seq, bool timed)
{
	struct data_record *r = &rec->r;
	uint32_t kind = rnd(100);
	int pid = (int)rnd(N_PIDS);

	memset(rec, 0, sizeof(*rec));
	rec->when = !timed ? seq : rnd(4) ? rnd(N_TIMES) : 0;
	r->seq = seq;
	snprintf(rec->path, sizeof(rec->path), "/m%u", (unsigned)seq);
	if (kind < 60) {
		r->type = rnd(2) ? PERF_RECORD_MMAP : PERF_RECORD_MMAP2;
		r->misc = DATA_MODE_USER;
		if (!rnd(8)) {
			pid = -1;
			r->misc = DATA_MODE_KERNEL;
		}
		r->mmap.pid = pid;
		r->mmap.start = (uint64_t)rnd(N_ADDRS) << 12;
		r->mmap.len = (uint64_t)(1 + rnd(N_ADDRS / 2)) << 12;
		r->mmap.path = rec->path;
	} else if (kind < 78) {
		r->type = PERF_RECORD_FORK;
		r->misc = rnd(6) ? 0 : 1 << 13;
		r->task.pid = r->task.tid = pid;
		r->task.ppid = r->task.ptid = (int)rnd(N_PIDS);
	} else if (kind < 88) {
		r->type = PERF_RECORD_COMM;
		r->comm.pid = r->comm.tid = pid;
		r->comm.exec = rnd(3);
		r->comm.name = rec->path;
	} else if (kind < 98) {
		r->type = PERF_RECORD_KSYMBOL;
		r->ksymbol.addr = (uint64_t)rnd(4) << 12;
		r->ksymbol.len = 0x2000;
		r->ksymbol.flags = (uint16_t)rnd(2);
		r->ksymbol.name = rec->path;
	} else {
		r->type = PERF_RECORD_EXIT;
		r->task.pid = r->task.tid = pid;
	}
}

static int by_time(const void *va, const void *vb)
{
	const struct rec *a = *(const struct rec *const *)va, *b = *(const struct rec *const *)vb;

	if (a->when != b->when)
		return a->when < b->when ? -1 : 1;
	return a->r.seq < b->r.seq ? -1 : 1;
}

static void push(struct model_proc *p, uint64_t start, uint64_t end, const char *path, bool ksymbol)
{
	struct model_map *mm = &p->maps[p->n++];

	assert_true(p->n < MAX_MAPS);
	mm->start = start;
	mm->end = end;
	mm->ksymbol = ksymbol;
	snprintf(mm->path, sizeof(mm->path), "%s", path);
}

static void play_ksymbol(const struct data_record *r)
{
	struct model_proc *k = &procs[N_PIDS];

	if (!r->ksymbol.flags) {
		push(k, r->ksymbol.addr, r->ksymbol.addr + r->ksymbol.len, r->ksymbol.name, true);
		return;
	}
	for (size_t i = k->n; i-- > 0;) {
		if (!k->maps[i].ksymbol || k->maps[i].start != r->ksymbol.addr)
			continue;
		memmove(&k->maps[i], &k->maps[i + 1], (k->n - i - 1) * sizeof(k->maps[0]));
		k->n--;
		return;
	}
}

static void play_fork(const struct data_record *r)
{
	struct model_proc *p = &procs[r->task.pid];

	if (r->task.pid == r->task.ppid)
		return;
	p->n = 0;
	p->known = true;
	if (r->misc & 1 << 13)
		return;
	p->n = procs[r->task.ppid].n;
	memcpy(p->maps, procs[r->task.ppid].maps, p->n * sizeof(p->maps[0]));
}

static void play(const struct data_record *r)
{
	struct model_proc *p;

	switch (r->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		p = &procs[r->mmap.pid == -1 ? N_PIDS : r->mmap.pid];
		push(p, r->mmap.start, r->mmap.start + r->mmap.len, r->mmap.path, false);
		break;
	case PERF_RECORD_FORK:
		play_fork(r);
		break;
	case PERF_RECORD_COMM:
		if (r->comm.exec)
			procs[r->comm.pid].n = 0;
		break;
	case PERF_RECORD_KSYMBOL:
		play_ksymbol(r);
		break;
	}
}

static const char *model_find(int pid, uint64_t addr)
{
	const struct model_proc *p = &procs[pid == -1 ? N_PIDS : pid];

	for (size_t i = p->n; i-- > 0;)
		if (p->maps[i].start <= addr && addr < p->maps[i].end)
			return p->maps[i].path;
	return "none";
}

/* [when][pid + 1][page] -> the model's result */
static char answers[N_RECORDS + N_TIMES][N_PIDS + 1][N_ADDRS + N_ADDRS / 2][16];

static void play_all(struct rec **sorted, uint64_t n_times)
{
	size_t i = 0;

	memset(procs, 0, sizeof(procs));
	for (uint64_t t = 0; t < n_times; t++) {
		for (; i < N_RECORDS && sorted[i]->when <= t; i++)
			play(&sorted[i]->r);
		for (int pid = -1; pid < N_PIDS; pid++)
			for (int page = 0; page < N_ADDRS + N_ADDRS / 2; page++)
				snprintf(answers[t][pid + 1][page], 16, "%s",
					 model_find(pid, (uint64_t)page << 12 | 0x123));
	}
}

static const char *machine_says(const struct machine *m, const struct strpool *names, int pid,
				uint64_t t, int page, uint64_t *from, uint64_t *to)
{
	const struct machine_map *map =
		machine_map_validity(m, pid, t, (uint64_t)page << 12 | 0x123, from, to);

	return map ? strpool_get(names, machine_module(m, map->module)->path) : "none";
}

/* The result holds for all addresses and times of the place. */
static void check_place(const struct machine *m, const struct strpool *names, int pid, uint64_t t,
			int page, uint64_t n_times)
{
	const uint64_t addr = (uint64_t)page << 12 | 0x123;
	const char *want = answers[t][pid + 1][page];
	const struct machine_map *map;
	struct machine_place at;

	map = machine_find_place(m, pid, t, addr, &at);
	assert_string_equal(map ? strpool_get(names, machine_module(m, map->module)->path) : "none",
			    want);
	if (!map)
		return;
	assert_true(at.start <= addr && addr < at.end && at.from <= t && t < at.to);
	assert_true(map->start <= at.start && at.end <= map->end);
	for (int i = 0; i < N_ADDRS + N_ADDRS / 2; i++) {
		uint64_t other = (uint64_t)i << 12 | 0x123;

		if (other < at.start || other >= at.end)
			continue;
		for (uint64_t u = at.from; u < at.to && u < n_times; u++)
			assert_string_equal(answers[u][pid + 1][i], want);
	}
}

static unsigned n_gaps;

/* Nothing is mapped at all addresses and times of a gap, and the space is the same. */
static void check_gap(const struct machine *m, int pid, uint64_t t, int page, uint64_t n_times)
{
	const uint64_t addr = (uint64_t)page << 12 | 0x123;
	struct machine_place at;

	if (!machine_find_gap(m, pid, t, addr, &at))
		return;
	n_gaps++;
	assert_true(at.start <= addr && addr < at.end && at.from <= t && t < at.to);
	for (uint64_t u = at.from; u < at.to && u < n_times; u++)
		assert_int_equal(machine_space(m, pid, u), machine_space(m, pid, t));
	for (int i = 0; i < N_ADDRS + N_ADDRS / 2; i++) {
		uint64_t other = (uint64_t)i << 12 | 0x123;

		if (other < at.start || other >= at.end)
			continue;
		for (uint64_t u = at.from; u < at.to && u < n_times; u++)
			assert_string_equal(answers[u][pid + 1][i], "none");
	}
}

static void compare(const struct machine *m, const struct strpool *names, uint64_t n_times)
{
	uint64_t from, to;

	for (uint64_t t = 0; t < n_times; t++)
		for (int pid = -1; pid < N_PIDS; pid++)
			for (int page = 0; page < N_ADDRS + N_ADDRS / 2; page++) {
				const char *want = answers[t][pid + 1][page];
				const char *have = machine_says(m, names, pid, t, page, &from, &to);

				if (strcmp(want, have))
					fail_msg("pid %d page %d time %d: %s, not %s", pid, page,
						 (int)t, have, want);
				assert_true(from <= t && t < to);
				for (uint64_t u = from; u < to && u < n_times; u++)
					assert_string_equal(answers[u][pid + 1][page], have);
				check_place(m, names, pid, t, page, n_times);
				check_gap(m, pid, t, page, n_times);
			}
}

/* Adds the records: all at once, or as in a growing recording with seals in between. */
static void tell(struct machine *m, struct rec *const *recs_in_any_order, uint64_t n_times,
		 bool growing)
{
	for (uint64_t t = 0; growing && t < n_times; t++) {
		for (size_t i = 0; i < N_RECORDS; i++)
			if (recs_in_any_order[i]->when == t)
				assert_int_equal(machine_add(m, &recs_in_any_order[i]->r, t), 0);
		/* unsealed records wait for the next seal */
		assert_int_equal(machine_seal_until(m, rnd(2) ? t : t / 2), 0);
		assert_true(machine_known_until(m) <= t);
	}
	for (size_t i = 0; !growing && i < N_RECORDS; i++)
		assert_int_equal(
			machine_add(m, &recs_in_any_order[i]->r, recs_in_any_order[i]->when), 0);
	assert_int_equal(machine_seal(m), 0);
	assert_int_equal(machine_known_until(m), UINT64_MAX);
}

static void one_recording(uint64_t seed, bool timed, bool growing)
{
	struct rec *sorted[N_RECORDS];
	struct strpool names;
	struct machine *m;

	rng = seed * 0x9e3779b97f4a7c15ULL + 1;
	assert_int_equal(strpool_init(&names), 0);
	m = machine_new(&names);
	assert_non_null(m);
	for (size_t i = 0; i < N_RECORDS; i++) {
		make_record(&recs[i], i + 1, timed);
		sorted[i] = &recs[i];
	}
	/* they may be added in any order */
	for (size_t i = N_RECORDS; i-- > 1;) {
		size_t j = rnd((uint32_t)i + 1);
		struct rec *swap = sorted[i];

		sorted[i] = sorted[j];
		sorted[j] = swap;
	}
	tell(m, sorted, timed ? N_TIMES : N_RECORDS + 1, growing);
	qsort(sorted, N_RECORDS, sizeof(sorted[0]), by_time);
	play_all(sorted, timed ? N_TIMES : N_RECORDS + 1);
	compare(m, &names, timed ? N_TIMES : N_RECORDS + 1);
	machine_free(m);
	strpool_release(&names);
}

static void test_timed(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++)
		one_recording(seed, true, false);
	assert_true(n_gaps > 1000);
}

static void test_by_position(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++)
		one_recording(seed, false, false);
}

static void test_growing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++)
		one_recording(seed, seed & 1, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timed),
		cmocka_unit_test(test_by_position),
		cmocka_unit_test(test_growing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
