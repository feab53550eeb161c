/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of call trees that were built: which frames are one node, where chains end, and numbers of
 * samples. Trees are built without going through classes, so the latter finds the classes of a row first:
 *
 *	its own samples	     listed by the row
 *	those of its callees lists of all rows, made once: `of`, from first[row] to first[row + 1]
 *
 * and then follows the stack of each class in the tree.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/vec.h"
#include "profile/debug.h"
#include "profile/hist/calltree.h"
#include "profile/hist/hist.h"

struct calltree_classes {
	size_t *first; /* by row, and the end */
	uint32_t *of;
};

void calltree_classes_free(struct calltree_classes *c)
{
	if (!c)
		return;
	free(c->first);
	free(c->of);
	free(c);
}

/* ---- what is one node ---- */

/* Frames of one line, or of one function if the line is unknown, have the number of the first of them. */
static int find_line_ids(struct ptui_hist *h, const struct profile_texts *lines)
{
	const struct ptui_profile *p = h->profile;
	size_t n_names = lines->names.n;
	uint32_t *by_line = calloc(n_names + 1, sizeof(*by_line));
	uint32_t *by_func = calloc(p->n_frames + 1, sizeof(*by_func));

	for (uint32_t i = 0; by_line && by_func && i < p->n_frames; i++) {
		bool known = *strpool_get(&lines->names, lines->within[i]);
		uint32_t *first = known ? &by_line[lines->within[i]] : &by_func[p->frames[i].func];

		if (!*first)
			*first = i + 1;
		h->chain_ids[i] = *first - 1;
	}
	free(by_line);
	free(by_func);
	return by_line && by_func ? 0 : -ENOMEM;
}

int hist_find_chain_ids(struct ptui_hist *h)
{
	const struct ptui_profile *p = h->profile;

	if (h->chain_key == PTUI_CHAIN_FUNCTION)
		return 0;
	h->chain_ids = malloc((p->n_frames + 1) * sizeof(*h->chain_ids));
	if (!h->chain_ids)
		return -ENOMEM;
	if (h->chain_key == PTUI_CHAIN_SRCLINE)
		return find_line_ids(h, p->lines);
	for (uint32_t i = 0; i < p->n_frames; i++)
		h->chain_ids[i] = i;
	return 0;
}

/* ---- the classes of rows ---- */

/* For each row, its own class, and those that have it as a caller. */
struct class_lister {
	const struct ptui_hist *h;
	uint32_t *row_of; /* by number of a row before sorting (hist_tree.row): the row */
	uint32_t *seen;	  /* by row: 1 + the last class that had it */
	struct calltree_classes *c;
	size_t n;
};

/* Rows that the class adds to as a caller: those of its stack, but not its own. */
static void add_class(struct class_lister *l, uint32_t cls, bool count)
{
	const struct hist_tree *t = &l->h->tree;

	for (uint32_t at = l->h->classes[cls].node; at != PTUI_NONE; at = t->own[at].parent) {
		uint32_t row;

		if (t->row[at] == PTUI_NONE)
			continue;
		row = l->row_of[t->row[at] & ~NODE_REPEATS];
		if (l->seen[row] == cls + 1)
			continue;
		l->seen[row] = cls + 1;
		if (count)
			l->c->first[row + 1]++;
		else
			l->c->of[l->c->first[row]++] = cls;
	}
}

static void see_own_rows(struct class_lister *l, const uint32_t *own, uint32_t cls)
{
	if (own[cls] != PTUI_NONE)
		l->seen[own[cls]] = cls + 1;
}

/* By class: the row of its own samples. */
static uint32_t *find_own_rows(const struct ptui_hist *h)
{
	uint32_t *own = malloc((h->n_classes + 1) * sizeof(*own));

	for (size_t i = 0; own && i < h->n_classes; i++)
		own[i] = PTUI_NONE;
	for (uint32_t r = 0; own && r < h->n_rows; r++)
		for (uint32_t c = h->rows[r].first_self; c != PTUI_NONE;
		     c = h->classes[c].next_self)
			own[c] = r;
	return own;
}

static int list_classes(struct class_lister *l, const uint32_t *own)
{
	const struct ptui_hist *h = l->h;
	size_t *first = l->c->first;

	for (uint32_t i = 0; i < h->n_classes; i++) {
		see_own_rows(l, own, i);
		add_class(l, i, true);
	}
	for (size_t r = 0; r < h->n_rows; r++)
		first[r + 1] += first[r];
	l->c->of = malloc((first[h->n_rows] + 1) * sizeof(*l->c->of));
	if (!l->c->of)
		return -ENOMEM;
	for (size_t r = 0; r < h->n_rows; r++)
		l->seen[r] = 0;
	for (uint32_t i = 0; i < h->n_classes; i++) {
		see_own_rows(l, own, i);
		add_class(l, i, false);
	}
	for (size_t r = h->n_rows; r-- > 0;) /* where each began */
		first[r + 1] = first[r];
	first[0] = 0;
	return 0;
}

/* NULL: out of memory. Without children, no row has classes of callees. */
static struct calltree_classes *classes_new(const struct ptui_hist *h)
{
	struct class_lister l = { .h = h, .c = calloc(1, sizeof(*l.c)) };
	uint32_t *own = find_own_rows(h);
	int err = -ENOMEM;

	l.row_of = calloc(h->n_rows + 1, sizeof(*l.row_of));
	l.seen = calloc(h->n_rows + 1, sizeof(*l.seen));
	if (l.c)
		l.c->first = calloc(h->n_rows + 1, sizeof(*l.c->first));
	if (l.c && l.c->first && l.row_of && l.seen && own) {
		for (uint32_t r = 0; h->children && r < h->n_rows; r++)
			if (h->rows[r].first_node != PTUI_NONE)
				l.row_of[h->tree.row[h->rows[r].first_node] & ~NODE_REPEATS] = r;
		err = h->children ? list_classes(&l, own) : 0;
	}
	free(l.row_of);
	free(l.seen);
	free(own);
	if (!err)
		return l.c;
	calltree_classes_free(l.c);
	return NULL;
}

int hist_list_classes(struct ptui_hist *h)
{
	h->tree_classes = classes_new(h);
	return h->tree_classes ? 0 : -ENOMEM;
}

/* ---- following stacks in a tree ---- */

struct follower {
	const struct ptui_hist *h;
	struct ptui_calltree *tree;
	uint32_t *path; /* nodes of a stack, as the tree goes */
	size_t n, cap;
	size_t inner; /* nodes of the stack that are further in than the path */
};

/*
 * The part of a class's stack that the tree of the row shows: all of it for the row's own samples; for
 * others from the row on, the innermost frame of it in callee order and the outermost in caller order.
 */
static int find_path(struct follower *f, uint32_t cls, uint32_t row, bool self)
{
	const struct hist_tree *t = &f->h->tree;
	bool down = f->h->order == PTUI_CALLER;
	uint32_t at = hist_class_end(f->h, cls);
	size_t n = 0, outermost = 0;

	f->inner = 0;
	for (; at != PTUI_NONE; at = hist_node_parent(f->h, at)) {
		bool here = !self && !node_is_leaf(at) && t->row[at] != PTUI_NONE &&
			    (t->row[at] & ~NODE_REPEATS) == row;

		if (!n && !self && !here && !down) {
			f->inner++;
			continue;
		}
		if (vec_grow(&f->path, &f->cap, n + 1))
			return -ENOMEM;
		f->path[n++] = at;
		if (here)
			outermost = n;
	}
	f->n = down && !self ? outermost : n;
	for (size_t i = 0; down && i < f->n / 2; i++) {
		uint32_t other = f->path[i];

		f->path[i] = f->path[f->n - 1 - i];
		f->path[f->n - 1 - i] = other;
	}
	return 0;
}

static uint32_t path_key(const struct follower *f, size_t i)
{
	return calltree_key(f->h, hist_node_frame(f->h, f->path[i]));
}

static uint32_t node_key(const struct follower *f, const struct ptui_callnode *node, uint32_t i)
{
	return calltree_key(f->h, f->tree->frames[node->first_frame + i]);
}

/* The words of the branches in the callchains of a class; *ret_n: number of positions. */
static const uint32_t *class_branches(const struct ptui_hist *h, const struct hist_class *c,
				      size_t *ret_n)
{
	uint32_t place = h->extras.v[h->facets.v[c->item.facet].extra].history;
	const uint32_t *list = &h->profile->history.v[place];

	*ret_n = 0;
	if (!place)
		return NULL;
	*ret_n = *list / BRANCH_POSITION_WORDS;
	return list + 1;
}

static void add_branch(struct calltree_branches *sum, const uint32_t *words, uint64_t samples)
{
	sum->n += samples;
	sum->target = words[0] & BRANCH_IS_TARGET;
	if (sum->target) {
		sum->predicted += words[0] & BRANCH_WAS_PREDICTED ? samples : 0;
		sum->aborted += words[0] & BRANCH_WAS_ABORTED ? samples : 0;
		sum->types |= words[1];
	} else {
		sum->cycles += samples * (words[0] >> BRANCH_CYCLES_SHIFT & 0xffff);
		sum->runs += samples * (words[1] >> BRANCH_RUN_CYCLES_BITS);
		sum->run_cycles += samples * (words[1] & ((1u << BRANCH_RUN_CYCLES_BITS) - 1));
		sum->n_sources += samples;
	}
}

/* The positions of the class that a node has, of which the first is the i-th of the path. */
static void add_branches(struct follower *f, const struct hist_class *c,
			 const struct ptui_callnode *node, size_t i)
{
	bool down = f->h->order == PTUI_CALLER;
	size_t n;
	const uint32_t *words = class_branches(f->h, c, &n);

	for (uint32_t k = 0; k < node->n_frames && i + k < f->n; k++) {
		size_t position = down ? f->n - 1 - (i + k) : f->inner + i + k;

		if (position < n)
			add_branch(&f->tree->branches[node->first_frame + k],
				   &words[BRANCH_POSITION_WORDS * position], c->samples);
	}
}

/* Adds a class to the nodes on its path; the tree ends where branches are too small. */
static void follow_path(struct follower *f, const struct hist_class *c)
{
	uint32_t at = f->tree->first;
	size_t i = 0;

	while (at != PTUI_NONE && i < f->n) {
		struct ptui_callnode *node = &f->tree->nodes[at];

		if (node_key(f, node, 0) != path_key(f, i)) {
			at = node->next;
			continue;
		}
		node->cumul_samples += c->samples;
		if (f->tree->branches)
			add_branches(f, c, node, i);
		i += node->n_frames;
		if (i == f->n)
			node->hit_samples += c->samples;
		at = node->first_child;
	}
}

static int follow_class(struct follower *f, uint32_t cls, uint32_t row, bool self)
{
	const struct hist_class *c = &f->h->classes[cls];
	int err;

	if (hist_class_end(f->h, cls) == PTUI_NONE)
		return 0;
	err = find_path(f, cls, row, self);
	if (!err)
		follow_path(f, c);
	return err;
}

static int follow_classes(struct follower *f, size_t row, const struct calltree_classes *c)
{
	const struct hist_row *r = &f->h->rows[row];
	uint32_t number = PTUI_NONE;
	int err = 0;

	for (uint32_t i = r->first_self; i != PTUI_NONE && !err; i = f->h->classes[i].next_self)
		err = follow_class(f, i, PTUI_NONE, true);
	if (!f->h->children || r->first_node == PTUI_NONE)
		return err;
	number = f->h->tree.row[r->first_node] & ~NODE_REPEATS;
	for (size_t i = c->first[row]; i < c->first[row + 1] && !err; i++)
		err = follow_class(f, c->of[i], number, false);
	return err;
}

int ptui_calltree_count(struct ptui_calltree *t, struct ptui_hist *h, size_t row,
			struct ptui_error *err)
{
	struct follower f = { .h = h, .tree = t };
	struct calltree_classes *c;
	int ret = -ENOMEM;

	if (t->counted)
		return 0;
	c = atomic_exchange(&h->tree_classes, NULL);
	if (!c)
		c = classes_new(h);
	if (h->chain_counts && !t->branches)
		t->branches = calloc(t->n_frames + 1, sizeof(*t->branches));
	if (c && (t->branches || !h->chain_counts))
		ret = follow_classes(&f, row, c);
	free(f.path);
	t->counted = !ret;
	calltree_classes_free(atomic_exchange(&h->tree_classes, c));
	return ret ? ptui_error_nomem(err) : 0;
}

/* ---- where chains end ---- */

struct end {
	uint64_t hits;
	uint32_t node;
	uint32_t order; /* of equal ones, as in perf: each after the nodes below it */
};

static int end_order(const void *va, const void *vb)
{
	const struct end *a = va, *b = vb;

	if (a->hits != b->hits)
		return a->hits < b->hits ? 1 : -1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Nodes below each other, with siblings by module and address instead of by period, as perf goes through them. */
struct ends_walk {
	const struct ptui_calltree *t;
	uint32_t *first, *next; /* by node; the last of `first` is of the whole tree */
	uint32_t *siblings;
};

static int sibling_order(const void *va, const void *vb, void *ctx)
{
	const struct ptui_calltree *t = ctx;
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct profile_frame *frames = t->profile->frames;
	int cmp = calltree_place_order(t->key, &frames[t->frames[t->nodes[a].first_frame]],
				       &frames[t->frames[t->nodes[b].first_frame]]);

	return cmp ? cmp : a < b ? -1 : a > b;
}

static uint32_t link_siblings(struct ends_walk *w, uint32_t first)
{
	size_t n = 0;

	for (uint32_t at = first; at != PTUI_NONE; at = w->t->nodes[at].next)
		w->siblings[n++] = at;
	if (n > 1)
		qsort_r(w->siblings, n, sizeof(*w->siblings), sibling_order,
			(void *)(uintptr_t)w->t);
	for (size_t i = 0; i < n; i++)
		w->next[w->siblings[i]] = i + 1 < n ? w->siblings[i + 1] : PTUI_NONE;
	return n ? w->siblings[0] : PTUI_NONE;
}

static int ends_walk_init(struct ends_walk *w, const struct ptui_calltree *t)
{
	size_t bytes = (t->n + 1) * sizeof(uint32_t);

	*w = (struct ends_walk){ t, malloc(bytes), malloc(bytes), malloc(bytes) };
	if (!w->first || !w->next || !w->siblings)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++)
		w->first[i] = link_siblings(w, t->nodes[i].first_child);
	w->first[t->n] = link_siblings(w, t->first);
	return 0;
}

static void ends_walk_release(struct ends_walk *w)
{
	free(w->first);
	free(w->next);
	free(w->siblings);
}

static uint32_t deepest_first(const struct ends_walk *w, uint32_t at)
{
	while (at != PTUI_NONE && w->first[at] != PTUI_NONE)
		at = w->first[at];
	return at;
}

/* The next node in an order in which each comes after those below it. */
static uint32_t next_end(const struct ends_walk *w, uint32_t at)
{
	return w->next[at] == PTUI_NONE ? w->t->nodes[at].parent : deepest_first(w, w->next[at]);
}

/* *ret_n of them; malloc()ed. NULL: out of memory. */
static struct end *list_ends(const struct ends_walk *w, uint64_t min, size_t *ret_n)
{
	struct end *ends = malloc((w->t->n + 1) * sizeof(*ends));
	size_t n = 0;

	for (uint32_t at = deepest_first(w, w->first[w->t->n]); ends && at != PTUI_NONE;
	     at = next_end(w, at)) {
		uint64_t hits = w->t->nodes[at].hits;

		if (hits && hits >= min) {
			ends[n] = (struct end){ hits, at, (uint32_t)n };
			n++;
		}
	}
	if (ends)
		qsort(ends, n, sizeof(*ends), end_order);
	*ret_n = n;
	return ends;
}

uint32_t *ptui_calltree_ends(const struct ptui_calltree *t, uint64_t min, size_t *ret_n)
{
	struct ends_walk w;
	struct end *ends;
	uint32_t *nodes;

	*ret_n = 0;
	ends = ends_walk_init(&w, t) ? NULL : list_ends(&w, min, ret_n);
	nodes = ends ? malloc((*ret_n + 1) * sizeof(*nodes)) : NULL;

	for (size_t i = 0; nodes && i < *ret_n; i++)
		nodes[i] = ends[i].node;
	free(ends);
	ends_walk_release(&w);
	return nodes;
}

/* ---- branches ---- */

static const char *const type_names[] = {
	"COND_FWD", "COND_BWD", NULL,	    NULL,     NULL,	 NULL,	       "UNCOND",
	"IND",	    "CALL",	"IND_CALL", "RET",    "SYSCALL", "SYSRET",     "COND_CALL",
	"COND_RET", "ERET",	"IRQ",	    "SERROR", "NO_TX",	 "EXTEND_ABI",
};

struct words {
	char *buf;
	size_t size, len;
};

static void add_word(struct words *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* In parentheses; returns nothing, w->len is as of snprintf(). */
static void add_word(struct words *w, const char *format, ...)
{
	char text[64];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	w->len += (size_t)snprintf(w->len < w->size ? w->buf + w->len : NULL,
				   w->len < w->size ? w->size - w->len : 0, "%s%s",
				   w->len ? " " : " (", text);
}

static void add_types(struct words *w, uint32_t types)
{
	for (size_t i = 0; i < sizeof(type_names) / sizeof(type_names[0]); i++)
		if (type_names[i] && types >> i & 1)
			add_word(w, "%s", type_names[i]);
	if (types & BRANCH_CROSS_4K)
		add_word(w, "CROSS_4K");
	if (types & BRANCH_CROSS_2M)
		add_word(w, "CROSS_2M");
}

static void add_target(struct words *w, const struct calltree_branches *b)
{
	add_types(w, b->types);
	if (b->predicted < b->n)
		add_word(w, "predicted:%.1f%%", (double)b->predicted * 100.0 / (double)b->n);
	if (b->aborted)
		add_word(w, "abort:%.1f%%", (double)b->aborted * 100.0 / (double)b->n);
}

uint64_t ptui_calltree_cycles(const struct ptui_calltree *t, const struct ptui_callnode *node,
			      uint32_t i)
{
	const struct calltree_branches *b = t->branches ? &t->branches[node->first_frame + i] :
							  NULL;

	return b && b->n && !b->target ? b->cycles / b->n : 0;
}

static void add_source(struct words *w, const struct calltree_branches *b)
{
	if (b->cycles / b->n)
		add_word(w, "cycles:%" PRIu64, b->cycles / b->n);
	if (b->runs / b->n_sources) {
		add_word(w, "iter:%" PRIu64, b->runs / b->n_sources);
		add_word(w, "avg_cycles:%" PRIu64, b->run_cycles / b->runs);
	}
}

int ptui_calltree_branches(const struct ptui_calltree *t, const struct ptui_callnode *node,
			   uint32_t i, char *buf, size_t size)
{
	const struct calltree_branches *b;
	struct words w = { buf, size, 0 };

	if (size)
		*buf = '\0';
	if (!t->branches)
		return 0;
	b = &t->branches[node->first_frame + i];
	if (!b->n)
		return snprintf(buf, size, " (calltrace)");
	if (b->target)
		add_target(&w, b);
	else
		add_source(&w, b);
	if (w.len)
		w.len += (size_t)snprintf(w.len < size ? buf + w.len : NULL,
					  w.len < size ? size - w.len : 0, ")");
	return (int)w.len;
}
