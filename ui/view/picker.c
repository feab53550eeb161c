/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/picker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/picker.h"
#include "model/setup.h"
#include "model/setup_complete.h"
#include "text/i18n.h"
#include "view/setup_ask.h"
#include "widget/line.h"
#include "widget/number.h"
#include "widget/prompt.h"
#include "widget/table.h"

#define CHOSEN_FROM 12 /* lines; below that they are all for the list */

struct picker_screen {
	struct stack *stack;
	struct ptui_catalog *catalog;
	struct picker picker;
	struct table table;
	char search_before[128]; /* while one is typed */
	unsigned (*done)(void *ctx, const struct words *events);
	void *ctx;
};

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

/* ---- drawing ---- */

static void recalc(void *self)
{
	struct picker_screen *v = self;

	table_recalc(&v->table);
}

static void head(void *self, const struct canvas *line)
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

/* All of the entry under the cursor: the columns cut it. */
static void draw_chosen(const struct picker_screen *v, const struct canvas *c, int y)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	const struct picker_group *g;
	int x;

	if (!e)
		return;
	g = &v->picker.groups[e->group];
	x = 1 + canvas_text(c, y, 1, ROLE_TEXT | STYLE_BOLD, e->name);
	if (e->alias)
		x += canvas_printf(c, y, x, ROLE_TEXT, " = %s", e->alias);
	canvas_printf(c, y, x + 2, ROLE_DIM, "%s", g->heading);
	canvas_text(c, y + 1, 1, e->desc ? ROLE_TEXT : ROLE_DIM,
		    e->desc ? e->desc : _("the kernel describes it by its name alone"));
}

static void draw(void *self, const struct canvas *c)
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
		canvas_rule(c, c->at.h - 3);
		draw_chosen(v, c, c->at.h - 2);
	}
}

/* ---- what the person asks for ---- */

static unsigned search(struct picker_screen *v, const char *text)
{
	char copy[sizeof(v->picker.search)];

	snprintf(copy, sizeof(copy), "%s", text);
	if (picker_search(&v->picker, copy))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	snprintf(v->table.search, sizeof(v->table.search), "%s", copy);
	return WISH_RECALC;
}

static unsigned search_changed(void *ctx, const char *line)
{
	struct picker_screen *v = ctx;
	unsigned wishes = search(v, line);
	size_t row;

	/* The first that fits, not its heading: Space and Enter are meant for it. */
	table_recalc(&v->table);
	for (row = 0; *line && row < v->picker.n_rows; row++) {
		if (picker_entry(&v->picker, row)) {
			table_move_to(&v->table, row);
			break;
		}
	}
	return wishes;
}

static unsigned search_done(void *ctx, const char *line)
{
	struct picker_screen *v = ctx;

	return line ? WISH_RECALC : search(v, v->search_before);
}

static unsigned ask_search(struct picker_screen *v)
{
	const struct prompt_opts opts = { .label = "/ ", .line = v->picker.search,
					  .changed = search_changed, .done = search_done,
					  .ctx = v };

	memcpy(v->search_before, v->picker.search, sizeof(v->search_before));
	prompt_ask(v->stack, &opts);
	return WISH_REDRAW;
}

static int take_typed(void *ctx, const char *line, struct ptui_error *err)
{
	struct picker_screen *v = ctx;
	int ret = *line ? setup_check_event(line, err) : 0;

	if (ret || !*line)
		return ret;
	v->picker.touched = true;
	return words_add(&v->picker.typed, line) ? ptui_error_nomem(err) : 0;
}

static unsigned typed(void *ctx)
{
	(void)ctx;
	return WISH_RECALC;
}

static int ways(void *ctx, const char *line, size_t at, size_t *begin, struct words *ret)
{
	struct picker_screen *v = ctx;

	return complete_event(v->catalog, line, at, begin, ret);
}

static unsigned ask_type(struct picker_screen *v)
{
	const struct setup_question q = { .label = _("event: "),
					  .note = _("as ptui record -e takes it; Tab completes"),
					  .ways = ways, .take = take_typed, .taken = typed,
					  .ctx = v };

	return setup_ask(v->stack, &q);
}

static unsigned toggle(struct picker_screen *v, bool and_down)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);

	if (picker_toggle(&v->picker, v->table.cursor))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	if (e && and_down)
		table_request(&v->table, REQ_DOWN);
	return WISH_RECALC;
}

/*
 * Enter takes what is marked. Who marked nothing by hand means the row he is on, beside what was
 * there before.
 */
static unsigned take(struct picker_screen *v)
{
	const struct picker_entry *e = picker_entry(&v->picker, v->table.cursor);
	struct words events = WORDS_INIT;
	unsigned wishes = WISH_NONE;

	if (!e)
		return toggle(v, false);
	if (!e->mark && (!v->picker.touched || !picker_n_marked(&v->picker)))
		picker_toggle(&v->picker, v->table.cursor);
	if (picker_marked(&v->picker, &events)) {
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	} else {
		v->done(v->ctx, &events);
		wishes = WISH_POP;
	}
	words_release(&events);
	return wishes;
}

/* As in a tree: Right opens a heading or goes into it, Left closes it, from its entries too. */
static unsigned open_or_close(struct picker_screen *v, bool open)
{
	size_t row = v->table.cursor;

	if (*v->picker.search || row >= v->picker.n_rows || (open && picker_entry(&v->picker, row)))
		return table_request(&v->table, open ? REQ_RIGHT : REQ_LEFT);
	if (open && picker_is_open(&v->picker, row))
		return table_request(&v->table, REQ_DOWN);
	if (!open && v->table.skip)
		return table_request(&v->table, REQ_LEFT);
	row = picker_heading(&v->picker, row);
	if (picker_set_open(&v->picker, row, open))
		stack_say(v->stack, ROLE_BAD, "%s", _("out of memory"));
	table_recalc(&v->table);
	table_move_to(&v->table, row);
	return WISH_RECALC;
}

static unsigned request(void *self, enum request req)
{
	struct picker_screen *v = self;

	switch (req) {
	case REQ_MARK:
		return toggle(v, true);
	case REQ_TAKE:
		return take(v);
	case REQ_CLOSE_HEADING:
		return open_or_close(v, false);
	case REQ_OPEN_HEADING:
		return open_or_close(v, true);
	case REQ_SEARCH:
		return ask_search(v);
	case REQ_SEARCH_NEXT:
	case REQ_SEARCH_PREV:
		return *v->picker.search ? table_request(&v->table, req) : ask_search(v);
	case REQ_TYPE_EVENT:
		return ask_type(v);
	case REQ_BACK:
		return *v->picker.search ? search(v, "") : WISH_PASS;
	default:
		return table_request(&v->table, req);
	}
}

static unsigned mouse(void *self, const struct term_event *e)
{
	struct picker_screen *v = self;
	unsigned wishes = table_mouse(&v->table, e);

	/* A click on the row where the cursor is marks it, or opens the heading. */
	return wishes & WISH_OPEN ? toggle(v, false) : wishes;
}

static void close_screen(void *self)
{
	struct picker_screen *v = self;

	picker_release(&v->picker);
	ptui_catalog_free(v->catalog);
	free(v);
}

static const enum request hints[] = { REQ_MARK, REQ_TAKE, REQ_SEARCH, REQ_TYPE_EVENT, REQ_HELP,
				      REQ_BACK, REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Events"),
	.keymap = KEYMAP_PICKER,
	.hints = hints,
	.recalc = recalc,
	.head = head,
	.draw = draw,
	.request = request,
	.mouse = mouse,
	.close = close_screen,
};

int picker_open(struct stack *s, const struct picker_opts *opts, struct ptui_error *err)
{
	static const struct table_column columns[N_COLUMNS] = {
		[COLUMN_EVENT] = { .title = "", .width = 48, .min = 20 },
		[COLUMN_DESC] = { .title = "", .width = 10, .fill = true, .hide = 1 },
	};
	struct picker_screen *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->done = opts->done;
	v->ctx = opts->ctx;
	picker_init(&v->picker);
	v->catalog = ptui_catalog_new();
	if (!v->catalog || picker_load(&v->picker, v->catalog) ||
	    picker_mark_all(&v->picker, opts->events)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	table_init(&v->table, &row_ops, v);
	table_set_columns(&v->table, columns, N_COLUMNS);
	v->table.header = false;
	table_recalc(&v->table);
	return stack_push(s, &screen, v) ? ptui_error_nomem(err) : 0;
}
