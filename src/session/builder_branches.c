/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is made of branch stacks besides rows: blocks of code and their cycles (profile/extras.h), and
 * branches as the innermost part of callchains (struct branch_history).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/perf_abi.h"
#include "base/vec.h"
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
	return resolver_frame(b->resolver, s->pid, data_sample_mode(s, addr), when, addr);
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

/* ---- branches as part of callchains ---- */

#define HISTORY_MAX 127 /* more is damage, for perf as well */
#define LOOP_SLOTS  127

/* An entry of the branch stack; `runs` and `run_cycles` are of the iterations that were cut after it. */
struct step {
	uint64_t from, to, flags;
	uint32_t runs, run_cycles;
};

void branch_history_release(struct branch_history *h)
{
	free(h->frames);
	free(h->words);
	memset(h, 0, sizeof(*h));
}

bool builder_has_history(const struct builder *b, const struct data_event *e,
			 const struct data_sample *s)
{
	return b->with_history && e && s->n_branches && s->n_branches <= HISTORY_MAX &&
	       !(e->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK);
}

/* Bits of the flags. On a big-endian machine bit-fields begin at the top. */
static uint32_t flag_bits(const struct builder *b, uint64_t flags, unsigned at, unsigned n)
{
	bool big = data_swapped(b->file) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	return (uint32_t)(flags >> (big ? 64 - at - n : at)) & ((1u << n) - 1);
}

/*
 * Loops: iterations that took the same branches are one. As in perf, the branches that were seen are in a
 * table by hash, in which the first one of a slot stays. Returns the number of steps that are left.
 */
static size_t cut_loops(const struct builder *b, struct step *steps, size_t n)
{
	uint8_t first[LOOP_SLOTS] = { 0 }; /* 1 + index; 0: free */

	for (size_t i = 0; i < n; i++) {
		uint8_t *slot = &first[(steps[i].from * 0x61C8864680B583EBull >> 57) % LOOP_SLOTS];
		size_t was = *slot ? *slot - 1u : i, length = i - was, same = 0;
		struct step *next = &steps[i + length];

		if (!*slot)
			*slot = (uint8_t)(i + 1);
		if (!length || steps[was].from != steps[i].from)
			continue;
		while (same < length && i + same < n &&
		       steps[was + same].from == steps[i + same].from)
			same++;
		if (i + same < n && same < length)
			continue;
		if (i + same < n) {
			next->runs++;
			next->run_cycles = 0;
			for (size_t k = i; k < i + same; k++)
				next->run_cycles += flag_bits(b, steps[k].flags, 4, 16);
			memmove(&steps[i], next, (n - i - same) * sizeof(*steps));
		}
		n -= same;
	}
	return n;
}

/* The words of the callchain that the branches have as well: a call is at most 8 bytes before its return. */
static size_t repeated_words(const struct step *steps, size_t n, const struct data_sample *s)
{
	size_t at = 0;

	for (size_t i = 0; i < n && at < s->n_chain; i++) {
		uint64_t word = s->chain[at];

		if (word >= (uint64_t)PERF_CONTEXT_MAX ||
		    (steps[i].from < word && steps[i].from >= word - 8))
			at++;
	}
	return at;
}

static uint32_t type_bits(const struct builder *b, const struct step *step)
{
	uint32_t type = flag_bits(b, step->flags, 20, 4), ret;

	if (!type || !step->from)
		return 0;
	ret = type == PERF_BR_COND ?
		      step->to > step->from ? BRANCH_COND_FORWARD : BRANCH_COND_BACK :
		      BRANCH_TYPE(type);
	if ((step->from ^ step->to) >> 21)
		ret |= BRANCH_CROSS_2M;
	else if ((step->from ^ step->to) >> 12)
		ret |= BRANCH_CROSS_4K;
	return ret;
}

/* Two positions of the callchain: the target, then the source. */
static int add_step(struct builder *b, const struct data_sample *s, uint64_t when,
		    const struct step *step)
{
	struct branch_history *h = &b->history;
	uint32_t to = builder_branch_frame(b, s, when, step->to);
	uint32_t from = builder_branch_frame(b, s, when, step->from);
	uint32_t *words;

	if (to == PTUI_NONE || from == PTUI_NONE || vec_grow(&h->frames, &h->cap, h->n + 2) ||
	    vec_grow(&h->words, &h->cap_words, BRANCH_POSITION_WORDS * (h->n + 2)))
		return -ENOMEM;
	words = &h->words[BRANCH_POSITION_WORDS * h->n];
	words[2] = flag_bits(b, step->flags, 4, 16) << BRANCH_CYCLES_SHIFT;
	words[3] = step->runs << BRANCH_RUN_CYCLES_BITS | step->run_cycles;
	words[0] = BRANCH_IS_TARGET | (flag_bits(b, step->flags, 1, 1) ? BRANCH_WAS_PREDICTED : 0) |
		   (flag_bits(b, step->flags, 3, 1) ? BRANCH_WAS_ABORTED : 0);
	words[1] = type_bits(b, step);
	if (!step->from) { /* as in perf, one that came from nowhere counts as a source */
		words[0] = words[2];
		words[1] = 0;
	}
	h->frames[h->n++] = to;
	h->frames[h->n++] = from;
	return 0;
}

uint32_t builder_read_history(struct builder *b, const struct data_event *e,
			      const struct data_sample *s, uint64_t when)
{
	struct branch_history *h = &b->history;
	struct step steps[HISTORY_MAX];
	size_t n = s->n_branches;
	bool swapped = data_swapped(b->file);

	h->n = h->skip = 0;
	if (!builder_has_history(b, e, s))
		return 0;
	if (b->max_stack && n > b->max_stack)
		n = b->max_stack;
	for (size_t i = 0; i < n; i++)
		steps[i] = (struct step){
			.from = data_word(s->branches, BRANCH_WORDS * i, swapped),
			.to = data_word(s->branches, BRANCH_WORDS * i + 1, swapped),
			.flags = data_word(s->branches, BRANCH_WORDS * i + 2, swapped),
		};
	if (s->present & PERF_SAMPLE_CALLCHAIN)
		h->skip = repeated_words(steps, n, s);
	n = cut_loops(b, steps, n);
	for (size_t i = 0; i < n && !b->extras.history.failed; i++)
		if (add_step(b, s, when, &steps[i]))
			b->extras.history.failed = true;
	return b->extras.history.failed ? 0 :
					  tuples_add(&b->extras.history, h->words,
						     (uint32_t)(BRANCH_POSITION_WORDS * h->n));
}

int builder_history_frames(struct builder *b)
{
	struct branch_history *h = &b->history;
	struct chain_builder *c = &b->chain;

	if (vec_grow(&c->frames, &c->cap_frames, c->n_frames + h->n))
		return -ENOMEM;
	for (size_t i = h->n; i-- > 0;)
		c->frames[c->n_frames++] = h->frames[i];
	return 0;
}
