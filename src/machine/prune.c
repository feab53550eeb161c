/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops maps of living processes that later ones cover completely. Otherwise a JIT compiler that
 * replaces its code in place would fill the memory.
 *
 * From the youngest map to the oldest, each paints its range; if it is painted already, the map is
 * hidden. A child that falls back to this space sees it as of the fork: there the paint is cleared.
 *
 *	ord    1   2   fork   3      a, b and c have the same range
 *	map    a   b    |     c      a: dropped, hidden by b for parent and child
 *	                             b: kept, hidden by c for the parent only
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "machine/private.h"

/* Limit of one process (vm.max_map_count): older maps must have been unmapped. */
#define MAPS_MAX 65530

struct painter {
	struct space *space;
	uint32_t *by_age; /* nodes, oldest first */
	uint64_t *points; /* starts and ends of maps, ascending */
	size_t n_points;
	uint32_t *next;	 /* by point: the first point from there on whose interval is not painted */
	uint32_t *forks; /* ascending: the ords at which children forked */
	size_t n_forks;
	bool *hidden; /* by node */
};

static int compare_u64(const void *va, const void *vb)
{
	uint64_t a = *(const uint64_t *)va, b = *(const uint64_t *)vb;

	return a < b ? -1 : a > b;
}

static int compare_u32(const void *va, const void *vb)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;

	return a < b ? -1 : a > b;
}

static int compare_age(const void *va, const void *vb, void *ctx)
{
	const struct map_node *nodes = ctx;

	return compare_u32(&nodes[*(const uint32_t *)va].ord, &nodes[*(const uint32_t *)vb].ord);
}

static size_t point_of(const struct painter *p, uint64_t addr)
{
	return bisect(i, p->n_points, p->points[i] < addr);
}

static uint32_t unpainted(struct painter *p, uint32_t at)
{
	uint32_t end = at;

	while (p->next[end] != end)
		end = p->next[end];
	while (p->next[at] != end && at != end) {
		uint32_t further = p->next[at];

		p->next[at] = end;
		at = further;
	}
	return end;
}

static void clear_paint(struct painter *p)
{
	for (uint32_t i = 0; i <= p->n_points; i++)
		p->next[i] = i;
}

/* True: the range was already painted completely. */
static bool paint(struct painter *p, const struct map_node *node)
{
	uint32_t end = (uint32_t)point_of(p, node->map.end);
	uint32_t at = unpainted(p, (uint32_t)point_of(p, node->map.start));
	bool fresh = at < end;

	for (; at < end; at = unpainted(p, at))
		p->next[at] = at + 1;
	return !fresh;
}

static int find_forks(struct painter *p, const struct machine *m, uint32_t id)
{
	if (!m->spaces[id].n_children)
		return 0;
	p->forks = malloc(m->spaces[id].n_children * sizeof(*p->forks));
	if (!p->forks)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_spaces && p->n_forks < m->spaces[id].n_children; i++)
		if (m->spaces[i].parent == id)
			p->forks[p->n_forks++] = m->spaces[i].parent_ord;
	if (p->n_forks)
		qsort(p->forks, p->n_forks, sizeof(*p->forks), compare_u32);
	return 0;
}

static int painter_init(struct painter *p, const struct machine *m, uint32_t id)
{
	size_t n = m->spaces[id].n;

	memset(p, 0, sizeof(*p));
	p->space = &m->spaces[id];
	p->by_age = malloc(n * sizeof(*p->by_age));
	p->points = malloc(2 * n * sizeof(*p->points));
	p->next = malloc((2 * n + 1) * sizeof(*p->next));
	p->hidden = calloc(n, sizeof(*p->hidden));
	if (!p->by_age || !p->points || !p->next || !p->hidden || find_forks(p, m, id))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		p->by_age[i] = (uint32_t)i;
		p->points[2 * i] = p->space->nodes[i].map.start;
		p->points[2 * i + 1] = p->space->nodes[i].map.end;
	}
	qsort_r(p->by_age, n, sizeof(*p->by_age), compare_age, p->space->nodes);
	qsort(p->points, 2 * n, sizeof(*p->points), compare_u64);
	for (size_t i = 0; i < 2 * n; i++)
		if (!i || p->points[i] != p->points[i - 1])
			p->points[p->n_points++] = p->points[i];
	clear_paint(p);
	return 0;
}

static void painter_release(struct painter *p)
{
	free(p->by_age);
	free(p->points);
	free(p->next);
	free(p->forks);
	free(p->hidden);
}

/* Only maps that exist at `when` hide others: lookups are about the time since then. */
static void find_hidden(struct painter *p, uint64_t when)
{
	size_t kept = 0, forks = p->n_forks;

	for (size_t i = p->space->n; i-- > 0;) {
		const struct map_node *node = &p->space->nodes[p->by_age[i]];
		bool forked = false;

		for (; forks && p->forks[forks - 1] > node->ord; forks--)
			forked = true;
		if (forked)
			clear_paint(p);
		if (node->gone != UINT64_MAX)
			p->hidden[p->by_age[i]] = node->gone <= when;
		else if (kept >= MAPS_MAX)
			p->hidden[p->by_age[i]] = true;
		else if (node->map.when <= when)
			p->hidden[p->by_age[i]] = paint(p, node);
		kept += !p->hidden[p->by_age[i]];
	}
}

static void remove_hidden(struct space *s, const bool *hidden)
{
	size_t to = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!hidden[i])
			s->nodes[to++] = s->nodes[i];
	s->n = s->n_sorted = to;
	space_fill_ends(s);
}

int space_prune(struct machine *m, uint32_t id, uint64_t when)
{
	struct painter p;
	int ret = painter_init(&p, m, id);

	if (!ret) {
		find_hidden(&p, when);
		remove_hidden(p.space, p.hidden);
		p.space->n_pruned = p.space->n;
	}
	painter_release(&p);
	return ret;
}
