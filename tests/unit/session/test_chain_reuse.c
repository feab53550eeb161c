/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a chain takes over from the one before, and the resolver from its caches, means the same as if
 * each address were looked up in the machine: random maps, execs and forks, at addresses that the
 * chains keep using, while chains share most of their callers.
 */
#include <string.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "profile/row_writer.h"
#include "session/chain.h"

#define N_PIDS	  3
#define N_TIMES	  60
#define N_RECORDS 80
#define N_SAMPLES 1500
#define DEPTH	  6
#define PAGES	  6
#define KERNEL	  0xffffffff80000000ull

static uint64_t rng;

static uint32_t rnd(uint32_t n)
{
	rng = rng * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(rng >> 33) % n;
}

struct world {
	struct strpool names;
	struct machine *m;
	struct resolver *r;
	struct profile_store store;
	struct row_writer rows;
	struct chain_builder chains;
	uint64_t seq;
	size_t known; /* chains with known callers */
};

static void add_record(struct world *w, uint64_t when)
{
	static const char *const paths[] = { "/a", "/b", "/c", "//anon", "[vdso]" };
	struct data_record rec = { .seq = w->seq++ };
	int32_t pid = (int32_t)rnd(N_PIDS) + 1;
	uint32_t what = rnd(12);

	if (what < 8) {
		bool kernel = what == 7;

		rec.type = PERF_RECORD_MMAP2;
		rec.misc = kernel ? DATA_MODE_KERNEL : DATA_MODE_USER;
		rec.mmap = (struct data_mmap){ .pid = kernel ? -1 : pid,
					       .tid = pid,
					       .start = (kernel ? KERNEL : 0) + (rnd(PAGES) << 12),
					       .len = (rnd(3) + 1) << 12,
					       .pgoff = rnd(4) << 12,
					       .prot = 5,
					       .path = kernel ? "/m.ko" : paths[rnd(5)] };
	} else if (what < 10) {
		rec.type = PERF_RECORD_COMM;
		rec.comm.pid = rec.comm.tid = pid;
		rec.comm.name = "exec";
		rec.comm.exec = true;
	} else {
		rec.type = PERF_RECORD_FORK;
		rec.task.pid = rec.task.tid = pid;
		rec.task.ppid = rec.task.ptid = (int32_t)rnd(N_PIDS) + 1;
		rec.task.time_ns = when;
		if (rec.task.pid == rec.task.ppid)
			return;
	}
	assert_int_equal(machine_add(w->m, &rec, when), 0);
}

/* A frame is what the machine has at the address. */
static void check_frame(const struct world *w, uint32_t id, int32_t pid, unsigned mode,
			uint64_t when, uint64_t addr)
{
	const int32_t map_pid = mode == DATA_MODE_KERNEL ? -1 : pid;
	const struct machine_map *map = machine_find_map(w->m, map_pid, when, addr);
	const struct frame *f = &resolver_frames(w->r)[id];
	const struct module_ref *ref;

	assert_int_equal(f->mode, mode);
	if (!map) {
		assert_int_equal(f->dso, PTUI_NONE);
		assert_int_equal(f->off, addr);
		if (mode == DATA_MODE_USER)
			assert_int_equal(f->space, machine_space(w->m, pid, when));
		return;
	}
	assert_int_equal(f->dso, map->module);
	ref = machine_module(w->m, map->module);
	assert_int_equal(f->off, ref->memory ? addr :
					       addr - map->start +
						       (!strcmp(strpool_get(&w->names, ref->path),
								"[vdso]") ?
								0 :
								map->pgoff));
}

/* The stack of the sample's chain. */
static uint32_t intern(struct world *w, const struct data_sample *s, uint64_t when)
{
	const struct chain_builder *c = &w->chains;

	assert_int_equal(chain_resolve(&w->chains, w->r, s, NULL, when), 0);
	w->known += c->known;
	assert_int_equal(row_writer_chain(&w->rows, &(struct row_chain){ .frames = c->frames,
									 .n = c->n_frames,
									 .known = c->known,
									 .same = c->same,
									 .kept_at = c->kept_at }),
			 0);
	return w->rows.stack;
}

static void check_sample(struct world *w, const struct data_sample *s, uint64_t when)
{
	uint32_t stack = 0, at, i = 0;
	unsigned mode = DATA_MODE_USER;
	uint64_t chain[DEPTH + 2];

	memcpy(chain, s->chain, s->n_chain * sizeof(*chain));
	stack = intern(w, s, when);
	for (at = stack; i < s->n_chain; i++) {
		if (chain[i] >= (uint64_t)PERF_CONTEXT_MAX) {
			mode = chain[i] == (uint64_t)PERF_CONTEXT_KERNEL ? DATA_MODE_KERNEL :
									   DATA_MODE_USER;
			continue;
		}
		assert_int_not_equal(at, PTUI_NONE);
		check_frame(w, w->store.stacks.nodes[at].frame, s->pid, mode, when, chain[i]);
		at = w->store.stacks.nodes[at].parent;
	}
	assert_int_equal(at, PTUI_NONE);
	check_frame(w, w->chains.leaf, s->pid, s->misc, when, s->ip);
}

/* The next chain: some inner addresses are other ones, sometimes outer ones as well. */
static void change_chain(uint64_t *chain, uint32_t *n_user, uint32_t *n_kernel)
{
	uint32_t others = rnd(4) ? rnd(3) : DEPTH;

	*n_kernel = rnd(3);
	*n_user = DEPTH - *n_kernel - rnd(2);
	for (uint32_t i = 0; i < others; i++)
		chain[i] = (rnd(PAGES + 2) << 12) + rnd(3) * 16;
}

/* Returns the number of chains with known callers. */
static size_t one_recording(uint64_t seed, bool growing, bool keep)
{
	uint64_t addrs[DEPTH] = { 0 }, chain[DEPTH + 2], until = 0;
	struct resolver_opts opts = { .roots = &roots_system, .home = "/nonexistent" };
	struct world w = { .seq = 0 };
	uint32_t n_user = 1, n_kernel = 0;

	rng = seed;
	assert_int_equal(strpool_init(&w.names), 0);
	w.m = machine_new(&w.names);
	assert_int_equal(profile_store_init(&w.store, STORE_UNBOUNDED), 0);
	row_writer_init(&w.rows, &w.store);
	if (keep)
		chain_builder_keep(&w.chains);
	for (int i = 0; i < N_RECORDS && !growing; i++)
		add_record(&w, rnd(N_TIMES));
	assert_int_equal(growing ? machine_seal_until(w.m, 0) : machine_seal(w.m), 0);
	w.r = resolver_new(w.m, &w.names, &opts);
	assert_non_null(w.r);
	for (int i = 0; i < N_SAMPLES; i++) {
		uint64_t when = growing ? until : rnd(3) ? N_TIMES / 2 : rnd(N_TIMES);
		struct data_sample s = { .pid = rnd(4) ? 1 : (int32_t)rnd(N_PIDS + 1) + 1,
					 .chain = chain };

		if (growing && !rnd(20)) {
			for (uint32_t k = rnd(4); k--;)
				add_record(&w, until + 1);
			assert_int_equal(machine_seal_until(w.m, ++until), 0);
			when = until;
		}
		change_chain(addrs, &n_user, &n_kernel);
		if (n_kernel)
			chain[s.n_chain++] = (uint64_t)PERF_CONTEXT_KERNEL;
		for (uint32_t k = 0; k < n_kernel; k++)
			chain[s.n_chain++] = KERNEL + addrs[k];
		chain[s.n_chain++] = (uint64_t)PERF_CONTEXT_USER;
		for (uint32_t k = 0; k < n_user; k++)
			chain[s.n_chain++] = addrs[DEPTH - n_user + k];
		/* the sample's own address: nearly always the innermost of its chain */
		s.misc = n_kernel ? DATA_MODE_KERNEL : DATA_MODE_USER;
		s.ip = rnd(8) ? chain[1] : addrs[rnd(DEPTH)];
		check_sample(&w, &s, when);
	}
	chain_builder_release(&w.chains);
	row_writer_release(&w.rows);
	profile_store_release(&w.store);
	resolver_free(w.r);
	machine_free(w.m);
	strpool_release(&w.names);
	return w.known;
}

static void test_whole(void **state)
{
	size_t known = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++)
		known += one_recording(seed, false, seed & 1);
	assert_true(known > 1000);
}

static void test_growing(void **state)
{
	size_t known = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++)
		known += one_recording(seed, true, seed & 1);
	assert_true(known > 1000);
}

/* Equal chains of one process before and after another file was mapped at their address. */
static void test_other_file(void **state)
{
	static const char *const expected[] = { "/old", "/new", "/old", "/exec" };
	static const uint64_t times[] = { 15, 25, 16, 35 };
	uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x1010, 0x1020 };
	struct data_sample s = { .pid = 1, .chain = chain, .n_chain = 3 };
	struct data_record map = { .type = PERF_RECORD_MMAP2, .misc = DATA_MODE_USER };
	struct data_record exec = { .type = PERF_RECORD_COMM };
	struct resolver_opts opts = { .roots = &roots_system, .home = "/nonexistent" };
	struct world w = { .seq = 0 };

	(void)state;
	assert_int_equal(strpool_init(&w.names), 0);
	w.m = machine_new(&w.names);
	assert_int_equal(profile_store_init(&w.store, STORE_UNBOUNDED), 0);
	row_writer_init(&w.rows, &w.store);
	chain_builder_keep(&w.chains);
	map.mmap = (struct data_mmap){
		.pid = 1, .tid = 1, .start = 0x1000, .len = 0x1000, .prot = 5, .path = "/old"
	};
	assert_int_equal(machine_add(w.m, &map, 10), 0);
	map.mmap.path = "/new";
	assert_int_equal(machine_add(w.m, &map, 20), 0);
	exec.comm.pid = exec.comm.tid = 1;
	exec.comm.name = "exec";
	exec.comm.exec = true;
	assert_int_equal(machine_add(w.m, &exec, 30), 0);
	map.mmap.path = "/exec";
	assert_int_equal(machine_add(w.m, &map, 31), 0);
	assert_int_equal(machine_seal(w.m), 0);
	w.r = resolver_new(w.m, &w.names, &opts);
	assert_non_null(w.r);
	for (int i = 0; i < 4; i++) {
		uint32_t stack, dso;

		stack = intern(&w, &s, times[i]);
		dso = resolver_frames(w.r)[w.store.stacks.nodes[stack].frame].dso;
		assert_string_equal(strpool_get(&w.names, machine_module(w.m, dso)->path),
				    expected[i]);
	}
	chain_builder_release(&w.chains);
	row_writer_release(&w.rows);
	profile_store_release(&w.store);
	resolver_free(w.r);
	machine_free(w.m);
	strpool_release(&w.names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_growing),
		cmocka_unit_test(test_other_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
