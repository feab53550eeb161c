/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Details of the event or heading under the cursor; below them the marks. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "view/picker/picker_private.h"
#include "widget/popup.h"
#include "widget/scroll.h"

#define MARKED_FROM 16 /* lines; smaller panes show details only */

static int draw_name(const struct picker_screen *v, const struct canvas *c)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	const struct picker_heading *h;
	const char *kind;
	int x, w;

	if (!e)
		return 0;
	h = &v->picker.headings[e->heading];
	kind = h->parent == SIZE_MAX ? h->title : v->picker.headings[h->parent].title;
	x = 1 + canvas_text(c, 0, 1, ROLE_TEXT | STYLE_BOLD, e->name);
	if (e->alias)
		x += canvas_printf(c, 0, x, ROLE_TEXT, " = %s", e->alias);
	w = utf8_width(kind);
	if (x + 2 + w < c->at.w)
		canvas_text(c, 0, c->at.w - 1 - w, ROLE_DIM, kind);
	return 1;
}

struct drawing {
	const struct canvas *c; /* NULL: only counts the rows */
	int width, y;
};

static void draw_paragraph(void *ctx, style_t style, const char *text)
{
	struct drawing *d = ctx;

	d->y += scroll_text(d->c, d->y, 1, d->width - 2, style, text);
}

/* "int prev_pid", in as many columns as fit; if space is short, names only. */
static void draw_fields(const struct picker_screen *v, const struct canvas *c, int y)
{
	const char *fields = picker_fields(v), *at = fields;
	int widest = 1, columns, n = 0;
	struct picker_field f;
	char names[1024];

	if (!fields || !*fields)
		return;
	for (; picker_next_field(&at, &f); n++)
		widest = (int)strlen(f.text) > widest ? (int)strlen(f.text) : widest;
	columns = (c->at.w - 2) / (widest + 2) > 0 ? (c->at.w - 2) / (widest + 2) : 1;
	if (y + 1 + (n + columns - 1) / columns > c->at.h) {
		picker_field_names(v, names, sizeof(names));
		scroll_text(c, y, 1, c->at.w - 2, ROLE_TEXT, names);
		return;
	}
	canvas_text(c, y, 1, ROLE_DIM, _("fields"));
	for (n = 0; picker_next_field(&fields, &f); n++)
		canvas_cell(c, y + 1 + n / columns, 1 + n % columns * (widest + 2), widest,
			    ALIGN_LEFT, ROLE_TEXT, f.text);
}

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

/* Notes on the marked events together; `c` NULL: only counts the rows. */
static int draw_notes(const struct picker_screen *v, const struct canvas *c, int width)
{
	struct drawing d = { c, width, 0 };

	picker_preview_write(v, &(struct picker_writer){ draw_paragraph, &d });
	return d.y;
}

/* The most important first, since the end may not fit. */
static void draw_row(const struct picker_screen *v, const struct canvas *c)
{
	struct drawing d = { c, c->at.w, draw_name(v, c) };

	/* also in the list; here with a longer history */
	if (c->at.h >= MARKED_FROM)
		d.y += picker_preview_draw_event(v, c, d.y);
	picker_description_write(v, false, &(struct picker_writer){ draw_paragraph, &d });
	if (d.y < c->at.h)
		draw_fields(v, c, d.y);
}

void picker_details_draw(const struct picker_screen *v, const struct canvas *c)
{
	struct words events = WORDS_INIT, filters = WORDS_INIT;
	struct canvas part = *c, notes;
	int below, rows;

	if (c->at.h >= MARKED_FROM && v->picker.marks.n &&
	    !picker_marked(&v->picker, &events, &filters)) {
		below = (int)events.n + 2 < c->at.h / 3 ? (int)events.n + 2 : c->at.h / 3;
		part = canvas_part(c, c->at.h - below, 0, below, c->at.w);
		draw_marked(v, &part, &events, &filters);
		part = canvas_part(c, 0, 0, c->at.h - below, c->at.w);
	}
	/* problems of the marks are more important than details of one event */
	rows = draw_notes(v, NULL, c->at.w);
	if (rows > part.at.h * 2 / 3)
		rows = part.at.h * 2 / 3;
	notes = canvas_part(&part, part.at.h - rows, 0, rows, part.at.w);
	draw_notes(v, &notes, c->at.w);
	part = canvas_part(&part, 0, 0, part.at.h - rows, part.at.w);
	draw_row(v, &part);
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
	picker_description_write(v, true, &(struct picker_writer){ add_paragraph, &text });
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	popup_message(v->stack, e->name, text.err ? NULL : buf_str(&text));
	buf_release(&text);
	return WISH_REDRAW;
}
