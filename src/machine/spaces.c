/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From sorted records to address spaces; and the lookups in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "machine/private.h"

static bool proc_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct machine *)owner)->procs[index].pid == *(const int32_t *)key;
}

const struct proc *proc_find(const struct machine *m, int32_t pid)
{
	uint32_t i = index_table_find(&m->proc_index, hash_u64((uint32_t)pid), proc_same, m, &pid);

	return i == PTUI_NONE ? NULL : &m->procs[i];
}

/* Index of the process, made when it is new; PTUI_NONE: out of memory. */
static uint32_t proc_get(struct machine *m, int32_t pid)
{
	const struct proc *known = proc_find(m, pid);
	uint32_t i = (uint32_t)m->n_procs;

	if (known)
		return (uint32_t)(known - m->procs);
	if (vec_grow(&m->procs, &m->cap_procs, m->n_procs + 1) < 0 ||
	    index_table_add(&m->proc_index, hash_u64((uint32_t)pid), i) < 0)
		return PTUI_NONE;
	m->procs[i] = (struct proc){ .pid = pid, .last = PTUI_NONE };
	m->n_procs++;
	return i;
}

static uint32_t space_add(struct machine *m, uint32_t proc, uint64_t begin)
{
	uint32_t id = (uint32_t)m->n_spaces;

	if (vec_grow(&m->spaces, &m->cap_spaces, m->n_spaces + 1) < 0)
		return PTUI_NONE;
	m->spaces[id] = (struct space){ .begin = begin, .parent = PTUI_NONE, .proc = proc };
	m->n_spaces++;
	m->procs[proc].n++;
	m->procs[proc].last = id;
	return id;
}

/* The newest space of a process; one that always was, when none has begun yet. */
static uint32_t space_current(struct machine *m, int32_t pid)
{
	uint32_t proc = proc_get(m, pid);

	if (proc == PTUI_NONE)
		return PTUI_NONE;
	if (m->procs[proc].last != PTUI_NONE)
		return m->procs[proc].last;
	return space_add(m, proc, 0);
}

static int take_fork(struct machine *m, const struct event *e, uint32_t ord)
{
	uint32_t proc, parent, parent_ord = ord, space;
	const struct proc *pp;

	if (e->pid == e->ppid) /* a thread lives in the space of its process */
		return 0;
	proc = proc_get(m, e->pid);
	if (proc == PTUI_NONE)
		return -ENOMEM;
	space = space_add(m, proc, e->when);
	if (space == PTUI_NONE)
		return -ENOMEM;
	pp = proc_find(m, e->ppid);
	parent = pp && !e->no_maps ? pp->last : PTUI_NONE;
	/* A parent with nothing of its own so far only passes the question on. */
	while (parent != PTUI_NONE && !m->spaces[parent].n) {
		parent_ord = m->spaces[parent].parent_ord;
		parent = m->spaces[parent].parent;
	}
	m->spaces[space].parent = parent;
	m->spaces[space].parent_ord = parent_ord;
	return 0;
}

static int take_exec(struct machine *m, const struct event *e)
{
	/* That the process was there before is true even when nothing is known of it. */
	uint32_t before = space_current(m, e->pid);

	if (before == PTUI_NONE || space_add(m, m->spaces[before].proc, e->when) == PTUI_NONE)
		return -ENOMEM;
	return 0;
}

static int take_map(struct machine *m, const struct event *e, uint32_t ord)
{
	uint32_t space = e->pid == -1 ? KERNEL_SPACE : space_current(m, e->pid);
	struct map_node *node;

	if (space == PTUI_NONE || vec_grow(&m->nodes, &m->cap_nodes, m->n_nodes + 1) < 0)
		return -ENOMEM;
	node = &m->nodes[m->n_nodes++];
	memset(node, 0, sizeof(*node));
	node->map = (struct machine_map){ .start = e->start,
					  .end = e->end,
					  .pgoff = e->pgoff,
					  .when = e->when,
					  .module = e->module,
					  .prot = e->prot };
	node->gone = UINT64_MAX;
	node->ord = ord;
	node->space = space;
	m->spaces[space].n++;
	return 0;
}

/* Ends the newest symbol that begins there; `alive` are nodes of run-time symbols. */
static void take_unregister(struct machine *m, const struct event *e, uint32_t *alive, size_t *n)
{
	size_t i = *n;

	while (i-- > 0) {
		struct map_node *node = &m->nodes[alive[i]];

		if (node->map.start != e->start)
			continue;
		node->gone = e->when;
		memmove(&alive[i], &alive[i + 1], (*n - i - 1) * sizeof(*alive));
		--*n;
		return;
	}
}

static int take_events(struct machine *m)
{
	uint32_t *alive = NULL;
	size_t n_alive = 0, cap = 0, i;
	int ret = 0;

	for (i = 0; i < m->n_events && !ret; i++) {
		const struct event *e = &m->events[i];

		switch (e->kind) {
		case EVENT_MAP:
			ret = take_map(m, e, (uint32_t)i);
			if (ret || !m->modules[e->module].ksymbol)
				break;
			ret = vec_grow(&alive, &cap, n_alive + 1);
			if (!ret)
				alive[n_alive++] = (uint32_t)m->n_nodes - 1;
			break;
		case EVENT_UNMAP_KSYMBOL:
			take_unregister(m, e, alive, &n_alive);
			break;
		case EVENT_FORK:
			ret = take_fork(m, e, (uint32_t)i);
			break;
		case EVENT_EXEC:
			ret = take_exec(m, e);
			break;
		}
	}
	free(alive);
	return ret;
}

static int node_compare(const void *va, const void *vb)
{
	const struct map_node *a = va, *b = vb;

	if (a->space != b->space)
		return a->space < b->space ? -1 : 1;
	if (a->map.start != b->map.start)
		return a->map.start < b->map.start ? -1 : 1;
	return a->ord < b->ord ? -1 : a->ord > b->ord;
}

static uint64_t max_end_fill(struct map_node *nodes, size_t n)
{
	size_t mid = n / 2;
	uint64_t max = 0, side;

	if (!n)
		return 0;
	max = nodes[mid].map.end;
	side = max_end_fill(nodes, mid);
	if (side > max)
		max = side;
	side = max_end_fill(nodes + mid + 1, n - mid - 1);
	if (side > max)
		max = side;
	nodes[mid].max_end = max;
	return max;
}

static void nodes_index(struct machine *m)
{
	uint32_t first = 0;
	size_t i;

	if (m->n_nodes)
		qsort(m->nodes, m->n_nodes, sizeof(*m->nodes), node_compare);
	for (i = 0; i < m->n_spaces; i++) {
		struct space *s = &m->spaces[i];

		s->first = first;
		first += s->n;
		max_end_fill(m->nodes + s->first, s->n);
	}
}

static int spaces_order(struct machine *m)
{
	uint32_t first = 0;
	size_t i;

	m->space_order = calloc(m->n_spaces, sizeof(*m->space_order));
	if (!m->space_order)
		return -ENOMEM;
	for (i = 0; i < m->n_procs; i++) {
		m->procs[i].first = first;
		first += m->procs[i].n;
		m->procs[i].n = 0;
	}
	for (i = 0; i < m->n_spaces; i++) { /* they were made in order of age */
		struct proc *p = &m->procs[m->spaces[i].proc];

		m->space_order[p->first + p->n++] = (uint32_t)i;
	}
	return 0;
}

int spaces_build(struct machine *m)
{
	int ret;

	if (space_current(m, -1) == PTUI_NONE) /* the first: KERNEL_SPACE */
		return -ENOMEM;
	ret = take_events(m);
	if (ret)
		return ret;
	nodes_index(m);
	return spaces_order(m);
}

uint32_t spaces_begun(const struct machine *m, const struct proc *p, uint64_t when)
{
	uint32_t lo = 0, hi = p->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->spaces[m->space_order[p->first + mid]].begin <= when)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
