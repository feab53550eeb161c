/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callchains of one row as a compressed prefix tree.
 *
 * The row's links are divided by their first function, each part by the second one, and so on: a
 * part is a branch. Parts below the minimum are dropped at once, so the cost is that of the visible
 * tree.
 *
 *   links            by 1st function     by 2nd
 *   ab ac ad ba  ->  [ab ac ad] [ba]  -> a: [ab] [ac] [ad]   b: [ba]
 *
 * A node contains functions as long as all of its links agree and none ends.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/vec.h"
#include "profile/hist.h"

struct ptui_calltree {
	const struct ptui_profile *profile; /* borrowed from the view, which outlives the tree */
	struct ptui_callnode *nodes;
	size_t n, cap;
	uint32_t *frames;
	size_t n_frames, cap_frames;
	uint32_t first;
};

/* One of the functions at the same depth of a part's links. */
struct branch {
	uint32_t frame; /* first frame seen of the function */
	uint32_t n;	/* links */
	uint64_t cumul;
	size_t to;     /* index of its links in the sorted list */
	uint32_t node; /* its node, or PTUI_NONE */
};

/* Links that agree on their first `depth` functions, and the node of their branches. */
struct part {
	size_t first, n; /* in scratch.links */
	uint32_t depth;
	uint32_t node;
};

/* Kept by the view and reused for the next tree. */
struct calltree_scratch {
	uint32_t *branch_of; /* by function: 1 + its branch in the current part; 0: none */
	size_t n_funcs;
	struct hist_link *links, *sorted;
	size_t cap_links, cap_sorted;
	struct branch *branches;
	size_t n_branches, cap_branches;
	struct part *parts;
	size_t n_parts, cap_parts;
	uint32_t *order;
	size_t cap_order;
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
	free(s->links);
	free(s->sorted);
	free(s->branches);
	free(s->parts);
	free(s->order);
	free(s);
}

static struct calltree_scratch *scratch_new(const struct ptui_profile *p)
{
	struct calltree_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	/* function ids start at 0; there are at most as many as frames */
	s->branch_of = calloc(p->n_frames + 1, sizeof(*s->branch_of));
	if (!s->branch_of) {
		free(s);
		return NULL;
	}
	return s;
}

/* The frame of a link at a depth; PTUI_NONE: end of the chain. */
static uint32_t frame_at(const struct ptui_hist *h, const struct hist_link *link, uint32_t depth)
{
	uint64_t first = h->path_first[link->cls];

	if (h->order == PTUI_CALLER) {
		uint64_t at = first + link->at + depth;

		return at < h->path_first[link->cls + 1] ? h->paths[at] : PTUI_NONE;
	}
	return depth <= link->at ? h->paths[first + link->at - depth] : PTUI_NONE;
}

/* Finds the branches of a part; returns the period and the number of the links that end here. */
static int find_branches(struct builder *b, const struct part *part, uint64_t *ret_hits,
			 size_t *ret_ended)
{
	struct calltree_scratch *s = b->s;
	const struct profile_frame *frames = b->h->profile->frames;
	uint64_t hits = 0;
	size_t ended = 0;
	int err = 0;

	s->n_branches = 0;
	for (size_t i = part->first; i < part->first + part->n && !err; i++) {
		const struct hist_link *link = &s->links[i];
		uint64_t period = b->h->classes[link->cls].period;
		uint32_t frame = frame_at(b->h, link, part->depth), *slot;

		if (frame == PTUI_NONE) {
			hits += period;
			ended++;
			continue;
		}
		slot = &s->branch_of[frames[frame].func];
		if (!*slot) {
			err = vec_grow(&s->branches, &s->cap_branches, s->n_branches + 1);
			if (err)
				break;
			s->branches[s->n_branches] = (struct branch){ .frame = frame };
			*slot = (uint32_t)++s->n_branches;
		}
		s->branches[*slot - 1].n++;
		s->branches[*slot - 1].cumul += period;
	}
	*ret_hits = hits;
	*ret_ended = ended;
	return err;
}

static void reset_branches(struct builder *b)
{
	for (size_t i = 0; i < b->s->n_branches; i++)
		b->s->branch_of[b->h->profile->frames[b->s->branches[i].frame].func] = 0;
}

/* Largest period first; then by module and address, greater first, as in perf. */
static int branch_order(const void *va, const void *vb, void *ctx)
{
	const struct builder *b = ctx;
	const struct branch *a = &b->s->branches[*(const uint32_t *)va];
	const struct branch *o = &b->s->branches[*(const uint32_t *)vb];
	const struct profile_frame *fa = &b->h->profile->frames[a->frame];
	const struct profile_frame *fo = &b->h->profile->frames[o->frame];
	uint64_t aa = fa->sym_name == PTUI_NONE ? fa->raw_addr : fa->sym_start;
	uint64_t ao = fo->sym_name == PTUI_NONE ? fo->raw_addr : fo->sym_start;

	if (a->cumul != o->cumul)
		return a->cumul < o->cumul ? 1 : -1;
	if (fa->dso != fo->dso)
		return fa->dso + 1 < fo->dso + 1 ? 1 : -1; /* PTUI_NONE + 1 is 0: last */
	return aa < ao ? 1 : -(aa > ao);
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
	t->nodes[t->n] = (struct ptui_callnode){ .cumul = cumul,
						 .first_child = PTUI_NONE,
						 .next = PTUI_NONE };
	*ret_node = (uint32_t)t->n++;
	return 0;
}

/* Writes the branches above the minimum to s->order, sorted, and sets their index `to`. */
static int order_branches(struct builder *b, size_t *ret_n)
{
	struct calltree_scratch *s = b->s;
	size_t n = 0, to = 0;

	if (vec_grow(&s->order, &s->cap_order, s->n_branches))
		return -ENOMEM;
	for (size_t i = 0; i < s->n_branches; i++) {
		s->branches[i].node = PTUI_NONE;
		if (s->branches[i].cumul >= b->min_period)
			s->order[n++] = (uint32_t)i;
	}
	if (n > 1)
		qsort_r(s->order, n, sizeof(*s->order), branch_order, b);
	for (size_t i = 0; i < n; i++) {
		s->branches[s->order[i]].to = to;
		to += s->branches[s->order[i]].n;
	}
	*ret_n = n;
	return 0;
}

/* Sorts the part's links by branch, in place; drops those of dropped branches. */
static int sort_links(struct builder *b, const struct part *part)
{
	struct calltree_scratch *s = b->s;
	size_t kept = 0;

	if (vec_grow(&s->sorted, &s->cap_sorted, part->n))
		return -ENOMEM;
	for (size_t i = part->first; i < part->first + part->n; i++) {
		uint32_t frame = frame_at(b->h, &s->links[i], part->depth);
		struct branch *br;

		if (frame == PTUI_NONE)
			continue;
		br = &s->branches[s->branch_of[b->h->profile->frames[frame].func] - 1];
		if (br->cumul < b->min_period)
			continue;
		s->sorted[br->to++] = s->links[i];
		kept++;
	}
	for (size_t i = 0; i < kept; i++)
		s->links[part->first + i] = s->sorted[i];
	return 0;
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
		s->parts[s->n_parts++] = (struct part){ first, br->n, part->depth, node };
		first += br->n;
	}
	return 0;
}

/*
 * Builds one part: extends the node while there is one branch and no end, then adds the branches.
 * The first function of a node is added here, too, since its part has not passed it yet.
 */
static int build_part(struct builder *b, struct part part)
{
	uint64_t hits = 0;
	size_t ended = 0, n = 0;
	int err;

	for (;;) {
		bool goes_on;

		err = find_branches(b, &part, &hits, &ended);
		goes_on = !err && part.node != PTUI_NONE && b->s->n_branches == 1 && !ended;
		if (!goes_on)
			break;
		reset_branches(b);
		err = add_frame(b->tree, part.node, b->s->branches[0].frame);
		if (err)
			return err;
		part.depth++;
	}
	if (!err && part.node != PTUI_NONE)
		b->tree->nodes[part.node].hits = hits;
	if (!err)
		err = order_branches(b, &n);
	if (!err && n)
		err = sort_links(b, &part);
	reset_branches(b);
	return err || !n ? err : add_branches(b, &part, n);
}

static int build_tree(struct builder *b, const struct hist_row *row)
{
	struct calltree_scratch *s = b->s;
	int err;

	if (vec_grow(&s->links, &s->cap_links, row->n_links))
		return -ENOMEM;
	for (uint32_t i = 0; i < row->n_links; i++)
		s->links[i] = b->h->links[row->first_link + i];
	s->n_parts = 0;
	err = build_part(b, (struct part){ 0, row->n_links, 0, PTUI_NONE });
	while (!err && s->n_parts)
		err = build_part(b, s->parts[--s->n_parts]);
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
		b.s = scratch_new(h->profile);
	if (tree && b.s) {
		tree->profile = h->profile;
		tree->first = PTUI_NONE;
		/* no branch has a larger period than its row */
		ret = h->links && h->rows[row].period_children >= min_period ?
			      build_tree(&b, &h->rows[row]) :
			      0;
	}
	calltree_scratch_free(atomic_exchange(&h->scratch, b.s));
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
	const struct profile_frame *f = &t->profile->frames[t->frames[node->first_frame + i]];

	if (f->sym_name == PTUI_NONE)
		return snprintf(buf, size, "%#" PRIx64, f->raw_addr);
	return snprintf(buf, size, "%s", strpool_get(&t->profile->names, f->sym_name));
}

const char *ptui_calltree_dso(const struct ptui_calltree *t, const struct ptui_callnode *node,
			      uint32_t i)
{
	const struct profile_frame *f = &t->profile->frames[t->frames[node->first_frame + i]];

	return f->short_name == PTUI_NONE ? HIST_UNKNOWN_DSO :
					    strpool_get(&t->profile->names, f->short_name);
}
