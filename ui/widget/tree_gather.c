/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/tree_gather.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "ptui/types.h"
#include "term/loop.h"

#define SLICE_STEPS 64 /* rows between checks of the clock */

/* ---- the open nodes ---- */

struct tree_ids {
	uint64_t *v; /* unordered */
	size_t n, cap;
	struct index_table index; /* index into v, by id */
};

static bool is_id(const void *owner, uint32_t i, const void *key)
{
	return ((const struct tree_ids *)owner)->v[i] == *(const uint64_t *)key;
}

static uint32_t tree_ids_find(const struct tree_ids *s, uint64_t id)
{
	return index_table_find(&s->index, hash_u64(id), is_id, s, &id);
}

struct tree_ids *tree_ids_new(void)
{
	return calloc(1, sizeof(struct tree_ids));
}

void tree_ids_free(struct tree_ids *s)
{
	if (!s)
		return;
	tree_ids_clear(s);
	free(s->v);
	free(s);
}

int tree_ids_add(struct tree_ids *s, uint64_t id)
{
	int ret;

	if (tree_ids_has(s, id))
		return 0;
	ret = vec_grow(&s->v, &s->cap, s->n + 1);
	if (!ret)
		ret = index_table_add(&s->index, hash_u64(id), (uint32_t)s->n);
	if (!ret)
		s->v[s->n++] = id;
	return ret;
}

void tree_ids_remove(struct tree_ids *s, uint64_t id)
{
	uint32_t i = tree_ids_find(s, id);

	if (i == PTUI_NONE)
		return;
	/* the last id moves to its place; the table has enough room */
	index_table_remove(&s->index, hash_u64(id), i);
	if (i != --s->n) {
		index_table_remove(&s->index, hash_u64(s->v[s->n]), (uint32_t)s->n);
		s->v[i] = s->v[s->n];
		index_table_add(&s->index, hash_u64(s->v[i]), i);
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

void tree_ids_clear(struct tree_ids *s)
{
	index_table_release(&s->index);
	s->n = 0;
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
	int ret = gather_push(t, g, node);

	g->base = base;
	return ret ? ret : vec_grow(&g->rows, &g->room, g->levels[0].n);
}

static int gather_child(struct tree *t, struct gather *g)
{
	struct level *level = &g->levels[g->depth - 1];
	uint32_t depth = g->base + (uint32_t)g->depth - 1;
	uint64_t child = t->ops->child(t->ctx, level->node, level->at++);
	int ret = g->n < g->room ? 0 : vec_grow(&g->rows, &g->room, g->n + 1);

	if (ret == 0)
		g->rows[g->n++] = (struct tree_row){ child, depth, level->at == level->n };
	if (ret == 0 && g->all && t->ops->opens(t->ctx, child))
		ret = tree_ids_add(g->open, child);
	if (ret == 0 && tree_ids_has(g->open, child))
		ret = gather_push(t, g, child);
	return ret;
}

int gather_run(struct tree *t, struct gather *g, uint64_t ns)
{
	uint64_t began = ns ? loop_now_ns() : 0;
	unsigned steps = 0;
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
		if (ret == 0 && ns && ++steps % SLICE_STEPS == 0 && loop_now_ns() - began > ns)
			return 1;
	}
	return ret;
}

void gather_release(struct gather *g)
{
	free(g->rows);
	free(g->levels);
}
