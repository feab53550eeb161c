/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/annotate/annotate_private.h"
#include "view/print.h"
#include "widget/line.h"
#include "widget/scroll.h"

#define TEXT_SIZE 1024
#define RULE_ROWS 30 /* smaller terminals use the line for a row */
#define HEAD_REST 24 /* columns of the first line besides the function */

/* ---- rows ---- */

uint32_t annotate_cursor(const struct annotate_screen *s)
{
	return s->model ? annotate_line_of(s->model, s->table.cursor) : PTUI_NONE;
}

static enum ptui_line_kind kind_of(const struct annotate_screen *s, uint32_t line)
{
	return ptui_annotation_line(s->model->code->annotation, line)->kind;
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct annotate_screen *s = ctx;
	uint32_t line = annotate_line_of(s->model, row);
	static const style_t styles[N_PLACES] = { [PLACE_ARROWS] = ROLE_FRAME,
						  [PLACE_COUNT] = ROLE_DIM,
						  [PLACE_LABEL] = ROLE_DIM,
						  [PLACE_BYTES] = ROLE_DIM };
	int place = s->from[column];
	const char *text;
	double percent;

	/* those of the events follow */
	if (place >= N_PLACES) {
		text = annotate_number(s->model, line, (size_t)(place - N_PLACES), buf, size,
				       &percent);
		*style = style_heat(percent);
		return text;
	}
	*style = styles[place];
	if (place == PLACE_CODE && kind_of(s, line) == PTUI_LINE_FUNCTION)
		*style = ROLE_TITLE;
	else if (place == PLACE_CODE && kind_of(s, line) == PTUI_LINE_SOURCE)
		*style = ROLE_DIM;
	return annotate_place(s->model, (enum annotate_place)place, line, annotate_cursor(s), buf,
			      size);
}

/* Lines from 1, since 0 is no identity. */
static uint64_t row_id(void *ctx, size_t row)
{
	return (uint64_t)annotate_line_of(((struct annotate_screen *)ctx)->model, row) + 1;
}

static size_t row_find(void *ctx, uint64_t id)
{
	return annotate_row_of(((struct annotate_screen *)ctx)->model, (uint32_t)(id - 1));
}

static bool row_matches(void *ctx, size_t row, const char *text)
{
	const struct annotate_screen *s = ctx;

	return annotate_matches(s->model, annotate_line_of(s->model, row), text);
}

const struct table_ops annotate_rows = {
	.list = offsetof(struct annotate_screen, model),
	.n_rows = offsetof(struct annotate, n_rows),
	.cell = row_cell,
	.id = row_id,
	.find = row_find,
	.matches = row_matches,
};

/* ---- columns ---- */

static void add_column(struct annotate_screen *s, struct table_column *columns, size_t *n, int from,
		       struct table_column column)
{
	if (!column.width)
		return;
	s->from[*n] = from;
	columns[(*n)++] = column;
}

static void set_columns(struct annotate_screen *s, int width)
{
	const struct annotate *a = s->model;
	bool range = a->look.cycles == ANNOTATE_CYCLES_RANGE;
	struct table_column columns[ANNOTATE_EVENTS_MAX + N_PLACES], places[N_PLACES] = {
		[PLACE_IPC] = { .title = _("IPC"), .align = ALIGN_RIGHT, .hide = 2 },
		[PLACE_CYCLES] = { .title = range ? _("Cycles (min/max)") : _("Cycles"),
				   .align = ALIGN_RIGHT,
				   .hide = 2 },
		[PLACE_ARROWS] = { .title = "", .hide = 2 },
		[PLACE_COUNT] = { .title = "", .align = ALIGN_RIGHT, .hide = 3 },
		[PLACE_LABEL] = { .title = "", .align = ALIGN_RIGHT },
		[PLACE_BYTES] = { .title = "", .hide = 3 },
		[PLACE_CODE] = { .title = _("Code"), .fill = true },
	};
	size_t n = 0;

	for (size_t i = 0; i < a->n_events; i++)
		add_column(s, columns, &n, N_PLACES + (int)i,
			   (struct table_column){ .title = annotate_column_title(a, i),
						  .width = annotate_number_width(a, i),
						  .align = ALIGN_RIGHT,
						  .hide = i ? (int)i + 3 : 0 });
	for (int i = 0; i < N_PLACES; i++) {
		places[i].width = annotate_place_width(a, (enum annotate_place)i);
		add_column(s, columns, &n, i, places[i]);
	}
	table_set_columns(&s->table, columns, n);
	s->columns_w = width;
}

/* ---- lines ---- */

void annotate_head(void *self, const struct canvas *line)
{
	const struct annotate_screen *s = self;
	const char *symbol = s->function.symbol ? s->function.symbol :
			     s->opts.symbol	? s->opts.symbol :
						  _("the hottest function");
	char where[TEXT_SIZE], name[TEXT_SIZE];
	int room = line->at.w - HEAD_REST;

	snprintf(where, sizeof(where), "%s › %s", s->opts.where, symbol);
	/* the function is more important than the way to it */
	if (utf8_width(where) > room)
		snprintf(where, sizeof(where), "… › %s",
			 name_short(symbol, room - 4, name, sizeof(name)));
	line_head(line, where,
		  s->reading	  ? _("reading code…") :
		  s->function.dso ? s->function.dso :
				    "",
		  s->reading ? ROLE_NOTE : ROLE_DIM);
}

static const char *summary(const struct annotate_screen *s, char *buf, size_t size)
{
	struct ptui_annotate_count local = annotate_local(s->model, 0),
				   all = annotate_global(s->model, 0);
	double share = all.period ? 100.0 * (double)local.period / (double)all.period : 0;

	if (!s->model->n_events) {
		snprintf(buf, size, "%s", _("The recording has no events."));
		return buf;
	}
	snprintf(buf, size, _("Samples: %s of %s of event '%s' (%.2f%%)"),
		 grouped(local.samples).text, grouped(all.samples).text, s->model->events[0].name,
		 share);
	return buf;
}

static const char *numbers_text(const struct annotate_screen *s, char *buf, size_t size)
{
	if (s->model->look.numbers == ANNOTATE_PERCENT)
		snprintf(buf, size, _("percent of: %s"), annotate_percent_type(s->model));
	else
		snprintf(buf, size, "%s", annotate_number_title(s->model));
	return buf;
}

static void draw_info(const struct annotate_screen *s, const struct canvas *c)
{
	char left[TEXT_SIZE], right[128];
	int end = c->at.w;

	canvas_text(c, 0, 1, ROLE_TEXT, summary(s, left, sizeof(left)));
	for (int i = 0; i < 2; i++) {
		int w = utf8_width(i ? numbers_text(s, right, sizeof(right)) :
				       annotate_ipc_summary(s->model, right, sizeof(right)));

		if (!w || utf8_width(left) + w + 4 > end)
			continue;
		end -= w + 1;
		canvas_text(c, 0, end, i ? ROLE_DIM : ROLE_TEXT, right);
		end -= 2;
	}
}

/* Where the instruction is from; else why nothing is known. */
static void draw_note(const struct annotate_screen *s, const struct canvas *c)
{
	const struct ptui_annotation_info *info = ptui_annotation_info(s->model->code->annotation);
	uint32_t line = annotate_cursor(s);
	char text[TEXT_SIZE] = "";

	if (line != PTUI_NONE)
		annotate_origin(s->model, line, text, sizeof(text));
	if (*text)
		canvas_text(c, 0, 1, ROLE_TEXT, text);
	if (info->no_source && !*text)
		canvas_text(c, 0, 1, ROLE_NOTE, info->no_source);
	else if (info->source_note)
		canvas_text(c, 0, *text ? utf8_width(text) + 3 : 1, ROLE_NOTE, info->source_note);
}

/* ---- the screen ---- */

static void draw_nothing(const struct annotate_screen *s, const struct canvas *c)
{
	int y = c->at.h > 6 ? 2 : 0, w = c->at.w - 4;

	if (s->reading) {
		worker_draw(c, s->reading, _("ESC stops and goes back"));
		return;
	}
	y += (int)scroll_text(c, y, 2, w, ROLE_NOTE, s->err.text);
	scroll_text(c, y + 1, 2, w, ROLE_TEXT, s->err.hint);
}

void annotate_draw(void *self, const struct canvas *c)
{
	struct annotate_screen *s = self;
	struct canvas part;

	if (!s->model) {
		draw_nothing(s, c);
		return;
	}
	s->boxes[ANNOTATE_RULE].off = c->at.h < RULE_ROWS;
	box_reflow(s->boxes, ANNOTATE_BOXES, c->at.h);
	if (s->columns_w != c->at.w)
		set_columns(s, c->at.w);
	part = box_canvas(&s->boxes[ANNOTATE_INFO], c);
	draw_info(s, &part);
	part = box_canvas(&s->boxes[ANNOTATE_BODY], c);
	if (s->to_middle && part.at.h > 1) {
		s->table.page = part.at.h - 1;
		s->table.top = 0;
		table_show(&s->table, s->table.cursor);
		s->to_middle = false;
	}
	table_draw(&s->table, &part);
	part = box_canvas(&s->boxes[ANNOTATE_RULE], c);
	canvas_rule(&part, 0);
	part = box_canvas(&s->boxes[ANNOTATE_NOTE], c);
	draw_note(s, &part);
}

/* ---- as text ---- */

const char *annotate_row_text(struct annotate_screen *s, char *buf, size_t size)
{
	bool is_row = annotate_cursor(s) != PTUI_NONE;
	char cell[TEXT_SIZE];

	*buf = '\0';
	for (size_t i = 0; i < s->table.n_columns && is_row; i++) {
		style_t style = ROLE_TEXT;
		const char *text;

		if (s->from[i] == PLACE_ARROWS)
			continue;
		text = row_cell(s, s->table.cursor, i, cell, sizeof(cell), &style);
		text += strspn(text, " ");
		if (*text)
			text_join(buf, size, "  ", "%s", text);
	}
	return buf;
}

static void put_row(struct annotate_screen *s, FILE *out, size_t row)
{
	char cell[TEXT_SIZE];

	for (size_t i = 0; i < s->table.n_columns; i++) {
		style_t style = ROLE_TEXT;

		if (s->from[i] == PLACE_ARROWS)
			continue;
		print_cell(out, &s->table, i, row_cell(s, row, i, cell, sizeof(cell), &style));
		fputs(i + 1 < s->table.n_columns ? "  " : "\n", out);
	}
}

void annotate_put(void *ctx, FILE *out)
{
	struct annotate_screen *s = ctx;
	char text[TEXT_SIZE];

	fputs("# ", out);
	print_text(out, summary(s, text, sizeof(text)));
	fputs("\n# ", out);
	print_text(out, numbers_text(s, text, sizeof(text)));
	if (*annotate_ipc_summary(s->model, text, sizeof(text)))
		fprintf(out, "\n# %s", text);
	fputs("\n# ", out);
	for (size_t i = 0; i < s->model->n_events; i++) {
		fputs(i ? ", " : "", out);
		print_text(out, s->model->events[i].name);
	}
	fputs("\n#\n", out);
	for (size_t i = 0; i < s->model->n_rows; i++)
		put_row(s, out, i);
}
