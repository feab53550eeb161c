/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The upper part of Live: one line per event, and next to them derived values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/live/live_derived.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/live/live_private.h"
#include "widget/number.h"
#include "widget/spark.h"

#define COUNT_WIDTH   9
#define RATE_WIDTH    11
#define SHARE_WIDTH   6
#define SPARK_WIDTH   12
#define SPARK_LEAST   6 /* shorter ones show too little */
#define NAME_MAX_WIDE 28
#define NAME_MAX      16 /* on a narrow screen */
#define NAME_MARGIN   3
#define GAP	      2

static void draw_history(const struct live_history *h, const struct canvas *c, int y, int x,
			 int width)
{
	double values[SPARK_WIDTH];
	char text[SPARK_WIDTH * SPARK_CHAR + 1];
	size_t n = 0;

	for (size_t i = h->n > SPARK_WIDTH ? h->n - SPARK_WIDTH : 0; i < h->n; i++)
		values[n++] = live_history_at(h, i);
	canvas_text(c, y, x, ROLE_TEXT, spark_text(values, n, (size_t)width, text, sizeof(text)));
}

/* ---- layout ---- */

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

static int name_width(const struct live_view *v, int width)
{
	int widest = 8;

	for (size_t i = 0; i < v->model.n_lines; i++)
		widest = utf8_widest(widest, v->model.lines[i].name);
	return least_of(widest, width >= 60 ? NAME_MAX_WIDE : NAME_MAX);
}

/* "instructions/cycle", "instructions/cycle:u". Returns buf. */
static const char *derived_title(const struct live_derived *d, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s%s", d->title, *d->of ? ":" : "", d->of);
	return buf;
}

/* As wide as all titles and possible values, so that nothing moves. */
static void derived_widths(const struct live_view *v, int *title, int *value)
{
	*title = *value = 0;
	for (size_t i = 0; i < v->model.n_derived; i++) {
		struct live_derived most = v->model.derived[i];
		char text[128];

		*title = utf8_widest(*title, derived_title(&most, text, sizeof(text)));
		most.value = most.unit == LIVE_DERIVED_CPUS    ? v->model.n_cpus :
			     most.unit == LIVE_DERIVED_PERCENT ? 100 :
								 9.99;
		*value = utf8_widest(*value,
				     live_derived_text(&most, v->model.n_cpus, text, sizeof(text)));
	}
}

/*
 * If space is short, hides in this order: histories of derived values, derived values (the totals
 * then show some), histories of events, running share.
 */
void live_events_layout(const struct live_view *v, int width, struct live_columns *ret)
{
	struct live_columns e = { .name_w = name_width(v, width) };
	int x = NAME_MARGIN + e.name_w + COUNT_WIDTH + RATE_WIDTH, title, value, left;

	if (v->model.shares && x + SHARE_WIDTH <= width) {
		e.share_x = x;
		x += SHARE_WIDTH;
	}
	derived_widths(v, &title, &value);
	e.spark_w = least_of(width - x - GAP, SPARK_WIDTH);
	/* a shorter history, if derived values fit next to it */
	left = width - x - GAP - (GAP + 1 + title + GAP + value);
	if (title && left >= SPARK_LEAST) {
		e.spark_w = least_of(left, SPARK_WIDTH);
		e.derived_x = x + GAP + e.spark_w + GAP + 1;
		e.title_w = title;
		e.value_w = value + GAP;
		left -= e.spark_w + GAP;
		e.derived_spark_w = left >= SPARK_LEAST ? least_of(left, SPARK_WIDTH) : 0;
	}
	if (e.spark_w >= SPARK_LEAST)
		e.spark_x = x + GAP;
	else
		e.spark_w = 0;
	*ret = e;
}

int live_events_height(const struct live_view *v, const struct live_columns *e)
{
	size_t n = v->model.n_lines;

	if (e->derived_x && v->model.n_derived > n)
		n = v->model.n_derived;
	return (int)n;
}

/* ---- events ---- */

static void draw_counts(const struct live_line *l, const struct canvas *c, int y, int x)
{
	char count[32], rate[32];

	if (l->unit == LIVE_UNIT_NS) {
		number_span_ns(count, sizeof(count), l->facts.scaled);
		number_span_ns(rate, sizeof(rate) - 2, (uint64_t)fmax(l->facts.rate, 0));
	} else {
		number_count(count, sizeof(count), (double)l->facts.scaled);
		number_count(rate, sizeof(rate) - 2, l->facts.rate);
	}
	strcat(rate, "/s");
	canvas_cell(c, y, x, COUNT_WIDTH, ALIGN_RIGHT, ROLE_TEXT, count);
	canvas_cell(c, y, x + COUNT_WIDTH, RATE_WIDTH, ALIGN_RIGHT, ROLE_TEXT, rate);
}

static void draw_event(const struct live_view *v, size_t i, const struct canvas *c, int y,
		       const struct live_columns *e)
{
	const struct live_line *l = &v->model.lines[i];
	bool chosen = v->n_events > 1 && i == v->line;
	bool beside = e->derived_x && (size_t)y < v->model.n_derived; /* there is a derived value */
	int x = NAME_MARGIN + e->name_w, end = beside ? e->derived_x - 1 : c->at.w;

	if (chosen)
		canvas_text(c, y, 1, ROLE_KEY, "▸");
	canvas_cell(c, y, NAME_MARGIN, e->name_w, ALIGN_LEFT,
		    (style_t)(ROLE_TEXT | (chosen ? STYLE_BOLD : 0)), l->name);
	switch (l->facts.state) {
	case PTUI_LIVE_NOT_SUPPORTED:
		x += 2 + canvas_text(c, y, x + 2, ROLE_BAD, _("not supported"));
		canvas_cell(c, y, x + 2, end - x - 2, ALIGN_LEFT, ROLE_BAD,
			    l->reason ? l->reason : "");
		return;
	case PTUI_LIVE_NOT_COUNTED:
		/* not scheduled; or no target running, or not read yet */
		canvas_text(c, y, x + 2, ROLE_DIM,
			    ptui_live_is_pipe(v->live)	? _("not known through a pipe") :
			    l->facts.enabled_ns		? _("not counted") :
			    v->model.phase < LIVE_ENDED ? _("nothing counted yet") :
							  _("nothing was counted"));
		return;
	case PTUI_LIVE_ERROR:
		x += 2 + canvas_text(c, y, x + 2, ROLE_BAD, _("error state"));
		canvas_cell(c, y, x + 2, end - x - 2, ALIGN_LEFT, ROLE_BAD,
			    _("pinned (D), but no counter is free for it"));
		return;
	case PTUI_LIVE_COUNTING:
		break;
	}
	draw_counts(l, c, y, x);
	if (e->share_x && l->facts.running_share < 0.995) {
		char share[32];

		snprintf(share, sizeof(share), "%.0f %%", 100 * l->facts.running_share);
		canvas_cell(c, y, e->share_x, SHARE_WIDTH, ALIGN_RIGHT, ROLE_NOTE, share);
	}
	if (e->spark_w)
		draw_history(&l->rates, c, y, e->spark_x, e->spark_w);
}

/* ---- derived values ---- */

static void draw_derived(const struct live_view *v, size_t i, const struct canvas *c, int y,
			 const struct live_columns *e)
{
	const struct live_derived *d = &v->model.derived[i];
	char title[64], value[32];

	live_derived_text(d, v->model.n_cpus, value, sizeof(value));
	canvas_cell(c, y, e->derived_x, e->title_w, ALIGN_LEFT, ROLE_DIM,
		    derived_title(d, title, sizeof(title)));
	canvas_cell(c, y, e->derived_x + e->title_w, e->value_w, ALIGN_RIGHT, ROLE_TEXT, value);
	if (e->derived_spark_w)
		draw_history(&d->values, c, y, e->derived_x + e->title_w + e->value_w + GAP,
			     e->derived_spark_w);
}

static void draw_ratios(const struct live_view *v, const struct canvas *c,
			const struct live_columns *e)
{
	size_t n = v->model.n_derived, seen = (size_t)c->at.h;
	bool more = n > seen && seen > 1;

	if (more)
		seen--;
	for (size_t i = 0; i < seen && i < n; i++)
		draw_derived(v, i, c, (int)i, e);
	if (more)
		canvas_printf(c, (int)seen, e->derived_x, ROLE_DIM, _("… and %zu more"), n - seen);
}

/* The events that fit, including the selected one; hidden ones are counted in the last line. */
void live_events_draw(const struct live_view *v, const struct canvas *c,
		      const struct live_columns *e)
{
	size_t n = v->model.n_lines, seen = (size_t)c->at.h, first = 0;
	bool more = n > seen && seen > 1;

	if (more)
		seen--;
	if (v->line >= seen)
		first = v->line - seen + 1;
	for (size_t i = 0; i < seen && first + i < n; i++)
		draw_event(v, first + i, c, (int)i, e);
	if (more)
		canvas_printf(c, (int)seen, NAME_MARGIN, ROLE_DIM,
			      Q_("… and %zu more event", "… and %zu more events", n - seen),
			      n - seen);
	if (e->derived_x)
		draw_ratios(v, c, e);
}
