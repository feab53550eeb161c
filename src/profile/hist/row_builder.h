/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Private to what makes rows of classes: hist_rows.c, and row_numbers.c, which numbers the values of keys.
 *
 * A row is a pair (who, group): `who` numbers the values of the keys that look at the sample (comm,
 * pid, cpu), `group` those of the keys that look at the function (dso, symbol, srcline).
 */
#ifndef PROFILE_HIST_ROW_BUILDER_H
#define PROFILE_HIST_ROW_BUILDER_H

#include "profile/hist/hist.h"

struct row_builder {
	struct ptui_hist *h;
	const uint32_t *group; /* by frame */
	uint32_t *who;	       /* by class; NULL: one for all */
	uint32_t *order;       /* classes by who; NULL: as they are */
	uint32_t *row_of, *node_of;
	uint32_t *seen; /* by row: 1 + the last class with the row on its stack */
	size_t cap_seen;
	size_t room;			 /* rows for which there is memory */
	const struct stack_node *stacks; /* of hist_stacks_of() */
	uint32_t first_row, first_node;
	uint32_t *path; /* scratch: the new nodes of a stack, from its end */
	size_t cap_path, cap_nodes;
	/*
	 * By node: 1 + number of callers. In caller order, once the classes are there, the length of
	 * the longest chain from the node instead.
	 */
	uint32_t *depth;
	/*
	 * The age of a class: the time of its first sample since since_ns, or its place by that time, and in
	 * the lowest bits its number. If classes are in that order, only the number.
	 */
	bool by_time;
	unsigned class_bits;
	uint64_t since_ns;
	uint64_t *ages; /* by class; NULL: by since_ns, or the number */
	uint64_t
		*oldest; /* by node: the smallest age of its classes; NULL: that of its first one */
	uint64_t *made;	 /* by class: the rows that it created, first and number; NULL: in order */
};

static inline uint64_t class_age(const struct row_builder *b, uint32_t cls)
{
	if (b->by_time)
		return cls;
	return b->ages ? b->ages[cls] :
			 (b->h->classes[cls].first_ns - b->since_ns) << b->class_bits | cls;
}

/* Sets group[] and n_groups. 0 or -ENOMEM. */
int hist_find_groups(const struct ptui_hist *h, struct hist_frames *f);
/* They set the members of that name. 0 or -ENOMEM. */
int row_builder_find_who(struct row_builder *b); /* and b->order */
int row_builder_find_ages(struct row_builder *b);

#endif
