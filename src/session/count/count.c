/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting events for display: the front end's side. */
#include "session/count/count.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/thread.h"
#include "base/wake.h"

#define DEFAULT_REFRESH_MS 500
#define MIN_REFRESH_MS	   10
#define DEFAULT_SETTLE_MS  150

/* ---- wishes ---- */

bool count_is_same(const struct count_wish *a, const char *text, const char *filter)
{
	if (strcmp(a->text, text))
		return false;
	return a->filter && filter ? !strcmp(a->filter, filter) : a->filter == filter;
}

struct count_wish *count_find_wish(const struct count_wishes *w, const char *text,
				   const char *filter)
{
	for (size_t i = 0; i < w->n; i++)
		if (count_is_same(&w->v[i], text, filter))
			return &w->v[i];
	return NULL;
}

static int add_wish(struct count_wishes *w, const char *text, const char *filter, bool marked)
{
	struct count_wish *same = count_find_wish(w, text, filter), *new = &w->v[w->n];

	if (same) {
		same->marked |= marked;
		return 0;
	}
	*new = (struct count_wish){ .text = strdup(text), .marked = marked };
	w->n++;
	if (new->text && filter)
		new->filter = strdup(filter);
	return new->text && (new->filter || !filter) ? 0 : -ENOMEM;
}

int count_wishes_copy(struct count_wishes *ret, const struct count_wish *from, size_t n)
{
	int failed = 0;

	ret->n = 0;
	ret->v = calloc(n + 1, sizeof(*ret->v));
	if (!ret->v)
		return -ENOMEM;
	for (size_t i = 0; i < n && !failed; i++)
		failed = add_wish(ret, from[i].text, from[i].filter, from[i].marked);
	return failed;
}

void count_wishes_release(struct count_wishes *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->v[i].text);
		free(w->v[i].filter);
	}
	free(w->v);
	memset(w, 0, sizeof(*w));
}

/* ---- lifetime ---- */

void count_release(struct ptui_count *c)
{
	count_wishes_release(&c->wishes);
	if (c->wake_fd >= 0)
		close(c->wake_fd);
	free(c->pids);
	pthread_cond_destroy(&c->news);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static int set_opts(struct ptui_count *c, const struct ptui_count_opts *o)
{
	unsigned refresh_ms = o->refresh_ms ? o->refresh_ms : DEFAULT_REFRESH_MS;

	if (refresh_ms < MIN_REFRESH_MS)
		refresh_ms = MIN_REFRESH_MS;
	c->refresh_ns = (uint64_t)refresh_ms * 1000000;
	c->settle_ns = (uint64_t)(o->settle_ms ? o->settle_ms : DEFAULT_SETTLE_MS) * 1000000;
	if (!o->n_pids)
		return 0;
	c->pids = calloc(o->n_pids, sizeof(*c->pids));
	if (!c->pids)
		return -ENOMEM;
	memcpy(c->pids, o->pids, o->n_pids * sizeof(*c->pids));
	c->n_pids = o->n_pids;
	return 0;
}

struct ptui_count *count_new(const struct ptui_count_opts *opts, const struct kernel_ops *ops,
			     struct ptui_error *err)
{
	struct ptui_count *c = calloc(1, sizeof(*c));

	if (!c) {
		ptui_error_nomem(err);
		return NULL;
	}
	c->ops = ops;
	thread_cond_init(&c->news);
	pthread_mutex_init(&c->lock, NULL);
	c->wake_fd = wake_open(err);
	if (c->wake_fd >= 0) {
		if (set_opts(c, opts))
			ptui_error_nomem(err);
		else if (!count_thread_start(c, err))
			return c;
	}
	count_release(c);
	return NULL;
}

struct ptui_count *ptui_count_new(const struct ptui_count_opts *opts, struct ptui_error *err)
{
	return count_new(opts, kernel_ops_real(), err);
}

/* Stops the thread, which frees everything when it ends. */
static void stop_thread(struct ptui_count *c, bool wait)
{
	pthread_t thread = c->thread;

	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_signal(&c->news);
	pthread_mutex_unlock(&c->lock);
	if (wait)
		pthread_join(thread, NULL);
	else
		pthread_detach(thread);
}

void ptui_count_free(struct ptui_count *c)
{
	if (c)
		stop_thread(c, false);
}

void count_end(struct ptui_count *c)
{
	if (c)
		stop_thread(c, true);
}

/* ---- setting the wishes ---- */

static bool same_marks(const struct count_wishes *a, const struct count_wishes *b)
{
	size_t i = 0, k = 0;

	for (;; i++, k++) {
		while (i < a->n && !a->v[i].marked)
			i++;
		while (k < b->n && !b->v[k].marked)
			k++;
		if (i == a->n || k == b->n)
			return i == a->n && k == b->n;
		if (!count_is_same(&a->v[i], b->v[k].text, b->v[k].filter))
			return false;
	}
}

static bool same_wishes(const struct count_wishes *a, const struct count_wishes *b)
{
	bool same = a->n == b->n && same_marks(a, b);

	for (size_t i = 0; i < a->n && same; i++)
		same = count_find_wish(b, a->v[i].text, a->v[i].filter);
	return same;
}

int ptui_count_set(struct ptui_count *c, const struct ptui_count_wish *wishes, size_t n)
{
	struct count_wishes new = { 0 }, old;
	int failed = 0;

	new.v = calloc(n + 1, sizeof(*new.v));
	if (!new.v)
		return -ENOMEM;
	for (size_t i = 0; i < n && !failed; i++)
		failed = add_wish(&new, wishes[i].text, wishes[i].filter, wishes[i].marked);
	if (failed || same_wishes(&new, &c->wishes)) {
		count_wishes_release(&new);
		return failed;
	}
	pthread_mutex_lock(&c->lock);
	/* the last result is about other events: do not show it with these */
	if (!same_marks(&new, &c->wishes)) {
		c->fit.shown.state = PTUI_FIT_UNKNOWN;
		c->marked++;
	}
	old = c->wishes;
	c->wishes = new;
	c->wished++;
	c->wished_ns = clock_monotonic_ns();
	c->unseen = 0;
	pthread_cond_signal(&c->news);
	pthread_mutex_unlock(&c->lock);
	count_wishes_release(&old);
	return 0;
}

int ptui_count_wake_fd(const struct ptui_count *c)
{
	return c->wake_fd;
}

void ptui_count_ack(struct ptui_count *c)
{
	wake_clear(c->wake_fd);
	pthread_mutex_lock(&c->lock);
	if (c->unseen >= COUNT_UNSEEN_MAX)
		pthread_cond_signal(&c->news);
	c->unseen = 0;
	pthread_mutex_unlock(&c->lock);
}

/* ---- results ---- */

static struct ptui_count *lock_count(const struct ptui_count *c)
{
	struct ptui_count *mine = (struct ptui_count *)c;

	pthread_mutex_lock(&mine->lock);
	return mine;
}

const struct count_set *count_find_set(const struct ptui_count *c, const char *text,
				       const char *filter)
{
	for (size_t i = 0; i < c->n_sets; i++)
		if (count_is_same(&c->sets[i]->wish, text, filter))
			return c->sets[i];
	return NULL;
}

size_t ptui_count_n_events(const struct ptui_count *c, const char *text, const char *filter)
{
	struct ptui_count *mine = lock_count(c);
	const struct count_set *set = count_find_set(mine, text, filter);
	size_t n = set ? set->n : 0;

	pthread_mutex_unlock(&mine->lock);
	return n;
}

static void unroll_history(const struct count_event *e, struct ptui_count_event *ret)
{
	*ret = e->shown;
	for (size_t i = 0; i < ret->n_history; i++)
		ret->history[i] = e->history[(e->next + PTUI_COUNT_HISTORY - ret->n_history + i) %
					     PTUI_COUNT_HISTORY];
}

bool ptui_count_get(const struct ptui_count *c, const char *text, const char *filter, size_t i,
		    struct ptui_count_event *ret)
{
	struct ptui_count *mine = lock_count(c);
	const struct count_set *set = count_find_set(mine, text, filter);
	bool found = set && i < set->n;

	if (found) {
		unroll_history(&set->v[i], ret);
	} else {
		memset(ret, 0, sizeof(*ret));
		snprintf(ret->name, sizeof(ret->name), "%s", text);
		ret->rate = NAN;
		ret->running_share = 1;
		ret->state = set && set->refused ? PTUI_COUNT_NOT_SUPPORTED : PTUI_COUNT_UNTRIED;
	}
	pthread_mutex_unlock(&mine->lock);
	return found;
}

bool ptui_count_refused(const struct ptui_count *c, struct ptui_error *ret)
{
	struct ptui_count *mine = lock_count(c);
	bool refused = mine->refused;

	if (refused && ret)
		*ret = mine->why;
	pthread_mutex_unlock(&mine->lock);
	return refused;
}

/* The least running share of the marked events that are open now. */
static double measured_share(const struct ptui_count *c)
{
	double least = NAN;

	for (size_t i = 0; i < c->n_sets; i++) {
		const struct count_set *set = c->sets[i];

		for (size_t k = 0; k < set->n && set->wish.marked; k++) {
			const struct ptui_count_event *e = &set->v[k].shown;

			if (e->generation > 1 && (isnan(least) || e->running_share < least))
				least = e->running_share;
		}
	}
	return least;
}

void ptui_count_get_fit(const struct ptui_count *c, struct ptui_count_fit *ret)
{
	struct ptui_count *mine = lock_count(c);

	*ret = mine->fit.shown;
	ret->measured_share = ret->state == PTUI_FIT_UNKNOWN ? NAN : measured_share(mine);
	pthread_mutex_unlock(&mine->lock);
}

char *ptui_count_proposal(const struct ptui_count *c)
{
	struct ptui_count *mine = lock_count(c);
	char *copy = NULL;

	if (mine->fit.proposal && mine->fit.shown.state != PTUI_FIT_UNKNOWN)
		copy = strdup(mine->fit.proposal);
	pthread_mutex_unlock(&mine->lock);
	return copy;
}
