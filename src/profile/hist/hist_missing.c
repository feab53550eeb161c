/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DSOs with samples; and those whose samples have no names, or names that are not proven. */
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/vec.h"
#include "profile/hist/hist.h"

struct missing {
	uint32_t frame; /* one of the DSO */
	enum ptui_symbols state;
	uint64_t period, unnamed;
};

static enum ptui_symbols state_of(const struct profile_frame *f)
{
	if (f->symbols == PTUI_SYMBOLS_OK && !frame_is_named(f))
		return PTUI_SYMBOLS_PARTIAL;
	return (enum ptui_symbols)f->symbols;
}

static int by_period(const void *va, const void *vb)
{
	const struct missing *a = va, *b = vb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return a->frame < b->frame ? -1 : a->frame > b->frame;
}

/* By the path of the DSO and, unless each is there once, the state; classes of one DSO often follow each other. */
struct missing_table {
	const struct profile_frame *frames;
	bool once;
	struct missing *v;
	size_t n, cap;
	uint32_t last;
	struct index_table index;
};

static bool missing_same(const void *owner, uint32_t index, const void *key)
{
	const struct missing_table *t = owner;
	const struct missing *a = &t->v[index], *b = key;

	return (t->once || a->state == b->state) &&
	       t->frames[a->frame].path == t->frames[b->frame].path;
}

/* Without memory, it is left out. */
static void missing_add(struct missing_table *t, const struct missing *one)
{
	uint64_t hash = hash_pair(t->frames[one->frame].path, t->once ? 0 : one->state);
	struct missing *to;

	if (t->last >= t->n || !missing_same(t, t->last, one))
		t->last = index_table_find(&t->index, hash, missing_same, t, one);
	if (t->last == PTUI_NONE) {
		if (vec_grow(&t->v, &t->cap, t->n + 1) ||
		    index_table_add(&t->index, hash, (uint32_t)t->n))
			return;
		t->v[t->n] = *one;
		t->last = (uint32_t)t->n++;
		return;
	}
	to = &t->v[t->last];
	to->period += one->period;
	to->unnamed += one->unnamed;
	if (one->frame < to->frame)
		to->frame = one->frame;
	if (to->state == PTUI_SYMBOLS_OK)
		to->state = one->state;
}

static const char *text_of(const struct ptui_hist *h, uint32_t id)
{
	return id == PTUI_NONE ? NULL : strpool_get(&h->profile->names, id);
}

/* `once`: of all DSOs with samples, each once. */
static size_t find_dsos(const struct ptui_hist *h, bool once, struct ptui_missing *ret, size_t max)
{
	const struct profile_frame *frames = h->profile->frames;
	struct missing_table t = { .frames = frames, .once = once };
	size_t n;

	index_table_init(&t.index);
	for (size_t i = 0; i < h->n_classes; i++) {
		uint32_t frame = h->classes[i].item.frame;
		enum ptui_symbols state = state_of(&frames[frame]);
		bool ok = state == PTUI_SYMBOLS_OK;
		uint64_t period = h->classes[i].period;

		if ((once || !ok) && period && hist_filter_shows(&h->filter, frame))
			missing_add(&t, &(struct missing){
						frame, state, period,
						frame_is_named(&frames[frame]) ? 0 : period });
	}
	if (t.n)
		qsort(t.v, t.n, sizeof(*t.v), by_period);
	n = t.n;
	for (size_t i = 0; i < n && i < max; i++) {
		const struct profile_frame *f = &frames[t.v[i].frame];

		ret[i] = (struct ptui_missing){
			.dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
							    text_of(h, f->short_name),
			.path = text_of(h, f->path),
			.why = text_of(h, f->why),
			.state = t.v[i].state,
			.kernel = f->level == 'k' || f->level == 'g',
			.period = t.v[i].period,
			.unnamed = t.v[i].unnamed,
		};
	}
	free(t.v);
	index_table_release(&t.index);
	return n;
}

size_t ptui_hist_missing(const struct ptui_hist *h, struct ptui_missing *ret, size_t max)
{
	return find_dsos(h, false, ret, max);
}

size_t ptui_hist_dsos(const struct ptui_hist *h, struct ptui_missing *ret, size_t max)
{
	return find_dsos(h, true, ret, max);
}
