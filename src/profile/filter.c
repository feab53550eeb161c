/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "profile/keys.h"

/* Linear: published profiles have no index of names. */
static uint32_t find_name(const struct ptui_profile *p, const char *text)
{
	for (uint32_t i = 0; i < p->names.n; i++) {
		if (!strcmp(strpool_get(&p->names, i), text))
			return i;
	}
	return PTUI_NONE;
}

static bool frame_matches(const struct ptui_profile *p, const struct profile_frame *f,
			  const struct ptui_hist_filter *like)
{
	const char *dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						       strpool_get(&p->names, f->short_name);

	bool kernel = f->level == 'k' || f->level == 'g';

	if ((like->kernel && !kernel) || (like->user && kernel))
		return false;
	if (like->dso && strcmp(dso, like->dso))
		return false;
	if (!like->symbol)
		return true;
	return f->sym_name != PTUI_NONE &&
	       strcasestr(strpool_get(&p->names, f->sym_name), like->symbol);
}

int hist_filter_init(struct hist_filter *f, const struct ptui_profile *p,
		     const struct ptui_hist_filter *like)
{
	memset(f, 0, sizeof(*f));
	f->by_comm = like->comm;
	f->comm = like->comm ? find_name(p, like->comm) : PTUI_NONE;
	f->by_thread = like->by_thread;
	f->tid = like->tid;
	f->by_cpu = like->by_cpu;
	f->cpu = like->cpu;
	if (!like->kernel && !like->user && !like->dso && !like->symbol)
		return 0;
	f->rows = malloc(p->n_frames + 1);
	if (!f->rows)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_frames; i++)
		f->rows[i] = frame_matches(p, &p->frames[i], like);
	return 0;
}

void hist_filter_release(struct hist_filter *f)
{
	free(f->rows);
	f->rows = NULL;
}
