/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/i18n.h"
#include "view/worker.h"
#include "widget/filter.h"
#include "widget/line.h"
#include "widget/number.h"

#define FIRST_MS   400 /* first interval, to determine recent CPU time */
#define REFRESH_MS 2000

struct process_screen {
	struct stack *stack;
	struct processes list;
	struct ptui_error failed; /* reading never succeeded */
	struct worker *worker;	  /* NULL: not reading */
	struct table table;
	unsigned timer;
	struct filter filter;
	unsigned (*done)(void *ctx, const struct process *process);
	void *ctx;
};

/* One reading of all processes. */
struct reading {
	struct processes fresh;
	struct ptui_error err;
};

enum { COLUMN_PID, COLUMN_USER, COLUMN_CPU, COLUMN_TIME, COLUMN_THREADS, COLUMN_NAME, N_COLUMNS };

static const size_t sort_columns[PROCESS_ORDERS] = {
	[PROCESSES_BY_CPU] = COLUMN_CPU,	 [PROCESSES_BY_TIME] = COLUMN_TIME,
	[PROCESSES_BY_THREADS] = COLUMN_THREADS, [PROCESSES_BY_USER] = COLUMN_USER,
	[PROCESSES_BY_NAME] = COLUMN_NAME,	 [PROCESSES_BY_PID] = COLUMN_PID,
};

/* ---- the rows ---- */

static size_t row_count(void *ctx)
{
	struct process_screen *v = ctx;

	return v->list.n_shown;
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	struct process_screen *v = ctx;
	const struct process *p = processes_get(&v->list, row);

	switch (column) {
	case COLUMN_PID:
		snprintf(buf, size, "%d", (int)p->pid);
		return buf;
	case COLUMN_USER:
		*style = ROLE_DIM;
		return p->user;
	case COLUMN_CPU:
		if (p->cpu_share < 0)
			return "-";
		*style = style_heat(p->cpu_share * 100);
		snprintf(buf, size, "%.1f %%", p->cpu_share * 100);
		return buf;
	case COLUMN_TIME:
		*style = ROLE_DIM;
		return number_clock_ns(buf, size,
				       p->cpu_ticks * 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
	case COLUMN_THREADS:
		*style = ROLE_DIM;
		snprintf(buf, size, "%u", p->threads);
		return buf;
	default:
		return p->name;
	}
}

static uint64_t row_id(void *ctx, size_t row)
{
	struct process_screen *v = ctx;

	return (uint64_t)processes_get(&v->list, row)->pid;
}

static size_t row_find(void *ctx, uint64_t id)
{
	struct process_screen *v = ctx;

	return processes_find(&v->list, (pid_t)id);
}

/* Others are hidden. */
static bool row_matches(void *ctx, size_t row, const char *text)
{
	(void)ctx;
	(void)row;
	(void)text;
	return true;
}

static const struct table_ops row_ops = {
	.count = row_count,
	.cell = row_cell,
	.id = row_id,
	.find = row_find,
	.matches = row_matches,
};

/* ---- drawing ---- */

static void head(void *self, const struct canvas *line)
{
	struct process_screen *v = self;
	char where[192], state[96], shown[32], all[32];

	snprintf(where, sizeof(where),
		 *v->list.search ? _("Setup › Process   / %s") : _("Setup › Process"),
		 v->list.search);
	snprintf(state, sizeof(state), _("%s of %s processes"),
		 number_full(shown, sizeof(shown), v->list.n_shown),
		 number_full(all, sizeof(all), v->list.n));
	line_head(line, 0, where, state, ROLE_DIM);
}

static void draw(void *self, const struct canvas *c)
{
	struct process_screen *v = self;

	table_draw(&v->table, c);
	if (ptui_error_is_set(&v->failed))
		canvas_printf(c, 2, 2, ROLE_BAD, "%s", v->failed.text);
	else if (!v->list.read_ns)
		canvas_text(c, 2, 2, ROLE_DIM, _("reading the processes …"));
	else if (!v->list.n_shown)
		canvas_printf(c, 2, 2, ROLE_DIM,
			      _("no process matches \"%s\": press ESC to show all"),
			      v->list.search);
}

/* ---- reading, in a thread ---- */

static void read_fresh(void *task, struct worker *w)
{
	struct reading *r = task;

	(void)w;
	if (processes_scan(&r->fresh, loop_now_ns(), &r->err))
		r->fresh.read_ns = 0;
}

static void reading_free(void *task)
{
	struct reading *r = task;

	processes_release(&r->fresh);
	free(r);
}

static void refresh(void *ctx);

/* The process under the cursor has exited: reports it, the cursor is on another one. */
static void report_ended(struct process_screen *v, pid_t pid, const char *name)
{
	if (pid && processes_find(&v->list, pid) == SIZE_MAX)
		stack_say(v->stack, ROLE_NOTE, _("process %d (%s) has ended"), (int)pid, name);
}

static void fresh_is_read(void *task, void *owner)
{
	struct process_screen *v = owner;
	struct reading *r = task;
	const struct process *here = NULL;
	bool first = !v->list.read_ns;
	char name[128] = "";
	pid_t pid = 0;

	v->worker = NULL;
	if (!r->fresh.read_ns) {
		/* After a failure the old list stays; the next turn tries again. */
		if (first)
			v->failed = r->err;
	} else {
		memset(&v->failed, 0, sizeof(v->failed));
		if (v->table.cursor < v->list.n_shown)
			here = processes_get(&v->list, v->table.cursor);
		if (here) {
			pid = here->pid;
			snprintf(name, sizeof(name), "%s", here->name);
		}
		processes_take(&v->list, &r->fresh);
		report_ended(v, pid, name);
	}
	v->timer = loop_after(stack_loop(v->stack), first ? FIRST_MS : REFRESH_MS, refresh, v);
	stack_wish(v->stack, v, WISH_RECALC);
}

static const struct worker_ops reading_ops = {
	.run = read_fresh,
	.done = fresh_is_read,
	.release = reading_free,
};

static void refresh(void *ctx)
{
	struct process_screen *v = ctx;
	struct reading *r = calloc(1, sizeof(*r));

	v->timer = 0;
	if (r && processes_init(&r->fresh, v->list.proc)) {
		reading_free(r);
		r = NULL;
	}
	if (r)
		v->worker = worker_start(stack_loop(v->stack), &reading_ops, r, v, NULL);
	if (!v->worker)
		v->timer = loop_after(stack_loop(v->stack), REFRESH_MS, refresh, v);
}

/* ---- requests ---- */

static unsigned show_matching(void *ctx, const char *text)
{
	struct process_screen *v = ctx;

	processes_search(&v->list, text);
	return WISH_RECALC;
}

static unsigned choose_process(struct process_screen *v)
{
	const struct process *p;

	if (v->table.cursor >= v->list.n_shown)
		return WISH_NONE;
	p = processes_get(&v->list, v->table.cursor);
	if (!process_is(v->list.proc, p->pid, p->start))
		return stack_say(v->stack, ROLE_NOTE, _("process %d (%s) has ended"), (int)p->pid,
				 p->name);
	v->done(v->ctx, p);
	return WISH_POP;
}

/* By the next column that can be sorted by. */
static unsigned sort_next(struct process_screen *v)
{
	processes_sort(&v->list, (enum process_order)((v->list.order + 1) % PROCESS_ORDERS));
	v->table.sort = sort_columns[v->list.order];
	return WISH_RECALC;
}

static unsigned request(void *self, enum request req)
{
	struct process_screen *v = self;

	switch (req) {
	case REQ_CHOOSE:
		return choose_process(v);
	case REQ_SORT_COLUMN:
		return sort_next(v);
	default:
		return WISH_PASS;
	}
}

static void close_screen(void *self)
{
	struct process_screen *v = self;

	worker_abandon(&v->worker);
	loop_remove(stack_loop(v->stack), v->timer);
	processes_release(&v->list);
	free(v);
}

static const enum request hints[] = { REQ_CHOOSE, REQ_SEARCH, REQ_SORT_COLUMN,
				      REQ_HELP,	  REQ_BACK,   REQ_NONE };

static const struct screen_ops screen = {
	.title = N_("Processes"),
	.keymap = KEYMAP_PROCESSES,
	.hints = hints,
	.head = head,
	.draw = draw,
	.request = request,
	.table = offsetof(struct process_screen, table),
	.filter = offsetof(struct process_screen, filter),
	.opens = REQ_CHOOSE,
	.close = close_screen,
};

static void set_columns(struct table *t)
{
	const struct table_column columns[N_COLUMNS] = {
		[COLUMN_PID] = { .title = _("PID"), .width = 7, .align = ALIGN_RIGHT },
		[COLUMN_USER] = { .title = _("User"), .width = 10, .hide = 2 },
		[COLUMN_CPU] = { .title = _("CPU"), .width = 9, .align = ALIGN_RIGHT, .hide = 1 },
		[COLUMN_TIME] = { .title = _("CPU time"),
				  .width = 10,
				  .align = ALIGN_RIGHT,
				  .hide = 3 },
		[COLUMN_THREADS] = { .title = _("Threads"),
				     .width = 7,
				     .align = ALIGN_RIGHT,
				     .hide = 4 },
		[COLUMN_NAME] = { .title = _("Command"), .width = 12, .fill = true },
	};

	table_set_columns(t, columns, N_COLUMNS);
}

int setup_process_open(struct stack *s, const struct setup_process_opts *opts,
		       struct ptui_error *err)
{
	struct process_screen *v = calloc(1, sizeof(*v));

	if (!v)
		return ptui_error_nomem(err);
	v->stack = s;
	v->filter =
		(struct filter){ .stack = s, .table = &v->table, .show = show_matching, .ctx = v };
	v->done = opts->done;
	v->ctx = opts->ctx;
	if (processes_init(&v->list, opts->proc)) {
		close_screen(v);
		return ptui_error_nomem(err);
	}
	table_init(&v->table, &row_ops, v);
	set_columns(&v->table);
	v->table.header = true;
	v->table.sort = sort_columns[v->list.order];
	table_recalc(&v->table);
	if (stack_push(s, &screen, v))
		return ptui_error_nomem(err);
	refresh(v);
	return 0;
}
