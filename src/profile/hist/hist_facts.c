/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about a view besides its cells. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/text.h"
#include "base/vec.h"
#include "profile/debug.h"
#include "profile/hist/hist.h"

#define AHEAD 16 /* classes whose frames and stacks are loaded before they are looked at */

void ptui_hist_row_origin(const struct ptui_hist *h, size_t row, struct ptui_row_origin *ret)
{
	const struct hist_item *item = &h->rows[row].item;
	const struct profile_frame *f = &h->profile->frames[item->frame];
	const struct strpool *names = &h->profile->names;

	memset(ret, 0, sizeof(*ret));
	if (hist_plan_has(&h->plan, hist_key_comm))
		ret->comm = strpool_get(names, item->comm);
	if (hist_plan_has(&h->plan, hist_key_thread)) {
		ret->has_thread = true;
		ret->tid = thread_tid(&h->profile->samples.threads[item->thread]);
		ret->thread = strpool_get(names, h->last_comm[item->thread]);
	}
	/* a function's row is of one module, too; in rows of branches, that of the target */
	if (!hist_plan_has(&h->plan, hist_key_dso) && !hist_plan_has(&h->plan, hist_key_symbol) &&
	    !hist_plan_has(&h->plan, hist_key_find("dso_to", strlen("dso_to"))) &&
	    !hist_plan_has(&h->plan, hist_key_find("symbol_to", strlen("symbol_to"))))
		return;
	ret->dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						strpool_get(names, f->short_name);
	ret->dso_path = f->path == PTUI_NONE ? NULL : strpool_get(names, f->path);
	ret->kernel = f->level == 'k' || f->level == 'g';
}

void ptui_hist_unknown(const struct ptui_hist *h, struct ptui_unknown *ret)
{
	if (h->has_unknown)
		*ret = h->unknown;
	else
		hist_find_unknown(h, ret);
}

/* The module of a class as an index, of which names.n is none, if its function is unknown. */
static bool unknown_module(const struct ptui_hist *h, const struct hist_class *c, uint32_t *ret)
{
	const struct profile_frame *f = &h->profile->frames[c->item.frame];

	*ret = f->short_name == PTUI_NONE ? h->profile->names.n : f->short_name;
	return !frame_is_named(f) && hist_filter_shows(&h->filter, c->item.frame);
}

static void find_unknown_module(const struct ptui_hist *h, const uint64_t *periods,
				struct ptui_unknown *ret)
{
	const struct strpool *names = &h->profile->names;
	uint32_t max = 0, module;

	for (uint32_t i = 1; i <= names->n; i++)
		if (periods[i] > periods[max])
			max = i;
	ret->module_period = periods[max];
	if (!ret->module_period)
		return;
	ret->module = max < names->n ? strpool_get(names, max) : NULL;
	for (size_t i = h->n_classes; i-- > 0;) {
		const struct hist_class *c = &h->classes[i];
		const struct profile_frame *f = &h->profile->frames[c->item.frame];

		if (!c->period || !unknown_module(h, c, &module) || module != max)
			continue;
		ret->hidden = f->hidden;
		ret->kernel = f->level == 'k';
		ret->why = f->why == PTUI_NONE ? NULL : strpool_get(names, f->why);
		return;
	}
}

void hist_find_unknown(const struct ptui_hist *h, struct ptui_unknown *ret)
{
	uint64_t *periods = calloc((size_t)h->profile->names.n + 1, sizeof(*periods));
	uint32_t module;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < h->n_classes; i++) {
		if (i + AHEAD < h->n_classes)
			__builtin_prefetch(
				&h->profile->frames[h->classes[i + AHEAD].item.frame].sym_name);
		if (!unknown_module(h, &h->classes[i], &module))
			continue;
		ret->period += h->classes[i].period;
		if (periods)
			periods[module] += h->classes[i].period;
	}
	if (periods)
		find_unknown_module(h, periods, ret);
	free(periods);
}

/* ---- completeness of stacks ---- */

#define USUAL_MAX_STACK 127 /* default of kernel.perf_event_max_stack */

/* Incomplete stacks by module. */
struct early_ends {
	struct early_end {
		uint32_t name, no_cfi;
		uint64_t stacks;
	} * v;
	size_t n, cap, last; /* last: of the stack before */
	/* all stacks, by enum stack_how; STACK_HOWS: unread */
	uint64_t counts[STACK_HOW_MASK + 1];
};

static int early_ends_add(struct early_ends *t, const struct profile_frame *f, bool unwound,
			  uint64_t stacks)
{
	size_t i = t->last < t->n && t->v[t->last].name == f->short_name ? t->last : 0;

	while (i < t->n && t->v[i].name != f->short_name) /* few modules: linear search */
		i++;
	t->last = i;
	if (i < t->n) {
		t->v[i].stacks += stacks;
		return 0;
	}
	if (vec_grow(&t->v, &t->cap, t->n + 1))
		return -ENOMEM;
	t->v[t->n++] = (struct early_end){ f->short_name, unwound ? f->no_cfi : PTUI_NONE, stacks };
	return 0;
}

static int early_end_order(const void *va, const void *vb)
{
	const struct early_end *a = va, *b = vb;

	return a->stacks > b->stacks ? -1 : a->stacks < b->stacks;
}

static const struct stack_end *class_end(const struct ptui_hist *h, const struct hist_class *c)
{
	uint32_t stack = c->stack;

	if (!c->samples || stack == PTUI_NONE)
		return NULL;
	if (h->plan.needs & KEY_NEEDS_ADDRESS)
		stack = h->profile->folded_of[stack];
	return &h->profile->ends[stack];
}

/* A recorded callchain: by its outermost frame. */
static unsigned recorded_how(const struct stack_end *end, const struct profile_frame *f,
			     uint32_t max_stack)
{
	if (!f || f->level != '.') /* only a kernel stack */
		return STACK_RECORDED;
	if (f->start == FRAME_START_UNKNOWN)
		return STACK_HOWS;
	return f->start == FRAME_START ? STACK_REACHED :
	       end->depth >= max_stack ? STACK_CUT :
					 STACK_BROKEN;
}

static int count_stack(struct ptui_hist *h, const struct hist_class *c, const struct stack_end *end,
		       struct early_ends *early)
{
	struct ptui_hist_stacks *ret = &h->stacks;
	const struct profile_frame *f = end ? &h->profile->frames[end->frame] : NULL;
	unsigned how = c->how & STACK_HOW_MASK;
	bool unwound = how >= STACK_REACHED && how <= STACK_BROKEN;

	if (how == STACK_RECORDED)
		how = recorded_how(end, f, ret->max_stack);
	else if (unwound && f && f->start == FRAME_START)
		how = STACK_REACHED;
	early->counts[how] += c->samples;
	if (how < STACK_REACHED || how > STACK_BROKEN)
		return 0;
	ret->stacks += c->samples;
	ret->unwound += unwound ? c->samples : 0;
	ret->guessed += c->how & STACK_GUESSED ? c->samples : 0;
	ret->skipped += c->how & STACK_SKIPS ? c->samples : 0;
	return how == STACK_BROKEN && f ? early_ends_add(early, f, unwound, c->samples) : 0;
}

static const char *name_or(const struct ptui_hist *h, uint32_t name, const char *none)
{
	return name == PTUI_NONE ? none : strpool_get(&h->profile->names, name);
}

/* The ends of stacks as they were recorded, of which a class combines several. */
static int count_shaped(struct ptui_hist *h, struct early_ends *early, uint32_t *ret_deepest)
{
	const struct ptui_profile *p = h->profile;
	int err = 0;

	for (size_t i = 0; i < p->samples.n && !err; i++) {
		uint32_t cls = hist_class_of(h, i), stack = samples_stack(&p->samples, i);
		struct hist_class one;
		const struct stack_end *end;

		if (cls == PTUI_NONE)
			continue;
		end = stack == PTUI_NONE ? NULL : &p->ends[p->folded_of[stack]];
		if (end && end->depth > *ret_deepest)
			*ret_deepest = end->depth;
		/* not all of the class: another thread may be writing its item */
		one = (struct hist_class){ .samples = samples_count(&p->samples, i),
					   .how = h->classes[cls].how };
		if (h->classes[cls].shown)
			err = count_stack(h, &one, end, early);
	}
	return err;
}

/* What the classes after this one will look at. */
static void prefetch_end(const struct ptui_hist *h, const struct hist_class *c)
{
	const struct stack_end *ends = h->profile->ends;

	if (c[AHEAD].stack != PTUI_NONE)
		__builtin_prefetch(&ends[c[AHEAD].stack]);
	if (c[AHEAD / 2].stack != PTUI_NONE)
		__builtin_prefetch(&h->profile->frames[ends[c[AHEAD / 2].stack].frame].level);
}

/* Starts again with this limit. *ret_deepest: depth of the deepest stack, shown or not. */
static int count_stacks(struct ptui_hist *h, uint32_t max_stack, struct early_ends *early,
			uint32_t *ret_deepest)
{
	bool folded = !(h->plan.needs & KEY_NEEDS_ADDRESS);
	int err = 0;

	h->stacks = (struct ptui_hist_stacks){ .max_stack = max_stack };
	early->n = 0;
	memset(early->counts, 0, sizeof(early->counts));
	*ret_deepest = 0;
	if (h->shape.of)
		return count_shaped(h, early, ret_deepest);
	for (size_t i = 0; i < h->n_classes && !err; i++) {
		const struct hist_class *c = &h->classes[i];
		const struct stack_end *end = class_end(h, c);

		if (folded && i + AHEAD < h->n_classes)
			prefetch_end(h, c);
		if (end && end->depth > *ret_deepest)
			*ret_deepest = end->depth;
		/* unless rows are hidden, all are shown, or will be */
		if (c->samples && (!h->filter.rows || c->shown))
			err = count_stack(h, c, end, early);
	}
	return err;
}

static void set_counts(struct ptui_hist_stacks *ret, const uint64_t *counts)
{
	ret->reach = counts[STACK_REACHED];
	ret->cut = counts[STACK_CUT];
	ret->truncated = counts[STACK_TRUNCATED];
	ret->other_stack = counts[STACK_OTHER];
	ret->early = counts[STACK_BROKEN];
	ret->not_unwound = counts[STACK_NOT_UNWOUND];
	ret->lost = counts[STACK_LOST];
	ret->late = counts[STACK_LATE];
	ret->unread = counts[STACK_HOWS];
}

static int find_stacks(struct ptui_hist *h)
{
	struct ptui_hist_stacks *ret = &h->stacks;
	uint32_t max_stack = h->profile->events[h->event].max_stack, deepest;
	struct early_ends early = { .n = 0 };
	int err;

	if (!h->profile->events[h->event].has_callchains)
		return 0;
	err = count_stacks(h, max_stack ? max_stack : USUAL_MAX_STACK, &early, &deepest);
	/* the attr has no limit, and the setting was raised */
	if (!err && !max_stack && deepest > USUAL_MAX_STACK)
		err = count_stacks(h, deepest, &early, &deepest);
	set_counts(ret, early.counts);
	if (early.n)
		qsort(early.v, early.n, sizeof(*early.v), early_end_order);
	for (size_t i = 0; i < early.n && i < PTUI_STACK_ENDS; i++) {
		ret->ends[i].dso = name_or(h, early.v[i].name, HIST_UNKNOWN_DSO);
		ret->ends[i].why = name_or(h, early.v[i].no_cfi, NULL);
		ret->ends[i].stacks = early.v[i].stacks;
		ret->n_ends++;
	}
	free(early.v);
	return err;
}

int hist_find_facts(struct ptui_hist *h)
{
	if (h->has_unknown)
		hist_find_unknown(h, &h->unknown);
	return find_stacks(h);
}

void ptui_hist_stacks(const struct ptui_hist *h, struct ptui_hist_stacks *ret)
{
	*ret = h->stacks;
}

/* ---- blocks of code, summed up as in perf report --total-cycles ---- */

/* The runs of one block, and the first of them. */
struct block_sum {
	uint64_t n, cycles;
	uint16_t first[PTUI_BLOCK_RUNS];
};

/* Counts the runs of the samples that are kept. Returns their cycles. */
static uint64_t sum_runs(const struct ptui_hist *h, struct block_sum *sums)
{
	const struct blocks *b = &h->profile->blocks;
	uint64_t total = 0;

	for (size_t list = 0; list < b->n_lists; list++) {
		size_t end = list + 1 < b->n_lists ? b->lists[list + 1].first : b->n_runs;

		if (h->filter.drops &&
		    !hist_filter_keeps(&h->filter, h->profile, b->lists[list].row))
			continue;
		for (size_t i = b->lists[list].first; i < end; i++) {
			const struct block_run *run = &b->runs[i];

			struct block_sum *s = &sums[run->block];

			total += run->cycles;
			s->cycles += run->cycles;
			if (run->cycles && s->n < PTUI_BLOCK_RUNS)
				s->first[s->n] = run->cycles;
			s->n += run->cycles != 0;
		}
	}
	return total;
}

/* Whether it starts in the function in which it ends, before its end. */
static bool starts_inside(const struct ptui_profile *p, const struct block *b, uint32_t *ret_start)
{
	const struct profile_frame *start = b->start == PTUI_NONE ? NULL : &p->frames[b->start];
	const struct profile_frame *end = &p->frames[b->end];

	*ret_start = 0;
	if (!start || start->place != end->place || start->sym_offset >= end->sym_offset)
		return false;
	*ret_start = start->sym_offset;
	return true;
}

/* By function and the end in it. */
static int compare_ends(const void *a, const void *b, void *ctx)
{
	const struct ptui_profile *p = ctx;
	const struct profile_frame *fa = &p->frames[p->blocks.v[*(const uint32_t *)a].end];
	const struct profile_frame *fb = &p->frames[p->blocks.v[*(const uint32_t *)b].end];

	if (fa->place != fb->place)
		return fa->place < fb->place ? -1 : 1;
	return fa->sym_offset < fb->sym_offset ? -1 : fa->sym_offset > fb->sym_offset;
}

static void set_range(struct ptui_profile *p, const struct profile_frame *end,
		      struct ptui_code_block *block)
{
	struct profile_frame start = *end;
	char from[sizeof(block->range)], to[sizeof(block->range)];

	start.addr -= start.sym_offset - block->start;
	start.sym_offset = (uint32_t)block->start;
	profile_line_text(p, &start, true, from, sizeof(from));
	profile_line_text(p, end, true, to, sizeof(to));
	if (snprintf(block->range, sizeof(block->range), "[%s -> %s]", from, to) >=
	    (int)sizeof(block->range)) /* as in perf */
		block->range[text_utf8_floor(block->range, sizeof(block->range) - 1)] = '\0';
}

static void add_first_runs(struct ptui_code_block *block, const struct block_sum *s)
{
	for (size_t i = 0; i < s->n && i < PTUI_BLOCK_RUNS; i++)
		if (block->n_first_runs < PTUI_BLOCK_RUNS)
			block->first_runs[block->n_first_runs++] = s->first[i];
}

/* The blocks `at`, n of them, end at one branch. */
static void add_end(const struct ptui_hist *h, const struct block_sum *sums, const uint32_t *at,
		    size_t n, uint64_t n_rows, struct ptui_code_blocks *ret)
{
	struct ptui_profile *p = h->profile;
	const struct profile_frame *end = &p->frames[p->blocks.v[at[0]].end];
	struct ptui_code_block *block = &ret->v[ret->n];
	bool inside = false;

	*block = (struct ptui_code_block){
		.symbol = strpool_get(&p->names, end->sym_name),
		.dso = end->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						      strpool_get(&p->names, end->short_name),
		.end = end->sym_offset,
		.frame = p->blocks.v[at[0]].end,
	};
	for (size_t i = 0; i < n; i++) {
		const struct block_sum *s = &sums[at[i]];
		uint32_t start;
		bool is_inside = starts_inside(p, &p->blocks.v[at[i]], &start);

		block->all_cycles += s->cycles;
		block->runs += s->n;
		if (!s->n || (inside && (!is_inside || start > block->start)))
			continue;
		if (is_inside && (!inside || start < block->start))
			block->cycles = block->n_first_runs = 0;
		if (is_inside)
			block->start = start;
		inside |= is_inside;
		block->cycles += s->cycles;
		add_first_runs(block, s);
	}
	if (!block->runs)
		return;
	set_range(p, end, block);
	ret->mean_cycles += n_rows * (block->all_cycles / block->runs);
	ret->n++;
}

/* How many rows have the function, of branches as their target. */
static uint64_t *count_rows(const struct ptui_hist *h)
{
	const struct ptui_profile *p = h->profile;
	uint64_t *ret = calloc(p->n_frames + 1, sizeof(*ret));

	for (size_t i = 0; ret && i < h->n_rows; i++) {
		uint32_t frame = h->rows[i].item.frame;
		const struct profile_frame *f = frame < p->n_frames ? &p->frames[frame] : NULL;

		if (f && f->sym_name != PTUI_NONE && f->place < p->n_frames)
			ret[f->place]++;
	}
	return ret;
}

static uint64_t cycles_share(const struct ptui_code_blocks *b, const struct ptui_code_block *block)
{
	return b->total_cycles ?
		       (uint64_t)((double)block->cycles / (double)b->total_cycles * 100000.0) :
		       0;
}

/* By the share of the cycles; as in perf, equal ones by name, backwards. */
static int compare_shares(const void *a, const void *b, void *ctx)
{
	const struct ptui_code_block *ba = a, *bb = b;
	uint64_t sa = cycles_share(ctx, ba), sb = cycles_share(ctx, bb);
	int cmp;

	if (sa != sb)
		return sa < sb ? 1 : -1;
	cmp = strcmp(bb->symbol, ba->symbol);
	if (cmp)
		return cmp;
	if (ba->start != bb->start)
		return ba->start < bb->start ? -1 : 1;
	return ba->end < bb->end ? -1 : ba->end > bb->end;
}

int hist_set_ipc(struct ptui_hist *h, size_t row, double ipc, double coverage)
{
	if (!h->ipc)
		h->ipc = calloc(h->n_rows + 1, sizeof(*h->ipc));
	if (!h->ipc)
		return -ENOMEM;
	snprintf(h->ipc[row], sizeof(h->ipc[row]), "%-5.2f [%5.1f%%]", ipc, coverage);
	return 0;
}

bool ptui_profile_has_cycles(const struct ptui_profile *p)
{
	return p->blocks.n_lists;
}

int ptui_hist_code_blocks(const struct ptui_hist *h, struct ptui_code_blocks *ret,
			  struct ptui_error *err)
{
	const struct ptui_profile *p = h->profile;
	const struct blocks *b = &p->blocks;
	struct block_sum *sums = calloc(b->n + 1, sizeof(*sums));
	uint32_t *order = calloc(b->n + 1, sizeof(*order));
	uint64_t *n_rows = count_rows(h);
	size_t n = 0;

	*ret = (struct ptui_code_blocks){ .v = calloc(b->n + 1, sizeof(*ret->v)) };
	if (sums && order && n_rows && ret->v) {
		ret->total_cycles = sum_runs(h, sums);
		for (size_t i = 0; i < b->n; i++) {
			const struct profile_frame *end = &p->frames[b->v[i].end];

			if (end->sym_name != PTUI_NONE && end->place < p->n_frames &&
			    n_rows[end->place])
				order[n++] = (uint32_t)i;
		}
		qsort_r(order, n, sizeof(*order), compare_ends, (void *)p);
		for (size_t i = 0, next; i < n; i = next) {
			for (next = i + 1;
			     next < n && !compare_ends(&order[i], &order[next], (void *)p);)
				next++;
			add_end(h, sums, &order[i], next - i,
				n_rows[p->frames[b->v[order[i]].end].place], ret);
		}
		qsort_r(ret->v, ret->n, sizeof(*ret->v), compare_shares, ret);
	} else {
		free(ret->v);
		ret->v = NULL;
	}
	free(sums);
	free(order);
	free(n_rows);
	return ret->v ? 0 : ptui_error_nomem(err);
}
