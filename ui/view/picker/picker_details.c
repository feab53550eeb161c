/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Details of the event or heading under the cursor; below them the marks. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/picker/picker_private.h"
#include "widget/number.h"
#include "widget/popup.h"
#include "widget/scroll.h"

#define MARKED_FROM 16 /* lines; smaller panes show details only */

/*
 * Each part draws its information about the cursor row from row `y` on, in the full width, and
 * returns the rows used; 0: none.
 */
typedef int (*part_fn)(const struct picker_screen *v, const struct canvas *c, int y);

static int draw_name(const struct picker_screen *v, const struct canvas *c, int y)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	const struct picker_heading *h;
	const char *kind;
	int x, w;

	if (!e)
		return 0;
	h = &v->picker.headings[e->heading];
	kind = h->parent == SIZE_MAX ? h->title : v->picker.headings[h->parent].title;
	x = 1 + canvas_text(c, y, 1, ROLE_TEXT | STYLE_BOLD, e->name);
	if (e->alias)
		x += canvas_printf(c, y, x, ROLE_TEXT, " = %s", e->alias);
	w = utf8_width(kind);
	if (x + 2 + w < c->at.w)
		canvas_text(c, y, c->at.w - 1 - w, ROLE_DIM, kind);
	return 1;
}

struct drawing {
	const struct canvas *c;
	int y;
};

static void draw_paragraph(void *ctx, style_t style, const char *text)
{
	struct drawing *d = ctx;

	d->y += scroll_text(d->c, d->y, 1, d->c->at.w - 2, style, text);
}

static int draw_description(const struct picker_screen *v, const struct canvas *c, int y)
{
	struct drawing d = { c, y };

	picker_description_each(v, false, draw_paragraph, &d);
	return d.y - y;
}

/* "int prev_pid", in as many columns as fit. */
static int draw_declarations(const struct canvas *c, int y, const char *fields, int column)
{
	int columns = (c->at.w - 2) / column > 0 ? (c->at.w - 2) / column : 1, i;
	struct picker_field f;

	canvas_text(c, y, 1, ROLE_DIM, _("fields"));
	for (i = 0; picker_next_field(&fields, &f); i++)
		canvas_cell(c, y + 1 + i / columns, 1 + i % columns * column, column - 2,
			    ALIGN_LEFT, ROLE_TEXT, f.text);
	return 1 + (i + columns - 1) / columns;
}

/* Names only if space is short. */
static int draw_fields(const struct picker_screen *v, const struct canvas *c, int y)
{
	const char *fields = v->description.details.fields, *at = fields;
	int widest = 1, columns, n = 0;
	struct picker_field f;
	char names[1024];

	if (!fields || !*fields)
		return 0;
	for (; picker_next_field(&at, &f); n++)
		widest = (int)strlen(f.text) > widest ? (int)strlen(f.text) : widest;
	columns = (c->at.w - 2) / (widest + 2) > 0 ? (c->at.w - 2) / (widest + 2) : 1;
	if (y + 1 + (n + columns - 1) / columns <= c->at.h)
		return draw_declarations(c, y, fields, widest + 2);
	picker_field_names(v, names, sizeof(names));
	return scroll_text(c, y, 1, c->at.w - 2, ROLE_TEXT, names);
}

/* Of a heading: number of events, and why they are missing. */
static int draw_heading(const struct picker_screen *v, const struct canvas *c, int y)
{
	const struct picker *p = &v->picker;
	const struct picker_heading *h;
	const char *why;
	char number[32];
	size_t marked;
	int rows;

	if (v->table.cursor >= p->n_rows || p->rows[v->table.cursor].entry != SIZE_MAX ||
	    p->rows[v->table.cursor].heading == SIZE_MAX)
		return 0;
	h = &p->headings[p->rows[v->table.cursor].heading];
	canvas_text(c, y, 1, ROLE_TEXT | STYLE_BOLD, h->title);
	rows = 1;
	if (h->trouble)
		return rows + scroll_text(c, y + rows, 1, c->at.w - 2, ROLE_BAD, h->trouble);
	canvas_printf(c, y + rows++, 1, ROLE_DIM, Q_("%s event", "%s events", h->n),
		      number_full(number, sizeof(number), h->n));
	marked = picker_n_marked_in(p, p->rows[v->table.cursor].heading);
	if (marked)
		canvas_printf(c, y + rows++, 1, ROLE_DIM, _("%zu marked"), marked);
	why = picker_why_none(p, p->rows[v->table.cursor].heading);
	return rows + scroll_text(c, y + rows, 1, c->at.w - 2, ROLE_BAD, why);
}

/* Also shown in the list; here with a longer history. */
static int draw_counted(const struct picker_screen *v, const struct canvas *c, int y)
{
	return c->at.h >= MARKED_FROM ? picker_preview_draw_event(v, c, y) : 0;
}

/* Of a group in the list of marks: as for record -e. */
static int draw_group(const struct picker_screen *v, const struct canvas *c, int y)
{
	size_t mark = picker_mark_at(&v->picker, v->table.cursor);
	char *text;
	int rows;

	if (mark == SIZE_MAX || picker_entry(&v->picker, v->table.cursor))
		return 0;
	text = picker_mark_text_of(&v->picker, mark);
	canvas_printf(c, y, 1, ROLE_TEXT | STYLE_BOLD, _("group {%u}"),
		      v->picker.marks.v[mark].event.group);
	rows = 1 +
	       scroll_text(c, y + 1, 1, c->at.w - 2, ROLE_DIM, _("counted together or not at all"));
	rows += scroll_text(c, y + rows, 1, c->at.w - 2, ROLE_TEXT, text ? text : "");
	free(text);
	return rows;
}

/* In display order; the most important first, since the end may not fit. */
static const part_fn parts[] = {
	draw_name, draw_heading, draw_group, draw_counted, draw_description, draw_fields,
};

/* ---- marks, as for record ---- */

static void draw_marked(const struct picker_screen *v, const struct canvas *c,
			const struct words *events, const struct words *filters)
{
	size_t room = c->at.h > 2 ? (size_t)c->at.h - 2 : 0;

	canvas_rule(c, 0);
	canvas_printf(c, 1, 1, ROLE_DIM, _("%zu marked, each line one -e of record"),
		      v->picker.marks.n);
	for (size_t i = 0; i < events->n && i < room; i++) {
		int y = 2 + (int)i, x;

		if (i + 1 == room && events->n > room) {
			canvas_printf(c, y, 1, ROLE_DIM, _("and %zu more"), events->n - i);
			break;
		}
		x = 1 + canvas_text(c, y, 1, ROLE_TEXT, events->v[i]);
		if (*filters->v[i])
			canvas_printf(c, y, x, ROLE_DIM, _("  if %s"), filters->v[i]);
	}
}

void picker_details_draw(const struct picker_screen *v, const struct canvas *c)
{
	struct words events = WORDS_INIT, filters = WORDS_INIT;
	struct canvas part = *c, fit;
	int y = 0, below = 0, rows;

	if (c->at.h >= MARKED_FROM && v->picker.marks.n &&
	    !picker_marked(&v->picker, &events, &filters)) {
		below = (int)events.n + 2 < c->at.h / 3 ? (int)events.n + 2 : c->at.h / 3;
		part = canvas_part(c, c->at.h - below, 0, below, c->at.w);
		draw_marked(v, &part, &events, &filters);
		part = canvas_part(c, 0, 0, c->at.h - below, c->at.w);
	}
	/* problems of the marks are more important than details of one event */
	rows = picker_preview_draw_fit(v, NULL, c->at.w);
	if (rows > part.at.h * 2 / 3)
		rows = part.at.h * 2 / 3;
	fit = canvas_part(&part, part.at.h - rows, 0, rows, part.at.w);
	picker_preview_draw_fit(v, &fit, c->at.w);
	part = canvas_part(&part, 0, 0, part.at.h - rows, part.at.w);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && y < part.at.h; i++)
		y += parts[i](v, &part, y);
	words_release(&events);
	words_release(&filters);
}

/* ---- details window ---- */

static void add_paragraph(void *ctx, style_t style, const char *text)
{
	(void)style;
	buf_addf(ctx, "%s\n\n", text);
}

unsigned picker_details_open(struct picker_screen *v)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	struct buf text = BUF_INIT;

	if (!e)
		return WISH_PASS;
	picker_description_each(v, true, add_paragraph, &text);
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	if (text.err || popup_message(v->stack, e->name, buf_str(&text)))
		stack_no_memory(v->stack);
	buf_release(&text);
	return WISH_REDRAW;
}
