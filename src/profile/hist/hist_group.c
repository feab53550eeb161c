/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The histogram of an event group: that of the leader, whose rows are joined with those of the other
 * events. Rows that the leader does not have are added to it, without samples:
 *
 *	leader             cycles  page-faults       members[0]
 *	main    row 0 ---- 71.20%       98.00% ----- row 1
 *	leaf    row 1 ---- 28.80%        0.00%       (none)
 *	strlen  added ----  0.00%        2.00% ----- row 0
 *
 * All are counted in the same profile, so the values of the keys mean the same in each of them.
 */
#include "profile/hist/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/vec.h"

static bool has_groups(const struct ptui_profile *p)
{
	for (uint32_t i = 0; i < p->n_events; i++)
		if (p->events[i].leader != i)
			return true;
	return false;
}

uint32_t ptui_profile_leader(const struct ptui_profile *p, uint32_t event,
			     enum ptui_grouping grouping)
{
	if (grouping == PTUI_GROUP_NONE || event >= p->n_events)
		return event;
	if (grouping == PTUI_GROUP_ALL && !has_groups(p))
		return 0;
	return p->events[event].leader < p->n_events ? p->events[event].leader : event;
}

/* ---- counting ---- */

int hist_group_count(struct ptui_hist *h, const struct ptui_hist_opts *opts)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_hist_opts o = *opts;
	size_t cap = 0;

	o.before = NULL;
	o.grouping = PTUI_GROUP_NONE;
	o.rows_only = true;
	o.inlines = ptui_inlines_wanted(h->profile, opts->event, opts->inlines) ? PTUI_INLINES_ON :
										  PTUI_INLINES_OFF;
	h->group.sort_by = opts->group_sort;
	for (uint32_t i = 0; i < h->profile->n_events; i++) {
		if (i == opts->event ||
		    ptui_profile_leader(h->profile, i, opts->grouping) != opts->event)
			continue;
		if (vec_grow(&h->group.members, &cap, h->group.n + 1))
			return -ENOMEM;
		o.event = i;
		h->group.members[h->group.n] = ptui_hist_new(h->profile, &o, &err);
		if (!h->group.members[h->group.n])
			return err.code == ECANCELED ? -ECANCELED : -ENOMEM;
		h->group.n++;
	}
	return 0;
}

void hist_group_release(struct hist_group *g)
{
	for (size_t i = 0; i < g->n; i++)
		ptui_hist_free(g->members[i]);
	free(g->members);
	free(g->pairs);
	*g = (struct hist_group){ .n = 0 };
}

/* ---- joining ---- */

/* A row of any histogram of the group. */
struct group_key {
	const struct ptui_hist *h;
	const struct hist_item *item;
};

static bool group_same(const void *owner, uint32_t index, const void *key)
{
	const struct ptui_hist *h = owner;
	const struct group_key *k = key;

	for (size_t i = 0; i < h->plan.n_sort; i++) {
		const struct hist_key *sort = h->plan.sort[i];

		if (sort->value &&
		    sort->value(h, &h->rows[index].item) != sort->value(k->h, k->item))
			return false;
	}
	return true;
}

static uint64_t group_hash(const struct ptui_hist *h, const struct hist_item *item)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < h->plan.n_sort; i++)
		if (h->plan.sort[i]->value)
			hash = hash_pair(hash, h->plan.sort[i]->value(h, item));
	return hash;
}

static int index_rows(const struct ptui_hist *h, struct index_table *index)
{
	int err = 0;

	for (size_t i = 0; i < h->n_rows && !err; i++)
		err = index_table_add(index, group_hash(h, &h->rows[i].item), (uint32_t)i);
	return err;
}

/* The item of a member's row, with the leader's number for its facet. */
static struct hist_item take_item(struct ptui_hist *h, const struct ptui_hist *member,
				  const struct hist_item *item)
{
	struct hist_item ret = *item;
	struct extra e;
	struct facet f;

	if (!(h->plan.needs & KEY_NEEDS_FACET))
		return ret;
	f = member->facets.v[item->facet];
	if (h->plan.needs & KEY_NEEDS_EXTRA) {
		e = member->extras.v[f.extra];
		e.fields = 0; /* those of another event */
		f.extra = extras_add(&h->extras, &e);
	}
	ret.facet = facets_add(&h->facets, &f);
	return ret;
}

/* A row without samples of the leader. */
static int add_row(struct ptui_hist *h, const struct ptui_hist *member,
		   const struct hist_item *item, struct index_table *index)
{
	struct hist_row *row;

	if (h->n_rows >= NODE_REPEATS - 1 || vec_grow(&h->rows, &h->cap_rows, h->n_rows + 1))
		return -ENOMEM;
	row = &h->rows[h->n_rows];
	*row = (struct hist_row){ .item = take_item(h, member, item),
				  .first_self = PTUI_NONE,
				  .first_node = PTUI_NONE };
	if (h->facets.failed || h->extras.failed)
		return -ENOMEM;
	return index_table_add(index, group_hash(h, &row->item), (uint32_t)h->n_rows++);
}

/* The leader's rows of a member's: *ret by the member's rows. */
static int find_rows(struct ptui_hist *h, const struct ptui_hist *member, struct index_table *index,
		     uint32_t **ret)
{
	*ret = malloc((member->n_rows + 1) * sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; i < member->n_rows; i++) {
		const struct hist_item *item = &member->rows[i].item;
		const struct group_key key = { member, item };
		uint32_t row = index_table_find(index, group_hash(member, item), group_same, h,
						&key);

		if (row == PTUI_NONE) {
			row = (uint32_t)h->n_rows;
			if (add_row(h, member, item, index))
				return -ENOMEM;
		}
		(*ret)[i] = row;
	}
	return 0;
}

/* `rows`: by member, the leader's rows of its rows. */
static int set_pairs(struct ptui_hist *h, uint32_t *const *rows)
{
	struct hist_group *g = &h->group;

	g->pairs = malloc((h->n_rows * g->n + 1) * sizeof(*g->pairs));
	if (!g->pairs)
		return -ENOMEM;
	memset(g->pairs, 0xff, h->n_rows * g->n * sizeof(*g->pairs));
	for (size_t i = 0; i < h->n_rows; i++)
		h->rows[i].pair = (uint32_t)i;
	for (size_t m = 0; m < g->n; m++)
		for (size_t i = 0; i < g->members[m]->n_rows; i++)
			g->pairs[rows[m][i] * g->n + m] = (uint32_t)i;
	return 0;
}

/* The added rows are the last in the order of creation. */
static int extend_created(const struct ptui_hist *h, size_t had, uint32_t **created)
{
	uint32_t *more = *created ? realloc(*created, (h->n_rows + 1) * sizeof(*more)) : NULL;

	if (!*created)
		return 0;
	if (!more)
		return -ENOMEM;
	for (size_t i = had; i < h->n_rows; i++)
		more[i] = (uint32_t)i;
	*created = more;
	return 0;
}

int hist_group_join(struct ptui_hist *h, uint32_t **created)
{
	uint32_t **rows = calloc(h->group.n, sizeof(*rows));
	struct index_table index;
	size_t had = h->n_rows;
	int err = rows ? 0 : -ENOMEM;

	index_table_init(&index);
	if (!err)
		err = index_rows(h, &index);
	for (size_t m = 0; m < h->group.n && !err; m++)
		err = find_rows(h, h->group.members[m], &index, &rows[m]);
	if (!err)
		err = set_pairs(h, rows);
	if (!err)
		err = extend_created(h, had, created);
	for (size_t m = 0; rows && m < h->group.n; m++)
		free(rows[m]);
	free(rows);
	index_table_release(&index);
	return err;
}

/* ---- rows of the events ---- */

const struct hist_row *hist_group_row(const struct ptui_hist *h, const struct hist_row *row,
				      size_t i)
{
	uint32_t pair;

	if (!i)
		return row;
	pair = h->group.pairs[row->pair * h->group.n + i - 1];
	return pair == PTUI_NONE ? NULL : &h->group.members[i - 1]->rows[pair];
}

int hist_group_order(const struct ptui_hist *h, const struct hist_key *key, size_t i, uint64_t *ret)
{
	const struct ptui_hist *member = ptui_hist_grouped(h, i);
	uint64_t *values;
	int err;

	if (!i)
		return key->order(h, ret);
	values = malloc((member->n_rows + 1) * sizeof(*values));
	err = values ? key->order(member, values) : -ENOMEM;
	for (size_t r = 0; r < h->n_rows && !err; r++) {
		const struct hist_row *pair = hist_group_row(h, &h->rows[r], i);

		ret[r] = pair ? values[pair - member->rows] : UINT64_MAX;
	}
	free(values);
	return err;
}

size_t ptui_hist_n_grouped(const struct ptui_hist *h)
{
	return h->group.n + 1;
}

const struct ptui_hist *ptui_hist_grouped(const struct ptui_hist *h, size_t i)
{
	return i && i <= h->group.n ? h->group.members[i - 1] : h;
}

uint32_t ptui_hist_event(const struct ptui_hist *h)
{
	return h->event;
}
