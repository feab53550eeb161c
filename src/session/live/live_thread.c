/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The session's thread: builds, counts, publishes. */
#include <errno.h>
#include <stdlib.h>
#include "base/clock.h"
#include "base/i18n.h"
#include "base/thread.h"
#include "base/wake.h"
#include "session/live/live.h"

#define READ_SHARE   200 /* reading the counters takes at most 1/200 of the time */
#define MIN_SHARE_NS 10000000
#define FIRST_NS     200000000 /* delay of the first refresh */

/* ---- counts ---- */

static void show_count(struct ptui_live_event *e, const struct counter_sum *c, uint64_t passed_ns)
{
	double before = (double)e->scaled;
	uint64_t running_before_ns = e->running_ns;

	e->count = c->value;
	e->scaled = c->scaled;
	e->enabled_ns = c->enabled_ns;
	e->running_ns = c->running_ns;
	e->lost = c->lost;
	e->state = c->n_failed	 ? PTUI_LIVE_ERROR :
		   c->running_ns ? PTUI_LIVE_COUNTING :
				   PTUI_LIVE_NOT_COUNTED;
	e->running_share = 1;
	if (c->enabled_ns > c->running_ns)
		e->running_share = (double)c->running_ns / (double)c->enabled_ns;
	e->rate = e->running_rate = 0;
	if (passed_ns && c->running_ns > running_before_ns)
		e->running_rate = (double)(c->running_ns - running_before_ns) / (double)passed_ns;
	if (passed_ns && (double)c->scaled > before)
		e->rate = ((double)c->scaled - before) * 1e9 / (double)passed_ns;
}

/* If the leader of a group is in its error state, the members do not count either. */
static void follow_leader(struct ptui_live *l, struct live_event *e)
{
	for (size_t i = 0; i < l->n_events && e->leader != e->index; i++)
		if (l->events[i].index == e->leader && l->events[i].shown.state == PTUI_LIVE_ERROR)
			e->shown.state = PTUI_LIVE_ERROR;
}

/* Reading takes a system call per counter and may interrupt CPUs: many are read less often. */
static void read_counters(struct ptui_live *l, uint64_t now_ns)
{
	uint64_t passed_ns = now_ns - l->read_ns, took_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
	struct counter_sum count;

	if (!l->recording) {
		pthread_mutex_lock(&l->lock);
		live_pipe_count(l, passed_ns);
		pthread_mutex_unlock(&l->lock);
		l->read_ns = now_ns;
		return;
	}
	for (size_t i = 0; i < l->n_events; i++) {
		struct live_event *e = &l->events[i];

		if (e->shown.state == PTUI_LIVE_NOT_SUPPORTED)
			continue;
		recording_count(l->recording, e->index, &count);
		pthread_mutex_lock(&l->lock);
		show_count(&e->shown, &count, passed_ns);
		follow_leader(l, e);
		pthread_mutex_unlock(&l->lock);
	}
	took_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - took_ns;
	l->read_ns = now_ns;
	l->next_read_ns = now_ns + took_ns * READ_SHARE;
}

static void measure_cost(struct ptui_live *l, uint64_t now_ns)
{
	uint64_t own_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID), both_ns;
	struct recording_cost cost = { 0 };

	if (now_ns - l->cost_read_ns < MIN_SHARE_NS) /* the end may follow a refresh closely */
		return;
	if (l->recording)
		recording_cost(l->recording, &cost);
	both_ns = own_ns + cost.cpu_ns;
	pthread_mutex_lock(&l->lock);
	l->session_cpu_ns = own_ns;
	l->cpu_share = (double)(both_ns - l->cost_cpu_ns) / (double)(now_ns - l->cost_read_ns);
	pthread_mutex_unlock(&l->lock);
	l->cost_read_ns = now_ns;
	l->cost_cpu_ns = both_ns;
}

/* ---- the profile ---- */

/* Running out of memory ends the live profile, not the recording. */
static void build_blocks(struct ptui_live *l, struct live_block *blocks,
			 const struct live_news *news)
{
	if (news->idle && !l->build_result)
		l->build_result = live_build_idle(&l->build);
	while (blocks) {
		struct live_block *next = blocks->next;

		if (l->build_result)
			free(blocks);
		else
			l->build_result = live_build_block(&l->build, blocks);
		blocks = next;
	}
	if (news->ended && !l->build_result)
		l->build_result = live_build_end(&l->build);
}

static void live_publish(struct ptui_live *l, bool last)
{
	struct ptui_profile *p, *old;

	p = l->build_result ? NULL : live_build_publish(&l->build);
	if (p && last && !l->recording && live_pipe_complete(l, p)) {
		ptui_profile_unref(p);
		p = NULL;
	}
	if (!p) {
		l->build_result = -ENOMEM;
		return;
	}
	pthread_mutex_lock(&l->lock);
	old = l->profile;
	l->profile = p;
	l->info.generation++;
	l->info.left = l->build.builder.store.dropped;
	l->info.first_ns = p->samples.n ? p->samples.time_ns[0] : 0;
	l->info.last_ns = p->samples.n ? p->samples.time_ns[p->samples.n - 1] : 0;
	l->info.seen_ns = l->build.seen_ns;
	l->info.taken = l->build.all_taken;
	l->info.kernel_taken = l->build.kernel_taken;
	l->info.exact_taken = l->build.exact_taken;
	for (size_t i = 0; i < l->n_events; i++)
		if (l->events[i].shown.state != PTUI_LIVE_NOT_SUPPORTED && l->recording)
			l->events[i].shown.samples = l->build.taken[l->events[i].index];
	pthread_mutex_unlock(&l->lock);
	ptui_profile_unref(old);
	l->build_result = builder_compact(&l->build.builder);
}

static void live_refresh(struct ptui_live *l, bool ended)
{
	uint64_t now_ns = clock_monotonic_ns();

	/* without new samples the last profile is still right */
	if (builder_has_news(&l->build.builder) || ended || !l->info.generation)
		live_publish(l, ended);
	if (ended || now_ns >= l->next_read_ns)
		read_counters(l, now_ns);
	measure_cost(l, now_ns);
}

static void live_end(struct ptui_live *l)
{
	pthread_mutex_lock(&l->lock);
	if (l->state == PTUI_LIVE_PAUSED)
		l->paused_ns += l->ended_ns - l->paused_since_ns;
	l->state = l->recorder_result || l->build_result || l->pipe.result ? PTUI_LIVE_FAILED :
									     PTUI_LIVE_ENDED;
	pthread_mutex_unlock(&l->lock);
}

/* Takes what comes until `next_ns`. True: it was the last. */
static bool live_take(struct ptui_live *l, uint64_t next_ns)
{
	struct live_news news = { 0 };
	struct live_block *blocks;

	if (!l->recording)
		return live_pipe_read(l, next_ns) != 0;
	blocks = live_queue_take(&l->queue, next_ns, &news);
	build_blocks(l, blocks, &news);
	return news.ended;
}

static void *live_main(void *arg)
{
	struct ptui_live *l = arg;
	uint64_t refresh_ns = (uint64_t)l->refresh_ms * 1000000, next_ns;
	bool ended = false;

	pthread_setname_np(pthread_self(), "ptui-session");
	l->cost_read_ns = clock_monotonic_ns();
	/* rates start here: the counters were on before */
	l->read_ns = l->cost_read_ns;
	read_counters(l, l->read_ns);
	next_ns = l->read_ns + (refresh_ns < FIRST_NS ? refresh_ns : FIRST_NS);
	while (!ended) {
		ended = live_take(l, next_ns);
		if (!ended && clock_monotonic_ns() < next_ns)
			continue;
		live_refresh(l, ended);
		next_ns = clock_monotonic_ns() + (uint64_t)l->refresh_ms * 1000000;
		if (ended)
			live_end(l);
		wake_set(l->wake_fd);
	}
	return NULL;
}

int live_thread_start(struct ptui_live *l, struct ptui_error *err)
{
	int ret = thread_start(&l->thread, live_main, l);

	if (ret)
		return ptui_error_errno(err, -ret, "thread",
					_("cannot start the session's thread"));
	l->joinable = true;
	return 0;
}
