/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "text/strings.h"
#include "text/utf8.h"
#include "widget/find.h"
#include "widget/scroll.h"
#include "widget/table.h"

#define GAP	     2 /* blanks between columns */
#define SKIP_STEP    8
#define SKIP_MAX     1000
#define BAR_MIN_COLS 20 /* narrower tables have no scroll bar */
#define FIT_ROWS     1000
#define MARK_MAX     16 /* bytes of "  [x] " before a name */

void table_init(struct table *t, const struct table_ops *ops, void *ctx)
{
	memset(t, 0, sizeof(*t));
	t->ops = ops;
	t->ctx = ctx;
	t->header = true;
	t->focus = true;
	t->sort = SIZE_MAX;
}

void table_set_columns(struct table *t, const struct table_column *columns, size_t n)
{
	if (n > TABLE_COLUMNS_MAX)
		n = TABLE_COLUMNS_MAX;
	if (n)
		memcpy(t->columns, columns, n * sizeof(*columns));
	t->n_columns = n;
}

static size_t count_rows(const struct table *t)
{
	const char *in = t->ctx;

	if (t->ops->count)
		return t->ops->count(t->ctx);
	if (t->ops->list)
		in = *(const char *const *)(in + t->ops->list);
	return in ? *(const size_t *)(in + t->ops->n_rows) : 0;
}

/* --- columns --- */

static int widest_cell(const struct table *t, size_t column, int width)
{
	size_t n = count_rows(t);
	char buf[ROW_BYTES];
	style_t style;

	for (size_t row = 0; row < n && row < FIT_ROWS; row++)
		width = utf8_widest(width,
				    t->ops->cell(t->ctx, row, column, buf, sizeof(buf), &style));
	return width;
}

char *table_cursor_text(const struct table *t, char *buf, size_t size)
{
	char cell[ROW_BYTES];
	style_t style;

	*buf = '\0';
	for (size_t i = 0; i < t->n_columns && t->cursor < count_rows(t); i++) {
		const char *text = t->ops->cell(t->ctx, t->cursor, i, cell, sizeof(cell), &style);

		if (*text)
			text_join(buf, size, "  ", "%s", text);
	}
	return buf;
}

void table_fit_columns(struct table *t, const struct table_column *columns, size_t n)
{
	table_set_columns(t, columns, n);
	for (size_t i = 0; i < t->n_columns; i++) {
		struct table_column *col = &t->columns[i];

		col->width = utf8_widest(col->width, col->title);
		if (!col->most)
			continue;
		col->width = widest_cell(t, i, col->width);
		if (col->width > col->most)
			col->width = col->most;
	}
}

/* The minimum width of a visible column. */
static int column_least(const struct table_column *col)
{
	return col->min && col->min < col->width && col->align == ALIGN_LEFT ? col->min :
									       col->width;
}

/* Widths of the visible columns and gaps, at their widest or narrowest. */
static int columns_need(const struct table *t, const bool *hidden, bool least)
{
	int need = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		if (hidden[i])
			continue;
		need += need ? GAP : 0;
		need += least ? column_least(&t->columns[i]) : t->columns[i].width;
	}
	return need;
}

/* Hides the next column; of several, the last. False: none left to hide. */
static bool columns_hide_one(const struct table *t, bool *hidden)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < t->n_columns; i++) {
		if (hidden[i] || t->columns[i].hide <= 0)
			continue;
		if (found == SIZE_MAX || t->columns[i].hide >= t->columns[found].hide)
			found = i;
	}
	if (found == SIZE_MAX)
		return false;
	hidden[found] = true;
	return true;
}

/* Removes `excess` columns of width, each from the widest reducible column. */
static void columns_cut(const struct table *t, const bool *hidden, int excess, int *widths)
{
	for (; excess > 0; excess--) {
		size_t best = SIZE_MAX;
		int spare = 0;

		for (size_t i = 0; i < t->n_columns; i++) {
			int here = widths[i] - column_least(&t->columns[i]);

			if (!hidden[i] && here > spare) {
				spare = here;
				best = i;
			}
		}
		if (best == SIZE_MAX)
			return;
		widths[best]--;
	}
}

/* What still does not fit is cut at the right edge. */
static void columns_clip(const struct table *t, int width, int *widths)
{
	int x = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		if (!widths[i])
			continue;
		if (x + widths[i] > width)
			widths[i] = x < width ? width - x : 0;
		x += widths[i] + GAP;
	}
}

void table_layout(const struct table *t, int width, int ret_width[TABLE_COLUMNS_MAX])
{
	bool hidden[TABLE_COLUMNS_MAX] = { false };
	int need;

	while (columns_need(t, hidden, true) > width && columns_hide_one(t, hidden))
		;
	memset(ret_width, 0, TABLE_COLUMNS_MAX * sizeof(*ret_width));
	for (size_t i = 0; i < t->n_columns; i++)
		ret_width[i] = hidden[i] ? 0 : t->columns[i].width;
	need = columns_need(t, hidden, false);
	columns_cut(t, hidden, need - width, ret_width);
	for (size_t i = 0; i < t->n_columns && need < width; i++) {
		if (t->columns[i].fill && !hidden[i]) {
			ret_width[i] += width - need;
			break;
		}
	}
	columns_clip(t, width, ret_width);
}

/* --- cursor and scrolling --- */

static size_t table_page(const struct table *t)
{
	return t->page > 0 ? (size_t)t->page : 1;
}

static size_t table_top_max(const struct table *t)
{
	return t->n_rows > table_page(t) ? t->n_rows - table_page(t) : 0;
}

static void table_remember(struct table *t)
{
	t->cursor_id = t->ops->id && t->cursor < t->n_rows ? t->ops->id(t->ctx, t->cursor) : 0;
}

static void table_place(struct table *t, size_t row)
{
	if (row >= t->n_rows)
		row = t->n_rows ? t->n_rows - 1 : 0;
	t->cursor = row;
	table_remember(t);
	scroll_follow(&t->top, t->cursor, t->n_rows, t->page);
}

void table_move_to(struct table *t, size_t row)
{
	t->moved = row > 0;
	table_place(t, row);
}

size_t table_row_of(const struct table *t, uint64_t id)
{
	if (t->ops->find)
		return t->ops->find(t->ctx, id);
	for (size_t row = 0; row < t->n_rows; row++)
		if (t->ops->id(t->ctx, row) == id)
			return row;
	return SIZE_MAX;
}

void table_move_to_id(struct table *t, uint64_t id)
{
	size_t row = id ? table_row_of(t, id) : SIZE_MAX;

	if (row != SIZE_MAX)
		table_move_to(t, row);
}

void table_recalc(struct table *t)
{
	size_t row = t->cursor, line = t->cursor - t->top;

	t->n_rows = count_rows(t);
	if (t->follow_first && !t->moved) {
		row = line = 0;
	} else if (t->cursor_id) {
		size_t found = table_row_of(t, t->cursor_id);

		if (found != SIZE_MAX)
			row = found;
	}
	/* The cursor row stays on the same line of the screen. */
	t->top = row > line ? row - line : 0;
	table_place(t, row);
}

static unsigned table_moved(struct table *t, size_t row)
{
	size_t before = t->cursor;

	table_place(t, row);
	if (t->cursor == before)
		return WISH_NONE;
	t->moved = true;
	return WISH_REDRAW;
}

/* The first row, and follow it from now on. */
static unsigned table_first(struct table *t)
{
	unsigned wish = table_moved(t, 0);

	t->moved = false;
	return wish;
}

static unsigned table_skip(struct table *t, int by)
{
	int skip = t->skip + by;

	if (skip < 0)
		skip = 0;
	if (skip > SKIP_MAX)
		skip = SKIP_MAX;
	if (skip == t->skip)
		return WISH_NONE;
	t->skip = skip;
	return WISH_REDRAW;
}

unsigned table_request(struct table *t, enum request req)
{
	size_t row = scroll_cursor(req, t->cursor, t->n_rows, t->page);

	if (row != SIZE_MAX)
		return req == REQ_FIRST ? table_first(t) : table_moved(t, row);
	switch (req) {
	case REQ_LEFT:
		return table_skip(t, -SKIP_STEP);
	case REQ_RIGHT:
		return table_skip(t, SKIP_STEP);
	default:
		return WISH_PASS;
	}
}

unsigned table_mouse(struct table *t, const struct term_event *e)
{
	const struct scroll_list list = {
		.n = t->n_rows,
		.cursor = t->cursor,
		.top = &t->top,
		.at = { t->at.y + t->header_h, t->at.x, t->page, t->at.w },
		.opened_ns = &t->opened_ns,
	};
	size_t row;
	unsigned wishes = scroll_list_mouse(&list, e, &row);

	/* a click selects the row, even if it has the cursor already */
	t->moved |= !(wishes & WISH_PASS) && (wishes || e->mouse == MOUSE_PRESS);
	if (row != t->cursor)
		table_place(t, row);
	return wishes & WISH_OPEN && !t->focus ? WISH_NONE : wishes;
}

size_t table_header_at(const struct table *t, const struct term_event *e)
{
	int widths[TABLE_COLUMNS_MAX], x = 0;

	if (e->kind != TERM_MOUSE || e->mouse != MOUSE_PRESS || e->button != 1 ||
	    e->y >= t->at.y + t->header_h || e->y < t->at.y)
		return SIZE_MAX;
	table_layout(t, t->width, widths);
	for (size_t i = 0; i < t->n_columns; i++) {
		if (!widths[i])
			continue;
		/* the mark may be in the gap */
		if (e->x >= t->at.x + x && e->x < t->at.x + x + widths[i] + 1)
			return i;
		x += widths[i] + GAP;
	}
	return SIZE_MAX;
}

/* --- search --- */

void table_show(struct table *t, size_t row)
{
	size_t page = table_page(t);
	bool hidden = row < t->top || row - t->top >= page;

	table_place(t, row);
	t->moved = true;
	if (!hidden)
		return;
	t->top = row > page / 2 ? row - page / 2 : 0;
	if (t->top > table_top_max(t))
		t->top = table_top_max(t);
}

static size_t lines_count(void *ctx)
{
	return ((struct table *)ctx)->n_rows;
}

static bool line_matches(void *ctx, size_t row)
{
	const struct table *t = ctx;
	char buf[ROW_BYTES];
	size_t bytes;

	if (row >= count_rows(t)) /* removed since the last table_recalc() */
		return false;
	if (t->ops->matches)
		return t->ops->matches(t->ctx, row, t->search);
	for (size_t i = 0; i < t->n_columns; i++) {
		style_t style = ROLE_TEXT;
		const char *text = t->ops->cell(t->ctx, row, i, buf, sizeof(buf), &style);

		if (utf8_find(text, t->search, &bytes))
			return true;
	}
	return false;
}

static size_t cursor_line(void *ctx, bool *ret_match)
{
	*ret_match = true;
	return ((struct table *)ctx)->cursor;
}

static void show_line(void *ctx, size_t row)
{
	table_show(ctx, row);
}

static void set_text(void *ctx, const char *text)
{
	find_copy(((struct table *)ctx)->search, text);
}

static uint64_t place(void *ctx)
{
	return ((struct table *)ctx)->cursor;
}

static void go(void *ctx, uint64_t row)
{
	table_move_to(ctx, (size_t)row);
}

const struct find_ops table_find_ops = {
	.count = lines_count,
	.matches = line_matches,
	.here = cursor_line,
	.show = show_line,
	.set_text = set_text,
	.place = place,
	.go = go,
};

/* --- drawing --- */

static void draw_header(const struct table *t, const struct canvas *line, const int *widths)
{
	int x = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		const struct table_column *col = &t->columns[i];
		style_t style = ROLE_TITLE;
		int mark;

		if (!widths[i])
			continue;
		if (i == t->sort)
			style |= STYLE_BOLD;
		canvas_cell(line, 0, x, widths[i], col->align, style, col->title);
		if (i == t->sort) {
			mark = col->align == ALIGN_LEFT ? utf8_width(col->title) : widths[i];
			if (mark > widths[i])
				mark = widths[i];
			canvas_text(line, 0, x + mark, style, t->sort_up ? "↑" : "↓");
		}
		x += widths[i] + GAP;
	}
}

const char *table_elide(const struct table *t, const char *text, int width, char buf[ROW_BYTES])
{
	const char *end = strstr(text, "] ");
	size_t n, mark = end && end - text < MARK_MAX ? (size_t)(end + 2 - text) : 0;

	memcpy(buf, text, mark);
	name_short(text + mark, width - (int)mark, buf + mark, ROW_BYTES - mark);
	return utf8_find(text, t->search, &n) && !utf8_find(buf, t->search, &n) ? text : buf;
}

static void draw_columns(struct table *t, size_t row, const struct canvas *line, style_t flags,
			 const int *widths)
{
	char buf[ROW_BYTES], elided[ROW_BYTES];
	int x = 0;

	for (size_t i = 0; i < t->n_columns; i++) {
		const struct table_column *col = &t->columns[i];
		style_t style = ROLE_TEXT;
		const char *text;

		if (!widths[i])
			continue;
		text = t->ops->cell(t->ctx, row, i, buf, sizeof(buf), &style);
		if (!col->bar)
			style |= flags;
		t->is_cut |= col->elide && utf8_width(text) > widths[i] + t->skip;
		if (col->elide && !t->skip)
			text = table_elide(t, text, widths[i], elided);
		if (col->fill)
			canvas_cell_from(line, 0, x, widths[i], t->skip, style, text);
		else
			canvas_cell(line, 0, x, widths[i], col->align, style, text);
		x += widths[i] + GAP;
	}
}

/* Reverses the row, except for bars. `widths` NULL: it has no columns. */
static void draw_cursor(const struct table *t, const struct canvas *line, const int *widths)
{
	int from = 0, x = 0;

	for (size_t i = 0; widths && i < t->n_columns; i++) {
		if (!widths[i])
			continue;
		if (t->columns[i].bar) {
			canvas_add_flags(line, 0, from, x - from, STYLE_CURSOR);
			from = x + widths[i];
		}
		x += widths[i] + GAP;
	}
	canvas_add_flags(line, 0, from, line->at.w - from, STYLE_CURSOR);
}

static void draw_row(struct table *t, size_t row, const struct canvas *line, const int *widths)
{
	style_t flags = t->focus && row == t->cursor ? STYLE_CURSOR : 0;

	if (t->ops->draw && t->ops->draw(t->ctx, row, line, flags, t->skip))
		widths = NULL;
	else
		draw_columns(t, row, line, flags, widths);
	canvas_mark(line, 0, t->search, ROLE_MATCH);
	if (flags)
		draw_cursor(t, line, widths);
}

void table_draw(struct table *t, const struct canvas *c)
{
	int widths[TABLE_COLUMNS_MAX];
	int width = c->at.w;
	struct canvas line;

	t->header_h = t->header && c->at.h > 1 ? 1 : 0;
	t->page = c->at.h - t->header_h;
	t->at = c->at;
	canvas_clear(c);
	scroll_follow(&t->top, t->cursor, t->n_rows, t->page);
	if (width > BAR_MIN_COLS && t->page > 0 && t->n_rows > (size_t)t->page) {
		width--;
		canvas_scrollbar(c, t->header_h, width, t->page, t->top, (uint64_t)t->page,
				 t->n_rows);
	}
	t->width = width;
	t->is_cut = false;
	table_layout(t, width, widths);
	if (t->header_h) {
		line = canvas_part(c, 0, 0, 1, width);
		draw_header(t, &line, widths);
	}
	for (int y = 0; y < t->page && t->top + (size_t)y < t->n_rows; y++) {
		line = canvas_part(c, t->header_h + y, 0, 1, width);
		draw_row(t, t->top + (size_t)y, &line, widths);
	}
}
