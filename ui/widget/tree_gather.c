/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "widget/tree_gather.h"

#include <errno.h>
#include <stdlib.h>

#include "term/loop.h"

#define SLICE_STEPS 64 /* rows between checks of the clock */

/* Makes room for one more. */
static int grow(void *array, size_t n, size_t *room, size_t each)
{
	size_t wanted = *room ? *room * 2 : 64;
	void **at = array, *bigger;

	if (n < *room)
		return 0;
	bigger = reallocarray(*at, wanted, each);
	if (!bigger)
		return -ENOMEM;
	*at = bigger;
	*room = wanted;
	return 0;
}

static int gather_push(struct tree *t, struct gather *g, uint64_t node)
{
	void *levels = g->levels;
	int ret = grow(&levels, g->depth, &g->levels_room, sizeof(*g->levels));

	g->levels = levels;
	if (ret < 0)
		return ret;
	g->levels[g->depth++] = (struct level){ node, 0, t->ops->count(t->ctx, node) };
	return 0;
}

static int gather_row(struct gather *g, uint64_t node, uint32_t depth, bool last)
{
	void *rows = g->rows;
	int ret = grow(&rows, g->n, &g->room, sizeof(*g->rows));

	g->rows = rows;
	if (ret < 0)
		return ret;
	g->rows[g->n++] = (struct tree_row){ node, depth, last };
	return 0;
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
	int ret = gather_row(g, child, depth, level->at == level->n);

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
