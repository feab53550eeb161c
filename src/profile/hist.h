/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram: the samples of one event added up into rows.
 *
 *   samples --same comm, frame, stack--> classes --key values--> rows
 *
 * A class stands for all samples that no key could tell apart; there are far fewer of them
 * than samples, and everything behind the first pass works on classes. With children on, a
 * class adds to the row of each function on its stack, once a row.
 *
 * Which classes a row's callchains come from is kept as links, so that a row's call tree
 * costs what its own chains cost and nothing before it is opened:
 *
 *   row.first_link --> [ class 3, node 7 | class 9, node 7 | … ]  n_links of them
 *
 * `node` is where on the class's stack the row's part begins (see calltree.c).
 */
#ifndef PROFILE_HIST_H
#define PROFILE_HIST_H

#include "profile/keys.h"

struct hist_class {
	struct hist_item item; /* thread and cpu are 0 unless a key looks at them */
	uint32_t stack;
	uint32_t first_thread; /* of its first sample by time */
	uint64_t period, samples, first_ns;
};

struct hist_link {
	uint32_t cls;
	uint32_t node; /* stack node of the row's function */
};

struct ptui_hist {
	struct ptui_profile *profile; /* a reference */
	struct hist_plan plan;
	enum ptui_chain_order order;
	bool children, chains;
	uint64_t total_period;

	struct hist_class *classes;
	size_t n_classes, cap_classes;
	struct hist_row *rows; /* sorted */
	size_t n_rows, cap_rows;
	struct hist_link *links;
	size_t n_links;
	uint32_t *last_comm; /* by thread; only when a key needs threads */
	struct ptui_column columns[HIST_KEYS_MAX];
};

#endif
