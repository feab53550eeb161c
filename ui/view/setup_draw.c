/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "view/setup_private.h"
#include "view/setup_text.h"
#include "widget/line.h"

static size_t n_refused(const struct ptui_check *check)
{
	size_t i, n = 0;

	for (i = 0; i < check->n_problems; i++)
		n += check->problems[i].refused;
	return n;
}

/* "cycles ok · kernel samples ok", or what is not. */
static style_t state_text(const struct setup_screen *v, char *buf, size_t size)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	const char *asked = v->setup.events.n ? v->setup.events.v[0] : "cycles";
	size_t refused;
	bool same;

	if (ptui_error_is_set(&v->incomplete) || !check) {
		snprintf(buf, size, "%s", setup_checker_busy(v->checker) ? _("looking …") :
			 setup_checker_error(v->checker) ? _("cannot tell") :
			 _("not ready: what is recorded?"));
		return setup_checker_busy(v->checker) ? ROLE_DIM : ROLE_NOTE;
	}
	refused = n_refused(check);
	if (refused) {
		snprintf(buf, size, Q_("✗ %zu thing is refused", "✗ %zu things are refused",
				       refused), refused);
		return ROLE_BAD;
	}
	same = !strcmp(check->first, asked);
	if (same)
		snprintf(buf, size, _("%s ok"), asked);
	else
		snprintf(buf, size, _("%s for %s"), check->first, asked);
	size -= strlen(buf);
	buf += strlen(buf);
	snprintf(buf, size, " · %s", check->kernel_samples ? _("kernel samples ok") :
		 _("no kernel samples"));
	return same && check->kernel_samples && !check->n_problems ? ROLE_GOOD : ROLE_NOTE;
}

void setup_head(void *self, const struct canvas *line)
{
	struct setup_screen *v = self;
	char state[256];
	style_t style = state_text(v, state, sizeof(state));

	line_head(line, 0, _("ptui  Setup"), state, style);
}

/* Draws a problem with its remedy; returns the rows it takes. */
static int draw_problem(const struct canvas *c, int y, const struct ptui_error *what, bool refused)
{
	int x = 4, width = c->at.w - x - 1, rows;

	canvas_text(c, y, 2, refused ? ROLE_BAD : ROLE_NOTE, refused ? "✗" : "!");
	rows = setup_text(c, y, x, width, ROLE_TEXT, what->text);
	if (*what->hint)
		rows += setup_text(c, y + rows, x, width, ROLE_DIM, what->hint);
	return rows;
}

static void draw_problems(const struct setup_screen *v, const struct canvas *c, int y)
{
	const struct ptui_check *check = setup_checker_answer(v->checker);
	const struct ptui_error *error = setup_checker_error(v->checker);
	size_t i;

	if (ptui_error_is_set(&v->incomplete)) {
		draw_problem(c, y, &v->incomplete, false);
		return;
	}
	if (error)
		y += draw_problem(c, y, error, false);
	for (i = 0; check && i < check->n_problems && y < c->at.h; i++)
		y += draw_problem(c, y, &check->problems[i].what, check->problems[i].refused);
}

/*
 * The form first, then the command line, then what is wrong. Where there is little room the form
 * scrolls, but the command line is always there.
 */
void setup_draw(void *self, const struct canvas *c)
{
	struct setup_screen *v = self;
	int width = c->at.w - LABEL_COLUMNS - 3, rows = (int)setup_form_count(v), same, gap, y;
	struct canvas part;

	same = setup_command_text(NULL, 0, 0, width, ROLE_TEXT, &v->same_as);
	if (same > c->at.h / 3)
		same = c->at.h / 3 ? c->at.h / 3 : 1;
	gap = rows + same + 5 <= c->at.h; /* an empty line between, where there is room */
	if (rows > c->at.h - same - gap - 1)
		rows = c->at.h - same - gap - 1;
	if (rows < 1)
		rows = 1;
	part = canvas_part(c, 0, 0, rows, c->at.w);
	form_draw(&v->form, &part);
	v->form_rows = rows;

	y = rows + gap;
	part = canvas_part(c, y, 0, same, c->at.w);
	canvas_text(&part, 0, 2, ROLE_DIM, _("Same as"));
	setup_command_text(&part, 0, LABEL_COLUMNS + 2, width, ROLE_TEXT, &v->same_as);
	y += same + gap;
	part = canvas_part(c, y, 0, c->at.h - y, c->at.w);
	draw_problems(v, &part, 0);
}
