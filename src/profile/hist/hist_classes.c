/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First pass of a view: samples to classes. If the recording grows, a view takes over the classes
 * of the previous one, subtracts the samples that were dropped since and adds the new ones:
 *
 *	before:  [ dropped |===== both have =====]
 *	now:               [===== both have =====| new ]
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/vec.h"
#include "profile/hist/hist.h"

#define BATCH  64 /* HIST_ROUND is a multiple of it */

#define LISTED 8 /* classes of a stack */

struct class_key {
	struct hist_item item;
	uint32_t stack;
	uint8_t how;
};

static bool class_same(const void *owner, uint32_t index, const void *key)
{
	const struct hist_class *c = &((const struct ptui_hist *)owner)->classes[index];
	const struct class_key *k = key;

	return c->item.comm == k->item.comm && c->item.frame == k->item.frame &&
	       c->stack == k->stack && c->how == k->how && c->item.thread == k->item.thread &&
	       c->item.facet == k->item.facet;
}

static uint64_t class_hash(const struct class_key *key)
{
	return hash_pair(hash_pair(key->item.comm, key->item.frame),
			 hash_pair(key->stack | (uint64_t)key->how << 32,
				   ((uint64_t)key->item.thread << 32) | key->item.facet));
}

/* ---- finding classes ---- */

void hist_class_index_release(struct class_index *t)
{
	free(t->stacks.first);
	free(t->frames.first);
	free(t->next);
	index_table_release(&t->others);
	memset(t, 0, sizeof(*t));
}

/* 0 or -ENOMEM. */
static int lists_grow(struct class_lists *l, size_t n)
{
	uint32_t *first;

	if (n <= l->n)
		return 0;
	/* memory that stays unused costs nothing */
	first = l->n ? realloc(l->first, n * sizeof(*first)) : calloc(n, sizeof(*first));
	if (!first)
		return -ENOMEM;
	memset(first + l->n, 0, l->n ? (n - l->n) * sizeof(*first) : 0);
	*l = (struct class_lists){ first, n };
	return 0;
}

/* Room for the stacks and frames that there are now. 0 or -ENOMEM. */
static int class_index_grow(struct ptui_hist *h)
{
	struct class_index *t = &h->class_index;

	t->has_lists = !(h->plan.needs & (KEY_NEEDS_THREAD | KEY_NEEDS_FACET));
	return t->has_lists && (lists_grow(&t->stacks, hist_stacks_of(h)->n) ||
				lists_grow(&t->frames, h->profile->n_frames)) ?
		       -ENOMEM :
		       0;
}

/* Where the list begins that may have the class. NULL: there are no lists. */
static inline uint32_t *list_of(const struct ptui_hist *h, const struct class_key *key)
{
	const struct class_index *t = &h->class_index;

	if (!t->has_lists)
		return NULL;
	return key->stack == PTUI_NONE ? &t->frames.first[key->item.frame] :
					 &t->stacks.first[key->stack];
}

/* What class_find() looks at first. */
static void class_prefetch(const struct ptui_hist *h, const struct class_key *key,
			   uint64_t *ret_hash)
{
	const uint32_t *list = list_of(h, key);

	if (list) {
		__builtin_prefetch(list);
		return;
	}
	*ret_hash = class_hash(key);
	index_table_prefetch(&h->class_index.others, *ret_hash);
}

static void class_prefetch_item(const struct ptui_hist *h, const struct class_key *key,
				uint64_t hash)
{
	const uint32_t *list = list_of(h, key);
	uint32_t cls = list ? *list - 1 : index_table_first(&h->class_index.others, hash);

	if (cls != PTUI_NONE)
		__builtin_prefetch(&h->classes[cls]);
}

/* Of one list, and no key needs more of a sample: as class_same(). */
static inline bool class_listed_same(const struct hist_class *c, const struct class_key *k)
{
	return c->item.frame == k->item.frame && c->item.comm == k->item.comm && c->how == k->how;
}

/* PTUI_NONE: there is none; *ret_end is the end of the list, where it is to be added, NULL if it is not. */
static inline uint32_t class_find(const struct ptui_hist *h, const struct class_key *key,
				  uint64_t hash, uint32_t **ret_end)
{
	const struct class_index *t = &h->class_index;
	uint32_t *at = list_of(h, key);
	size_t n = 0;

	for (; at && *at && n < LISTED; n++, at = &t->next[*at - 1])
		if (class_listed_same(&h->classes[*at - 1], key))
			return *at - 1;
	*ret_end = n < LISTED ? at : NULL;
	if (*ret_end)
		return PTUI_NONE;
	return index_table_find(&t->others, at ? class_hash(key) : hash, class_same, h, key);
}

/* `end`: of the list, as above. NULL: out of memory. */
static struct hist_class *class_create(struct ptui_hist *h, const struct class_key *key,
				       uint64_t hash, uint32_t *end)
{
	struct class_index *t = &h->class_index;
	uint32_t i = (uint32_t)h->n_classes;

	if (vec_grow(&h->classes, &h->cap_classes, h->n_classes + 1))
		return NULL;
	if (end)
		*end = i + 1; /* moves with the others, so before them */
	else if (index_table_add(&t->others, t->has_lists ? class_hash(key) : hash, i))
		return NULL;
	if (t->has_lists) {
		if (vec_grow(&t->next, &t->cap_next, h->n_classes + 1))
			return NULL;
		t->next[i] = 0;
	}
	h->classes[i] = (struct hist_class){
		.item = key->item, .stack = key->stack, .how = key->how, .first_ns = UINT64_MAX
	};
	h->n_empty++;
	return &h->classes[h->n_classes++];
}

/* NULL: out of memory. */
static inline struct hist_class *class_get(struct ptui_hist *h, const struct class_key *key,
					   uint64_t hash)
{
	uint32_t *end, i = class_find(h, key, hash, &end);

	return i == PTUI_NONE ? class_create(h, key, hash, end) : &h->classes[i];
}

/* Counts every sample, whether the filter accepts it or not. Merged ones: see ptui_load_opts. */
static void count_sample(struct ptui_hist *h, uint64_t time_ns, uint64_t period)
{
	struct ptui_hist_all *all = &h->all;

	if (!all->samples || time_ns < all->first_ns)
		all->first_ns = time_ns;
	if (time_ns > all->last_ns)
		all->last_ns = time_ns;
	all->samples++;
	all->period += period;
	all->equal_samples += (double)period * (double)period;
}

static void uncount_sample(struct ptui_hist *h, uint64_t period)
{
	struct ptui_hist_all *all = &h->all;

	all->samples--;
	all->period -= period;
	all->equal_samples -= (double)period * (double)period;
}

/* The node of hist_stacks_of() that is a sample's stack; PTUI_NONE: it has none. */
static uint32_t whole_stack_of(const struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	uint32_t stack = samples_stack(&p->samples, i);

	if (!(h->plan.needs & KEY_NEEDS_ADDRESS) && stack != PTUI_NONE)
		stack = p->folded_of[stack];
	return h->shape.of && stack != PTUI_NONE ? h->shape.of[stack] : stack;
}

/* The frame of a sample. If it is hidden, or part of a recursion: that of the end of its stack. */
static uint32_t frame_of(const struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	uint32_t frame = p->samples.frame[i], stack = samples_stack(&p->samples, i);

	if (!h->shape.of || stack == PTUI_NONE)
		return frame;
	if ((h->shape.hidden && h->shape.hidden[frame]) ||
	    p->frames[p->stacks.nodes[stack].frame].face == p->frames[frame].face)
		return h->shape.stacks.nodes[whole_stack_of(h, p, i)].frame;
	return frame;
}

/* The same without the callees that are ignored. */
static uint32_t stack_of(const struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	uint32_t stack = whole_stack_of(h, p, i);

	if (h->ignoring && stack != PTUI_NONE && h->ignoring[stack] != PTUI_NONE)
		return h->ignoring[stack];
	return stack;
}

static uint32_t parent_of(const struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	uint32_t stack = whole_stack_of(h, p, i);

	return stack == PTUI_NONE ? PTUI_NONE : h->parents[stack];
}

static uint32_t facet_of(struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;
	struct facet f = { .time_ns = 0 };

	if (h->plan.needs & KEY_NEEDS_TIME)
		f.time_ns = s->time_ns[i] / h->quantum_ns * h->quantum_ns;
	if (h->plan.needs & KEY_NEEDS_CPU)
		f.cpu = s->cpu[i];
	if (h->plan.needs & KEY_NEEDS_PARENT)
		f.parent = parent_of(h, p, i);
	if (h->extra_of)
		f.extra = h->extra_of[p->extra_of[i]];
	return facets_add(&h->facets, &f);
}

/* What makes the class of a row of a profile. */
static struct class_key class_key_of(struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;
	bool exact = h->plan.needs & KEY_NEEDS_ADDRESS;
	uint32_t stack = stack_of(h, p, i), frame = frame_of(h, p, i);

	if (h->ignoring && stack != whole_stack_of(h, p, i))
		frame = hist_stacks_of(h)->nodes[stack].frame;
	return (struct class_key){
		.item = { s->comm[i], exact ? frame : p->frames[frame].face,
			  h->plan.needs & KEY_NEEDS_THREAD ? s->thread[i] : 0,
			  h->plan.needs & KEY_NEEDS_FACET ? facet_of(h, p, i) : 0 },
		.stack = stack,
		.how = s->how ? s->how[i] : STACK_RECORDED,
	};
}

/* Whether classes are sets of comm, function and recorded stack, if there are any, as in the default report. */
static bool has_plain_keys(const struct ptui_hist *h)
{
	return !h->shape.of && !h->ignoring &&
	       !h->profile->samples.stack == !h->profile->samples.how &&
	       !(h->plan.needs & (KEY_NEEDS_ADDRESS | KEY_NEEDS_THREAD | KEY_NEEDS_FACET));
}

/* The same as class_key_of(), of these. */
static inline struct class_key plain_key_of(const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;
	uint32_t stack = samples_stack(s, i);

	return (struct class_key){
		.item = { .comm = s->comm[i], .frame = p->frames[s->frame[i]].face },
		.stack = stack == PTUI_NONE ? stack : p->folded_of[stack],
		.how = s->how ? s->how[i] : STACK_RECORDED,
	};
}

static bool is_counted(const struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;

	return s->event[i] == h->event && hist_window_contains(&h->window, s->time_ns[i]) &&
	       (!h->filter.drops || hist_filter_keeps(&h->filter, p, i));
}

static uint32_t running_at(const struct ptui_profile *p, size_t i)
{
	return p->extra_of ? p->extras[p->extra_of[i]].running : 0;
}

/* The share that the sample has of the elapsed time. */
static double time_of(const struct ptui_profile *p, size_t i, uint64_t period)
{
	uint32_t running = running_at(p, i);

	return (double)period / (double)(running ? running : 1);
}

static bool is_accepted(const struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	return hist_filter_accepts(&h->filter, &p->samples, i) &&
	       (!h->filter.by_socket || profile_socket(p, p->samples.cpu[i]) == h->filter.socket) &&
	       (!h->filter.running.n || ranges_have(&h->filter.running, running_at(p, i))) &&
	       (!h->filter.by_parent || parent_of(h, p, i) != PTUI_NONE);
}

static bool accepts_all(const struct hist_filter *f)
{
	return !f->by_lists && !f->by_comm && !f->by_thread && !f->by_cpu && !f->by_socket &&
	       !f->by_parent;
}

/*
 * Samples on their way into classes. What one needs is spread over memory, so the steps are taken for
 * all of a batch before the next step, and each loads what the next one will look at.
 */
struct batch {
	struct one_sample {
		size_t i;
		uint64_t period, hash;
		struct class_key key;
	} v[BATCH];
	size_t n;
	bool plain;	  /* has_plain_keys() */
	bool accepts_all; /* as is_accepted() would say */
};

/* Collects the samples from `first` to before `end` that the filter accepts; counts them all. */
static void batch_fill(struct batch *b, struct ptui_hist *h, size_t first, size_t end)
{
	const struct ptui_profile *p = h->profile;
	const struct samples *s = &p->samples;

	b->n = 0;
	for (size_t i = first; i < end; i++) {
		uint64_t period;

		if (!is_counted(h, p, i))
			continue;
		period = hist_window_weigh(&h->window, s->time_ns[i], s->period[i]);
		count_sample(h, s->time_ns[i], period);
		h->all.samples += samples_count(s, i) - 1;
		if (!b->accepts_all && !is_accepted(h, p, i)) {
			h->hidden_time += time_of(p, i, period);
			continue;
		}
		b->v[b->n].i = i;
		b->v[b->n++].period = period;
		__builtin_prefetch(&p->frames[s->frame[i]].face);
		if (samples_stack(s, i) != PTUI_NONE)
			__builtin_prefetch(&p->folded_of[s->stack[i]]);
	}
}

static int batch_add(struct batch *b, struct ptui_hist *h)
{
	const struct samples *s = &h->profile->samples;

	for (struct one_sample *o = b->v; o < b->v + b->n; o++) {
		o->key = b->plain ? plain_key_of(h->profile, o->i) :
				    class_key_of(h, h->profile, o->i);
		class_prefetch(h, &o->key, &o->hash);
	}
	for (struct one_sample *o = b->v; o < b->v + b->n; o++)
		class_prefetch_item(h, &o->key, o->hash);
	for (struct one_sample *o = b->v; o < b->v + b->n; o++) {
		struct hist_class *c = class_get(h, &o->key, o->hash);

		if (!c || h->facets.failed)
			return -ENOMEM;
		h->n_empty -= !c->samples;
		if (!c->samples || s->time_ns[o->i] < c->first_ns) {
			c->first_ns = s->time_ns[o->i];
			c->first_thread = s->thread ? s->thread[o->i] : 0;
		}
		c->period += o->period;
		c->samples += samples_count(s, o->i);
	}
	return 0;
}

/* first_ns and first_thread stay as they are, unless the class becomes empty. */
static int remove_from_class(struct ptui_hist *h, const struct ptui_profile *p, size_t i)
{
	const struct samples *s = &p->samples;
	struct class_key key;
	struct hist_class *c;

	uncount_sample(h, s->period[i]);
	if (!is_accepted(h, p, i))
		return 0;
	key = class_key_of(h, p, i);
	c = class_get(h, &key, class_hash(&key));
	if (!c || h->facets.failed)
		return -ENOMEM;
	c->period -= s->period[i];
	c->samples--;
	h->n_empty += !c->samples;
	return 0;
}

static bool is_same_filter(const struct hist_filter *a, const struct hist_filter *b)
{
	return !a->by_comm && !b->by_comm && !a->by_lists && !b->by_lists && !a->drops &&
	       !b->drops && !a->by_parent && !b->by_parent && !a->by_socket && !b->by_socket &&
	       a->by_thread == b->by_thread && a->tid == b->tid && a->by_cpu == b->by_cpu &&
	       a->cpu == b->cpu;
}

/* Whether `before` has the same keys, filter and event, and ids mean the same in both. */
static bool can_reuse_classes(const struct ptui_hist *h, const struct ptui_hist *before)
{
	const struct ptui_profile *p = h->profile, *was = before->profile;

	return p->lineage && p->lineage == was->lineage && before->n_classes &&
	       h->event == before->event && h->plan.needs == before->plan.needs &&
	       is_same_filter(&h->filter, &before->filter) &&
	       h->window.since_ns == before->window.since_ns && !h->window.half_life_ns &&
	       !before->window.half_life_ns && p->dropped >= was->dropped &&
	       p->dropped <= was->dropped + was->samples.n &&
	       p->dropped + p->samples.n >= was->dropped + was->samples.n && !h->shape.of &&
	       !before->shape.of && before->n_empty <= before->n_classes / 2;
}

static int reuse_classes(struct ptui_hist *h, struct ptui_hist *before, size_t *ret_first)
{
	const struct ptui_profile *p = h->profile, *was = before->profile;
	int err = 0;

	h->classes = before->classes;
	h->n_classes = before->n_classes;
	h->cap_classes = before->cap_classes;
	h->n_empty = before->n_empty;
	h->class_index = before->class_index;
	h->facets = before->facets;
	before->facets = (struct facets){ .n = 0 };
	h->all = before->all;
	before->classes = NULL;
	before->n_classes = before->cap_classes = 0;
	before->class_index = (struct class_index){ .has_lists = false };
	for (size_t i = 0; i < p->dropped - was->dropped && !err; i++)
		if (is_counted(h, was, i))
			err = remove_from_class(h, was, i);
	if (p->dropped > was->dropped && p->samples.n && h->all.first_ns < p->samples.time_ns[0])
		h->all.first_ns = p->samples.time_ns[0];
	*ret_first = was->dropped + was->samples.n - p->dropped;
	return err;
}

int hist_build_classes(struct ptui_hist *h, struct ptui_hist *before)
{
	const struct samples *s = &h->profile->samples;
	const char *what = _("adding up the samples");
	size_t first = 0, end;
	struct batch b = { .plain = has_plain_keys(h), .accepts_all = accepts_all(&h->filter) };
	int err = 0;

	if (before && can_reuse_classes(h, before))
		err = reuse_classes(h, before, &first);
	else if (!vec_grow(&h->classes, &h->cap_classes, s->n)) /* as many at most */
		memory_at_random(h->classes, h->cap_classes * sizeof(*h->classes));
	if (!err)
		err = class_index_grow(h);
	if (h->class_index.has_lists)
		(void)vec_grow(&h->class_index.next, &h->class_index.cap_next, h->cap_classes);
	for (size_t i = first; i < s->n && !err; i = end) {
		end = s->n - i > BATCH - i % BATCH ? i + BATCH - i % BATCH : s->n;
		err = hist_report_progress(h, what, i, s->n);
		if (!err) {
			batch_fill(&b, h, i, end);
			err = batch_add(&b, h);
		}
	}
	h->n_counted = s->n - first;
	return err;
}

uint32_t hist_class_of(struct ptui_hist *h, size_t sample)
{
	struct class_key key;
	uint32_t *end;

	if (!is_counted(h, h->profile, sample) || !is_accepted(h, h->profile, sample))
		return PTUI_NONE;
	key = class_key_of(h, h->profile, sample);
	return class_find(h, &key, class_hash(&key), &end);
}
