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
 * The stack of a class is also stored as a path, its frames from the outermost in. The links of a
 * row say which classes its callchains come from, and where on their paths its part starts. So the
 * call tree of a row is read sequentially, and is built only when it is opened:
 *
 *   paths:  [ main run parse | main eval | … ]      class c: path_first[c] .. path_first[c + 1]
 *   links:  row.first_link --> [ class 3, at 1 | class 9, at 1 | … ]   n_links of them
 */
#ifndef PROFILE_HIST_H
#define PROFILE_HIST_H

#include <stdatomic.h>

#include "profile/filter.h"
#include "profile/keys.h"
#include "profile/window.h"

struct hist_class {
	struct hist_item item; /* thread and cpu are 0 unless a key needs them */
	uint32_t stack;	       /* in hist_stacks_of() */
	uint32_t first_thread; /* of the first sample by time */
	uint64_t period, samples, first_ns;
	uint8_t how; /* enum stack_how, and flags */
	bool shown;  /* it adds to some row */
};

struct hist_link {
	uint32_t cls;
	uint32_t at; /* position of the row's function on the path; for the class's own row,
			start of its chain */
};

struct calltree_scratch;

struct ptui_hist {
	struct ptui_profile *profile; /* a reference */
	struct hist_plan plan;
	enum ptui_chain_order order;
	uint16_t event;
	bool children, chains, show_addresses;
	struct hist_filter filter;
	struct hist_window window;
	uint64_t total_period; /* 100 % */
	struct ptui_hist_shown shown;
	struct ptui_hist_all all; /* equal_samples here: sum of the squares of the periods */

	struct hist_class *classes;
	size_t n_classes, cap_classes;
	size_t n_empty; /* classes whose samples were all dropped */
	struct index_table class_index;
	size_t n_counted;      /* samples read by the first pass */
	uint32_t *paths;       /* frames by class, outermost first */
	uint64_t *path_first;  /* n_classes + 1 */
	struct hist_row *rows; /* sorted */
	size_t n_rows, cap_rows;
	struct hist_link *links;
	size_t n_links;
	uint32_t *last_comm; /* by thread; only if a key needs threads */
	struct ptui_column columns[HIST_KEYS_MAX];
	/* Reused by the next call tree; NULL while a thread uses it. */
	_Atomic(struct calltree_scratch *) scratch;
	struct ptui_unknown unknown;
	struct ptui_hist_stacks stacks;

	ptui_progress_fn progress; /* only while it is being built */
	void *progress_ctx;
};

/* The stacks of the classes' ids: by function, or by address if a key needs it. */
const struct stacks *hist_stacks_of(const struct ptui_hist *h);

/* hist_classes.c */
/* Calls `progress` now and then. 0, or -ECANCELED on its request. */
int hist_report_progress(const struct ptui_hist *h, const char *what, size_t done, size_t total);
/* `before` may be NULL, see ptui_hist_opts. 0, -ENOMEM or -ECANCELED. */
int hist_build_classes(struct ptui_hist *h, struct ptui_hist *before);

/* hist_facts.c */
void hist_find_unknown(struct ptui_hist *h);
/* 0 or -ENOMEM. */
int hist_find_stacks(struct ptui_hist *h);

/* calltree.c */
void calltree_scratch_free(struct calltree_scratch *s);

#endif
