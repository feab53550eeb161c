/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callchains of one row as a compressed prefix tree.
 *
 * In it the nodes of the histogram's tree (hist_tree.h) that are at the same place of the row's
 * chains are one branch. The branches below a branch are found from its entries:
 *
 *	caller order	the callees of each entry, from the row's nodes down
 *	callee order	the caller of each entry, from the row's nodes up
 *
 * Branches below the minimum are dropped at once, so the cost is that of the visible tree.
 *
 * A row's own samples have their whole chain in its tree, whichever the order; so in caller order
 * the weights of their classes are taken out of the row's nodes, and their paths from the outermost
 * function are a second tree, of struct self_node, with entries of their own.
 *
 * A node of the result contains functions as long as there is one branch and no chain ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/prefetch.h"
#include "base/vec.h"
#include "profile/debug.h"
#include "profile/hist/calltree.h"
#include "profile/hist/hist.h"

/* A node, in the histogram's tree or of the row's own samples, and its weight for the row. */
struct entry {
	uint32_t node; /* with ENTRY_SELF: index in self_nodes */
	uint32_t n;    /* classes */
	uint32_t cls;  /* the first one */
	uint32_t frame;
	uint64_t period;
};

#define ENTRY_SELF (1U << 31)
#define AHEAD	   8 /* entries */

/* A node that is on the path of one of the row's own classes, in caller order. */
struct self_node {
	uint32_t node, up;    /* in the histogram's tree; in self_nodes */
	uint32_t child, next; /* in self_nodes */
	uint32_t n, cls;
	uint64_t period;
};

/* One of the functions at the same depth of a part. */
struct branch {
	uint32_t frame; /* first frame seen of the function */
	uint32_t cls;	/* the class with it */
	uint32_t n;	/* entries */
	uint64_t cumul;
	size_t to; /* index of its entries */
};

/* Entries that agree on their first functions, and the node of their branches. */
struct part {
	size_t first, n; /* in scratch.entries */
	uint32_t node;	 /* PTUI_NONE: the branches are roots */
	uint32_t frame;	 /* the first one of the node */
};

/* Kept by the view and reused for the next tree. */
struct calltree_scratch {
	uint32_t *branch_of; /* by calltree_key(): 1 + its branch in the current part; 0: none */
	uint32_t *at;	     /* by place(): 1 + its self_node, or its place in found; 0: neither */
	struct entry *entries;
	size_t n_entries, cap_entries;
	struct entry *found; /* one step on from the entries of a part */
	size_t n_found, cap_found;
	struct self_node *self_nodes;
	size_t n_self, cap_self;
	uint32_t first_self; /* root of self_nodes */
	struct branch *branches;
	size_t n_branches, cap_branches;
	struct part *parts;
	size_t n_parts, cap_parts;
	uint32_t *order, *path;
	size_t cap_order, cap_path;
};

struct builder {
	const struct ptui_hist *h;
	struct ptui_calltree *tree;
	struct calltree_scratch *s;
	uint64_t min_period;
};

void calltree_scratch_free(struct calltree_scratch *s)
{
	if (!s)
		return;
	free(s->branch_of);
	free(s->at);
	free(s->entries);
	free(s->found);
	free(s->self_nodes);
	free(s->branches);
	free(s->parts);
	free(s->order);
	free(s->path);
	free(s);
}

static struct calltree_scratch *scratch_new(const struct ptui_hist *h)
{
	struct calltree_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	/* keys start at 0; there are at most as many as frames */
	s->branch_of = calloc(h->profile->n_frames + 1, sizeof(*s->branch_of));
	s->at = calloc(h->tree.n + (h->children ? h->n_classes : 0) + 1, sizeof(*s->at));
	if (s->branch_of && s->at)
		return s;
	calltree_scratch_free(s);
	return NULL;
}

/* ---- entries ---- */

/* Of a node, in scratch.at: leaves come after the others. */
static uint32_t place(const struct ptui_hist *h, uint32_t node)
{
	return h->children && node_is_leaf(node) ? (uint32_t)h->tree.n + (node & ~NODE_LEAF) : node;
}

static int found_add(struct calltree_scratch *s, struct entry e)
{
	if (!e.n)
		return 0;
	if (s->n_found == s->cap_found && vec_grow(&s->found, &s->cap_found, s->n_found + 1))
		return -ENOMEM;
	s->found[s->n_found++] = e;
	return 0;
}

/* The same, once per node. at[] needs no clearing: what it has is checked. */
static int found_add_once(struct builder *b, struct entry e)
{
	struct calltree_scratch *s = b->s;
	uint32_t *at = &s->at[place(b->h, e.node)];
	struct entry *to;

	if (*at >= s->n_found || s->found[*at].node != e.node) {
		*at = (uint32_t)s->n_found;
		return found_add(s, e);
	}
	to = &s->found[*at];
	to->n += e.n;
	to->period += e.period;
	if (e.cls < to->cls)
		to->cls = e.cls;
	return 0;
}

static struct entry node_entry(const struct ptui_hist *h, uint32_t node)
{
	const struct hist_node *n;

	if (node_is_leaf(node)) {
		uint32_t cls = node & ~NODE_LEAF;

		return (struct entry){ node, 1, cls, h->classes[cls].item.frame,
				       h->classes[cls].period };
	}
	n = &h->tree.own[node];
	return (struct entry){ node, n->n_classes, n->first_cls, n->frame, n->period };
}

/* A node below one of the row's, without the classes of the row's own samples. */
static int found_add_node(struct builder *b, uint32_t node)
{
	struct entry e = node_entry(b->h, node);
	uint32_t self = b->s->n_self ? b->s->at[place(b->h, node)] : 0;

	if (self) {
		e.n -= b->s->self_nodes[self - 1].n;
		e.period -= b->s->self_nodes[self - 1].period;
	}
	return found_add(b->s, e);
}

static int found_add_self(struct builder *b, uint32_t self)
{
	const struct self_node *n = &b->s->self_nodes[self];

	return found_add(b->s, (struct entry){ self | ENTRY_SELF, n->n, n->cls,
					       hist_node_frame(b->h, n->node), n->period });
}

static uint32_t next_callee(const struct ptui_hist *h, uint32_t node)
{
	return node_is_leaf(node) ? h->classes[node & ~NODE_LEAF].next_leaf :
				    h->tree.own[node].next;
}

/* One step on from an entry. */
static int follow(struct builder *b, struct entry e)
{
	struct calltree_scratch *s = b->s;
	uint32_t at;
	int err = 0;

	if (b->h->order != PTUI_CALLER) {
		at = hist_node_parent(b->h, e.node);
		if (at == PTUI_NONE)
			return 0;
		e.node = at;
		e.frame = hist_node_frame(b->h, at);
		return found_add_once(b, e);
	}
	if (e.node & ENTRY_SELF) {
		at = s->self_nodes[e.node & ~ENTRY_SELF].child;
		for (; at != PTUI_NONE && !err; at = s->self_nodes[at].next)
			err = found_add_self(b, at);
		return err;
	}
	at = node_is_leaf(e.node) ? PTUI_NONE : b->h->tree.own[e.node].child;
	for (; at != PTUI_NONE && !err; at = next_callee(b->h, at))
		err = found_add_node(b, at);
	return err;
}

/* ---- where the chains of a row begin ---- */

/* Adds a class to self_nodes, which have parents first. */
static int add_self_path(struct builder *b, uint32_t cls)
{
	struct calltree_scratch *s = b->s;
	uint32_t node = hist_class_end(b->h, cls), up;
	size_t n = 0;

	for (; node != PTUI_NONE && !s->at[place(b->h, node)];
	     node = hist_node_parent(b->h, node)) {
		if (n == s->cap_path && vec_grow(&s->path, &s->cap_path, n + 1))
			return -ENOMEM;
		s->path[n++] = node;
	}
	up = node == PTUI_NONE ? PTUI_NONE : s->at[place(b->h, node)] - 1;
	if (vec_grow(&s->self_nodes, &s->cap_self, s->n_self + n))
		return -ENOMEM;
	while (n) {
		uint32_t *list = up == PTUI_NONE ? &s->first_self : &s->self_nodes[up].child;

		node = s->path[--n];
		s->self_nodes[s->n_self] = (struct self_node){
			.node = node, .up = up, .child = PTUI_NONE, .next = *list, .cls = cls
		};
		up = *list = (uint32_t)s->n_self++;
		s->at[place(b->h, node)] = up + 1;
	}
	s->self_nodes[up].n++;
	s->self_nodes[up].period += b->h->classes[cls].period;
	return 0;
}

static int start_down(struct builder *b, const struct hist_row *row)
{
	struct calltree_scratch *s = b->s;
	const struct hist_tree *t = &b->h->tree;
	int err = 0;

	s->n_self = 0;
	s->first_self = PTUI_NONE;
	for (uint32_t c = row->first_self; c != PTUI_NONE && !err; c = b->h->classes[c].next_self)
		if (hist_class_end(b->h, c) != PTUI_NONE)
			err = add_self_path(b, c);
	for (size_t i = s->n_self; i-- > 0;) {
		const struct self_node *n = &s->self_nodes[i];

		if (n->up == PTUI_NONE)
			continue;
		s->self_nodes[n->up].n += n->n;
		s->self_nodes[n->up].period += n->period;
	}
	for (uint32_t i = s->first_self; i != PTUI_NONE && !err; i = s->self_nodes[i].next)
		err = found_add_self(b, i);
	for (uint32_t i = row->first_node; i != PTUI_NONE && !err; i = t->next_same[i])
		err = found_add_node(b, i);
	return err;
}

/* The innermost node of the row at or above `node`; PTUI_NONE: none. */
static uint32_t innermost(const struct hist_tree *t, uint32_t node, uint32_t row)
{
	while (node != PTUI_NONE && (t->row[node] & ~NODE_REPEATS) != row)
		node = t->own[node].parent;
	return node;
}

static void entry_subtract(struct calltree_scratch *s, uint32_t node, uint32_t n, uint64_t period)
{
	struct entry *e;

	if (node == PTUI_NONE)
		return;
	e = &s->found[s->at[node]];
	e->n -= n;
	e->period -= period;
}

/* Each class begins at the innermost node of the row; the row's own at their own end. */
static int start_nodes_up(struct builder *b, const struct hist_row *row)
{
	struct calltree_scratch *s = b->s;
	const struct hist_tree *t = &b->h->tree;
	uint32_t number = t->row[row->first_node] & ~NODE_REPEATS;
	size_t kept = 0;

	for (uint32_t i = row->first_node; i != PTUI_NONE; i = t->next_same[i])
		if (found_add_once(b, node_entry(b->h, i)))
			return -ENOMEM;
	for (uint32_t i = row->first_node; i != PTUI_NONE; i = t->next_same[i])
		if (t->row[i] & NODE_REPEATS)
			entry_subtract(s, innermost(t, t->own[i].parent, number),
				       t->own[i].n_classes, t->own[i].period);
	for (uint32_t c = row->first_self; c != PTUI_NONE; c = b->h->classes[c].next_self)
		entry_subtract(s, innermost(t, b->h->classes[c].node, number), 1,
			       b->h->classes[c].period);
	for (size_t i = 0; i < s->n_found; i++) {
		if (!s->found[i].n)
			continue;
		s->at[s->found[i].node] = (uint32_t)kept;
		s->found[kept++] = s->found[i];
	}
	s->n_found = kept;
	return 0;
}

static int start_up(struct builder *b, const struct hist_row *row)
{
	int err = 0;

	if (row->first_node != PTUI_NONE)
		err = start_nodes_up(b, row);
	for (uint32_t i = row->first_self; i != PTUI_NONE && !err; i = b->h->classes[i].next_self) {
		uint32_t end = hist_class_end(b->h, i);

		if (end != PTUI_NONE)
			err = found_add_once(b,
					     (struct entry){ end, 1, i, hist_node_frame(b->h, end),
							     b->h->classes[i].period });
	}
	return err;
}

/* ---- branches ---- */

/* Divides what was found by function. */
static int find_branches(struct builder *b)
{
	struct calltree_scratch *s = b->s;

	s->n_branches = 0;
	for (size_t i = 0; i < s->n_found; i++) {
		const struct entry *e = &s->found[i];
		uint32_t frame = e->frame, *slot = &s->branch_of[calltree_key(b->h, frame)];
		struct branch *br;

		if (!*slot) {
			if (vec_grow(&s->branches, &s->cap_branches, s->n_branches + 1))
				return -ENOMEM;
			s->branches[s->n_branches] = (struct branch){ .frame = frame,
								      .cls = e->cls };
			*slot = (uint32_t)++s->n_branches;
		}
		br = &s->branches[*slot - 1];
		br->n++;
		br->cumul += e->period;
		if (e->cls < br->cls) {
			br->cls = e->cls;
			br->frame = frame;
		}
	}
	return 0;
}

static void reset_branches(struct builder *b)
{
	for (size_t i = 0; i < b->s->n_branches; i++)
		b->s->branch_of[calltree_key(b->h, b->s->branches[i].frame)] = 0;
}

/* Frames of one function are one branch, unless branches are by address: then also in several processes. */
static uint64_t branch_addr(enum ptui_chain_key key, const struct profile_frame *f)
{
	if (key != PTUI_CHAIN_FUNCTION)
		return f->addr;
	return f->sym_name == PTUI_NONE ? f->raw_addr : frame_sym_start(f);
}

int calltree_place_order(enum ptui_chain_key key, const struct profile_frame *a,
			 const struct profile_frame *b)
{
	uint64_t aa = branch_addr(key, a), ab = branch_addr(key, b);

	if (a->dso != b->dso)
		return a->dso + 1 < b->dso + 1 ? 1 : -1; /* PTUI_NONE + 1 is 0: last */
	return aa == ab ? 0 : aa < ab ? 1 : -1;
}

/*
 * Largest period first; then by module and address, greater first, as in perf; then in the order of
 * the classes.
 */
static int branch_order(const void *va, const void *vb, void *ctx)
{
	const struct builder *b = ctx;
	const struct branch *a = &b->s->branches[*(const uint32_t *)va];
	const struct branch *o = &b->s->branches[*(const uint32_t *)vb];
	const struct profile_frame *frames = b->h->profile->frames;
	int cmp;

	if (a->cumul != o->cumul)
		return a->cumul < o->cumul ? 1 : -1;
	cmp = calltree_place_order(b->h->chain_key, &frames[a->frame], &frames[o->frame]);
	return cmp ? cmp : a->cls < o->cls ? -1 : a->cls > o->cls;
}

static int add_frame(struct ptui_calltree *t, uint32_t node, uint32_t frame)
{
	if (vec_grow(&t->frames, &t->cap_frames, t->n_frames + 1))
		return -ENOMEM;
	if (!t->nodes[node].n_frames++)
		t->nodes[node].first_frame = (uint32_t)t->n_frames;
	t->frames[t->n_frames++] = frame;
	return 0;
}

static int add_node(struct ptui_calltree *t, uint64_t cumul, uint32_t *ret_node)
{
	if (vec_grow(&t->nodes, &t->cap, t->n + 1))
		return -ENOMEM;
	t->nodes[t->n] = (struct ptui_callnode){
		.cumul = cumul, .first_child = PTUI_NONE, .next = PTUI_NONE, .parent = PTUI_NONE
	};
	*ret_node = (uint32_t)t->n++;
	return 0;
}

/* Writes the branches above the minimum to s->order, sorted; `first`: index of their entries. */
static int order_branches(struct builder *b, size_t first, size_t *ret_n)
{
	struct calltree_scratch *s = b->s;
	size_t n = 0;

	if (vec_grow(&s->order, &s->cap_order, s->n_branches))
		return -ENOMEM;
	for (size_t i = 0; i < s->n_branches; i++)
		if (s->branches[i].cumul >= b->min_period)
			s->order[n++] = (uint32_t)i;
	if (n > 1)
		qsort_r(s->order, n, sizeof(*s->order), branch_order, b);
	for (size_t i = 0; i < n; i++) {
		s->branches[s->order[i]].to = first;
		first += s->branches[s->order[i]].n;
	}
	s->n_entries = first;
	*ret_n = n;
	return vec_grow(&s->entries, &s->cap_entries, first);
}

/* Makes what was found the entries of its branches; drops those of dropped branches. */
static void sort_entries(struct builder *b)
{
	struct calltree_scratch *s = b->s;

	for (size_t i = 0; i < s->n_found; i++) {
		uint32_t key = calltree_key(b->h, s->found[i].frame);
		struct branch *br = &s->branches[s->branch_of[key] - 1];

		if (br->cumul >= b->min_period)
			s->entries[br->to++] = s->found[i];
	}
}

/* Adds a node and a part for each of the n branches, as children of the part's node. */
static int add_branches(struct builder *b, const struct part *part, size_t n)
{
	struct calltree_scratch *s = b->s;
	struct ptui_calltree *t = b->tree;
	uint32_t last = PTUI_NONE, node = PTUI_NONE;
	size_t first = part->first;

	if (vec_grow(&s->parts, &s->cap_parts, s->n_parts + n))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct branch *br = &s->branches[s->order[i]];

		if (add_node(t, br->cumul, &node))
			return -ENOMEM;
		if (last != PTUI_NONE)
			t->nodes[last].next = node;
		else if (part->node == PTUI_NONE)
			t->first = node;
		else
			t->nodes[part->node].first_child = node;
		last = node;
		t->nodes[node].parent = part->node;
		s->parts[s->n_parts++] = (struct part){ first, br->n, node, br->frame };
		first += br->n;
	}
	return 0;
}

/* The first callee of an entry, whose own node was looked at when it was found. */
static void prefetch_callees(const struct builder *b, const struct entry *e)
{
	const struct hist_node *own = b->h->tree.own;
	uint32_t child = own && e->node < NODES_MAX ? own[e->node].child : PTUI_NONE;

	if (node_is_leaf(child))
		prefetch_line(&b->h->classes[child & ~NODE_LEAF]);
	else if (child != PTUI_NONE)
		prefetch_line(&own[child]);
}

/* One step on from all entries. *ret_ended, *ret_hits: classes that end here, and their period. */
static int follow_all(struct builder *b, const struct part *part, uint32_t *ret_ended,
		      uint64_t *ret_hits)
{
	struct calltree_scratch *s = b->s;
	int err = 0;

	*ret_ended = 0;
	*ret_hits = 0;
	s->n_found = 0;
	for (size_t i = part->first; i < part->first + part->n && !err; i++) {
		if (i + AHEAD < part->first + part->n)
			prefetch_callees(b, &s->entries[i + AHEAD]);
		*ret_ended += s->entries[i].n;
		*ret_hits += s->entries[i].period;
		err = follow(b, s->entries[i]);
	}
	for (size_t i = 0; i < s->n_found; i++) {
		*ret_ended -= s->found[i].n;
		*ret_hits -= s->found[i].period;
	}
	return err;
}

/* Makes what was found the part's entries. */
static int step_on(struct builder *b, struct part *part)
{
	struct calltree_scratch *s = b->s;

	part->n = s->n_found;
	if (vec_grow(&s->entries, &s->cap_entries, part->first + part->n))
		return -ENOMEM;
	if (part->n)
		memcpy(s->entries + part->first, s->found, part->n * sizeof(*s->found));
	return 0;
}

/* Adds the branches that were found below the part's node. */
static int end_part(struct builder *b, const struct part *part)
{
	size_t n = 0;
	int err = order_branches(b, part->first, &n);

	if (!err && n)
		sort_entries(b);
	reset_branches(b);
	return err || !n ? err : add_branches(b, part, n);
}

/* Builds one part: extends the node while there is one branch and no end, then adds the branches. */
static int build_part(struct builder *b, struct part part)
{
	struct ptui_callnode *node;
	uint32_t ended;
	uint64_t hits;
	int err = add_frame(b->tree, part.node, part.frame);

	for (;;) {
		if (!err)
			err = follow_all(b, &part, &ended, &hits);
		if (!err)
			err = find_branches(b);
		if (err || b->s->n_branches != 1 || ended)
			break;
		reset_branches(b);
		err = add_frame(b->tree, part.node, b->s->branches[0].frame);
		if (!err)
			err = step_on(b, &part);
	}
	if (err) {
		reset_branches(b);
		return err;
	}
	node = &b->tree->nodes[part.node];
	node->hits = hits;
	return end_part(b, &part);
}

static int build_tree(struct builder *b, const struct hist_row *row)
{
	struct part roots = { .node = PTUI_NONE };
	struct calltree_scratch *s = b->s;
	int err;

	s->n_parts = s->n_branches = s->n_found = s->n_self = 0;
	err = b->h->order == PTUI_CALLER ? start_down(b, row) : start_up(b, row);
	if (!err)
		err = find_branches(b);
	if (!err)
		err = end_part(b, &roots);
	else
		reset_branches(b);
	while (!err && s->n_parts)
		err = build_part(b, s->parts[--s->n_parts]);
	for (size_t i = 0; i < s->n_self; i++)
		s->at[place(b->h, s->self_nodes[i].node)] = 0;
	return err;
}

struct ptui_calltree *ptui_hist_calltree(struct ptui_hist *h, size_t row, uint64_t min_period,
					 struct ptui_error *err)
{
	struct ptui_calltree *tree = calloc(1, sizeof(*tree));
	struct builder b = { .h = h, .tree = tree, .min_period = min_period };
	int ret = -ENOMEM;

	/* frees one that another thread has stored meanwhile */
	b.s = atomic_exchange(&h->scratch, NULL);
	if (!b.s)
		b.s = scratch_new(h);
	if (tree && b.s) {
		tree->profile = h->profile;
		tree->key = h->chain_key;
		tree->first = PTUI_NONE;
		/* no branch has a larger period than its row */
		ret = h->chains && h->rows[row].period_children >= min_period ?
			      build_tree(&b, &h->rows[row]) :
			      0;
	}
	calltree_scratch_free(atomic_exchange(&h->scratch, b.s));
	if (!ret && h->chain_counts)
		ret = ptui_calltree_count(tree, h, row, NULL);
	if (!ret)
		return tree;
	ptui_calltree_free(tree);
	ptui_error_nomem(err);
	return NULL;
}

void ptui_calltree_free(struct ptui_calltree *t)
{
	if (!t)
		return;
	free(t->nodes);
	free(t->frames);
	free(t->branches);
	free(t);
}

uint32_t ptui_calltree_first(const struct ptui_calltree *t)
{
	return t->first;
}

const struct ptui_callnode *ptui_calltree_node(const struct ptui_calltree *t, uint32_t node)
{
	return node < t->n ? &t->nodes[node] : NULL;
}

int ptui_calltree_frame(const struct ptui_calltree *t, const struct ptui_callnode *node, uint32_t i,
			char *buf, size_t size)
{
	return profile_frame_name(t->profile, t->frames[node->first_frame + i], buf, size);
}

int ptui_calltree_line(const struct ptui_calltree *t, const struct ptui_callnode *node, uint32_t i,
		       char *buf, size_t size)
{
	uint32_t frame = t->frames[node->first_frame + i];
	const struct profile_texts *lines = t->profile->lines;
	const struct profile_frame *f = &t->profile->frames[frame];

	if (t->key == PTUI_CHAIN_FUNCTION || f->sym_name == PTUI_NONE)
		return snprintf(buf, size, "%s", "");
	if (!*strpool_get(&lines->names, lines->within[frame]))
		return snprintf(buf, size, "+%" PRIu32, f->sym_offset);
	return snprintf(buf, size, "%s", strpool_get(&lines->names, lines->within[frame]));
}

const char *ptui_calltree_dso(const struct ptui_calltree *t, const struct ptui_callnode *node,
			      uint32_t i)
{
	return profile_frame_dso(t->profile, t->frames[node->first_frame + i]);
}

uint32_t ptui_calltree_frame_id(const struct ptui_calltree *t, const struct ptui_callnode *node,
				uint32_t i)
{
	return t->frames[node->first_frame + i];
}

bool ptui_calltree_function(const struct ptui_calltree *t, const struct ptui_callnode *node,
			    uint32_t i, struct ptui_function *ret)
{
	return profile_function(t->profile, t->frames[node->first_frame + i], ret);
}
