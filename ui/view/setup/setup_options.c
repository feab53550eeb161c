/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/setup/setup_options.h"
#include "text/i18n.h"
#include "text/utf8.h"
#include "widget/filter.h"
#include "widget/line.h"
#include "widget/popup.h"
#include "widget/prompt.h"
#include "widget/scroll.h"

#define HELP_ROWS    4	 /* below the list */
#define SIDE_COLUMNS 110 /* from this width on the explanation is on the right */
#define NAMES_WIDTH  30
#define NAMES_BESIDE 40 /* with the explanation on the right */

struct options_screen {
	struct stack *stack;
	struct setup_options list;
	struct table table;
	size_t edited; /* the option being edited */
	struct filter filter;
	unsigned (*changed)(void *ctx);
	unsigned (*paste)(void *ctx, const char *text);
	void *ctx;
};

enum { COLUMN_MARK, COLUMN_NAMES, COLUMN_VALUE, N_COLUMNS };

/* ---- the rows ---- */

static size_t row_count(void *ctx)
{
	struct options_screen *v = ctx;

	return v->list.n;
}

/* "-D, --delay MS" */
static void names_and_word(const struct ptui_record_option *o, char *buf, size_t size)
{
	size_t n;

	setup_option_names(o, buf, size);
	n = strlen(buf);
	if (o->word)
		snprintf(buf + n, size - n, o->may_lack ? " [%s]" : " %s", o->word);
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	struct options_screen *v = ctx;
	struct ptui_record_option o;
	bool said;

	setup_options_row(&v->list, row, &o);
	said = setup_option_is_given(v->list.setup, v->list.rows[row]);
	switch (column) {
	case COLUMN_MARK:
		*style = ROLE_NOTE;
		return said ? "*" : "";
	case COLUMN_NAMES:
		*style = said ? ROLE_TEXT : ROLE_DIM;
		names_and_word(&o, buf, size);
		return buf;
	default:
		*style = ROLE_FIELD;
		setup_option_value(v->list.setup, v->list.rows[row], buf, size);
		return buf;
	}
}

static bool row_draw(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip)
{
	struct options_screen *v = ctx;
	struct ptui_record_option o;

	(void)skip;
	if (setup_options_row(&v->list, row, &o))
		return false;
	canvas_text(line, 0, 1, ROLE_TITLE | flags, o.group);
	return true;
}

/* A heading is identified by the option below it. */
static uint64_t row_id(void *ctx, size_t row)
{
	struct options_screen *v = ctx;
	bool heading = v->list.rows[row] == OPTIONS_HEADING;

	return 2 * ((uint64_t)v->list.rows[row + heading] + 1) + heading;
}

static size_t row_find(void *ctx, uint64_t id)
{
	struct options_screen *v = ctx;
	size_t row = setup_options_find(&v->list, (size_t)(id / 2 - 1));

	if (row == SIZE_MAX || !(id & 1))
		return row;
	return row && v->list.rows[row - 1] == OPTIONS_HEADING ? row - 1 : row;
}

static bool is_option(void *ctx, size_t row)
{
	struct options_screen *v = ctx;

	return v->list.rows[row] != OPTIONS_HEADING;
}

/* Others are hidden. */
static bool row_matches(void *ctx, size_t row, const char *text)
{
	(void)text;
	return is_option(ctx, row);
}

static const struct table_ops row_ops = {
	.count = row_count,
	.cell = row_cell,
	.draw = row_draw,
	.id = row_id,
	.find = row_find,
	.matches = row_matches,
};

/* The option under the cursor; SIZE_MAX: a heading, or none. */
static size_t chosen(const struct options_screen *v)
{
	return v->table.cursor < v->list.n ? v->list.rows[v->table.cursor] : SIZE_MAX;
}

/* ---- drawing ---- */

static void recalc(void *self)
{
	struct options_screen *v = self;

	setup_options_refresh(&v->list);
	table_recalc(&v->table);
}

static void head(void *self, const struct canvas *line)
{
	struct options_screen *v = self;
	char where[192], state[96];
	size_t n = setup_more_count(v->list.setup);

	snprintf(where, sizeof(where),
		 *v->list.search ? _("Setup › Options   / %s") : _("Setup › Options"),
		 v->list.search);
	if (*v->list.search)
		snprintf(state, sizeof(state), _("%zu of %zu"), v->list.n_options, v->list.n_all);
	else if (n)
		snprintf(state, sizeof(state), Q_("%zu of %zu differs", "%zu of %zu differ", n), n,
			 v->list.n_all);
	else
		snprintf(state, sizeof(state), _("%zu, all at default"), v->list.n_all);
	line_head(line, 0, where, state, n ? ROLE_NOTE : ROLE_DIM);
}

static void draw_help(const struct options_screen *v, const struct canvas *c)
{
	struct ptui_record_option o;
	char names[160];
	size_t option = chosen(v);
	int y;

	if (option == SIZE_MAX || !ptui_record_option(option, &o)) {
		if (v->list.n)
			scroll_text(c, 0, 1, c->at.w - 2, ROLE_DIM,
				    _("* marks options that differ from the defaults of record"));
		return;
	}
	names_and_word(&o, names, sizeof(names));
	canvas_text(c, 0, 1, ROLE_TITLE, names + strspn(names, " "));
	y = 1 + scroll_text(c, 1, 1, c->at.w - 2, ROLE_TEXT, o.help);
	if (o.can_be_off && o.kind == PTUI_OPTION_FLAG && y + 1 < c->at.h)
		scroll_text(c, y, 1, c->at.w - 2, ROLE_DIM,
			    _("this option can be unset, on or off"));
}

static void draw(void *self, const struct canvas *c)
{
	struct options_screen *v = self;
	bool beside = c->at.w >= SIDE_COLUMNS;
	int rows = beside || c->at.h < 2 * HELP_ROWS ? c->at.h : c->at.h - HELP_ROWS - 1;
	int width = beside ? c->at.w / 2 : c->at.w;
	struct canvas part = canvas_part(c, 0, 0, rows, width);

	v->table.columns[COLUMN_NAMES].width = beside ? NAMES_BESIDE : NAMES_WIDTH;
	/* initially on an option, with its heading visible */
	if (!v->table.page)
		v->table.top = 0;
	table_draw(&v->table, &part);
	if (!v->list.n)
		canvas_printf(c, 1, 2, ROLE_DIM,
			      _("no option matches \"%s\": press ESC to show all"), v->list.search);
	if (beside) {
		for (int y = 0; y < c->at.h; y++)
			canvas_text(c, y, width, ROLE_DIM, "│");
		part = canvas_part(c, 0, width + 1, c->at.h, c->at.w - width - 1);
		draw_help(v, &part);
	} else if (rows < c->at.h) {
		canvas_rule(c, rows);
		part = canvas_part(c, rows + 1, 0, HELP_ROWS, c->at.w);
		draw_help(v, &part);
	}
}

/* ---- requests ---- */

static unsigned report_change(struct options_screen *v)
{
	stack_wish(v->stack, v->ctx, v->changed(v->ctx));
	return WISH_RECALC;
}

static int judge(void *ctx, const char *line, struct ptui_error *err)
{
	struct options_screen *v = ctx;

	return *line ? setup_option_judge(v->list.setup, v->edited, line, err) : 0;
}

static int apply_line(void *ctx, const char *line, struct ptui_error *err)
{
	struct options_screen *v = ctx;

	return setup_option_set(v->list.setup, v->edited, line, err);
}

static unsigned taken(void *ctx)
{
	return report_change(ctx);
}

static unsigned prompt_value(struct options_screen *v, size_t option,
			     const struct ptui_record_option *o)
{
	char label[160], letter[2] = { o->letter, '\0' },
			 *line = setup_option_line(v->list.setup, option);
	const struct prompt_opts q = { .label = label,
				       .line = line,
				       .note = o->help,
				       .judge = judge,
				       .accept = apply_line,
				       .accepted = taken,
				       .ctx = v };
	unsigned wishes;

	snprintf(label, sizeof(label), o->name ? "--%s: " : "-%s: ", o->name ? o->name : letter);
	v->edited = option;
	wishes = prompt_open(v->stack, &q);
	free(line);
	return wishes;
}

static unsigned edit(struct options_screen *v)
{
	size_t option = chosen(v);
	struct ptui_record_option o;

	if (option == SIZE_MAX || !ptui_record_option(option, &o))
		return WISH_NONE;
	if (o.kind != PTUI_OPTION_FLAG)
		return prompt_value(v, option, &o);
	if (setup_option_turn(v->list.setup, option))
		stack_no_memory(v->stack);
	return report_change(v);
}

static unsigned to_default(struct options_screen *v)
{
	size_t option = chosen(v);

	if (option == SIZE_MAX || !setup_option_is_given(v->list.setup, option))
		return stack_say(v->stack, ROLE_NOTE, "%s", _("this option is at its default"));
	setup_uses_remove(&v->list.setup->uses, option);
	return report_change(v);
}

static unsigned show_matching(void *ctx, const char *text)
{
	struct options_screen *v = ctx;

	setup_options_search(&v->list, text);
	return WISH_RECALC;
}

static unsigned request(void *self, enum request req)
{
	struct options_screen *v = self;

	switch (req) {
	case REQ_EDIT_OPTION:
		return edit(v);
	case REQ_USUAL:
		return to_default(v);
	case REQ_PASTE_LINE:
		return v->paste(v->ctx, "");
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	struct options_screen *v = self;
	size_t option = chosen(v);

	switch (req) {
	case REQ_EDIT_OPTION:
	case REQ_USUAL:
		return option != SIZE_MAX;
	case REQ_LEFT:
	case REQ_RIGHT:
		return false; /* only values are wider than the screen, and those can be edited */
	default:
		return true;
	}
}

static unsigned paste(void *self, const char *text)
{
	struct options_screen *v = self;

	return v->paste(v->ctx, text);
}

static void close_screen(void *self)
{
	struct options_screen *v = self;

	setup_options_release(&v->list);
	free(v);
}

static const enum request hints[] = { REQ_EDIT_OPTION, REQ_USUAL, REQ_SEARCH, REQ_PASTE_LINE,
				      REQ_HELP,	       REQ_BACK,  REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Options"),
	.keymap = KEYMAP_OPTIONS,
	.hints = hints,
	.recalc = recalc,
	.head = head,
	.draw = draw,
	.request = request,
	.can = can,
	.paste = paste,
	.table = offsetof(struct options_screen, table),
	.filter = offsetof(struct options_screen, filter),
	.opens = REQ_EDIT_OPTION,
	.close = close_screen,
};

int setup_options_open(struct stack *s, const struct setup_options_opts *opts,
		       struct ptui_error *err)
{
	const struct table_column columns[N_COLUMNS] = {
		[COLUMN_MARK] = { .title = "", .width = 2, .align = ALIGN_RIGHT },
		[COLUMN_NAMES] = { .title = "", .width = NAMES_WIDTH, .min = 12 },
		[COLUMN_VALUE] = { .title = "", .width = 12, .fill = true },
	};
	struct options_screen *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->filter = (struct filter){ .stack = s,
				     .table = &v->table,
				     .show = show_matching,
				     .is_entry = is_option,
				     .ctx = v };
	v->changed = opts->changed;
	v->paste = opts->paste;
	v->ctx = opts->ctx;
	if (setup_options_init(&v->list, opts->setup)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	table_init(&v->table, &row_ops, v);
	table_set_columns(&v->table, columns, N_COLUMNS);
	table_recalc(&v->table);
	v->table.header = false;
	table_recalc(&v->table);
	if (v->list.n > 1)
		table_move_to(&v->table, 1);
	return stack_push(s, &screen, v) ? ptui_error_nomem(err) : 0;
}
