/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/tree_gather.h"

#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "ptui/types.h"
#include "term/loop.h"

/*
 * An array of so many elements gets room for all that there can be, which it will hardly use: moving it again and
 * again would take longer than a key should.
 */
#define LARGE	    (1u << 17)
#define SLICE_STEPS 8	/* rows between checks of the clock */
#define IDS_PARTS   256 /* tables: one that grows is that part of all, which delays no key */

/* Room for one more than n elements, of which there are `most`. 0 or -ENOMEM. */
static int grow_once(void *items_ptr, size_t *cap, size_t n, size_t bytes, size_t most)
{
	if (n < *cap)
		return 0;
	return vec_reserve(items_ptr, cap, n < LARGE || n >= most ? n + 1 : most, bytes);
}

/* ---- the open nodes ---- */

struct tree_ids {
	uint64_t *v; /* unordered */
	size_t n, cap;
	struct index_table index[IDS_PARTS]; /* index into v, by id */
};

static bool is_id(const void *owner, uint32_t i, const void *key)
{
	return ((const struct tree_ids *)owner)->v[i] == *(const uint64_t *)key;
}

static uint32_t tree_ids_find(const struct tree_ids *s, uint64_t id)
{
	uint64_t hash = hash_u64(id);

	return index_table_find(&s->index[hash % IDS_PARTS], hash, is_id, s, &id);
}

struct tree_ids *tree_ids_new(void)
{
	return calloc(1, sizeof(struct tree_ids));
}

void tree_ids_free(struct tree_ids *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < IDS_PARTS; i++)
		index_table_release(&s->index[i]);
	free(s->v);
	free(s);
}

int tree_ids_add(struct tree_ids *s, uint64_t id)
{
	uint64_t hash = hash_u64(id);
	int ret;

	if (tree_ids_has(s, id))
		return 0;
	ret = grow_once(&s->v, &s->cap, s->n, sizeof(s->v[0]), TREE_ROWS_MAX);
	if (!ret)
		ret = index_table_add(&s->index[hash % IDS_PARTS], hash, (uint32_t)s->n);
	if (!ret)
		s->v[s->n++] = id;
	return ret;
}

void tree_ids_remove(struct tree_ids *s, uint64_t id)
{
	uint32_t i = tree_ids_find(s, id);
	uint64_t hash = hash_u64(id);

	if (i == PTUI_NONE)
		return;
	/* the last id moves to its place; its table has enough room */
	index_table_remove(&s->index[hash % IDS_PARTS], hash, i);
	if (i != --s->n) {
		hash = hash_u64(s->v[s->n]);
		index_table_remove(&s->index[hash % IDS_PARTS], hash, (uint32_t)s->n);
		s->v[i] = s->v[s->n];
		index_table_add(&s->index[hash % IDS_PARTS], hash, i);
	}
}

bool tree_ids_has(const struct tree_ids *s, uint64_t id)
{
	return s->n && tree_ids_find(s, id) != PTUI_NONE;
}

const uint64_t *tree_ids_get(const struct tree_ids *s, size_t *ret_n)
{
	*ret_n = s->n;
	return s->v;
}

/* ---- the rows ---- */

static int gather_push(struct tree *t, struct gather *g, uint64_t node)
{
	int ret = vec_grow(&g->levels, &g->levels_room, g->depth + 1);

	if (!ret)
		g->levels[g->depth++] = (struct level){ node, 0, t->ops->count(t->ctx, node) };
	return ret;
}

int gather_begin(struct tree *t, struct gather *g, uint64_t node, uint32_t base)
{
	g->base = base;
	return gather_push(t, g, node);
}

static int gather_child(struct tree *t, struct gather *g)
{
	struct level *level = &g->levels[g->depth - 1];
	uint32_t depth = g->base + (uint32_t)g->depth - 1;
	uint64_t child = t->ops->child(t->ctx, level->node, level->at++);
	int ret = grow_once(&g->rows, &g->room, g->n, sizeof(g->rows[0]), g->most);

	if (child == TREE_TOP)
		return -ENOMEM;
	if (ret == 0)
		g->rows[g->n++] = (struct tree_row){ child, depth, level->at == level->n };
	if (ret == 0 && g->all && t->ops->opens(t->ctx, child))
		ret = tree_ids_add(g->open, child);
	if (ret == 0 && tree_ids_has(g->open, child))
		ret = gather_push(t, g, child);
	return ret;
}

static bool is_late(unsigned *steps, uint64_t until_ns)
{
	return until_ns && ++*steps % SLICE_STEPS == 0 && loop_now_ns() > until_ns;
}

int gather_run(struct tree *t, struct gather *g, uint64_t until_ns)
{
	int ret = 0;

	while (ret == 0 && g->depth) {
		const struct level *level = &g->levels[g->depth - 1];

		if (level->at == level->n) {
			g->depth--;
			continue;
		}
		if (g->n >= g->most) {
			g->full = true;
			break;
		}
		ret = gather_child(t, g);
		if (ret == 0 && is_late(&g->steps, until_ns))
			return 1;
	}
	return ret;
}

/* ---- of many rows at depth 0 ---- */

/* The rows below the next one; SIZE_MAX: it is closed. */
static int opening_next(struct tree *t, struct opening *o, size_t top)
{
	uint64_t node = t->ops->child(t->ctx, TREE_TOP, top);
	struct gather *g = &o->g;
	int ret = 0;

	if (g->all && t->ops->opens(t->ctx, node))
		ret = tree_ids_add(g->open, node);
	if (ret || !tree_ids_has(g->open, node))
		return ret;
	if (vec_grow(&o->parts, &o->room, o->n_parts + 1))
		return -ENOMEM;
	o->parts[o->n_parts] = (struct tree_part){ .node = node, .top = top };
	o->busy = true;
	g->rows = NULL;
	g->n = g->room = g->depth = 0;
	return gather_begin(t, g, node, 1);
}

/* A row without others below it has no part. */
static void opening_keep(struct opening *o)
{
	struct tree_part *p = &o->parts[o->n_parts];

	o->busy = false;
	p->rows = o->g.rows;
	p->n = o->g.n;
	p->room = o->g.room;
	o->n_parts += p->n > 0;
	o->n += p->n;
	o->g.most -= p->n;
	if (!p->n)
		free(p->rows);
	o->g.rows = NULL;
	o->g.n = o->g.room = 0;
}

int opening_run(struct tree *t, struct opening *o, uint64_t until_ns)
{
	int ret;

	while (o->busy || (o->at < o->n_tops && !o->g.full)) {
		if (!o->busy) {
			ret = opening_next(t, o, o->tops ? o->tops[o->at] : o->at);
			o->at++;
			o->n++;
			if (ret)
				return ret;
		}
		ret = o->busy ? gather_run(t, &o->g, until_ns) : 0;
		if (ret)
			return ret;
		if (o->busy)
			opening_keep(o);
		if (is_late(&o->g.steps, until_ns))
			return 1;
	}
	return 0;
}

void opening_release(struct opening *o)
{
	free(o->g.rows);
	free(o->g.levels);
	tree_parts_free(o->parts, o->n_parts);
	free(o->tops);
}

void tree_parts_free(struct tree_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(parts[i].rows);
	free(parts);
}
