/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/work_draw.h"

#include "widget/spark.h"

void work_draw(const struct canvas *c, const struct worker_state *state, const char *escape_does)
{
	int y = c->at.h / 3, w = c->at.w - 8;

	if (w > 60)
		w = 60;
	if (w < 1)
		return;
	canvas_text(c, y, 4, ROLE_TEXT, state->what);
	if (state->total) {
		spark_bar(c, y + 1, 4, w, (double)state->done / (double)state->total, ROLE_NOTE);
		canvas_printf(c, y + 1, 5 + w, ROLE_TEXT, "%3d%%",
			      (int)(100.0 * (double)state->done / (double)state->total));
	}
	canvas_text(c, y + 2, 4, ROLE_DIM, escape_does);
}
