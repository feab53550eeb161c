/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picker's preview: events are counted while the picker is open.
 *
 *	marks, cursor --wish--> texts --> ptui_count
 *	ptui_count ----feed---> rates, shares, histories; does it fit, which groups would
 *
 * Computes what to count from marks and cursor, and the values of a row and the sentences below the
 * list from the engine's results.
 */
#ifndef MODEL_PICKER_PICKER_PREVIEW_H
#define MODEL_PICKER_PICKER_PREVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "ptui/count.h"
#include "text/words.h"

struct picker;

/* One text with the last results of its events. */
struct preview_text {
	char *text, *filter; /* filter: NULL for none */
	bool marked;
	struct ptui_count_event *events;
	size_t n;
	bool refused;
};

struct preview {
	struct preview_text *v;
	size_t n;
	struct ptui_count_fit fit;
	struct words proposal; /* texts of -e */
	bool refused;	       /* cannot be counted at all: the reason */
	struct ptui_error why;
};

void preview_init(struct preview *p);
void preview_release(struct preview *p);

/*
 * Determines what to count: all marks, and the event in this row. Keeps results of unchanged texts.
 * *ret_changed: set if the texts changed. 0 or -ENOMEM.
 */
int preview_wish(struct preview *p, const struct picker *picker, size_t row, bool *ret_changed);
/* Passes the texts to the engine. 0 or -ENOMEM. */
int preview_submit(const struct preview *p, struct ptui_count *c);
/* Copies the engine's current results. 0 or -ENOMEM. */
int preview_update(struct preview *p, const struct ptui_count *c);

/* An event in the list. */
struct preview_cell {
	enum ptui_count_state state;
	double rate;  /* per second; NaN: unknown */
	double share; /* 0 to 1 */
	bool is_time; /* counts nanoseconds */
	double history[PTUI_COUNT_HISTORY];
	size_t n_history;
};

/*
 * Of the row's event; of several (a glob) the sum, with the lowest share. False: not counted, or no
 * event in the row.
 */
bool preview_cell(const struct preview *p, const struct picker *picker, size_t row,
		  struct preview_cell *ret);

/*
 * "Marked together: 5 events, 1 counter too few: expect 80 % running". "": nothing to report. Each
 * returns buf.
 */
char *preview_fit_text(const struct preview *p, char *buf, size_t size);
/* "as 2 groups, 50 % running each: {cycles,instructions} {branches}" */
char *preview_proposal_text(const struct preview *p, char *buf, size_t size);
/* "the NMI watchdog holds a counter: …" */
char *preview_watchdog_text(const struct preview *p, char *buf, size_t size);

/*
 * The filters of the proposal's texts, one each, "" for none: texts with filters are unchanged in
 * it. 0 or -ENOMEM.
 */
int preview_proposal_filters(const struct preview *p, struct words *ret);

#endif
