/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/setup/setup_checker.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/wake.h"
#include "text/i18n.h"

struct setup_checker {
	struct loop *loop;
	setup_check_fn check;
	void (*done)(void *ctx);
	void *ctx;
	unsigned watch;
	int wake_fd;
	/* the loop's thread alone */
	struct ptui_check answer;
	struct ptui_error error;
	bool answered, ever, busy;
	uint64_t asked; /* the number of the last question */
	/* both threads, under the lock */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct setup_opts *question;
	uint64_t question_number;
	struct ptui_check fresh;
	struct ptui_error fresh_error;
	uint64_t fresh_number; /* 0: nothing fresh */
	bool ends;
};

/* ---- the thread ---- */

static void answer_one(struct setup_checker *c, struct setup_opts *question, uint64_t number)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_check answer;

	c->check(&question->opts, &answer, &err);
	setup_opts_free(question);
	pthread_mutex_lock(&c->lock);
	if (c->fresh_number)
		ptui_check_release(&c->fresh);
	c->fresh = answer;
	c->fresh_error = err;
	c->fresh_number = number;
	pthread_mutex_unlock(&c->lock);
	wake_set(c->wake_fd);
}

static void *run(void *ctx)
{
	struct setup_checker *c = ctx;
	struct setup_opts *question;
	uint64_t number;

	for (;;) {
		pthread_mutex_lock(&c->lock);
		while (!c->question && !c->ends)
			pthread_cond_wait(&c->changed, &c->lock);
		question = c->ends ? NULL : c->question;
		number = c->question_number;
		if (question)
			c->question = NULL;
		pthread_mutex_unlock(&c->lock);
		if (!question)
			return NULL;
		answer_one(c, question, number);
	}
}

/* ---- the loop's thread ---- */

static void collect(void *ctx, int fd, short revents)
{
	struct setup_checker *c = ctx;

	(void)revents;
	wake_clear(fd);
	pthread_mutex_lock(&c->lock);
	if (c->fresh_number && c->fresh_number == c->asked) {
		ptui_check_release(&c->answer);
		c->answer = c->fresh;
		c->error = c->fresh_error;
		c->answered = c->ever = true;
		c->busy = false;
		c->fresh_number = 0;
	} else if (c->fresh_number) {
		ptui_check_release(&c->fresh);
		c->fresh_number = 0;
	}
	pthread_mutex_unlock(&c->lock);
	c->done(c->ctx);
}

struct setup_checker *setup_checker_new(struct loop *loop, setup_check_fn check,
					void (*done)(void *ctx), void *ctx, struct ptui_error *err)
{
	struct setup_checker *c = calloc(1, sizeof(*c));
	int ret;

	if (!c) {
		ptui_error_nomem(err);
		return NULL;
	}
	c->loop = loop;
	c->check = check;
	c->done = done;
	c->ctx = ctx;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	c->wake_fd = wake_open(NULL);
	ret = c->wake_fd < 0 ? c->wake_fd : thread_start(&c->thread, run, c);
	if (!ret) {
		c->watch = loop_watch(loop, c->wake_fd, POLLIN, collect, c);
		if (c->watch)
			return c;
		setup_checker_free(c);
		ptui_error_nomem(err);
		return NULL;
	}
	ptui_error_errno(err, -ret, NULL, _("cannot start the recording check"));
	if (c->wake_fd >= 0)
		close(c->wake_fd);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c);
	return NULL;
}

void setup_checker_free(struct setup_checker *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->ends = true;
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
	pthread_join(c->thread, NULL);
	loop_remove(c->loop, c->watch);
	close(c->wake_fd);
	setup_opts_free(c->question);
	if (c->fresh_number)
		ptui_check_release(&c->fresh);
	ptui_check_release(&c->answer);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void setup_checker_again(struct setup_checker *c, struct setup_opts *opts)
{
	pthread_mutex_lock(&c->lock);
	setup_opts_free(c->question);
	c->question = opts;
	c->question_number = ++c->asked;
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

void setup_checker_ask(struct setup_checker *c, struct setup_opts *opts)
{
	setup_checker_again(c, opts);
	c->answered = false;
	c->busy = opts != NULL;
}

const struct ptui_check *setup_checker_answer(const struct setup_checker *c)
{
	return c->answered ? &c->answer : NULL;
}

const struct ptui_check *setup_checker_last(const struct setup_checker *c)
{
	return c->ever ? &c->answer : NULL;
}

const struct ptui_error *setup_checker_error(const struct setup_checker *c)
{
	return c->answered && ptui_error_is_set(&c->error) ? &c->error : NULL;
}

bool setup_checker_busy(const struct setup_checker *c)
{
	return c->busy;
}
