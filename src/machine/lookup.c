/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lookups in a sealed machine. */
#include "machine/private.h"

#define NEVER UINT64_MAX /* also a valid query time: the end */

/* A lookup in one space, and its result. */
struct query {
	uint64_t addr, when;
	uint32_t before; /* ignore nodes with an ord from here on */
	const struct map_node *best;
	uint64_t from, to; /* `best` is the result for this range of `when` */
};

static void query_check_node(struct query *q, const struct map_node *node)
{
	if (node->ord >= q->before)
		return;
	if (node->map.when > q->when) {
		if (node->map.when < q->to)
			q->to = node->map.when;
		return;
	}
	if (node->gone != NEVER && node->gone <= q->when) {
		if (node->gone > q->from)
			q->from = node->gone;
		return;
	}
	if (node->gone < q->to)
		q->to = node->gone;
	if (node->map.when > q->from)
		q->from = node->map.when;
	if (!q->best || node->ord > q->best->ord)
		q->best = node;
}

/* Visits all nodes of a subtree that contain the address. */
static void tree_visit(struct query *q, const struct map_node *nodes, size_t n)
{
	while (n) {
		size_t mid = n / 2;
		const struct map_node *node = &nodes[mid];

		if (node->max_end <= q->addr)
			return;
		tree_visit(q, nodes, mid); /* depth: log2 of the tree's size */
		if (node->map.start > q->addr)
			return;
		if (q->addr < node->map.end)
			query_check_node(q, node);
		nodes += mid + 1;
		n -= mid + 1;
	}
}

static void query_space(const struct machine *m, struct query *q, uint32_t space, uint64_t when,
			uint64_t addr)
{
	const struct space *s = &m->spaces[space];

	*q = (struct query){
		.addr = addr, .when = when, .before = UINT32_MAX, .from = s->begin, .to = UINT64_MAX
	};
	tree_visit(q, s->nodes, s->n_sorted);
	/*
	 * The maps of a parent at the fork are fixed: they do not limit the range, and as all of
	 * them are older than the fork, `when` is not compared.
	 */
	while (!q->best && s->parent != PTUI_NONE) {
		struct query up = {
			.addr = addr, .when = UINT64_MAX, .before = s->parent_ord, .to = UINT64_MAX
		};

		s = &m->spaces[s->parent];
		tree_visit(&up, s->nodes, s->n_sorted);
		q->best = up.best;
	}
}

const struct machine_map *machine_map_validity(const struct machine *m, int32_t pid, uint64_t when,
					       uint64_t addr, uint64_t *ret_from, uint64_t *ret_to)
{
	const struct proc *p = proc_find(m, pid);
	struct query q = { .from = 0, .to = UINT64_MAX };

	if (p) {
		const uint32_t *ids = p->spaces;
		uint32_t begun = spaces_begun(m, p, when);

		if (begun)
			query_space(m, &q, ids[begun - 1], when, addr);
		/* The range ends where the next space of the process begins. */
		if (begun < p->n && m->spaces[ids[begun]].begin < q.to)
			q.to = m->spaces[ids[begun]].begin;
	}
	*ret_from = q.from;
	*ret_to = q.to;
	return q.best ? &q.best->map : NULL;
}

const struct machine_map *machine_find_map(const struct machine *m, int32_t pid, uint64_t when,
					   uint64_t addr)
{
	uint64_t from, to;

	return machine_map_validity(m, pid, when, addr, &from, &to);
}

const struct machine_map *machine_find_kernel_map(const struct machine *m, uint64_t when,
						  uint64_t addr)
{
	return machine_find_map(m, -1, when, addr);
}

uint32_t machine_space(const struct machine *m, int32_t pid, uint64_t when)
{
	const struct proc *p = proc_find(m, pid);
	uint32_t begun = p ? spaces_begun(m, p, when) : 0;

	return begun ? p->spaces[begun - 1] : PTUI_NONE;
}

/* ---- for caches of many addresses ---- */

static const struct space *space_at(const struct machine *m, int32_t pid, uint64_t when,
				    uint64_t *ret_to)
{
	const struct proc *p = proc_find(m, pid);
	uint32_t begun = p ? spaces_begun(m, p, when) : 0;

	*ret_to = UINT64_MAX;
	if (p && begun < p->n)
		*ret_to = m->spaces[p->spaces[begun]].begin;
	return begun ? &m->spaces[p->spaces[begun - 1]] : NULL;
}

void machine_maps_validity(const struct machine *m, int32_t pid, uint64_t when,
			   uint64_t *ret_generation, uint64_t *ret_from, uint64_t *ret_to)
{
	const struct space *s = space_at(m, pid, when, ret_to);
	uint64_t n = 0;

	*ret_generation = *ret_from = 0;
	if (!s)
		return;
	*ret_from = s->begin;
	for (size_t i = 0; i < s->n_sorted; i++) {
		uint64_t at = s->nodes[i].map.when;

		n += at <= when;
		if (at > when && at < *ret_to)
			*ret_to = at;
		else if (at <= when && at > *ret_from)
			*ret_from = at;
	}
	*ret_generation = hash_pair(hash_pair((uint32_t)pid, (uint64_t)(s - m->spaces)),
				    hash_pair(*ret_from, n)) |
			  1;
}

/* A place that is being limited by the maps that overlap it. */
struct limits {
	struct machine_place *place;
	uint64_t addr, when;
	const struct map_node *best; /* its older neighbours do not matter; NULL: all do */
	uint32_t before;
};

/* A newer map covers a part of the place, or will, or the whole for some time. */
static void limit_by_node(struct limits *l, const struct map_node *node)
{
	struct machine_place *p = l->place;

	if (node->ord >= l->before || node == l->best)
		return;
	if (node->map.when > l->when) {
		if (node->map.when < p->to)
			p->to = node->map.when;
		return;
	}
	if (l->best && node->ord < l->best->ord)
		return;
	if (node->map.start > l->addr)
		p->end = node->map.start;
	else if (node->map.end <= l->addr)
		p->start = node->map.end;
	else if (node->gone <= l->when && node->gone > p->from)
		p->from = node->gone;
}

/* Visits all nodes of a subtree that overlap the place, as far as it was limited. */
static void tree_limit(struct limits *l, const struct map_node *nodes, size_t n)
{
	while (n) {
		size_t mid = n / 2;
		const struct map_node *node = &nodes[mid];

		if (node->max_end <= l->place->start)
			return;
		tree_limit(l, nodes, mid);
		if (node->map.start >= l->place->end)
			return;
		if (node->map.end > l->place->start)
			limit_by_node(l, node);
		nodes += mid + 1;
		n -= mid + 1;
	}
}

const struct machine_map *machine_find_place(const struct machine *m, int32_t pid, uint64_t when,
					     uint64_t addr, struct machine_place *ret)
{
	struct limits l = { .place = ret, .addr = addr, .when = when, .before = UINT32_MAX };
	const struct space *s = space_at(m, pid, when, &ret->to);
	const struct map_node *best;
	struct query q;

	if (!s)
		return NULL;
	query_space(m, &q, (uint32_t)(s - m->spaces), when, addr);
	best = q.best;
	if (!best)
		return NULL;
	ret->start = best->map.start;
	ret->end = best->map.end;
	ret->from = s->begin;
	/* from the space of the process out to that of the map: inner ones take precedence */
	for (;;) {
		bool last = best >= s->nodes && best < s->nodes + s->n;

		l.best = last ? best : NULL;
		tree_limit(&l, s->nodes, s->n_sorted);
		if (last)
			break;
		l.before = s->parent_ord;
		l.when = UINT64_MAX; /* parents are as they were at the fork */
		s = &m->spaces[s->parent];
	}
	if (l.when == when) { /* its own map, with a begin and an end */
		if (best->map.when > ret->from)
			ret->from = best->map.when;
		if (best->gone < ret->to)
			ret->to = best->gone;
	}
	return &best->map;
}

/*
 * Limits the place to the addresses around `addr` that no node has. False: a node has `addr`. Nodes of
 * all times count, so it may be smaller than it could be.
 */
static bool tree_gap(const struct map_node *nodes, size_t n, struct machine_place *place,
		     uint64_t addr)
{
	while (n) {
		size_t mid = n / 2;
		const struct map_node *node = &nodes[mid];
		uint64_t end = node->map.end;

		if (node->map.start > addr) {
			if (node->map.start < place->end)
				place->end = node->map.start;
			n = mid;
			continue;
		}
		/* all nodes of the left half start before it, too */
		if (mid && nodes[mid / 2].max_end > end)
			end = nodes[mid / 2].max_end;
		if (end > addr)
			return false;
		if (end > place->start)
			place->start = end;
		nodes += mid + 1;
		n -= mid + 1;
	}
	return true;
}

bool machine_find_gap(const struct machine *m, int32_t pid, uint64_t when, uint64_t addr,
		      struct machine_place *ret)
{
	const struct space *s = space_at(m, pid, when, &ret->to);

	ret->start = 0;
	ret->end = UINT64_MAX;
	ret->from = s ? s->begin : 0;
	for (; s; s = s->parent == PTUI_NONE ? NULL : &m->spaces[s->parent])
		if (!tree_gap(s->nodes, s->n_sorted, ret, addr))
			return false;
	return addr < ret->end;
}
