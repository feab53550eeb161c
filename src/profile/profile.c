/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include "profile/frames.h"

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
	if (p->release) {
		p->release(p);
		return;
	}
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

int profile_set_frames(struct ptui_profile *p, size_t n,
		       void (*facts)(void *ctx, size_t i, struct profile_frame_facts *ret),
		       void *ctx)
{
	struct profile_frame *frames = calloc(n ? n : 1, sizeof(*frames));
	uint32_t *of = malloc((p->stacks.n + 1) * sizeof(*of));
	struct frame_table table;
	struct stacks folded;
	int err = frames && of ? 0 : -ENOMEM;

	frame_table_init(&table);
	stacks_init(&folded);
	for (size_t i = 0; i < n && !err; i++) {
		struct profile_frame_facts one;

		facts(ctx, i, &one);
		err = frame_table_add(&table, (uint32_t)i, &one, &frames[i]);
	}
	frame_table_release(&table);
	if (!err)
		err = frames_fold(frames, &p->stacks, 0, &folded, of);
	if (err) {
		stacks_release(&folded);
		free(frames);
		free(of);
		return err;
	}
	stacks_release(&p->folded);
	free(p->folded_of);
	free(p->frames);
	p->folded = folded;
	p->folded_of = of;
	p->frames = frames;
	p->n_frames = n;
	return 0;
}
