/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/butterfly/butterfly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "input/keymap.h"
#include "text/i18n.h"
#include "text/number.h"
#include "text/utf8.h"
#include "view/copy_row.h"
#include "view/worker.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/table.h"

struct butterfly_screen {
	struct stack *stack;
	char *where;
	struct ptui_profile *profile;
	struct butterfly_view_opts opts;

	struct worker *worker;	 /* counts; NULL: none */
	struct ptui_hist *hist;	 /* NULL: the worker has it, or it is not counted yet */
	struct butterfly *model; /* NULL: nothing to show yet */
	struct ptui_error err;	 /* why there is nothing to show */
	uint32_t *visited;	 /* frames of the functions before this one */
	size_t n_visited, cap_visited;
	unsigned n_backs; /* steps back to go when the worker is done */
	uint32_t from;	  /* the cursor goes to it; PTUI_NONE: to the function */

	struct table table;
	struct find find;
};

enum { COLUMN_SHARE, COLUMN_TOTAL, COLUMN_ROLE, COLUMN_DSO, COLUMN_NAME, N_COLUMNS };

/* ---- in the thread ---- */

struct butterfly_task {
	struct ptui_profile *profile;
	struct butterfly_opts opts;
	uint32_t frame;
	struct ptui_hist *hist; /* given, if it was counted before */
	struct butterfly *model;
	struct ptui_error err;
};

static void task_run(void *task, struct worker *w)
{
	struct butterfly_task *t = task;

	t->opts.hist.progress = worker_progress;
	t->opts.hist.progress_ctx = w;
	if (!t->hist)
		t->hist = butterfly_count(t->profile, &t->opts, &t->err);
	if (t->hist)
		t->model = butterfly_new(t->hist, t->frame, &t->err);
}

static void task_release(void *task)
{
	struct butterfly_task *t = task;

	ptui_hist_free(t->hist);
	butterfly_free(t->model);
	ptui_profile_unref(t->profile);
	free(t);
}

/* ---- rows ---- */

static const char *row_cell(void *ctx, size_t i, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct butterfly_screen *b = ctx;
	const struct butterfly_row *row = &b->model->rows[i];

	switch (column) {
	case COLUMN_SHARE:
		*style = style_heat(row->of_function);
		return number_percent(buf, size, row->of_function);
	case COLUMN_TOTAL:
		*style = style_heat(row->of_total);
		return number_percent(buf, size, row->of_total);
	case COLUMN_ROLE:
		*style = row->kind == BUTTERFLY_FUNCTION ? ROLE_TITLE : ROLE_DIM;
		return butterfly_role(row->kind);
	case COLUMN_DSO:
		*style = ROLE_DIM;
		return row->dso ? row->dso : "";
	default:
		*style = row->kind == BUTTERFLY_FUNCTION ? ROLE_TITLE :
			 row->name			 ? ROLE_TEXT :
							   ROLE_DIM;
		return row->name		   ? row->name :
		       row->kind == BUTTERFLY_SELF ? _("(its own code)") :
						     _("(no caller)");
	}
}

static bool row_matches(void *ctx, size_t i, const char *text)
{
	const struct butterfly_row *row = &((struct butterfly_screen *)ctx)->model->rows[i];
	size_t bytes;

	return row->name &&
	       (utf8_find(row->name, text, &bytes) || utf8_find(row->dso, text, &bytes));
}

static const struct table_ops row_ops = {
	.list = offsetof(struct butterfly_screen, model),
	.n_rows = offsetof(struct butterfly, n),
	.cell = row_cell,
	.matches = row_matches,
};

static void set_columns(struct butterfly_screen *b)
{
	struct table_column columns[N_COLUMNS] = {
		[COLUMN_SHARE] = { .title = _("Of function"), .width = 7, .align = ALIGN_RIGHT },
		[COLUMN_TOTAL] = { .title = _("Of total"),
				   .width = 7,
				   .align = ALIGN_RIGHT,
				   .hide = 2 },
		[COLUMN_ROLE] = { .title = _("Role") },
		[COLUMN_DSO] = { .title = _("Shared Object"), .min = 8, .most = 30, .hide = 1 },
		[COLUMN_NAME] = { .title = _("Function"),
				  .width = 20,
				  .fill = true,
				  .elide = true },
	};

	for (enum butterfly_kind k = BUTTERFLY_OUTERMOST; k <= BUTTERFLY_CALLEE; k++)
		columns[COLUMN_ROLE].width = utf8_widest(columns[COLUMN_ROLE].width,
							 butterfly_role(k));
	table_fit_columns(&b->table, columns, N_COLUMNS);
}

/* ---- counting ---- */

/* The row that the cursor begins on. */
static size_t first_cursor(const struct butterfly_screen *b)
{
	for (size_t i = 0; i < b->model->n; i++)
		if (b->model->rows[i].name && b->model->rows[i].frame == b->from)
			return i;
	return b->model->centre;
}

static unsigned go_back(struct butterfly_screen *b);

static void task_done(void *task, void *owner)
{
	struct butterfly_screen *b = owner;
	struct butterfly_task *t = task;

	b->err = t->err;
	b->hist = t->hist;
	t->hist = NULL;
	if (t->model) {
		butterfly_free(b->model);
		b->model = t->model;
		t->model = NULL;
		b->table.skip = 0;
		set_columns(b);
		table_recalc(&b->table);
		table_show(&b->table, first_cursor(b));
	} else {
		stack_say(b->stack, ROLE_BAD, "%s", t->err.text);
	}
	if (b->n_backs) {
		b->n_backs--;
		stack_wish(b->stack, b, go_back(b) | WISH_RECALC);
	} else {
		stack_wish(b->stack, b, WISH_RECALC);
	}
}

/* Makes the rows of a function; the old ones stay until they are there. */
static unsigned show_function(struct butterfly_screen *b, uint32_t frame)
{
	static const struct worker_ops ops = { task_run, task_done, task_release };
	struct butterfly_task *t = calloc(1, sizeof(*t));

	if (!t)
		return stack_no_memory(b->stack);
	t->profile = ptui_profile_ref(b->profile);
	t->opts = b->opts.counts;
	t->frame = frame;
	t->hist = b->hist;
	b->hist = NULL;
	return worker_start_shown(&b->worker, b->stack, &ops, t, b, &b->err) ?
		       WISH_REDRAW :
		       stack_say(b->stack, ROLE_BAD, "%s", b->err.text);
}

/* ---- drawing ---- */

static void head(void *self, const struct canvas *line)
{
	const struct butterfly_screen *b = self;
	const char *name = b->model ? b->model->rows[b->model->centre].name : "";
	char where[1024], state[128] = "";

	snprintf(where, sizeof(where), _("%s › Butterfly › %s"), b->where, "");
	if (b->worker)
		snprintf(state, sizeof(state), "%s", _("counting…"));
	line_head_name(line, where, name, state, ROLE_NOTE);
}

static void draw(void *self, const struct canvas *c)
{
	struct butterfly_screen *b = self;
	struct canvas rows;
	char text[1024], of[32], own[32];

	if (!b->model) {
		if (b->worker)
			worker_draw(c, b->worker, _("ESC stops counting"));
		else
			canvas_text(c, 0, 2, ROLE_BAD, b->err.text);
		return;
	}
	snprintf(text, sizeof(text), _("%s of the samples of '%s', %s in its own code"),
		 number_percent(of, sizeof(of), b->model->rows[b->model->centre].of_total),
		 ptui_profile_event(b->profile, b->opts.counts.hist.event)->name,
		 number_percent(own, sizeof(own), b->model->self_percent));
	canvas_cell(c, 0, 1, c->at.w - 2, ALIGN_LEFT, ROLE_TITLE, text);
	rows = canvas_part(c, 1, 0, c->at.h - 1, c->at.w);
	table_draw(&b->table, &rows);
}

/* ---- requests ---- */

static const struct butterfly_row *row_here(const struct butterfly_screen *b)
{
	return b->model && b->table.cursor < b->model->n ? &b->model->rows[b->table.cursor] : NULL;
}

static unsigned make_centre(struct butterfly_screen *b)
{
	const struct butterfly_row *row = row_here(b);

	if (!row || b->worker)
		return WISH_NONE;
	if (!butterfly_leads_on(b->model, b->table.cursor))
		return stack_note(b->stack,
				  _("This is the function itself: choose a caller or a callee."));
	if (vec_grow(&b->visited, &b->cap_visited, b->n_visited + 1))
		return stack_no_memory(b->stack);
	b->visited[b->n_visited++] = b->model->rows[b->model->centre].frame;
	b->from = PTUI_NONE;
	return show_function(b, row->frame);
}

static unsigned go_back(struct butterfly_screen *b)
{
	if (b->worker) {
		b->n_backs++;
		return WISH_NONE;
	}
	if (!b->n_visited)
		return WISH_POP;
	b->from = b->model->rows[b->model->centre].frame;
	return show_function(b, b->visited[--b->n_visited]);
}

static unsigned with_function(struct butterfly_screen *b, enum request req)
{
	const struct butterfly_row *row = row_here(b);
	struct ptui_function f;

	if (!row || !b->hist)
		return WISH_NONE;
	if (row->kind == BUTTERFLY_SELF)
		row = &b->model->rows[b->model->centre];
	if (!row->name || !ptui_hist_frame_function(b->hist, row->frame, &f) || !f.symbol)
		return stack_note(b->stack,
				  _("The function of this row is unknown: it has no symbol."));
	return b->opts.open(b->opts.ctx, req, &f);
}

static const enum request menu_requests[] = { REQ_CENTRE,   REQ_GO_BACK, REQ_ANNOTATE, REQ_PROBE,
					      REQ_COPY_ROW, REQ_SEARCH,	 REQ_NONE };

static const char *menu_title(void *self)
{
	return ((const struct butterfly_screen *)self)->model ? _("Butterfly") : NULL;
}

static bool can(void *self, enum request req)
{
	const struct butterfly_screen *b = self;

	return b->model ? req != REQ_PROBE || b->opts.can_probe :
			  req == REQ_GO_BACK || stack_answers(req);
}

static unsigned request(void *self, enum request req)
{
	struct butterfly_screen *b = self;

	switch (req) {
	case REQ_CENTRE:
		return make_centre(b);
	case REQ_GO_BACK:
		return go_back(b);
	case REQ_ANNOTATE:
		return with_function(b, req);
	case REQ_PROBE:
		return b->opts.can_probe ? with_function(b, req) : WISH_PASS;
	case REQ_COPY_ROW:
		return copy_row(b->stack, &b->table);
	default:
		return WISH_PASS;
	}
}

/* ---- the screen ---- */

static void close_screen(void *self)
{
	struct butterfly_screen *b = self;

	worker_abandon(&b->worker);
	find_release(&b->find);
	ptui_hist_free(b->hist);
	butterfly_free(b->model);
	ptui_profile_unref(b->profile);
	free(b->visited);
	free(b->where);
	free(b);
}

static const enum request hints[] = { REQ_CENTRE, REQ_GO_BACK, REQ_ANNOTATE, REQ_MENU,
				      REQ_SEARCH, REQ_HELP,    REQ_BACK,     REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Butterfly"),
	.keymap = KEYMAP_BUTTERFLY,
	.hints = hints,
	.head = head,
	.draw = draw,
	.menu = menu_requests,
	.menu_title = menu_title,
	.menu_kind = MENU_OMITS,
	.request = request,
	.can = can,
	.table = offsetof(struct butterfly_screen, table),
	.find = offsetof(struct butterfly_screen, find),
	.opens = REQ_CENTRE,
	.close = close_screen,
};

unsigned butterfly_open(struct stack *s, const struct butterfly_view_opts *opts)
{
	struct butterfly_screen *b = calloc(1, sizeof(*b));

	if (!b)
		return stack_no_memory(s);
	b->stack = s;
	b->opts = *opts;
	b->where = strdup(opts->where);
	b->profile = ptui_profile_ref(opts->profile);
	b->from = PTUI_NONE;
	table_init(&b->table, &row_ops, b);
	find_init_table(&b->find, s, &b->table);
	set_columns(b);
	if (!b->where) {
		close_screen(b);
		return stack_no_memory(s);
	}
	if (stack_push(s, &screen, b))
		return stack_no_memory(s);
	return show_function(b, opts->frame);
}
