/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_checker.h"

#include <poll.h>
#include <stdlib.h>

#include "view/latest_worker.h"

struct setup_answer {
	struct ptui_check check;
	struct ptui_error error;
};

/* ---- in the thread ---- */

static void *answer_one(void *ctx, void *question)
{
	const struct setup_checker *c = ctx;
	const struct ptui_record_line *line = question;
	struct setup_answer *answer = calloc(1, sizeof(*answer));

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
	struct setup_answer *answer = arg;

	if (answer)
		ptui_check_release(&answer->check);
	free(answer);
}

/* ---- on the loop ---- */

static void collect(void *ctx, int fd, short revents)
{
	struct setup_checker *c = ctx;
	struct setup_answer *answer;
	uint64_t number;
	void *taken;

	(void)fd;
	(void)revents;
	if (!latest_worker_take(c->worker, &taken, &number))
		return;
	answer = taken;
	if (number == c->asked) {
		c->busy = false;
		if (answer) {
			answer_free(c->kept);
			c->kept = answer;
			c->answer = c->last = &answer->check;
			c->error = ptui_error_is_set(&answer->error) ? &answer->error : NULL;
			answer = NULL;
		}
	}
	answer_free(answer);
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
	answer_free(c->kept);
	free(c);
}

void setup_checker_again(struct setup_checker *c, struct ptui_record_line *line)
{
	c->asked = latest_worker_submit(c->worker, line);
}

void setup_checker_ask(struct setup_checker *c, struct ptui_record_line *line)
{
	setup_checker_again(c, line);
	c->answer = NULL;
	c->error = NULL;
	c->busy = line != NULL;
}
