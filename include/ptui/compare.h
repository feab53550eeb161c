/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comparison of two histograms: which rows grew, shrank, or exist in only one of them.
 *
 *   before: hist ---.                          row:  7.1 %  ->  12.4 %   +5.3   do_work
 *                    >-- same keys, same texts ----> 3.0 %  ->   0.0 %   -3.0   gone_now
 *   after:  hist ---'
 *
 * Histograms of different recordings share no ids, so rows match by text: two rows are the same
 * when the cells of all their grouping keys are equal.
 */
#ifndef PTUI_COMPARE_H
#define PTUI_COMPARE_H

#include "ptui/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ptui_compare;

/*
 * Both histograms must have the same sort keys, fields and children setting; otherwise NULL with
 * err set to -EINVAL. They are borrowed and must outlive the comparison. The result is immutable:
 * any number of threads may read it.
 */
struct ptui_compare *ptui_compare_new(const struct ptui_hist *before, const struct ptui_hist *after,
				      struct ptui_error *err);
void ptui_compare_free(struct ptui_compare *c); /* NULL ok */

#define PTUI_COMPARE_NONE SIZE_MAX

struct ptui_compare_row {
	/* rows of the two histograms; PTUI_COMPARE_NONE: no such row */
	size_t before, after;
	double share_before, share_after; /* self share of the histogram's total, 0 to 1 */
	double children_before,
		children_after; /* children share; equal to the self share without children */
	/* share_after - share_before, or the difference of the children shares if enabled */
	double delta;
	/*
	 * 95 % confidence bound of the sampling error: a delta that does not exceed it is not
	 * significant.
	 */
	double noise;
};

size_t ptui_compare_n_rows(const struct ptui_compare *c);
/* Rows are sorted by |delta|, largest first; equal ones in the order of `after`. */
void ptui_compare_row(const struct ptui_compare *c, size_t i, struct ptui_compare_row *ret);
/*
 * Text of a cell, from `after` if the row exists there, else from `before`. Returns like
 * snprintf().
 */
int ptui_compare_cell(const struct ptui_compare *c, size_t i, size_t col, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
