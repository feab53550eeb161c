/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/amount.h"
#include "model/browser/trust.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/live/live_private.h"
#include "widget/line.h"
#include "widget/scroll.h"
#include "widget/spark.h"

/* ---- one line per event, and next to them derived values ---- */

#define COUNT_WIDTH   9
#define RATE_WIDTH    11
#define SHARE_WIDTH   6
#define SPARK_WIDTH   12
#define SPARK_LEAST   6 /* shorter ones show too little */
#define NAME_MAX_WIDE 28
#define NAME_MAX      16 /* on a narrow screen */
#define NAME_MARGIN   3
#define GAP	      2

/* Columns of an event's line; 0: no room, or nothing to show. */
struct live_columns {
	int name_w;
	int spark_x, spark_w;
	int share_x;
	int derived_x, title_w, value_w, derived_spark_w;
};

static void draw_history(const struct live_history *h, const struct canvas *c, int y, int x,
			 int width)
{
	char text[SPARK_WIDTH * SPARK_CHAR + 1];

	canvas_text(c, y, x, ROLE_TEXT,
		    spark_text(h->values, h->n, (size_t)width, text, sizeof(text)));
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
		widest = utf8_widest(widest, v->model.lines[i].facts.name);
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
static void live_events_layout(const struct live_view *v, int width, struct live_columns *ret)
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

/* Preferred height. */
static int live_events_height(const struct live_view *v, const struct live_columns *e)
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

	amount_text(l->facts.name, (double)l->facts.scaled, count, sizeof(count));
	amount_text(l->facts.name, l->facts.rate, rate, sizeof(rate) - 2);
	text_append(rate, sizeof(rate), "/s");
	canvas_cell(c, y, x, COUNT_WIDTH, ALIGN_RIGHT, ROLE_TEXT, count);
	canvas_cell(c, y, x + COUNT_WIDTH, RATE_WIDTH, ALIGN_RIGHT, ROLE_TEXT, rate);
}

static void draw_event(const struct live_view *v, size_t i, const struct canvas *c, int y,
		       const struct live_columns *e)
{
	const struct live_line *l = &v->model.lines[i];
	bool chosen = v->model.n_lines > 1 && i == v->line;
	bool beside = e->derived_x && (size_t)y < v->model.n_derived; /* there is a derived value */
	int x = NAME_MARGIN + e->name_w, end = beside ? e->derived_x - 1 : c->at.w;

	if (chosen)
		canvas_text(c, y, 1, ROLE_KEY, "▸");
	canvas_cell(c, y, NAME_MARGIN, e->name_w, ALIGN_LEFT,
		    (style_t)(ROLE_TEXT | (chosen ? STYLE_BOLD : 0)), l->facts.name);
	switch (l->facts.state) {
	case PTUI_LIVE_NOT_SUPPORTED:
		x += 2 + canvas_text(c, y, x + 2, ROLE_BAD, _("not supported"));
		canvas_cell(c, y, x + 2, end - x - 2, ALIGN_LEFT, ROLE_BAD,
			    l->facts.reason ? l->facts.reason : "");
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
static void live_events_draw(const struct live_view *v, const struct canvas *c,
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

/* ---- the line below: counts of the recorder, and the state of its ring buffers ---- */

static void add_fact(struct line_fact *facts, size_t *n, style_t style, int hide, const char *title,
		     const char *value)
{
	line_add_fact(facts, n, style, hide, "%s %s", title, value);
}

/* Fill level of the fullest ring as a bar, and the maximum so far. */
static const char *rings_text(const struct ptui_live_stats *s, char *buf, size_t size)
{
	char bar[SPARK_CHAR + 1];

	snprintf(buf, size, _("%s %2.0f %%, at most %.0f %%"), spark_char(s->ring_fill, bar),
		 100 * s->ring_fill, 100 * s->ring_fill_max);
	return buf;
}

/* "0", "1,234 (1.2 %)": relative to all samples. */
static const char *lost_text(uint64_t samples, uint64_t lost, char *buf, size_t size)
{
	snprintf(buf, size, "%s", grouped(lost).text);
	if (lost)
		text_append(buf, size, " (%.1f %%)",
			    100.0 * (double)lost / ((double)lost + (double)samples));
	return buf;
}

#define TRUST_ROOMY 100 /* narrower lines do not name the DSOs */

/* What is wrong with names and stacks; T shows the rest, and the remedies. The first is never hidden. */
static void add_trust(const struct live_view *v, int width, struct line_fact *facts, size_t *n)
{
	size_t n_trust = v->hot ? v->hot->n_facts : 0;
	const struct trust_fact *trust = v->hot ? v->hot->facts : NULL;
	const char *more;
	bool stacks = false;
	int hide = 0;

	for (size_t i = 0; i < n_trust; i++) {
		/* of several facts about stacks the first is the most important */
		if (trust[i].level == TRUST_FINE || (trust[i].kind == TRUST_STACKS && stacks) ||
		    (trust[i].kind != TRUST_STACKS && trust[i].kind != TRUST_UNVERIFIED))
			continue;
		stacks |= trust[i].kind == TRUST_STACKS;
		more = width < TRUST_ROOMY ? strstr(trust[i].text, " (") : NULL;
		line_add_fact(facts, n, trust[i].level == TRUST_BAD ? ROLE_BAD : ROLE_NOTE, hide,
			      "! %.*s", more ? (int)(more - trust[i].text) : 90, trust[i].text);
		hide = 1;
	}
}

static void live_totals_draw(const struct live_view *v, const struct canvas *c, bool derived_too)
{
	const struct ptui_live_stats *s = &v->model.stats;
	uint64_t lost = live_lost(s);
	const char *path = ptui_live_output(v->live);
	struct line_fact facts[15 + TRUST_FACTS_MAX];
	const struct snapshot_list *list = v->snapshots.list;
	char buf[64];
	size_t n = 0;

	add_fact(facts, &n, ROLE_TEXT, 0, _("samples"), grouped(s->samples).text);
	add_fact(facts, &n, lost ? ROLE_BAD : ROLE_TEXT, lost ? 0 : 1, _("lost"),
		 lost_text(s->samples, lost, buf, sizeof(buf)));
	if (s->lost_sideband)
		add_fact(facts, &n, ROLE_BAD, 0, _("sideband lost"),
			 grouped(s->lost_sideband).text);
	if (s->not_unwound)
		add_fact(facts, &n, ROLE_NOTE, 1, _("not unwound"), grouped(s->not_unwound).text);
	add_trust(v, c->at.w, facts, &n);
	add_fact(facts, &n, s->throttled ? ROLE_NOTE : ROLE_TEXT, s->throttled ? 1 : 4,
		 _("throttled"), grouped(s->throttled).text);
	if (!ptui_live_is_pipe(v->live))
		add_fact(facts, &n, live_rings_are_full(s) ? ROLE_BAD : ROLE_TEXT, 5, _("rings"),
			 rings_text(s, buf, sizeof(buf)));
	if (path)
		add_fact(facts, &n, ROLE_TEXT, 3, text_file_name(path),
			 number_bytes(buf, sizeof(buf), s->bytes));
	if (list->taken) {
		char clock[32];

		number_clock_ns(clock, sizeof(clock), list->last.taken_ns);
		snprintf(buf, sizeof(buf), _("%zu (last %s)"), list->taken, clock);
		add_fact(facts, &n, ROLE_TEXT, 2, _("snapshots"), buf);
	}
	for (size_t i = 0; derived_too && i < v->model.n_derived && i < 4; i++) {
		live_derived_text(&v->model.derived[i], v->model.n_cpus, buf, sizeof(buf));
		add_fact(facts, &n, ROLE_TEXT, 2, v->model.derived[i].title, buf);
	}
	line_facts(c, "", facts, n);
}

/* Height of a roomy screen, and the maximum lines of its note; of one whose note always has two. */
#define ROOMY	  18
#define NOTE_MOST 3
#define TALL	  30

void live_layout_init(struct live_view *v)
{
	static const struct box boxes[N_LIVE_BOXES] = {
		[BOX_EVENTS] = { .min = 1 },
		[BOX_TOTALS] = { .size = 1 },
		[BOX_NOTE] = { .hide = 2 },
		[BOX_RULE] = { .size = 1, .hide = 3 },
		[BOX_FUNCTIONS] = { .size = 2, .fill = true },
	};

	memcpy(v->boxes, boxes, sizeof(boxes));
}

/* ---- the first line ---- */

static void live_state_text(const struct live_view *v, char *buf, size_t size, style_t *ret_style)
{
	char clock[32];

	number_clock_ns(clock, sizeof(clock), v->model.stats.elapsed_ns);
	snprintf(buf, size, "%s %s", live_phase_text(v->model.phase, ptui_live_output(v->live)),
		 clock);
	*ret_style = v->model.phase == LIVE_RECORDING ? ROLE_HOT :
		     v->model.phase == LIVE_FAILED    ? ROLE_BAD :
							ROLE_NOTE;
}

void live_draw_light(void *self, char *buf, size_t size, style_t *ret_style)
{
	const struct live_view *v = self;
	char *tenths;

	live_state_text(v, buf, size, ret_style);
	/* whole seconds: it is not what is being looked at */
	tenths = strrchr(buf, '.');
	if (tenths)
		*tenths = '\0';
}

void live_draw_head(void *self, const struct canvas *line)
{
	struct live_view *v = self;
	const struct ptui_live_stats *s = &v->model.stats;
	char where[512], state[256], child[128];
	bool ended = v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED;
	/* the result needs room, the rate does not */
	int room = ended ? 110 : 72;
	style_t style;

	live_child_text(ptui_live_child_status(v->live), child, sizeof(child));
	live_state_text(v, state, sizeof(state), &style);
	if (*child)
		text_append(state, sizeof(state), "   %s", child);
	if (line->at.w >= room && v->opts.rate)
		text_append(state, sizeof(state), "   %s", v->opts.rate);
	if (line->at.w >= room - 12)
		text_append(state, sizeof(state), _("   own %4.1f %%"), 100 * s->cpu_share);
	/* the tab shows the name already */
	if (stack_n_tabs(v->stack) > 1)
		snprintf(where, sizeof(where), "%s", v->opts.target);
	else
		snprintf(where, sizeof(where), _("Live  %s"), v->opts.target);
	line_head(line, where, state, style);
}

/* ---- the hottest functions ---- */

static void draw_hot(struct live_view *v, const struct canvas *c)
{
	char children[256];
	const char *text =
		ptui_live_has_ring(v->live) ?
			_("Only the last samples are kept: take a snapshot (s) or stop to see them.") :
			_("No samples yet: functions appear here as soon as they are sampled.");

	if (v->hot && rows_n(v->hot->rows)) {
		rows_view_draw(&v->rows, c);
		return;
	}
	if (v->line < v->model.n_lines && live_event_of(v) == PTUI_NONE)
		text = _("None of the events can be sampled on this machine.");
	else if (live_look_view(v).since_ns)
		text = _("No samples since then.");
	/* still being counted */
	else if ((v->info.generation || !ptui_live_has_ring(v->live)) &&
		 v->line < v->model.n_lines && v->model.lines[v->line].facts.samples &&
		 v->model.phase < LIVE_ENDED)
		text = v->info.generation ? "" :
					    _("Looking up the functions of the first samples.");
	else if (v->model.phase == LIVE_PAUSED)
		text = _("Paused before the first sample: press Space to resume.");
	else if (v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED)
		text = _("No samples were taken.");
	if (*v->model.stats.children && !live_look_view(v).since_ns) {
		snprintf(
			children, sizeof(children),
			_("No samples: the children of the process must be selected as well: -p %s"),
			v->model.stats.children);
		text = children;
	}
	scroll_text(c, 0, 1, c->at.w - 2, ROLE_DIM, text);
}

/* The rule above the functions shows how many are above the first visible one. */
static void draw_rule(const struct live_view *v, const struct canvas *c)
{
	size_t n = v->hot && rows_n(v->hot->rows) ? v->rows.tree.table.top : 0;
	char text[128];

	canvas_rule(c, 0);
	if (!n)
		return;
	snprintf(text, sizeof(text), Q_(" %s row above (Home) ", " %s rows above (Home) ", n),
		 grouped(n).text);
	canvas_text(c, 0, c->at.w - utf8_width(text) - 2, ROLE_NOTE, text);
}

/* Lines of the note that the user's choices need. Warnings come and go: they get no more. */
static int note_height(const struct live_view *v, const struct canvas *c)
{
	int lines, room = c->at.h >= ROOMY ? NOTE_MOST : 1, least = c->at.h >= TALL ? 2 : 1;
	char text[1024] = "";

	if (v->arm.armed.condition) {
		live_add_text(text, sizeof(text), "%s", v->arm.armed.condition);
		live_add_text(text, sizeof(text), "armed:    (now 100 K/s)");
	}
	live_look_text(v, text, sizeof(text));
	lines = (int)scroll_wrap_count(text, c->at.w - 2);
	return lines > room ? room : lines > least ? lines : least;
}

/* Events get a third of the screen: functions matter more. */
static void reflow(struct live_view *v, const struct canvas *c, int events)
{
	int most = c->at.h / 3 > 1 ? c->at.h / 3 : 1;

	v->boxes[BOX_EVENTS].size = events < most ? events : most;
	v->boxes[BOX_NOTE].size = note_height(v, c);
	box_reflow(v->boxes, N_LIVE_BOXES, c->at.h);
}

/* Its last line is truncated with … if there is more. */
static void draw_note(const struct canvas *c, const char *note)
{
	int width = c->at.w - 2;
	size_t bytes;

	for (int y = 0; y + 1 < c->at.h && note; y++) {
		const char *next = scroll_wrap(note, width, &bytes);

		canvas_printf(c, y, 1, ROLE_NOTE, "%.*s", (int)bytes, note);
		note = next;
	}
	if (note && c->at.h)
		canvas_cell(c, c->at.h - 1, 1, width, ALIGN_LEFT, ROLE_NOTE, note);
}

static void draw_totals_and_note(struct live_view *v, const struct canvas *c)
{
	struct canvas part = box_canvas(&v->boxes[BOX_TOTALS], c);
	char note[1024];

	live_totals_draw(v, &part, v->totals_derived);
	live_missing_text(ptui_live_output(v->live), v->info.left, v->model.stats.dropped_samples,
			  note, sizeof(note));
	live_trouble_text(&v->model.stats, note, sizeof(note));
	live_arm_text(v, note, sizeof(note));
	live_look_text(v, note, sizeof(note));
	part = box_canvas(&v->boxes[BOX_NOTE], c);
	draw_note(&part, note);
}

void live_draw_part(void *self, const struct canvas *c)
{
	static const int changing[] = { BOX_TOTALS, BOX_NOTE };
	struct live_view *v = self;

	for (size_t i = 0; i < sizeof(changing) / sizeof(*changing); i++) {
		struct canvas part = box_canvas(&v->boxes[changing[i]], c);

		canvas_clear(&part);
	}
	draw_totals_and_note(v, c);
}

void live_draw(void *self, const struct canvas *c)
{
	struct live_view *v = self;
	struct live_columns e;
	struct canvas part;

	live_events_layout(v, c->at.w, &e);
	v->totals_derived = !e.derived_x;
	command_output_set_size(&v->output, c->at.h, c->at.w);
	reflow(v, c, live_events_height(v, &e));
	part = box_canvas(&v->boxes[BOX_EVENTS], c);
	live_events_draw(v, &part, &e);
	draw_totals_and_note(v, c);
	part = box_canvas(&v->boxes[BOX_FUNCTIONS], c);
	draw_hot(v, &part);
	/* the first visible row is known by now */
	part = box_canvas(&v->boxes[BOX_RULE], c);
	draw_rule(v, &part);
}
