/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "ptui/types.h"
#include "widget/tree_ids.h"

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
	return tree_ids_find(s, id) != PTUI_NONE;
}

void tree_ids_clear(struct tree_ids *s)
{
	index_table_release(&s->index);
	s->n = 0;
}
