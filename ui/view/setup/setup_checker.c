/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the choices in a thread, since closing tracepoints is slow. */
#include <stdlib.h>

#include "view/setup/setup_private.h"

/* In the thread. */
static void *answer_one(void *unused, void *question)
{
	struct ptui_check *answer = calloc(1, sizeof(*answer));

	(void)unused;
	if (answer)
		ptui_record_check(ptui_record_line_opts(question), answer);
	return answer;
}

static void question_free(void *question)
{
	ptui_record_line_free(question);
}

static void answer_free(void *answer)
{
	if (answer)
		ptui_check_release(answer);
	free(answer);
}

static void answered(void *owner, void *answer, bool is_latest)
{
	struct setup_screen *v = owner;
	bool failed = !is_latest || !answer;

	answer_free(failed ? answer : v->last);
	if (is_latest)
		v->is_checking = false;
	if (!failed)
		v->last = v->answer = answer;
	stack_wish(v->stack, v, WISH_RECALC);
}

bool setup_checker_init(struct setup_screen *v)
{
	static const struct latest_worker_ops ops = {
		.work = answer_one,
		.done = answered,
		.release_job = question_free,
		.release_answer = answer_free,
	};

	v->checker = latest_worker_new(stack_loop(v->stack), &ops, NULL, v);
	return v->checker;
}

void setup_checker_release(struct setup_screen *v)
{
	latest_worker_free(v->checker);
	answer_free(v->last);
}

void setup_checker_ask(struct setup_screen *v, struct ptui_record_line *line)
{
	v->answer = NULL;
	v->is_checking = latest_worker_submit(v->checker, line) && line;
}
