/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/live_private.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/scroll.h"
#include "widget/spark.h"

#define COUNT_WIDTH   9
#define RATE_WIDTH    11
#define SHARE_WIDTH   6
#define SPARK_WIDTH   12
#define NAME_MAX_WIDE 28
#define NAME_MAX      16 /* on a narrow screen */
#define DERIVED_TITLE 19
#define DERIVED_VALUE 8

/* Where the parts of an event's line stand; width 0: there is no room for it. */
struct event_columns {
	int name_w;
	int spark_x, spark_w;
	int share_x;
	int derived_x, derived_spark_w;
};

int live_layout_make(struct live_view *v)
{
	struct box *root = box_new("live", &(struct box){ .direction = BOX_COLUMN });

	v->root = root;
	if (!root ||
	    box_add(root, box_new("events", &(struct box){ .sizing = BOX_CONTENT, .min = 1 })) ||
	    box_add(root, box_new("totals", &(struct box){ .size = 1 })) ||
	    box_add(root, box_new("note", &(struct box){ .size = 1, .hide = 2 })) ||
	    box_add(root, box_new("rule", &(struct box){ .size = 1, .hide = 3 })) ||
	    box_add(root, box_new("hot", &(struct box){ .sizing = BOX_FILL, .min = 2 })))
		return -ENOMEM;
	return 0;
}

/* ---- the first line ---- */

static style_t phase_style(enum live_phase phase)
{
	switch (phase) {
	case LIVE_RECORDING:
		return ROLE_GOOD;
	case LIVE_FAILED:
		return ROLE_BAD;
	default:
		return ROLE_NOTE;
	}
}

void live_state_text(const struct live_view *v, char *buf, size_t size, style_t *ret_style)
{
	char clock[32];

	number_clock_ns(clock, sizeof(clock), v->model.stats.elapsed_ns);
	snprintf(buf, size, "%s %s", live_phase_text(v->model.phase), clock);
	*ret_style = phase_style(v->model.phase);
}

void live_draw_head(void *self, const struct canvas *line)
{
	struct live_view *v = self;
	const struct ptui_live_stats *s = &v->model.stats;
	char where[512], state[256], child[128];
	bool ended = v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED;
	/* how it ended is news, how it was taken is not */
	int room = ended ? 110 : 72;
	style_t style;
	size_t n;

	live_child_text(ptui_live_child_status(v->live), child, sizeof(child));
	live_state_text(v, state, sizeof(state), &style);
	n = strlen(state);
	if (*child && n < sizeof(state))
		n += (size_t)snprintf(state + n, sizeof(state) - n, "   %s", child);
	if (line->at.w >= room && v->rate && n < sizeof(state))
		n += (size_t)snprintf(state + n, sizeof(state) - n, "   %s", v->rate);
	if (line->at.w >= room - 12 && n < sizeof(state))
		snprintf(state + n, sizeof(state) - n, _("   own %4.1f %%"), 100 * s->cpu_share);
	/* among tabs, its name stands there already */
	if (stack_n_tabs(v->stack) > 1)
		snprintf(where, sizeof(where), "%s", v->target);
	else
		snprintf(where, sizeof(where), _("Live  %s"), v->target);
	line_head(line, 0, where, state, style);
}

/* ---- events ---- */

static void draw_history(const struct live_history *h, const struct canvas *c, int y, int x,
			 int width)
{
	struct spark spark;
	size_t n = (size_t)width < h->n ? (size_t)width : h->n;

	spark_init(&spark);
	for (size_t i = h->n - n; i < h->n; i++)
		spark_add(&spark, live_history_at(h, i));
	spark_draw(&spark, c, y, x, width, ROLE_TEXT);
}

static struct event_columns layout_events(const struct live_view *v, int width)
{
	struct event_columns e = { .name_w = 8 };
	int most = width >= 60 ? NAME_MAX_WIDE : NAME_MAX, x;

	for (size_t i = 0; i < v->model.n_lines; i++) {
		int w = utf8_width(v->model.lines[i].name);

		if (w > e.name_w)
			e.name_w = w;
	}
	if (e.name_w > most)
		e.name_w = most;
	x = 3 + e.name_w + COUNT_WIDTH + RATE_WIDTH;
	if (v->model.shares && x + SHARE_WIDTH <= width) {
		e.share_x = x;
		x += SHARE_WIDTH;
	}
	if (x + 2 + SPARK_WIDTH <= width) {
		e.spark_x = x + 2;
		e.spark_w = SPARK_WIDTH;
		x += 2 + SPARK_WIDTH;
	}
	if (e.spark_w && x + 3 + DERIVED_TITLE + DERIVED_VALUE <= width) {
		e.derived_x = x + 3;
		x += 3 + DERIVED_TITLE + DERIVED_VALUE;
		if (x + 2 + SPARK_WIDTH <= width)
			e.derived_spark_w = SPARK_WIDTH;
	}
	return e;
}

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
		       const struct event_columns *e)
{
	const struct live_line *l = &v->model.lines[i];
	bool chosen = v->n_events > 1 && i == v->line;
	int x = 3 + e->name_w;

	if (chosen)
		canvas_text(c, y, 1, ROLE_KEY, "▸");
	canvas_cell(c, y, 3, e->name_w, ALIGN_LEFT,
		    (style_t)(ROLE_TEXT | (chosen ? STYLE_BOLD : 0)), l->name);
	switch (l->facts.state) {
	case PTUI_LIVE_NOT_SUPPORTED:
		x += 2 + canvas_text(c, y, x + 2, ROLE_BAD, _("not supported"));
		canvas_cell(c, y, x + 2, c->at.w - x - 2, ALIGN_LEFT, ROLE_BAD,
			    l->reason ? l->reason : "");
		return;
	case PTUI_LIVE_NOT_COUNTED:
		/* it had no counter; or there was nobody to be counted, or no look at it yet */
		canvas_text(c, y, x + 2, ROLE_DIM,
			    l->facts.enabled_ns		   ? _("not counted") :
			    v->model.phase < LIVE_ENDED ? _("nothing counted yet") :
							     _("nothing was counted"));
		return;
	case PTUI_LIVE_ERROR:
		x += 2 + canvas_text(c, y, x + 2, ROLE_BAD, _("error state"));
		canvas_cell(c, y, x + 2, c->at.w - x - 2, ALIGN_LEFT, ROLE_BAD,
			    _("pinned (D), but the kernel found no counter for it"));
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

static void derived_text(const struct live_derived *d, char *buf, size_t size)
{
	if (isnan(d->value))
		snprintf(buf, size, "–");
	else if (d->unit == LIVE_DERIVED_PERCENT)
		snprintf(buf, size, "%.1f %%", d->value);
	else
		snprintf(buf, size, "%.2f", d->value);
}

static void draw_derived(const struct live_derived *d, const struct canvas *c, int y,
			 const struct event_columns *e)
{
	char value[32];

	derived_text(d, value, sizeof(value));
	canvas_cell(c, y, e->derived_x, DERIVED_TITLE, ALIGN_LEFT, ROLE_DIM, d->title);
	canvas_cell(c, y, e->derived_x + DERIVED_TITLE, DERIVED_VALUE, ALIGN_RIGHT, ROLE_TEXT,
		    value);
	if (e->derived_spark_w)
		draw_history(&d->values, c, y, e->derived_x + DERIVED_TITLE + DERIVED_VALUE + 2,
			     e->derived_spark_w);
}

/* Those that fit, the chosen one among them; what is left out is said in the last line. */
static void draw_events(const struct live_view *v, const struct canvas *c,
			const struct event_columns *e)
{
	size_t n = v->model.n_lines, seen = (size_t)c->at.h, first = 0;
	bool more = n > seen && seen > 1;

	if (more)
		seen--;
	if (v->line >= seen)
		first = v->line - seen + 1;
	for (size_t i = 0; i < seen && first + i < n; i++) {
		draw_event(v, first + i, c, (int)i, e);
		if (e->derived_x && i < v->model.n_derived)
			draw_derived(&v->model.derived[i], c, (int)i, e);
	}
	if (more)
		canvas_printf(c, (int)seen, 3, ROLE_DIM,
			      Q_("… and %zu more event", "… and %zu more events", n - seen),
			      n - seen);
}

/* ---- totals ---- */

static void add_fact(struct line_fact *facts, size_t *n, style_t style, int hide, const char *title,
		     const char *value)
{
	struct line_fact *f = &facts[(*n)++];

	snprintf(f->text, sizeof(f->text), "%s %s", title, value);
	f->style = style;
	f->hide = hide;
}

static void draw_totals(const struct live_view *v, const struct canvas *c, bool derived_too)
{
	const struct ptui_live_stats *s = &v->model.stats;
	uint64_t lost = s->lost > s->lost_samples ? s->lost : s->lost_samples;
	const char *path = ptui_live_output(v->live), *slash = path ? strrchr(path, '/') : NULL;
	struct line_fact facts[12];
	struct ptui_snapshot last;
	char buf[64];
	size_t n = 0;

	add_fact(facts, &n, ROLE_TEXT, 0, _("samples"), number_full(buf, sizeof(buf), s->samples));
	add_fact(facts, &n, lost ? ROLE_BAD : ROLE_TEXT, 0, _("lost"),
		 number_full(buf, sizeof(buf), lost));
	add_fact(facts, &n, s->throttled ? ROLE_NOTE : ROLE_TEXT, s->throttled ? 1 : 4,
		 _("throttled"), number_full(buf, sizeof(buf), s->throttled));
	snprintf(buf, sizeof(buf), "%.0f %%", 100 * s->ring_fill_max);
	add_fact(facts, &n, s->ring_fill_max > 0.8 ? ROLE_NOTE : ROLE_TEXT, 5, _("rings at most"),
		 buf);
	if (path)
		add_fact(facts, &n, ROLE_TEXT, 2, slash ? slash + 1 : path,
			 number_bytes(buf, sizeof(buf), s->bytes));
	if (snapshot_list_last(v->snapshots.list, &last)) {
		char clock[32];

		number_clock_ns(clock, sizeof(clock), last.taken_ns);
		snprintf(buf, sizeof(buf), _("%zu (last %s)"), snapshot_list_taken(v->snapshots.list), clock);
		add_fact(facts, &n, ROLE_TEXT, 0, _("snapshots"), buf);
	}
	for (size_t i = 0; derived_too && i < v->model.n_derived && i < 4; i++) {
		derived_text(&v->model.derived[i], buf, sizeof(buf));
		add_fact(facts, &n, ROLE_TEXT, 3, v->model.derived[i].title, buf);
	}
	line_facts(c, 0, "", facts, n);
}

/* ---- the hottest functions ---- */

static void draw_wrapped(const struct canvas *c, const char *text)
{
	for (int y = 0; text && y < c->at.h; y++) {
		size_t bytes;
		const char *next = scroll_wrap(text, c->at.w - 2, &bytes);

		canvas_printf(c, y, 1, ROLE_DIM, "%.*s", (int)bytes, text);
		text = next;
	}
}

static void draw_hot(struct live_view *v, const struct canvas *c)
{
	const char *text =
		ptui_live_has_ring(v->live) ?
			_("Only the last samples are kept: a snapshot (s), and the end, show what they are.") :
			_("No samples yet: functions come here as soon as they are sampled.");

	if (live_hot_count(v->hot, 0)) {
		tree_draw(&v->tree, c);
		return;
	}
	if (v->line < v->n_events && v->events[v->line].profile_event == PTUI_NONE)
		text = _("None of the events can be sampled on this machine.");
	else if (live_look_view(v).since_ns)
		text = _("No samples since then.");
	else if (v->info.generation && v->line < v->n_events && v->events[v->line].samples &&
		 v->model.phase < LIVE_ENDED)
		text = ""; /* they are being added up */
	else if (v->model.phase == LIVE_PAUSED)
		text = _("Paused before the first sample: Space goes on.");
	else if (v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED)
		text = _("Nothing was sampled.");
	draw_wrapped(c, text);
}

/* Events get a third of the screen: the functions are what is looked for. */
static void reflow(struct live_view *v, const struct canvas *c, bool note)
{
	int events = (int)v->model.n_lines, most = c->at.h / 3 > 1 ? c->at.h / 3 : 1;

	box_set_content(box_find(v->root, "events"), events < most ? events : most);
	box_set_off(box_find(v->root, "note"), !note);
	box_reflow(v->root, c->at.h, c->at.w);
}

void live_draw(void *self, const struct canvas *c)
{
	struct live_view *v = self;
	struct event_columns e = layout_events(v, c->at.w);
	struct canvas part;
	char note[512];

	if (ptui_live_output(v->live))
		live_missing_text(v->info.left, v->model.stats.dropped_samples, note, sizeof(note));
	else
		live_gone_text(v->info.left, v->model.stats.dropped_samples, note, sizeof(note));
	live_arm_text(v, note, sizeof(note));
	live_look_text(v, note, sizeof(note));
	live_output_set_size(v, c->at.h, c->at.w);
	reflow(v, c, *note);
	part = box_canvas(box_find(v->root, "events"), c);
	draw_events(v, &part, &e);
	part = box_canvas(box_find(v->root, "totals"), c);
	draw_totals(v, &part, !e.derived_x);
	part = box_canvas(box_find(v->root, "note"), c);
	canvas_text(&part, 0, 1, ROLE_NOTE, note);
	part = box_canvas(box_find(v->root, "rule"), c);
	if (part.at.h)
		canvas_rule(&part, 0);
	part = box_canvas(box_find(v->root, "hot"), c);
	v->hot_at = box_find(v->root, "hot")->at;
	draw_hot(v, &part);
}
