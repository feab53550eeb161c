/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers for the values of the keys of classes and frames, and for the times of classes. */
#include "profile/hist/row_builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/radix.h"
#include "base/vec.h"

/* ---- who and group ---- */

/* Numbers pairs of values, from 0. */
struct pair_ids {
	struct index_table index;
	uint64_t (*pairs)[2];
	size_t n, cap;
	uint64_t last[2]; /* the pair asked for before, */
	uint32_t last_id; /* and its number; PTUI_NONE: none yet */
};

static bool pair_same(const void *owner, uint32_t index, const void *key)
{
	const struct pair_ids *t = owner;

	return !memcmp(t->pairs[index], key, sizeof(t->pairs[index]));
}

/* PTUI_NONE: out of memory. */
static uint32_t pair_id(struct pair_ids *t, uint64_t a, uint64_t b)
{
	uint64_t key[2] = { a, b }, hash = hash_pair(a, b);

	if (t->last_id != PTUI_NONE && t->last[0] == a && t->last[1] == b)
		return t->last_id;
	t->last_id = index_table_find(&t->index, hash, pair_same, t, key);
	if (t->last_id == PTUI_NONE) {
		if (vec_grow(&t->pairs, &t->cap, t->n + 1) ||
		    index_table_add(&t->index, hash, (uint32_t)t->n))
			return PTUI_NONE;
		memcpy(t->pairs[t->n], key, sizeof(key));
		t->last_id = (uint32_t)t->n++;
	}
	memcpy(t->last, key, sizeof(key));
	return t->last_id;
}

static void pair_ids_release(struct pair_ids *t)
{
	index_table_release(&t->index);
	free(t->pairs);
}

/* Frames have 32-bit values; PTUI_NONE, no name, becomes 0. */
static uint32_t frame_value(const struct ptui_hist *h, const struct hist_key *key, uint32_t frame)
{
	struct hist_item item = { .frame = frame };

	return (uint32_t)key->value(h, &item) + 1;
}

/* Makes group[] distinguish the values of another key, too. */
static int add_frame_key(const struct ptui_hist *h, const struct hist_key *key, bool first,
			 struct hist_frames *f)
{
	struct pair_ids ids = { .last_id = PTUI_NONE };
	size_t n_frames = h->profile->n_frames;
	uint32_t max = 0;
	int err = 0;

	for (uint32_t i = 0; i < n_frames && !err; i++) {
		uint32_t id = frame_value(h, key, i);

		if (!first)
			id = pair_id(&ids, f->group[i], id);
		if (!first && id == PTUI_NONE)
			err = -ENOMEM;
		f->group[i] = id;
		if (id > max)
			max = id;
	}
	f->n_groups = (size_t)max + 1;
	pair_ids_release(&ids);
	return err;
}

/* The most frequent key, without the calls. */
static void group_by_symbol(const struct ptui_hist *h, struct hist_frames *f)
{
	const struct profile_frame *frames = h->profile->frames;
	uint32_t max = 0;

	for (size_t i = 0; i < h->profile->n_frames; i++) {
		f->group[i] = frames[i].place;
		if (frames[i].place > max)
			max = frames[i].place;
	}
	f->n_groups = (size_t)max + 1;
}

int hist_find_groups(const struct ptui_hist *h, struct hist_frames *f)
{
	const struct hist_plan *plan = &h->plan;
	bool first = true, by_symbol = hist_plan_has(plan, hist_key_symbol);
	int err = 0;

	f->n_groups = 1;
	f->group = calloc(h->profile->n_frames + 1, sizeof(*f->group));
	if (!f->group)
		return -ENOMEM;
	if (by_symbol)
		group_by_symbol(h, f);
	first = !by_symbol;
	for (size_t i = 0; i < plan->n_sort && !err; i++) {
		const struct hist_key *key = plan->sort[i];

		/* functions of different DSOs are different places, unless only their paths are different */
		if (!key->value || !key->of_frame || key == hist_key_symbol ||
		    (by_symbol && key == hist_key_dso && !h->show_addresses))
			continue;
		err = add_frame_key(h, key, first, f);
		first = false;
	}
	return err;
}

/* Makes b->who[] distinguish the values of another key, too. */
static int add_sample_key(struct row_builder *b, const struct hist_key *key, uint32_t *ret_n)
{
	struct pair_ids ids = { .last_id = PTUI_NONE };
	const struct ptui_hist *h = b->h;

	for (size_t c = 0; c < h->n_classes; c++) {
		b->who[c] = pair_id(&ids, b->who[c], key->value(h, &h->classes[c].item));
		if (b->who[c] == PTUI_NONE) {
			pair_ids_release(&ids);
			return -ENOMEM;
		}
	}
	*ret_n = (uint32_t)ids.n;
	pair_ids_release(&ids);
	return 0;
}

/* A counting sort: within one `who`, classes stay in their order. */
static int order_classes(struct row_builder *b, uint32_t n_who)
{
	size_t n = b->h->n_classes;
	uint32_t *at = calloc((size_t)n_who + 1, sizeof(*at));

	b->order = malloc((n + 1) * sizeof(*b->order));
	if (!at || !b->order) {
		free(at);
		return -ENOMEM;
	}
	for (size_t c = 0; c < n; c++)
		at[b->who[c] + 1]++;
	for (uint32_t w = 0; w < n_who; w++)
		at[w + 1] += at[w];
	for (size_t c = 0; c < n; c++)
		b->order[at[b->who[c]]++] = (uint32_t)c;
	free(at);
	return 0;
}

int row_builder_find_who(struct row_builder *b)
{
	const struct hist_plan *plan = &b->h->plan;
	uint32_t n_who = 0;
	int err = 0;

	for (size_t i = 0; i < plan->n_sort && !err; i++) {
		if (!plan->sort[i]->value || plan->sort[i]->of_frame)
			continue;
		if (!b->who)
			b->who = calloc(b->h->n_classes + 1, sizeof(*b->who));
		err = b->who ? add_sample_key(b, plan->sort[i], &n_who) : -ENOMEM;
	}
	if (!err && n_who > 1)
		err = order_classes(b, n_who);
	return err;
}

/* ---- ages ---- */

static bool is_by_time(const struct ptui_hist *h)
{
	uint64_t last = 0;

	for (size_t i = 0; i < h->n_classes; i++) {
		if (!h->classes[i].samples)
			continue;
		if (h->classes[i].first_ns < last)
			return false;
		last = h->classes[i].first_ns;
	}
	return true;
}

/* The classes by the time of their first sample; to be freed. NULL: out of memory. */
static struct radix_item *sort_by_time(const struct ptui_hist *h)
{
	struct radix_item *v = malloc((h->n_classes + 1) * sizeof(*v));

	for (size_t i = 0; v && i < h->n_classes; i++)
		v[i] = (struct radix_item){ h->classes[i].first_ns, (uint32_t)i };
	if (v && radix_sort(v, h->n_classes)) {
		free(v);
		return NULL;
	}
	return v;
}

/* Whether the times of the classes, and their numbers, fit into 64 bits. */
static bool times_fit(const struct row_builder *b)
{
	const struct ptui_hist *h = b->h;
	uint64_t times = h->all.last_ns - h->all.first_ns;

	/* classes of a histogram before may be of samples that were dropped since */
	return h->n_counted == h->profile->samples.n && times <= UINT64_MAX >> b->class_bits;
}

int row_builder_find_ages(struct row_builder *b)
{
	const struct ptui_hist *h = b->h;
	struct radix_item *v;

	b->by_time = is_by_time(h);
	if (b->by_time)
		return 0;
	while (h->n_classes >> b->class_bits)
		b->class_bits++;
	b->since_ns = h->all.first_ns;
	if (times_fit(b))
		return 0;
	v = sort_by_time(h);
	b->ages = malloc((h->n_classes + 1) * sizeof(*b->ages));
	for (size_t i = 0; v && b->ages && i < h->n_classes; i++)
		b->ages[v[i].index] = (uint64_t)i << b->class_bits | v[i].index;
	free(v);
	return v && b->ages ? 0 : -ENOMEM;
}
