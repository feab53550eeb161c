/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of all options without a row in Setup, by group, with an explanation.
 *
 *	 Setup › Options                                             3 of 45 differ
 *	 ──────────────────────────────────────────────────────────────────────────
 *	 Sample fields
 *	 * -D, --delay MS            500
 *	       --sample-cpu
 *	 ──────────────────────────────────────────────────────────────────────────
 *	 -D, --delay MS
 *	 start recording this many milliseconds after the command …
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "view/setup/setup_private.h"
#include "widget/find.h"
#include "widget/scroll.h"

#define HELP_ROWS    4	 /* below the list */
#define SIDE_COLUMNS 110 /* from this width on the explanation is on the right */
#define NAMES_WIDTH  30
#define NAMES_BESIDE 40 /* with the explanation on the right */

struct option_row {
	size_t option;
	bool heading; /* of its group, above it */
	struct ptui_record_option o;
};

struct options_screen {
	struct setup_screen *owner;
	struct option_row *rows; /* those that match table.search */
	size_t n, cap, n_options;
	size_t n_all; /* options without a search */
	struct table table;
	struct filter filter;
	size_t edited; /* the option being edited */
};

enum { COLUMN_MARK, COLUMN_NAMES, COLUMN_VALUE, N_COLUMNS };

/* ---- the rows ---- */

/* "-D, --delay MS" */
static void option_names(const struct ptui_record_option *o, char *buf, size_t size)
{
	const char letter[] = { '-', o->letter, '\0' };

	snprintf(buf, size, "%s%s%s%s", o->letter ? letter : "    ",
		 o->letter && o->name ? ", " : "", o->name ? "--" : "", o->name ? o->name : "");
	if (o->word)
		text_append(buf, size, o->may_lack ? " [%s]" : " %s", o->word);
}

/* Contains all words in names, value or help. */
static bool is_wanted(const struct options_screen *v, size_t i, const struct ptui_record_option *o)
{
	char names[160], value[256], all[2048];

	option_names(o, names, sizeof(names));
	setup_option_value(&v->owner->setup, i, value, sizeof(value));
	snprintf(all, sizeof(all), "%s %s %s %s", o->group, names, value, o->help);
	return words_are_in(all, v->table.search);
}

/* Options with a row in Setup are listed only if they say what the row cannot. */
static void recalc(void *self)
{
	struct options_screen *v = self;
	struct option_row row = { .option = 0 };
	const char *group = "";

	v->n = v->n_options = v->n_all = 0;
	for (; ptui_record_option(row.option, &row.o); row.option++) {
		if (setup_option(row.option)->has_row &&
		    !setup_option_is_given(&v->owner->setup, row.option))
			continue;
		v->n_all++;
		if (!is_wanted(v, row.option, &row.o))
			continue;
		if (vec_grow(&v->rows, &v->cap, v->n + 2)) {
			stack_no_memory(v->owner->stack);
			break;
		}
		if (strcmp(group, row.o.group) != 0)
			v->rows[v->n++] = (struct option_row){ row.option, true, row.o };
		v->rows[v->n++] = row;
		group = row.o.group;
		v->n_options++;
	}
	table_recalc(&v->table);
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	struct options_screen *v = ctx;
	const struct option_row *r = &v->rows[row];
	bool given = setup_option_is_given(&v->owner->setup, r->option);

	if (column == COLUMN_MARK) {
		*style = ROLE_NOTE;
		return given ? "*" : "";
	}
	if (column == COLUMN_NAMES) {
		*style = given ? ROLE_TEXT : ROLE_DIM;
		option_names(&r->o, buf, size);
	} else {
		*style = ROLE_FIELD;
		setup_option_value(&v->owner->setup, r->option, buf, size);
	}
	return buf;
}

static bool row_draw(void *ctx, size_t row, const struct canvas *line, style_t flags, int skip)
{
	const struct option_row *r = &((struct options_screen *)ctx)->rows[row];

	(void)skip;
	if (r->heading)
		canvas_text(line, 0, 1, ROLE_TITLE | flags, r->o.group);
	return r->heading;
}

/* A heading is identified by the option below it. */
static uint64_t row_id(void *ctx, size_t row)
{
	const struct option_row *r = &((struct options_screen *)ctx)->rows[row];

	return 2 * ((uint64_t)r->option + 1) + r->heading;
}

static bool is_option(void *ctx, size_t row)
{
	return !((struct options_screen *)ctx)->rows[row].heading;
}

static const struct table_ops row_ops = {
	.n_rows = offsetof(struct options_screen, n),
	.cell = row_cell,
	.draw = row_draw,
	.id = row_id,
};

/* The option under the cursor. NULL: a heading, or none. */
static const struct option_row *chosen(const struct options_screen *v)
{
	const struct option_row *r = &v->rows[v->table.cursor];

	return v->table.cursor < v->n && !r->heading ? r : NULL;
}

/* ---- drawing ---- */

static void head(void *self, const struct canvas *line)
{
	struct options_screen *v = self;
	char state[96];
	size_t n = setup_more_count(&v->owner->setup);

	if (*v->table.search)
		snprintf(state, sizeof(state), _("%zu of %zu"), v->n_options, v->n_all);
	else if (n)
		snprintf(state, sizeof(state), Q_("%zu of %zu differs", "%zu of %zu differ", n), n,
			 v->n_all);
	else
		snprintf(state, sizeof(state), _("%zu, all at default"), v->n_all);
	filter_head(&v->filter, line, _("Setup › Options"), state, n ? ROLE_NOTE : ROLE_DIM);
}

static void draw_help(const struct options_screen *v, const struct canvas *c)
{
	const struct option_row *r = chosen(v);
	char names[160];
	int y;

	if (!r && v->n)
		scroll_text(c, 0, 1, c->at.w - 2, ROLE_DIM,
			    _("* marks options that differ from the defaults of record"));
	if (!r)
		return;
	option_names(&r->o, names, sizeof(names));
	canvas_text(c, 0, 1, ROLE_TITLE, names + strspn(names, " "));
	y = 1 + scroll_text(c, 1, 1, c->at.w - 2, ROLE_TEXT, r->o.help);
	if (r->o.can_be_off && r->o.kind == PTUI_OPTION_FLAG && y + 1 < c->at.h)
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
	if (!v->n)
		canvas_printf(c, 1, 2, ROLE_DIM,
			      _("no option matches \"%s\": press ESC to show all"),
			      v->table.search);
	if (beside) {
		canvas_fill(c, 0, width, c->at.h, 1, ROLE_DIM, 0x2502);
		part = canvas_part(c, 0, width + 1, c->at.h, c->at.w - width - 1);
		draw_help(v, &part);
	} else if (rows < c->at.h) {
		canvas_rule(c, rows);
		part = canvas_part(c, rows + 1, 0, HELP_ROWS, c->at.w);
		draw_help(v, &part);
	}
}

/* ---- requests ---- */

static unsigned report_change(void *ctx)
{
	struct options_screen *v = ctx;
	struct setup *s = &v->owner->setup;

	/* the target option was removed */
	if (s->target == SETUP_OPTIONS && !setup_names_target(s))
		s->target = SETUP_SYSTEM;
	stack_wish(v->owner->stack, v->owner, setup_changed(v->owner));
	return WISH_RECALC;
}

static int judge(void *ctx, const char *line, struct ptui_error *err)
{
	struct options_screen *v = ctx;

	return setup_option_set(&v->owner->setup, v->edited, line, true, err);
}

static int apply_line(void *ctx, const char *line, struct ptui_error *err)
{
	struct options_screen *v = ctx;

	return setup_option_set(&v->owner->setup, v->edited, line, false, err);
}

static unsigned prompt_value(struct options_screen *v, const struct ptui_record_option *o)
{
	char label[160], letter[2] = { o->letter, '\0' };
	char *line = setup_option_line(&v->owner->setup, v->edited);
	const struct prompt_opts q = { .label = label,
				       .line = line,
				       .note = o->help,
				       .judge = judge,
				       .accept = apply_line,
				       .accepted = report_change,
				       .ctx = v };
	unsigned wishes;

	snprintf(label, sizeof(label), o->name ? "--%s: " : "-%s: ", o->name ? o->name : letter);
	wishes = prompt_open(v->owner->stack, &q);
	free(line);
	return wishes;
}

static unsigned edit(struct options_screen *v, const struct option_row *r)
{
	struct ptui_error err = PTUI_ERROR_INIT;

	v->edited = r->option;
	if (r->o.kind != PTUI_OPTION_FLAG)
		return prompt_value(v, &r->o);
	if (setup_option_turn(&v->owner->setup, r->option, &err))
		popup_error(v->owner->stack, &err);
	return report_change(v);
}

static unsigned request(void *self, enum request req)
{
	struct options_screen *v = self;
	struct setup *s = &v->owner->setup;
	const struct option_row *r = chosen(v);

	switch (req) {
	case REQ_EDIT_OPTION:
		return r ? edit(v, r) : WISH_NONE;
	case REQ_USUAL:
		if (!r || !setup_option_is_given(s, r->option))
			return stack_note(v->owner->stack, _("this option is at its default"));
		setup_remove(s, r->option);
		return report_change(v);
	case REQ_PASTE_LINE:
		return setup_ask_line(v->owner, "");
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	/* only values are wider than the screen, and those can be edited */
	if (req == REQ_LEFT || req == REQ_RIGHT)
		return false;
	return (req != REQ_EDIT_OPTION && req != REQ_USUAL) || chosen(self);
}

static unsigned paste(void *self, const char *text)
{
	return setup_ask_line(((struct options_screen *)self)->owner, text);
}

static void close_screen(void *self)
{
	struct options_screen *v = self;

	free(v->rows);
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

unsigned setup_choose_options(struct setup_screen *owner)
{
	const struct table_column columns[N_COLUMNS] = {
		[COLUMN_MARK] = { .title = "", .width = 2, .align = ALIGN_RIGHT },
		[COLUMN_NAMES] = { .title = "", .width = NAMES_WIDTH, .min = 12 },
		[COLUMN_VALUE] = { .title = "", .width = 12, .fill = true },
	};
	struct options_screen *v = calloc(1, sizeof(*v));

	setup_go_to(owner, SETUP_MORE);
	if (!v)
		return stack_no_memory(owner->stack);
	v->owner = owner;
	v->filter = (struct filter){
		.stack = owner->stack, .table = &v->table, .show = recalc, .is_entry = is_option
	};
	table_init(&v->table, &row_ops, v);
	table_set_columns(&v->table, columns, N_COLUMNS);
	v->table.header = false;
	recalc(v);
	table_move_to(&v->table, 1);
	return stack_push(owner->stack, &screen, v) ? stack_no_memory(owner->stack) : WISH_REDRAW;
}
