/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/amount.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/compare/compare_private.h"
#include "view/print.h"
#include "widget/line.h"
#include "widget/scroll.h"

/* ---- the columns that are not the rows' ---- */

#define BAR_COLUMNS 8
#define EIGHTHS	    8

/* ---- cells ---- */

static style_t delta_style(const struct compare_row *row)
{
	if (!compare_row_is_sure(row))
		return ROLE_DIM;
	return row->delta > 0 ? ROLE_HOT : ROLE_GOOD;
}

/* What rounds to zero has no sign. */
static const char *delta_text(const struct compare_row *row, char *buf, size_t size)
{
	double percent = row->delta * 100;

	if (fabs(percent) < 0.005)
		return "0.00%";
	snprintf(buf, size, "%s%+.2f%%", compare_row_is_sure(row) ? "" : "~", percent);
	return buf;
}

/* Scaled to the largest difference. */
static const char *bar(const struct compare_row *row, double most, char *buf, size_t size)
{
	int eighths = most > 0 ? (int)(fabs(row->delta) / most * BAR_COLUMNS * EIGHTHS + 0.5) : 0;
	size_t n = 0;

	for (; eighths > 0 && n + 5 < size; eighths -= EIGHTHS)
		n += utf8_put(buf + n, eighths >= EIGHTHS ? 0x2588 : 0x2590 - (uint32_t)eighths);
	buf[n] = '\0';
	return buf;
}

const char *compare_own_cell(void *self, uint64_t node, size_t own, char *buf, size_t size,
			     style_t *style)
{
	struct compare_screen *s = self;
	struct compare_row row;

	compare_rows_get(s->rows, rows_row(s->view.rows, node), &row);
	switch (own) {
	case COMPARE_BEFORE:
		*style = row.is_before ? style_heat(row.before * 100) : ROLE_DIM;
		return row.is_before ? number_percent(buf, size, row.before * 100) : _("new");
	case COMPARE_AFTER:
		*style = row.is_after ? style_heat(row.after * 100) : ROLE_DIM;
		return row.is_after ? number_percent(buf, size, row.after * 100) : _("gone");
	case COMPARE_DELTA:
		*style = delta_style(&row);
		return delta_text(&row, buf, size);
	default:
		*style = delta_style(&row);
		return bar(&row, s->rows->most, buf, size);
	}
}

size_t compare_own(void *self, struct table_column ret[ROWS_OWN_MAX])
{
	const struct table_column columns[COMPARE_OWN] = {
		[COMPARE_BEFORE] = { .title = _("Before"), .width = 7, .align = ALIGN_RIGHT },
		[COMPARE_AFTER] = { .title = _("After"), .width = 7, .align = ALIGN_RIGHT },
		[COMPARE_DELTA] = { .title = _("Delta"), .width = 9, .align = ALIGN_RIGHT },
		[COMPARE_BAR] = { .title = "", .width = BAR_COLUMNS, .hide = 4, .bar = true },
	};
	struct compare_screen *s = self;

	memcpy(ret, columns, sizeof(columns));
	s->view.own_sort = -1 - (s->view.look->compare_order == COMPARE_BY_BEFORE ? COMPARE_BEFORE :
				 s->view.look->compare_order == COMPARE_BY_AFTER  ? COMPARE_AFTER :
										    COMPARE_DELTA);
	return COMPARE_OWN;
}

/* ---- the order of rows ---- */

unsigned compare_order_by(struct compare_screen *s, enum compare_order order)
{
	s->view.look->compare_order = order;
	s->view.look->order = (struct rows_order){ "", false };
	s->view.to_top = true;
	return rows_view_changed(&s->view);
}

unsigned compare_own_order(void *self, size_t own)
{
	static const enum compare_order orders[COMPARE_OWN] = { COMPARE_BY_BEFORE, COMPARE_BY_AFTER,
								COMPARE_BY_CHANGE,
								COMPARE_BY_CHANGE };

	return compare_order_by(self, orders[own]);
}

#define GAP 2

/* ---- title ---- */

bool compare_is_swapped(const struct compare_screen *s)
{
	return s->model && compare_swapped(s->model);
}

const char *compare_name(const struct compare_screen *s, bool after)
{
	return s->name[after != compare_is_swapped(s)];
}

/* "before → after › cc1" */
static void put_crumbs(const struct compare_screen *s, int width, char *buf, size_t size)
{
	char names[512];

	snprintf(names, sizeof(names), "%s  %s → %s", _("Compare"), compare_name(s, false),
		 compare_name(s, true));
	/* the full names are below */
	if (utf8_width(names) > width)
		snprintf(names, sizeof(names), "%s", _("Compare"));
	if (s->model)
		rows_look_crumbs(s->view.look, names, buf, size);
	else
		snprintf(buf, size, "%s", names);
}

static void put_doing(struct compare_screen *s, char *buf, size_t size)
{
	int percent = worker_percent(s->view.counting);

	rows_walk_text(&s->view, buf, size);
	if (s->loading)
		snprintf(buf, size, "%s", _("loading…"));
	else if (percent >= 0)
		snprintf(buf, size, _("counting… %d%%"), percent);
	else if (s->view.counting || !rows_tabs_is_current(s->view.tabs))
		snprintf(buf, size, "%s", _("counting…"));
	else if (s->telling)
		snprintf(buf, size, "%s", _("opening…"));
}

void compare_head(void *self, const struct canvas *line)
{
	struct compare_screen *s = self;
	struct canvas left = rows_view_draw_tabs(&s->view, line);
	char where[1024], doing[64];

	put_doing(s, doing, sizeof(doing));
	put_crumbs(s, left.at.w - utf8_width(doing) - GAP, where, sizeof(where));
	line_head(&left, where, doing, ROLE_NOTE);
}

/* ---- summary ---- */

const char *compare_counts(const struct compare_screen *s, bool after, char *buf, size_t size)
{
	struct ptui_hist_all all = { 0 };
	char span[32], period[32];
	const char *event;

	if (s->rows)
		ptui_hist_all(compare_rows_hist(s->rows, after), &all);
	if (!all.samples) {
		snprintf(buf, size, "%s", s->rows ? _("no samples of it") : "");
		return buf;
	}
	event = compare_event(s->model, after)->name;
	number_span_ns(span, sizeof(span), all.last_ns - all.first_ns);
	amount_text(event, (double)all.period, period, sizeof(period));
	snprintf(buf, size,
		 amount_is_time(event) ? Q_("%s sample in %s, %s of CPU time",
					    "%s samples in %s, %s of CPU time", all.samples) :
					 Q_("%s sample in %s, %s events",
					    "%s samples in %s, %s events", all.samples),
		 grouped(all.samples).text, span, period);
	return buf;
}

/* The name without directories; with them if both names are equal. */
static const char *last_part(const struct compare_screen *s, bool after)
{
	const char *name = compare_name(s, after), *other = compare_name(s, !after);
	const char *file = text_file_name(name);

	return *file && strcmp(file, text_file_name(other)) != 0 ? file : name;
}

/* The sides; and view options on the right, if there is room. */
void compare_draw_info(void *self, const struct canvas *c)
{
	const struct compare_screen *s = self;
	const char *label[2] = { _("before"), _("after") }, *ways[2] = { "", "" };
	int label_w = 0, name_w = 0, room = c->at.w / 3;
	char counts[128];

	for (int i = 0; i < 2; i++) {
		label_w = utf8_widest(label_w, label[i]);
		name_w = utf8_widest(name_w, compare_name(s, i));
	}
	if (name_w > room)
		name_w = room;
	if (s->rows) {
		ways[0] = compare_order_text((enum compare_order)s->view.look->compare_order);
		ways[1] = s->view.look->children ? _("with children") : _("self only");
	}
	for (int i = 0; i < 2 && i < c->at.h; i++) {
		const char *name = compare_name(s, i);
		int x = 1 + label_w + GAP, end = x + name_w + GAP;
		int way = c->at.w - 1 - utf8_width(ways[i]);

		if (utf8_width(name) > name_w)
			name = last_part(s, i);
		canvas_text(c, i, 1, ROLE_DIM, label[i]);
		canvas_cell(c, i, x, name_w, ALIGN_LEFT, ROLE_TITLE, name);
		end += canvas_text(c, i, end, ROLE_TEXT,
				   compare_counts(s, i, counts, sizeof(counts)));
		if (way >= c->at.w / 2 && end + GAP <= way)
			canvas_text(c, i, way, ROLE_DIM, ways[i]);
	}
}

/* ---- notes ---- */

void compare_draw_note(void *self, const struct canvas *c)
{
	static const style_t styles[] = { ROLE_DIM, ROLE_NOTE, ROLE_BAD };
	const struct compare_screen *s = self;
	const struct compare_rows *rows = s->rows;
	struct line_fact facts[9];
	const char *before;
	size_t n = 0;

	if (!rows)
		return;
	before = compare_event(s->model, false)->name;
	if (s->view.look->sure_only)
		line_add_fact(facts, &n, ROLE_NOTE, (int)n, _("%s hidden: may be due to chance"),
			      grouped(rows->n_unsure).text);
	if (strcmp(before, compare_event(s->model, true)->name) != 0)
		line_add_fact(facts, &n, ROLE_NOTE, (int)n, _("event before: %.40s"), before);
	for (int i = 0; i < 2; i++)
		if (*s->lone[i])
			line_add_fact(facts, &n, ROLE_NOTE, (int)n,
				      i ? _("! only after: %.40s") : _("! only before: %.40s"),
				      s->lone[i]);
	for (int i = 0; i < 2; i++)
		if (s->worst[i].level != TRUST_FINE)
			line_add_fact(facts, &n, styles[s->worst[i].level], (int)n,
				      i ? _("! after: %.60s") : _("! before: %.60s"),
				      s->worst[i].text);
	if (!s->view.look->sure_only)
		line_add_fact(facts, &n, ROLE_DIM, (int)n, "%s", _("~ may be due to chance"));
	if (rows->n_below)
		line_add_fact(facts, &n, ROLE_DIM, (int)n,
			      Q_("%s row below %.4g%%", "%s rows below %.4g%%", rows->n_below),
			      grouped(rows->n_below).text, s->view.look->limits.row_percent);
	line_facts(c, _("note"), facts, n);
}

/* ---- no rows ---- */

static void draw_text(const struct canvas *c, style_t style, const char *text)
{
	if (c->at.w > 4)
		scroll_text(c, 1, 2, c->at.w - 4, style, text);
}

static void draw_no_events(const struct compare_screen *s, const struct canvas *c)
{
	char text[1024];

	snprintf(
		text, sizeof(text),
		_("No event was sampled in both. Before: %s. After: %s. Record the same events in both."),
		*s->lone[0] ? s->lone[0] : _("none"), *s->lone[1] ? s->lone[1] : _("none"));
	draw_text(c, ROLE_NOTE, text);
}

/* Explains what to do. */
void compare_draw_empty(void *self, const struct canvas *c)
{
	struct compare_screen *s = self;
	struct worker *w = s->loading ? s->loading : s->view.counting;
	const struct ptui_error *err = s->model ? rows_tabs_error(s->view.tabs) : NULL;

	if (!s->rows && w)
		worker_draw(c, w,
			    s->loading ? _("ESC stops loading and leaves") :
					 _("ESC stops counting"));
	else if (err)
		draw_text(c, ROLE_BAD, err->text);
	else if (s->model && !s->view.tabs->n)
		draw_no_events(s, c);
	else if (!s->rows)
		return;
	else if (s->view.look->n_zooms)
		draw_text(c, ROLE_DIM, _("No rows are left. ESC undoes the last step."));
	else if (s->rows->n_unsure)
		draw_text(c, ROLE_DIM,
			  _("Every difference may be due to chance: press c to show them. Record "
			    "longer for a clearer result."));
	else
		draw_text(c, ROLE_DIM, _("All rows are below the limit: L changes it."));
}

void compare_print_head(void *self, FILE *out)
{
	const struct compare_screen *s = self;
	char text[1024];

	for (int i = 0; i < 2; i++) {
		fprintf(out, "# %s: ", i ? _("after") : _("before"));
		print_text(out, compare_name(s, i));
		fprintf(out, ", %s\n", compare_counts(s, i, text, sizeof(text)));
	}
	fputs("# ", out);
	print_text(out, s->view.tabs->names[s->view.tabs->at]);
	fprintf(out, ", %s, %s\n",
		compare_order_text((enum compare_order)s->view.look->compare_order),
		_("~ may be due to chance"));
	if (s->view.look->n_zooms) {
		fputc('#', out);
		print_text(out, rows_look_crumbs(s->view.look, "", text, sizeof(text)));
		fputc('\n', out);
	}
}
