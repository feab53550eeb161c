/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram: the samples of one event added up into rows.
 *
 *   samples --same comm, function, folded stack--> classes --key values--> rows
 *
 * A class is the set of samples that are equal under every key. There are far fewer classes than
 * samples, and everything after the first pass works on classes. With children on, a class adds to
 * the row of each function on its stack, once per row.
 *
 * Callers are counted in the tree of the classes' stacks (hist_tree.h), each node once instead of
 * once per class below it. The call tree of a row is built from the same nodes when it is opened:
 * a row lists its nodes and the classes of its own samples.
 */
#ifndef PROFILE_HIST_H
#define PROFILE_HIST_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/prefetch.h"
#include "profile/hist/facets.h"
#include "profile/hist/filter.h"
#include "profile/hist/hist_tree.h"
#include "profile/hist/keys.h"
#include "profile/hist/window.h"

struct hist_class {
	struct hist_item item; /* thread and facet are 0 unless a key needs them */
	uint32_t stack;	       /* in hist_stacks_of() */
	uint32_t first_thread; /* of the first sample by time */
	uint64_t period, samples, first_ns;
	/* In the tree: the end of its stack, or with `leaf` the caller of it; PTUI_NONE: none. */
	uint32_t node;
	uint32_t next_self; /* the next class of its own row; PTUI_NONE: the last one */
	uint32_t next_leaf; /* as hist_node.next */
	uint8_t how;	    /* enum stack_how, and flags */
	bool shown;	    /* it adds to some row */
	bool leaf;	    /* the end of its stack is one, see hist_tree.h */
};
_Static_assert(sizeof(struct hist_class) == 64, "a cache line");

/* By stack or frame: 1 + the first class of its list; 0: none. */
struct class_lists {
	uint32_t *first;
	size_t n;
};

/*
 * Finds classes. Most stacks, and frames of samples without a stack, have one or two, so the first few of each are a list,
 * unless a key makes a class of each sample; the others are in a hash table.
 */
struct class_index {
	bool has_lists;
	struct class_lists stacks, frames;
	uint32_t *next; /* by class: 1 + the next one of its list; 0: none */
	size_t cap_next;
	struct index_table others;
};

struct calltree_scratch;
struct calltree_classes;

/* Histograms of the other events of a group, joined with the rows of the leader's. */
struct hist_group {
	struct ptui_hist **members;
	size_t n;
	uint32_t *pairs;  /* by hist_row.pair, n each: rows of the members; PTUI_NONE: none */
	unsigned sort_by; /* event of the group, see ptui_hist_opts.group_sort */
};

#define HIST_IPC_BYTES 24
#define MANY_ROWS      16384 /* that are worth a thread */
#define ROWS_AHEAD     16    /* see hist_prefetch_frame() */

struct ptui_hist {
	struct ptui_profile *profile; /* a reference */
	struct hist_plan plan;
	enum ptui_chain_order order;
	uint16_t event;
	bool children, chains, show_addresses, show_ns;
	enum ptui_chain_key chain_key;
	bool chain_counts;
	uint32_t *
		chain_ids; /* by frame: equal for frames of one node of a call tree; NULL: their func */
	/* Built by the first ptui_calltree_count(); NULL while a thread uses it. */
	_Atomic(struct calltree_classes *) tree_classes;
	struct hist_filter filter;
	struct hist_window window;
	uint64_t total_period; /* 100 % */
	double total_time;     /* 100 % of the key latency; 0: it is not used */
	double hidden_time;    /* of the samples that the filter does not accept */
	struct ptui_hist_shown shown;
	struct ptui_hist_all all; /* equal_samples here: sum of the squares of the periods */

	struct hist_class *classes;
	size_t n_classes, cap_classes;
	size_t n_empty; /* classes whose samples were all dropped */
	struct class_index class_index;
	struct facets facets; /* of the classes */
	struct extras extras; /* what the keys look at, */
	struct tuples fields; /* of tracepoints: values by plan.fields, for extra.fields */
	uint32_t *extra_of;   /* and its numbers by number in the profile; NULL: not needed */
	struct hist_shape shape;
	uint32_t *ignoring;  /* by node of hist_stacks_of(): callees_ignore(); NULL: not needed */
	uint32_t *parents;   /* by node of hist_stacks_of(); NULL: not needed */
	uint64_t quantum_ns; /* intervals of the key `time` */
	size_t n_counted;    /* samples read by the first pass */
	struct hist_tree tree;
	struct hist_row *rows; /* sorted */
	size_t n_rows, cap_rows;
	char (*ipc)[HIST_IPC_BYTES]; /* by row: cell of the key ipc_lbr; NULL: unknown */
	uint32_t *last_comm;	     /* by thread; only if a key needs threads */
	struct strpool plain;	     /* names of commands without digits, */
	uint32_t *plain_of;	     /* by their ids in profile.names; NULL: no key needs them */
	struct ptui_column columns[HIST_KEYS_MAX];
	/* Reused by the next call tree; NULL while a thread uses it. */
	_Atomic(struct calltree_scratch *) scratch;
	bool has_unknown; /* else it is computed when asked for */
	struct ptui_unknown unknown;
	struct ptui_hist_stacks stacks;
	struct hist_group group;

	ptui_progress_fn progress; /* only while it is being built */
	void *progress_ctx;
};

/*
 * The instructions per cycle of a row's function, and the percentage of its instructions that they are
 * of. Before anybody else reads the histogram. 0 or -ENOMEM.
 */
int hist_set_ipc(struct ptui_hist *h, size_t row, double ipc, double coverage);
/* The stacks of the classes' ids: by function, or by address if a key needs it. */
const struct stacks *hist_stacks_of(const struct ptui_hist *h);

/* The end of a class's stack in the tree; PTUI_NONE: it has no stack. */
static inline uint32_t hist_class_end(const struct ptui_hist *h, uint32_t cls)
{
	const struct hist_class *c = &h->classes[cls];

	return c->leaf ? NODE_LEAF | cls : c->node;
}

static inline uint32_t hist_node_parent(const struct ptui_hist *h, uint32_t node)
{
	if (!h->children)
		return h->tree.stacks[node].parent;
	return node_is_leaf(node) ? h->classes[node & ~NODE_LEAF].node : h->tree.own[node].parent;
}

static inline uint32_t hist_node_frame(const struct ptui_hist *h, uint32_t node)
{
	if (!h->children)
		return h->tree.stacks[node].frame;
	return node_is_leaf(node) ? h->classes[node & ~NODE_LEAF].item.frame :
				    h->tree.own[node].frame;
}

/* The frames of rows are far from each other: loads the one that is needed some rows after this one. */
static inline void hist_prefetch_frame(const struct ptui_hist *h, size_t row)
{
	const struct profile_frame *f;

	if (row + ROWS_AHEAD >= h->n_rows)
		return;
	f = &h->profile->frames[h->rows[row + ROWS_AHEAD].item.frame];
	prefetch_line(f);
	prefetch_line((const char *)(f + 1) - 1);
}

/* Items between two calls of the progress callback: a few milliseconds at most. */
#define HIST_ROUND 4096

/* Calls `progress` now and then. 0, or -ECANCELED on its request. */
static inline int hist_report_progress(const struct ptui_hist *h, const char *what, size_t done,
				       size_t total)
{
	if (done % HIST_ROUND || !h->progress)
		return 0;
	return h->progress(h->progress_ctx, what, done, total) ? -ECANCELED : 0;
}

/* hist_classes.c */
/* `before` may be NULL, see ptui_hist_opts. 0, -ENOMEM or -ECANCELED. */
int hist_build_classes(struct ptui_hist *h, struct ptui_hist *before);
void hist_class_index_release(struct class_index *t);
/* The class of a sample; PTUI_NONE: it is not counted. */
uint32_t hist_class_of(struct ptui_hist *h, size_t sample);

/* hist_addresses.c: makes the frames of rows those whose addresses are shown. 0 or -ENOMEM. */
int hist_find_addresses(struct ptui_hist *h);

/*
 * By frame: the number of its group, see row_builder.h, and its place in the order of the keys sym and dso (NULL:
 * unknown). And the zeroed tables by group and stack that rows are found by.
 */
struct hist_frames {
	uint32_t *group, *symbols, *dsos;
	size_t n_groups;
	uint32_t *row_of, *node_of;
	/* while they are found */
	const struct ptui_hist *h;
	pthread_t thread;
	bool started, ranked;
	int err;
};

/* hist_frames.c */
/* Finds them in a thread, if there are many. `ranked`: places are of use if most frames have rows. */
void hist_frames_start(struct hist_frames *f, const struct ptui_hist *h, bool ranked);
/* Waits for it. 0 or -ENOMEM. */
int hist_frames_finish(struct hist_frames *f);
void hist_frames_release(struct hist_frames *f); /* accepts a zeroed one */

/* What is known of the order of rows while they are counted. */
struct hist_creation {
	uint32_t *rows; /* in the order in which classes created them; NULL: they are in it */
	uint32_t *rest; /* rows in the order of the keys after overhead_children; NULL: unknown */
	struct hist_frames frames; /* which it begins with */
	/* while `rest` is found */
	struct ptui_hist *h;
	pthread_t thread;
	bool started;
};

/* hist_rows.c */
/* The frames of *ret were started; *ret is to be released. 0, -ENOMEM or -ECANCELED. */
int hist_build_rows(struct ptui_hist *h, struct hist_creation *ret);
/* Waits for `rest`, if a thread finds it: until then, what the keys look at may not change. */
void hist_creation_finish(struct hist_creation *made);
void hist_creation_release(struct hist_creation *made);

/* hist_sort.c */
/*
 * The order of the rows, as their indexes; to be freed. `rows_only`: see ptui_hist_opts. Reads the rows
 * only. NULL: out of memory.
 */
uint32_t *hist_find_order(struct ptui_hist *h, struct hist_creation *made, bool rows_only);
/* hist_creation.rest; the rows may still lack what they have of other functions. NULL: out of memory. */
uint32_t *hist_find_rest(struct ptui_hist *h, const struct hist_creation *made);
/* Whether the order depends on it. */
bool hist_needs_rest(const struct ptui_hist *h);
/* Brings the rows into that order, and changes it. */
void hist_sort_rows(struct ptui_hist *h, uint32_t *order, bool rows_only);
/*
 * The places of the names in alphabetical order, from 0, by id: of the n ids in `used`, of which
 * PTUI_NONE is ignored. NULL: out of memory. The caller frees it.
 */
uint32_t *hist_rank_names(const struct strpool *names, const uint32_t *used, size_t n);

/* hist_group.c */
/* Counts the other events of the group. 0, -ENOMEM or -ECANCELED. */
int hist_group_count(struct ptui_hist *h, const struct ptui_hist_opts *opts);
/* Adds the rows that only other events have, and finds the pairs. `created` as above. 0 or -ENOMEM. */
int hist_group_join(struct ptui_hist *h, uint32_t **created);
/* The row of the i-th event of the group; NULL: it has none. */
const struct hist_row *hist_group_row(const struct ptui_hist *h, const struct hist_row *row,
				      size_t i);
/* The order by a key of the i-th event, as hist_key.order. 0 or -ENOMEM. */
int hist_group_order(const struct ptui_hist *h, const struct hist_key *key, size_t i,
		     uint64_t *ret);
void hist_group_release(struct hist_group *g);

/* keys_trace.c */
/* The values that plan.fields have in a tuple of the profile: a place in h->fields. */
uint32_t hist_find_fields(struct ptui_hist *h, uint32_t tuple);
const char *hist_field_name(const struct ptui_hist *h, const struct hist_key *key);
/* As in perf: room for the name, for the bytes in hexadecimal, and for the texts. */
unsigned hist_field_width(const struct ptui_hist *h, const struct hist_key *key);

/* hist_facts.c */
void hist_find_unknown(const struct ptui_hist *h, struct ptui_unknown *ret);
/* Of the classes: `stacks`, and with has_unknown `unknown`. 0 or -ENOMEM. */
int hist_find_facts(struct ptui_hist *h);

/* keys.c: of all classes, for the key latency. Needs extras. */
double hist_class_time(const struct ptui_hist *h, const struct hist_class *c);
double hist_total_time(const struct ptui_hist *h);

/* calltree.c */
void calltree_scratch_free(struct calltree_scratch *s);
/* The number of a frame among those that are different in call trees; less than the number of frames. */
static inline uint32_t calltree_key(const struct ptui_hist *h, uint32_t frame)
{
	return h->chain_ids ? h->chain_ids[frame] : h->profile->frames[frame].func;
}

/* calltree_facts.c */
/* Sets chain_ids. 0 or -ENOMEM. */
int hist_find_chain_ids(struct ptui_hist *h);
/* What ptui_calltree_count() needs of all rows. 0 or -ENOMEM. */
int hist_list_classes(struct ptui_hist *h);
void calltree_classes_free(struct calltree_classes *c);

#endif
