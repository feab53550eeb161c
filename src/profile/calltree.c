/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callchains of one row as a compressed prefix tree.
 *
 * First a plain trie, one node a function; then runs of nodes without a branch and without
 * hits of their own on the way become one node each.
 *
 *   trie                              compressed
 *   main ─ run ─ parse  (hits 5)      [main run] ─ [parse]      5
 *            └── eval ─ add (hits 3)            └─ [eval add]   3
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/hash.h"
#include "base/vec.h"
#include "profile/hist.h"

struct trie_node {
	uint32_t parent, func;
	uint32_t frame; /* the first one seen of its function */
	uint32_t first_child, next;
	uint64_t hits, cumul;
};

struct trie {
	struct trie_node *v;
	size_t n, cap;
	struct index_table index;
};

/* v[0] is the root above all chains: it has no frame. */
#define TRIE_ROOT 0u

struct ptui_calltree {
	const struct ptui_profile *profile; /* the view's, which outlives the tree */
	struct ptui_callnode *nodes;
	size_t n, cap;
	uint32_t *frames;
	size_t n_frames, cap_frames;
	uint32_t first;
};

static bool trie_same(const void *owner, uint32_t index, const void *key)
{
	const struct trie_node *a = &((const struct trie *)owner)->v[index], *b = key;

	return a->parent == b->parent && a->func == b->func;
}

static uint32_t trie_child(struct trie *t, uint32_t parent, uint32_t func, uint32_t frame)
{
	struct trie_node node = { parent, func, frame, PTUI_NONE, PTUI_NONE, 0, 0 };
	uint64_t hash = hash_pair(parent, func);
	uint32_t i = index_table_find(&t->index, hash, trie_same, t, &node);

	if (i != PTUI_NONE)
		return i;
	if (vec_grow(&t->v, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, hash, (uint32_t)t->n))
		return PTUI_NONE;
	node.next = t->v[parent].first_child;
	t->v[parent].first_child = (uint32_t)t->n;
	t->v[t->n] = node;
	return (uint32_t)t->n++;
}

/*
 * The frames of a link, in the order of the tree: callers first runs from the link's node
 * down to the end of the class's stack, callees first from the node up to the outermost.
 */
struct chain {
	uint32_t *frames;
	size_t n, cap;
};

static int chain_fill(struct chain *c, const struct ptui_hist *h, const struct hist_link *link)
{
	const struct stack_node *nodes = h->profile->stacks.nodes;
	bool down = h->order == PTUI_CALLER;
	uint32_t at = down ? h->classes[link->cls].stack : link->node;
	uint32_t stop = down ? nodes[link->node].parent : PTUI_NONE;

	c->n = 0;
	for (; at != stop; at = nodes[at].parent) {
		if (vec_grow(&c->frames, &c->cap, c->n + 1))
			return -ENOMEM;
		c->frames[c->n++] = nodes[at].frame;
	}
	for (size_t i = 0; down && i < c->n / 2; i++) {
		uint32_t swap = c->frames[i];

		c->frames[i] = c->frames[c->n - 1 - i];
		c->frames[c->n - 1 - i] = swap;
	}
	return 0;
}

static int trie_add(struct trie *t, const struct ptui_profile *p, const struct chain *c,
		    uint64_t period)
{
	uint32_t at = TRIE_ROOT;

	for (size_t i = 0; i < c->n; i++) {
		at = trie_child(t, at, p->frames[c->frames[i]].func, c->frames[i]);
		if (at == PTUI_NONE)
			return -ENOMEM;
		t->v[at].cumul += period;
	}
	t->v[at].hits += period;
	return 0;
}

/* ---- compression ---- */

struct order_ctx {
	const struct trie *t;
	const struct ptui_profile *p;
};

/*
 * Heaviest first; equals by module and address, greater first: the order in which perf's
 * tree of the same chains is walked.
 */
static int child_order(const void *a, const void *b, void *ctx)
{
	const struct order_ctx *o = ctx;
	const struct trie_node *na = &o->t->v[*(const uint32_t *)a];
	const struct trie_node *nb = &o->t->v[*(const uint32_t *)b];
	const struct profile_frame *fa = &o->p->frames[na->frame], *fb = &o->p->frames[nb->frame];
	uint64_t aa = fa->sym_name == PTUI_NONE ? fa->raw_addr : fa->sym_start;
	uint64_t ab = fb->sym_name == PTUI_NONE ? fb->raw_addr : fb->sym_start;

	if (na->cumul != nb->cumul)
		return na->cumul < nb->cumul ? 1 : -1;
	if (fa->dso != fb->dso)
		return fa->dso + 1 < fb->dso + 1 ? 1 : -1; /* PTUI_NONE + 1 is 0: last */
	return aa < ab ? 1 : -(aa > ab);
}

/* A pending step: the trie node whose children become the children of a tree node. */
struct step {
	uint32_t trie, node;
};

struct builder {
	struct ptui_calltree *tree;
	struct trie *trie;
	uint64_t min_period;
	struct step *steps;
	size_t n_steps, cap_steps;
	uint32_t *sorted;
	size_t cap_sorted;
};

/* Makes one compressed node that begins at trie node `at`; its children are left as a step. */
static int build_node(struct builder *b, uint32_t at, uint32_t *ret_node)
{
	struct ptui_calltree *t = b->tree;
	const struct trie_node *v = b->trie->v;
	struct ptui_callnode node = { 0, v[at].cumul, (uint32_t)t->n_frames, 0, PTUI_NONE,
				      PTUI_NONE };

	for (;;) {
		if (vec_grow(&t->frames, &t->cap_frames, t->n_frames + 1))
			return -ENOMEM;
		t->frames[t->n_frames++] = v[at].frame;
		node.n_frames++;
		if (v[at].hits || v[at].first_child == PTUI_NONE ||
		    v[v[at].first_child].next != PTUI_NONE)
			break;
		at = v[at].first_child;
	}
	node.hits = v[at].hits;
	if (vec_grow(&t->nodes, &t->cap, t->n + 1) ||
	    vec_grow(&b->steps, &b->cap_steps, b->n_steps + 1))
		return -ENOMEM;
	*ret_node = (uint32_t)t->n;
	t->nodes[t->n++] = node;
	if (v[at].first_child != PTUI_NONE)
		b->steps[b->n_steps++] = (struct step){ at, *ret_node };
	return 0;
}

/* The children of one trie node that weigh enough, in order, hung below `node`. */
static int build_children(struct builder *b, struct step step)
{
	const struct trie_node *v = b->trie->v;
	struct order_ctx ctx = { b->trie, b->tree->profile };
	uint32_t last = PTUI_NONE, made = PTUI_NONE;
	size_t n = 0;

	for (uint32_t c = v[step.trie].first_child; c != PTUI_NONE; c = v[c].next) {
		if (v[c].cumul < b->min_period)
			continue;
		if (vec_grow(&b->sorted, &b->cap_sorted, n + 1))
			return -ENOMEM;
		b->sorted[n++] = c;
	}
	if (n > 1)
		qsort_r(b->sorted, n, sizeof(*b->sorted), child_order, &ctx);
	for (size_t i = 0; i < n; i++) {
		int err = build_node(b, b->sorted[i], &made);

		if (err)
			return err;
		if (last != PTUI_NONE)
			b->tree->nodes[last].next = made;
		else if (step.node == PTUI_NONE)
			b->tree->first = made;
		else
			b->tree->nodes[step.node].first_child = made;
		last = made;
	}
	return 0;
}

static int tree_build(struct ptui_calltree *tree, struct trie *trie, uint64_t min_period)
{
	struct builder b = { .tree = tree, .trie = trie, .min_period = min_period };
	int err = build_children(&b, (struct step){ TRIE_ROOT, PTUI_NONE });

	while (!err && b.n_steps)
		err = build_children(&b, b.steps[--b.n_steps]);
	free(b.steps);
	free(b.sorted);
	return err;
}

struct ptui_calltree *ptui_hist_calltree(const struct ptui_hist *h, size_t row,
					 uint64_t min_period, struct ptui_error *err)
{
	const struct hist_row *r = &h->rows[row];
	struct ptui_calltree *tree = calloc(1, sizeof(*tree));
	struct trie trie = { 0 };
	struct chain chain = { 0 };
	int ret = -ENOMEM;

	index_table_init(&trie.index);
	if (!tree || vec_grow(&trie.v, &trie.cap, 1))
		goto out;
	tree->profile = h->profile;
	tree->first = PTUI_NONE;
	trie.v[trie.n++] = (struct trie_node){ PTUI_NONE, 0, 0, PTUI_NONE, PTUI_NONE, 0, 0 };
	ret = 0;
	for (uint32_t i = 0; i < r->n_links && !ret; i++) {
		const struct hist_link *link = &h->links[r->first_link + i];

		ret = chain_fill(&chain, h, link);
		if (!ret)
			ret = trie_add(&trie, h->profile, &chain, h->classes[link->cls].period);
	}
	if (!ret)
		ret = tree_build(tree, &trie, min_period);
out:
	free(chain.frames);
	free(trie.v);
	index_table_release(&trie.index);
	if (ret) {
		ptui_calltree_free(tree);
		ptui_error_nomem(err);
		return NULL;
	}
	return tree;
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

int ptui_calltree_frame(const struct ptui_calltree *t, const struct ptui_callnode *node,
			uint32_t i, char *buf, size_t size)
{
	const struct profile_frame *f = &t->profile->frames[t->frames[node->first_frame + i]];

	if (f->sym_name == PTUI_NONE)
		return snprintf(buf, size, "%#" PRIx64, f->raw_addr);
	return snprintf(buf, size, "%s", strpool_get(&t->profile->names, f->sym_name));
}
