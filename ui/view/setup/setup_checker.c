/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_checker.h"

#include <poll.h>
#include <stdlib.h>

#include "view/latest_worker.h"

struct answer {
	struct ptui_check check;
	struct ptui_error error;
};

struct setup_checker {
	struct loop *loop;
	setup_check_fn check;
	void (*done)(void *ctx);
	void *ctx;
	unsigned watch;
	struct latest_worker *worker;
	struct answer *last; /* NULL: none yet */
	bool answered, busy;
	uint64_t asked; /* number of the last question */
};

/* ---- in the thread ---- */

static void *answer_one(void *ctx, void *question)
{
	const struct setup_checker *c = ctx;
	const struct ptui_record_line *line = question;
	struct answer *answer = calloc(1, sizeof(*answer));

	if (answer)
		c->check(ptui_record_line_opts(line), &answer->check, &answer->error);
	return answer;
}

static void question_free(void *question)
{
	ptui_record_line_free(question);
}

static void answer_free(void *arg)
{
	struct answer *answer = arg;

	if (answer)
		ptui_check_release(&answer->check);
	free(answer);
}

/* ---- on the loop ---- */

static void collect(void *ctx, int fd, short revents)
{
	struct setup_checker *c = ctx;
	uint64_t number;
	void *answer;

	(void)fd;
	(void)revents;
	if (!latest_worker_take(c->worker, &answer, &number))
		return;
	if (number == c->asked && answer) {
		answer_free(c->last);
		c->last = answer;
		c->answered = true;
	} else {
		answer_free(answer);
	}
	if (number == c->asked)
		c->busy = false;
	c->done(c->ctx);
}

struct setup_checker *setup_checker_new(struct loop *loop, setup_check_fn check,
					void (*done)(void *ctx), void *ctx, struct ptui_error *err)
{
	static const struct latest_worker_ops ops = {
		.thread_name = "ptui-check",
		.work = answer_one,
		.release_job = question_free,
		.release_answer = answer_free,
	};
	struct setup_checker *c = calloc(1, sizeof(*c));

	if (!c) {
		ptui_error_nomem(err);
		return NULL;
	}
	*c = (struct setup_checker){ .loop = loop, .check = check, .done = done, .ctx = ctx };
	c->worker = latest_worker_new(&ops, c, err);
	if (c->worker) {
		c->watch = loop_watch(loop, latest_worker_fd(c->worker), POLLIN, collect, c);
		if (c->watch)
			return c;
		ptui_error_nomem(err);
	}
	setup_checker_free(c);
	return NULL;
}

void setup_checker_free(struct setup_checker *c)
{
	if (!c)
		return;
	loop_remove(c->loop, c->watch);
	latest_worker_free(c->worker, true);
	answer_free(c->last);
	free(c);
}

void setup_checker_again(struct setup_checker *c, struct ptui_record_line *line)
{
	c->asked = latest_worker_submit(c->worker, line);
}

void setup_checker_ask(struct setup_checker *c, struct ptui_record_line *line)
{
	setup_checker_again(c, line);
	c->answered = false;
	c->busy = line != NULL;
}

const struct ptui_check *setup_checker_answer(const struct setup_checker *c)
{
	return c->answered ? &c->last->check : NULL;
}

const struct ptui_check *setup_checker_last(const struct setup_checker *c)
{
	return c->last ? &c->last->check : NULL;
}

const struct ptui_error *setup_checker_error(const struct setup_checker *c)
{
	return c->answered && ptui_error_is_set(&c->last->error) ? &c->last->error : NULL;
}

bool setup_checker_busy(const struct setup_checker *c)
{
	return c->busy;
}
