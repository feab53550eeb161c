/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about a view besides its cells. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "profile/hist.h"

static bool is_sorted_by(const struct ptui_hist *h, const struct hist_key *key)
{
	for (size_t i = 0; i < h->plan.n_sort; i++) {
		if (h->plan.sort[i] == key)
			return true;
	}
	return false;
}

void ptui_hist_row_origin(const struct ptui_hist *h, size_t row, struct ptui_row_origin *ret)
{
	const struct hist_item *item = &h->rows[row].item;
	const struct profile_frame *f = &h->profile->frames[item->frame];
	const struct strpool *names = &h->profile->names;

	memset(ret, 0, sizeof(*ret));
	if (is_sorted_by(h, hist_key_comm))
		ret->comm = strpool_get(names, item->comm);
	if (is_sorted_by(h, hist_key_thread)) {
		ret->has_thread = true;
		ret->tid = h->profile->samples.threads[item->thread].tid;
		ret->thread = strpool_get(names, h->last_comm[item->thread]);
	}
	/* a function's row is of one module, too */
	if (!is_sorted_by(h, hist_key_dso) && !is_sorted_by(h, hist_key_symbol))
		return;
	ret->dso = f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						strpool_get(names, f->short_name);
	ret->dso_path = f->path == PTUI_NONE ? NULL : strpool_get(names, f->path);
	ret->kernel = f->level == 'k' || f->level == 'g';
}

/* Periods of unknown functions by module. */
struct unknown_module {
	uint32_t name, why;
	uint64_t period;
};

static int unknown_order(const void *va, const void *vb)
{
	const struct unknown_module *a = va, *b = vb;

	return a->name < b->name ? -1 : a->name > b->name;
}

void ptui_hist_unknown(const struct ptui_hist *h, struct ptui_unknown *ret)
{
	*ret = h->unknown;
}

void hist_find_unknown(struct ptui_hist *h)
{
	struct ptui_unknown *ret = &h->unknown;
	const struct profile_frame *frames = h->profile->frames;
	struct unknown_module *m = calloc(h->n_classes + 1, sizeof(*m));
	uint64_t sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < h->n_classes; i++) {
		const struct profile_frame *f = &frames[h->classes[i].item.frame];

		if (f->sym_name != PTUI_NONE ||
		    !hist_filter_shows(&h->filter, h->classes[i].item.frame))
			continue;
		ret->period += h->classes[i].period;
		if (m) /* without memory: the share without the module */
			m[n++] = (struct unknown_module){ f->short_name, f->why,
							  h->classes[i].period };
	}
	if (m)
		qsort(m, n, sizeof(*m), unknown_order);
	for (size_t i = 0; i < n; i++) {
		sum = i && m[i - 1].name == m[i].name ? sum + m[i].period : m[i].period;
		if (sum <= ret->module_period)
			continue;
		ret->module_period = sum;
		ret->module = m[i].name == PTUI_NONE ? NULL :
						       strpool_get(&h->profile->names, m[i].name);
		ret->why = m[i].why == PTUI_NONE ? NULL : strpool_get(&h->profile->names, m[i].why);
	}
	free(m);
}

/* ---- completeness of stacks ---- */

#define USUAL_MAX_STACK 127 /* default of kernel.perf_event_max_stack */

/* Incomplete stacks by module. */
struct early_ends {
	struct early_end {
		uint32_t name;
		uint64_t stacks;
	} * v;
	size_t n, cap;
};

static int early_ends_add(struct early_ends *t, uint32_t name, uint64_t stacks)
{
	for (size_t i = 0; i < t->n; i++) { /* few modules: linear search */
		if (t->v[i].name == name) {
			t->v[i].stacks += stacks;
			return 0;
		}
	}
	if (vec_grow(&t->v, &t->cap, t->n + 1))
		return -ENOMEM;
	t->v[t->n++] = (struct early_end){ name, stacks };
	return 0;
}

static int early_end_order(const void *va, const void *vb)
{
	const struct early_end *a = va, *b = vb;

	return a->stacks > b->stacks ? -1 : a->stacks < b->stacks;
}

static const struct stack_end *class_end(const struct ptui_hist *h, size_t i)
{
	const struct hist_class *c = &h->classes[i];

	return c->samples && c->stack != PTUI_NONE ? &h->profile->ends[c->stack] : NULL;
}

/* If the attr has no limit and the setting was raised, uses the depth of the deepest stack. */
static uint32_t find_max_stack(const struct ptui_hist *h)
{
	uint32_t max = h->profile->events[h->event].max_stack;

	if (max)
		return max;
	max = USUAL_MAX_STACK;
	for (size_t i = 0; i < h->n_classes; i++) {
		const struct stack_end *end = class_end(h, i);

		if (end && end->depth > max)
			max = end->depth;
	}
	return max;
}

static int count_stack(struct ptui_hist *h, const struct stack_end *end, uint64_t samples,
		       struct early_ends *early)
{
	const struct profile_frame *f = &h->profile->frames[end->frame];
	struct ptui_hist_stacks *ret = &h->stacks;

	if (f->level != '.') /* only a kernel stack */
		return 0;
	if (f->start == FRAME_START_UNKNOWN) {
		ret->unread += samples;
		return 0;
	}
	ret->stacks += samples;
	if (f->start == FRAME_START)
		ret->reach += samples;
	else if (end->depth >= ret->max_stack)
		ret->cut += samples;
	else
		return early_ends_add(early, f->short_name, samples);
	return 0;
}

int hist_find_stacks(struct ptui_hist *h)
{
	struct ptui_hist_stacks *ret = &h->stacks;
	struct early_ends early = { .n = 0 };
	int err = 0;

	if (!h->profile->events[h->event].has_callchains)
		return 0;
	ret->max_stack = find_max_stack(h);
	for (size_t i = 0; i < h->n_classes && !err; i++) {
		const struct stack_end *end = class_end(h, i);

		if (end)
			err = count_stack(h, end, h->classes[i].samples, &early);
	}
	if (early.n)
		qsort(early.v, early.n, sizeof(*early.v), early_end_order);
	for (size_t i = 0; i < early.n && i < PTUI_STACK_ENDS; i++) {
		uint32_t name = early.v[i].name;

		ret->ends[i].dso = name == PTUI_NONE ? HIST_UNKNOWN_DSO :
						       strpool_get(&h->profile->names, name);
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
