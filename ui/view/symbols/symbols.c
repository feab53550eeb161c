/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/keymap.h"
#include "model/report_line.h"
#include "text/i18n.h"
#include "text/number.h"
#include "view/copy_row.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/popup.h"
#include "widget/table.h"

struct symbols_view {
	struct stack *stack;
	struct missing_list *lists; /* owned: of those without symbols, and in it of all */
	struct missing_list *list;  /* the one that is shown */
	struct words texts;	    /* of the next two */
	const char *where, *path;   /* path NULL: none */
	struct table table;
	struct find find;
	void (*closed)(void *ctx);
	bool (*zoom)(void *ctx, const char *dso);
	void *ctx;
};

enum { COLUMN_SHARE, COLUMN_UNNAMED, COLUMN_DSO, COLUMN_PROBLEM, COLUMN_REMEDY, N_COLUMNS };

static bool shows_all(const struct symbols_view *v)
{
	return v->list == v->lists->all;
}

/* ---- rows ---- */

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct symbols_view *v = ctx;
	const struct missing_row *m = &v->list->rows[row];

	/* see set_columns() */
	switch (column + (column >= COLUMN_UNNAMED && !shows_all(v))) {
	case COLUMN_SHARE:
		*style = style_heat(m->percent);
		return number_percent(buf, size, m->percent);
	case COLUMN_UNNAMED:
		*style = m->unnamed > 0 ? style_heat(m->unnamed) : ROLE_DIM;
		return number_percent(buf, size, m->unnamed);
	case COLUMN_DSO:
		return m->dso;
	case COLUMN_PROBLEM:
		*style = m->state == PTUI_SYMBOLS_OK ? ROLE_DIM : ROLE_NOTE;
		return missing_problem(m);
	default:
		return missing_remedy(m);
	}
}

static uint64_t row_id(void *ctx, size_t row)
{
	return ((struct symbols_view *)ctx)->list->rows[row].id;
}

static const struct table_ops row_ops = {
	.list = offsetof(struct symbols_view, list),
	.n_rows = offsetof(struct missing_list, n),
	.cell = row_cell,
	.id = row_id,
};

static void set_columns(struct symbols_view *v)
{
	struct table_column columns[N_COLUMNS] = {
		[COLUMN_SHARE] = { .title = _("Samples"), .width = 7, .align = ALIGN_RIGHT },
		[COLUMN_UNNAMED] = { .title = _("Unnamed"),
				     .min = 7,
				     .most = 12,
				     .align = ALIGN_RIGHT,
				     .hide = 2 },
		[COLUMN_DSO] = { .title = _("DSO"), .min = 8, .most = 40 },
		[COLUMN_PROBLEM] = { .title = _("Problem"), .min = 10, .most = 30 },
		[COLUMN_REMEDY] = { .title = _("What to install or fetch"),
				    .width = 24,
				    .fill = true,
				    .hide = 1 },
	};
	size_t n = N_COLUMNS;

	if (!shows_all(v)) /* it has the numbers of the first column */
		memmove(&columns[COLUMN_UNNAMED], &columns[COLUMN_UNNAMED + 1],
			(--n - COLUMN_UNNAMED) * sizeof(*columns));
	table_fit_columns(&v->table, columns, n);
}

/* ---- drawing ---- */

static void head(void *self, const struct canvas *line)
{
	const struct symbols_view *v = self;
	size_t n = v->list->n + v->list->n_more;
	char where[512], state[64];

	snprintf(where, sizeof(where),
		 shows_all(v) ? _("%s › DSOs") : _("%s › DSOs without symbols"), v->where);
	snprintf(state, sizeof(state), Q_("%zu DSO", "%zu DSOs", n), n);
	line_head(line, where, state, v->lists->n ? ROLE_NOTE : ROLE_GOOD);
}

static void draw(void *self, const struct canvas *c)
{
	struct symbols_view *v = self;

	table_draw(&v->table, c);
	if (!v->list->n)
		canvas_text(c, c->at.h > 2 ? 2 : c->at.h - 1, 2, ROLE_DIM,
			    shows_all(v) ? _("There are no samples.") :
					   _("All DSOs with samples have symbols."));
}

/* ---- requests ---- */

static const struct missing_row *row_here(const struct symbols_view *v)
{
	return v->table.cursor < v->list->n ? &v->list->rows[v->table.cursor] : NULL;
}

static unsigned show_details(struct symbols_view *v)
{
	const struct missing_row *m = row_here(v);
	char *text = m ? missing_text(m) : NULL;

	if (m)
		popup_message(v->stack, m->dso, text);
	free(text);
	return WISH_REDRAW;
}

static unsigned copy_path(struct symbols_view *v)
{
	const struct missing_row *m = row_here(v);

	if (!m)
		return WISH_NONE;
	return copy_or_say(v->stack, m->path ? m->path : m->dso, _("the path cannot be copied"));
}

static unsigned show_all(struct symbols_view *v)
{
	v->list = shows_all(v) ? v->lists : v->lists->all;
	set_columns(v);
	table_move_to(&v->table, 0);
	return WISH_RECALC;
}

static unsigned zoom(struct symbols_view *v)
{
	const struct missing_row *m = row_here(v);

	return m && v->zoom(v->ctx, m->dso) ? WISH_POP : WISH_NONE;
}

/* The list is at the end of the text. */
static unsigned copy_report(struct symbols_view *v)
{
	const struct report_line line = { .path = v->path, .missing = true };
	struct words words = WORDS_INIT;

	if (!v->path)
		return stack_note(v->stack, _("These samples are in no file."));
	report_line_words(&line, &words);
	return copy_command(v->stack, &words);
}

static const enum request menu_requests[] = { REQ_OPEN,	     REQ_ALL_DSOS,     REQ_ZOOM_DSO,
					      REQ_COPY_PATH, REQ_COPY_COMMAND, REQ_SEARCH,
					      REQ_NONE };

static const char *menu_title(void *self)
{
	const struct symbols_view *v = self;

	return row_here(v) ? row_here(v)->dso : NULL;
}

static unsigned request(void *self, enum request req)
{
	struct symbols_view *v = self;

	switch (req) {
	case REQ_OPEN:
		return show_details(v);
	case REQ_ALL_DSOS:
		return show_all(v);
	case REQ_ZOOM_DSO:
		return zoom(v);
	case REQ_COPY_PATH:
		return copy_path(v);
	case REQ_COPY_COMMAND:
		return copy_report(v);
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	const struct symbols_view *v = self;

	switch (req) {
	case REQ_OPEN:
	case REQ_ZOOM_DSO:
	case REQ_COPY_PATH:
	case REQ_MENU:
		return v->list->n;
	default:
		return true;
	}
}

static void close_screen(void *self)
{
	struct symbols_view *v = self;

	if (v->closed)
		v->closed(v->ctx);
	find_release(&v->find);
	missing_list_unref(v->lists);
	words_release(&v->texts);
	free(v);
}

static const enum request hints[] = { REQ_OPEN, REQ_ALL_DSOS,  REQ_ZOOM_DSO,
				      REQ_MENU, REQ_COPY_PATH, REQ_SEARCH,
				      REQ_HELP, REQ_BACK,      REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("DSOs without symbols"),
	.keymap = KEYMAP_SYMBOLS,
	.hints = hints,
	.head = head,
	.draw = draw,
	.menu = menu_requests,
	.menu_title = menu_title,
	.menu_open = N_("show the path, the reason and what to do"),
	.request = request,
	.can = can,
	.table = offsetof(struct symbols_view, table),
	.find = offsetof(struct symbols_view, find),
	.close = close_screen,
};

struct symbols_view *symbols_open(struct stack *s, const struct symbols_opts *opts)
{
	struct symbols_view *v = calloc(1, sizeof(*v));

	if (!v) {
		missing_list_unref(opts->list);
		stack_no_memory(s);
		return NULL;
	}
	v->stack = s;
	v->lists = v->list = opts->list;
	table_init(&v->table, &row_ops, v);
	find_init_table(&v->find, s, &v->table);
	v->where = words_keep(&v->texts, opts->where);
	v->path = words_keep(&v->texts, opts->path);
	if (!v->lists || v->texts.failed) {
		close_screen(v);
		stack_no_memory(s);
		return NULL;
	}
	set_columns(v);
	table_recalc(&v->table);
	/* from here on the owner is notified when it closes */
	if (stack_push(s, &screen, v)) {
		stack_no_memory(s);
		return NULL;
	}
	v->closed = opts->closed;
	v->zoom = opts->zoom;
	v->ctx = opts->ctx;
	return v;
}

void symbols_update(struct symbols_view *v, struct missing_list *list)
{
	bool all = shows_all(v);

	if (!list)
		return;
	missing_list_unref(v->lists);
	v->lists = list;
	v->list = all ? list->all : list;
	set_columns(v);
	stack_wish(v->stack, v, WISH_RECALC);
}
