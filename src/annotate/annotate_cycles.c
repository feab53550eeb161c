/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cycles and instructions per cycle of basic blocks, from branch stacks, as in perf
 * (tools/perf/util/annotate.c: symbol__account_cycles, annotation__compute_ipc):
 *
 *	s: mov		IPC of s..f: its instructions divided by the mean of its cycles
 *	   add
 *	f: jne		cycles of all branches here, wherever their blocks begin
 *
 * Of the blocks that end at a branch, the longest has the IPC. An instruction that is in several blocks
 * has that of the last one. Blocks that begin in another function, or may contain branches that were not
 * recorded, have none.
 */
#include <errno.h>
#include <stdlib.h>
#include "annotate/annotate_private.h"

/* By block of the profile. */
struct block_sum {
	uint64_t n, cycles;
	uint16_t min, max;
};

/* The longest block that ends at a line. */
struct block_end {
	uint32_t start; /* line; PTUI_NONE: all begin elsewhere */
	uint64_t n, cycles;
};

static void sum_runs(struct block_sum *sums, const struct blocks *b, size_t list)
{
	size_t end = list + 1 < b->n_lists ? b->lists[list + 1].first : b->n_runs;

	for (size_t i = b->lists[list].first; i < end; i++) {
		uint16_t cycles = b->runs[i].cycles;
		struct block_sum *s = &sums[b->runs[i].block];

		if (cycles && (!s->min || cycles < s->min))
			s->min = cycles;
		if (cycles > s->max)
			s->max = cycles;
		s->n++;
		s->cycles += cycles;
	}
}

static void add_block(struct annotate_cycles *c, struct block_end *e, const struct block_sum *s,
		      uint32_t start, uint32_t end)
{
	struct ptui_line_cycles *line = &c->lines[end];

	if (s->min && (!line->min || s->min < line->min))
		line->min = s->min;
	if (s->max > line->max)
		line->max = s->max;
	line->branches += s->n;
	line->sum += s->cycles;
	c->branches += s->n;
	if (start == PTUI_NONE || start >= end || start > e->start)
		return;
	if (start < e->start)
		*e = (struct block_end){ .start = start };
	e->n += s->n;
	e->cycles += s->cycles;
}

static void set_ipc(struct annotate_cycles *c, const struct ptui_annotation *a,
		    const struct block_end *e, uint32_t end)
{
	size_t from = bisect(i, a->info.n_code, a->code_lines[i] < e->start);
	size_t to = bisect(i, a->info.n_code, a->code_lines[i] < end);
	uint64_t insns = (to - from + 1) * e->n;

	if (!e->cycles)
		return;
	for (size_t i = from; i <= to; i++) {
		struct ptui_line_cycles *line = &c->lines[a->code_lines[i]];

		if (line->ipc > 0)
			continue;
		line->ipc = (double)insns / (double)e->cycles;
		c->covered++;
	}
	c->insns += insns;
	c->cycles += e->cycles;
}

static void count(struct annotate_cycles *c, const struct ptui_annotation *a,
		  const struct blocks *b, const struct block_sum *sums, const uint32_t *lines,
		  struct block_end *ends)
{
	for (size_t i = 0; i < a->n_lines; i++)
		ends[i] = (struct block_end){ .start = PTUI_NONE };
	for (size_t i = 0; i < b->n; i++) {
		uint32_t start = b->v[i].start, end = lines[b->v[i].end];

		if (end != PTUI_NONE)
			add_block(c, &ends[end], &sums[i],
				  start == PTUI_NONE ? PTUI_NONE : lines[start], end);
	}
	for (size_t i = a->n_lines; i-- > 0;)
		if (ends[i].start != PTUI_NONE)
			set_ipc(c, a, &ends[i], (uint32_t)i);
}

int annotate_cycles_count(struct annotate_cycles *c, const struct ptui_annotation *a,
			  const struct ptui_profile *p, const uint32_t *lines,
			  const struct sample_filter *shows)
{
	const struct blocks *b = &p->blocks;
	struct block_sum *sums;
	struct block_end *ends;

	if (!b->n)
		return 0;
	sums = calloc(b->n, sizeof(*sums));
	ends = calloc(a->n_lines + 1, sizeof(*ends));
	c->lines = calloc(a->n_lines + 1, sizeof(*c->lines));
	if (sums && ends && c->lines) {
		for (size_t i = 0; i < b->n_lists; i++)
			if (sample_filter_shows(shows, p, b->lists[i].row))
				sum_runs(sums, b, i);
		count(c, a, b, sums, lines, ends);
	}
	free(sums);
	free(ends);
	return sums && ends && c->lines ? 0 : -ENOMEM;
}
