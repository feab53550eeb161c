/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the picker shows of events that are counted while a person looks at them.
 *
 *	marks, cursor --wish--> texts --> ptui_count
 *	ptui_count ----feed---> rates, shares, histories; does it fit, which groups would
 *
 * Takes: the picker's marks and cursor, and what the engine has found. Gives: the facts of a row, and
 * the sentences below the list. It is not for drawing, and it measures nothing.
 */
#ifndef MODEL_PICKER_PICKER_PREVIEW_H
#define MODEL_PICKER_PICKER_PREVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "model/setup/setup_words.h"
#include "ptui/count.h"

struct picker;

/* One text, and what is known of its events; as it was fed last. */
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
	bool refused;	       /* nothing at all may be counted: why */
	struct ptui_error why;
};

void preview_init(struct preview *p);
void preview_release(struct preview *p);

/*
 * What is to be counted now: all marks, and the event in this row. What is known of those that were
 * there before stays. *ret_changed: they are others than before. 0 or -ENOMEM.
 */
int preview_wish(struct preview *p, const struct picker *picker, size_t row, bool *ret_changed);
/* Tells the engine. 0 or -ENOMEM. */
int preview_tell(const struct preview *p, struct ptui_count *c);
/* Takes what the engine knows by now. 0 or -ENOMEM. */
int preview_feed(struct preview *p, const struct ptui_count *c);

/* An event in the list. */
struct preview_cell {
	enum ptui_count_state state;
	double rate;  /* a second; NaN: not known */
	double share; /* 0 to 1 */
	bool is_time; /* it counts nanoseconds */
	double history[PTUI_COUNT_HISTORY];
	size_t n_history;
};

/*
 * Of the row's event; of several (a glob) all together, the least share. False: it is not counted, or
 * there is no event in the row.
 */
bool preview_cell(const struct preview *p, const struct picker *picker, size_t row,
		  struct preview_cell *ret);

/* The last `width` values in as many columns, the highest of them as the scale. Returns buf. */
char *preview_spark(const struct preview_cell *cell, size_t width, char *buf, size_t size);

/*
 * "Marked together: 5 events, 1 counter too few: expect 80 % running". "": there
 * is nothing to be said. Each returns buf.
 */
char *preview_fit_text(const struct preview *p, char *buf, size_t size);
/* "as 2 groups, 50 % running each: {cycles,instructions} {branches}" */
char *preview_proposal_text(const struct preview *p, char *buf, size_t size);
/* "the NMI watchdog holds a counter: …" */
char *preview_watchdog_text(const struct preview *p, char *buf, size_t size);

/*
 * The filters of the proposal's texts, as many, "" for none: texts with filters stand in it as they
 * stood among the marks. 0 or -ENOMEM.
 */
int preview_proposal_filters(const struct preview *p, struct words *ret);

#endif
