/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two views side by side: which rows grew, which shrank, which are in one of them only.
 *
 *   before: hist ---.                          row:  7.1 %  ->  12.4 %   +5.3   do_work
 *                    >-- same keys, same texts ----> 3.0 %  ->   0.0 %   -3.0   gone_now
 *   after:  hist ---'
 *
 * Views of different recordings have nothing in common but what they say: rows are the same when
 * the cells of all keys that tell rows apart are.
 */
#ifndef PTUI_COMPARE_H
#define PTUI_COMPARE_H

#include "ptui/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_compare;

/*
 * Both views must be made with the same -s, -F, children: -EINVAL is told otherwise. They stay the
 * caller's and must live as long; neither changes. NULL on failure. The result never changes: any
 * number of threads may look at it.
 */
struct ptui_compare *ptui_compare_new(const struct ptui_hist *before, const struct ptui_hist *after,
				      struct ptui_error *err);
void ptui_compare_free(struct ptui_compare *c); /* NULL ok */

#define PTUI_COMPARE_NONE SIZE_MAX

struct ptui_compare_row {
	size_t before, after;		  /* rows of the two views; PTUI_COMPARE_NONE: not there */
	double share_before, share_after; /* self, of the view's total, 0 to 1 */
	double children_before,
		children_after; /* with callees; the same as self without children */
	double delta; /* share_after - share_before, or of the children where the views have them */
	/*
	 * Samples are drawn by chance: shares that are the same differ by no more than this in 19
	 * of 20 such pairs of recordings. A delta that is not larger says nothing.
	 */
	double noise;
};

size_t ptui_compare_n_rows(const struct ptui_compare *c);
/* Those that changed most come first, whichever way; equal ones as the view after has them. */
void ptui_compare_row(const struct ptui_compare *c, size_t i, struct ptui_compare_row *ret);
/* The cell of a column as the view says it that has the row (after, if both have). As snprintf. */
int ptui_compare_cell(const struct ptui_compare *c, size_t i, size_t col, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
