/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/probe/probe.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/keymap.h"
#include "model/probe/probe_choice.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/copy_row.h"
#include "view/worker.h"
#include "widget/box.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/popup.h"
#include "widget/table.h"

/* Lines of the screen, from the top. */
enum { PROBE_BODY, PROBE_RULE, PROBE_PLAN, PROBE_BOXES };

struct probe_screen {
	struct stack *stack;
	struct words texts; /* of the next three */
	const char *where;
	const char *title; /* "work", "work.c:9", "work+12" */
	struct ptui_probe_place place;
	struct probe_then then;

	struct ptui_probe *probe; /* NULL: being read, in the thread, or failed */
	struct worker *worker;	  /* NULL: idle */
	bool outdated;		  /* the choice has changed since it started */
	bool adds;		  /* the user wants it to be added */
	struct ptui_error err;	  /* why there is nothing to choose */
	struct probe_choice choice;
	struct ptui_probe_plan plan;
	struct ptui_error refused; /* why the choice is no probe */

	struct table table;
	struct find find;
	struct box boxes[PROBE_BOXES];
};

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

static const struct table_ops probe_rows = { .count = row_count, .cell = row_cell };

static void probe_set_columns(struct probe_screen *s)
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

static void probe_head(void *self, const struct canvas *line)
{
	const struct probe_screen *s = self;
	size_t n = probe_choice_n_chosen(&s->choice);
	char where[1024], state[128] = "";

	snprintf(where, sizeof(where), _("%s › probe %s"), s->where, "");
	if (s->choice.probe && s->choice.returns)
		snprintf(state, sizeof(state), "%s", _("return probe"));
	else if (s->choice.probe)
		snprintf(state, sizeof(state), Q_("%zu variable", "%zu variables", n), n);
	line_head_name(line, where, s->title, state, ROLE_TEXT);
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

static void probe_draw(void *self, const struct canvas *c)
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
	canvas_rule(&rule, 0);
	draw_plan(s, &plan);
}

/* ---- work: one task at a time has the probe; when it is done, the screen has it again ---- */

enum work { WORK_READ, WORK_PLAN, WORK_ADD };

struct task {
	enum work work;
	struct words texts; /* of the place */
	struct ptui_probe_place place;
	struct ptui_probe *probe;
	bool *variables;
	struct ptui_probe_choice choice;

	int ret;
	struct ptui_probe_plan plan;
	char *events;
	struct ptui_error err;
};

static void run(void *task, struct worker *w)
{
	struct task *t = task;

	(void)w;
	switch (t->work) {
	case WORK_READ:
		t->probe = ptui_probe_open(&t->place, &t->err);
		t->ret = t->probe ? 0 : -EINVAL;
		break;
	case WORK_PLAN:
		t->ret = ptui_probe_plan(t->probe, &t->choice, &t->plan, &t->err);
		break;
	case WORK_ADD:
		t->ret = ptui_probe_add(t->probe, &t->choice, &t->events, &t->err);
		break;
	}
}

static void release(void *task)
{
	struct task *t = task;

	ptui_probe_free(t->probe);
	ptui_probe_plan_release(&t->plan);
	free(t->variables);
	free(t->events);
	words_release(&t->texts);
	free(t);
}

static void read_done(struct probe_screen *s, struct task *t)
{
	if (t->ret)
		s->err = t->err;
	else if (probe_choice_init(&s->choice, s->probe))
		ptui_error_nomem(&s->err);
	s->outdated = true;
	probe_set_columns(s);
}

static void plan_done(struct probe_screen *s, struct task *t)
{
	ptui_probe_plan_release(&s->plan);
	s->plan = t->plan;
	t->plan = (struct ptui_probe_plan){ NULL };
	s->refused = t->err;
}

/* True: it was added and the screen is closed; what follows may close the one below it, too. */
static bool add_done(struct probe_screen *s, struct task *t)
{
	struct probe_then then = s->then;
	struct stack *stack = s->stack;

	if (t->ret) {
		s->adds = false;
		popup_error(stack, &t->err);
		return false;
	}
	stack_remove(stack, s);
	then.added(then.ctx, t->events);
	return true;
}

static void probe_work(struct probe_screen *s);

static void done(void *task, void *owner)
{
	struct probe_screen *s = owner;
	struct task *t = task;

	s->probe = t->probe;
	t->probe = NULL;
	if (t->work == WORK_READ)
		read_done(s, t);
	else if (t->work == WORK_PLAN)
		plan_done(s, t);
	else if (add_done(s, t))
		return;
	probe_work(s);
	stack_wish(s->stack, s, WISH_RECALC);
}

/* With texts of its own. */
static struct ptui_probe_place place_copy(const struct ptui_probe_place *of, struct words *texts)
{
	struct ptui_probe_place ret = *of;

	ret.path = words_keep(texts, of->path);
	ret.function = words_keep(texts, of->function);
	ret.source = words_keep(texts, of->source);
	return ret;
}

static struct task *task_new(const struct probe_screen *s, enum work work)
{
	size_t n = s->probe ? ptui_probe_n_variables(s->probe) : 0;
	struct task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->variables = calloc(n + 1, sizeof(*t->variables));
	t->place = place_copy(&s->place, &t->texts);
	if (!t->variables || t->texts.failed) {
		release(t);
		return NULL;
	}
	t->work = work;
	if (s->choice.variables)
		memcpy(t->variables, s->choice.variables, n * sizeof(*t->variables));
	t->choice = (struct ptui_probe_choice){ t->variables, s->choice.returns, s->choice.keep };
	return t;
}

static void start(struct probe_screen *s, enum work work)
{
	static const struct worker_ops ops = { run, done, release };
	struct task *t = task_new(s, work);

	if (!t) {
		stack_no_memory(s->stack);
		return;
	}
	/* the task has it until it is done, as it may outlive the screen */
	t->probe = s->probe;
	s->probe = NULL;
	s->outdated = false;
	if (!worker_start_shown(&s->worker, s->stack, &ops, t, s,
				&s->err)) /* the probe was released with the task; err is set */
		probe_choice_release(&s->choice);
	else if (work == WORK_READ)
		(void)worker_progress(s->worker, _("Reading debug information"), 0, 0);
}

/* Starts what is to do next: reading, or a plan of the choice. */
static void probe_work(struct probe_screen *s)
{
	if (s->worker || ptui_error_is_set(&s->err))
		return;
	if (!s->probe)
		start(s, WORK_READ);
	else if (s->outdated)
		start(s, WORK_PLAN);
	else if (s->adds && !ptui_error_is_set(&s->refused))
		start(s, WORK_ADD);
	else
		s->adds = false;
}

/* ---- requests ---- */

static unsigned changed(struct probe_screen *s)
{
	s->outdated = true;
	s->adds = false;
	probe_set_columns(s);
	probe_work(s);
	return WISH_RECALC;
}

static unsigned toggle(struct probe_screen *s, size_t row)
{
	if (row >= probe_choice_n_rows(&s->choice))
		return WISH_NONE;
	if (!probe_choice_toggle(&s->choice, row))
		return stack_note(s->stack, probe_choice_row(&s->choice, row).refusal);
	return changed(s);
}

/* The row of a kind, of which there is one. */
static unsigned toggle_kind(struct probe_screen *s, enum probe_row_kind kind)
{
	for (size_t i = 0; i < probe_choice_n_rows(&s->choice); i++)
		if (probe_choice_row(&s->choice, i).kind == kind)
			return toggle(s, i);
	return stack_note(s->stack, _("Only functions have return probes."));
}

static unsigned toggle_all(struct probe_screen *s)
{
	if (!probe_choice_toggle_all(&s->choice))
		return stack_note(s->stack, _("There are no variables here."));
	return changed(s);
}

static unsigned add(struct probe_screen *s)
{
	if (ptui_error_is_set(&s->refused) && !s->outdated && !s->worker)
		return popup_error(s->stack, &s->refused);
	s->adds = true;
	probe_work(s);
	return WISH_REDRAW;
}

/* "ptui probe -x FILE 'fact n'" */
static unsigned copy_line(struct probe_screen *s)
{
	struct words words = WORDS_INIT;

	if (!s->plan.definition)
		return WISH_NONE;
	words_add(&words, "ptui");
	words_add(&words, "probe");
	if (!s->place.kernel)
		words_add_option(&words, "-x", s->place.path);
	words_add(&words, s->plan.definition);
	return copy_command(s->stack, &words);
}

static const enum request menu_requests[] = { REQ_PROBE_ADD,	REQ_PROBE_CHOOSE, REQ_PROBE_ALL,
					      REQ_PROBE_RETURN, REQ_PROBE_KEEP,	  REQ_COPY,
					      REQ_SEARCH,	REQ_NONE };

static const char *menu_title(void *self)
{
	const struct probe_screen *s = self;

	return s->choice.probe ? s->title : NULL;
}

static unsigned request(void *self, enum request req)
{
	struct probe_screen *s = self;

	if (!s->choice.probe) /* nothing to act on, but the way back */
		return WISH_PASS;
	switch (req) {
	case REQ_PROBE_ADD:
		return add(s);
	case REQ_PROBE_CHOOSE:
		return toggle(s, s->table.cursor);
	case REQ_PROBE_ALL:
		return toggle_all(s);
	case REQ_PROBE_RETURN:
		return toggle_kind(s, PROBE_ROW_RETURN);
	case REQ_PROBE_KEEP:
		return toggle_kind(s, PROBE_ROW_KEEP);
	case REQ_COPY:
		return copy_line(s);
	default:
		return WISH_PASS;
	}
}

static bool can(void *self, enum request req)
{
	const struct probe_screen *s = self;

	switch (req) {
	case REQ_PROBE_ALL:
		return s->choice.probe && ptui_probe_n_variables(s->choice.probe);
	case REQ_PROBE_RETURN:
		return probe_choice_can_return(&s->choice);
	default:
		return s->choice.probe || stack_answers(req);
	}
}

/* ---- the screen ---- */

static void close_screen(void *self)
{
	struct probe_screen *s = self;

	worker_abandon(&s->worker);
	find_release(&s->find);
	probe_choice_release(&s->choice);
	ptui_probe_plan_release(&s->plan);
	ptui_probe_free(s->probe);
	words_release(&s->texts);
	free(s);
}

static const enum request hints[] = { REQ_PROBE_ADD,	REQ_PROBE_CHOOSE, REQ_PROBE_ALL,
				      REQ_PROBE_RETURN, REQ_PROBE_KEEP,	  REQ_COPY,
				      REQ_MENU,		REQ_HELP,	  REQ_BACK,
				      REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Probe"),
	.keymap = KEYMAP_PROBE,
	.hints = hints,
	.head = probe_head,
	.draw = probe_draw,
	.menu = menu_requests,
	.menu_title = menu_title,
	.request = request,
	.can = can,
	.table = offsetof(struct probe_screen, table),
	.find = offsetof(struct probe_screen, find),
	.opens = REQ_PROBE_CHOOSE,
	.close = close_screen,
};

static const struct box boxes[PROBE_BOXES] = {
	[PROBE_BODY] = { .size = 4, .fill = true },
	[PROBE_RULE] = { .size = 1, .hide = 2 },
	[PROBE_PLAN] = { .size = 2, .hide = 1 },
};

/* "work.c:9", "work+12" or "work" */
static const char *title_of(const struct probe_opts *o, char *buf, size_t size)
{
	if (o->source)
		snprintf(buf, size, "%s:%u", text_file_name(o->source), o->line);
	else if (o->offset)
		snprintf(buf, size, "%s+%llu", o->function->symbol, (unsigned long long)o->offset);
	else
		snprintf(buf, size, "%s", o->function->symbol);
	return buf;
}

static struct probe_screen *screen_new(struct stack *stack, const struct probe_opts *o)
{
	struct probe_screen *s = calloc(1, sizeof(*s));
	const struct ptui_function *f = o->function;
	const struct ptui_probe_place place = { .path = f->path,
						.function = f->symbol,
						.start = f->start,
						.offset = o->offset,
						.source = o->source,
						.line = o->line,
						.kernel = f->kernel };
	char title[1024];

	if (!s)
		return NULL;
	s->stack = stack;
	memcpy(s->boxes, boxes, sizeof(boxes));
	table_init(&s->table, &probe_rows, s);
	find_init_table(&s->find, stack, &s->table);
	s->then = o->then;
	s->where = words_keep(&s->texts, o->where);
	s->title = words_keep(&s->texts, title_of(o, title, sizeof(title)));
	s->place = place_copy(&place, &s->texts);
	if (!s->texts.failed)
		return s;
	close_screen(s);
	return NULL;
}

unsigned probe_open(struct stack *stack, const struct probe_opts *opts)
{
	struct probe_screen *s;

	if (!opts->then.added)
		return stack_note(stack,
				  _("A probe cannot be recorded from here: browse the recording in "
				    "ptui, and probe from there."));
	if (!opts->function->symbol)
		return stack_note(stack,
				  _("The function of this row is unknown: it has no symbol."));
	s = screen_new(stack, opts);
	if (!s || stack_push(stack, &screen, s))
		return stack_no_memory(stack);
	probe_set_columns(s);
	probe_work(s);
	return WISH_REDRAW;
}
