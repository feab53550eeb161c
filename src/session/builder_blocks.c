/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of code and their cycles, from branch stacks (profile/extras.h). */
#include <errno.h>
#include "base/perf_abi.h"
#include "session/builder.h"

#define BRANCH_WORDS 3 /* from, to, flags */

struct branch {
	uint64_t from, to;
	uint16_t cycles; /* since the branch before */
};

/* Bits 4 to 19 of the flags, counted from the other end by machines of the other byte order. */
static uint16_t cycles_of(const struct builder *b, uint64_t flags)
{
	bool big = data_swapped(b->file) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	return (uint16_t)(big ? flags >> 44 : flags >> 4);
}

static struct branch branch_at(const struct builder *b, const struct data_sample *s, uint64_t i)
{
	bool swapped = data_swapped(b->file);

	return (struct branch){
		.from = data_word(s->branches, BRANCH_WORDS * i, swapped),
		.to = data_word(s->branches, BRANCH_WORDS * i + 1, swapped),
		.cycles = cycles_of(b, data_word(s->branches, BRANCH_WORDS * i + 2, swapped)),
	};
}

/* Without any, the CPU does not measure them. */
static bool has_cycles(const struct builder *b, const struct data_sample *s)
{
	for (uint64_t i = 0; i < s->n_branches; i++)
		if (branch_at(b, s, i).cycles)
			return true;
	return false;
}

/* Branches are of the user or of the kernel, whichever of them was interrupted. */
static uint32_t frame_at(struct builder *b, const struct data_sample *s, uint64_t when,
			 uint64_t addr)
{
	return resolver_frame(b->resolver, s->pid, addr >> 63 ? DATA_MODE_KERNEL : DATA_MODE_USER,
			      when, addr);
}

/*
 * Drops the lists before `first`, and what only they refer to. `frames`: the new numbers of frames; NULL: they
 * stay. 0 or -ENOMEM.
 */
static int move_blocks(struct builder *b, size_t first, const uint32_t *frames)
{
	struct blocks *from = &b->blocks, kept = { .v = NULL };
	int ret = 0;

	for (size_t i = first; i < from->n_lists && !ret; i++) {
		size_t end = i + 1 < from->n_lists ? from->lists[i + 1].first : from->n_runs;

		ret = blocks_begin(&kept, from->lists[i].row);
		for (size_t k = from->lists[i].first; k < end && !ret; k++) {
			struct block at = from->v[from->runs[k].block];

			if (frames) {
				at.start = at.start == PTUI_NONE ? PTUI_NONE : frames[at.start];
				at.end = frames[at.end];
			}
			ret = blocks_add(&kept, at.start, at.end, from->runs[k].cycles);
		}
	}
	if (ret) {
		blocks_release(&kept);
		return ret;
	}
	blocks_release(from);
	*from = kept;
	return 0;
}

int builder_halve_blocks(struct builder *b)
{
	return move_blocks(b, (b->blocks.n_lists + 1) / 2, NULL);
}

int builder_renumber_blocks(struct builder *b, const uint32_t *frames)
{
	return move_blocks(b, 0, frames);
}

void builder_mark_blocks(const struct builder *b, bool *used)
{
	for (size_t i = 0; i < b->blocks.n; i++) {
		if (b->blocks.v[i].start != PTUI_NONE)
			used[b->blocks.v[i].start] = true;
		used[b->blocks.v[i].end] = true;
	}
}

int builder_copy_blocks(const struct builder *b, struct ptui_profile *p)
{
	struct blocks *to = &p->blocks;
	size_t gone = 0;

	if (blocks_copy(&b->blocks, to))
		return -ENOMEM;
	for (size_t i = 0; i < to->n_lists; i++) {
		/* lists have the numbers of rows as they were added, of which the first were dropped */
		uint32_t row = to->lists[i].row - (uint32_t)p->dropped;

		if (row >= p->samples.n) {
			gone++;
			continue;
		}
		to->lists[i - gone] = (struct block_list){ row, to->lists[i].first };
	}
	to->n_lists -= gone;
	return 0;
}

int builder_add_blocks(struct builder *b, const struct data_event *e, const struct data_sample *s,
		       uint64_t when)
{
	/* with other filters there are branches in between that were not recorded */
	bool whole = e && e->branch_sample_type & PERF_SAMPLE_BRANCH_ANY;
	uint64_t before = 0; /* target of the branch before */

	if (!e || e->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK || !has_cycles(b, s))
		return 0;
	if (b->max_runs && b->blocks.n_runs > b->max_runs && builder_halve_blocks(b))
		return -ENOMEM;
	if (blocks_begin(&b->blocks, (uint32_t)b->n_rows - 1))
		return -ENOMEM;
	for (uint64_t i = s->n_branches; i-- > 0;) {
		const struct branch at = branch_at(b, s, i);
		uint32_t start = PTUI_NONE, end;

		if (!at.from && !at.to) /* the CPU has more room than branches */
			continue;
		if (whole && before)
			start = frame_at(b, s, when, before);
		end = frame_at(b, s, when, at.from);
		if ((whole && before && start == PTUI_NONE) || end == PTUI_NONE ||
		    blocks_add(&b->blocks, start, end, at.cycles))
			return -ENOMEM;
		before = at.to;
	}
	return 0;
}
