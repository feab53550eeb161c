/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter of a view: ptui_hist_filter in the profile's ids.
 *
 *   sample --comm, thread, cpu--> counted or not      frame --dso, name, level--> has rows or not
 *
 * Frames are checked once, when the filter is made.
 */
#ifndef PROFILE_FILTER_H
#define PROFILE_FILTER_H

#include "profile/profile.h"

struct hist_filter {
	bool by_comm, by_thread, by_cpu;
	uint32_t comm; /* strpool id; PTUI_NONE: no such name */
	int32_t tid;
	uint32_t cpu;
	uint8_t *rows; /* by frame: 1 if it has rows; NULL: all have */
};

int hist_filter_init(struct hist_filter *f, const struct ptui_profile *p,
		     const struct ptui_hist_filter *like);
void hist_filter_release(struct hist_filter *f); /* accepts a zeroed one */

static inline bool hist_filter_accepts(const struct hist_filter *f, const struct samples *s,
				       size_t i)
{
	return (!f->by_comm || s->comm[i] == f->comm) &&
	       (!f->by_thread || s->threads[s->thread[i]].tid == f->tid) &&
	       (!f->by_cpu || s->cpu[i] == f->cpu);
}

static inline bool hist_filter_shows(const struct hist_filter *f, uint32_t frame)
{
	return !f->rows || f->rows[frame];
}

#endif
