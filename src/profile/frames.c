/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/prefetch.h"
#include "base/vec.h"

#define AHEAD 16 /* nodes whose frames are loaded before they are looked at */

/*
 * When two frames are the same place (a row) or the same function (a node of a tree):
 *
 *             with a symbol                      without
 *   place     short name, symbol's start, size   short name, address
 *             and name
 *   func      module, symbol's start             the frame itself
 *
 * Two modules with the same short name are one place if the symbol's range is equal, as in perf, and
 * so is its name, which perf does not look at: it may have been built again.
 */
struct frame_key {
	uint64_t start;
	/* a place with a symbol: size, name; outside of all modules: the id of the function, which is that address */
	uint64_t end;
	uint32_t module; /* strpool id of the short name, or module id */
	uint32_t named : 1, id : 31;
};
_Static_assert(sizeof(struct frame_key) == 24, "there may be as many as frames");

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
	free(t->briefs);
	frame_table_init(t);
}

/* ---- places and functions ---- */

static bool key_same(const void *owner, uint32_t index, const void *key)
{
	const struct frame_key *a = &((const struct frame_keys *)owner)->keys[index], *b = key;

	return a->start == b->start && a->module == b->module && a->named == b->named &&
	       (a->end == b->end || (!a->named && a->module == PTUI_NONE));
}

/* A key on its way into the table. */
struct wanted {
	struct frame_key key;
	uint64_t hash;
	bool skipped; /* nothing else has this key */
};

static void want(const struct frame_keys *t, struct wanted *w)
{
	w->hash = hash_pair(w->key.module | (uint64_t)w->key.named << 32, w->key.start);
	if (!w->skipped)
		index_table_prefetch(&t->index, w->hash);
}

static void want_key(const struct frame_keys *t, const struct wanted *w)
{
	uint32_t first = w->skipped ? PTUI_NONE : index_table_first(&t->index, w->hash);

	if (first != PTUI_NONE)
		prefetch_line(&t->keys[first]);
}

/* The key with its id, which is a new one if *ret_new. NULL: out of memory. */
static struct frame_key *key_get(struct frame_keys *t, const struct wanted *w, bool *ret_new)
{
	uint32_t i = index_table_find(&t->index, w->hash, key_same, t, &w->key);

	*ret_new = i == PTUI_NONE;
	if (i != PTUI_NONE)
		return &t->keys[i];
	if (vec_grow(&t->keys, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, w->hash, (uint32_t)t->n))
		return NULL;
	t->keys[t->n] = w->key;
	t->keys[t->n].id = t->n_ids++;
	return &t->keys[t->n++];
}

/* A frame without a name is a function of its own: no other frame has its module and address. */
static void want_frame(const struct frame_table *t, const struct profile_frame_facts *f,
		       struct wanted *place, struct wanted *func)
{
	bool named = f->sym_name != PTUI_NONE;

	*place = (struct wanted){
		.key = { .start = named ? f->sym_start : f->addr,
			 .end = named ? (f->sym_end - f->sym_start) << 32 | f->sym_name : 0,
			 .module = f->short_name,
			 .named = named }
	};
	*func = (struct wanted){ .key = place->key, .skipped = !named };
	func->key.module = f->dso;
	func->key.end =
		f->start; /* a symbol may span several functions without names of their own */
	want(&t->places, place);
	want(&t->funcs, func);
}

/* The ids of the place and of the function. 0 or -ENOMEM. */
static int find_ids(struct frame_table *t, const struct profile_frame_facts *facts,
		    const struct wanted *place, const struct wanted *func, struct profile_frame *f)
{
	struct frame_key *key;
	bool is_new;

	key = key_get(&t->places, place, &is_new);
	if (!key)
		return -ENOMEM;
	f->place = key->id;
	if (!func->skipped) {
		key = key_get(&t->funcs, func, &is_new);
		if (!key)
			return -ENOMEM;
		f->func = key->id;
	} else if (facts->short_name != PTUI_NONE || is_new) {
		f->func = t->funcs.n_ids++;
		if (facts->short_name == PTUI_NONE)
			key->end = f->func;
	} else { /* the same address in another process */
		f->func = (uint32_t)key->end;
	}
	return 0;
}

/* ---- frames ---- */

static void set_frame(struct profile_frame *f, const struct profile_frame_facts *facts)
{
	f->addr = facts->addr;
	f->raw_addr = facts->raw_addr;
	if (facts->sym_name != PTUI_NONE) {
		f->sym_offset = (uint32_t)(facts->addr - facts->sym_start);
		f->sym_size = (uint32_t)(facts->sym_end - facts->sym_start);
	}
	f->dso = facts->dso;
	f->short_name = facts->short_name;
	f->path = facts->path;
	f->why = facts->why;
	f->no_cfi = facts->no_cfi;
	f->sym_name = facts->sym_name;
	f->level = facts->level;
	f->start = facts->start & 3U;
	f->hidden = facts->hidden;
	f->symbols = facts->symbols & 15U;
	f->unnamed = facts->unnamed;
	f->object = facts->object;
	f->origin = facts->origin & 127U;
}

static void set_brief(struct frame_brief *ret, const struct profile_frame *f)
{
	*ret = (struct frame_brief){ .face = f->face,
				     .user = f->level == '.',
				     .starts = f->start == FRAME_START,
				     .nowhere = f->dso == PTUI_NONE,
				     .inlined = f->inlined != 0 };
}

static int add_frame(struct frame_table *t, uint32_t index, struct profile_frame *f)
{
	size_t had = t->cap_faces;

	if (vec_grow(&t->faces, &t->cap_faces, t->funcs.n_ids))
		return -ENOMEM;
	if (t->cap_faces > had)
		memset(t->faces + had, 0xff, (t->cap_faces - had) * sizeof(*t->faces));
	if (t->faces[f->func] == PTUI_NONE)
		t->faces[f->func] = index;
	f->face = t->faces[f->func];
	set_brief(&t->briefs[index], f);
	if (f->face != index)
		t->briefs[f->face].shared = t->briefs[index].shared = true;
	return 0;
}

void frame_table_reserve(struct frame_table *t, size_t n)
{
	if (n <= UINT32_MAX && !vec_grow(&t->briefs, &t->cap_briefs, n) &&
	    !vec_grow(&t->places.keys, &t->places.cap, n))
		(void)index_table_reserve(&t->places.index, (uint32_t)n);
}

int frame_table_add(struct frame_table *t, uint32_t index, const struct profile_frame_facts *facts,
		    size_t n, struct profile_frame *f)
{
	struct wanted places[FRAME_BATCH], funcs[FRAME_BATCH];
	int err = vec_grow(&t->briefs, &t->cap_briefs, (size_t)index + n);

	for (size_t i = 0; i < n; i++)
		want_frame(t, &facts[i], &places[i], &funcs[i]);
	for (size_t i = 0; i < n; i++) {
		want_key(&t->places, &places[i]);
		want_key(&t->funcs, &funcs[i]);
	}
	for (size_t i = 0; i < n && !err; i++) {
		memset(&f[i], 0, sizeof(f[i]));
		set_frame(&f[i], &facts[i]);
		err = find_ids(t, &facts[i], &places[i], &funcs[i], &f[i]);
		if (!err)
			err = add_frame(t, index + (uint32_t)i, &f[i]);
	}
	return err;
}

struct frame_brief *frames_brief(const struct profile_frame *frames, size_t n)
{
	struct frame_brief *briefs = malloc((n + 1) * sizeof(*briefs));

	for (size_t i = 0; briefs && i < n; i++)
		set_brief(&briefs[i], &frames[i]);
	for (size_t i = 0; briefs && i < n; i++)
		if (briefs[i].face != i)
			briefs[briefs[i].face].shared = briefs[i].shared = true;
	return briefs;
}

/* ---- stacks ---- */

/*
 * A folded node is alone if no other stack can fold to it: its caller is alone, and its frame is the
 * only one of its function. Such nodes are not looked up and have no slot in the hash table. Frames
 * that come later may make that wrong, so the next call adds them to it.
 */
struct loners {
	uint64_t *bits; /* by folded node; NULL: none */
};

static bool is_alone(const struct loners *l, uint32_t node)
{
	return node == PTUI_NONE || l->bits[node / 64] >> node % 64 & 1;
}

static int fold_all(const struct frame_brief *briefs, const struct stacks *from, struct stacks *to,
		    uint32_t *of, struct loners *l)
{
	for (size_t i = 0; i < from->n; i++) {
		struct stack_node node = from->nodes[i];
		uint32_t parent = node.parent == PTUI_NONE ? PTUI_NONE : of[node.parent];
		struct frame_brief b = briefs[node.frame];

		if (i + AHEAD < from->n)
			__builtin_prefetch(&briefs[from->nodes[i + AHEAD].frame]);

		if (!b.shared && is_alone(l, parent)) {
			of[i] = stacks_append(to, parent, b.face);
			if (of[i] != PTUI_NONE)
				l->bits[of[i] / 64] |= (uint64_t)1 << of[i] % 64;
		} else {
			of[i] = stacks_push(to, parent, b.face);
		}
		if (of[i] == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

int frames_fold(const struct frame_brief *briefs, const struct stacks *from, size_t first,
		struct stacks *to, uint32_t *of)
{
	struct loners l = { .bits = NULL };
	int ret;

	if (!first && !to->n) {
		l.bits = calloc(from->n / 64 + 1, sizeof(*l.bits));
		(void)stacks_reserve(to, from->n); /* as many at most */
		ret = l.bits ? fold_all(briefs, from, to, of, &l) : -ENOMEM;
		free(l.bits);
		return ret;
	}
	ret = stacks_index(to);
	for (size_t i = first; i < from->n && !ret; i++) {
		struct stack_node node = from->nodes[i];
		uint32_t parent = node.parent == PTUI_NONE ? PTUI_NONE : of[node.parent];

		of[i] = stacks_push(to, parent, briefs[node.frame].face);
		ret = of[i] == PTUI_NONE ? -ENOMEM : 0;
	}
	return ret;
}

void frames_find_ends(const struct frame_brief *briefs, const struct stacks *s, size_t first,
		      struct stack_end *ends)
{
	for (size_t i = first; i < s->n; i++) {
		struct stack_node node = s->nodes[i];
		struct frame_brief here = briefs[node.frame], end;

		if (i + AHEAD < s->n)
			__builtin_prefetch(&briefs[s->nodes[i + AHEAD].frame]);
		if (node.parent == PTUI_NONE) {
			ends[i] = (struct stack_end){ node.frame, 1 };
			continue;
		}
		ends[i] = ends[node.parent];
		ends[i].depth += !here.inlined;
		if (!here.user)
			continue;
		end = briefs[ends[i].frame];
		if (here.starts || (end.user && end.nowhere))
			ends[i].frame = node.frame;
	}
}
