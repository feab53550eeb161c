/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counting thread: settles, opens and closes, reads, publishes, sleeps. */
#include <errno.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/thread.h"
#include "base/wake.h"
#include "session/count/count.h"

/* ---- closing in the background ---- */

/* With the lock held. */
static struct count_set *next_gone(struct ptui_count *c)
{
	struct count_set *set = c->gone;

	if (set)
		c->gone = set->next_gone;
	return set;
}

static void *closer_main(void *arg)
{
	struct ptui_count *c = arg;
	struct count_set *set;

	pthread_mutex_lock(&c->lock);
	while ((set = next_gone(c))) {
		pthread_mutex_unlock(&c->lock);
		count_set_free(set);
		pthread_mutex_lock(&c->lock);
	}
	c->closing = false;
	pthread_cond_broadcast(&c->news);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* With the lock held. If no thread can be started, closes in this one. */
static void start_closer(struct ptui_count *c)
{
	if (c->closing || !c->gone)
		return;
	c->closing = true;
	if (!thread_start(NULL, closer_main, c))
		return;
	pthread_mutex_unlock(&c->lock);
	closer_main(c);
	pthread_mutex_lock(&c->lock);
}

/* ---- from wishes to open sets ---- */

/* With the lock held. */
static void drop_unwished(struct ptui_count *c, const struct count_wishes *wishes)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n_sets; i++) {
		struct count_set *set = c->sets[i];
		const struct count_wish *wish = count_find_wish(wishes, set->wish.text,
								set->wish.filter);

		if (wish) {
			set->wish.marked = wish->marked;
			c->sets[kept++] = set;
		} else {
			set->next_gone = c->gone;
			c->gone = set;
		}
	}
	c->n_sets = kept;
	start_closer(c);
}

/* c->sets has room for it. */
static void open_new(struct ptui_count *c, const struct count_wish *wish)
{
	struct count_set *set = count_set_open(c->ops, c->catalog, wish, c->pids, c->n_pids);

	if (!set)
		return;
	/* starts the first interval */
	count_set_read(set, c->ops->clock_ns(c->ops->ctx), &c->lock);
	pthread_mutex_lock(&c->lock);
	c->sets[c->n_sets++] = set;
	pthread_mutex_unlock(&c->lock);
}

static bool is_forbidden(const struct count_set *set)
{
	int code = set->why.domain == PTUI_ERROR_SYSTEM ? set->why.code : 0;

	return set->refused && (code == EACCES || code == EPERM || code == ENOSYS || code == ESRCH);
}

/* With the lock held. If any event could be opened, the target can be counted. */
static void note_refusal(struct ptui_count *c)
{
	const struct count_set *forbidden = NULL;
	bool counts = false;

	for (size_t i = 0; i < c->n_sets; i++) {
		counts |= c->sets[i]->open;
		if (!forbidden && is_forbidden(c->sets[i]))
			forbidden = c->sets[i];
	}
	if (c->n_sets)
		c->refused = forbidden && !counts;
	if (c->refused && forbidden)
		c->why = forbidden->why;
}

static bool is_stopped(struct ptui_count *c)
{
	bool stop;

	pthread_mutex_lock(&c->lock);
	stop = c->stop;
	pthread_mutex_unlock(&c->lock);
	return stop;
}

static void try_fit(struct ptui_count *c, const struct count_wishes *wishes, uint64_t marked)
{
	struct count_fit fit, old = { 0 };

	if (marked == c->fitted)
		return;
	if (count_fit_make(c->ops, c->catalog, wishes, &fit))
		fit.shown.state = PTUI_FIT_UNKNOWN;
	pthread_mutex_lock(&c->lock);
	if (marked == c->marked) {
		c->fitted = marked;
		old = c->fit;
		fit.shown.generation = old.shown.generation + 1;
		c->fit = fit;
	} else {
		/* superseded: tried again for the new marks */
		old = fit;
	}
	pthread_mutex_unlock(&c->lock);
	free(old.proposal);
}

/* Without memory `applied` stays as it was, and it is tried again later. */
static void open_wished(struct ptui_count *c, const struct count_wishes *wishes, uint64_t wished,
			uint64_t marked)
{
	struct count_set **grown;

	pthread_mutex_lock(&c->lock);
	drop_unwished(c, wishes);
	grown = reallocarray(c->sets, c->n_sets + wishes->n + 1, sizeof(*grown));
	if (grown)
		c->sets = grown;
	pthread_mutex_unlock(&c->lock);
	if (!c->catalog)
		c->catalog = catalog_new(&c->ops->roots);
	if (!grown || !c->catalog)
		return;
	for (size_t i = 0; i < wishes->n && !is_stopped(c); i++)
		if (!count_find_set(c, wishes->v[i].text, wishes->v[i].filter))
			open_new(c, &wishes->v[i]);
	if (!is_stopped(c))
		try_fit(c, wishes, marked);
	pthread_mutex_lock(&c->lock);
	note_refusal(c);
	c->applied = wished;
	pthread_mutex_unlock(&c->lock);
}

/* Called and returns with the lock held. */
static void apply_wishes(struct ptui_count *c)
{
	struct count_wishes wishes = { 0 };
	uint64_t wished = c->wished, marked = c->marked;
	int failed = count_wishes_copy(&wishes, c->wishes.v, c->wishes.n);

	pthread_mutex_unlock(&c->lock);
	if (!failed)
		open_wished(c, &wishes, wished, marked);
	count_wishes_release(&wishes);
	wake_set(c->wake_fd);
	pthread_mutex_lock(&c->lock);
	if (c->applied != wished)
		c->wished_ns = clock_monotonic_ns();
}

static void close_all(struct ptui_count *c)
{
	struct count_wishes none = { 0 };

	drop_unwished(c, &none);
	c->applied = 0;
}

static void read_all(struct ptui_count *c)
{
	uint64_t now_ns = c->ops->clock_ns(c->ops->ctx);

	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; i < c->n_sets; i++)
		count_set_read(c->sets[i], now_ns, &c->lock);
	wake_set(c->wake_fd);
	pthread_mutex_lock(&c->lock);
	c->unseen++;
}

/* ---- scheduling ---- */

/* Sleeps until `until_ns` (0: no limit) or until it is woken. */
static void sleep_until(struct ptui_count *c, uint64_t until_ns)
{
	if (until_ns)
		thread_cond_wait_until(&c->news, &c->lock, until_ns);
	else
		pthread_cond_wait(&c->news, &c->lock);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

/* Does one thing that is due, or sleeps. */
static void count_step(struct ptui_count *c, uint64_t *next_read_ns)
{
	uint64_t now_ns = clock_monotonic_ns(), due_ns = 0,
		 settled_ns = c->wished_ns + c->settle_ns;

	if (c->unseen >= COUNT_UNSEEN_MAX) {
		if (c->n_sets)
			close_all(c);
		else
			sleep_until(c, 0);
		return;
	}
	if (c->applied != c->wished) {
		if (now_ns >= settled_ns) {
			apply_wishes(c);
			*next_read_ns = clock_monotonic_ns() + c->refresh_ns;
			return;
		}
		due_ns = settled_ns;
	}
	if (c->n_sets) {
		if (now_ns >= *next_read_ns) {
			read_all(c);
			*next_read_ns = now_ns + c->refresh_ns;
			return;
		}
		due_ns = earlier(due_ns, *next_read_ns);
	}
	sleep_until(c, due_ns);
}

static void *count_main(void *arg)
{
	struct ptui_count *c = arg;
	uint64_t next_read_ns = 0;

	pthread_mutex_lock(&c->lock);
	while (!c->stop)
		count_step(c, &next_read_ns);
	close_all(c);
	while (c->closing)
		pthread_cond_wait(&c->news, &c->lock);
	pthread_mutex_unlock(&c->lock);
	free(c->sets);
	free(c->fit.proposal);
	catalog_free(c->catalog);
	count_release(c);
	return NULL;
}

int count_thread_start(struct ptui_count *c, struct ptui_error *err)
{
	int ret = thread_start(&c->thread, count_main, c);

	if (ret)
		return ptui_error_errno(err, -ret, "thread", _("cannot start the counting thread"));
	return 0;
}
