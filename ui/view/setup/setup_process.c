/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of processes to choose from. */
#include <stdio.h>
#include <stdlib.h>
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
	struct processes list;
	struct worker *worker; /* NULL: not reading */
	struct table table;
	unsigned timer;
	struct filter filter;
};

/* ---- the rows ---- */

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
	.n_rows = offsetof(struct process_screen, list.n_shown),
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
	if (ptui_error_is_set(&v->list.failed))
		canvas_printf(c, 2, 2, ROLE_BAD, "%s", v->list.failed.text);
	else if (!v->list.read_ns)
		canvas_text(c, 2, 2, ROLE_DIM, _("reading the processes …"));
	else if (!v->list.n_shown)
		canvas_printf(c, 2, 2, ROLE_DIM,
			      _("no process matches \"%s\": press ESC to show all"),
			      v->table.search);
}

/* ---- reading, in a thread ---- */

static void read_fresh(void *fresh, struct worker *w)
{
	(void)w;
	processes_scan(fresh, loop_now_ns());
}

static void free_fresh(void *fresh)
{
	processes_release(fresh);
	free(fresh);
}

static void refresh(void *ctx);

static void arrange(void *ctx)
{
	struct process_screen *v = ctx;

	processes_arrange(&v->list, (enum process_order)v->table.sort, v->table.search);
}

/* After a failure the old list stays; the next turn tries again. */
static void fresh_is_read(void *fresh, void *owner)
{
	struct process_screen *v = owner;
	const struct process *was = here(v);
	pid_t pid = was ? was->pid : 0;
	bool first = !v->list.read_ns;
	char name[128];

	snprintf(name, sizeof(name), "%s", was ? was->name : "");
	processes_take(&v->list, fresh);
	arrange(v);
	/* the cursor is on another one then */
	if (pid && table_row_of(&v->table, (uint64_t)pid) == SIZE_MAX)
		stack_say(v->owner->stack, ROLE_NOTE, _("process %d (%s) has ended"), (int)pid,
			  name);
	v->timer = loop_after(stack_loop(v->owner->stack), first ? FIRST_MS : REFRESH_MS, refresh,
			      v);
	stack_wish(v->owner->stack, v, WISH_RECALC);
}

static const struct worker_ops reading_ops = {
	.run = read_fresh,
	.done = fresh_is_read,
	.release = free_fresh,
};

static void refresh(void *ctx)
{
	struct process_screen *v = ctx;
	struct processes *fresh = calloc(1, sizeof(*fresh));

	v->timer = 0;
	if (fresh) {
		fresh->proc = v->list.proc;
		worker_start(&v->worker, stack_loop(v->owner->stack), &reading_ops, fresh, v, NULL);
	}
	if (!v->worker)
		v->timer = loop_after(stack_loop(v->owner->stack), REFRESH_MS, refresh, v);
}

/* ---- requests ---- */

static unsigned choose_process(struct process_screen *v)
{
	const struct process *p = here(v);
	struct setup_screen *owner = v->owner;

	if (!p)
		return WISH_NONE;
	if (!process_is(v->list.proc, p->pid, p->start))
		return stack_say(v->owner->stack, ROLE_NOTE, _("process %d (%s) has ended"),
				 (int)p->pid, p->name);
	if (setup_set_process(&owner->setup, p->pid, p->start, p->name))
		stack_no_memory(v->owner->stack);
	else
		owner->setup.target = SETUP_PROCESS;
	stack_wish(v->owner->stack, owner, setup_changed(owner));
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
		arrange(v);
		return WISH_RECALC;
	default:
		return WISH_PASS;
	}
}

static void close_screen(void *self)
{
	struct process_screen *v = self;

	worker_abandon(&v->worker);
	loop_remove(stack_loop(v->owner->stack), v->timer);
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
	v->list.proc = owner->setup.proc;
	v->owner = owner;
	v->filter = (struct filter){ .stack = owner->stack, .table = &v->table, .show = arrange };
	table_init(&v->table, &row_ops, v);
	table_set_columns(&v->table, columns, PROCESS_ORDERS);
	v->table.sort = PROCESSES_BY_CPU;
	v->table.follow_first = true;
	if (stack_push(owner->stack, &screen, v))
		return stack_no_memory(owner->stack);
	refresh(v);
	return WISH_REDRAW;
}
