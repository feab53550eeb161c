/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/task_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/perf_abi.h"
#include "base/vec.h"

#define BUCKETS	      256 /* of perf's table of threads, which gives the order */
#define NO_MAPS_CLONE PERF_RECORD_MISC_COMM_EXEC /* of FORK: synthesized, with maps of its own */

void task_list_release(struct task_list *l)
{
	for (size_t i = 0; i < l->n_spaces; i++)
		free(l->spaces[i].maps);
	free(l->spaces);
	free(l->tasks);
	index_table_release(&l->index);
	strpool_release(&l->names);
	memset(l, 0, sizeof(*l));
}

/* ---- threads ---- */

static bool task_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct task_list *)owner)->tasks[index].tid == *(const int32_t *)key;
}

static uint32_t task_find(const struct task_list *l, int32_t tid)
{
	return index_table_find(&l->index, hash_u64((uint32_t)tid), task_same, l, &tid);
}

static uint32_t space_new(struct task_list *l)
{
	if (vec_grow(&l->spaces, &l->cap_spaces, l->n_spaces + 1))
		return PTUI_NONE;
	l->spaces[l->n_spaces] = (struct task_space){ NULL, 0, 0 };
	return (uint32_t)l->n_spaces++;
}

static uint32_t task_get(struct task_list *l, int32_t pid, int32_t tid);

/* The maps of a thread are those of its process, whose first thread is made if it is not known. */
static int task_init(struct task_list *l, uint32_t i, int32_t pid, int32_t tid)
{
	uint32_t leader;

	l->tasks[i] = (struct task){
		.pid = pid, .tid = tid, .ppid = -1, .comm = PTUI_NONE, .space = PTUI_NONE
	};
	if (pid == tid || pid == -1) {
		l->tasks[i].space = space_new(l);
	} else {
		leader = task_get(l, pid, pid);
		if (leader != PTUI_NONE)
			l->tasks[i].space = l->tasks[leader].space;
	}
	return l->tasks[i].space == PTUI_NONE ? -ENOMEM : 0;
}

/* Finds or makes a thread; a process id that was not known until now is taken over. */
static uint32_t task_get(struct task_list *l, int32_t pid, int32_t tid)
{
	uint32_t i = task_find(l, tid), leader;

	if (i == PTUI_NONE) {
		if (vec_grow(&l->tasks, &l->cap, l->n + 1) ||
		    index_table_add(&l->index, hash_u64((uint32_t)tid), (uint32_t)l->n))
			return PTUI_NONE;
		i = (uint32_t)l->n++;
		l->tasks[i].tid = tid;
		return task_init(l, i, pid, tid) ? PTUI_NONE : i;
	}
	if (pid == l->tasks[i].pid || pid == -1 || l->tasks[i].pid != -1)
		return i;
	l->tasks[i].pid = pid;
	if (pid == tid)
		return i;
	leader = task_get(l, pid, pid);
	if (leader == PTUI_NONE)
		return PTUI_NONE;
	l->tasks[i].space = l->tasks[leader].space;
	return i;
}

int task_list_init(struct task_list *l, bool maps)
{
	uint32_t idle;

	memset(l, 0, sizeof(*l));
	index_table_init(&l->index);
	l->maps = maps;
	if (strpool_init(&l->names))
		return -ENOMEM;
	idle = task_get(l, 0, 0);
	if (idle == PTUI_NONE)
		return -ENOMEM;
	l->tasks[idle].comm = strpool_add(&l->names, "swapper");
	return l->tasks[idle].comm == PTUI_NONE ? -ENOMEM : 0;
}

static int add_comm(struct task_list *l, const struct data_record *rec)
{
	uint32_t i = task_get(l, rec->comm.pid, rec->comm.tid);

	if (i == PTUI_NONE)
		return -ENOMEM;
	l->tasks[i].comm = strpool_add(&l->names, rec->comm.name);
	return l->tasks[i].comm == PTUI_NONE ? -ENOMEM : 0;
}

static int space_copy(struct task_list *l, uint32_t to, uint32_t from)
{
	struct task_space *a = &l->spaces[to];
	const struct task_space *b = &l->spaces[from];

	if (vec_grow(&a->maps, &a->cap, b->n))
		return -ENOMEM;
	if (b->n)
		memcpy(a->maps, b->maps, b->n * sizeof(*a->maps));
	a->n = b->n;
	return 0;
}

static int add_fork(struct task_list *l, const struct data_record *rec)
{
	uint32_t parent = task_get(l, rec->task.ppid, rec->task.ptid), i;

	if (parent == PTUI_NONE)
		return -ENOMEM;
	/* an id that another process had */
	if (l->tasks[parent].pid != rec->task.ppid &&
	    task_init(l, parent, rec->task.ppid, rec->task.ptid))
		return -ENOMEM;
	i = task_find(l, rec->task.tid);
	if (i != PTUI_NONE && task_init(l, i, rec->task.pid, rec->task.tid))
		return -ENOMEM;
	if (i == PTUI_NONE)
		i = task_get(l, rec->task.pid, rec->task.tid);
	if (i == PTUI_NONE)
		return -ENOMEM;
	if (l->tasks[parent].comm != PTUI_NONE)
		l->tasks[i].comm = l->tasks[parent].comm;
	l->tasks[i].ppid = rec->task.ptid;
	if (l->tasks[i].pid == l->tasks[parent].pid || rec->misc & NO_MAPS_CLONE)
		return 0;
	return space_copy(l, l->tasks[i].space, l->tasks[parent].space);
}

/* ---- maps ---- */

static bool has_prefix(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Memory without a file has the symbols of a JIT compiler, if any. */
static bool is_generated(const struct data_mmap *m)
{
	return m->prot & PROT_EXEC &&
	       ((m->flags & MAP_HUGETLB) || !strcmp(m->path, "//anon") ||
		has_prefix(m->path, "/dev/zero") || has_prefix(m->path, "/anon_hugepage") ||
		has_prefix(m->path, "[stack") || has_prefix(m->path, "/SYSV") ||
		!strcmp(m->path, "[heap]"));
}

/* Removes [start, end) from the maps. Returns where a map of it belongs; PTUI_NONE: no memory. */
static uint32_t space_cut(struct task_space *s, uint64_t start, uint64_t end)
{
	size_t at = bisect(i, s->n, s->maps[i].end <= start), last;

	if (at < s->n && s->maps[at].start < start) {
		struct task_map rest = s->maps[at];

		if (rest.end > end) { /* in two */
			if (vec_grow(&s->maps, &s->cap, s->n + 1))
				return PTUI_NONE;
			memmove(&s->maps[at + 1], &s->maps[at], (s->n - at) * sizeof(*s->maps));
			s->n++;
		}
		s->maps[at].end = start;
		at++;
	}
	for (last = at; last < s->n && s->maps[last].end <= end;)
		last++;
	if (last > at) /* else there may be no array yet */
		memmove(&s->maps[at], &s->maps[last], (s->n - last) * sizeof(*s->maps));
	s->n -= last - at;
	if (at < s->n && s->maps[at].start < end) {
		s->maps[at].pgoff += end - s->maps[at].start;
		s->maps[at].start = end;
	}
	return (uint32_t)at;
}

static int add_map(struct task_list *l, const struct data_record *rec)
{
	const struct data_mmap *m = &rec->mmap;
	struct task_map map = { .start = m->start,
				.end = m->start + m->len,
				.pgoff = m->pgoff,
				.ino = m->ino,
				.prot = m->prot,
				.flags = m->flags };
	unsigned mode = rec->misc & DATA_CPUMODE_MASK;
	uint32_t task, at;
	struct task_space *s;
	char generated[64];

	if (!l->maps || mode == DATA_MODE_KERNEL || mode == DATA_MODE_GUEST_KERNEL ||
	    map.end <= map.start)
		return 0;
	task = task_get(l, m->pid, m->tid);
	if (task == PTUI_NONE)
		return -ENOMEM;
	snprintf(generated, sizeof(generated), "/tmp/perf-%d.map", m->pid);
	map.name = strpool_add(&l->names, is_generated(m) ? generated : m->path);
	if (!strcmp(m->path, "[vdso]"))
		map.pgoff = map.ino = 0;
	s = &l->spaces[l->tasks[task].space];
	at = space_cut(s, map.start, map.end);
	if (map.name == PTUI_NONE || at == PTUI_NONE || vec_grow(&s->maps, &s->cap, s->n + 1))
		return -ENOMEM;
	memmove(&s->maps[at + 1], &s->maps[at], (s->n - at) * sizeof(*s->maps));
	s->maps[at] = map;
	s->n++;
	return 0;
}

int task_list_add(struct task_list *l, const struct data_record *rec)
{
	switch (rec->type) {
	case PERF_RECORD_COMM:
		return add_comm(l, rec);
	case PERF_RECORD_FORK:
		return add_fork(l, rec);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return add_map(l, rec);
	default:
		return 0;
	}
}

/* ---- the tree ---- */

struct task_node {
	const struct task *task;
	uint32_t parent, first, last; /* its children */
	uint32_t next;		      /* of the same parent */
	bool listed;
};

struct task_tree {
	struct task_node *nodes;
	uint32_t *of; /* the node of each task */
	uint32_t first, last;
};

static int compare_tasks(const void *va, const void *vb)
{
	const struct task *a = ((const struct task_node *)va)->task;
	const struct task *b = ((const struct task_node *)vb)->task;
	uint32_t ka = (uint32_t)a->tid % BUCKETS, kb = (uint32_t)b->tid % BUCKETS;

	if (ka != kb)
		return ka < kb ? -1 : 1;
	return a->tid < b->tid ? -1 : a->tid > b->tid;
}

static void node_append(struct task_tree *t, uint32_t *first, uint32_t *last, uint32_t i)
{
	if (*last == PTUI_NONE)
		*first = i;
	else
		t->nodes[*last].next = i;
	*last = i;
	t->nodes[i].listed = true;
}

/* Lists a task below its parent, that one below its own, and so on. */
static void list_node(const struct task_list *l, struct task_tree *t, uint32_t i)
{
	while (!t->nodes[i].listed) {
		int32_t ppid = t->nodes[i].task->ppid;
		uint32_t parent = ppid == -1 ? PTUI_NONE : task_find(l, ppid);

		if (parent == PTUI_NONE) {
			node_append(t, &t->first, &t->last, i);
			return;
		}
		parent = t->of[parent];
		t->nodes[i].parent = parent;
		node_append(t, &t->nodes[parent].first, &t->nodes[parent].last, i);
		i = parent;
	}
}

/* Without recursion: a recording may have a long row of parents. */
static int walk_nodes(const struct task_tree *t,
		      int (*fn)(void *ctx, const struct task *task, unsigned level), void *ctx)
{
	uint32_t i = t->first;
	unsigned level = 0;
	int ret = 0;

	while (i != PTUI_NONE && !ret) {
		const struct task_node *n = &t->nodes[i];

		ret = fn(ctx, n->task, level);
		if (n->first != PTUI_NONE) {
			i = n->first;
			level++;
			continue;
		}
		while (n->next == PTUI_NONE && n->parent != PTUI_NONE) {
			n = &t->nodes[n->parent];
			level--;
		}
		i = n->next;
	}
	return ret;
}

int task_list_walk(const struct task_list *l,
		   int (*fn)(void *ctx, const struct task *task, unsigned level), void *ctx)
{
	struct task_tree t = { .first = PTUI_NONE, .last = PTUI_NONE };
	int ret = -ENOMEM;

	t.nodes = calloc(l->n + 1, sizeof(*t.nodes));
	t.of = calloc(l->n + 1, sizeof(*t.of));
	if (t.nodes && t.of) {
		for (size_t i = 0; i < l->n; i++)
			t.nodes[i] = (struct task_node){ .task = &l->tasks[i],
							 .parent = PTUI_NONE,
							 .first = PTUI_NONE,
							 .last = PTUI_NONE,
							 .next = PTUI_NONE };
		qsort(t.nodes, l->n, sizeof(*t.nodes), compare_tasks);
		for (size_t i = 0; i < l->n; i++)
			t.of[t.nodes[i].task - l->tasks] = (uint32_t)i;
		for (uint32_t i = 0; i < l->n; i++)
			list_node(l, &t, i);
		ret = walk_nodes(&t, fn, ctx);
	}
	free(t.nodes);
	free(t.of);
	return ret;
}
