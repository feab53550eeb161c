/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of events, and the layout. */
#include <stdio.h>
#include <stdlib.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/picker/picker_private.h"
#include "widget/line.h"
#include "widget/scroll.h"

#define WIDE_FROM     100 /* columns; from this width on details are on the right */
#define BELOW_FROM    14 /* lines; on taller screens details are below the list, else in a window */
#define BELOW_ROWS    8	 /* including its rule, at 20 lines; more on taller screens */
#define STATE_COLUMNS 12

enum { COLUMN_EVENT, COLUMN_DESC, N_COLUMNS };

/* ---- the rows ---- */

/* "[x] cycles/period=1000/u  {1}  if pid > 0", "[ ] cpu-cycles = cycles" */
static const char *event_cell(const struct picker_screen *v, const struct picker_row *r, char *buf,
			      size_t size, style_t *style)
{
	const struct picker_entry *e = r->entry;
	char *text;

	snprintf(buf, size, "%*s[%c] ", r->level * 2 + 1, "", e->mark ? 'x' : ' ');
	if (!e->mark)
		return text_append(buf, size, "%s%s%s", e->name, e->alias ? " = " : "",
				   e->alias ? e->alias : "");
	*style = ROLE_TEXT | STYLE_BOLD;
	text = picker_text(e);
	text_append(buf, size, "%s", text ? text : e->mark->what);
	free(text);
	if (e->mark->group && !v->picker.marked_only)
		text_append(buf, size, "  {%u}", e->mark->group);
	if (e->mark->filter)
		text_append(buf, size, _("  if %s"), e->mark->filter);
	return buf;
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	struct picker_screen *v = ctx;
	const struct picker_row *r = picker_row(&v->picker, row);
	const struct picker_entry *e = r->entry;
	const char *preview;
	char cause[256];

	if (!e)
		return "";
	if (column == COLUMN_EVENT)
		return event_cell(v, r, buf, size, style);
	preview = picker_preview_cell(v, e, buf, size, style);
	if (preview)
		return preview;
	*style = ROLE_DIM;
	if (e->state == PICKER_REFUSED) {
		*style = ROLE_BAD;
		/* the details have the reason, if there is no room for it here */
		if (v->wide || !e->reason)
			return _("✗ not here");
		snprintf(buf, size, "✗ %s", picker_cause(e->reason, cause, sizeof(cause)));
		return buf;
	}
	if (e->state == PICKER_UNTRIED && (v->picker.available_only || e->mark))
		return _("untested");
	return !v->wide && e->desc ? e->desc : "";
}

/* In the list of marks: "together {cycles,instructions}:S" */
static void draw_group(const struct picker_screen *v, const struct picker_entry *leader,
		       const struct canvas *line, style_t flags)
{
	const struct ptui_selector_group *g = picker_group(&v->picker, leader);
	int x = 1 +
		canvas_printf(line, 0, 1, ROLE_TITLE | flags, _("group {%u}"), leader->mark->group);

	if (g->name)
		x += canvas_printf(line, 0, x + 1, ROLE_TEXT | flags, "%s", g->name) + 1;
	if (*g->modifiers)
		x += canvas_printf(line, 0, x, ROLE_TEXT | STYLE_BOLD | flags, ":%s", g->modifiers);
	canvas_text(line, 0, x + 2, ROLE_DIM | flags, _("counted together or not at all"));
}

static void draw_heading(const struct picker_screen *v, const struct picker_row *r,
			 const struct canvas *line, style_t flags)
{
	const struct picker_heading *h = r->heading;
	bool open = picker_is_open(&v->picker, h);
	size_t n_marked = picker_n_marked_in(&v->picker, h);
	const char *why = picker_why_none(&v->picker, h);
	char cause[256], text[512] = "";
	int x = 1 + r->level * 2;

	x += canvas_printf(line, 0, x, ROLE_TITLE | flags, "%s %s", open ? "▾" : "▸", h->title);
	x += canvas_printf(line, 0, x, ROLE_DIM | flags, " (%s)", grouped(h->n_fits).text);
	if (n_marked && !open)
		x += canvas_printf(line, 0, x, ROLE_TEXT | STYLE_BOLD | flags, _("  %zu marked"),
				   n_marked);
	if (h->trouble)
		snprintf(text, sizeof(text), "✗ %s", h->trouble);
	else if (why)
		snprintf(text, sizeof(text), "%s%s%s", _("✗ none available here"), *why ? ": " : "",
			 picker_cause(why, cause, sizeof(cause)));
	if (*text)
		canvas_cell(line, 0, x + 2, line->at.w - x - 2, ALIGN_LEFT, ROLE_BAD | flags, text);
}

static bool row_draw(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip)
{
	struct picker_screen *v = ctx;
	const struct picker_row *r = picker_row(&v->picker, row);

	(void)skip;
	if (r->leader)
		draw_group(v, r->leader, line, flags);
	else if (!r->entry && r->heading)
		draw_heading(v, r, line, flags);
	return !r->entry;
}

static uint64_t row_id(void *ctx, size_t row)
{
	const struct picker_row *r = picker_row(&((struct picker_screen *)ctx)->picker, row);

	return r->entry	 ? (uintptr_t)r->entry :
	       r->leader ? r->leader->mark->group :
			   (uintptr_t)r->heading;
}

const struct table_ops picker_row_ops = {
	.n_rows = offsetof(struct picker_screen, picker.n_rows),
	.cell = row_cell,
	.draw = row_draw,
	.id = row_id,
};

/* Next to the details there is room for the state only, or for the preview. */
static void set_columns(struct picker_screen *v, bool wide)
{
	int state = v->count ? PICKER_PREVIEW_COLUMNS : STATE_COLUMNS;
	const struct table_column columns[N_COLUMNS] = {
		[COLUMN_EVENT] = { .title = "",
				   .width = wide ? 20 : 48,
				   .min = wide ? 0 : 20,
				   .fill = wide,
				   .elide = true },
		[COLUMN_DESC] = { .title = "",
				  .width = wide || v->count ? state : 10,
				  .fill = !wide,
				  .hide = !wide },
	};

	v->wide = wide;
	table_set_columns(&v->table, columns, N_COLUMNS);
}

/* ---- drawing ---- */

void picker_head(void *self, const struct canvas *line)
{
	struct picker_screen *v = self;
	char where[192], state[288], counting[128];
	const struct picker *p = &v->picker;

	snprintf(where, sizeof(where), _("%s › Events"),
		 v->opts.where ? v->opts.where : _("Setup"));
	*counting = '\0';
	if (v->count && line->at.w >= WIDE_FROM - 20)
		snprintf(counting, sizeof(counting),
			 v->opts.pid ? _("counting process %d · ") :
				       _("counting the whole system · "),
			 (int)v->opts.pid);
	if (v->loader) {
		line_head(line, where, "", ROLE_DIM);
		return;
	}
	if (v->checking)
		text_append(counting, sizeof(counting), "%s", _("checking events … · "));
	snprintf(state, sizeof(state), _("%s%s%zu marked · %s of %s"), counting,
		 p->marked_only	   ? _("marked only · ") :
		 p->available_only ? _("available only · ") :
				     "",
		 p->n_marks, grouped(p->n_fits).text, grouped(p->n_entries).text);
	filter_head(&v->filter, line, where, state, ROLE_DIM);
}

/* The list is empty: the reason, and how to change it. */
static void draw_empty(const struct picker *p, const struct canvas *c)
{
	char search[512];

	snprintf(search, sizeof(search), _("no event matches \"%s\": press ESC to show all"),
		 p->search);
	scroll_text(
		c, 1, 2, c->at.w - 3, ROLE_DIM,
		*p->search ?
			search :
			_("no events are marked: press ESC to show all events, Space to mark one"));
}

void picker_draw(void *self, const struct canvas *c)
{
	struct picker_screen *v = self;
	int w = c->at.w * 11 / 20, h = BELOW_ROWS + (c->at.h - 20) / 2;
	struct canvas list = *c, details = canvas_part(c, 0, 0, 0, 0);

	if (c->at.w >= WIDE_FROM) {
		list = canvas_part(c, 0, 0, c->at.h, w);
		canvas_fill(c, 0, w + 1, c->at.h, 1, ROLE_FRAME, 0x2502);
		details = canvas_part(c, 0, w + 2, c->at.h, c->at.w - w - 2);
	} else if (c->at.h >= BELOW_FROM) {
		list = canvas_part(c, 0, 0, c->at.h - h, c->at.w);
		canvas_rule(c, c->at.h - h);
		details = canvas_part(c, c->at.h - h + 1, 0, h - 1, c->at.w);
	}
	set_columns(v, c->at.w >= WIDE_FROM);
	if (v->loader) {
		scroll_text(c, 1, 2, c->at.w - 3, ROLE_DIM, _("reading the events …"));
		return;
	}
	table_draw(&v->table, &list);
	if (!v->picker.n_rows)
		draw_empty(&v->picker, &list);
	if (details.at.h)
		picker_details_draw(v, &details);
}
