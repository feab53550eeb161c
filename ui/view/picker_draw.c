/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of events, and where things stand. */
#include <stdio.h>

#include "text/i18n.h"
#include "view/picker_private.h"
#include "widget/line.h"
#include "widget/number.h"

#define CHOSEN_FROM 12 /* lines; below that they are all for the list */

enum { COLUMN_EVENT, COLUMN_DESC, N_COLUMNS };

/* ---- the rows ---- */

static size_t row_count(void *ctx)
{
	struct picker_screen *v = ctx;

	return v->picker.n_rows;
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	struct picker_screen *v = ctx;
	const struct picker_entry *e = picker_entry(&v->picker, row);

	if (!e)
		return "";
	if (column == COLUMN_EVENT) {
		snprintf(buf, size, " [%c] %s%s%s", e->mark ? 'x' : ' ', e->name,
			 e->alias ? " = " : "", e->alias ? e->alias : "");
		if (e->mark)
			*style = ROLE_TEXT | STYLE_BOLD;
		return buf;
	}
	*style = ROLE_DIM;
	return e->desc ? e->desc : "";
}

static bool row_draw(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip)
{
	struct picker_screen *v = ctx;
	const struct picker_group *g;
	char number[32];
	size_t marked;
	int x;

	(void)skip;
	if (row >= v->picker.n_rows || picker_entry(&v->picker, row))
		return false;
	g = &v->picker.groups[v->picker.rows[row].group];
	x = canvas_printf(line, 0, 1, ROLE_TITLE | flags, "%s %s",
			  picker_is_open(&v->picker, row) ? "▾" : "▸", g->heading);
	x += canvas_printf(line, 0, 1 + x, ROLE_DIM | flags, " (%s)",
			   number_full(number, sizeof(number), g->n_fits));
	marked = picker_n_marked_in(&v->picker, v->picker.rows[row].group);
	if (marked && !picker_is_open(&v->picker, row))
		x += canvas_printf(line, 0, 1 + x, ROLE_TEXT | STYLE_BOLD | flags,
				   _("  %zu marked"), marked);
	if (g->trouble)
		canvas_printf(line, 0, 1 + x, ROLE_BAD | flags, "  %s", g->trouble);
	return true;
}

static uint64_t row_id(void *ctx, size_t row)
{
	struct picker_screen *v = ctx;

	return picker_id(&v->picker, row);
}

static size_t row_find(void *ctx, uint64_t id)
{
	struct picker_screen *v = ctx;

	return picker_find(&v->picker, id);
}

/* An event that does not is not shown; a heading is passed by. */
static bool row_matches(void *ctx, size_t row, const char *text)
{
	struct picker_screen *v = ctx;

	(void)text;
	return picker_entry(&v->picker, row);
}

static const struct table_ops row_ops = {
	.count = row_count,
	.cell = row_cell,
	.draw = row_draw,
	.id = row_id,
	.find = row_find,
	.matches = row_matches,
};

void picker_draw_init(struct picker_screen *v)
{
	static const struct table_column columns[N_COLUMNS] = {
		[COLUMN_EVENT] = { .title = "", .width = 48, .min = 20 },
		[COLUMN_DESC] = { .title = "", .width = 10, .fill = true, .hide = 1 },
	};

	table_init(&v->table, &row_ops, v);
	table_set_columns(&v->table, columns, N_COLUMNS);
	v->table.header = false;
}

/* ---- drawing ---- */

void picker_head(void *self, const struct canvas *line)
{
	struct picker_screen *v = self;
	char where[192], state[96], fits[32], all[32];

	snprintf(where, sizeof(where), *v->picker.search ? _("Setup › Events   / %s") :
		 _("Setup › Events"), v->picker.search);
	snprintf(state, sizeof(state), _("%zu marked · %s of %s"), picker_n_marked(&v->picker),
		 number_full(fits, sizeof(fits), v->picker.n_fits),
		 number_full(all, sizeof(all), v->picker.n_entries));
	line_head(line, 0, where, state, ROLE_DIM);
}

/* What was typed has no row of its own, and is told here. */
static void draw_typed(const struct picker_screen *v, const struct canvas *c, int y)
{
	int x = 1 + canvas_text(c, y, 1, ROLE_DIM, _("also, as typed:"));
	size_t i;

	for (i = 0; i < v->picker.typed.n; i++)
		x += canvas_printf(c, y, x + 1, ROLE_TEXT | STYLE_BOLD, "%s", v->picker.typed.v[i]) + 1;
}

void picker_draw(void *self, const struct canvas *c)
{
	struct picker_screen *v = self;
	bool typed = v->picker.typed.n && c->at.h > 4;
	int chosen = c->at.h >= CHOSEN_FROM ? 3 : 0, rows = c->at.h - typed - chosen;
	struct canvas list = canvas_part(c, 0, 0, rows, c->at.w);

	table_draw(&v->table, &list);
	if (!v->picker.n_rows)
		canvas_printf(c, 1, 2, ROLE_DIM,
			      _("no event has \"%s\" in its name or description: ESC shows all again"),
			      v->picker.search);
	if (typed)
		draw_typed(v, c, rows);
	if (chosen) {
		canvas_rule(c, c->at.h - chosen);
		list = canvas_part(c, c->at.h - chosen + 1, 0, chosen - 1, c->at.w);
		picker_details_draw(v, &list);
	}
}
