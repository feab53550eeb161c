/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/probe/probe_private.h"
#include "widget/line.h"

#define RULE_ROWS   20 /* smaller terminals use the line for a row */
#define LINES_MAX   3  /* of the kernel */
#define LABEL_SPACE 2

enum { COLUMN_NAME, COLUMN_TYPE, COLUMN_NOTE, N_COLUMNS };

/* ---- rows ---- */

static size_t row_count(void *ctx)
{
	return probe_choice_n_rows(&((struct probe_screen *)ctx)->choice);
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct probe_row r = probe_choice_row(&((struct probe_screen *)ctx)->choice, row);

	if (r.refusal)
		*style = ROLE_DIM;
	switch (column) {
	case COLUMN_NAME:
		snprintf(buf, size, "%s %s", r.refusal ? "   " : *r.chosen ? "[x]" : "[ ]", r.name);
		return buf;
	case COLUMN_TYPE:
		return r.type;
	default:
		*style = ROLE_DIM;
		return r.note;
	}
}

const struct table_ops probe_rows = { .count = row_count, .cell = row_cell };

void probe_set_columns(struct probe_screen *s)
{
	const struct table_column columns[N_COLUMNS] = {
		[COLUMN_NAME] = { .title = _("Variable"), .min = 12, .most = 40 },
		[COLUMN_TYPE] = { .title = _("Type"), .min = 6, .most = 30, .hide = 2 },
		[COLUMN_NOTE] = { .title = _("What is fetched"),
				  .width = 20,
				  .fill = true,
				  .hide = 1 },
	};

	table_fit_columns(&s->table, columns, N_COLUMNS);
}

/* ---- the screen ---- */

void probe_head(void *self, const struct canvas *line)
{
	const struct probe_screen *s = self;
	size_t n = probe_choice_n_chosen(&s->choice);
	char where[1024], state[128] = "";

	snprintf(where, sizeof(where), _("%s › probe %s"), s->where, s->title);
	if (s->choice.probe && s->choice.returns)
		snprintf(state, sizeof(state), "%s", _("return probe"));
	else if (s->choice.probe)
		snprintf(state, sizeof(state), Q_("%zu variable", "%zu variables", n), n);
	line_head(line, 0, where, state, ROLE_TEXT);
}

/* The definition, then the lines of the kernel, as many as fit. */
static void draw_plan(const struct probe_screen *s, const struct canvas *c)
{
	const char *labels[] = { _("Definition"), _("Probes") };
	int indent = LABEL_SPACE, width = 0, y = 1;
	char line[2048];

	for (size_t i = 0; i < 2; i++)
		width = utf8_widest(width, labels[i]);
	indent += width + 1;
	canvas_text(c, 0, 1, ROLE_DIM, labels[0]);
	canvas_text(c, 0, indent, ROLE_TEXT, s->plan.definition ? s->plan.definition : "");
	if (ptui_error_is_set(&s->refused)) {
		canvas_text(c, 1, indent, ROLE_BAD, s->refused.text);
		canvas_text(c, 2, indent, ROLE_DIM, s->refused.hint);
		return;
	}
	canvas_text(c, 1, 1, ROLE_DIM, labels[1]);
	for (const char *at = s->plan.lines; at && *at && y < c->at.h; y++) {
		size_t n = strcspn(at, "\n"), left = s->plan.n_lines - (size_t)y + 1;

		if (y == c->at.h - 1 && left > 1) {
			canvas_printf(c, y, indent, ROLE_DIM,
				      Q_("and %zu more address", "and %zu more addresses", left),
				      left);
			return;
		}
		snprintf(line, sizeof(line), "%.*s", (int)n, at);
		canvas_text(c, y, indent, ROLE_TEXT, line);
		at += n + (at[n] == '\n');
	}
}

void probe_draw(void *self, const struct canvas *c)
{
	struct probe_screen *s = self;
	struct canvas body, rule, plan;

	if (ptui_error_is_set(&s->err)) {
		canvas_text(c, 1, 2, ROLE_BAD, s->err.text);
		canvas_text(c, 2, 2, ROLE_DIM, s->err.hint);
		return;
	}
	if (!s->choice.probe) {
		if (s->worker)
			worker_draw(c, s->worker, _("goes back"));
		return;
	}
	s->boxes[PROBE_RULE].off = c->at.h < RULE_ROWS;
	s->boxes[PROBE_PLAN].size = 2 + (s->plan.n_lines > 1) +
				    (s->plan.n_lines > 2 || ptui_error_is_set(&s->refused));
	box_reflow(s->boxes, PROBE_BOXES, c->at.h);
	body = box_canvas(&s->boxes[PROBE_BODY], c);
	rule = box_canvas(&s->boxes[PROBE_RULE], c);
	plan = box_canvas(&s->boxes[PROBE_PLAN], c);
	table_draw(&s->table, &body);
	if (ptui_probe_no_variables(s->choice.probe))
		canvas_printf(&body, (int)probe_choice_n_rows(&s->choice) + 2, 1, ROLE_NOTE,
			      _("No variables: %s."), ptui_probe_no_variables(s->choice.probe));
	if (rule.at.h)
		canvas_rule(&rule, 0);
	if (plan.at.h)
		draw_plan(s, &plan);
}
