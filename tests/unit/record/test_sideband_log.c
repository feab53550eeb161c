/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sideband log against a slow oracle: after thousands of processes that fork, exec, map, are
 * renamed and exit in any order, each query about a time after the horizon has the same answer from
 * the pruned log as from all records.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "data/read/reader.h"
#include "data/write/writer.h"
#include "lib/need.h"
#include "machine/machine.h"
#include "record/snapshot/sideband_log.h"

#define SECOND 1000000000ULL
#define PIDS   40 /* few numbers, so that they are used again */
#define ADDRS  12 /* addresses for maps */
#define PAGE   0x1000ULL

static const uint64_t id = 7;

struct task {
	bool lives;
	int32_t leader; /* number of its process */
	uint64_t began_ns, ended_ns;
};

/* What happened, and which tasks exist. */
struct world {
	struct perf_event_attr attr;
	struct sideband_log *sideband_log;
	struct buf all; /* all records */
	struct buf one;
	struct task tasks[PIDS]; /* by number */
	uint64_t now_ns, rand;
	uint32_t n_names;
	/* Samples from before `settled_ns` are of these processes; 0: of any. */
	uint64_t settled_ns;
	int32_t sampled[PIDS];
	size_t n_sampled;
};

static uint32_t rnd(struct world *w, uint32_t below)
{
	w->rand = w->rand * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(w->rand >> 33) % below;
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	w->attr = (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE,
					    .size = sizeof(w->attr),
					    .config = PERF_COUNT_SW_DUMMY,
					    .sample_id_all = 1 };
	w->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER;
	w->sideband_log = sideband_log_new();
	assert_non_null(w->sideband_log);
	assert_int_equal(sideband_log_event(w->sideband_log, &w->attr, "dummy", &id, 1), 0);
	w->now_ns = 10 * SECOND;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	sideband_log_free(w->sideband_log);
	buf_release(&w->all);
	buf_release(&w->one);
	free(w);
	return 0;
}

/* ---- what happens ---- */

static struct data_id stamp(const struct world *w, int32_t pid, int32_t tid)
{
	return (struct data_id){ .has = DATA_HAS_TID | DATA_HAS_TIME | DATA_HAS_ID,
				 .pid = pid,
				 .tid = tid,
				 .time_ns = w->now_ns,
				 .id = id };
}

/* Into the history cut anywhere, as by the end of a ring. */
static void comes(struct world *w)
{
	size_t cut = rnd(w, (uint32_t)w->one.len);
	struct iovec iov[2] = { { w->one.data, cut }, { w->one.data + cut, w->one.len - cut } };

	assert_int_equal(w->one.err, 0);
	assert_int_equal(sideband_log_add(w->sideband_log, iov, 2), 0);
	buf_add(&w->all, w->one.data, w->one.len);
	buf_clear(&w->one);
}

static void task_record(struct world *w, uint32_t type, int32_t pid, int32_t ppid, int32_t tid,
			int32_t ptid)
{
	struct data_id at = stamp(w, pid, tid);
	struct buf payload = BUF_INIT;

	buf_add_u32(&payload, (uint32_t)pid);
	buf_add_u32(&payload, (uint32_t)ppid);
	buf_add_u32(&payload, (uint32_t)tid);
	buf_add_u32(&payload, (uint32_t)ptid);
	buf_add_u64(&payload, w->now_ns);
	data_put_id(&payload, &w->attr, &at);
	assert_int_equal(data_put_user(&w->one, type, payload.data, payload.len), 0);
	buf_release(&payload);
	comes(w);
}

static void comm(struct world *w, int32_t pid, int32_t tid, bool exec)
{
	struct data_id at = stamp(w, pid, tid);
	char name[16];

	snprintf(name, sizeof(name), "name%u", w->n_names++);
	assert_int_equal(data_put_comm(&w->one, pid, tid, name,
				       exec ? PERF_RECORD_MISC_COMM_EXEC : 0, &w->attr, &at),
			 0);
	comes(w);
}

/* A few places, of one page to four: newer ones lie over older ones in whole or in part. */
static void map(struct world *w, int32_t pid)
{
	struct data_id at = stamp(w, pid, pid);
	struct data_mmap m = { .pid = pid,
			       .tid = pid,
			       .start = PAGE * (1 + rnd(w, ADDRS)),
			       .len = PAGE * (1 + rnd(w, 4)),
			       .prot = 5,
			       .flags = 2 };
	char path[32];

	snprintf(path, sizeof(path), "/lib/module%u", w->n_names++);
	m.path = path;
	assert_int_equal(data_put_mmap2(&w->one, &m, PERF_RECORD_MISC_USER, &w->attr, &at), 0);
	comes(w);
}

static int32_t number(size_t i)
{
	return 100 + (int32_t)i;
}

static size_t n_of(const struct world *w, int32_t leader)
{
	size_t n = 0;

	for (size_t i = 0; i < PIDS; i++)
		n += w->tasks[i].lives && w->tasks[i].leader == leader;
	return n;
}

/* An unused id: neither a thread, nor a process with remaining threads. */
static bool is_free(const struct world *w, size_t i)
{
	return !w->tasks[i].lives && !n_of(w, number(i));
}

static void begin(struct world *w, size_t i, int32_t parent, int32_t parent_tid, bool thread)
{
	int32_t leader = thread ? parent : number(i);

	task_record(w, PERF_RECORD_FORK, leader, parent, number(i), parent_tid);
	w->tasks[i] = (struct task){ .lives = true, .leader = leader, .began_ns = w->now_ns };
}

static void end(struct world *w, size_t i)
{
	task_record(w, PERF_RECORD_EXIT, w->tasks[i].leader, w->tasks[i].leader, number(i),
		    number(i));
	w->tasks[i].lives = false;
	w->tasks[i].ended_ns = w->now_ns;
}

/* One thing that can happen now. */
static void step(struct world *w)
{
	size_t i = rnd(w, PIDS), other = rnd(w, PIDS);
	const struct task *t = &w->tasks[i];

	w->now_ns += 1 + rnd(w, SECOND / 20);
	if (!t->lives) {
		if (!is_free(w, i) || w->now_ns - t->ended_ns < SECOND / 10)
			return;
		if (w->tasks[other].lives)
			begin(w, i, w->tasks[other].leader, number(other), rnd(w, 4) == 0);
		else
			begin(w, i, 1, 1, false);
		return;
	}
	switch (rnd(w, 8)) {
	case 0:
		end(w, i);
		break;
	case 1:
		comm(w, t->leader, number(i), false);
		break;
	case 2:
		if (number(i) == t->leader && n_of(w, t->leader) == 1)
			comm(w, t->leader, number(i), true);
		break;
	default:
		map(w, t->leader);
	}
}

/* ---- the answers ---- */

static struct machine *build(const struct world *w, const void *bytes, size_t n,
			     struct strpool *names)
{
	struct machine *m = machine_new(names);
	struct data_file *f = data_open_feed(NULL);
	struct data_record rec;
	struct data_walk *walk;

	assert_non_null(f);
	assert_int_equal(data_feed_event(f, &w->attr, sizeof(w->attr), "dummy", &id, 1), 0);
	walk = data_walk_new(f, NULL);
	assert_non_null(walk);
	data_walk_feed(walk, bytes, n);
	while (data_walk_next(walk, true, &rec, NULL) == 0)
		assert_int_equal(machine_add(m, &rec, rec.id.time_ns), 0);
	data_walk_free(walk);
	data_close(f);
	assert_int_equal(machine_seal(m), 0);
	return m;
}

static const char *name_of(const struct machine *m, const struct strpool *names,
			   const struct machine_map *found)
{
	return found ? strpool_get(names, machine_module(m, found->module)->path) : "nothing";
}

static bool has_samples(const struct world *w, int32_t pid, uint64_t when)
{
	for (size_t i = 0; i < w->n_sampled; i++)
		if (w->sampled[i] == pid)
			return true;
	return when >= w->settled_ns;
}

/*
 * Compares both for tasks that exist at that time or have just exited; for a reused id, the last
 * one.
 */
static void ask(const struct world *w, const struct machine *all, const struct strpool *all_names,
		const struct machine *pruned, const struct strpool *pruned_names, uint64_t when)
{
	for (size_t i = 0; i < PIDS; i++) {
		const struct task *t = &w->tasks[i];
		uint32_t a, b;

		if (!t->leader || !has_samples(w, t->leader, when) || when < t->began_ns ||
		    (!t->lives && t->ended_ns + SECOND < when))
			continue;
		a = machine_comm(all, t->leader, number(i), when);
		b = machine_comm(pruned, t->leader, number(i), when);
		assert_string_equal(a == PTUI_NONE ? "nobody" : strpool_get(all_names, a),
				    b == PTUI_NONE ? "nobody" : strpool_get(pruned_names, b));
		for (uint64_t addr = 0; addr < PAGE * (ADDRS + 6); addr += PAGE)
			assert_string_equal(
				name_of(all, all_names,
					machine_find_map(all, t->leader, when, addr)),
				name_of(pruned, pruned_names,
					machine_find_map(pruned, t->leader, when, addr)));
	}
}

static void compare(const struct world *w, uint64_t horizon_ns)
{
	struct iovec left = sideband_log_records(w->sideband_log);
	struct strpool all_names, pruned_names;
	struct machine *all, *pruned;

	assert_int_equal(strpool_init(&all_names), 0);
	assert_int_equal(strpool_init(&pruned_names), 0);
	all = build(w, w->all.data, w->all.len, &all_names);
	pruned = build(w, left.iov_base, left.iov_len, &pruned_names);
	for (uint64_t when = horizon_ns; when <= w->now_ns + SECOND; when += SECOND / 7)
		ask(w, all, &all_names, pruned, &pruned_names, when);
	machine_free(all);
	machine_free(pruned);
	strpool_release(&all_names);
	strpool_release(&pruned_names);
}

static void same_answers(void **state)
{
	struct world *w = *state;

	for (uint32_t seed = 1; seed <= 6; seed++) {
		w->rand = seed;
		for (int round = 0; round < 12; round++) {
			uint64_t horizon_ns;

			for (int i = 0; i < 400; i++)
				step(w);
			horizon_ns = w->now_ns - rnd(w, 3 * SECOND);
			assert_int_equal(sideband_log_prune(w->sideband_log, horizon_ns), 0);
			compare(w, horizon_ns);
		}
	}
}

/* Every fifth process has samples from the seconds before the newest. */
static void same_answers_for_sampled_processes(void **state)
{
	struct sideband_pids pids;
	struct world *w = *state;
	size_t others = 0;

	for (size_t i = 0; i < PIDS; i += 5)
		w->sampled[w->n_sampled++] = number(i);
	pids = (struct sideband_pids){ .v = w->sampled, .n = w->n_sampled };
	for (uint32_t seed = 1; seed <= 6; seed++) {
		w->rand = seed;
		for (int round = 0; round < 12; round++) {
			uint64_t horizon_ns;
			size_t bytes;

			for (int i = 0; i < 400; i++)
				step(w);
			w->settled_ns = w->now_ns - rnd(w, 2 * SECOND);
			horizon_ns = w->now_ns - 6 * SECOND;
			assert_int_equal(sideband_log_prune(w->sideband_log, horizon_ns), 0);
			bytes = sideband_log_records(w->sideband_log).iov_len;
			assert_int_equal(sideband_log_prune_others(w->sideband_log, horizon_ns,
								   w->settled_ns, &pids),
					 0);
			others += bytes - sideband_log_records(w->sideband_log).iov_len;
			compare(w, horizon_ns);
		}
	}
	assert_true(others > w->all.len / 10);
}

/* However long it runs: the log stays as small as some forty tasks need. */
static void nothing_is_left_of_exited_processes(void **state)
{
	struct world *w = *state;
	size_t most = 0;

	for (int round = 0; round < 40; round++) {
		for (int i = 0; i < 1000; i++)
			step(w);
		assert_int_equal(sideband_log_prune(w->sideband_log, w->now_ns), 0);
		if (sideband_log_records(w->sideband_log).iov_len > most)
			most = sideband_log_records(w->sideband_log).iov_len;
		if (round == 9)
			assert_true(w->all.len > 4 * most);
	}
	assert_true(w->all.len > 20 * most);
}

static void kinds(const struct sideband_log *sideband_log, uint32_t type, size_t *ret_n)
{
	struct iovec left = sideband_log_records(sideband_log);
	struct perf_event_header header;

	*ret_n = 0;
	for (size_t at = 0; at < left.iov_len; at += header.size) {
		memcpy(&header, (char *)left.iov_base + at, sizeof(header));
		assert_true(header.size >= sizeof(header));
		*ret_n += header.type == type;
	}
}

static void add_map_of(struct world *w, int32_t pid, uint16_t misc)
{
	struct data_id at = stamp(w, pid, pid);
	struct data_mmap m = { .pid = pid,
			       .tid = pid,
			       .start = PAGE,
			       .len = PAGE,
			       .prot = 5,
			       .path = pid == -1 ? "[module]" : "/bin/x" };

	assert_int_equal(data_put_mmap2(&w->one, &m, misc, &w->attr, &at), 0);
	comes(w);
}

/*
 * Records without a task stay; records of a moment are dropped; samples and rounds are never added.
 */
static void kinds_of_records(void **state)
{
	const struct perf_event_header sample = { PERF_RECORD_SAMPLE, 0, sizeof(sample) };
	const struct perf_event_header round = { PTUI_RECORD_FINISHED_ROUND, 0, sizeof(round) };
	struct world *w = *state;
	struct data_id at = stamp(w, 1, 1);
	size_t n;

	add_map_of(w, -1, PERF_RECORD_MISC_KERNEL);
	add_map_of(w, 100, PERF_RECORD_MISC_USER);
	assert_int_equal(data_put_lost(&w->one, id, 5, &w->attr, &at), 0);
	comes(w);
	assert_int_equal(
		data_put_id_index(&w->one, &(struct data_id_index_entry){ id, 0, 0, -1 }, 1), 0);
	comes(w);
	buf_add(&w->one, &sample, sizeof(sample));
	buf_add(&w->one, &round, sizeof(round));
	comes(w);
	task_record(w, PERF_RECORD_FORK, 100, 1, 100, 1);
	task_record(w, PERF_RECORD_EXIT, 100, 1, 100, 1);
	kinds(w->sideband_log, PERF_RECORD_SAMPLE, &n);
	assert_int_equal(n, 0);
	kinds(w->sideband_log, PTUI_RECORD_FINISHED_ROUND, &n);
	assert_int_equal(n, 0);
	assert_int_equal(sideband_log_newest_ns(w->sideband_log), w->now_ns);
	/* not repeated in the next file: only names and maps */
	assert_int_equal(sideband_log_drop_moments(w->sideband_log), 0);
	kinds(w->sideband_log, PERF_RECORD_LOST, &n);
	assert_int_equal(n, 0);
	kinds(w->sideband_log, PERF_RECORD_MMAP2, &n);
	assert_int_equal(n, 2);
	kinds(w->sideband_log, PERF_RECORD_EXIT, &n);
	assert_int_equal(n, 1);
	kinds(w->sideband_log, PTUI_RECORD_ID_INDEX, &n);
	assert_int_equal(n, 1);
	assert_int_equal(data_put_lost(&w->one, id, 5, &w->attr, &at), 0);
	comes(w);
	/* not within the second in which late samples may come */
	assert_int_equal(sideband_log_prune(w->sideband_log, w->now_ns + SECOND / 2), 0);
	kinds(w->sideband_log, PERF_RECORD_LOST, &n);
	assert_int_equal(n, 1);
	assert_int_equal(sideband_log_prune(w->sideband_log, w->now_ns + SECOND), 0);
	kinds(w->sideband_log, PERF_RECORD_LOST, &n);
	assert_int_equal(n, 0);
	kinds(w->sideband_log, PERF_RECORD_FORK, &n);
	assert_int_equal(n, 0);
	kinds(w->sideband_log, PERF_RECORD_MMAP2, &n);
	assert_int_equal(n, 1);
	kinds(w->sideband_log, PTUI_RECORD_ID_INDEX, &n);
	assert_int_equal(n, 1);
}

/* A worker that never makes an exec has the maps of a master that made one, and ended, since. */
static void maps_of_a_parent_that_is_gone(void **state)
{
	struct world *w = *state;
	size_t n;

	begin(w, 0, 1, 1, false);
	comm(w, 100, 100, true);
	add_map_of(w, 100, PERF_RECORD_MISC_USER);
	w->now_ns += SECOND;
	begin(w, 1, 100, 100, false);
	w->now_ns += SECOND;
	comm(w, 100, 100, true);
	add_map_of(w, 100, PERF_RECORD_MISC_USER);
	w->now_ns += SECOND;
	end(w, 0);
	w->now_ns += 10 * SECOND;
	assert_int_equal(sideband_log_prune(w->sideband_log, w->now_ns), 0);
	compare(w, w->now_ns);
	kinds(w->sideband_log, PERF_RECORD_MMAP2, &n);
	assert_int_equal(n, 1);
	end(w, 1);
	w->now_ns += 10 * SECOND;
	assert_int_equal(sideband_log_prune(w->sideband_log, w->now_ns), 0);
	assert_int_equal(sideband_log_records(w->sideband_log).iov_len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(same_answers, setup, teardown),
		cmocka_unit_test_setup_teardown(same_answers_for_sampled_processes, setup,
						teardown),
		cmocka_unit_test_setup_teardown(nothing_is_left_of_exited_processes, setup,
						teardown),
		cmocka_unit_test_setup_teardown(kinds_of_records, setup, teardown),
		cmocka_unit_test_setup_teardown(maps_of_a_parent_that_is_gone, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
