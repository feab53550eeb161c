/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of processes to choose from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/setup/process.h"
#include "text/grouped.h"
#include "text/i18n.h"
#include "text/number.h"
#include "view/setup/setup_private.h"
#include "view/worker.h"
#include "widget/find.h"

#define FIRST_MS   400 /* first interval, to determine recent CPU time */
#define REFRESH_MS 2000

struct process_screen {
	struct setup_screen *owner;
	struct stack *stack;
	struct processes list;
	struct ptui_error failed; /* reading never succeeded */
	struct worker *worker;	  /* NULL: not reading */
	struct table table;
	unsigned timer;
	struct filter filter;
};

/* One reading of all processes. */
struct reading {
	struct processes fresh;
	struct ptui_error err;
};

/* ---- the rows ---- */

static size_t row_count(void *ctx)
{
	return ((struct process_screen *)ctx)->list.n_shown;
}

static const char *row_cell(void *ctx, size_t row, size_t column, char *buf, size_t size,
			    style_t *style)
{
	const struct process *p = &((struct process_screen *)ctx)->list.v[row];

	if (column == PROCESSES_BY_USER || column == PROCESSES_BY_TIME ||
	    column == PROCESSES_BY_THREADS)
		*style = ROLE_DIM;
	switch (column) {
	case PROCESSES_BY_PID:
		snprintf(buf, size, "%d", (int)p->pid);
		return buf;
	case PROCESSES_BY_USER:
		return p->user;
	case PROCESSES_BY_CPU:
		if (p->cpu_share < 0)
			return "-";
		*style = style_heat(p->cpu_share * 100);
		snprintf(buf, size, "%.1f %%", p->cpu_share * 100);
		return buf;
	case PROCESSES_BY_TIME:
		return number_clock_ns(buf, size,
				       p->cpu_ticks * 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
	case PROCESSES_BY_THREADS:
		snprintf(buf, size, "%u", p->threads);
		return buf;
	default:
		return p->name;
	}
}

static uint64_t row_id(void *ctx, size_t row)
{
	return (uint64_t)((struct process_screen *)ctx)->list.v[row].pid;
}

static const struct table_ops row_ops = {
	.count = row_count,
	.cell = row_cell,
	.id = row_id,
};

/* The process under the cursor; NULL: there is none. */
static const struct process *here(const struct process_screen *v)
{
	return v->table.cursor < v->list.n_shown ? &v->list.v[v->table.cursor] : NULL;
}

/* ---- drawing ---- */

static void head(void *self, const struct canvas *line)
{
	struct process_screen *v = self;
	char state[96];

	snprintf(state, sizeof(state), _("%s of %s processes"), grouped(v->list.n_shown).text,
		 grouped(v->list.n).text);
	filter_head(&v->filter, line, _("Setup › Process"), state, ROLE_DIM);
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
			      v->table.search);
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

static unsigned arrange(struct process_screen *v)
{
	processes_arrange(&v->list, (enum process_order)v->table.sort, v->table.search);
	return WISH_RECALC;
}

/* After a failure the old list stays; the next turn tries again. */
static void fresh_is_read(void *task, void *owner)
{
	struct process_screen *v = owner;
	struct reading *r = task;
	const struct process *was = here(v);
	pid_t pid = was ? was->pid : 0;
	bool first = !v->list.read_ns;
	char name[128];

	v->worker = NULL;
	snprintf(name, sizeof(name), "%s", was ? was->name : "");
	if (r->fresh.read_ns) {
		processes_take(&v->list, &r->fresh);
		arrange(v);
	}
	if (r->fresh.read_ns || first)
		v->failed = r->err;
	/* the cursor is on another one then */
	if (pid && table_row_of(&v->table, (uint64_t)pid) == SIZE_MAX)
		stack_say(v->stack, ROLE_NOTE, _("process %d (%s) has ended"), (int)pid, name);
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
	if (r) {
		r->fresh.proc = PROC;
		v->worker = worker_start(stack_loop(v->stack), &reading_ops, r, v, NULL);
	}
	if (!v->worker)
		v->timer = loop_after(stack_loop(v->stack), REFRESH_MS, refresh, v);
}

/* ---- requests ---- */

static unsigned show_matching(void *ctx, const char *text)
{
	(void)text; /* in table.search */
	return arrange(ctx);
}

static unsigned choose_process(struct process_screen *v)
{
	const struct process *p = here(v);
	struct setup_screen *owner = v->owner;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (!p)
		return WISH_NONE;
	if (!process_is(v->list.proc, p->pid, p->start))
		return stack_say(v->stack, ROLE_NOTE, _("process %d (%s) has ended"), (int)p->pid,
				 p->name);
	if (setup_set_process(&owner->setup, p->pid, p->start, p->name, &err))
		popup_error(v->stack, &err);
	stack_wish(v->stack, owner, setup_changed(owner));
	return WISH_POP;
}

static unsigned request(void *self, enum request req)
{
	struct process_screen *v = self;

	switch (req) {
	case REQ_CHOOSE:
		return choose_process(v);
	case REQ_SORT_COLUMN:
		v->table.sort = (v->table.sort + 1) % PROCESS_ORDERS;
		return arrange(v);
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

unsigned setup_choose_process(struct setup_screen *owner)
{
	const struct table_column columns[PROCESS_ORDERS] = {
		[PROCESSES_BY_PID] = { .title = _("PID"), .width = 7, .align = ALIGN_RIGHT },
		[PROCESSES_BY_USER] = { .title = _("User"), .width = 10, .hide = 2 },
		[PROCESSES_BY_CPU] = { .title = _("CPU"),
				       .width = 9,
				       .align = ALIGN_RIGHT,
				       .hide = 1 },
		[PROCESSES_BY_TIME] = { .title = _("CPU time"),
					.width = 10,
					.align = ALIGN_RIGHT,
					.hide = 3 },
		[PROCESSES_BY_THREADS] = { .title = _("Threads"),
					   .width = 7,
					   .align = ALIGN_RIGHT,
					   .hide = 4 },
		[PROCESSES_BY_NAME] = { .title = _("Command"), .width = 12, .fill = true },
	};
	struct process_screen *v = calloc(1, sizeof(*v));

	setup_go_to(owner, SETUP_TARGET);
	if (!v)
		return stack_no_memory(owner->stack);
	v->list.proc = PROC;
	v->owner = owner;
	v->stack = owner->stack;
	v->filter = (struct filter){
		.stack = v->stack, .table = &v->table, .show = show_matching, .ctx = v
	};
	table_init(&v->table, &row_ops, v);
	table_set_columns(&v->table, columns, PROCESS_ORDERS);
	v->table.header = true;
	v->table.sort = PROCESSES_BY_CPU;
	table_recalc(&v->table);
	if (stack_push(v->stack, &screen, v))
		return stack_no_memory(owner->stack);
	refresh(v);
	return WISH_REDRAW;
}
