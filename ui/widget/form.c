/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/utf8.h"
#include "widget/form.h"

/* Value and detail in `w` columns from `x`; returns the columns used. */
static int draw_value(const struct canvas *c, int x, int w, const struct form_row *row)
{
	int value_w = utf8_width(row->value) + (row->is_choice ? 2 : 0), at = value_w + 2;
	int shown = row->is_choice && w > 2 ? w - 2 : w;

	canvas_cell(c, 0, x, shown, ALIGN_LEFT, row->value_style, row->value);
	if (row->is_choice) {
		canvas_text(c, 0, x - 2, ROLE_DIM, "‹");
		canvas_text(c, 0, value_w > w ? x + w - 1 : x + value_w - 1, ROLE_DIM, "›");
	}
	if (!*row->detail || at >= w)
		return value_w;
	canvas_cell(c, 0, x + at, w - at, ALIGN_LEFT, row->detail_style, row->detail);
	return at + utf8_width(row->detail);
}

void form_row_draw(const struct canvas *line, int width, int label_width,
		   const struct form_row *row)
{
	int x = label_width + 2 < width / 2 ? label_width + 2 : width / 2;
	int w = width - x - 1, at, value_w, explanation_w = utf8_width(row->explanation);
	struct canvas part;

	canvas_cell(line, 0, 1, x - 4, ALIGN_LEFT, ROLE_TEXT, row->label);
	value_w = draw_value(line, x, w, row);
	/* The explanation has a fixed column, unless it is too long, or the value is. */
	at = w * 3 / 5;
	if (at + explanation_w > w && w / 2 + explanation_w <= w)
		at = w - explanation_w;
	if (at < value_w + 2)
		at = value_w + 2;
	if (!*row->explanation || at + explanation_w > w)
		return;
	part = canvas_part(line, 0, x + at, 1, w - at);
	canvas_text(&part, 0, 0, row->explanation_style, row->explanation);
	if (*row->current)
		canvas_mark(&part, 0, row->current, ROLE_FIELD);
}
