/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of compare.h. */
#ifndef MODEL_COMPARE_COMPARE_ROWS_PRIVATE_H
#define MODEL_COMPARE_COMPARE_ROWS_PRIVATE_H

#include <stdatomic.h>

#include "model/compare/compare.h"

#define COMPARE_NAMES_MAX 16

struct compare_views {
	atomic_uint refs;
	/* what they were counted for; the profiles are referenced by the views */
	const struct ptui_profile *profile[2];
	uint32_t event[2];
	struct rows_look look;
	struct ptui_hist *hist[2]; /* before, after */
	struct ptui_compare *compare;
	struct ptui_column columns[COMPARE_NAMES_MAX]; /* of the sort keys */
	size_t names[COMPARE_NAMES_MAX];	       /* their indices in both views */
	struct rows_source source;
};

void compare_views_get(const struct compare_views *v, size_t at, bool swapped,
		       struct compare_row *ret);
const char *compare_views_name(const struct compare_views *v, size_t at, size_t name, char *buf,
			       size_t size);

#endif
