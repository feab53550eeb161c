/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks with inlined functions:
 *
 *	sampled:   main - work                 frames 0, 1
 *	inlined:   main - work - step - add    frames 0, 1, and new frames 7, 8 for this place in work
 *
 * The derived profile shares everything else with its parent, which owns it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "profile/debug.h"
#include "profile/frames.h"

#define PROGRESS_FRAMES 256

/* Identifies inlined functions of one row, or of one node of a call tree. */
struct inline_key {
	uint32_t owner; /* place of the function it is inlined into; or its module */
	uint32_t name;
};

struct inline_keys {
	struct inline_key *keys;
	size_t n, cap;
	struct index_table index;
};

struct derived {
	struct ptui_profile profile; /* must be first: release() gets this pointer */
	struct ptui_profile *parent;
	struct strpool added; /* names of inlined functions; their ids follow those of the parent */
	uint32_t *
		first; /* by frame of the parent: its first inlined frame, outermost; PTUI_NONE: none */
	struct inline_keys places, funcs;
	size_t cap_frames;
};

/* ---- lifetime ---- */

/* Frees what is needed only while building. */
static void derived_finish(struct derived *d)
{
	free(d->first);
	free(d->places.keys);
	index_table_release(&d->places.index);
	free(d->funcs.keys);
	index_table_release(&d->funcs.index);
	stacks_drop_index(&d->profile.folded);
	d->first = NULL;
	d->places = d->funcs = (struct inline_keys){ 0 };
}

static void derived_release(struct ptui_profile *p)
{
	struct derived *d = (struct derived *)p;

	p->debug = NULL; /* the parent's */
	profile_release_debug(p);
	derived_finish(d);
	free(p->frames);
	free(p->stacks.nodes);
	free(p->folded.nodes);
	free(p->folded_of);
	free(p->ends);
	free(p->samples.stack);
	free(p->names.names);
	strpool_release(&d->added);
	free(d);
}

/* Copies the parent's data, except what inlined functions change. NULL: out of memory. */
static struct derived *derived_new(struct ptui_profile *parent)
{
	struct derived *d = calloc(1, sizeof(*d));
	struct ptui_profile *p;

	if (!d)
		return NULL;
	p = &d->profile;
	*p = *parent;
	atomic_init(&p->refs, 1);
	p->release = derived_release;
	atomic_init(&p->lines, NULL);
	atomic_init(&p->types, NULL);
	atomic_init(&p->inlined, NULL);
	p->owner = parent;
	p->lineage = 0;
	p->frames = NULL;
	p->samples.stack = NULL;
	p->names.names = NULL;
	p->folded_of = NULL;
	p->ends = NULL;
	stacks_init(&p->stacks);
	stacks_init(&p->folded);
	d->parent = parent;
	d->first = malloc((parent->n_frames + 1) * sizeof(*d->first));
	d->cap_frames = parent->n_frames;
	p->frames = malloc((parent->n_frames + 1) * sizeof(*p->frames));
	if (!d->first || !p->frames || strpool_init(&d->added)) {
		derived_release(p);
		return NULL;
	}
	if (parent->n_frames)
		memcpy(p->frames, parent->frames, parent->n_frames * sizeof(*p->frames));
	return d;
}

/* ---- frames ---- */

static bool key_same(const void *owner, uint32_t index, const void *key)
{
	const struct inline_key *a = &((const struct inline_keys *)owner)->keys[index], *b = key;

	return a->owner == b->owner && a->name == b->name;
}

/* The number of a key, from 0; PTUI_NONE: out of memory. */
static uint32_t key_number(struct inline_keys *t, struct inline_key key)
{
	uint64_t hash = hash_pair(key.owner, key.name);
	uint32_t i = index_table_find(&t->index, hash, key_same, t, &key);

	if (i != PTUI_NONE)
		return i;
	if (vec_grow(&t->keys, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, hash, (uint32_t)t->n))
		return PTUI_NONE;
	t->keys[t->n] = key;
	return (uint32_t)t->n++;
}

/* Ids of places and functions below this belong to the parent. */
static uint32_t ids_of_parent(const struct ptui_profile *p, bool places)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->n_frames; i++) {
		uint32_t id = places ? p->frames[i].place : p->frames[i].func;

		if (id >= n)
			n = id + 1;
	}
	return n;
}

/* Adds a frame for a function inlined at frame `base`, at nesting `level`. */
static int add_frame(struct derived *d, uint32_t base, size_t level, const char *name,
		     uint32_t first_place, uint32_t first_func)
{
	struct ptui_profile *p = &d->profile;
	struct profile_frame f = p->frames[base];
	uint32_t place, func, id;
	char *text;

	if (asprintf(&text, "%s (inlined)", name) < 0)
		return -ENOMEM;
	id = strpool_add(&d->added, text);
	free(text);
	place = id == PTUI_NONE ? PTUI_NONE :
				  key_number(&d->places, (struct inline_key){ f.place, id });
	func = place == PTUI_NONE ? PTUI_NONE :
				    key_number(&d->funcs, (struct inline_key){ f.dso, id });
	if (func == PTUI_NONE || vec_grow(&p->frames, &d->cap_frames, p->n_frames + 1))
		return -ENOMEM;
	f.sym_name = d->parent->names.n + id;
	f.place = first_place + place;
	f.func = first_func + func;
	f.start = FRAME_INSIDE;
	f.unnamed = false;
	f.inlined = (uint8_t)(level + 1);
	f.face = (uint32_t)p->n_frames;
	p->frames[p->n_frames++] = f;
	return 0;
}

/* Adds the functions inlined at each frame, outermost first. 0, -ENOMEM or -ECANCELED. */
static int add_frames(struct derived *d, ptui_progress_fn progress, void *ctx)
{
	struct ptui_profile *parent = d->parent;
	uint32_t first_place = ids_of_parent(parent, true),
		 first_func = ids_of_parent(parent, false);
	struct profile_scope scopes[PROFILE_INLINE_MAX + 1];
	const char *what = _("reading inlined functions");
	bool *exact = profile_find_exact(parent);
	int ret = exact ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < parent->n_frames && !ret; i++) {
		const struct profile_frame *f = &parent->frames[i];
		size_t n = 0;

		if (progress && i % PROGRESS_FRAMES == 0 &&
		    progress(ctx, what, i, parent->n_frames))
			ret = -ECANCELED;
		else if (f->sym_name != PTUI_NONE)
			n = parent->debug->scopes(parent->debug, f, !exact[i], scopes,
						  PROFILE_INLINE_MAX + 1);
		d->first[i] = n > 1 ? (uint32_t)d->profile.n_frames : PTUI_NONE;
		for (size_t level = n ? n - 1 : 0; level-- > 0 && !ret;)
			ret = add_frame(d, i, level, scopes[level].name, first_place, first_func);
	}
	free(exact);
	return ret;
}

/* Sets the representative of each function: its first frame. */
static int find_faces(struct derived *d)
{
	struct ptui_profile *p = &d->profile;
	uint32_t *faces = malloc((p->n_frames + 1) * sizeof(*faces));

	if (!faces)
		return -ENOMEM;
	memset(faces, 0xff, (p->n_frames + 1) * sizeof(*faces));
	for (size_t i = d->parent->n_frames; i < p->n_frames; i++) {
		uint32_t *face = &faces[p->frames[i].func];

		if (*face == PTUI_NONE)
			*face = (uint32_t)i;
		p->frames[i].face = *face;
	}
	free(faces);
	return 0;
}

/* ---- names, stacks, samples ---- */

static int join_names(struct derived *d)
{
	const struct strpool *had = &d->parent->names, *added = &d->added;
	struct strpool *to = &d->profile.names;

	to->names = malloc(((size_t)had->n + added->n + 1) * sizeof(*to->names));
	if (!to->names)
		return -ENOMEM;
	memcpy(to->names, had->names, had->n * sizeof(*to->names));
	memcpy(to->names + had->n, added->names, added->n * sizeof(*to->names));
	to->n = had->n + added->n;
	to->cap = to->n;
	return 0;
}

/* The number of stack nodes with inlined functions. */
static size_t count_nodes(const struct derived *d)
{
	const struct stacks *s = &d->parent->stacks;
	size_t n = s->n;

	for (size_t i = 0; i < s->n; i++) {
		uint32_t first = d->first[s->nodes[i].frame];

		if (first != PTUI_NONE)
			n += d->profile.frames[first].inlined;
	}
	return n;
}

/* Different stacks stay different, so no lookup is needed. `of` gets the new node of each. */
static int expand_stacks(struct derived *d, uint32_t *of)
{
	const struct stacks *from = &d->parent->stacks;
	struct stacks *to = &d->profile.stacks;

	if (vec_grow(&to->nodes, &to->cap, count_nodes(d)))
		return -ENOMEM;
	for (size_t i = 0; i < from->n; i++) {
		struct stack_node node = from->nodes[i];
		uint32_t first = d->first[node.frame];
		uint32_t n = first == PTUI_NONE ? 0 : d->profile.frames[first].inlined;

		if (node.parent != PTUI_NONE)
			node.parent = of[node.parent];
		to->nodes[to->n++] = node;
		for (uint32_t k = 0; k < n; k++, to->n++)
			to->nodes[to->n] = (struct stack_node){ (uint32_t)to->n - 1, first + k };
		of[i] = (uint32_t)to->n - 1;
	}
	return 0;
}

static int fold_stacks(struct ptui_profile *p)
{
	struct frame_brief *briefs = frames_brief(p->frames, p->n_frames);
	int ret;

	p->folded_of = malloc((p->stacks.n + 1) * sizeof(*p->folded_of));
	ret = !briefs || !p->folded_of ||
	      frames_fold(briefs, &p->stacks, 0, &p->folded, p->folded_of);
	if (!ret)
		p->ends = malloc((p->folded.n + 1) * sizeof(*p->ends));
	if (p->ends)
		frames_find_ends(briefs, &p->folded, 0, p->ends);
	free(briefs);
	return p->ends ? 0 : -ENOMEM;
}

static int move_samples(struct derived *d, const uint32_t *of)
{
	const struct samples *from = &d->parent->samples;
	uint32_t *stack = malloc((from->n + 1) * sizeof(*stack));

	if (!stack)
		return -ENOMEM;
	for (size_t i = 0; i < from->n; i++)
		stack[i] = samples_stack(from, i) == PTUI_NONE ? PTUI_NONE : of[from->stack[i]];
	d->profile.samples.stack = stack;
	return 0;
}

static int derive(struct derived *d)
{
	uint32_t *of = malloc((d->parent->stacks.n + 1) * sizeof(*of));
	int ret = of ? join_names(d) : -ENOMEM;

	if (!ret)
		ret = find_faces(d);
	if (!ret)
		ret = expand_stacks(d, of);
	if (!ret)
		ret = fold_stacks(&d->profile);
	if (!ret)
		ret = move_samples(d, of);
	free(of);
	return ret;
}

/* Returns the profile, or `p` itself if nothing is inlined. 0, -ENOMEM or -ECANCELED. */
static int make_inlined(struct ptui_profile *p, ptui_progress_fn progress, void *ctx,
			struct ptui_profile **ret_profile)
{
	struct derived *d = derived_new(p);
	int ret = d ? add_frames(d, progress, ctx) : -ENOMEM;
	bool none = !ret && d->profile.n_frames == p->n_frames;

	if (!ret && !none)
		ret = derive(d);
	if (d)
		derived_finish(d);
	if (d && (ret || none))
		derived_release(&d->profile);
	if (!ret)
		*ret_profile = none ? p : &d->profile;
	return ret;
}

struct ptui_profile *profile_inlined(struct ptui_profile *p, ptui_progress_fn progress, void *ctx,
				     int *ret_error)
{
	struct ptui_profile *made = atomic_load_explicit(&p->inlined, memory_order_acquire),
			    *none = NULL;
	int ret;

	if (!p->debug || p->code_only || p->owner)
		return ptui_profile_ref(p);
	if (made)
		return ptui_profile_ref(made);
	ret = make_inlined(p, progress, ctx, &made);
	if (ret) {
		*ret_error = ret;
		return NULL;
	}
	/* another thread may have been faster */
	if (!atomic_compare_exchange_strong(&p->inlined, &none, made)) {
		if (made != p)
			made->release(made);
		made = none;
	}
	return ptui_profile_ref(made);
}
