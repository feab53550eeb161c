/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_checker.h"

#include <errno.h>
#include <stdlib.h>

#include "view/worker.h"

struct setup_answer {
	struct ptui_check check;
	struct ptui_error error;
};

/* In the thread. */
static void *answer_one(void *unused, void *question)
{
	struct setup_answer *answer = calloc(1, sizeof(*answer));

	(void)unused;
	if (answer)
		ptui_record_check(ptui_record_line_opts(question), &answer->check, &answer->error);
	return answer;
}

static void question_free(void *question)
{
	ptui_record_line_free(question);
}

static void answer_free(void *arg)
{
	struct setup_answer *answer = arg;

	if (answer)
		ptui_check_release(&answer->check);
	free(answer);
}

static void answered(void *checker, void *arg, bool is_latest)
{
	struct setup_checker *c = checker;
	struct setup_answer *answer = arg;

	if (is_latest)
		c->busy = false;
	if (is_latest && answer) {
		answer_free(c->kept);
		c->kept = answer;
		c->answer = c->last = &answer->check;
		c->error = ptui_error_is_set(&answer->error) ? &answer->error : NULL;
	} else {
		answer_free(answer);
	}
	c->done(c->ctx);
}

int setup_checker_init(struct setup_checker *c, struct loop *loop, void (*done)(void *ctx),
		       void *ctx)
{
	static const struct latest_worker_ops ops = {
		.work = answer_one,
		.done = answered,
		.release_job = question_free,
		.release_answer = answer_free,
	};

	*c = (struct setup_checker){ .done = done, .ctx = ctx };
	c->worker = latest_worker_new(loop, &ops, NULL, c);
	return c->worker ? 0 : -ENOMEM;
}

void setup_checker_release(struct setup_checker *c)
{
	latest_worker_free(c->worker);
	answer_free(c->kept);
}

bool setup_checker_again(struct setup_checker *c, struct ptui_record_line *line)
{
	return latest_worker_submit(c->worker, line);
}

void setup_checker_ask(struct setup_checker *c, struct ptui_record_line *line)
{
	c->answer = NULL;
	c->error = NULL;
	c->busy = setup_checker_again(c, line) && line;
}
