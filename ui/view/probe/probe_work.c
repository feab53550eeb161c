/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One task at a time has the probe; when it is done, the screen has it again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text/i18n.h"
#include "text/strings.h"
#include "view/probe/probe_private.h"
#include "widget/popup.h"

enum work { WORK_READ, WORK_PLAN, WORK_ADD };

struct task {
	enum work work;
	struct ptui_probe_place place;
	char *path, *function, *source;
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
	free(t->path);
	free(t->function);
	free(t->source);
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

static void done(void *task, void *owner)
{
	struct probe_screen *s = owner;
	struct task *t = task;

	s->worker = NULL;
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

static struct task *task_new(const struct probe_screen *s, enum work work)
{
	size_t n = s->probe ? ptui_probe_n_variables(s->probe) : 0;
	struct task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->variables = calloc(n + 1, sizeof(*t->variables));
	if (!t->variables || text_copy(&t->path, s->path) || text_copy(&t->function, s->function) ||
	    text_copy(&t->source, s->source)) {
		release(t);
		return NULL;
	}
	t->work = work;
	t->place = s->place;
	t->place.path = t->path;
	t->place.function = t->function;
	t->place.source = t->source;
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
	s->worker = worker_start(stack_loop(s->stack), &ops, t, s, &s->err);
	worker_show(s->worker, s->stack, s);
	if (!s->worker) /* the probe was released with the task; err is set */
		probe_choice_release(&s->choice);
	else if (work == WORK_READ)
		(void)worker_progress(s->worker, _("Reading debug information"), 0, 0);
}

void probe_work(struct probe_screen *s)
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

void probe_add(struct probe_screen *s)
{
	s->adds = true;
	probe_work(s);
}
