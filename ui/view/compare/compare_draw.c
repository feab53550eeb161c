/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/compare/compare_private.h"
#include "view/work_draw.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/scroll.h"

#define RULE_ROWS 30 /* smaller terminals use the line for a row */
#define GAP	  2

/* ---- title ---- */

const char *compare_name(const struct compare_screen *s, bool after)
{
	bool swapped = s->model && compare_profile(s->model, true) != s->loaded_after;

	return s->name[after != swapped];
}

/* "before → after › cc1" */
static void put_crumbs(const struct compare_screen *s, int width, char *buf, size_t size)
{
	const char *before = compare_name(s, false), *after = compare_name(s, true);
	char zoom[COMPARE_TEXT_MAX + 8];
	size_t n = (size_t)snprintf(buf, size, "%s  %s → %s", _("Compare"), before, after);

	/* the full names are below */
	if (utf8_width(buf) > width)
		n = (size_t)snprintf(buf, size, "%s", _("Compare"));
	for (size_t i = 0; s->model && i < compare_n_zooms(s->model) && n < size; i++)
		n += (size_t)snprintf(buf + n, size - n, " › %s",
				      compare_zoom_name(s->model, i, zoom, sizeof(zoom)));
}

static void put_doing(struct compare_screen *s, char *buf, size_t size)
{
	struct worker_state work;

	*buf = '\0';
	if (s->loading)
		snprintf(buf, size, "%s", _("loading…"));
	else if (compare_get_work(s, &work) && work.total)
		snprintf(buf, size, _("counting… %d%%"), (int)(100 * work.done / work.total));
	else if (s->counting || !compare_is_current(s->model))
		snprintf(buf, size, "%s", _("counting…"));
	else if (s->telling)
		snprintf(buf, size, "%s", _("opening…"));
}

void compare_head(void *self, const struct canvas *line)
{
	struct compare_screen *s = self;
	size_t n = s->model ? compare_n_tabs(s->model) : 0;
	struct canvas left = *line;
	char where[1024], doing[64];
	int most = line->at.w * 2 / 3;

	s->tabs_w = n > 1 ? line_tabs_width(compare_tab_names(s->model), n) : 0;
	if (s->tabs_w > most)
		s->tabs_w = most;
	s->tabs_x = line->at.w - s->tabs_w - 1;
	if (n > 1)
		left = canvas_part(line, 0, 0, 1, s->tabs_x - 1);
	put_doing(s, doing, sizeof(doing));
	put_crumbs(s, left.at.w - utf8_width(doing) - GAP, where, sizeof(where));
	line_head(&left, 0, where, doing, ROLE_NOTE);
	if (n > 1)
		line_tabs(line, 0, s->tabs_x, s->tabs_w, compare_tab_names(s->model), n,
			  compare_tab(s->model));
}

/* ---- summary ---- */

const char *compare_counts(const struct compare_screen *s, bool after, char *buf, size_t size)
{
	struct ptui_hist_all all = { 0 };
	char samples[32], span[32], period[32];

	if (s->rows)
		compare_rows_all(s->rows, after, &all);
	number_full(samples, sizeof(samples), all.samples);
	number_span_ns(span, sizeof(span), all.last_ns - all.first_ns);
	number_count(period, sizeof(period), (double)all.period);
	if (all.samples)
		snprintf(buf, size,
			 Q_("%s sample in %s, %s events", "%s samples in %s, %s events",
			    all.samples),
			 samples, span, period);
	else
		snprintf(buf, size, "%s", s->rows ? _("no samples of it") : "");
	return buf;
}

/* The name without directories; with them if both names are equal. */
static const char *last_part(const struct compare_screen *s, bool after)
{
	const char *name = compare_name(s, after), *other = compare_name(s, !after);
	const char *slash = strrchr(name, '/'), *other_slash = strrchr(other, '/');

	if (!slash || !slash[1] || !strcmp(slash + 1, other_slash ? other_slash + 1 : other))
		return name;
	return slash + 1;
}

static void draw_sides(const struct compare_screen *s, const struct canvas *c)
{
	const char *label[2] = { _("before"), _("after") };
	int label_w = 0, name_w = 0, room = c->at.w / 3;
	char counts[128];

	for (int i = 0; i < 2; i++) {
		if (utf8_width(label[i]) > label_w)
			label_w = utf8_width(label[i]);
		if (utf8_width(compare_name(s, i)) > name_w)
			name_w = utf8_width(compare_name(s, i));
	}
	if (name_w > room)
		name_w = room;
	for (int i = 0; i < 2 && i < c->at.h; i++) {
		const char *name = compare_name(s, i);
		int x = 1 + label_w + GAP;

		if (utf8_width(name) > name_w)
			name = last_part(s, i);
		canvas_text(c, i, 1, ROLE_DIM, label[i]);
		canvas_cell(c, i, x, name_w, ALIGN_LEFT, ROLE_TITLE, name);
		canvas_text(c, i, x + name_w + GAP, ROLE_TEXT,
			    compare_counts(s, i, counts, sizeof(counts)));
	}
}

/* View options on the right, if there is room. */
static void draw_ways(const struct compare_screen *s, const struct canvas *c)
{
	const char *ways[2] = { compare_order_text(compare_how(s->model)->order),
				compare_children(s->model) ? _("with children") : _("self only") };

	for (int i = 0; i < 2 && i < c->at.h; i++) {
		char row[4096];
		int x = c->at.w - 1 - utf8_width(ways[i]);
		struct canvas line = canvas_part(c, i, 0, 1, c->at.w);

		if (x < c->at.w / 2)
			continue;
		/* the text already there is more important */
		grid_row_text(c->grid, line.at.y, row, sizeof(row));
		if (utf8_width(row) + GAP <= line.at.x + x)
			canvas_text(&line, 0, x, ROLE_DIM, ways[i]);
	}
}

static void draw_info(const struct compare_screen *s, const struct canvas *c)
{
	draw_sides(s, c);
	if (s->rows)
		draw_ways(s, c);
}

/* ---- notes ---- */

static size_t add_fact(struct line_fact *facts, size_t n, style_t style)
{
	facts[n].style = style;
	facts[n].hide = (int)n;
	return n + 1;
}

static size_t add_lone(const struct compare_screen *s, bool after, struct line_fact *facts,
		       size_t n)
{
	if (!*s->lone[after])
		return n;
	snprintf(facts[n].text, sizeof(facts[n].text),
		 after ? _("! only after: %.40s") : _("! only before: %.40s"), s->lone[after]);
	return add_fact(facts, n, ROLE_NOTE);
}

static size_t add_worst(const struct compare_screen *s, bool after, struct line_fact *facts,
			size_t n)
{
	static const style_t styles[] = { ROLE_DIM, ROLE_NOTE, ROLE_BAD };
	const struct trust_fact *worst = &s->worst[after];

	if (worst->level == TRUST_FINE)
		return n;
	snprintf(facts[n].text, sizeof(facts[n].text),
		 after ? _("! after: %.60s") : _("! before: %.60s"), worst->text);
	return add_fact(facts, n, styles[worst->level]);
}

static void draw_note(const struct compare_screen *s, const struct canvas *c)
{
	struct line_fact facts[8];
	size_t n = 0, below = s->rows ? compare_rows_n_below(s->rows) : 0;
	size_t unsure = s->rows ? compare_rows_n_unsure(s->rows) : 0;

	if (!s->rows)
		return;
	if (compare_how(s->model)->filter.sure_only) {
		snprintf(facts[n].text, sizeof(facts[n].text),
			 _("%zu hidden: may be due to chance"), unsure);
		n = add_fact(facts, n, ROLE_NOTE);
	}
	for (int i = 0; i < 2; i++)
		n = add_lone(s, i, facts, n);
	for (int i = 0; i < 2; i++)
		n = add_worst(s, i, facts, n);
	if (!compare_how(s->model)->filter.sure_only) {
		snprintf(facts[n].text, sizeof(facts[n].text), "%s", _("~ may be due to chance"));
		n = add_fact(facts, n, ROLE_DIM);
	}
	if (below) {
		snprintf(facts[n].text, sizeof(facts[n].text),
			 Q_("%zu row below %.4g%%", "%zu rows below %.4g%%", below), below,
			 compare_how(s->model)->filter.limit);
		n = add_fact(facts, n, ROLE_DIM);
	}
	line_facts(c, 0, _("note"), facts, n);
}

/* ---- no rows ---- */

static void draw_text(const struct canvas *c, int y, style_t style, const char *text)
{
	if (c->at.w > 4)
		scroll_text(c, y, 2, c->at.w - 4, style, text);
}

static void draw_no_events(const struct compare_screen *s, const struct canvas *c)
{
	char text[1024];

	snprintf(
		text, sizeof(text),
		_("No event was sampled in both. Before: %s. After: %s. Record the same events in both."),
		*s->lone[0] ? s->lone[0] : _("none"), *s->lone[1] ? s->lone[1] : _("none"));
	draw_text(c, 1, ROLE_NOTE, text);
}

/* Explains what to do. */
static void draw_empty(struct compare_screen *s, const struct canvas *c)
{
	struct worker_state work;
	const struct ptui_error *err = s->model ? compare_error(s->model) : NULL;

	if (!s->rows && compare_get_work(s, &work))
		work_draw(c, &work,
			  s->loading ? _("ESC stops loading and leaves") : _("ESC stops counting"));
	else if (err)
		draw_text(c, 1, ROLE_BAD, err->text);
	else if (s->model && !compare_n_tabs(s->model))
		draw_no_events(s, c);
	else if (!s->rows)
		return;
	else if (compare_n_zooms(s->model))
		draw_text(c, 1, ROLE_DIM, _("No rows are left. ESC undoes the last step."));
	else if (compare_rows_n_unsure(s->rows))
		draw_text(c, 1, ROLE_DIM,
			  _("Every difference may be due to chance: press c to show them. Record "
			    "longer for a clearer result."));
	else
		draw_text(c, 1, ROLE_DIM, _("All rows are below the limit: L changes it."));
}

void compare_draw(void *self, const struct canvas *c)
{
	struct compare_screen *s = self;
	struct canvas at;

	s->boxes[BOX_RULE].off = c->at.h < RULE_ROWS;
	box_reflow(s->boxes, N_COMPARE_BOXES, c->at.h);
	at = box_canvas(&s->boxes[BOX_INFO], c);
	draw_info(s, &at);
	at = box_canvas(&s->boxes[BOX_BODY], c);
	if (s->rows && compare_rows_n(s->rows))
		table_draw(&s->table, &at);
	else
		draw_empty(s, &at);
	at = box_canvas(&s->boxes[BOX_RULE], c);
	if (at.at.h)
		canvas_rule(&at, 0);
	at = box_canvas(&s->boxes[BOX_NOTE], c);
	draw_note(s, &at);
}
