/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of rows and frames, and their callers and callees. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "profile/debug.h"
#include "profile/hist/hist.h"

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

/* Of a branch, the target. */
static bool has_functions(const struct ptui_hist *h)
{
	return hist_plan_has(&h->plan, hist_key_symbol) ||
	       hist_plan_has(&h->plan, hist_key_find("symbol_to", strlen("symbol_to")));
}

bool ptui_hist_row_function(const struct ptui_hist *h, size_t row, struct ptui_function *ret)
{
	return has_functions(h) && profile_function(h->profile, h->rows[row].item.frame, ret);
}

bool ptui_hist_frame_function(const struct ptui_hist *h, uint32_t frame, struct ptui_function *ret)
{
	return profile_function(h->profile, frame, ret);
}

struct ptui_profile *ptui_hist_profile(const struct ptui_hist *h)
{
	return h->profile->owner ? h->profile->owner : h->profile;
}

uint32_t ptui_hist_row_frame(const struct ptui_hist *h, size_t row)
{
	return has_functions(h) ? h->rows[row].item.frame : PTUI_NONE;
}

void ptui_hist_row_build(const struct ptui_hist *h, size_t row, char ret[PTUI_BUILD_ID_HEX])
{
	uint32_t frame = ptui_hist_row_frame(h, row);
	const struct profile_frame *f = frame == PTUI_NONE ? NULL : &h->profile->frames[frame];
	struct profile_debug *d = profile_base(h->profile)->debug;
	const uint8_t *id = NULL;
	size_t n = 0;

	*ret = '\0';
	if (f && f->unnamed && f->dso != PTUI_NONE && d && d->build_id)
		id = d->build_id(d, f->dso, &n);
	for (size_t i = 0; id && i < n && 2 * i + 3 <= PTUI_BUILD_ID_HEX; i++)
		snprintf(ret + 2 * i, 3, "%02x", id[i]);
}

int profile_frame_name(const struct ptui_profile *p, uint32_t frame, char *buf, size_t size)
{
	const struct profile_frame *f = &p->frames[frame];

	if (f->sym_name == PTUI_NONE)
		return snprintf(buf, size, "%#" PRIx64, f->raw_addr);
	return snprintf(buf, size, "%s", strpool_get(&p->names, f->sym_name));
}

const char *profile_frame_dso(const struct ptui_profile *p, uint32_t frame)
{
	const struct profile_frame *f = &p->frames[frame];

	return f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
					    strpool_get(&p->names, f->short_name);
}

bool ptui_hist_is_function(const struct ptui_hist *h, uint32_t a, uint32_t b)
{
	const struct profile_frame *frames = h->profile->frames;

	return frames[a].func == frames[b].func || frames[a].place == frames[b].place;
}

int ptui_hist_frame_name(const struct ptui_hist *h, uint32_t frame, char *buf, size_t size)
{
	return profile_frame_name(h->profile, frame, buf, size);
}

const char *ptui_hist_frame_dso(const struct ptui_hist *h, uint32_t frame)
{
	return profile_frame_dso(h->profile, frame);
}

/* ---- callers and callees ---- */

/*
 * Butterfly: a function between its callers and callees.
 *
 * The stacks of the classes are a prefix tree (stacks.h), so a call on a stack is a node with its
 * parent, and the period of the samples with that call is the sum below the node:
 *
 *	main ── run ── eval ── run ── leaf	run is called by main and by eval
 *
 * A stack that has the same call twice is counted where it has it first, from the outermost
 * function on. A sample whose own function is not the innermost one of its callchain (user
 * callchains of samples in the kernel) is a call from that one.
 */
struct call_list {
	struct ptui_call *v;
	size_t n, cap;
	uint32_t *at; /* by function: 1 + its index in `v`; 0: none */
};

struct ptui_butterfly {
	struct ptui_butterfly_info info;
	struct call_list callers, callees;
};

struct butterfly_builder {
	const struct ptui_hist *h;
	const struct ptui_profile *profile;
	const struct stack_node *nodes;
	size_t n_nodes;
	uint64_t *period; /* by node: of all classes at or below it */
	uint32_t func;
	struct ptui_butterfly *ret;
};

static uint32_t func_of(const struct butterfly_builder *b, uint32_t frame)
{
	return b->profile->frames[frame].func;
}

static uint32_t node_func(const struct butterfly_builder *b, uint32_t node)
{
	return node == PTUI_NONE ? PTUI_NONE : func_of(b, b->nodes[node].frame);
}

/* Whether `caller` calls `callee` at the node or above it. */
static bool has_call(const struct butterfly_builder *b, uint32_t node, uint32_t caller,
		     uint32_t callee)
{
	for (; node != PTUI_NONE; node = b->nodes[node].parent)
		if (node_func(b, node) == callee && node_func(b, b->nodes[node].parent) == caller)
			return true;
	return false;
}

static bool has_func(const struct butterfly_builder *b, uint32_t node, uint32_t func)
{
	for (; node != PTUI_NONE; node = b->nodes[node].parent)
		if (node_func(b, node) == func)
			return true;
	return false;
}

static int call_add(const struct butterfly_builder *b, struct call_list *l, uint32_t frame,
		    uint64_t period)
{
	uint32_t *at = &l->at[func_of(b, frame)];

	if (!*at) {
		if (vec_grow(&l->v, &l->cap, l->n + 1))
			return -ENOMEM;
		l->v[l->n] = (struct ptui_call){ .frame = frame };
		*at = (uint32_t)++l->n;
	}
	l->v[*at - 1].period += period;
	return 0;
}

/* A call to `frame` from the function at `caller` (PTUI_NONE: it is outermost). */
static int add_step(struct butterfly_builder *b, uint32_t caller, uint32_t frame, uint64_t period)
{
	struct ptui_butterfly_info *info = &b->ret->info;
	uint32_t func = func_of(b, frame), from = node_func(b, caller);
	int err = 0;

	if (!period || (func != b->func && from != b->func))
		return 0;
	if (func == b->func && !has_func(b, caller, func))
		info->period += period;
	if (func == b->func && caller == PTUI_NONE)
		info->outermost += period;
	if (caller == PTUI_NONE || has_call(b, caller, from, func))
		return 0;
	if (func == b->func)
		err = call_add(b, &b->ret->callers, b->nodes[caller].frame, period);
	if (!err && from == b->func)
		err = call_add(b, &b->ret->callees, frame, period);
	return err;
}

static int add_nodes(struct butterfly_builder *b)
{
	int err = 0;

	for (size_t i = b->n_nodes; i-- > 0;)
		if (b->nodes[i].parent != PTUI_NONE)
			b->period[b->nodes[i].parent] += b->period[i];
	for (size_t i = 0; i < b->n_nodes && !err; i++)
		err = add_step(b, b->nodes[i].parent, b->nodes[i].frame, b->period[i]);
	return err;
}

/* What a sample itself is in, which its callchain may lack. */
static int add_own(struct butterfly_builder *b)
{
	int err = 0;

	for (size_t i = 0; i < b->h->n_classes && !err; i++) {
		const struct hist_class *c = &b->h->classes[i];
		uint32_t func = func_of(b, c->item.frame);

		if (func == b->func)
			b->ret->info.self += c->period;
		if (c->stack != PTUI_NONE)
			b->period[c->stack] += c->period;
		if (c->stack == PTUI_NONE || node_func(b, c->stack) != func)
			err = add_step(b, c->stack, c->item.frame, c->period);
	}
	return err;
}

/* ---- the order ---- */

static int call_order(const void *va, const void *vb, void *profile)
{
	const struct ptui_call *a = va, *b = vb;
	char names[2][256];
	int order;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	profile_frame_name(profile, a->frame, names[0], sizeof(names[0]));
	profile_frame_name(profile, b->frame, names[1], sizeof(names[1]));
	order = strcmp(names[0], names[1]);
	return order ? order : a->frame < b->frame ? -1 : a->frame > b->frame;
}

static size_t sort_calls(struct butterfly_builder *b, struct call_list *l)
{
	if (l->n)
		qsort_r(l->v, l->n, sizeof(*l->v), call_order, (void *)(uintptr_t)b->profile);
	free(l->at);
	l->at = NULL;
	return l->n;
}

struct ptui_butterfly *ptui_hist_butterfly(const struct ptui_hist *h, uint32_t frame,
					   struct ptui_error *err)
{
	const struct stacks *stacks = hist_stacks_of(h);
	struct ptui_butterfly *ret = calloc(1, sizeof(*ret));
	struct butterfly_builder b = { .h = h,
				       .profile = h->profile,
				       .nodes = stacks->nodes,
				       .n_nodes = stacks->n,
				       .ret = ret };
	bool failed = true;

	b.period = calloc(b.n_nodes + 1, sizeof(*b.period));
	if (ret && b.period && frame < h->profile->n_frames) {
		size_t n = h->profile->n_frames + 1; /* of functions, at most */

		b.func = func_of(&b, frame);
		ret->info.total = h->total_period;
		ret->callers.at = calloc(n, sizeof(*ret->callers.at));
		ret->callees.at = calloc(n, sizeof(*ret->callees.at));
		failed = !ret->callers.at || !ret->callees.at || add_own(&b) || add_nodes(&b);
	}
	free(b.period);
	if (failed) {
		ptui_butterfly_free(ret);
		ptui_error_nomem(err);
		return NULL;
	}
	ret->info.n_callers = sort_calls(&b, &ret->callers);
	ret->info.n_callees = sort_calls(&b, &ret->callees);
	return ret;
}

void ptui_butterfly_free(struct ptui_butterfly *b)
{
	if (!b)
		return;
	free(b->callers.v);
	free(b->callers.at);
	free(b->callees.v);
	free(b->callees.at);
	free(b);
}

const struct ptui_butterfly_info *ptui_butterfly_info(const struct ptui_butterfly *b)
{
	return &b->info;
}

const struct ptui_call *ptui_butterfly_caller(const struct ptui_butterfly *b, size_t i)
{
	return i < b->callers.n ? &b->callers.v[i] : NULL;
}

const struct ptui_call *ptui_butterfly_callee(const struct ptui_butterfly *b, size_t i)
{
	return i < b->callees.n ? &b->callees.v[i] : NULL;
}
