/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a histogram as a hierarchy. Each level is a histogram of its own, made of the same parts:
 * its rows are the nodes, with the sums of the rows below them, so keys compare and print them as usual.
 *
 *	rows of h       level 0          level 1
 *	work libc  5    work    row 0    libc   row 0, parent 0
 *	work ld    3    exe     row 1    ld     row 1, parent 0
 *	exe  libc  2                     libc   row 2, parent 1
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/vec.h"
#include "profile/hist/hist.h"

struct level {
	struct ptui_hist
		hist; /* a copy; owns rows, and members of its group with theirs; classes */
	struct ptui_hist common; /* a copy; owns nothing */
	uint32_t *parent;	 /* by row before sorting, in the level above */
	size_t cap_parents;
	uint32_t *leaf;	 /* by row: of the whole histogram; only of the last level */
	uint32_t *first; /* by row: the first node below; 1 + row, 0: none */
	uint32_t *next;	 /* by row: the next node of the same parent; 1 + row, 0: none */
	struct index_table index;
};

struct ptui_hierarchy {
	const struct ptui_hist *h;
	struct level *levels;
	size_t n_levels;
	struct ptui_hierarchy_node *nodes;
	size_t n_nodes, cap_nodes;
};

/* ---- the nodes of a level ---- */

struct node_key {
	const struct hist_item *item;
	uint32_t parent;
};

/* The keys of a level are the last ones in its plan. */
static bool same_values(const struct ptui_hist *h, const struct hist_item *a,
			const struct hist_item *b)
{
	for (size_t i = 0; i < h->plan.n_sort; i++)
		if (h->plan.sort[i]->value &&
		    h->plan.sort[i]->value(h, a) != h->plan.sort[i]->value(h, b))
			return false;
	return true;
}

static bool node_same(const void *owner, uint32_t index, const void *key)
{
	const struct level *l = owner;
	const struct node_key *k = key;

	return l->parent[index] == k->parent &&
	       same_values(&l->hist, &l->hist.rows[index].item, k->item);
}

static uint64_t node_hash(const struct level *l, uint32_t parent, const struct hist_item *item)
{
	const struct hist_plan *plan = &l->hist.plan;
	uint64_t hash = parent;

	for (size_t i = 0; i < plan->n_sort; i++)
		if (plan->sort[i]->value)
			hash = hash_pair(hash, plan->sort[i]->value(&l->hist, item));
	return hash;
}

/* The node of a row below `parent`, made if new. PTUI_NONE: out of memory. */
static uint32_t node_of(struct level *l, uint32_t parent, const struct hist_item *item)
{
	const struct node_key key = { item, parent };
	uint64_t hash = node_hash(l, parent, item);
	uint32_t row = index_table_find(&l->index, hash, node_same, l, &key);
	struct ptui_hist *h = &l->hist;

	if (row != PTUI_NONE)
		return row;
	row = (uint32_t)h->n_rows;
	if (vec_grow(&h->rows, &h->cap_rows, h->n_rows + 1) ||
	    vec_grow(&l->parent, &l->cap_parents, h->n_rows + 1) ||
	    index_table_add(&l->index, hash, row))
		return PTUI_NONE;
	h->rows[row] = (struct hist_row){
		.item = *item, .first_self = PTUI_NONE, .first_node = PTUI_NONE, .pair = row
	};
	l->parent[row] = parent;
	h->n_rows++;
	return row;
}

static void add_row(struct hist_row *to, const struct hist_row *row)
{
	to->period += row->period;
	to->period_children += row->period;
	to->samples += row->samples;
}

/* For keys that look at the classes of a row: a copy, in which those of all rows below a node are linked. */
static int copy_classes(struct ptui_hist *level, const struct ptui_hist *h)
{
	level->classes = NULL;
	if (!(h->plan.needs & KEY_NEEDS_CLASSES))
		return 0;
	level->classes = malloc((h->n_classes + 1) * sizeof(*level->classes));
	if (!level->classes)
		return -1;
	memcpy(level->classes, h->classes, h->n_classes * sizeof(*level->classes));
	return 0;
}

static void add_classes(struct ptui_hist *level, uint32_t node, const struct ptui_hist *h,
			const struct hist_row *row)
{
	uint32_t *first = &level->rows[node].first_self;

	for (uint32_t c = level->classes ? row->first_self : PTUI_NONE; c != PTUI_NONE;
	     c = h->classes[c].next_self) {
		level->classes[c].next_self = *first;
		*first = c;
	}
}

/* The nodes of all rows of the histogram: at[row] in the level above becomes that in this one. */
static int add_rows(struct level *l, const struct ptui_hist *h, uint32_t *at)
{
	for (size_t i = 0; i < h->n_rows; i++) {
		at[i] = node_of(l, at[i], &h->rows[i].item);
		if (at[i] == PTUI_NONE)
			return -1;
		add_row(&l->hist.rows[at[i]], &h->rows[i]);
		add_classes(&l->hist, at[i], h, &h->rows[i]);
	}
	return 0;
}

/* Each node is a row of all members, of the same number. */
static int add_group(struct level *l, const struct ptui_hist *h, const uint32_t *at)
{
	struct hist_group *g = &l->hist.group;
	size_t n = g->n, rows = l->hist.n_rows;

	g->n = 0;
	g->members = calloc(n, sizeof(*g->members));
	g->pairs = malloc((rows * n + 1) * sizeof(*g->pairs));
	if (!g->members || !g->pairs)
		return -1;
	for (size_t m = 0; m < n; m++) {
		const struct ptui_hist *whole = h->group.members[m];
		struct ptui_hist *member = malloc(sizeof(*member));

		if (!member)
			return -1;
		*member = *whole;
		member->n_rows = rows;
		member->rows = calloc(rows + 1, sizeof(*member->rows));
		g->members[g->n++] = member;
		if (copy_classes(member, whole) || !member->rows)
			return -1;
		for (size_t i = 0; i < rows; i++) {
			g->pairs[i * n + m] = (uint32_t)i;
			member->rows[i].first_self = PTUI_NONE;
		}
		for (size_t i = 0; i < h->n_rows; i++) {
			const struct hist_row *pair = hist_group_row(h, &h->rows[i], m + 1);

			if (!pair)
				continue;
			add_row(&member->rows[at[i]], pair);
			add_classes(member, at[i], whole, pair);
		}
	}
	return 0;
}

/* ---- levels ---- */

/* The keys of these levels, and all measures: as in perf, those of one level order the rows of others, too. */
static void set_plan(struct hist_plan *plan, const struct hist_plan *all, size_t from, size_t to)
{
	plan->n_sort = 0;
	for (size_t i = 0; i < all->n_sort; i++) {
		if (all->sort[i]->value && (all->level[i] < from || all->level[i] > to))
			continue;
		plan->level[plan->n_sort] = all->level[i];
		plan->sort[plan->n_sort++] = all->sort[i];
	}
}

/* Sorts the rows; parents move with them. `at` follows. */
static int sort_level(struct level *l, uint32_t *at, size_t n_at)
{
	size_t n = l->hist.n_rows;
	uint32_t *parent = malloc((n + 1) * sizeof(*parent));
	uint32_t *place = malloc((n + 1) * sizeof(*place));
	struct hist_creation as_they_are = { .rows = NULL };
	uint32_t *order = hist_find_order(&l->hist, &as_they_are, false);
	int ret = parent && place && order ? 0 : -1;

	for (size_t i = 0; i < n && !ret; i++) {
		parent[i] = l->parent[order[i]];
		place[order[i]] = (uint32_t)i;
	}
	if (!ret && n) {
		memcpy(l->parent, parent, n * sizeof(*parent));
		for (size_t i = 0; i < n_at; i++)
			at[i] = place[at[i]];
	}
	if (!ret)
		hist_sort_rows(&l->hist, order, false);
	hist_creation_release(&as_they_are);
	free(parent);
	free(place);
	free(order);
	return ret;
}

/* Lists the nodes below each node of the level above, in their order. */
static int link_level(struct level *l, struct level *above)
{
	l->first = calloc(l->hist.n_rows + 1, sizeof(*l->first));
	l->next = calloc(l->hist.n_rows + 1, sizeof(*l->next));
	if (!l->first || !l->next)
		return -1;
	for (size_t i = l->hist.n_rows; above && i-- > 0;) {
		uint32_t *first = &above->first[l->parent[i]];

		l->next[i] = *first;
		*first = (uint32_t)i + 1;
	}
	return 0;
}

static int make_level(struct ptui_hierarchy *t, size_t level, uint32_t *at)
{
	struct level *l = &t->levels[level];
	const struct ptui_hist *h = t->h;

	l->hist = *h;
	l->hist.rows = NULL;
	l->hist.n_rows = l->hist.cap_rows = 0;
	l->hist.children = false;
	l->hist.group.members = NULL;
	l->hist.group.pairs = NULL;
	set_plan(&l->hist.plan, &h->plan, level, level);
	l->common = *h;
	set_plan(&l->common.plan, &h->plan, 0, level);
	index_table_init(&l->index);
	if (copy_classes(&l->hist, h) || add_rows(l, h, at) ||
	    (h->group.n && add_group(l, h, at)) || sort_level(l, at, h->n_rows))
		return -1;
	if (level + 1 == t->n_levels) {
		l->leaf = malloc((l->hist.n_rows + 1) * sizeof(*l->leaf));
		for (size_t i = 0; l->leaf && i < h->n_rows; i++)
			l->leaf[at[i]] = (uint32_t)i;
	}
	return (level + 1 == t->n_levels && !l->leaf) || link_level(l, level ? l - 1 : NULL) ? -1 :
											       0;
}

static void level_release(struct level *l)
{
	for (size_t m = 0; m < l->hist.group.n && l->hist.group.members; m++) {
		free(l->hist.group.members[m]->classes);
		free(l->hist.group.members[m]->rows);
		free(l->hist.group.members[m]);
	}
	free(l->hist.group.members);
	free(l->hist.group.pairs);
	free(l->hist.classes);
	free(l->hist.rows);
	free(l->parent);
	free(l->leaf);
	free(l->first);
	free(l->next);
	index_table_release(&l->index);
}

/* ---- the list of nodes ---- */

static int list_node(struct ptui_hierarchy *t, size_t level, uint32_t row)
{
	const struct level *l = &t->levels[level];
	size_t node = t->n_nodes;

	if (vec_grow(&t->nodes, &t->cap_nodes, t->n_nodes + 1))
		return -1;
	t->nodes[t->n_nodes++] = (struct ptui_hierarchy_node){
		.level = (uint32_t)level, .row = row, .leaf = l->leaf ? l->leaf[row] : PTUI_NONE
	};
	for (uint32_t below = l->first[row]; below; below = l[1].next[below - 1])
		if (list_node(t, level + 1, below - 1))
			return -1;
	t->nodes[node].n_below = (uint32_t)(t->n_nodes - node - 1);
	t->nodes[node].first = l->leaf ? l->leaf[row] : t->nodes[node + 1].first;
	return 0;
}

static int build(struct ptui_hierarchy *t)
{
	uint32_t *at = calloc(t->h->n_rows + 1, sizeof(*at));
	int ret = at && t->levels ? 0 : -1;

	for (size_t i = 0; i < t->n_levels && !ret; i++)
		ret = make_level(t, i, at);
	free(at);
	for (uint32_t row = 0; !ret && t->n_levels && row < t->levels[0].hist.n_rows; row++)
		ret = list_node(t, 0, row);
	return ret;
}

struct ptui_hierarchy *ptui_hierarchy_new(const struct ptui_hist *h, struct ptui_error *err)
{
	struct ptui_hierarchy *t;

	t = calloc(1, sizeof(*t));
	if (!t) {
		ptui_error_nomem(err);
		return NULL;
	}
	t->h = h;
	for (size_t i = 0; i < h->plan.n_sort; i++)
		if (h->plan.level[i] != HIST_NO_LEVEL && h->plan.level[i] >= t->n_levels)
			t->n_levels = h->plan.level[i] + 1;
	t->levels = calloc(t->n_levels + 1, sizeof(*t->levels));
	if (!build(t))
		return t;
	ptui_hierarchy_free(t);
	ptui_error_nomem(err);
	return NULL;
}

void ptui_hierarchy_free(struct ptui_hierarchy *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->levels && i < t->n_levels; i++)
		level_release(&t->levels[i]);
	free(t->levels);
	free(t->nodes);
	free(t);
}

size_t ptui_hierarchy_n_levels(const struct ptui_hierarchy *t)
{
	return t->n_levels;
}

const struct ptui_hist *ptui_hierarchy_level(const struct ptui_hierarchy *t, size_t level)
{
	return &t->levels[level].hist;
}

const struct ptui_hist *ptui_hierarchy_common(const struct ptui_hierarchy *t, size_t level)
{
	return &t->levels[level].common;
}

size_t ptui_hierarchy_n_nodes(const struct ptui_hierarchy *t)
{
	return t->n_nodes;
}

const struct ptui_hierarchy_node *ptui_hierarchy_node(const struct ptui_hierarchy *t, size_t i)
{
	return &t->nodes[i];
}
