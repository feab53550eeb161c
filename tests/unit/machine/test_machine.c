/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of processes, and lookups in a sealed machine. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "base/perf_abi.h"
#include "lib/need.h"
#include "machine/machine.h"

struct world {
	struct strpool names;
	struct machine *m;
	uint64_t seq;
};

static int setup(void **state)
{
	static struct world w;

	w = (struct world){ .seq = 1 };
	assert_int_equal(strpool_init(&w.names), 0);
	w.m = machine_new(&w.names);
	assert_non_null(w.m);
	*state = &w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	machine_free(w->m);
	strpool_release(&w->names);
	return 0;
}

static void add(struct world *w, struct data_record *rec, uint64_t when)
{
	rec->seq = w->seq++;
	assert_int_equal(machine_add(w->m, rec, when), 0);
}

static void map(struct world *w, uint64_t when, int pid, uint64_t start, uint64_t len,
		const char *path)
{
	struct data_record rec = { .type = PERF_RECORD_MMAP2,
				   .misc = pid == -1 ? DATA_MODE_KERNEL : DATA_MODE_USER };

	rec.mmap.pid = rec.mmap.tid = pid;
	rec.mmap.start = start;
	rec.mmap.len = len;
	rec.mmap.prot = PROT_READ | PROT_EXEC;
	rec.mmap.path = path;
	add(w, &rec, when);
}

static void fork_(struct world *w, uint64_t when, int pid, int tid, int ppid, int ptid,
		  uint16_t misc)
{
	struct data_record rec = { .type = PERF_RECORD_FORK, .misc = misc };

	rec.task.pid = pid;
	rec.task.tid = tid;
	rec.task.ppid = ppid;
	rec.task.ptid = ptid;
	add(w, &rec, when);
}

static void comm(struct world *w, uint64_t when, int pid, int tid, const char *name, bool exec)
{
	struct data_record rec = { .type = PERF_RECORD_COMM };

	rec.comm.pid = pid;
	rec.comm.tid = tid;
	rec.comm.name = name;
	rec.comm.exec = exec;
	add(w, &rec, when);
}

static void ksymbol(struct world *w, uint64_t when, uint64_t addr, const char *name, bool gone)
{
	struct data_record rec = { .type = PERF_RECORD_KSYMBOL };

	rec.ksymbol.addr = addr;
	rec.ksymbol.len = 0x100;
	rec.ksymbol.name = name;
	rec.ksymbol.flags = gone;
	add(w, &rec, when);
}

static const char *path_of(const struct world *w, const struct machine_map *found)
{
	return found ? strpool_get(&w->names, machine_module(w->m, found->module)->path) : "none";
}

static const char *at(const struct world *w, int pid, uint64_t when, uint64_t addr)
{
	return path_of(w, machine_find_map(w->m, pid, when, addr));
}

static const char *called(const struct world *w, int tid, uint64_t when)
{
	uint32_t id = machine_comm(w->m, tid, tid, when);

	return id == PTUI_NONE ? "none" : strpool_get(&w->names, id);
}

static void seal(struct world *w)
{
	assert_int_equal(machine_seal(w->m), 0);
}

static void test_edges_of_a_map(void **state)
{
	struct world *w = *state;

	map(w, 10, 1, 0x1000, 0x1000, "/a");
	map(w, 0, 1, 0, 0, "/empty");
	map(w, 10, 1, UINT64_MAX - 0xfff, 0x2000, "/top");
	seal(w);
	assert_string_equal(at(w, 1, 10, 0xfff), "none");
	assert_string_equal(at(w, 1, 10, 0x1000), "/a");
	assert_string_equal(at(w, 1, 10, 0x1fff), "/a");
	assert_string_equal(at(w, 1, 10, 0x2000), "none");
	assert_string_equal(at(w, 1, 9, 0x1000), "none");
	assert_string_equal(at(w, 1, UINT64_MAX, 0x1000), "/a");
	assert_string_equal(at(w, 1, 10, UINT64_MAX - 1), "/top");
	assert_string_equal(at(w, 2, 10, 0x1000), "none");
	assert_int_equal(machine_space(w->m, 2, 10), PTUI_NONE);
}

/* A newer map hides an older one where they overlap, and only there. */
static void test_overlap(void **state)
{
	struct world *w = *state;

	map(w, 20, 1, 0x2000, 0x1000, "/new");
	map(w, 10, 1, 0x1000, 0x4000, "/old");
	map(w, 0, 1, 0x1000, 0x8000, "/base");
	seal(w);
	assert_string_equal(at(w, 1, 25, 0x1fff), "/old");
	assert_string_equal(at(w, 1, 25, 0x2000), "/new");
	assert_string_equal(at(w, 1, 25, 0x3000), "/old");
	assert_string_equal(at(w, 1, 19, 0x2000), "/old");
	assert_string_equal(at(w, 1, 5, 0x2000), "/base");
	assert_string_equal(at(w, 1, 25, 0x5000), "/base");
}

/* "START-END NAME" of the map there */
static const char *place(const struct world *w, int pid, uint64_t when, uint64_t addr)
{
	static char text[128];
	struct machine_place at;
	const struct machine_map *map = machine_find_place(w->m, pid, when, addr, &at);

	if (!map)
		return "none";
	snprintf(text, sizeof(text), "%llx-%llx %s", (unsigned long long)at.start,
		 (unsigned long long)at.end,
		 strpool_get(&w->names, machine_module(w->m, map->module)->path));
	return text;
}

/* A map's range ends where a newer map, or one of the process itself, covers it. */
static void test_places(void **state)
{
	struct world *w = *state;

	map(w, 0, 1, 0x1000, 0x8000, "/base");
	map(w, 10, 1, 0x3000, 0x1000, "/new");
	map(w, 20, 1, 0x6000, 0x1000, "/newer");
	fork_(w, 15, 2, 2, 1, 1, 0);
	map(w, 30, 2, 0x2000, 0x800, "/own");
	seal(w);
	assert_string_equal(place(w, 1, 5, 0x3000), "1000-9000 /base");
	assert_string_equal(place(w, 1, 10, 0x3000), "3000-4000 /new");
	assert_string_equal(place(w, 1, 10, 0x2fff), "1000-3000 /base");
	assert_string_equal(place(w, 1, 10, 0x4000), "4000-9000 /base");
	assert_string_equal(place(w, 1, 20, 0x5fff), "4000-6000 /base");
	assert_string_equal(place(w, 1, 20, 0x8fff), "7000-9000 /base");
	assert_string_equal(place(w, 1, 20, 0x9000), "none");
	assert_string_equal(place(w, 2, 20, 0x8fff), "4000-9000 /base");
	assert_string_equal(place(w, 2, 40, 0x2900), "2800-3000 /base");
	assert_string_equal(place(w, 2, 40, 0x1000), "1000-2000 /base");
	assert_string_equal(place(w, 2, 40, 0x2000), "2000-2800 /own");
}

static uint64_t generation(const struct world *w, int pid, uint64_t when, uint64_t from,
			   uint64_t to)
{
	uint64_t got_from, got_to, ret;

	machine_maps_validity(w->m, pid, when, &ret, &got_from, &got_to);
	assert_int_equal(got_from, from);
	assert_int_equal(got_to, to);
	return ret;
}

/* Cached results hold exactly between two changes of a process's maps. */
static void test_generations(void **state)
{
	struct world *w = *state;
	uint64_t first, second, child;

	map(w, 0, 1, 0x1000, 0x8000, "/base");
	map(w, 10, 1, 0x3000, 0x1000, "/new");
	fork_(w, 15, 2, 2, 1, 1, 0);
	comm(w, 20, 1, 1, "exec", true);
	map(w, 20, 1, 0x1000, 0x8000, "/base");
	seal(w);
	first = generation(w, 1, 0, 0, 10);
	assert_int_equal(generation(w, 1, 9, 0, 10), first);
	second = generation(w, 1, 10, 10, 20);
	assert_int_not_equal(first, second);
	assert_int_not_equal(generation(w, 1, 20, 20, UINT64_MAX), second);
	child = generation(w, 2, 15, 15, UINT64_MAX);
	assert_int_not_equal(child, 0);
	assert_int_not_equal(child, second);
	assert_int_equal(generation(w, 3, 15, 0, UINT64_MAX), 0);
}

/* Of records with equal times the later one in the stream wins. */
static void test_stream_order(void **state)
{
	struct world *w = *state;
	struct data_record early = { .type = PERF_RECORD_MMAP, .misc = DATA_MODE_USER, .seq = 5 };

	early.mmap = (struct data_mmap){ .pid = 1, .start = 0x1000, .len = 0x1000, .path = "/5" };
	w->seq = 9;
	map(w, 0, 1, 0x1000, 0x1000, "/9");
	assert_int_equal(machine_add(w->m, &early, 0), 0);
	seal(w);
	assert_string_equal(at(w, 1, 0, 0x1000), "/9");
}

static void test_fork_sees_the_parent_as_it_was(void **state)
{
	struct world *w = *state;

	map(w, 0, 1, 0x1000, 0x1000, "/parent");
	map(w, 30, 1, 0x1000, 0x1000, "/parent-later");
	fork_(w, 20, 2, 2, 1, 1, 0);
	fork_(w, 40, 3, 3, 2, 2, 0);
	map(w, 50, 2, 0x1000, 0x1000, "/child-later");
	fork_(w, 20, 9, 9, 77, 77, 0);
	seal(w);
	assert_string_equal(at(w, 2, 45, 0x1000), "/parent");
	assert_string_equal(at(w, 2, 50, 0x1000), "/child-later");
	assert_string_equal(at(w, 3, 60, 0x1000), "/parent");
	assert_string_equal(at(w, 2, 19, 0x1000), "none");
	assert_string_equal(at(w, 9, 20, 0x1000), "none"); /* its parent is unknown */
}

/* perf synthesizes FORKs for running processes, and their maps separately. */
static void test_synthesized_fork_has_its_own_maps(void **state)
{
	struct world *w = *state;

	map(w, 0, 1, 0x1000, 0x1000, "/parent");
	fork_(w, 0, 2, 2, 1, 1, 1 << 13);
	map(w, 0, 2, 0x5000, 0x1000, "/own");
	seal(w);
	assert_string_equal(at(w, 2, 0, 0x1000), "none");
	assert_string_equal(at(w, 2, 0, 0x5000), "/own");
}

static void test_threads_share(void **state)
{
	struct world *w = *state;

	map(w, 0, 1, 0x1000, 0x1000, "/a");
	comm(w, 0, 1, 1, "leader", false);
	fork_(w, 10, 1, 2, 1, 1, 0);
	comm(w, 20, 1, 2, "worker", false);
	seal(w);
	assert_string_equal(at(w, 1, 15, 0x1000), "/a");
	assert_string_equal(called(w, 2, 15), "leader");
	assert_string_equal(called(w, 2, 20), "worker");
	assert_string_equal(called(w, 1, 20), "leader");
}

/* As with --tail-synthesize: without a time, but not from the beginning. */
static void test_name_written_at_the_end(void **state)
{
	struct world *w = *state;

	comm(w, 0, 1, 1, "before", false);
	comm(w, 10, 1, 1, "exec", true);
	comm(w, 0, 1, 1, "exec", false);
	comm(w, 0, 2, 2, "only", false);
	comm(w, 0, 3, 3, "first", false);
	comm(w, 0, 3, 3, "second", false);
	comm(w, 10, 3, 3, "third", false);
	seal(w);
	assert_string_equal(called(w, 1, 9), "before");
	assert_string_equal(called(w, 1, 10), "exec");
	assert_string_equal(called(w, 2, 5), "only");
	assert_string_equal(called(w, 3, 9), "second");
	assert_string_equal(called(w, 3, 10), "third");
}

static void test_exec_begins_again(void **state)
{
	struct world *w = *state;
	uint32_t before, after;

	map(w, 0, 1, 0x1000, 0x1000, "/old");
	comm(w, 0, 1, 1, "old", false);
	comm(w, 10, 1, 1, "new", true);
	map(w, 10, 1, 0x5000, 0x1000, "/new");
	seal(w);
	assert_string_equal(at(w, 1, 9, 0x1000), "/old");
	assert_string_equal(at(w, 1, 10, 0x1000), "none");
	assert_string_equal(at(w, 1, 10, 0x5000), "/new");
	assert_string_equal(called(w, 1, 9), "old");
	assert_string_equal(called(w, 1, 10), "new");
	before = machine_space(w->m, 1, 9);
	after = machine_space(w->m, 1, 10);
	assert_int_not_equal(before, after);
	assert_int_equal(machine_space(w->m, 1, 0), before);
	assert_int_equal(machine_space(w->m, 1, 99), after);
}

static void test_pid_comes_again(void **state)
{
	struct world *w = *state;

	map(w, 5, 7, 0x1000, 0x1000, "/first");
	comm(w, 5, 7, 7, "first", false);
	fork_(w, 20, 7, 7, 99, 99, 0);
	map(w, 25, 7, 0x2000, 0x1000, "/second");
	seal(w);
	assert_string_equal(at(w, 7, 10, 0x1000), "/first");
	assert_string_equal(at(w, 7, 20, 0x1000), "none");
	assert_string_equal(at(w, 7, 25, 0x2000), "/second");
	assert_string_equal(called(w, 7, 19), "first");
	assert_string_equal(called(w, 7, 20), ":7"); /* the parent is unknown */
}

static void test_names(void **state)
{
	struct world *w = *state;

	comm(w, 50, 1, 1, "known", false);
	fork_(w, 60, 2, 2, 0, 0, 0);
	seal(w);
	assert_string_equal(called(w, 0, 0), "swapper");
	assert_string_equal(called(w, 1, 3), "known"); /* the first name holds from the start */
	assert_string_equal(called(w, 2, 60), "swapper");
	assert_string_equal(called(w, 2, 59), "none");
	assert_string_equal(called(w, 3, 60), "none");
}

static void test_kernel(void **state)
{
	struct world *w = *state;
	const struct machine_map *found;

	map(w, 0, -1, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text");
	map(w, 0, -1, 0xffffffffc0000000, 0x1000, "/lib/modules/6/nf.ko.xz");
	ksymbol(w, 10, 0xffffffffc1000000, "bpf_prog_1", false);
	ksymbol(w, 20, 0xffffffffc1000000, "bpf_prog_1", true);
	ksymbol(w, 30, 0xffffffffc1000000, "bpf_prog_2", false);
	seal(w);
	found = machine_find_kernel_map(w->m, 0, 0xffffffff81000010);
	assert_string_equal(path_of(w, found), "[kernel.kallsyms]");
	assert_true(machine_module(w->m, found->module)->kernel);
	assert_string_equal(at(w, -1, 0, 0xffffffffc0000fff), "/lib/modules/6/nf.ko.xz");
	/* the rest may be the kernel's: its end is unknown before its symbols are loaded */
	assert_int_equal(machine_module(w->m, found->module)->recorded_end, 0xffffffff82000000);
	assert_string_equal(at(w, -1, 9, 0xffffffffc1000000), "[kernel.kallsyms]");
	assert_string_equal(at(w, -1, 9, 0xffffffff80ffffff), "none");
	assert_string_equal(at(w, -1, 10, 0xffffffffc1000000), "bpf_prog_1");
	assert_string_equal(at(w, -1, 20, 0xffffffffc1000000), "[kernel.kallsyms]");
	assert_string_equal(at(w, -1, 30, 0xffffffffc10000ff), "bpf_prog_2");
	assert_string_equal(at(w, 1, 30, 0xffffffff81000010), "none");
}

/* The kernel's map has no end, and does not hide earlier maps. */
static void test_kernel_hides_nothing(void **state)
{
	struct world *w = *state;

	ksymbol(w, 0, 0xffffffffc1000000, "bpf_prog_1", false);
	map(w, 5, -1, 0xffffffffc0000000, 0x1000, "[nf]");
	map(w, 10, -1, 0xffffffff81000000, 0x1000000, "[kernel.kallsyms]_text");
	seal(w);
	assert_string_equal(at(w, -1, 20, 0xffffffffc1000000), "bpf_prog_1");
	assert_string_equal(at(w, -1, 20, 0xffffffffc0000000), "[nf]");
	assert_string_equal(at(w, -1, 0, 0xffffffff81000000), "[kernel.kallsyms]");
}

static void test_guests_are_left_out(void **state)
{
	struct world *w = *state;
	struct data_record rec = { .type = PERF_RECORD_MMAP, .misc = DATA_MODE_GUEST_KERNEL };

	rec.mmap =
		(struct data_mmap){ .pid = 0, .start = 0x1000, .len = 0x1000, .path = "[guest]" };
	add(w, &rec, 0);
	map(w, 0, -1, 0x1000, 0x1000, "[guest.kernel.kallsyms]");
	seal(w);
	assert_string_equal(at(w, 0, 0, 0x1000), "none");
	assert_string_equal(at(w, -1, 0, 0x1000), "none");
}

/* Anonymous code has one module per process; data has none. */
static void test_memory(void **state)
{
	struct world *w = *state;
	struct data_record rec = { .type = PERF_RECORD_MMAP2, .misc = DATA_MODE_USER };
	const struct module_ref *a, *b, *data;

	map(w, 0, 1, 0x1000, 0x1000, "//anon");
	map(w, 0, 1, 0x3000, 0x1000, "[heap]");
	map(w, 0, 2, 0x1000, 0x1000, "//anon");
	rec.mmap = (struct data_mmap){
		.pid = 1, .start = 0x9000, .len = 0x1000, .prot = PROT_READ, .path = "//anon"
	};
	add(w, &rec, 0);
	seal(w);
	a = machine_module(w->m, machine_find_map(w->m, 1, 0, 0x1000)->module);
	b = machine_module(w->m, machine_find_map(w->m, 2, 0, 0x1000)->module);
	data = machine_module(w->m, machine_find_map(w->m, 1, 0, 0x9000)->module);
	assert_int_equal(a->pid, 1);
	assert_int_equal(b->pid, 2);
	assert_int_equal(data->pid, -1);
	assert_true(a->memory && b->memory && data->memory);
	assert_ptr_equal(a, machine_module(w->m, machine_find_map(w->m, 1, 0, 0x3000)->module));
}

/* A build-id from the header merges two modules. */
static void test_build_ids_of_the_header(void **state)
{
	static const uint8_t id[20] = { 1, 2, 3 }, other[20] = { 9 };
	struct world *w = *state;
	struct data_record rec = { .type = PERF_RECORD_MMAP2, .misc = DATA_MODE_USER };
	uint32_t a, b, c;

	map(w, 0, 1, 0x1000, 0x1000, "/a");
	rec.mmap = (struct data_mmap){
		.pid = 2, .start = 0x1000, .len = 0x1000, .path = "/a", .build_id_bytes = 20
	};
	memcpy(rec.mmap.build_id, id, 20);
	add(w, &rec, 0);
	rec.mmap.pid = 3;
	memcpy(rec.mmap.build_id, other, 20);
	add(w, &rec, 0);
	assert_int_equal(machine_add_build_id(w->m, "/a", id, 20), 0);
	seal(w);
	a = machine_find_map(w->m, 1, 0, 0x1000)->module;
	b = machine_find_map(w->m, 2, 0, 0x1000)->module;
	c = machine_find_map(w->m, 3, 0, 0x1000)->module;
	assert_int_equal(a, b);
	assert_int_not_equal(a, c);
	assert_memory_equal(machine_module(w->m, a)->build_id, id, 20);
	assert_int_equal(machine_n_modules(w->m), 2);
}

/* Two processes that are each other's parent must not cause an endless loop. */
static void test_circle_of_parents(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < 3; i++) {
		map(w, 5, 1, 0x1000, 0x1000, "/a");
		fork_(w, 5, 1, 1, 2, 2, 0);
		fork_(w, 5, 2, 2, 1, 1, 0);
	}
	seal(w);
	assert_string_equal(at(w, 1, 5, 0x9000), "none");
	assert_string_equal(at(w, 2, 5, 0x9000), "none");
}

static void test_nothing(void **state)
{
	struct world *w = *state;

	seal(w);
	assert_string_equal(at(w, -1, 0, 0), "none");
	assert_string_equal(at(w, 1, 0, 0), "none");
	assert_int_equal(machine_n_modules(w->m), 0);
	assert_null(machine_module(w->m, 0));
}

/* ---- dropping what ended ---- */

static void exit_(struct world *w, uint64_t when, int pid, int tid)
{
	struct data_record rec = { .type = PERF_RECORD_EXIT };

	rec.task.pid = rec.task.ppid = pid;
	rec.task.tid = rec.task.ptid = tid;
	add(w, &rec, when);
}

static void seal_until(struct world *w, uint64_t when)
{
	assert_int_equal(machine_seal_until(w->m, when), 0);
}

/* After a command ended: its maps are gone, its last name stays, its slots are reused. */
static void ended_processes_are_dropped(void **state)
{
	struct world *w = *state;
	uint32_t space;

	machine_track_ends(w->m);
	map(w, 0, 1, 0x1000, 0x1000, "/bin/sh");
	comm(w, 0, 1, 1, "sh", false);
	fork_(w, 10, 20, 20, 1, 1, 0);
	comm(w, 11, 20, 20, "true", true);
	map(w, 12, 20, 0x1000, 0x1000, "/bin/true");
	exit_(w, 15, 20, 20);
	seal_until(w, 20);
	space = machine_space(w->m, 20, 13);
	assert_string_equal(at(w, 20, 13, 0x1800), "/bin/true");

	machine_drop_ended(w->m, 15); /* not yet: it ended at 15 */
	assert_string_equal(at(w, 20, 13, 0x1800), "/bin/true");
	machine_drop_ended(w->m, 16);
	assert_string_equal(at(w, 20, 13, 0x1800), "none");
	assert_int_equal(machine_space(w->m, 20, 13), PTUI_NONE);
	assert_string_equal(called(w, 20, 99), "true");
	assert_string_equal(at(w, 1, 13, 0x1800), "/bin/sh");

	/* the pid is reused, and so is a space */
	fork_(w, 30, 20, 20, 1, 1, 0);
	comm(w, 31, 20, 20, "false", true);
	map(w, 31, 20, 0x1000, 0x1000, "/bin/false");
	seal_until(w, 40);
	assert_string_equal(at(w, 20, 32, 0x1800), "/bin/false");
	assert_string_equal(called(w, 20, 32), "false");
	assert_true(machine_space(w->m, 20, 32) <= space + 1);
	machine_drop_ended(w->m, 50);
	assert_string_equal(at(w, 20, 32, 0x1800), "/bin/false");
}

/* Maps inherited by a child outlive the parent. */
static void a_child_keeps_what_it_has(void **state)
{
	struct world *w = *state;

	machine_track_ends(w->m);
	map(w, 0, 1, 0x9000, 0x1000, "/bin/init");
	fork_(w, 5, 10, 10, 1, 1, 0);
	comm(w, 6, 10, 10, "server", true);
	map(w, 6, 10, 0x1000, 0x1000, "/bin/server");
	fork_(w, 10, 11, 11, 10, 10, 0);
	fork_(w, 11, 12, 12, 11, 11, 0);
	exit_(w, 12, 10, 10);
	exit_(w, 13, 11, 11);
	seal_until(w, 20);
	machine_drop_ended(w->m, 20);
	assert_string_equal(at(w, 10, 11, 0x1800), "none");
	assert_string_equal(at(w, 12, 25, 0x1800), "/bin/server");
	exit_(w, 30, 12, 12);
	seal_until(w, 40);
	machine_drop_ended(w->m, 40);
	assert_string_equal(at(w, 12, 25, 0x1800), "none");
	assert_string_equal(at(w, 1, 25, 0x9800), "/bin/init");
}

/* The leader may exit first; a process that existed before is never dropped. */
static void the_last_thread_ends_it(void **state)
{
	struct world *w = *state;

	machine_track_ends(w->m);
	fork_(w, 5, 10, 10, 1, 1, 0);
	comm(w, 6, 10, 10, "pool", true);
	map(w, 6, 10, 0x1000, 0x1000, "/bin/pool");
	fork_(w, 7, 10, 101, 10, 10, 0);
	exit_(w, 8, 10, 10);
	map(w, 0, 50, 0x1000, 0x1000, "/bin/old");
	fork_(w, 0, 50, 51, 50, 50, 1u << 13);
	exit_(w, 9, 50, 51);
	exit_(w, 9, 50, 50);
	seal_until(w, 20);
	machine_drop_ended(w->m, 20);
	assert_string_equal(at(w, 10, 19, 0x1800), "/bin/pool");
	assert_string_equal(at(w, 50, 8, 0x1800), "/bin/old");
	exit_(w, 25, 10, 101);
	seal_until(w, 30);
	machine_drop_ended(w->m, 30);
	assert_string_equal(at(w, 10, 19, 0x1800), "none");
}

/* A server that replaces its code, and one whose child still sees the old code. */
static void covered_maps_are_dropped(void **state)
{
	struct world *w = *state;
	struct machine_load load;
	uint64_t t = 10;
	char path[32];

	machine_track_ends(w->m);
	fork_(w, 5, 10, 10, 1, 1, 0);
	comm(w, 6, 10, 10, "jit", true);
	map(w, 7, 10, 0x100000, 0x1000, "/bin/jit");
	map(w, 8, 10, 0x3000, 0x3000, "wide");
	for (int i = 0; i < 1000; i++, t++) {
		snprintf(path, sizeof(path), "code%d", i);
		map(w, t, 10, 0x1000 + (uint64_t)(i % 4) * 0x1000, 0x1000, path);
		if (i == 500)
			fork_(w, t, 11, 11, 10, 10, 0);
		if (i % 100 == 99) {
			seal_until(w, t);
			machine_drop_ended(w->m, t);
		}
	}
	machine_load(w->m, &load);
	assert_in_range(load.maps, 6, 300);
	assert_string_equal(at(w, 10, t, 0x1800), "code996");
	assert_string_equal(at(w, 10, t, 0x4800), "code999");
	assert_string_equal(at(w, 10, t, 0x5800), "wide"); /* only partly covered */
	assert_string_equal(at(w, 10, t, 0x100800), "/bin/jit");
	/* as it was at the fork */
	assert_string_equal(at(w, 11, t, 0x1800), "code500");
	assert_string_equal(at(w, 11, t, 0x4800), "code499");
	assert_string_equal(at(w, 11, t, 0x100800), "/bin/jit");
}

/* Several adjacent maps can cover one; maps since `when` do not hide yet. */
static void what_is_covered_lately_stays(void **state)
{
	struct world *w = *state;
	struct machine_load load;

	machine_track_ends(w->m);
	for (uint64_t i = 0; i < 80; i++)
		map(w, 10 + i, 10, 0x1000, 0x2000, "old");
	map(w, 100, 10, 0x1000, 0x1000, "left");
	map(w, 101, 10, 0x2000, 0x1000, "right");
	map(w, 200, 10, 0x1000, 0x2000, "new");
	seal_until(w, 300);
	machine_drop_ended(w->m, 150);
	machine_load(w->m, &load);
	assert_int_equal(load.maps, 3);
	assert_string_equal(at(w, 10, 160, 0x1800), "left");
	assert_string_equal(at(w, 10, 160, 0x2800), "right");
	assert_string_equal(at(w, 10, 200, 0x2800), "new");
}

/* A living process that has exec'ed. */
static void former_spaces_are_dropped(void **state)
{
	struct world *w = *state;
	struct machine_load load;
	char name[16];

	machine_track_ends(w->m);
	map(w, 0, 10, 0x1000, 0x1000, "init");
	for (uint64_t i = 1; i <= 200; i++) {
		snprintf(name, sizeof(name), "life%d", (int)i);
		comm(w, i * 10, 10, 10, name, true);
		map(w, i * 10 + 1, 10, 0x1000, 0x1000, name);
		seal_until(w, i * 10 + 5);
		machine_drop_ended(w->m, i * 10 - 5);
	}
	machine_load(w->m, &load);
	assert_in_range(load.maps, 1, 3);
	assert_string_equal(at(w, 10, 2005, 0x1800), "life200");
	assert_string_equal(at(w, 10, 1998, 0x1800), "life199");
	assert_string_equal(called(w, 10, 2005), "life200");
	assert_string_equal(called(w, 10, 1998), "life199");
}

/* Slots, modules and names of ended processes are removed; living ones are found as before. */
static void compacted(void **state)
{
	struct world *w = *state;
	bool used[1000] = { false };
	struct strpool_move names;
	struct machine_load load;
	struct strpool to;
	uint32_t now[1000], needed = PTUI_NONE;
	char path[32];

	machine_track_ends(w->m);
	map(w, 0, 1, 0x1000, 0x1000, "/bin/init");
	comm(w, 0, 1, 1, "init", false);
	for (int i = 0; i < 300; i++) {
		uint64_t t = 10 + (uint64_t)i * 10;

		snprintf(path, sizeof(path), "/bin/cmd%d", i);
		fork_(w, t, 100 + i, 100 + i, 1, 1, 0);
		comm(w, t + 1, 100 + i, 100 + i, path + 5, true);
		map(w, t + 2, 100 + i, 0x1000, 0x1000, path);
		exit_(w, t + 9, 100 + i, 100 + i);
	}
	seal_until(w, 3000);
	for (uint32_t i = 0; i < machine_n_modules(w->m); i++)
		if (!strcmp(strpool_get(&w->names, machine_module(w->m, i)->path), "/bin/cmd7"))
			needed = i;
	assert_true(needed != PTUI_NONE && machine_n_modules(w->m) <= 1000);
	used[needed] = true;
	machine_drop_ended(w->m, 2950);
	assert_int_equal(strpool_init(&to), 0);
	assert_int_equal(strpool_move_init(&names, &w->names, &to), 0);
	assert_int_equal(machine_compact(w->m, &names, used, now), 0);
	assert_false(names.failed);
	strpool_move_release(&names);
	strpool_release(&w->names);
	w->names = to;
	assert_string_equal(strpool_get(&w->names, machine_module(w->m, now[needed])->path),
			    "/bin/cmd7");
	machine_load(w->m, &load);
	assert_in_range(load.modules, 2, 12);
	assert_in_range(load.procs, 2, 12);
	assert_in_range(load.threads, 2, 12);
	assert_true(w->names.n < 40);
	assert_string_equal(at(w, 1, 2990, 0x1800), "/bin/init");
	assert_string_equal(called(w, 1, 2990), "init");
	assert_string_equal(at(w, 399, 3002, 0x1800), "/bin/init"); /* its exec is not sealed */
	seal_until(w, 4000);
	assert_string_equal(at(w, 399, 3002, 0x1800), "/bin/cmd299");
	assert_string_equal(called(w, 399, 3002), "cmd299");
	machine_drop_ended(w->m, 4000);
	assert_string_equal(at(w, 399, 3002, 0x1800), "none");
}

/* Nothing is dropped without machine_track_ends(): files are loaded as a whole. */
static void nothing_is_dropped_without_tracking(void **state)
{
	struct world *w = *state;

	fork_(w, 5, 10, 10, 1, 1, 0);
	map(w, 6, 10, 0x1000, 0x1000, "/bin/pool");
	exit_(w, 8, 10, 10);
	seal(w);
	machine_drop_ended(w->m, UINT64_MAX);
	assert_string_equal(at(w, 10, 7, 0x1800), "/bin/pool");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(test_edges_of_a_map),
		T(test_overlap),
		T(test_places),
		T(test_generations),
		T(test_stream_order),
		T(test_fork_sees_the_parent_as_it_was),
		T(test_synthesized_fork_has_its_own_maps),
		T(test_threads_share),
		T(test_name_written_at_the_end),
		T(test_exec_begins_again),
		T(test_pid_comes_again),
		T(test_names),
		T(test_kernel),
		T(test_kernel_hides_nothing),
		T(test_guests_are_left_out),
		T(test_memory),
		T(test_build_ids_of_the_header),
		T(test_circle_of_parents),
		T(test_nothing),
		T(ended_processes_are_dropped),
		T(a_child_keeps_what_it_has),
		T(the_last_thread_ends_it),
		T(covered_maps_are_dropped),
		T(what_is_covered_lately_stays),
		T(former_spaces_are_dropped),
		T(compacted),
		T(nothing_is_dropped_without_tracking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
