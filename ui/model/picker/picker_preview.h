/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picker's preview: events are counted while the picker is open.
 *
 *	marks, cursor --wishes--> ptui_count --> its results --> cells of rows, sentences below the list
 */
#ifndef MODEL_PICKER_PICKER_PREVIEW_H
#define MODEL_PICKER_PICKER_PREVIEW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "ptui/count.h"
#include "text/words.h"

struct picker;

/*
 * What to count, as for -e, each with its filter or "": the marks, and after these *ret_marked texts
 * the event in this row if it is unmarked. 0 or -ENOMEM.
 */
int preview_wishes(const struct picker *p, size_t row, struct words *events, struct words *filters,
		   size_t *ret_marked);

/* An event in the list. */
struct preview_cell {
	enum ptui_count_state state;
	double rate;  /* per second; NaN: unknown */
	double share; /* 0 to 1 */
	bool is_time; /* counts nanoseconds */
	double history[PTUI_COUNT_HISTORY];
	size_t n_history;
};
#define PREVIEW_CELL_INIT               \
	{                               \
		.rate = NAN, .share = 1 \
	}
/* Adds one of several events (a glob): the sum, with the lowest share and the worst state. */
void preview_add(struct preview_cell *cell, const struct ptui_count_event *e);

/*
 * "Marked together: 5 events, 1 counter too few: expect 80 % running". "": nothing to report. Both
 * return buf.
 */
char *preview_fit_text(const struct ptui_count_fit *f, char *buf, size_t size);
/* Of the proposed texts: "as 2 groups, 50 % running each: {cycles,instructions} {branches}" */
char *preview_proposal_text(const struct ptui_count_fit *f, const struct words *proposal, char *buf,
			    size_t size);
/*
 * The filters of a proposal for these marks, one each, "" for none: texts with filters are unchanged
 * in it. 0 or -ENOMEM.
 */
int preview_proposal_filters(const struct words *proposal, const struct words *events,
			     const struct words *filters, struct words *ret);

#endif
