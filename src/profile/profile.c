/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/debug.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void profile_code_release(struct profile_code *c)
{
	free(c->file);
	free(c->bytes);
	memset(c, 0, sizeof(*c));
}

struct ptui_profile *ptui_profile_ref(struct ptui_profile *p)
{
	struct ptui_profile *counts = p->owner ? p->owner : p;

	atomic_fetch_add_explicit(&counts->refs, 1, memory_order_relaxed);
	return p;
}

void ptui_profile_unref(struct ptui_profile *p)
{
	if (p && p->owner)
		p = p->owner;
	if (p && atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) == 1)
		p->release(p);
}

size_t ptui_profile_n_events(const struct ptui_profile *p)
{
	return p->n_events;
}

const struct ptui_event_info *ptui_profile_event(const struct ptui_profile *p, size_t i)
{
	return i < p->n_events ? &p->events[i] : NULL;
}

const char *ptui_profile_header(const struct ptui_profile *p, bool info)
{
	return p->owner ? p->owner->header[info] : p->header[info];
}

const struct ptui_thread_count *ptui_profile_thread_counts(const struct ptui_profile *p,
							   size_t *ret_n)
{
	*ret_n = p->n_thread_counts;
	return p->thread_counts;
}

void ptui_profile_trust(const struct ptui_profile *p, struct ptui_trust *ret)
{
	*ret = p->trust;
}

bool ptui_profile_has_late_map(const struct ptui_profile *p)
{
	uint32_t tried = PTUI_NONE;

	for (size_t i = 0; i < p->n_frames; i++) {
		const struct profile_frame *f = &p->frames[i];

		if (f->symbols != PTUI_SYMBOLS_JIT || f->path == tried)
			continue;
		tried = f->path;
		if (tried != PTUI_NONE && !access(strpool_get(&p->names, tried), R_OK))
			return true;
	}
	return false;
}

enum ptui_mode ptui_profile_mode(const struct ptui_profile *p)
{
	return p->mode;
}
