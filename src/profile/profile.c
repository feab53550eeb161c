/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include "base/vec.h"

struct ptui_profile *profile_new(void)
{
	struct ptui_profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	atomic_init(&p->refs, 1);
	samples_init(&p->samples);
	stacks_init(&p->stacks);
	stacks_init(&p->folded);
	if (strpool_init(&p->names)) {
		free(p);
		return NULL;
	}
	return p;
}

struct ptui_profile *ptui_profile_ref(struct ptui_profile *p)
{
	atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
	return p;
}

void ptui_profile_unref(struct ptui_profile *p)
{
	if (!p || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1)
		return;
	samples_release(&p->samples);
	stacks_release(&p->stacks);
	stacks_release(&p->folded);
	free(p->folded_of);
	strpool_release(&p->names);
	free(p->frames);
	free(p->events);
	free(p);
}

size_t ptui_profile_n_events(const struct ptui_profile *p)
{
	return p->n_events;
}

const struct ptui_event_info *ptui_profile_event(const struct ptui_profile *p, size_t i)
{
	return i < p->n_events ? &p->events[i] : NULL;
}

void ptui_profile_trust(const struct ptui_profile *p, struct ptui_trust *ret)
{
	*ret = p->trust;
}

/* ---- frames ---- */

/*
 * What makes two frames the same place (a row) or the same function (a node of a tree):
 *
 *             with a symbol                      without
 *   place     short name, symbol's start, end    short name, address
 *   func      module, symbol's start             the frame itself
 *
 * Two modules of one short name are one place when the symbol's range is the same: that is
 * how perf's rows are compared, too.
 */
struct frame_key {
	uint32_t module; /* strpool id of the short name, or the module's number */
	bool named;
	uint64_t start, end;
};

struct key_table {
	struct frame_key *keys;
	size_t n, cap;
	struct index_table index;
};

static bool frame_key_same(const void *owner, uint32_t index, const void *key)
{
	const struct frame_key *a = &((const struct key_table *)owner)->keys[index], *b = key;

	return a->module == b->module && a->named == b->named && a->start == b->start &&
	       a->end == b->end;
}

static int key_id(struct key_table *t, const struct frame_key *key, uint32_t *ret_id)
{
	uint64_t hash = hash_pair(hash_pair(key->module, key->named), hash_pair(key->start, key->end));
	uint32_t id = index_table_find(&t->index, hash, frame_key_same, t, key);
	int err;

	if (id == PTUI_NONE) {
		err = vec_grow(&t->keys, &t->cap, t->n + 1);
		if (!err)
			err = index_table_add(&t->index, hash, (uint32_t)t->n);
		if (err)
			return err;
		id = (uint32_t)t->n;
		t->keys[t->n++] = *key;
	}
	*ret_id = id;
	return 0;
}

static void key_table_release(struct key_table *t)
{
	free(t->keys);
	index_table_release(&t->index);
}

static int frame_set(struct profile_frame *f, const struct profile_frame_facts *facts,
		     struct key_table *places, struct key_table *funcs)
{
	bool named = facts->sym_name != PTUI_NONE;
	struct frame_key key = { facts->short_name, named, named ? facts->sym_start : facts->addr,
				 named ? facts->sym_end : 0 };
	int err = key_id(places, &key, &f->place);

	if (err)
		return err;
	key.module = facts->dso;
	key.end = 0;
	err = key_id(funcs, &key, &f->func);
	if (err)
		return err;
	f->addr = facts->addr;
	f->raw_addr = facts->raw_addr;
	f->sym_start = key.start;
	f->dso = facts->dso;
	f->short_name = facts->short_name;
	f->sym_name = facts->sym_name;
	f->level = facts->level;
	return 0;
}

/* The first frame of each function, by number of function: they are numbered as they come. */
static int find_faces(struct profile_frame *frames, size_t n, size_t n_funcs)
{
	uint32_t *first = malloc((n_funcs + 1) * sizeof(*first));

	if (!first)
		return -ENOMEM;
	for (size_t i = n; i-- > 0;)
		first[frames[i].func] = (uint32_t)i;
	for (size_t i = 0; i < n; i++)
		frames[i].face = first[frames[i].func];
	free(first);
	return 0;
}

/* Parents stand before their children, so that one pass folds all. */
static int fold_stacks(struct ptui_profile *p)
{
	struct stacks folded;
	uint32_t *of = malloc((p->stacks.n + 1) * sizeof(*of));

	if (!of)
		return -ENOMEM;
	stacks_init(&folded);
	for (size_t i = 0; i < p->stacks.n; i++) {
		struct stack_node node = p->stacks.nodes[i];
		uint32_t parent = node.parent == PTUI_NONE ? PTUI_NONE : of[node.parent];

		of[i] = stacks_push(&folded, parent, p->frames[node.frame].face);
		if (of[i] == PTUI_NONE) {
			stacks_release(&folded);
			free(of);
			return -ENOMEM;
		}
	}
	stacks_release(&p->folded);
	free(p->folded_of);
	p->folded = folded;
	p->folded_of = of;
	return 0;
}

int profile_set_frames(struct ptui_profile *p, size_t n,
		       void (*facts)(void *ctx, size_t i, struct profile_frame_facts *ret),
		       void *ctx)
{
	struct key_table places = { 0 }, funcs = { 0 };
	struct profile_frame *frames = calloc(n ? n : 1, sizeof(*frames));
	int err = frames ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && !err; i++) {
		struct profile_frame_facts one;

		facts(ctx, i, &one);
		err = frame_set(&frames[i], &one, &places, &funcs);
	}
	if (!err)
		err = find_faces(frames, n, funcs.n);
	key_table_release(&places);
	key_table_release(&funcs);
	if (err) {
		free(frames);
		return err;
	}
	free(p->frames);
	p->frames = frames;
	p->n_frames = n;
	return fold_stacks(p);
}
