/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Second pass of a view: classes to rows.
 *
 * A row is a pair (who, group), see row_builder.h. Classes are visited by `who`, so that tables by group and by
 * stack node are valid for one `who` at a time:
 *
 *	row_of[group]		1 + row;  valid if greater than the first row of this `who`
 *	node_of[stack node]	1 + node; valid if greater than the first node of this `who`
 *
 * A row is created by the first class that adds to it, and in the order of that class's chain. The
 * order of creation decides between rows that are equal under all keys.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/i18n.h"
#include "base/thread.h"
#include "base/vec.h"
#include "profile/hist/hist.h"
#include "profile/hist/row_builder.h"

#define FILLED_ROWS  1024 /* rows, */
#define FILLED_NODES 2048 /* and nodes, that get memory at once: 64 KB */
#define AHEAD	     16	  /* classes or nodes whose memory is loaded before they are looked at */

void hist_tree_release(struct hist_tree *t)
{
	free(t->own);
	free(t->row);
	free(t->next_same);
	free(t->times);
	*t = (struct hist_tree){ 0 };
}

/* ---- rows ---- */

/* Makes room for another row. */
static int grow_rows(struct row_builder *b)
{
	struct ptui_hist *h = b->h;
	size_t n = h->n_rows;

	if (n >= NODE_REPEATS - 1 || vec_grow(&h->rows, &h->cap_rows, n + 1) ||
	    vec_grow(&b->seen, &b->cap_seen, n + 1))
		return -ENOMEM;
	b->room = h->cap_rows < b->cap_seen ? h->cap_rows : b->cap_seen;
	if (b->room > NODE_REPEATS - 1)
		b->room = NODE_REPEATS - 1;
	return 0;
}

static int row_create(struct row_builder *b, uint32_t cls, uint32_t frame)
{
	struct ptui_hist *h = b->h;
	size_t n = h->n_rows;

	if (n == b->room && grow_rows(b))
		return -ENOMEM;
	if (!(n % FILLED_ROWS) && b->room - n >= FILLED_ROWS)
		memory_next(&h->rows[n], FILLED_ROWS * sizeof(*h->rows));
	b->seen[n] = 0;
	h->rows[n] = (struct hist_row){ .item = h->classes[cls].item,
					.age = class_age(b, cls),
					.first_self = PTUI_NONE,
					.first_node = PTUI_NONE };
	h->rows[n].item.frame = frame;
	h->n_rows++;
	return 0;
}

/* The row of a frame for the class, created if new. PTUI_NONE: hidden by the filter. */
static inline int row_get(struct row_builder *b, uint32_t cls, uint32_t frame, uint32_t *ret_row)
{
	uint32_t *slot = &b->row_of[b->group[frame]];

	*ret_row = PTUI_NONE;
	if (!hist_filter_shows(&b->h->filter, frame))
		return 0;
	if (*slot <= b->first_row) {
		if (row_create(b, cls, frame))
			return -ENOMEM;
		*slot = (uint32_t)b->h->n_rows;
	}
	*ret_row = *slot - 1;
	return 0;
}

static void row_saw(struct hist_row *r, uint64_t age, uint32_t depth)
{
	if (age < r->age)
		r->age = age;
	if (depth > r->max_depth)
		r->max_depth = depth;
}

/* ---- nodes ---- */

/* Marks the rows of a node and its callers as seen by the class. */
static void see_rows(struct row_builder *b, uint32_t cls, uint32_t node)
{
	const struct hist_tree *t = &b->h->tree;

	for (; node != PTUI_NONE; node = t->own[node].parent)
		if (t->row[node] != PTUI_NONE)
			b->seen[t->row[node] & ~NODE_REPEATS] = cls + 1;
}

/* Usually there is a node for almost every stack. Memory that stays unused costs nothing. */
static size_t first_cap(const struct ptui_hist *h, size_t n)
{
	size_t likely = hist_stacks_of(h)->n;

	return likely > n && likely < h->n_classes * 256 ? likely + likely / 16 : 2 * n;
}

/* More than there are. */
static int reserve_nodes(struct row_builder *b, size_t n)
{
	struct hist_tree *t = &b->h->tree;
	size_t cap = b->cap_nodes ? b->cap_nodes + b->cap_nodes / 2 + n : first_cap(b->h, n);
	void *own, *row, *depth;

	if (n >= NODES_MAX)
		return -ENOMEM;
	if ((own = realloc(t->own, cap * sizeof(*t->own))))
		t->own = own;
	if ((row = realloc(t->row, cap * sizeof(*t->row))))
		t->row = row;
	if ((depth = realloc(b->depth, cap * sizeof(*b->depth))))
		b->depth = depth;
	if (!own || !row || !depth)
		return -ENOMEM;
	b->cap_nodes = cap;
	return 0;
}

/*
 * Finds the rows of the nodes from `first` on, in the order of the chain. Rows from `new_rows` on are of
 * no other class.
 */
static int find_node_rows(struct row_builder *b, uint32_t cls, size_t first, size_t new_rows)
{
	struct hist_tree *t = &b->h->tree;
	bool down = b->h->order == PTUI_CALLER, known = false;

	for (size_t i = 0; i < t->n - first; i++) {
		size_t node = down ? first + i : t->n - 1 - i;

		if (row_get(b, cls, t->own[node].frame, &t->row[node]))
			return -ENOMEM;
		known |= t->row[node] < new_rows;
	}
	if (known) /* else the callers that are there already have none of them */
		see_rows(b, cls, t->own[first].parent);
	for (size_t node = first; node < t->n; node++) {
		uint32_t row = t->row[node];

		if (row == PTUI_NONE)
			continue;
		if (b->seen[row] == cls + 1)
			t->row[node] |= NODE_REPEATS;
		b->seen[row] = cls + 1;
	}
	return 0;
}

/* Adds the class's stack to the tree. Its callers are there if another stack has them. */
static int add_stack(struct row_builder *b, uint32_t cls, size_t new_rows)
{
	struct hist_tree *t = &b->h->tree;
	const struct stack_node *from = b->stacks;
	struct hist_class *c = &b->h->classes[cls];
	uint32_t stack = c->stack, up;
	size_t first = t->n, n = 0;

	c->leaf = from[stack].frame == c->item.frame && cls < NODES_MAX;
	if (c->leaf)
		stack = from[stack].parent;
	for (; stack != PTUI_NONE && b->node_of[stack] <= b->first_node;
	     stack = from[stack].parent) {
		if (n == b->cap_path && vec_grow(&b->path, &b->cap_path, n + 1))
			return -ENOMEM;
		__builtin_prefetch(&b->group[from[stack].frame]);
		b->path[n++] = stack;
	}
	if (first + n > b->cap_nodes && reserve_nodes(b, first + n))
		return -ENOMEM;
	up = stack == PTUI_NONE ? PTUI_NONE : b->node_of[stack] - 1;
	while (n) {
		uint32_t node = (uint32_t)t->n++;

		if (!(node % FILLED_NODES) && b->cap_nodes - node >= FILLED_NODES)
			memory_next(&t->own[node], FILLED_NODES * sizeof(*t->own));
		stack = b->path[--n];
		t->own[node] = (struct hist_node){ .parent = up,
						   .frame = from[stack].frame,
						   .child = PTUI_NONE,
						   .next = PTUI_NONE,
						   .first_cls = cls };
		b->depth[node] = up == PTUI_NONE ? 1 : b->depth[up] + 1;
		b->node_of[stack] = node + 1;
		__builtin_prefetch(&b->row_of[b->group[from[stack].frame]]);
		up = node;
	}
	c->node = up;
	return find_node_rows(b, cls, first, new_rows);
}

/* ---- classes ---- */

/* Rows from `new_rows` on are of no other class. */
static void add_self(struct row_builder *b, uint32_t cls, uint32_t row, uint32_t depth,
		     size_t new_rows)
{
	struct ptui_hist *h = b->h;
	struct hist_class *c = &h->classes[cls];
	struct hist_row *r = &h->rows[row];

	r->period += c->period;
	r->samples += c->samples;
	row_saw(r, class_age(b, cls), depth);
	c->next_self = row; /* until link_classes() */
	/* a node of this row counts the class with all others below it */
	if (h->children && depth &&
	    (row < new_rows ? hist_tree_has_row(&h->tree, c->node, row) : b->seen[row] == cls + 1))
		return;
	r->period_children += c->period;
	r->n_chains += depth > 0;
}

static int add_class(struct row_builder *b, uint32_t cls)
{
	struct ptui_hist *h = b->h;
	struct hist_class *c = &h->classes[cls];
	uint32_t row = PTUI_NONE, depth = 0;
	size_t n_rows = h->n_rows;

	c->node = c->next_self = PTUI_NONE;
	c->shown = c->leaf = false;
	if (!c->samples) /* all of its samples were dropped */
		return 0;
	if (row_get(b, cls, c->item.frame, &row))
		return -ENOMEM;
	c->shown = row != PTUI_NONE;
	if (c->stack != PTUI_NONE && h->children) {
		if (add_stack(b, cls, n_rows))
			return -ENOMEM;
		depth = (c->node == PTUI_NONE ? 0 : b->depth[c->node]) + c->leaf;
		c->shown = c->shown || hist_tree_has_row(&h->tree, c->node, PTUI_NONE);
	} else if (c->stack != PTUI_NONE && h->chains) {
		c->node = c->stack;
		depth = b->depth[c->node];
	}
	if (row != PTUI_NONE)
		add_self(b, cls, row, depth, n_rows);
	if (c->shown) {
		h->shown.period += c->period;
		h->shown.samples += c->samples;
	}
	return 0;
}

/* It may be in two cache lines. */
static void prefetch_row(const struct hist_row *r)
{
	__builtin_prefetch(r, 1);
	__builtin_prefetch((const char *)(r + 1) - 1, 1);
}

static const struct hist_class *class_at(const struct row_builder *b, size_t i)
{
	return &b->h->classes[b->order ? b->order[i] : i];
}

/* The caller of the end of its stack; PTUI_NONE: none is looked for. */
static uint32_t class_caller(const struct row_builder *b, const struct hist_class *c)
{
	return c->stack == PTUI_NONE || !b->node_of ? PTUI_NONE : b->stacks[c->stack].parent;
}

/* What its row and its caller's node are found by. */
static void prefetch_places(const struct row_builder *b, const struct hist_class *c)
{
	uint32_t up = class_caller(b, c);

	__builtin_prefetch(&b->row_of[b->group[c->item.frame]]);
	if (up != PTUI_NONE) {
		__builtin_prefetch(&b->node_of[up]);
		__builtin_prefetch(&b->stacks[up]);
	}
}

/* The row, if it is there, and the frame of a caller that is not. */
static void prefetch_known(const struct row_builder *b, const struct hist_class *c)
{
	uint32_t row = b->row_of[b->group[c->item.frame]], up = class_caller(b, c);

	if (row > b->first_row)
		prefetch_row(&b->h->rows[row - 1]);
	if (up != PTUI_NONE && b->node_of[up] <= b->first_node)
		__builtin_prefetch(&b->group[b->stacks[up].frame]);
}

/* What the classes that follow number i will look at, in steps that each look at what the one before has loaded. */
static void prefetch_class(const struct row_builder *b, size_t i)
{
	const struct ptui_hist *h = b->h;
	const struct hist_class *c;

	if (i + 2 * AHEAD >= h->n_classes)
		return;
	__builtin_prefetch(class_at(b, i + 2 * AHEAD));
	c = class_at(b, i + AHEAD);
	__builtin_prefetch(&b->group[c->item.frame]);
	if (c->stack != PTUI_NONE && b->node_of)
		__builtin_prefetch(&b->stacks[c->stack]);
	prefetch_places(b, class_at(b, i + AHEAD / 2));
	prefetch_known(b, class_at(b, i + AHEAD / 4));
}

static int add_classes(struct row_builder *b)
{
	struct ptui_hist *h = b->h;
	const char *what = _("adding up the rows");
	int err = 0;

	for (size_t i = 0; i < h->n_classes && !err; i++) {
		uint32_t cls = b->order ? b->order[i] : (uint32_t)i;

		prefetch_class(b, i);
		if (b->order && i && b->who[cls] != b->who[b->order[i - 1]]) {
			b->first_row = (uint32_t)h->n_rows;
			b->first_node = (uint32_t)h->tree.n;
		}
		err = hist_report_progress(h, what, i, h->n_classes);
		if (b->made)
			b->made[cls] = (uint64_t)h->n_rows << 32;
		if (!err)
			err = add_class(b, cls);
		if (b->made)
			b->made[cls] |= h->n_rows - (b->made[cls] >> 32);
	}
	return err;
}

/* ---- from the leaves up ---- */

static void count_node(struct row_builder *b, uint32_t node)
{
	struct ptui_hist *h = b->h;
	struct hist_tree *t = &h->tree;
	bool repeats = t->row[node] & NODE_REPEATS, down = h->order == PTUI_CALLER;
	struct hist_row *r;

	if (t->row[node] == PTUI_NONE)
		return;
	r = &h->rows[t->row[node] & ~NODE_REPEATS];
	if (!repeats) {
		r->period_children += t->own[node].period;
		r->n_chains += t->own[node].n_classes;
		row_saw(r, b->oldest ? b->oldest[node] : t->own[node].first_cls, b->depth[node]);
	} else if (!down && b->depth[node] > r->max_depth) {
		r->max_depth = b->depth[node];
	}
	if (repeats && down)
		return;
	if (t->next_same)
		t->next_same[node] = r->first_node;
	r->first_node = node;
}

static void add_to_parent(struct row_builder *b, uint32_t node)
{
	struct ptui_hist *h = b->h;
	struct hist_node *n = &h->tree.own[node], *parent;
	uint32_t up = n->parent;

	if (up == PTUI_NONE)
		return;
	parent = &h->tree.own[up];
	parent->period += n->period;
	parent->n_classes += n->n_classes;
	n->next = parent->child;
	parent->child = node;
	if (h->order == PTUI_CALLER && b->depth[up] <= b->depth[node])
		b->depth[up] = b->depth[node] + 1;
	if (b->oldest && b->oldest[node] < b->oldest[up])
		b->oldest[up] = b->oldest[node];
}

static void *nones(size_t n, size_t bytes)
{
	void *p = malloc(n * bytes);

	if (p)
		memset(p, 0xff, n * bytes);
	return p;
}

static bool wants_times(const struct ptui_hist *h)
{
	return hist_plan_has(&h->plan, hist_key_latency_children);
}

/* What is needed only from here on. */
static int alloc_sums(struct row_builder *b)
{
	const struct ptui_hist *h = b->h;
	struct hist_tree *t = &b->h->tree;
	size_t n = t->n + 1;
	bool ok = true;

	for (size_t i = 0; i < t->n && h->order == PTUI_CALLER; i++)
		b->depth[i] = 1;
	if (!b->by_time) {
		b->oldest = nones(n, sizeof(*b->oldest));
		ok &= b->oldest != NULL;
	}
	if (h->chains || wants_times(h)) {
		t->next_same = nones(n, sizeof(*t->next_same));
		ok &= t->next_same != NULL;
	}
	return ok ? 0 : -ENOMEM;
}

/* Makes the end of a class's stack a callee of the node that calls it. */
static void add_leaf(struct row_builder *b, uint32_t cls)
{
	struct hist_class *c = &b->h->classes[cls];
	struct hist_node *up = &b->h->tree.own[c->node];

	c->next_leaf = up->child;
	up->child = NODE_LEAF | cls;
	if (b->h->order == PTUI_CALLER && b->depth[c->node] < 2)
		b->depth[c->node] = 2;
}

/* By node, as its period. */
static int add_up_times(struct ptui_hist *h)
{
	struct hist_tree *t = &h->tree;

	t->times = calloc(t->n + 1, sizeof(*t->times));
	if (!t->times)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_classes; i++)
		if (h->classes[i].node != PTUI_NONE)
			t->times[h->classes[i].node] += hist_class_time(h, &h->classes[i]);
	for (size_t node = t->n; node-- > 0;)
		if (t->own[node].parent != PTUI_NONE)
			t->times[t->own[node].parent] += t->times[node];
	return 0;
}

static int add_up_nodes(struct row_builder *b)
{
	struct ptui_hist *h = b->h;
	struct hist_tree *t = &h->tree;
	const char *what = _("collecting the callchains");
	int err = 0;

	if (alloc_sums(b))
		return -ENOMEM;
	for (size_t i = 0; i < h->n_classes; i++) {
		const struct hist_class *c = &h->classes[i];

		if (c->node == PTUI_NONE)
			continue;
		t->own[c->node].period += c->period;
		t->own[c->node].n_classes++;
		if (c->leaf)
			add_leaf(b, (uint32_t)i);
		if (b->oldest && class_age(b, (uint32_t)i) < b->oldest[c->node])
			b->oldest[c->node] = class_age(b, (uint32_t)i);
	}
	for (size_t node = t->n; node-- > 0 && !err;) {
		err = hist_report_progress(h, what, node, t->n);
		if (node >= AHEAD && t->row[node - AHEAD] != PTUI_NONE)
			prefetch_row(&h->rows[t->row[node - AHEAD] & ~NODE_REPEATS]);
		add_to_parent(b, (uint32_t)node);
		count_node(b, (uint32_t)node);
	}
	return err;
}

/* Lists the classes of each row's own samples, in order. */
static void link_classes(struct ptui_hist *h)
{
	for (size_t i = h->n_classes; i-- > 0;) {
		struct hist_class *c = &h->classes[i];
		uint32_t row = c->next_self;

		if (i >= AHEAD && c[-AHEAD].next_self != PTUI_NONE)
			__builtin_prefetch(&h->rows[c[-AHEAD].next_self].first_self, 1);
		if (row == PTUI_NONE)
			continue;
		c->next_self = h->rows[row].first_self;
		h->rows[row].first_self = (uint32_t)i;
	}
}

static int find_depths(struct row_builder *b)
{
	const struct stacks *s = hist_stacks_of(b->h);

	b->depth = malloc((s->n + 1) * sizeof(*b->depth));
	if (!b->depth)
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t up = s->nodes[i].parent;

		b->depth[i] = up == PTUI_NONE ? 1 : b->depth[up] + 1;
	}
	b->h->tree.stacks = s->nodes;
	b->h->tree.n = s->n;
	return 0;
}

/* *ret_created: see hist_creation. */
static int find_creation(const struct row_builder *b, uint32_t **ret_created)
{
	uint32_t *created;
	size_t n = 0;

	if (!b->made)
		return 0;
	created = malloc((b->h->n_rows + 1) * sizeof(*created));
	if (!created)
		return -ENOMEM;
	for (size_t c = 0; c < b->h->n_classes; c++)
		for (uint32_t i = 0; i < (uint32_t)b->made[c]; i++)
			created[n++] = (uint32_t)(b->made[c] >> 32) + i;
	*ret_created = created;
	return 0;
}

/* Instead of ages, rows get their first classes, and the threads of these. */
static void set_first_classes(const struct row_builder *b)
{
	struct ptui_hist *h = b->h;
	uint64_t mask = b->by_time ? UINT32_MAX : (1ull << b->class_bits) - 1;

	for (size_t i = 0; i < h->n_rows; i++) {
		struct hist_row *r = &h->rows[i];

		if (i + AHEAD < h->n_rows)
			__builtin_prefetch(&h->classes[r[AHEAD].age & mask].first_thread);
		r->first_cls = (uint32_t)(r->age & mask);
		r->pair = 0;
		r->item.thread = h->classes[r->first_cls].first_thread;
	}
}

/*
 * The classes and names of the rows are known before all callers are counted, and take as long to list and to sort: a
 * thread does that while they are counted.
 */
static void *find_rest(void *ctx)
{
	struct hist_creation *made = ctx;

	link_classes(made->h);
	made->rest = hist_find_rest(made->h, made);
	return NULL;
}

/* Whether the keys look at nothing that changes once callers are counted, but for the weight of rows with callers. */
static bool rest_can_wait(const struct ptui_hist *h)
{
	for (size_t i = 0; i < h->plan.n_sort; i++) {
		const struct hist_key *key = h->plan.sort[i];

		if (key != hist_key_children && key != hist_key_overhead && key != hist_key_comm &&
		    key != hist_key_dso && key != hist_key_symbol)
			return false;
	}
	return !h->show_addresses;
}

void hist_creation_finish(struct hist_creation *made)
{
	if (made->started)
		pthread_join(made->thread, NULL);
	made->started = false;
}

void hist_creation_release(struct hist_creation *made)
{
	hist_creation_finish(made);
	hist_frames_release(&made->frames);
	free(made->rows);
	free(made->rest);
	*made = (struct hist_creation){ .rows = NULL };
}

static int count_callers(struct row_builder *b, struct hist_creation *made)
{
	int ret;

	made->h = b->h;
	made->started = b->h->n_rows >= MANY_ROWS && !b->h->group.n && hist_needs_rest(b->h) &&
			!wants_times(b->h) && !thread_start(&made->thread, find_rest, made);
	if (!made->started)
		link_classes(b->h);
	ret = add_up_nodes(b);
	if (!ret && wants_times(b->h))
		ret = add_up_times(b->h);
	if (!rest_can_wait(b->h))
		hist_creation_finish(made);
	return ret;
}

/* What is needed until the classes are there; the counts of callers need as much again. */
static void release_numbers(struct row_builder *b, struct hist_frames *f)
{
	free(f->group);
	free(f->row_of);
	free(f->node_of);
	free(b->who);
	free(b->order);
	free(b->seen);
	free(b->path);
	free(b->made);
	f->group = f->row_of = f->node_of = b->who = b->order = b->seen = b->path = NULL;
	b->made = NULL;
}

static int build_rows(struct row_builder *b, struct hist_creation *ret)
{
	struct ptui_hist *h = b->h;
	bool stacks = h->children || h->chains;
	struct hist_frames *f = &ret->frames;
	int err = row_builder_find_who(b);

	if (!err)
		err = hist_frames_finish(f);
	b->stacks = hist_stacks_of(h)->nodes;
	b->group = f->group;
	b->row_of = f->row_of;
	b->node_of = f->node_of;
	/* about as many, or fewer: memory that stays unused costs nothing, and rows need not move */
	if (!err)
		(void)vec_grow(&h->rows, &h->cap_rows, b->order ? 2 * f->n_groups : f->n_groups);
	if (b->order)
		b->made = calloc(h->n_classes + 1, sizeof(*b->made));
	if (b->order && !b->made)
		err = -ENOMEM;
	if (!err)
		err = row_builder_find_ages(b);
	if (!err && stacks && !h->children)
		err = find_depths(b);
	if (!err)
		err = add_classes(b);
	if (!err)
		err = find_creation(b, &ret->rows);
	release_numbers(b, f);
	if (err)
		return err;
	if (h->children)
		err = count_callers(b, ret);
	else
		link_classes(h);
	if (!err)
		set_first_classes(b);
	return err;
}

/* What is known of the classes needs no rows, unless some are hidden: another thread. */
struct facts_finder {
	struct ptui_hist *h;
	pthread_t thread;
	int err;
};

static void *find_facts(void *ctx)
{
	struct facts_finder *f = ctx;

	f->err = hist_find_facts(f->h);
	return NULL;
}

int hist_build_rows(struct ptui_hist *h, struct hist_creation *ret)
{
	struct facts_finder facts = { .h = h };
	bool beside = h->n_classes >= MANY_ROWS && !h->filter.rows && !h->shape.of &&
		      !thread_start(&facts.thread, find_facts, &facts);
	struct row_builder b = { .h = h };
	int err = build_rows(&b, ret);

	if (beside)
		pthread_join(facts.thread, NULL);
	else if (!err)
		find_facts(&facts);
	if (!err)
		err = facts.err;
	release_numbers(&b, &ret->frames);
	free(b.depth);
	free(b.ages);
	free(b.oldest);
	return err;
}
