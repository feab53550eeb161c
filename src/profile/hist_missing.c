/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DSOs whose samples have no names, or names that are not proven. */
#include <stdlib.h>
#include <string.h>
#include "profile/hist.h"

struct missing {
	uint32_t frame; /* one of the DSO */
	enum ptui_symbols state;
	uint64_t period;
};

static enum ptui_symbols state_of(const struct profile_frame *f)
{
	if (f->symbols == PTUI_SYMBOLS_OK && f->sym_name == PTUI_NONE)
		return PTUI_SYMBOLS_PARTIAL;
	return (enum ptui_symbols)f->symbols;
}

static int by_path(const void *va, const void *vb, void *arg)
{
	const struct profile_frame *frames = arg;
	const struct missing *a = va, *b = vb;

	if (frames[a->frame].path != frames[b->frame].path)
		return frames[a->frame].path < frames[b->frame].path ? -1 : 1;
	return a->state < b->state ? -1 : a->state > b->state;
}

static int by_period(const void *va, const void *vb)
{
	const struct missing *a = va, *b = vb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return a->frame < b->frame ? -1 : a->frame > b->frame;
}

static size_t merge(struct missing *v, size_t n, struct profile_frame *frames)
{
	size_t kept = 0;

	if (n)
		qsort_r(v, n, sizeof(*v), by_path, frames);
	for (size_t i = 0; i < n; i++) {
		if (kept && !by_path(&v[kept - 1], &v[i], frames))
			v[kept - 1].period += v[i].period;
		else
			v[kept++] = v[i];
	}
	if (kept)
		qsort(v, kept, sizeof(*v), by_period);
	return kept;
}

static const char *text_of(const struct ptui_hist *h, uint32_t id)
{
	return id == PTUI_NONE ? NULL : strpool_get(&h->profile->names, id);
}

size_t ptui_hist_missing(const struct ptui_hist *h, struct ptui_missing *ret, size_t max)
{
	struct profile_frame *frames = h->profile->frames;
	struct missing *v = calloc(h->n_classes + 1, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; v && i < h->n_classes; i++) {
		uint32_t frame = h->classes[i].item.frame;

		enum ptui_symbols state = state_of(&frames[frame]);

		if (state != PTUI_SYMBOLS_OK && h->classes[i].period &&
		    hist_filter_shows(&h->filter, frame))
			v[n++] = (struct missing){ frame, state, h->classes[i].period };
	}
	n = v ? merge(v, n, frames) : 0;
	for (size_t i = 0; i < n && i < max; i++) {
		const struct profile_frame *f = &frames[v[i].frame];

		ret[i] = (struct ptui_missing){
			.dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
							    text_of(h, f->short_name),
			.path = text_of(h, f->path),
			.why = text_of(h, f->why),
			.state = v[i].state,
			.kernel = f->level == 'k' || f->level == 'g',
			.period = v[i].period,
		};
	}
	free(v);
	return n;
}
