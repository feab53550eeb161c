/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about a view besides its cells. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "profile/hist.h"

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
		ret->tid = h->profile->samples.threads[item->thread].tid;
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
	return f->sym_name == PTUI_NONE && hist_filter_shows(&h->filter, c->item.frame);
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
#define AHEAD		16  /* classes whose stacks are loaded before they are looked at */

/* Incomplete stacks by module. */
struct early_ends {
	struct early_end {
		uint32_t name, no_cfi;
		uint64_t stacks;
	} * v;
	size_t n, cap, last; /* last: of the stack before */
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
	uint64_t *const counts[STACK_HOWS + 1] = {
		[STACK_REACHED] = &ret->reach,	     [STACK_CUT] = &ret->cut,
		[STACK_TRUNCATED] = &ret->truncated, [STACK_OTHER] = &ret->other_stack,
		[STACK_BROKEN] = &ret->early,	     [STACK_NOT_UNWOUND] = &ret->not_unwound,
		[STACK_LOST] = &ret->lost,	     [STACK_LATE] = &ret->late,
		[STACK_HOWS] = &ret->unread,
	};
	bool unwound = how >= STACK_REACHED && how <= STACK_BROKEN;

	if (how == STACK_RECORDED)
		how = recorded_how(end, f, ret->max_stack);
	else if (unwound && f && f->start == FRAME_START)
		how = STACK_REACHED;
	if (!counts[how])
		return 0;
	*counts[how] += c->samples;
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
		one = h->classes[cls];
		one.samples = 1;
		if (one.shown)
			err = count_stack(h, &one, end, early);
	}
	return err;
}

/* Starts again with this limit. *ret_deepest: depth of the deepest stack, shown or not. */
static int count_stacks(struct ptui_hist *h, uint32_t max_stack, struct early_ends *early,
			uint32_t *ret_deepest)
{
	bool folded = !(h->plan.needs & KEY_NEEDS_ADDRESS);
	int err = 0;

	h->stacks = (struct ptui_hist_stacks){ .max_stack = max_stack };
	early->n = 0;
	*ret_deepest = 0;
	if (h->shape.of)
		return count_shaped(h, early, ret_deepest);
	for (size_t i = 0; i < h->n_classes && !err; i++) {
		const struct hist_class *c = &h->classes[i];
		const struct stack_end *end = class_end(h, c);

		if (folded && i + AHEAD < h->n_classes && c[AHEAD].stack != PTUI_NONE)
			__builtin_prefetch(&h->profile->ends[c[AHEAD].stack]);
		if (end && end->depth > *ret_deepest)
			*ret_deepest = end->depth;
		if (c->samples && c->shown)
			err = count_stack(h, c, end, early);
	}
	return err;
}

int hist_find_stacks(struct ptui_hist *h)
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

void ptui_hist_stacks(const struct ptui_hist *h, struct ptui_hist_stacks *ret)
{
	*ret = h->stacks;
}
