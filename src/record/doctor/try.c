/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/thread.h"
#include "base/vec.h"
#include "event/attr.h"
#include "event/catalog.h"
#include "event/selector/selector.h"
#include "kernel/cpus.h"
#include "kernel/diagnose.h"
#include "kernel/event_open.h"
#include "record/doctor/try.h"

/* Result for one event text. */
struct tried {
	char *event;
	int ret;
	struct ptui_error *why; /* NULL: it opens */
};

struct tries {
	const struct kernel_ops *ops;
	/* serializes attempts and access to the catalog; taken before `lock` */
	pthread_mutex_t trying;
	struct catalog *catalog;
	pthread_mutex_t lock; /* of the rest; held briefly only */
	struct tried *v;
	size_t n, cap;
	struct index_table by_event;
	size_t n_closing; /* counters being closed by threads */
	pthread_cond_t closed;
};

/* ---- closing ---- */

struct closing {
	struct tries *tries;
	int fd;
};

static void *close_main(void *arg)
{
	struct closing *c = arg;
	struct tries *t = c->tries;

	t->ops->close(t->ops->ctx, c->fd);
	free(c);
	pthread_mutex_lock(&t->lock);
	if (!--t->n_closing)
		pthread_cond_broadcast(&t->closed);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

static bool close_aside(struct tries *t, int fd)
{
	struct closing *c = malloc(sizeof(*c));

	if (!c)
		return false;
	*c = (struct closing){ t, fd };
	pthread_mutex_lock(&t->lock);
	t->n_closing++;
	pthread_mutex_unlock(&t->lock);
	if (!thread_start(NULL, close_main, c))
		return true;
	pthread_mutex_lock(&t->lock);
	t->n_closing--;
	pthread_mutex_unlock(&t->lock);
	free(c);
	return false;
}

/* ---- opening ---- */

/* Opens it on this thread, or on a CPU if the PMU does not support tasks. */
static int open_once(struct tries *t, struct event *ev, pid_t tid, int cpu)
{
	const struct event_open how = { .ops = t->ops,
					.tid = tid,
					.cpu = cpu,
					.group_fd = -1,
					.fallbacks = FALLBACK_ALL & ~FALLBACK_CLOCK };
	int fd = event_open(&how, ev, NULL);

	if (fd < 0)
		return fd;
	if (ev->attr.type != PERF_TYPE_TRACEPOINT || !close_aside(t, fd))
		t->ops->close(t->ops->ctx, fd);
	return 0;
}

static int try_one(struct tries *t, struct event *ev, struct ptui_error *why)
{
	struct event shown;
	pid_t tid = 0;
	int cpu = -1, ret;
	char asked[256];

	snprintf(asked, sizeof(asked), "%s", ev->name);
	ev->attr.disabled = 1;
	ev->attr.size = attr_size_min(&ev->attr);
	ret = open_once(t, ev, tid, cpu);
	if (ret == -EINVAL && ev->cpus) {
		tid = -1;
		cpu = cpus_list_pick(ev->cpus, 0);
		ret = open_once(t, ev, tid, cpu);
	}
	if (!ret)
		return 0;
	shown = *ev;
	shown.name = asked;
	return diagnose_open(t->ops, &shown, tid, cpu, -ret, 1, why);
}

/* Requires `trying`. */
static int try_text(struct tries *t, const char *event, struct ptui_error *why)
{
	struct event_list list;
	int ret;

	event_list_init(&list);
	if (!t->catalog)
		t->catalog = catalog_new(&t->ops->roots);
	ret = t->catalog ? selector_parse(t->catalog, event, &list, why) : ptui_error_nomem(why);
	for (size_t i = 0; !ret && i < list.n; i++)
		ret = try_one(t, &list.v[i], why);
	event_list_release(&list);
	return ret;
}

/* ---- cache of results ---- */

static bool is_same(const void *owner, uint32_t index, const void *key)
{
	return !strcmp(((const struct tries *)owner)->v[index].event, key);
}

/* False: not tried yet. */
static bool tries_find(struct tries *t, const char *event, int *ret, struct ptui_error *why)
{
	uint32_t i;

	pthread_mutex_lock(&t->lock);
	i = index_table_find(&t->by_event, hash_bytes(event, strlen(event)), is_same, t, event);
	if (i != PTUI_NONE) {
		*ret = t->v[i].ret;
		if (why && t->v[i].why)
			*why = *t->v[i].why;
	}
	pthread_mutex_unlock(&t->lock);
	return i != PTUI_NONE;
}

/* Out of memory: the event is tried again next time. */
static void tries_add(struct tries *t, const char *event, int ret, const struct ptui_error *why)
{
	struct tried tried = { .event = strdup(event), .ret = ret };

	if (ret) {
		tried.why = malloc(sizeof(*tried.why));
		if (tried.why)
			*tried.why = *why;
	}
	pthread_mutex_lock(&t->lock);
	if (tried.event && (!ret || tried.why) && !vec_grow(&t->v, &t->cap, t->n + 1) &&
	    !index_table_add(&t->by_event, hash_bytes(event, strlen(event)), (uint32_t)t->n)) {
		t->v[t->n++] = tried;
		tried = (struct tried){ NULL, 0, NULL };
	}
	pthread_mutex_unlock(&t->lock);
	free(tried.event);
	free(tried.why);
}

int tries_event(struct tries *t, const char *event, struct ptui_error *why)
{
	struct ptui_error error = PTUI_ERROR_INIT;
	int ret;

	if (tries_find(t, event, &ret, why))
		return ret;
	pthread_mutex_lock(&t->trying);
	if (!tries_find(t, event, &ret, &error)) {
		ret = try_text(t, event, &error);
		if (ret != -ENOMEM)
			tries_add(t, event, ret, &error);
	}
	pthread_mutex_unlock(&t->trying);
	if (ret && why)
		*why = error;
	return ret;
}

/* ---- lifetime ---- */

struct tries *tries_new(const struct kernel_ops *ops)
{
	struct tries *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->ops = ops;
	index_table_init(&t->by_event);
	pthread_mutex_init(&t->trying, NULL);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->closed, NULL);
	return t;
}

void tries_free(struct tries *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	while (t->n_closing)
		pthread_cond_wait(&t->closed, &t->lock);
	pthread_mutex_unlock(&t->lock);
	for (size_t i = 0; i < t->n; i++) {
		free(t->v[i].event);
		free(t->v[i].why);
	}
	free(t->v);
	catalog_free(t->catalog);
	index_table_release(&t->by_event);
	pthread_cond_destroy(&t->closed);
	pthread_mutex_destroy(&t->lock);
	pthread_mutex_destroy(&t->trying);
	free(t);
}

/* ---- this machine ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct tries *here; /* lives as long as the process */

static void begin_here(void)
{
	here = tries_new(kernel_ops_real());
}

int ptui_event_try(const char *event, struct ptui_error *why)
{
	pthread_once(&once, begin_here);
	return here ? tries_event(here, event, why) : ptui_error_nomem(why);
}
