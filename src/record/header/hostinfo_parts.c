/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/header/hostinfo_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/vec.h"
#include "data/write/feature_payload.h"

#define LINE_BYTES_MAX ((size_t)1 << 16)
#define CPUS_MAX       (1u << 20)
#define TOPOLOGY_FILE  "%s/devices/system/cpu/cpu%u/topology/%s"
#define BLOCKS_MAX     (1u << 24)

int hostinfo_line(struct buf *out, const char *fmt, ...)
{
	size_t before = out->len;
	const char *end;
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = file_vreadf(out, LINE_BYTES_MAX, fmt, ap);
	va_end(ap);
	end = ret ? NULL : strchr(out->data + before, '\n');
	if (end) {
		out->len = (size_t)(end - out->data);
		out->data[out->len] = '\0';
	}
	return ret;
}

int hostinfo_each(const char *list, int (*fn)(void *ctx, uint32_t number), void *ctx)
{
	const char *p = list;

	while (*p >= '0' && *p <= '9') {
		char *end;
		unsigned long first = strtoul(p, &end, 10), last = first, i;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last >= CPUS_MAX)
			return 0;
		for (i = first; i <= last; i++) {
			int ret = fn(ctx, (uint32_t)i);

			if (ret)
				return ret;
		}
		p = *end == ',' ? end + 1 : end;
	}
	return 0;
}

struct count {
	uint32_t n, end;
};

static int count_one(void *ctx, uint32_t number)
{
	struct count *c = ctx;

	c->n++;
	if (number >= c->end)
		c->end = number + 1;
	return 0;
}

uint32_t hostinfo_cpus(const struct roots *roots, const char *which, uint32_t *ret_count)
{
	struct count c = { 0, 0 };
	struct buf list = BUF_INIT;

	if (!hostinfo_line(&list, "%s/devices/system/cpu/%s", roots->sysfs, which))
		hostinfo_each(buf_str(&list), count_one, &c);
	buf_release(&list);
	if (ret_count)
		*ret_count = c.n;
	return c.end;
}

/* The number in a sysfs file; -1 if there is none. */
static long long number_at(const struct roots *roots, const char *kind, uint32_t index,
			   const char *name)
{
	long long v;

	return file_read_long(&v, "%s/devices/system/%s%u/%s", roots->sysfs, kind, index, name) ?
		       -1 :
		       v;
}

/* ---- CPU lists, without duplicates ---- */

struct list_set {
	char **v;
	size_t n, cap;
};

static int list_set_add(struct list_set *set, const char *list)
{
	char *copy;

	for (size_t i = 0; i < set->n; i++)
		if (!strcmp(set->v[i], list))
			return 0;
	copy = strdup(list);
	if (!copy || vec_grow(&set->v, &set->cap, set->n + 1)) {
		free(copy);
		return -ENOMEM;
	}
	set->v[set->n++] = copy;
	return 0;
}

static void list_set_release(struct list_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		free(set->v[i]);
	free(set->v);
}

static struct feature_lists lists_of(const struct list_set *set)
{
	return (struct feature_lists){ (const char *const *)set->v, set->n };
}

/* The list of `cpu` under one of two names: the kernel renamed them in 5.3. */
static int add_list(struct list_set *set, const struct roots *roots, uint32_t cpu, const char *name,
		    const char *old_name)
{
	struct buf list = BUF_INIT;
	int ret = 0;

	if (!hostinfo_line(&list, TOPOLOGY_FILE, roots->sysfs, cpu, name) ||
	    (old_name && !hostinfo_line(&list, TOPOLOGY_FILE, roots->sysfs, cpu, old_name)))
		ret = list_set_add(set, buf_str(&list));
	buf_release(&list);
	return ret;
}

int hostinfo_cpu_topology(const struct roots *roots, struct buf *out)
{
	struct list_set packages = { NULL, 0, 0 }, cores = { NULL, 0, 0 }, dies = { NULL, 0, 0 };
	uint32_t n = hostinfo_cpus(roots, "present", NULL), i;
	struct feature_cpu *cpus = calloc((size_t)n + !n, sizeof(*cpus));
	int ret = cpus ? 0 : -ENOMEM;

	for (i = 0; i < n && !ret; i++) {
		cpus[i].core = (int32_t)number_at(roots, "cpu/cpu", i, "topology/core_id");
		cpus[i].socket = (int32_t)number_at(roots, "cpu/cpu", i,
						    "topology/physical_package_id");
		cpus[i].die = (int32_t)number_at(roots, "cpu/cpu", i, "topology/die_id");
		ret = add_list(&packages, roots, i, "package_cpus_list", "core_siblings_list");
		if (!ret)
			ret = add_list(&cores, roots, i, "core_cpus_list", "thread_siblings_list");
#if defined(__x86_64__) || defined(__s390x__)
		/* only where perf expects dies */
		if (!ret)
			ret = add_list(&dies, roots, i, "die_cpus_list", NULL);
#endif
	}
	if (!ret && packages.n)
		feature_cpu_topology(out, lists_of(&packages), lists_of(&cores), lists_of(&dies),
				     cpus, n);
	list_set_release(&packages);
	list_set_release(&cores);
	list_set_release(&dies);
	free(cpus);
	return ret;
}

/* ---- NUMA nodes ---- */

struct nodes {
	const struct roots *roots;
	struct arena text;
	struct feature_node *v;
	size_t n, cap;
};

/* "Node 0 MemTotal:       24684096 kB" */
static uint64_t meminfo_kib(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static int add_node(void *ctx, uint32_t number)
{
	struct buf text = BUF_INIT, cpus = BUF_INIT;
	struct nodes *nodes = ctx;
	struct feature_node *node;
	int ret = -ENOMEM;

	if (vec_grow(&nodes->v, &nodes->cap, nodes->n + 1))
		goto out;
	node = &nodes->v[nodes->n];
	memset(node, 0, sizeof(*node));
	node->node = number;
	if (!file_readf(&text, LINE_BYTES_MAX, "%s/devices/system/node/node%u/meminfo",
			nodes->roots->sysfs, number)) {
		node->total_kib = meminfo_kib(buf_str(&text), "MemTotal:");
		node->free_kib = meminfo_kib(buf_str(&text), "MemFree:");
	}
	hostinfo_line(&cpus, "%s/devices/system/node/node%u/cpulist", nodes->roots->sysfs, number);
	node->cpus = arena_strdup(&nodes->text, buf_str(&cpus));
	if (!node->cpus)
		goto out;
	nodes->n++;
	ret = 0;
out:
	buf_release(&text);
	buf_release(&cpus);
	return ret;
}

int hostinfo_numa_topology(const struct roots *roots, struct buf *out)
{
	struct nodes nodes = { .roots = roots };
	struct buf list = BUF_INIT;
	int ret = 0;

	if (!hostinfo_line(&list, "%s/devices/system/node/online", roots->sysfs))
		ret = hostinfo_each(buf_str(&list), add_node, &nodes);
	if (!ret && nodes.n)
		feature_numa_topology(out, nodes.v, nodes.n);
	arena_release(&nodes.text);
	free(nodes.v);
	buf_release(&list);
	return ret;
}

/* ---- PMUs ---- */

#define PMUS "%s/bus/event_source/devices"

/* Adds an entry for a name in a folder; false: there is none for it. */
typedef bool (*put_fn)(const struct roots *roots, const char *folder, const char *name,
		       struct buf *to);

/* u32 n, and the entries of the names in a folder; nothing without any. Returns n. */
static uint32_t put_each(const struct roots *roots, const struct buf *folder, put_fn put,
			 struct buf *out)
{
	struct buf entries = BUF_INIT;
	DIR *dir = folder->err ? NULL : opendir(buf_str(folder));
	struct dirent *de;
	uint32_t n = 0;

	while (dir && (de = readdir(dir)))
		n += de->d_name[0] != '.' && put(roots, buf_str(folder), de->d_name, &entries);
	if (dir)
		closedir(dir);
	if (n) {
		buf_add_u32(out, n);
		buf_add(out, entries.data, entries.len);
	}
	if (folder->err || entries.err)
		out->err = folder->err ? folder->err : entries.err;
	buf_release(&entries);
	return n;
}

static bool put_type(const struct roots *roots, const char *folder, const char *name,
		     struct buf *to)
{
	long long type;

	(void)roots;
	if (file_read_long(&type, "%s/%s/type", folder, name))
		return false;
	buf_add_u32(to, (uint32_t)type);
	feature_string(to, name);
	return true;
}

int hostinfo_pmu_mappings(const struct roots *roots, struct buf *out)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, PMUS, roots->sysfs);
	put_each(roots, &path, put_type, out);
	buf_release(&path);
	return out->err;
}

static bool put_cap(const struct roots *roots, const char *folder, const char *name, struct buf *to)
{
	struct buf value = BUF_INIT;
	bool has = !hostinfo_line(&value, "%s/%s", folder, name);

	(void)roots;
	if (has) {
		feature_string(to, name);
		feature_string(to, buf_str(&value));
	}
	buf_release(&value);
	return has;
}

/* u32 n, { string name, string value } × n. Returns n. */
static uint32_t put_caps(const struct roots *roots, const char *pmu, struct buf *out)
{
	struct buf path = BUF_INIT;
	uint32_t n;

	buf_addf(&path, PMUS "/%s/caps", roots->sysfs, pmu);
	n = put_each(roots, &path, put_cap, out);
	buf_release(&path);
	return n;
}

int hostinfo_cpu_pmu_caps(const struct roots *roots, struct buf *out)
{
	put_caps(roots, "cpu", out);
	return out->err;
}

/* The capabilities, followed by the name of the PMU. */
static bool put_pmu_caps(const struct roots *roots, const char *folder, const char *name,
			 struct buf *to)
{
	(void)folder;
	if (!strcmp(name, "cpu") || !put_caps(roots, name, to))
		return false;
	feature_string(to, name);
	return true;
}

int hostinfo_pmu_caps(const struct roots *roots, struct buf *out)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, PMUS, roots->sysfs);
	put_each(roots, &path, put_pmu_caps, out);
	buf_release(&path);
	return out->err;
}

/* ---- caches ---- */

struct caches {
	struct arena text;
	struct feature_cache *v;
	size_t n, cap;
};

static bool same_cache(const struct feature_cache *a, const struct feature_cache *b)
{
	return a->level == b->level && a->line_bytes == b->line_bytes && a->sets == b->sets &&
	       a->ways == b->ways && !strcmp(a->type, b->type) && !strcmp(a->size, b->size) &&
	       !strcmp(a->cpus, b->cpus);
}

static const char *cache_word(struct caches *c, const struct roots *roots, uint32_t cpu,
			      uint32_t index, const char *name)
{
	struct buf line = BUF_INIT;
	const char *word;

	hostinfo_line(&line, "%s/devices/system/cpu/cpu%u/cache/index%u/%s", roots->sysfs, cpu,
		      index, name);
	word = arena_strdup(&c->text, buf_str(&line));
	buf_release(&line);
	return word;
}

static uint32_t cache_number(const struct roots *roots, uint32_t cpu, uint32_t index,
			     const char *name)
{
	struct buf path = BUF_INIT;
	long long v;

	buf_addf(&path, "cache/index%u/%s", index, name);
	v = number_at(roots, "cpu/cpu", cpu, buf_str(&path));
	buf_release(&path);
	return v < 0 ? 0 : (uint32_t)v;
}

/* Returns 1 if this CPU has no cache of that index. */
static int add_cache(struct caches *c, const struct roots *roots, uint32_t cpu, uint32_t index)
{
	struct feature_cache cache = { .level = cache_number(roots, cpu, index, "level") };

	if (!cache.level)
		return 1;
	cache.line_bytes = cache_number(roots, cpu, index, "coherency_line_size");
	cache.sets = cache_number(roots, cpu, index, "number_of_sets");
	cache.ways = cache_number(roots, cpu, index, "ways_of_associativity");
	cache.type = cache_word(c, roots, cpu, index, "type");
	cache.size = cache_word(c, roots, cpu, index, "size");
	cache.cpus = cache_word(c, roots, cpu, index, "shared_cpu_list");
	if (!cache.type || !cache.size || !cache.cpus)
		return -ENOMEM;
	for (size_t i = 0; i < c->n; i++)
		if (same_cache(&c->v[i], &cache))
			return 0;
	if (vec_grow(&c->v, &c->cap, c->n + 1))
		return -ENOMEM;
	c->v[c->n++] = cache;
	return 0;
}

static int by_level(const void *a, const void *b)
{
	const struct feature_cache *x = a, *y = b;

	return (x->level > y->level) - (x->level < y->level);
}

int hostinfo_caches(const struct roots *roots, struct buf *out)
{
	uint32_t n = hostinfo_cpus(roots, "present", NULL), index;
	struct caches c = { .v = NULL };
	int ret = 0;

	for (uint32_t cpu = 0; cpu < n && ret >= 0; cpu++)
		for (index = 0, ret = 0; !ret; index++)
			ret = add_cache(&c, roots, cpu, index);
	if (ret >= 0 && c.n) {
		qsort(c.v, c.n, sizeof(*c.v), by_level);
		feature_caches(out, c.v, c.n);
	}
	arena_release(&c.text);
	free(c.v);
	return ret < 0 ? ret : 0;
}

/* ---- memory blocks ---- */

struct memories {
	const struct roots *roots;
	struct feature_memory *v;
	size_t n, cap;
};

/* The N of each "memoryN" in a node's directory, as a bitmap. */
static int read_blocks(DIR *dir, uint64_t **ret_bits, uint64_t *ret_n)
{
	uint64_t *bits = NULL, n = 0;
	size_t cap = 0, have = 0;
	struct dirent *de;

	while ((de = readdir(dir))) {
		unsigned long long block;
		char *end;

		if (strncmp(de->d_name, "memory", 6) || !de->d_name[6])
			continue;
		block = strtoull(de->d_name + 6, &end, 10);
		if (*end || block >= BLOCKS_MAX)
			continue;
		if (block / 64 >= have) {
			if (vec_grow(&bits, &cap, block / 64 + 1)) {
				free(bits);
				return -ENOMEM;
			}
			memset(bits + have, 0, (cap - have) * sizeof(*bits));
			have = cap;
		}
		bits[block / 64] |= 1ULL << block % 64;
		if (block >= n)
			n = block + 1;
	}
	*ret_bits = bits;
	*ret_n = n;
	return 0;
}

static int add_memory(void *ctx, uint32_t node)
{
	struct memories *m = ctx;
	struct buf path = BUF_INIT;
	uint64_t *bits = NULL, n = 0;
	int ret = 0;
	DIR *dir;

	buf_addf(&path, "%s/devices/system/node/node%u", m->roots->sysfs, node);
	dir = opendir(buf_str(&path));
	buf_release(&path);
	if (!dir)
		return 0;
	ret = read_blocks(dir, &bits, &n);
	closedir(dir);
	if (ret || !n)
		return ret;
	if (vec_grow(&m->v, &m->cap, m->n + 1)) {
		free(bits);
		return -ENOMEM;
	}
	m->v[m->n++] = (struct feature_memory){ .node = node, .blocks = bits, .n_blocks = n };
	return 0;
}

int hostinfo_mem_topology(const struct roots *roots, struct buf *out)
{
	struct buf size = BUF_INIT, list = BUF_INIT;
	struct memories m = { .roots = roots };
	int ret = 0;

	/* the size is hexadecimal, without 0x */
	if (!hostinfo_line(&size, "%s/devices/system/memory/block_size_bytes", roots->sysfs) &&
	    !hostinfo_line(&list, "%s/devices/system/node/online", roots->sysfs)) {
		ret = hostinfo_each(buf_str(&list), add_memory, &m);
		if (!ret && m.n)
			feature_mem_topology(out, strtoull(buf_str(&size), NULL, 16), m.v, m.n);
	}
	for (size_t i = 0; i < m.n; i++)
		free((uint64_t *)(uintptr_t)m.v[i].blocks);
	free(m.v);
	buf_release(&size);
	buf_release(&list);
	return ret;
}
