/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where counts were taken: CPUs and their cores, sockets, nodes; threads and their names. */
#include "stat/stat_places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/cursor.h"
#include "base/file.h"
#include "base/perf_abi.h"
#include "base/ranges.h"
#include "base/vec.h"
#include "kernel/cpus.h"

/* of Linux */
#define NODES_MAX     1024
#define NODE_CPUS_MAX 8192

#define CACHES_MAX    16 /* of a CPU; four to six are usual */

/* ---- of this machine ---- */

/* The number that the file of a CPU begins with; -1: there is none. */
static int read_cpu(const struct roots *roots, int cpu, const char *file)
{
	struct buf text = BUF_INIT;
	int ret = -1;

	if (!file_readf(&text, 4096, "%s/devices/system/cpu/cpu%d/%s", roots->sysfs, cpu, file))
		ret = atoi(buf_str(&text));
	buf_release(&text);
	return ret;
}

static bool is_code_cache(const struct roots *roots, int cpu, int index)
{
	struct buf text = BUF_INIT;
	bool ret = !file_readf(&text, 64, "%s/devices/system/cpu/cpu%d/cache/index%d/type",
			       roots->sysfs, cpu, index) &&
		   !strncmp(buf_str(&text), "Instruction", strlen("Instruction"));

	buf_release(&text);
	return ret;
}

/* The cache of this level, of 0 the last one; its number is the first CPU that shares it, as in perf. */
static void read_cache(const struct roots *roots, int cpu, unsigned wanted, struct stat_id *ret)
{
	for (int i = 0; i < CACHES_MAX; i++) {
		char file[64];
		int level;

		snprintf(file, sizeof(file), "cache/index%d/level", i);
		level = read_cpu(roots, cpu, file);
		if (level < 0)
			break;
		if ((wanted ? level != (int)wanted : level <= ret->level) ||
		    is_code_cache(roots, cpu, i))
			continue;
		snprintf(file, sizeof(file), "cache/index%d/shared_cpu_list", i);
		ret->level = level;
		ret->core = read_cpu(roots, cpu, file);
	}
}

static int read_node(const struct roots *roots, int cpu)
{
	struct buf path = BUF_INIT;
	int ret = -1;

	for (int node = 0; node < 1024 && ret < 0; node++) {
		buf_clear(&path);
		buf_addf(&path, "%s/devices/system/cpu/cpu%d/node%d", roots->sysfs, cpu, node);
		if (!path.err && !access(buf_str(&path), F_OK))
			ret = node;
	}
	buf_release(&path);
	return ret < 0 ? 0 : ret;
}

void stat_topology(const struct roots *roots, int cpu, const struct stat_opts *opts,
		   struct stat_id *ret)
{
	static const char *const cores[] = {
		[STAT_CORE] = "topology/core_id",
		[STAT_CLUSTER] = "topology/cluster_id",
		[STAT_NODE] = NULL,
	};
	enum stat_aggr aggr = opts->aggr;
	bool in_die = cores[aggr] || aggr == STAT_DIE || aggr == STAT_CACHE;

	if (aggr == STAT_CPU)
		ret->cpu = cpu;
	if (aggr == STAT_NODE)
		ret->node = read_node(roots, cpu);
	if (aggr == STAT_SOCKET || in_die)
		ret->socket = read_cpu(roots, cpu, "topology/physical_package_id");
	if (in_die)
		ret->die = read_cpu(roots, cpu, "topology/die_id");
	if (cores[aggr])
		ret->core = read_cpu(roots, cpu, cores[aggr]);
	if (aggr == STAT_CACHE)
		read_cache(roots, cpu, opts->cache_level, ret);
}

static bool thread_is(const void *owner, uint32_t index, const void *key)
{
	return ((const struct stat_places *)owner)->threads[index].tid == *(const pid_t *)key;
}

static uint32_t thread_of(const struct stat_places *p, pid_t tid)
{
	return index_table_find(&p->by_tid, hash_u64((uint32_t)tid), thread_is, p, &tid);
}

void stat_comm(const struct roots *roots, const struct stat_places *p, pid_t tid, char *ret,
	       size_t size)
{
	struct buf text = BUF_INIT;

	if (p) {
		uint32_t i = thread_of(p, tid);

		if (i != PTUI_NONE)
			snprintf(ret, size, "%s", p->threads[i].comm);
		return;
	}
	if (!file_readf(&text, 64, "%s/%d/comm", roots->proc, (int)tid))
		snprintf(ret, size, "%.*s", (int)strcspn(buf_str(&text), "\n"), buf_str(&text));
	buf_release(&text);
}

/* ---- of a recording ---- */

static void skip_strings(struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && cursor_left(c); i++)
		cursor_bytes(c, cursor_u32(c));
}

/*
 * NRCPUS: present, online. CPU_TOPOLOGY: strings of sockets, strings of threads, (core, socket) by CPU, and since
 * perf 5.3 strings of dies, die by CPU.
 */
static int read_cpu_topology(struct stat_places *p, const struct data_file *f)
{
	size_t n;
	const void *bytes = data_feature(f, PTUI_FEAT_NRCPUS, &n);
	struct cursor c;

	if (!bytes)
		return 0;
	cursor_init(&c, bytes, n, data_swapped(f));
	p->n_cpus = cursor_u32(&c);
	bytes = data_feature(f, PTUI_FEAT_CPU_TOPOLOGY, &n);
	if (!bytes || p->n_cpus > n / 8) {
		p->n_cpus = 0;
		return 0;
	}
	p->cpus = calloc(p->n_cpus + 1, sizeof(*p->cpus));
	if (!p->cpus)
		return -ENOMEM;
	cursor_init(&c, bytes, n, data_swapped(f));
	skip_strings(&c);
	skip_strings(&c);
	for (size_t i = 0; i < p->n_cpus; i++) {
		p->cpus[i].core = (int)cursor_u32(&c);
		p->cpus[i].socket = (int)cursor_u32(&c);
	}
	skip_strings(&c);
	for (size_t i = 0; i < p->n_cpus && cursor_left(&c); i++)
		p->cpus[i].die = (int)cursor_u32(&c);
	return 0;
}

static void set_node(struct stat_places *p, const char *list, int node)
{
	struct ranges cpus = { NULL };

	if (!ranges_parse_numbers(&cpus, list, NODE_CPUS_MAX))
		for (size_t i = 0; i < cpus.n && i < NODE_CPUS_MAX; i++)
			for (uint64_t j = cpus.v[i].from; j <= cpus.v[i].to && j < p->n_cpus; j++)
				p->cpus[j].node = node;
	ranges_release(&cpus);
}

/* u32 n; of each: u32 node, u64 total, u64 free, its list of CPUs. */
static void read_nodes(struct stat_places *p, const struct data_file *f)
{
	size_t n;
	const void *bytes = data_feature(f, PTUI_FEAT_NUMA_TOPOLOGY, &n);
	struct cursor c;
	uint32_t n_nodes;

	if (!bytes)
		return;
	cursor_init(&c, bytes, n, data_swapped(f));
	n_nodes = cursor_u32(&c);
	for (uint32_t i = 0; i < n_nodes && i < NODES_MAX && cursor_left(&c); i++) {
		int node = (int)cursor_u32(&c);
		const char *list;

		cursor_bytes(&c, 16);
		list = cursor_str(&c, cursor_u32(&c));
		if (list)
			set_node(p, list, node);
	}
}

int stat_places_read(struct stat_places *p, const struct data_file *f)
{
	int ret = read_cpu_topology(p, f);

	if (!ret)
		read_nodes(p, f);
	return ret;
}

/* 0 or -ENOMEM. */
static int thread_index(struct stat_places *p, uint32_t i)
{
	uint64_t hash = hash_u64((uint32_t)p->threads[i].tid);
	uint32_t older = thread_of(p, p->threads[i].tid);

	if (older != PTUI_NONE)
		index_table_remove(&p->by_tid, hash, older);
	return index_table_add(&p->by_tid, hash, i);
}

/* u64 n; of each: u64 tid, 16 bytes of comm. */
int stat_places_add_threads(struct stat_places *p, struct cursor *c)
{
	uint64_t n = cursor_u64(c);

	for (uint64_t i = 0; i < n && cursor_left(c) >= 24; i++) {
		struct stat_thread *t;

		if (vec_grow(&p->threads, &p->cap_threads, p->n_threads + 1))
			return -ENOMEM;
		t = &p->threads[p->n_threads++];
		t->tid = (pid_t)cursor_u64(c);
		if (thread_index(p, (uint32_t)p->n_threads - 1))
			return -ENOMEM;
		memcpy(t->comm, cursor_bytes(c, sizeof(t->comm)), sizeof(t->comm));
		t->comm[sizeof(t->comm) - 1] = '\0';
	}
	return 0;
}

void stat_places_release(struct stat_places *p)
{
	free(p->cpus);
	free(p->threads);
	index_table_release(&p->by_tid);
	*p = (struct stat_places){ 0 };
}

void stat_recorded_topology(const struct stat_places *p, int cpu, enum stat_aggr aggr,
			    struct stat_id *ret)
{
	const struct stat_cpu *c = cpu >= 0 && (size_t)cpu < p->n_cpus ? &p->cpus[cpu] : NULL;

	if (aggr == STAT_CPU)
		ret->cpu = cpu;
	if (aggr == STAT_NODE)
		ret->node = c ? c->node : -1;
	if (aggr == STAT_SOCKET || aggr == STAT_DIE || aggr == STAT_CORE)
		ret->socket = c ? c->socket : -1;
	if (aggr == STAT_DIE || aggr == STAT_CORE)
		ret->die = c ? c->die : -1;
	if (aggr == STAT_CORE)
		ret->core = c ? c->core : -1;
}
