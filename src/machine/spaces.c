/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From sorted records to address spaces. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "machine/private.h"

#define CROWDED_MAPS 64 /* new maps before space_prune() is tried */

static bool proc_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct machine *)owner)->procs[index].pid == *(const int32_t *)key;
}

const struct proc *proc_find(const struct machine *m, int32_t pid)
{
	uint32_t i = index_table_find(&m->proc_index, hash_u64((uint32_t)pid), proc_same, m, &pid);

	return i == PTUI_NONE ? NULL : &m->procs[i];
}

/* Index of the process, which is added if it is new; PTUI_NONE: out of memory. */
static uint32_t proc_get(struct machine *m, int32_t pid)
{
	const struct proc *known = proc_find(m, pid);
	uint32_t i = (uint32_t)m->n_procs;

	if (known)
		return (uint32_t)(known - m->procs);
	if (vec_grow(&m->procs, &m->cap_procs, m->n_procs + 1) < 0 ||
	    index_table_add(&m->proc_index, hash_u64((uint32_t)pid), i) < 0)
		return PTUI_NONE;
	m->procs[i] = (struct proc){ .pid = pid, .ended = UINT64_MAX };
	m->n_procs++;
	return i;
}

int procs_index(struct machine *m)
{
	int ret = 0;

	index_table_release(&m->proc_index);
	index_table_init(&m->proc_index);
	for (size_t i = 0; i < m->n_procs && !ret; i++)
		ret = index_table_add(&m->proc_index, hash_u64((uint32_t)m->procs[i].pid),
				      (uint32_t)i);
	return ret;
}

/* Begin times of a process's spaces do not decrease, even if a record came late. */
static uint32_t space_add(struct machine *m, uint32_t proc, uint64_t begin)
{
	uint32_t id = m->n_free_spaces ? m->free_spaces[m->n_free_spaces - 1] :
					 (uint32_t)m->n_spaces;
	struct proc *p = &m->procs[proc];

	if (vec_grow(&m->spaces, &m->cap_spaces, m->n_spaces + 1) < 0 ||
	    vec_grow(&p->spaces, &p->cap, p->n + 1) < 0)
		return PTUI_NONE;
	if (m->n_free_spaces)
		m->n_free_spaces--;
	else
		m->n_spaces++;
	if (p->n && m->spaces[p->spaces[p->n - 1]].begin > begin)
		begin = m->spaces[p->spaces[p->n - 1]].begin;
	m->spaces[id] = (struct space){ .begin = begin, .parent = PTUI_NONE, .proc = proc };
	p->spaces[p->n++] = id;
	if (m->track_ends && p->n == 2) {
		if (vec_grow(&m->with_former, &m->cap_with_former, m->n_with_former + 1) < 0)
			return PTUI_NONE;
		m->with_former[m->n_with_former++] = proc;
	}
	return id;
}

static uint32_t space_newest(const struct proc *p)
{
	return p && p->n ? p->spaces[p->n - 1] : PTUI_NONE;
}

/* The newest space of a process; if there is none, a new one since time 0. */
static uint32_t space_current(struct machine *m, int32_t pid)
{
	uint32_t proc = proc_get(m, pid), space;

	if (proc == PTUI_NONE)
		return PTUI_NONE;
	space = space_newest(&m->procs[proc]);
	return space != PTUI_NONE ? space : space_add(m, proc, 0);
}

static int spaces_add_fork(struct machine *m, const struct timed_event *e, uint32_t ord)
{
	uint32_t proc, parent, parent_ord = ord, space;

	proc = proc_get(m, e->pid);
	if (proc == PTUI_NONE)
		return -ENOMEM;
	if (e->pid == e->ppid) { /* a thread shares the space of its process */
		m->procs[proc].n_tasks++;
		return 0;
	}
	proc_begins(&m->procs[proc], !e->no_maps);
	parent = e->no_maps ? PTUI_NONE : space_newest(proc_find(m, e->ppid));
	space = space_add(m, proc, e->when);
	if (space == PTUI_NONE)
		return -ENOMEM;
	/* Skip parents without maps of their own. */
	while (parent != PTUI_NONE && !m->spaces[parent].n) {
		parent_ord = m->spaces[parent].parent_ord;
		parent = m->spaces[parent].parent;
	}
	if (parent != PTUI_NONE)
		m->spaces[parent].n_children++;
	m->spaces[space].parent = parent;
	m->spaces[space].parent_ord = parent_ord;
	return 0;
}

static int spaces_add_exit(struct machine *m, const struct timed_event *e)
{
	const struct proc *p = proc_find(m, e->pid);

	return p ? proc_loses_task(m, (uint32_t)(p - m->procs), e->when) : 0;
}

static int spaces_add_exec(struct machine *m, const struct timed_event *e)
{
	/* The process existed before, even if it is unknown. */
	uint32_t before = space_current(m, e->pid);

	if (before == PTUI_NONE || space_add(m, m->spaces[before].proc, e->when) == PTUI_NONE)
		return -ENOMEM;
	return 0;
}

static int spaces_add_map(struct machine *m, const struct timed_event *e, uint32_t ord)
{
	uint32_t id = e->pid == -1 ? KERNEL_SPACE : space_current(m, e->pid);
	struct map_node *node;
	struct space *space;

	if (id == PTUI_NONE)
		return -ENOMEM;
	space = &m->spaces[id];
	if (vec_grow(&space->nodes, &space->cap, space->n + 1) < 0 ||
	    vec_grow(&m->touched, &m->cap_touched, m->n_touched + 1) < 0)
		return -ENOMEM;
	if (space->n == space->n_sorted)
		m->touched[m->n_touched++] = id;
	node = &space->nodes[space->n++];
	memset(node, 0, sizeof(*node));
	node->map = (struct machine_map){ .start = e->start,
					  .end = e->end,
					  .pgoff = e->pgoff,
					  .when = e->when,
					  .module = e->module,
					  .prot = e->prot };
	node->gone = UINT64_MAX;
	node->ord = ord;
	return 0;
}

static bool is_live_symbol(const struct machine *m, const struct map_node *node, uint64_t start)
{
	return node->map.start == start && node->gone == UINT64_MAX &&
	       m->modules[node->map.module].ksymbol;
}

/* Ends the newest symbol with that start: among the new nodes, else among the sorted ones. */
static void spaces_unregister_symbol(struct machine *m, const struct timed_event *e)
{
	struct space *kernel = &m->spaces[KERNEL_SPACE];
	size_t i;

	for (i = kernel->n; i-- > kernel->n_sorted;) {
		if (is_live_symbol(m, &kernel->nodes[i], e->start)) {
			kernel->nodes[i].gone = e->when;
			return;
		}
	}
	i = bisect(at, kernel->n_sorted, kernel->nodes[at].map.start <= e->start);
	while (i-- > 0 && kernel->nodes[i].map.start == e->start) {
		if (is_live_symbol(m, &kernel->nodes[i], e->start)) {
			kernel->nodes[i].gone = e->when;
			return;
		}
	}
}

static int spaces_add_events(struct machine *m, size_t n)
{
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		const struct timed_event *e = &m->events[i];

		switch (e->kind) {
		case EVENT_MAP:
			ret = spaces_add_map(m, e, m->n_sealed + (uint32_t)i);
			break;
		case EVENT_UNMAP_KSYMBOL:
			spaces_unregister_symbol(m, e);
			break;
		case EVENT_FORK:
			ret = spaces_add_fork(m, e, m->n_sealed + (uint32_t)i);
			break;
		case EVENT_EXEC:
			ret = spaces_add_exec(m, e);
			break;
		case EVENT_EXIT:
			ret = spaces_add_exit(m, e);
			break;
		}
	}
	return ret;
}

static int node_compare(const void *va, const void *vb)
{
	const struct map_node *a = va, *b = vb;

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

void space_fill_ends(struct space *s)
{
	max_end_fill(s->nodes, s->n);
}

/* Sorts the new nodes and merges them from the end, so that only they are copied. */
static int space_index(struct space *s)
{
	size_t n_new = s->n - s->n_sorted, at = s->n, old = s->n_sorted;
	struct map_node *fresh = s->nodes + s->n_sorted, *copy;

	qsort(fresh, n_new, sizeof(*fresh), node_compare);
	if (old && node_compare(&s->nodes[old - 1], fresh) > 0) {
		copy = malloc(n_new * sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		memcpy(copy, fresh, n_new * sizeof(*copy));
		while (n_new) {
			bool take_old = old &&
					node_compare(&s->nodes[old - 1], &copy[n_new - 1]) > 0;

			s->nodes[--at] = take_old ? s->nodes[--old] : copy[--n_new];
		}
		free(copy);
	}
	s->n_sorted = s->n;
	space_fill_ends(s);
	return 0;
}

static int note_crowded(struct machine *m, uint32_t id)
{
	struct space *s = &m->spaces[id];

	if (!m->track_ends || s->crowded || s->n < 2 * s->n_pruned + CROWDED_MAPS)
		return 0;
	if (vec_grow(&m->crowded, &m->cap_crowded, m->n_crowded + 1) < 0)
		return -ENOMEM;
	m->crowded[m->n_crowded++] = id;
	s->crowded = true;
	return 0;
}

int spaces_build(struct machine *m, size_t n)
{
	int ret;

	if (space_current(m, -1) == PTUI_NONE) /* space 0: KERNEL_SPACE */
		return -ENOMEM;
	ret = spaces_add_events(m, n);
	while (!ret && m->n_touched) {
		ret = space_index(&m->spaces[m->touched[m->n_touched - 1]]);
		if (!ret)
			ret = note_crowded(m, m->touched[m->n_touched - 1]);
		if (!ret)
			m->n_touched--;
	}
	return ret;
}

uint32_t spaces_begun(const struct machine *m, const struct proc *p, uint64_t when)
{
	return (uint32_t)bisect(i, p->n, m->spaces[p->spaces[i]].begin <= when);
}
