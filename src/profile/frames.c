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
 *   func      module, symbol's start             the frame itself; outside of all modules: the place
 *
 * Two modules with the same short name are one place if the symbol's range is equal, as in perf, and
 * so is its name, which perf does not look at: it may have been built again.
 */

void frame_table_init(struct frame_table *t)
{
	memset(t, 0, sizeof(*t));
	index_table_init(&t->places);
	index_table_init(&t->funcs);
	index_table_init(&t->names);
}

void frame_table_release(struct frame_table *t)
{
	index_table_release(&t->places);
	index_table_release(&t->funcs);
	index_table_release(&t->names);
	free(t->modules);
	free(t->briefs);
	frame_table_init(t);
}

void frame_set_symbol(struct profile_frame *f, uint32_t name, uint64_t start, uint64_t end)
{
	f->sym_name = name;
	f->sym_offset = (uint32_t)(f->addr - start);
	f->sym_size = (uint32_t)(end - start);
}

/* ---- places and functions ---- */

static bool has_symbol(const struct profile_frame *f)
{
	return f->sym_name != PTUI_NONE;
}

static uint64_t frame_hash(const struct profile_frame *f, uint32_t module)
{
	return hash_pair(module | (uint64_t)has_symbol(f) << 32, frame_sym_start(f));
}

/* Without a symbol, sym_offset is 0. */
static bool same_place(const void *owner, uint32_t index, const void *key)
{
	const struct profile_frame *a = &((const struct profile_frame *)owner)[index], *b = key;

	return frame_sym_start(a) == frame_sym_start(b) && a->short_name == b->short_name &&
	       a->sym_name == b->sym_name && (!has_symbol(a) || a->sym_size == b->sym_size);
}

/* A symbol may span several functions without names of their own, and one of them may be a start. */
static bool same_func(const void *owner, uint32_t index, const void *key)
{
	const struct profile_frame *a = &((const struct profile_frame *)owner)[index], *b = key;

	return frame_sym_start(a) == frame_sym_start(b) && a->dso == b->dso && a->start == b->start;
}

/* ---- modules ---- */

static bool same_name(const void *owner, uint32_t index, const void *key)
{
	return ((const struct frame_module *)owner)[index].short_name == *(const uint32_t *)key;
}

/* There is room for one more. */
static void add_module(struct frame_table *t, uint32_t short_name)
{
	uint64_t hash = hash_u64(short_name);
	uint32_t first = index_table_find(&t->names, hash, same_name, t->modules, &short_name);

	t->modules[t->n_modules] = (struct frame_module){ short_name, .lone = first == PTUI_NONE };
	if (first == PTUI_NONE)
		(void)index_table_add(&t->names, hash, (uint32_t)t->n_modules);
	else if (t->modules[first].lone)
		t->modules[first] = (struct frame_module){ short_name, .late = t->has_late = true };
	t->n_modules++;
}

static bool is_late(const struct frame_table *t, const struct profile_frame *f)
{
	return !has_symbol(f) && f->dso < t->n_modules && t->modules[f->dso].late;
}

/* Adds the frames of modules that are not alone any more. 0 or -ENOMEM. */
static int add_late(struct frame_table *t, const struct profile_frame *frames, size_t n_frames)
{
	size_t n = 0;

	for (size_t i = 0; i < n_frames; i++)
		n += is_late(t, &frames[i]);
	if (n && index_table_reserve(&t->places, t->places.n + (uint32_t)n))
		return -ENOMEM;
	for (size_t i = 0; i < n_frames; i++)
		if (is_late(t, &frames[i]))
			(void)index_table_add(&t->places,
					      frame_hash(&frames[i], frames[i].short_name),
					      (uint32_t)i);
	for (size_t i = 0; i < t->n_modules; i++)
		t->modules[i].late = false;
	t->has_late = false;
	return 0;
}

int frame_table_set_modules(struct frame_table *t, const struct profile_frame *of_modules, size_t n,
			    const struct profile_frame *frames, size_t n_frames)
{
	if (vec_grow(&t->modules, &t->cap_modules, n) ||
	    index_table_reserve(&t->names, (uint32_t)n))
		return -ENOMEM;
	while (t->n_modules < n)
		add_module(t, of_modules[t->n_modules].short_name);
	return t->has_late ? add_late(t, frames, n_frames) : 0;
}

/* A frame that is a place and a function of its own, without a look at others. */
static bool is_lone(const struct frame_table *t, const struct profile_frame *f)
{
	return !has_symbol(f) && f->dso < t->n_modules && t->modules[f->dso].lone;
}

/* What of a frame is looked up: hashes. */
struct wanted {
	uint64_t place, func;
};

static void want_first(const struct index_table *t, const struct profile_frame *frames,
		       uint64_t hash)
{
	uint32_t first = index_table_first(t, hash);

	if (first != PTUI_NONE)
		prefetch_line(&frames[first]);
}

/* Sets what a frame has in common with others. The tables have room for it. */
static void find_ids(struct frame_table *t, struct profile_frame *frames, uint32_t index,
		     const struct wanted *w)
{
	struct profile_frame *f = &frames[index];
	uint32_t first = PTUI_NONE;
	bool new_place;

	if (is_lone(t, f)) {
		f->place = t->n_places++;
		f->func = t->n_funcs++;
		f->face = index;
		return;
	}
	first = index_table_find(&t->places, w->place, same_place, frames, f);
	new_place = first == PTUI_NONE;

	f->place = new_place ? t->n_places++ : frames[first].place;
	if (new_place)
		(void)index_table_add(&t->places, w->place, index);
	if (has_symbol(f)) {
		first = index_table_find(&t->funcs, w->func, same_func, frames, f);
		if (first == PTUI_NONE)
			(void)index_table_add(&t->funcs, w->func, index);
	} else if (f->dso != PTUI_NONE) {
		first = PTUI_NONE; /* no other frame has its module and address */
	}
	f->func = first == PTUI_NONE ? t->n_funcs++ : frames[first].func;
	f->face = first == PTUI_NONE ? index : frames[first].face;
}

/* ---- frames ---- */

static void set_brief(struct frame_brief *ret, const struct profile_frame *f)
{
	*ret = (struct frame_brief){ .face = f->face,
				     .user = f->level == '.',
				     .starts = f->start == FRAME_START,
				     .nowhere = f->dso == PTUI_NONE,
				     .inlined = f->inlined != 0 };
}

static void add_brief(struct frame_table *t, uint32_t index, const struct profile_frame *f)
{
	set_brief(&t->briefs[index], f);
	if (f->face != index)
		t->briefs[f->face].shared = t->briefs[index].shared = true;
}

void frame_table_reserve(struct frame_table *t, size_t n)
{
	(void)vec_grow(&t->briefs, &t->cap_briefs, n);
}

int frame_table_add(struct frame_table *t, struct profile_frame *frames, uint32_t index, size_t n)
{
	struct wanted wanted[FRAME_BATCH];

	/* what is in the tables is there: nothing fails below */
	if (vec_grow(&t->briefs, &t->cap_briefs, (size_t)index + n) ||
	    index_table_reserve(&t->places, t->places.n + (uint32_t)n) ||
	    index_table_reserve(&t->funcs, t->funcs.n + (uint32_t)n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct profile_frame *f = &frames[index + i];

		if (is_lone(t, f))
			continue;
		wanted[i] = (struct wanted){ frame_hash(f, f->short_name), frame_hash(f, f->dso) };
		index_table_prefetch(&t->places, wanted[i].place);
		if (has_symbol(f))
			index_table_prefetch(&t->funcs, wanted[i].func);
	}
	for (size_t i = 0; i < n; i++) {
		if (is_lone(t, &frames[index + i]))
			continue;
		want_first(&t->places, frames, wanted[i].place);
		if (has_symbol(&frames[index + i]))
			want_first(&t->funcs, frames, wanted[i].func);
	}
	for (size_t i = 0; i < n; i++) {
		find_ids(t, frames, index + (uint32_t)i, &wanted[i]);
		add_brief(t, index + (uint32_t)i, &frames[index + i]);
	}
	return 0;
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
