/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

/*
 * When two frames are the same place (a row) or the same function (a node of a tree):
 *
 *             with a symbol                      without
 *   place     short name, symbol's start, end    short name, address
 *   func      module, symbol's start             the frame itself
 *
 * Two modules with the same short name are one place if the symbol's range is equal, as in perf.
 */
struct frame_key {
	uint32_t module; /* strpool id of the short name, or module id */
	bool named;
	uint64_t start, end;
};

void frame_table_init(struct frame_table *t)
{
	memset(t, 0, sizeof(*t));
	index_table_init(&t->places.index);
	index_table_init(&t->funcs.index);
}

static void keys_release(struct frame_keys *t)
{
	free(t->keys);
	index_table_release(&t->index);
}

void frame_table_release(struct frame_table *t)
{
	keys_release(&t->places);
	keys_release(&t->funcs);
	free(t->faces);
	frame_table_init(t);
}

static bool key_same(const void *owner, uint32_t index, const void *key)
{
	const struct frame_key *a = &((const struct frame_keys *)owner)->keys[index], *b = key;

	return a->module == b->module && a->named == b->named && a->start == b->start &&
	       a->end == b->end;
}

static int key_id(struct frame_keys *t, const struct frame_key *key, uint32_t *ret_id)
{
	uint64_t hash = hash_pair(hash_pair(key->module, key->named),
				  hash_pair(key->start, key->end));
	uint32_t id = index_table_find(&t->index, hash, key_same, t, key);
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

int frame_table_add(struct frame_table *t, uint32_t index, const struct profile_frame_facts *facts,
		    struct profile_frame *f)
{
	bool named = facts->sym_name != PTUI_NONE;
	struct frame_key key = { facts->short_name, named, named ? facts->sym_start : facts->addr,
				 named ? facts->sym_end : 0 };
	size_t n_funcs = t->funcs.n;
	int err = key_id(&t->places, &key, &f->place);

	if (err)
		return err;
	key.module = facts->dso;
	key.end = facts->start; /* a symbol may span several functions without names of their own */
	err = key_id(&t->funcs, &key, &f->func);
	if (!err)
		err = vec_grow(&t->faces, &t->cap_faces, t->funcs.n);
	if (err)
		return err;
	if (t->funcs.n > n_funcs)
		t->faces[f->func] = index;
	f->face = t->faces[f->func];
	f->addr = facts->addr;
	f->raw_addr = facts->raw_addr;
	f->sym_start = key.start;
	f->dso = facts->dso;
	f->short_name = facts->short_name;
	f->path = facts->path;
	f->why = facts->why;
	f->no_cfi = facts->no_cfi;
	f->sym_name = facts->sym_name;
	f->level = facts->level;
	f->start = facts->start;
	f->hidden = facts->hidden;
	f->symbols = facts->symbols;
	return 0;
}

int frames_fold(const struct profile_frame *frames, const struct stacks *from, size_t first,
		struct stacks *to, uint32_t *of)
{
	for (size_t i = first; i < from->n; i++) {
		struct stack_node node = from->nodes[i];
		uint32_t parent = node.parent == PTUI_NONE ? PTUI_NONE : of[node.parent];

		of[i] = stacks_push(to, parent, frames[node.frame].face);
		if (of[i] == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

void frames_find_ends(const struct profile_frame *frames, const struct stacks *s, size_t first,
		      struct stack_end *ends)
{
	for (size_t i = first; i < s->n; i++) {
		struct stack_node node = s->nodes[i];
		const struct profile_frame *here = &frames[node.frame], *end;

		if (node.parent == PTUI_NONE) {
			ends[i] = (struct stack_end){ node.frame, 1 };
			continue;
		}
		ends[i] = ends[node.parent];
		ends[i].depth += !here->inlined;
		end = &frames[ends[i].frame];
		if (here->level == '.' &&
		    (here->start == FRAME_START || (end->level == '.' && end->dso == PTUI_NONE)))
			ends[i].frame = node.frame;
	}
}
