/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The butterfly of a function as rows: callers above it, callees below, the largest next to it.
 *
 *	main    30.00%   caller
 *	run     70.00%   caller
 *	parse  100.00%   function
 *	        40.00%   itself
 *	eval    60.00%   callee
 */
#ifndef MODEL_BUTTERFLY_BUTTERFLY_H
#define MODEL_BUTTERFLY_BUTTERFLY_H

#include "model/rows/rows_look.h"
#include "text/words.h"

/* What is counted: as in a list of rows. */
struct butterfly_opts {
	struct ptui_hist_opts hist; /* without what the look has; its texts are never freed */
	struct rows_look look;
	/* only these functions were in the list, for percentages that are relative to it */
	bool user, kernel;
};

enum butterfly_kind {
	BUTTERFLY_OUTERMOST, /* nothing calls the function */
	BUTTERFLY_CALLER,
	BUTTERFLY_FUNCTION,
	BUTTERFLY_SELF,
	BUTTERFLY_CALLEE,
};

struct butterfly_row {
	enum butterfly_kind kind;
	uint32_t frame;
	double of_function, of_total; /* percentages */
	const char *name, *dso;	      /* NULL for BUTTERFLY_OUTERMOST and BUTTERFLY_SELF */
};

struct butterfly {
	struct butterfly_row *rows;
	size_t n, centre;
	struct words texts;  /* of the rows */
	double self_percent; /* of the total */
};

/* Slow: for a thread. NULL: failed, or cancelled by opts->hist.progress. */
struct ptui_hist *butterfly_count(struct ptui_profile *p, const struct butterfly_opts *opts,
				  struct ptui_error *err);
/* The function of a frame. Slow as well. NULL: out of memory. */
struct butterfly *butterfly_new(const struct ptui_hist *h, uint32_t frame, struct ptui_error *err);
void butterfly_free(struct butterfly *b); /* NULL ok */

/* "caller", "itself": translated. */
const char *butterfly_role(enum butterfly_kind kind);
/* True: the row is another function, which can become the centre. */
bool butterfly_leads_on(const struct butterfly *b, size_t row);

#endif
