/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/live/live_private.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/scroll.h"

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

static style_t phase_style(enum live_phase phase)
{
	switch (phase) {
	case LIVE_RECORDING:
		return ROLE_HOT;
	case LIVE_FAILED:
		return ROLE_BAD;
	default:
		return ROLE_NOTE;
	}
}

static void live_state_text(const struct live_view *v, char *buf, size_t size, style_t *ret_style)
{
	char clock[32];

	number_clock_ns(clock, sizeof(clock), v->model.stats.elapsed_ns);
	snprintf(buf, size, "%s %s", live_phase_text(v->model.phase, ptui_live_output(v->live)),
		 clock);
	*ret_style = phase_style(v->model.phase);
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
	line_head(line, 0, where, state, style);
}

/* ---- the hottest functions ---- */

static void draw_hot(struct live_view *v, const struct canvas *c)
{
	const char *text =
		ptui_live_has_ring(v->live) ?
			_("Only the last samples are kept: take a snapshot (s) or stop to see them.") :
			_("No samples yet: functions appear here as soon as they are sampled.");

	if (v->hot && rows_n(v->hot->rows)) {
		rows_view_draw(&v->rows, c);
		return;
	}
	if (v->line < v->n_events && v->events[v->line].profile_event == PTUI_NONE)
		text = _("None of the events can be sampled on this machine.");
	else if (live_look_view(v).since_ns)
		text = _("No samples since then.");
	/* still being counted */
	else if (v->info.generation && v->line < v->n_events && v->events[v->line].samples &&
		 v->model.phase < LIVE_ENDED)
		text = "";
	else if (v->model.phase == LIVE_PAUSED)
		text = _("Paused before the first sample: press Space to resume.");
	else if (v->model.phase == LIVE_ENDED || v->model.phase == LIVE_FAILED)
		text = _("No samples were taken.");
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
	if (ptui_live_output(v->live))
		live_missing_text(v->info.left, v->model.stats.dropped_samples, note, sizeof(note));
	else
		live_gone_text(v->info.left, v->model.stats.dropped_samples, note, sizeof(note));
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
	if (part.at.h)
		draw_rule(v, &part);
}
