/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/compare/compare_private.h"

#define BAR_COLUMNS 8
#define EIGHTHS	    8

/* ---- cells ---- */

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

const char *compare_own_cell(void *self, uint64_t node, size_t own, char *buf, size_t size,
			     style_t *style)
{
	struct compare_screen *s = self;
	struct compare_row row;

	compare_rows_get(s->rows, rows_row(s->view.rows, node), &row);
	switch (own) {
	case COMPARE_BEFORE:
		*style = row.is_before ? style_heat(row.before * 100) : ROLE_DIM;
		return share_text(row.before, row.is_before, _("new"), buf, size);
	case COMPARE_AFTER:
		*style = row.is_after ? style_heat(row.after * 100) : ROLE_DIM;
		return share_text(row.after, row.is_after, _("gone"), buf, size);
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
