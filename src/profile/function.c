/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of rows and frames, for annotations. */
#include "profile/debug.h"
#include "profile/hist.h"

const struct ptui_profile *profile_base(const struct ptui_profile *p)
{
	return p->owner ? p->owner : p;
}

void profile_frame_function(const struct ptui_profile *p, const struct profile_frame *f,
			    struct ptui_function *ret)
{
	const struct strpool *names = &p->names;

	*ret = (struct ptui_function){
		.symbol = f->sym_name == PTUI_NONE ? NULL : strpool_get(names, f->sym_name),
		.dso = f->short_name == PTUI_NONE ? "" : strpool_get(names, f->short_name),
		.path = f->path == PTUI_NONE ? NULL : strpool_get(names, f->path),
		.start = frame_sym_start(f),
		.module = f->dso,
		.lineage = p->lineage,
		.kernel = f->level == 'k' || f->level == 'g',
	};
}

bool profile_function(const struct ptui_profile *p, uint32_t frame, struct ptui_function *ret)
{
	const struct ptui_profile *base = profile_base(p);
	const struct profile_frame *f = &p->frames[frame];

	/* an inlined function: the one that it is inlined into has the same address */
	for (size_t i = 0; frame >= base->n_frames && i < base->n_frames; i++)
		if (base->frames[i].dso == f->dso && base->frames[i].addr == f->addr)
			frame = (uint32_t)i;
	if (frame >= base->n_frames || f->dso == PTUI_NONE)
		return false;
	profile_frame_function(base, &base->frames[frame], ret);
	return true;
}

bool ptui_hist_row_function(const struct ptui_hist *h, size_t row, struct ptui_function *ret)
{
	return hist_plan_has(&h->plan, hist_key_symbol) &&
	       profile_function(h->profile, h->rows[row].item.frame, ret);
}
