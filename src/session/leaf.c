/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/leaf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "base/vec.h"

enum { LEAF_UNKNOWN, LEAF_COMPLETE, LEAF_SKIPS };
enum { FRAME_NEW, FRAME_WITHOUT_MODULE, FRAME_KNOWN };

void leaf_cache_release(struct leaf_cache *c)
{
	free(c->found);
	free(c->answers);
	memset(c, 0, sizeof(*c));
}

void leaf_cache_invalidate(struct leaf_cache *c)
{
	if (c->cap_found)
		memset(c->found, FRAME_NEW, c->cap_found);
	if (c->cap_answers)
		memset(c->answers, LEAF_UNKNOWN, c->cap_answers);
}

/* Makes room for the frame. False: out of memory. */
static bool has_room(uint8_t **v, size_t *cap, uint32_t frame)
{
	size_t had = *cap;

	if (frame < had)
		return true;
	if (vec_grow(v, cap, (size_t)frame + 1))
		return false;
	memset(*v + had, 0, *cap - had);
	return true;
}

struct row_leaf leaf_of_frame(struct leaf_cache *c, struct stack_unwinder *u,
			      const struct resolver *r, uint32_t frame)
{
	const struct row_leaf none = { .frame = PTUI_NONE }, known = { frame, PTUI_NONE, 0, false };
	const struct frame *f;

	if (frame == PTUI_NONE || !has_room(&c->found, &c->cap_found, frame))
		return none;
	if (c->found[frame] != FRAME_NEW)
		return c->found[frame] == FRAME_KNOWN ? known : none;
	f = &resolver_frames(r)[frame];
	c->found[frame] = FRAME_WITHOUT_MODULE;
	if (f->mode != DATA_MODE_USER || f->dso == PTUI_NONE || !stack_unwinder_open(u, f->dso))
		return none;
	c->found[frame] = FRAME_KNOWN;
	return (struct row_leaf){ frame, f->dso, f->off, false };
}

bool leaf_is_known(const struct leaf_cache *c, uint32_t frame)
{
	return frame < c->cap_found && c->found[frame] != FRAME_NEW;
}

bool leaf_has_uprobe_callers(const char *release)
{
	unsigned major = 0, minor = 0;
	struct utsname here;

	if (!release && !uname(&here))
		release = here.release;
	return release && sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 12));
}

bool leaf_skips_caller(struct leaf_cache *c, struct stack_unwinder *u, const struct row_leaf *leaf)
{
	if (leaf->at_uprobe && stack_unwinder_pushes_fp(u, leaf->module, leaf->off))
		return false;
	if (!has_room(&c->answers, &c->cap_answers, leaf->frame))
		return false;
	if (c->answers[leaf->frame] == LEAF_UNKNOWN) {
		if (leaf->module == PTUI_NONE) /* there was no memory when it came */
			return false;
		c->answers[leaf->frame] = stack_unwinder_skips_caller(u, leaf->module, leaf->off) ?
						  LEAF_SKIPS :
						  LEAF_COMPLETE;
	}
	return c->answers[leaf->frame] == LEAF_SKIPS;
}

/* ---- merged rows ---- */

#define AHEAD 16 /* rows; what they look at is loaded before, in two steps */

/* The frames of a chain are in order, so that is what chain_builder.first_user was. */
static uint32_t innermost_user(const struct stacks *stacks, const struct frame *frames,
			       uint32_t stack)
{
	while (stack != PTUI_NONE && frames[stacks->nodes[stack].frame].mode != DATA_MODE_USER)
		stack = stacks->nodes[stack].parent;
	return stack == PTUI_NONE ? PTUI_NONE : stacks->nodes[stack].frame;
}

static bool stack_skips_caller(struct leaf_cache *c, struct stack_unwinder *u,
			       const struct resolver *r, const struct stacks *stacks,
			       uint32_t stack)
{
	const struct frame *frames = resolver_frames(r);
	struct row_leaf leaf = leaf_of_frame(c, u, r, innermost_user(stacks, frames, stack));

	if (leaf.frame == PTUI_NONE)
		return false;
	leaf.module = frames[leaf.frame].dso;
	leaf.off = frames[leaf.frame].off;
	return leaf_skips_caller(c, u, &leaf);
}

void leaf_find_skips(struct leaf_cache *c, struct stack_unwinder *u, const struct resolver *r,
		     const struct stacks *stacks, struct merged_rows *rows)
{
	const struct frame *frames = resolver_frames(r);
	const struct stack_node *nodes = stacks->nodes;

	for (size_t i = 0; i < rows->n; i++) {
		struct merged_row *row = &rows->v[i];

		if (i + 2 * AHEAD < rows->n && row[2 * AHEAD].how & STACK_ASKS)
			__builtin_prefetch(&nodes[row[2 * AHEAD].stack]);
		if (i + AHEAD < rows->n && row[AHEAD].how & STACK_ASKS)
			__builtin_prefetch(&frames[nodes[row[AHEAD].stack].frame]);
		if (row->how & STACK_ASKS && stack_skips_caller(c, u, r, stacks, row->stack))
			row->how |= STACK_SKIPS;
		row->how &= (uint8_t)~STACK_ASKS;
	}
}
