/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of its addresses a row shows with -v: as in perf that of the first sample in the function or, if it was a caller
 * before, where that call returns to, in the process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "profile/hist/hist.h"

/* By class: its first sample by time, of those that are equally early the first; PTUI_NONE: none. */
static uint32_t *find_first_samples(struct ptui_hist *h)
{
	const struct samples *s = &h->profile->samples;
	uint32_t *first = malloc((h->n_classes + 1) * sizeof(*first));

	if (!first)
		return NULL;
	memset(first, 0xff, (h->n_classes + 1) * sizeof(*first));
	for (size_t i = 0; i < s->n; i++) {
		uint32_t cls = hist_class_of(h, i);

		if (cls != PTUI_NONE &&
		    (first[cls] == PTUI_NONE || s->time_ns[i] < s->time_ns[first[cls]]))
			first[cls] = (uint32_t)i;
	}
	return first;
}

static void set_frame(const struct ptui_profile *p, struct hist_row *row, uint32_t sample)
{
	const struct profile_frame *frames = p->frames;
	uint32_t place = frames[row->item.frame].place, frame = p->samples.frame[sample];
	uint32_t node = samples_stack(&p->samples, sample);

	row->called = false;
	if (frames[frame].place == place) {
		row->item.frame = frame;
		return;
	}
	while (node != PTUI_NONE && frames[p->stacks.nodes[node].frame].place != place)
		node = p->stacks.nodes[node].parent;
	if (node != PTUI_NONE) {
		row->item.frame = p->stacks.nodes[node].frame;
		row->called = true;
	}
}

int hist_find_addresses(struct ptui_hist *h)
{
	uint32_t *first = find_first_samples(h);

	if (!first)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_rows; i++)
		if (first[h->rows[i].first_cls] != PTUI_NONE)
			set_frame(h->profile, &h->rows[i], first[h->rows[i].first_cls]);
	free(first);
	return 0;
}
