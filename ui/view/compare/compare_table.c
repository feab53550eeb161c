/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/compare/compare_private.h"

#define BAR_COLUMNS    8
#define EIGHTHS	       8
#define SYMBOL_COLUMNS 24 /* minimum */

/* ---- cells ---- */

static size_t row_count(void *ctx)
{
	struct compare_screen *s = ctx;

	return s->rows ? compare_rows_n(s->rows) : 0;
}

/* `word` instead of a number if the row is in one recording only. */
static const char *share_text(double share, bool is_there, const char *word, char *buf, size_t size)
{
	if (!is_there)
		return word;
	snprintf(buf, size, "%.2f%%", share * 100);
	return buf;
}

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

static const char *row_cell(void *ctx, size_t i, size_t column, char *buf, size_t size,
			    style_t *style)
{
	struct compare_screen *s = ctx;
	struct compare_row row;

	compare_rows_get(s->rows, i, &row);
	switch (column) {
	case COMPARE_BEFORE:
		*style = row.is_before ? style_heat(row.before * 100) : ROLE_DIM;
		return share_text(row.before, row.is_before, _("new"), buf, size);
	case COMPARE_AFTER:
		*style = row.is_after ? style_heat(row.after * 100) : ROLE_DIM;
		return share_text(row.after, row.is_after, _("gone"), buf, size);
	case COMPARE_DELTA:
		*style = delta_style(&row);
		return delta_text(&row, buf, size);
	case COMPARE_BAR:
		*style = delta_style(&row);
		return bar(&row, compare_rows_most(s->rows), buf, size);
	default:
		column -= COMPARE_NAMES;
		/* the DSO is context */
		if (column + 1 < compare_rows_n_names(s->rows))
			*style = ROLE_DIM;
		return compare_rows_name(s->rows, i, column, buf, size);
	}
}

static uint64_t row_id(void *ctx, size_t i)
{
	struct compare_screen *s = ctx;

	return compare_rows_id(s->rows, i);
}

static size_t row_find(void *ctx, uint64_t id)
{
	struct compare_screen *s = ctx;

	return s->rows ? compare_rows_find(s->rows, id) : SIZE_MAX;
}

/* Numbers are not searched. */
static bool row_matches(void *ctx, size_t i, const char *text)
{
	struct compare_screen *s = ctx;
	char name[1024];
	size_t bytes;

	for (size_t k = 0; k < compare_rows_n_names(s->rows); k++) {
		if (utf8_find(compare_rows_name(s->rows, i, k, name, sizeof(name)), text, &bytes))
			return true;
	}
	return false;
}

const struct table_ops compare_table_ops = {
	.count = row_count,
	.cell = row_cell,
	.id = row_id,
	.find = row_find,
	.matches = row_matches,
};

/* ---- columns ---- */

/* Minimum widths of names, and the order of hiding if even these do not fit. */
static const struct {
	const char *name; /* of the sort key */
	int min, hide;
} name_rooms[] = {
	{ "comm", 7, 3 },
	{ "dso", 13, 2 },
	{ "symbol", SYMBOL_COLUMNS, 0 },
};

static struct table_column name_column(const struct compare_rows *r, size_t name)
{
	const char *title = _(compare_rows_title(r, name));
	struct table_column c = {
		.title = title,
		.width = (int)compare_rows_width(r, name),
		.fill = name + 1 == compare_rows_n_names(r),
	};

	if (c.width < utf8_width(title))
		c.width = utf8_width(title);
	for (size_t k = 0; k < sizeof(name_rooms) / sizeof(name_rooms[0]); k++) {
		if (strcmp(compare_rows_key(r, name), name_rooms[k].name))
			continue;
		c.min = name_rooms[k].min;
		c.hide = c.fill ? 0 : name_rooms[k].hide;
	}
	/* the rest is scrolled */
	if (c.fill && c.width > SYMBOL_COLUMNS)
		c.width = SYMBOL_COLUMNS;
	return c;
}

/* The column that the rows are sorted by. */
static size_t sorted_by(enum compare_order order)
{
	return order == COMPARE_BY_BEFORE ? COMPARE_BEFORE :
	       order == COMPARE_BY_AFTER  ? COMPARE_AFTER :
					    COMPARE_DELTA;
}

void compare_set_columns(struct compare_screen *s)
{
	struct table_column columns[TABLE_COLUMNS_MAX] = {
		[COMPARE_BEFORE] = { .title = _("Before"), .width = 7, .align = ALIGN_RIGHT },
		[COMPARE_AFTER] = { .title = _("After"), .width = 7, .align = ALIGN_RIGHT },
		[COMPARE_DELTA] = { .title = _("Delta"), .width = 9, .align = ALIGN_RIGHT },
		[COMPARE_BAR] = { .title = "", .width = BAR_COLUMNS, .hide = 4 },
	};
	size_t n = COMPARE_NAMES;

	for (size_t i = 0; i < compare_rows_n_names(s->rows) && n < TABLE_COLUMNS_MAX; i++)
		columns[n++] = name_column(s->rows, i);
	table_set_columns(&s->table, columns, n);
	s->table.sort = sorted_by(compare_how(s->model)->order);
}
