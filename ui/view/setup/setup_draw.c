/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/utf8.h"
#include "view/setup/setup_private.h"
#include "widget/line.h"
#include "widget/scroll.h"

/* ---- the first line: readiness ---- */

/* "cycles ok", or "cpu-clock for cycles" after a fallback. */
static void first_text(const struct setup_screen *v, const struct ptui_check *check, char *buf,
		       size_t size)
{
	const char *event = setup_event(&v->setup, 0), *asked = event ? event : "cycles", *object;

	snprintf(buf, size, _("%s ok"), check->first);
	for (size_t i = check->n_problems; i-- > 0 && !strstr(asked, check->first);) {
		object = check->problems[i].what.object;
		if (!check->problems[i].refused && *object && strstr(asked, object))
			snprintf(buf, size, _("%s for %s"), check->first, object);
	}
}

/* "✓ ready · cycles ok · kernel samples ok", as much as fits. */
static style_t ready_text(const struct setup_screen *v, const struct ptui_check *check, int width,
			  char *buf, size_t size)
{
	bool well = !check->n_problems && check->kernel_samples;
	const char *ready = well ? _("✓ ready") : _("! ready");
	char first[512];

	first_text(v, check, first, sizeof(first));
	snprintf(buf, size, "%s · %s · %s", ready, first,
		 check->kernel_samples ? _("kernel samples ok") : _("no kernel samples"));
	if (utf8_width(buf) > width)
		snprintf(buf, size, "%s · %s", ready, first);
	if (utf8_width(buf) > width)
		snprintf(buf, size, "%s", ready);
	return well ? ROLE_GOOD : ROLE_NOTE;
}

static style_t put(char *buf, size_t size, style_t style, const char *text)
{
	snprintf(buf, size, "%s", text);
	return style;
}

static style_t state_text(const struct setup_screen *v, int width, char *buf, size_t size)
{
	const struct ptui_check *check = v->answer;
	size_t refused = 0;

	if (v->contradicts)
		return put(buf, size, ROLE_BAD, _("✗ these options cannot be combined"));
	if (v->target_ended)
		return put(buf, size, ROLE_BAD, _("✗ the process has ended"));
	if (ptui_error_is_set(&v->incomplete))
		return put(buf, size, ROLE_NOTE,
			   v->setup.target == SETUP_PROCESS ? _("not ready: no process yet") :
							      _("not ready: no command yet"));
	if (v->is_checking)
		return put(buf, size, ROLE_DIM, _("checking …"));
	if (!check || ptui_error_is_set(&v->answer->error))
		return put(buf, size, ROLE_NOTE, _("! cannot check whether this works"));
	for (size_t i = 0; i < check->n_problems; i++)
		refused += check->problems[i].refused;
	if (!refused)
		return ready_text(v, check, width, buf, size);
	snprintf(buf, size, Q_("✗ %zu thing is refused", "✗ %zu things are refused", refused),
		 refused);
	return ROLE_BAD;
}

void setup_head(void *self, const struct canvas *line)
{
	const char *where = _("ptui  Setup");
	char state[768];
	style_t style = state_text(self, line->at.w - utf8_width(where) - 4, state, sizeof(state));

	line_head(line, where, state, style);
}

/* ---- problems ---- */

/* Draws a problem with its remedy; returns the rows used. `old`: being checked again. */
static int draw_problem(const struct canvas *c, int y, const struct ptui_error *what, bool refused,
			bool old)
{
	int x = 4, width = c->at.w - x - 1, rows;

	canvas_text(c, y, 2, old ? ROLE_DIM : refused ? ROLE_BAD : ROLE_NOTE, refused ? "✗" : "!");
	rows = scroll_text(c, y, x, width, old ? ROLE_DIM : ROLE_TEXT, what->text);
	return rows + scroll_text(c, y + rows, x, width, ROLE_DIM, what->hint);
}

/* Returns the rows, also those that do not fit. */
static int draw_problems(const struct setup_screen *v, const struct canvas *c)
{
	const struct ptui_check *check = v->last;
	bool old = v->is_checking;
	int y = 0;

	if (ptui_error_is_set(&v->incomplete))
		return draw_problem(c, y, &v->incomplete, v->target_ended || v->contradicts, false);
	if (v->answer && ptui_error_is_set(&v->answer->error))
		y += draw_problem(c, y, &v->answer->error, false, false);
	for (size_t i = 0; check && i < check->n_problems; i++)
		y += draw_problem(c, y, &check->problems[i].what, check->problems[i].refused, old);
	return y;
}

/* ---- the command line ---- */

/*
 * The next *ret_n words: an option of ptui stays together with its value, as in "-e cycles", if they fit
 * into a line. `end`: index of the command. NULL: out of memory.
 */
static char *next_piece(const struct words *words, size_t i, size_t end, int width, size_t *ret_n)
{
	const char *word = words->v[i];
	char *text = NULL;

	*ret_n = 1;
	if (i + 1 < end && word[0] == '-' && word[1] && words->v[i + 1][0] != '-')
		text = words_join_part(words, i, 2);
	if (text && 2 + utf8_width(text) + 2 <= width) {
		*ret_n = 2;
		return text;
	}
	free(text);
	return words_join_part(words, i, 1);
}

int setup_command_text(const struct canvas *c, int x, int width, const struct words *words)
{
	int row = 0, at = 0, line = width > 0 ? width : 1;
	size_t n, fits, end = 0;
	char *text, *rest;

	while (end < words->n && strcmp(words->v[end], "--") != 0)
		end++;
	for (size_t i = 0; i < words->n && (text = next_piece(words, i, end, width, &n)); i += n) {
		at += i != 0;
		if (i && at + utf8_width(text) + 2 > width) { /* 2: the trailing \ */
			if (c)
				canvas_text(c, row, x + at, ROLE_DIM, "\\");
			row++;
			at = width > 2 ? 2 : 0;
		}
		/* one that is wider than the line wraps like on a terminal */
		for (rest = text;; rest += fits, row++, at = 0) {
			fits = utf8_fit(rest, line - at);
			if (!fits && !at)
				fits = utf8_fit(rest, 2) ? utf8_fit(rest, 2) : strlen(rest);
			if (c)
				canvas_printf(c, row, x + at, ROLE_TEXT, "%.*s", (int)fits, rest);
			if (!rest[fits])
				break;
		}
		at += utf8_width(rest);
		free(text);
	}
	return words->n ? row + 1 : 0;
}

/* ---- layout ---- */

/* "(y) copy" at the right; returns its columns, which the command line cannot use. */
static int draw_copy(const struct setup_screen *v, const struct canvas *line)
{
	struct key_text key = setup_key(v, REQ_COPY);
	char text[64];
	int w;

	snprintf(text, sizeof(text), "(%s) %s", key.text, _(request_info(REQ_COPY)->word));
	w = utf8_width(text) + 2;
	if (line->at.w < 60 || ptui_error_is_set(&v->incomplete) || !*key.text ||
	    w > line->at.w / 3)
		return 0;
	canvas_text(line, 0, line->at.w - w + 1, ROLE_DIM, text);
	return w;
}

/*
 * The form, the command line, the problems. If space is short the form scrolls; the command line is
 * always visible.
 */
void setup_draw(void *self, const struct canvas *c)
{
	struct setup_screen *v = self;
	struct canvas part = canvas_part(c, 0, 0, 0, c->at.w); /* no rows: only measures */
	int rows = (int)v->table.n_rows, same, gap, y, width;
	int problem_rows = !v->last || draw_problems(v, &part); /* at least */

	width = c->at.w - LABEL_COLUMNS - 3 - draw_copy(v, &part);
	same = setup_command_text(NULL, 0, width, &v->same_as);
	if (rows + same + problem_rows > c->at.h && same > c->at.h * 2 / 5)
		same = c->at.h * 2 / 5 ? c->at.h * 2 / 5 : 1;
	gap = rows + same + 5 <= c->at.h; /* an empty line between them, if there is room */
	if (rows > c->at.h - same - gap - problem_rows)
		rows = c->at.h - same - gap - problem_rows;
	if (rows < 1)
		rows = 1;
	part = canvas_part(c, 0, 0, rows, c->at.w);
	table_draw(&v->table, &part);

	y = rows + gap;
	part = canvas_part(c, y, 0, same, c->at.w);
	canvas_text(&part, 0, 1, ROLE_TEXT, _("Same as"));
	draw_copy(v, &part);
	if (setup_command_text(&part, LABEL_COLUMNS + 2, width, &v->same_as) > same)
		canvas_text(&part, same - 1, c->at.w - 1, ROLE_DIM, "…");
	y += same + gap;
	part = canvas_part(c, y, 0, c->at.h - y, c->at.w);
	draw_problems(v, &part);
}
