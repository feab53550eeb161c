/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/leaf.h"

#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

enum { LEAF_UNKNOWN, LEAF_COMPLETE, LEAF_SKIPS };

void leaf_cache_release(struct leaf_cache *c)
{
	free(c->v);
	memset(c, 0, sizeof(*c));
}

void leaf_cache_invalidate(struct leaf_cache *c)
{
	if (c->cap)
		memset(c->v, LEAF_UNKNOWN, c->cap);
}

bool leaf_skips_caller(struct leaf_cache *c, struct stack_unwinder *u, const struct resolver *r,
		       uint32_t frame)
{
	const struct frame *f;
	size_t had = c->cap;

	if (frame < had && c->v[frame] != LEAF_UNKNOWN)
		return c->v[frame] == LEAF_SKIPS;
	f = &resolver_frames(r)[frame];
	if (f->mode != DATA_MODE_USER || f->dso == PTUI_NONE ||
	    vec_grow(&c->v, &c->cap, (size_t)frame + 1))
		return false;
	memset(c->v + had, LEAF_UNKNOWN, c->cap - had);
	c->v[frame] = stack_unwinder_skips_caller(u, f->dso, f->off) ? LEAF_SKIPS : LEAF_COMPLETE;
	return c->v[frame] == LEAF_SKIPS;
}
