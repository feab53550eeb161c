/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/samples/samples.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/keymap.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/strings.h"
#include "text/utf8.h"
#include "view/copy_row.h"
#include "view/print.h"
#include "view/worker.h"
#include "widget/find.h"
#include "widget/line.h"
#include "widget/popup.h"
#include "widget/table.h"

#define DSO_W	   30
#define PRINT_STEP 4096 /* samples between two progress reports */

/* What the thread finds out. The texts are the profile's. */
struct sample_list {
	struct ptui_profile *profile; /* a reference; NULL: nothing is listed yet */
	uint32_t *v;
	size_t n;
	size_t all;   /* of which n are listed */
	bool payload; /* the samples of a tracepoint */
	bool events;  /* of several events */
	bool cpus;    /* recorded */
	int time_w, comm_w, period_w, dso_w, event_w;
};

struct samples_screen {
	struct stack *stack;
	char *where, *name; /* name: of the row */
	struct sample_list list;
	struct worker *worker; /* lists or prints; NULL: none */
	struct ptui_error err; /* why there is nothing to show */
	struct table table;
	struct find find;
};

enum {
	COLUMN_TIME,
	COLUMN_CPU,
	COLUMN_COMM,
	COLUMN_TID,
	COLUMN_PERIOD,
	COLUMN_EVENT,
	COLUMN_DSO,
	COLUMN_TEXT,
	N_COLUMNS
};

/* ---- cells ---- */

static const char *time_text(uint64_t ns, char *buf, size_t size)
{
	snprintf(buf, size, "%" PRIu64 ".%06" PRIu64, ns / 1000000000, ns / 1000 % 1000000);
	return buf;
}

static const char *sample_cell(const struct sample_list *l, size_t row, size_t column, char *buf,
			       size_t size)
{
	struct ptui_sample s;

	ptui_profile_sample(l->profile, l->v[row], &s);
	switch (column) {
	case COLUMN_TIME:
		return time_text(s.time_ns, buf, size);
	case COLUMN_CPU:
		if (s.cpu == PTUI_NONE)
			return l->cpus ? "–" : "";
		snprintf(buf, size, "%u", s.cpu);
		return buf;
	case COLUMN_COMM:
		return s.comm;
	case COLUMN_TID:
		snprintf(buf, size, "%d", (int)s.tid);
		return buf;
	case COLUMN_PERIOD:
		snprintf(buf, size, "%" PRIu64, s.period);
		return group_digits(buf, size);
	case COLUMN_EVENT:
		return l->events ? ptui_profile_event(l->profile, s.event)->name : "";
	case COLUMN_DSO:
		return s.dso && !s.payload ? s.dso : "";
	default:
		return s.payload ? s.payload : s.symbol ? s.symbol : _("[unknown]");
	}
}

/* ---- in the thread ---- */

struct samples_task {
	struct rows *rows; /* NULL: the list is to be printed */
	uint32_t row;
	uint64_t max;		 /* samples to be listed; 0: all */
	struct sample_list list; /* to be printed: borrowed, but for `profile` and `v` */
	struct ptui_error err;
	FILE *out;
	char path[288];
	bool stopped; /* while it was printed */
};

/* Column widths, and what the samples have. */
static void measure(struct sample_list *l)
{
	const char *comm = NULL, *dso = NULL;
	uint64_t period = 0;
	uint32_t event = PTUI_NONE;
	struct ptui_sample s;
	char buf[32];

	for (size_t i = 0; i < l->n; i++) {
		ptui_profile_sample(l->profile, l->v[i], &s);
		l->cpus |= s.cpu != PTUI_NONE;
		period = s.period > period ? s.period : period;
		l->payload |= s.payload != NULL;
		l->events |= event != PTUI_NONE && s.event != event;
		/* names are the profile's: equal ones are one text */
		if (s.comm != comm)
			l->comm_w = utf8_widest(l->comm_w, s.comm);
		if (s.dso && s.dso != dso)
			l->dso_w = utf8_widest(l->dso_w, s.dso);
		if (s.event != event)
			l->event_w = utf8_widest(l->event_w,
						 ptui_profile_event(l->profile, s.event)->name);
		comm = s.comm;
		dso = s.dso;
		event = s.event;
	}
	if (l->n)
		l->time_w = utf8_width(time_text(s.time_ns, buf, sizeof(buf)));
	l->period_w = utf8_width(grouped(period).text);
}

static void list_run(struct samples_task *t, struct worker *w)
{
	struct ptui_hist *h = rows_view(t->rows);

	t->list.v = ptui_hist_samples(h, t->row, &t->list.n, worker_progress, w, &t->err);
	if (!t->list.v)
		return;
	t->list.all = t->list.n;
	if (t->max && t->max < t->list.n) {
		t->list.n = (size_t)t->max;
		/* at equal distances: in the middle of each n-th part */
		for (size_t i = 0; i < t->list.n; i++)
			t->list.v[i] = t->list.v[(size_t)(((double)i + 0.5) * (double)t->list.all /
							  (double)t->list.n)];
	}
	t->list.profile = ptui_profile_ref(ptui_hist_profile(h));
	measure(&t->list);
}

static void print_run(struct samples_task *t, struct worker *w)
{
	char buf[64];

	for (size_t i = 0; i < t->list.n && !ferror(t->out); i++) {
		if (i % PRINT_STEP == 0 &&
		    worker_progress(w, _("printing the samples"), i, t->list.n))
			break;
		for (size_t k = 0; k < N_COLUMNS; k++) {
			const char *text = sample_cell(&t->list, i, k, buf, sizeof(buf));

			if (!*text)
				continue;
			fputs(k ? "  " : "", t->out);
			print_text(t->out, text);
		}
		fputc('\n', t->out);
	}
	t->stopped = worker_is_cancelled(w);
	print_close(t->out, t->path, t->stopped, &t->err);
	t->out = NULL;
}

static void task_run(void *task, struct worker *w)
{
	struct samples_task *t = task;

	if (t->rows)
		list_run(t, w);
	else
		print_run(t, w);
}

static void list_release(struct sample_list *l)
{
	ptui_profile_unref(l->profile);
	free(l->v);
	memset(l, 0, sizeof(*l));
}

static void task_release(void *task)
{
	struct samples_task *t = task;

	if (t->out)
		print_close(t->out, t->path, true, &t->err);
	rows_free(t->rows);
	list_release(&t->list);
	free(t);
}

/* ---- rows ---- */

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	if (column == COLUMN_DSO || column == COLUMN_EVENT)
		*style = ROLE_DIM;
	return sample_cell(&((struct samples_screen *)ctx)->list, row, column, buf, size);
}

static const struct table_ops row_ops = { .n_rows = offsetof(struct samples_screen, list.n),
					  .cell = row_cell };

static void set_columns(struct samples_screen *v)
{
	const struct sample_list *l = &v->list;
	struct table_column columns[N_COLUMNS] = {
		[COLUMN_TIME] = { .title = _("Time"), .width = l->time_w, .align = ALIGN_RIGHT },
		[COLUMN_CPU] = { .title = _("CPU"), .width = 3, .align = ALIGN_RIGHT, .hide = 4 },
		[COLUMN_COMM] = { .title = _("Command"), .width = l->comm_w, .hide = 2 },
		[COLUMN_TID] = { .title = _("TID"), .width = 7, .align = ALIGN_RIGHT, .hide = 3 },
		[COLUMN_PERIOD] = { .title = _("Period"),
				    .width = l->period_w,
				    .align = ALIGN_RIGHT,
				    .hide = 6 },
		[COLUMN_EVENT] = { .title = _("Event"), .width = l->event_w, .hide = 1 },
		[COLUMN_DSO] = { .title = _("Shared Object"),
				 .width = l->dso_w > DSO_W ? DSO_W : l->dso_w,
				 .min = 8,
				 .hide = 5 },
		[COLUMN_TEXT] = { .title = l->payload ? _("Trace output") : _("Symbol"),
				  .width = l->payload ? 44 : 20,
				  .fill = true,
				  .elide = !l->payload },
	};

	/* without a width and always hidden first */
	if (!l->cpus)
		columns[COLUMN_CPU] = (struct table_column){ .title = "", .hide = 9 };
	if (!l->events)
		columns[COLUMN_EVENT] = (struct table_column){ .title = "", .hide = 9 };
	if (l->payload)
		columns[COLUMN_DSO] = (struct table_column){ .title = "", .hide = 9 };
	table_fit_columns(&v->table, columns, N_COLUMNS);
}

/* ---- work ---- */

static void listed(struct samples_screen *v, struct samples_task *t)
{
	v->err = t->err;
	v->list = t->list;
	memset(&t->list, 0, sizeof(t->list));
	set_columns(v);
}

static void task_done(void *task, void *owner)
{
	struct samples_screen *v = owner;
	struct samples_task *t = task;

	if (t->rows)
		listed(v, t);
	else
		print_report(v->stack, t->path, t->stopped, &t->err);
	stack_wish(v->stack, v, WISH_RECALC);
}

/* Owns the task. */
static unsigned start(struct samples_screen *v, struct samples_task *t)
{
	static const struct worker_ops ops = { task_run, task_done, task_release };

	return worker_start_shown(&v->worker, v->stack, &ops, t, v, &v->err) ?
		       WISH_REDRAW :
		       stack_say(v->stack, ROLE_BAD, "%s", v->err.text);
}

/* ---- drawing ---- */

static void head(void *self, const struct canvas *line)
{
	const struct samples_screen *v = self;
	struct worker_state work;
	char state[160] = "";
	size_t n = v->list.n;

	if (v->worker) {
		worker_get_state(v->worker, &work);
		snprintf(state, sizeof(state), "%s", *work.what ? work.what : _("counting…"));
		if (v->list.profile && work.total)
			snprintf(state, sizeof(state), "%s  %d%%", work.what,
				 (int)(100.0 * (double)work.done / (double)work.total));
	} else {
		snprintf(state, sizeof(state), ngettext("%s sample", "%s samples", n),
			 grouped(n).text);
		if (n < v->list.all)
			snprintf(state, sizeof(state), _("%s of %s samples"), grouped(n).text,
				 grouped(v->list.all).text);
	}
	line_head_name(line, v->where, v->name, state, ROLE_NOTE);
}

static void draw(void *self, const struct canvas *c)
{
	struct samples_screen *v = self;

	if (v->list.n)
		table_draw(&v->table, c);
	else if (v->worker)
		worker_draw(c, v->worker, _("ESC goes back"));
	else if (ptui_error_is_set(&v->err))
		canvas_text(c, 0, 2, ROLE_BAD, v->err.text);
	else
		canvas_text(c, 0, 2, ROLE_DIM, _("This row has no samples."));
}

/* ---- requests ---- */

static unsigned show_sample(struct samples_screen *v)
{
	struct ptui_sample s;
	char title[128], when[40], *chain, *text = NULL;
	unsigned wishes;

	if (v->table.cursor >= v->list.n)
		return WISH_NONE;
	ptui_profile_sample(v->list.profile, v->list.v[v->table.cursor], &s);
	snprintf(title, sizeof(title), "%s  %s %d", time_text(s.time_ns, when, sizeof(when)),
		 s.comm, (int)s.tid);
	chain = ptui_profile_sample_chain(v->list.profile, v->list.v[v->table.cursor]);
	if (!chain || asprintf(&text, "%s%s%s", s.payload ? s.payload : "", s.payload ? "\n\n" : "",
			       chain) < 0)
		text = NULL;
	wishes = popup_message(v->stack, title, text);
	free(chain);
	free(text);
	return wishes;
}

static unsigned print_list(struct samples_screen *v)
{
	struct samples_task *t;
	unsigned wishes;

	if (!v->list.n || v->worker)
		return stack_note(v->stack, _("Nothing to print yet."));
	t = calloc(1, sizeof(*t));
	if (t)
		t->list.v = malloc(v->list.n * sizeof(*t->list.v));
	if (!t || !t->list.v) {
		free(t);
		return stack_no_memory(v->stack);
	}
	memcpy(t->list.v, v->list.v, v->list.n * sizeof(*t->list.v));
	t->list.n = v->list.n;
	t->list.events = v->list.events;
	t->list.profile = ptui_profile_ref(v->list.profile);
	t->out = print_create(NULL, t->path, sizeof(t->path), &t->err);
	if (t->out)
		return start(v, t);
	wishes = print_report(v->stack, t->path, false, &t->err);
	task_release(t);
	return wishes;
}

static bool can(void *self, enum request req)
{
	const struct samples_screen *v = self;

	return v->list.n || stack_answers(req);
}

static unsigned request(void *self, enum request req)
{
	struct samples_screen *v = self;

	switch (req) {
	case REQ_OPEN:
		return show_sample(v);
	case REQ_COPY_ROW:
		return copy_row(v->stack, &v->table);
	case REQ_PRINT:
		return print_list(v);
	case REQ_BACK:
		if (!v->worker || !v->list.n)
			return WISH_PASS;
		worker_cancel(v->worker);
		return WISH_REDRAW;
	default:
		return WISH_PASS;
	}
}

/* ---- the screen ---- */

static void close_screen(void *self)
{
	struct samples_screen *v = self;

	worker_abandon(&v->worker);
	find_release(&v->find);
	list_release(&v->list);
	free(v->where);
	free(v->name);
	free(v);
}

static const enum request hints[] = {
	REQ_OPEN, REQ_SEARCH, REQ_PRINT, REQ_HELP, REQ_BACK, REQ_NONE
};

static const struct screen_ops screen = {
	.title = N_("Samples"),
	.keymap = KEYMAP_SAMPLES,
	.hints = hints,
	.head = head,
	.draw = draw,
	.request = request,
	.can = can,
	.table = offsetof(struct samples_screen, table),
	.find = offsetof(struct samples_screen, find),
	.close = close_screen,
};

/* What identifies the row: its cells, or the function of a callchain's. Returns buf. */
static const char *row_name(struct rows *rows, uint64_t node, char *buf, size_t size)
{
	bool has_function = *rows_function(rows, node, buf, size);
	char cell[ROW_BYTES];

	for (size_t i = 0; !has_function && i < rows_n_columns(rows); i++) {
		if (!rows_column(rows, i)->groups)
			continue;
		rows_cell(rows, node, i, cell, sizeof(cell));
		text_join(buf, size, " · ", "%s", cell + strspn(cell, " "));
	}
	return buf;
}

unsigned samples_open(struct stack *s, const char *where, struct rows *rows, uint64_t node,
		      uint64_t max)
{
	struct samples_screen *v = calloc(1, sizeof(*v));
	struct samples_task *t = calloc(1, sizeof(*t));
	char name[ROW_BYTES];

	row_name(rows, node, name, sizeof(name));
	if (!v || !t || text_copy(&v->name, name) ||
	    asprintf(&v->where, _("%s › Samples › %s"), where, "") < 0) {
		free(v ? v->name : NULL);
		free(v);
		free(t);
		return stack_no_memory(s);
	}
	v->stack = s;
	table_init(&v->table, &row_ops, v);
	find_init_table(&v->find, s, &v->table);
	set_columns(v);
	t->rows = rows_ref(rows);
	t->row = rows_row(rows, node);
	t->max = max;
	if (stack_push(s, &screen, v)) {
		task_release(t);
		return stack_no_memory(s);
	}
	return start(v, t);
}
