/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of compare_rows.h. */
#ifndef MODEL_COMPARE_COMPARE_ROWS_PRIVATE_H
#define MODEL_COMPARE_COMPARE_ROWS_PRIVATE_H

#include <stdatomic.h>

#include "model/compare/compare_rows.h"

#define COMPARE_NAMES_MAX 16

struct compare_views {
	atomic_uint refs;
	struct compare_views_opts opts; /* its profiles are referenced by the views */
	char sort[COMPARE_TEXT_MAX];
	struct ptui_hist *hist[2]; /* before, after */
	struct ptui_compare *compare;
	size_t names[COMPARE_NAMES_MAX], n_names; /* columns of the sort keys */
};

struct compare_rows {
	struct compare_views *views; /* a reference */
	bool swapped;
	uint32_t *rows; /* of the comparison, in display order */
	size_t n;
	uint32_t *places; /* by row of the comparison; PTUI_NONE: hidden */
	size_t n_below, n_unsure;
	double most;
};

#endif
