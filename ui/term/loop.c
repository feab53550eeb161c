/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "base/wake.h"
#include "term/loop.h"

/* CPU time after which a turn handles no more keys, so that the screen is painted in between. */
#define EVENTS_NS 8000000

/* A timer, or a descriptor that is watched. */
struct source {
	unsigned id;		      /* 0: removed */
	int fd;			      /* -1: a timer */
	uint64_t due_ns, interval_ns; /* interval 0: one-shot */
	loop_fn fn;
	void *ctx;
};

struct loop {
	struct term *term;
	const struct loop_ops *ops;
	void *ctx;
	int wake_fd;
	bool dirty;
	bool part_dirty;  /* no more than parts have changed, if not dirty */
	bool paints_part; /* of the current paint */
	int signal;	  /* that requested the end */
	unsigned last_id;
	struct source *sources;
	size_t n_sources, sources_room;
	struct pollfd *polls; /* wake fd, terminal, one per source */
	size_t polls_room;
	struct loop_stats stats;
};

/* ---- signals: a handler records them and wakes the only loop ---- */

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT, SIGTSTP };
#define N_CAUGHT (sizeof(caught) / sizeof(caught[0]))

static volatile sig_atomic_t signalled_fd = -1;
static volatile sig_atomic_t end_signal, ends_seen, size_changed, continued, stop_wanted;
static struct sigaction caught_before[N_CAUGHT];

static void on_signal(int sig)
{
	int saved_errno = errno;

	switch (sig) {
	case SIGWINCH:
		size_changed = 1;
		break;
	case SIGCONT:
		continued = 1;
		break;
	case SIGTSTP:
		stop_wanted = 1;
		break;
	default:
		/* A second request: do not finish, exit at once. */
		if (ends_seen++ > 0 && sig != SIGHUP) {
			size_t i;

			for (i = 0; i < N_CAUGHT; i++) {
				if (caught[i] == sig)
					sigaction(sig, &caught_before[i], NULL);
			}
			term_emergency();
			raise(sig);
		}
		end_signal = sig;
		break;
	}
	if (signalled_fd >= 0)
		wake_set(signalled_fd);
	errno = saved_errno;
}

static void handle_signals(int fd)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	signalled_fd = fd;
	end_signal = ends_seen = size_changed = continued = stop_wanted = 0;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < N_CAUGHT; i++)
		sigaction(caught[i], &action, &caught_before[i]);
}

/* ---- new, free ---- */

struct loop *loop_new(struct term *term, const struct loop_ops *ops, void *ctx,
		      struct ptui_error *err)
{
	struct loop *l = calloc(1, sizeof(*l));

	if (!l) {
		ptui_error_nomem(err);
		return NULL;
	}
	l->term = term;
	l->ops = ops;
	l->ctx = ctx;
	l->dirty = true;
	l->wake_fd = wake_open(err);
	if (l->wake_fd < 0) {
		loop_free(l);
		return NULL;
	}
	handle_signals(l->wake_fd);
	return l;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	if (l->wake_fd >= 0) {
		for (size_t i = 0; i < N_CAUGHT; i++)
			sigaction(caught[i], &caught_before[i], NULL);
		signalled_fd = -1;
		close(l->wake_fd);
	}
	free(l->sources);
	free(l->polls);
	free(l);
}

int loop_signal(const struct loop *l)
{
	return l->signal;
}

void loop_get_stats(const struct loop *l, struct loop_stats *ret)
{
	*ret = l->stats;
}

void loop_dirty(struct loop *l)
{
	l->dirty = true;
}

void loop_dirty_part(struct loop *l)
{
	l->part_dirty = true;
}

bool loop_paints_part(const struct loop *l)
{
	return l->paints_part;
}

uint64_t loop_now_ns(void)
{
	return clock_monotonic_ns();
}

/* ---- timers and watches ---- */

static unsigned add_source(struct loop *l, struct source source)
{
	/* removed ones stay until loop_tidy() */
	if (vec_grow(&l->sources, &l->sources_room, l->n_sources + 1))
		return 0;
	source.id = ++l->last_id;
	l->sources[l->n_sources++] = source;
	return l->last_id;
}

static unsigned add_timer(struct loop *l, uint64_t due_ns, uint64_t interval_ns, loop_fn fn,
			  void *ctx)
{
	return add_source(l, (struct source){ .fd = -1,
					      .due_ns = loop_now_ns() + due_ns,
					      .interval_ns = interval_ns,
					      .fn = fn,
					      .ctx = ctx });
}

unsigned loop_every(struct loop *l, unsigned interval_ms, loop_fn fn, void *ctx)
{
	uint64_t ns = (interval_ms ? interval_ms : 1) * 1000000ull;

	return add_timer(l, ns, ns, fn, ctx);
}

unsigned loop_after(struct loop *l, unsigned delay_ms, loop_fn fn, void *ctx)
{
	return add_timer(l, delay_ms * 1000000ull, 0, fn, ctx);
}

unsigned loop_watch(struct loop *l, int fd, loop_fn fn, void *ctx)
{
	return add_source(l, (struct source){ .fd = fd, .fn = fn, .ctx = ctx });
}

void loop_remove(struct loop *l, unsigned id)
{
	for (size_t i = 0; i < l->n_sources; i++)
		if (l->sources[i].id == id)
			l->sources[i].id = 0;
}

/* Drops what was removed; between turns, when nothing iterates over it. */
static void loop_tidy(struct loop *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n_sources; i++)
		if (l->sources[i].id)
			l->sources[n++] = l->sources[i];
	l->n_sources = n;
}

static void run_timers(struct loop *l)
{
	uint64_t now = loop_now_ns();

	for (size_t i = 0, n = l->n_sources; i < n; i++) {
		struct source timer = l->sources[i];

		if (!timer.id || timer.fd >= 0 || timer.due_ns > now)
			continue;
		if (timer.interval_ns)
			l->sources[i].due_ns = now + timer.interval_ns;
		else
			l->sources[i].id = 0;
		timer.fn(timer.ctx);
	}
}

/* ---- a turn ---- */

static void finish(struct loop *l, int sig)
{
	l->signal = sig;
	l->ops->finish(l->ctx, sig);
}

static void run_signals(struct loop *l)
{
	if (end_signal) {
		int sig = end_signal;

		end_signal = 0;
		finish(l, sig);
	}
	if (stop_wanted) {
		stop_wanted = 0;
		if (l->term)
			term_suspend(l->term);
		continued = 0;
	}
	if (continued) {
		/* Stopped by SIGSTOP: another program may have used the terminal. */
		continued = 0;
		if (l->term)
			term_resume(l->term);
	}
	if (size_changed) {
		size_changed = 0;
		if (l->term)
			term_check_size(l->term);
	}
}

static void run_events(struct loop *l)
{
	uint64_t until_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) + EVENTS_NS;
	struct term_event e;

	do {
		if (!l->term || term_read(l->term, &e) != 0)
			return;
		if (e.kind == TERM_HANGUP) {
			finish(l, SIGHUP);
			continue;
		}
		if (e.kind == TERM_RESIZE || e.kind == TERM_RESUMED)
			l->dirty = true;
		if (l->ops->event)
			l->ops->event(l->ctx, &e);
	} while (clock_read_ns(CLOCK_THREAD_CPUTIME_ID) < until_ns);
	wake_set(l->wake_fd);
}

static bool loop_has_changes(const struct loop *l)
{
	return l->dirty || l->part_dirty;
}

static void paint(struct loop *l)
{
	if (!loop_has_changes(l))
		return;
	/* If the terminal has not taken the last frame yet, the newest follows it. */
	if (l->term && term_wants_write(l->term))
		return;
	l->paints_part = !l->dirty;
	l->dirty = l->part_dirty = false;
	if (l->ops->paint)
		l->ops->paint(l->ctx);
	if (l->term)
		term_paint(l->term);
	l->stats.paints++;
}

static int wait_ms(const struct loop *l, int max_ms)
{
	uint64_t now = loop_now_ns(), due = UINT64_MAX;

	if (loop_has_changes(l) && !(l->term && term_wants_write(l->term)))
		return 0;
	for (size_t i = 0; i < l->n_sources; i++)
		if (l->sources[i].id && l->sources[i].fd < 0 && l->sources[i].due_ns < due)
			due = l->sources[i].due_ns;
	if (due != UINT64_MAX) {
		uint64_t left = due > now ? (due - now + 999999) / 1000000 : 0;

		if (max_ms < 0 || left < (uint64_t)max_ms)
			max_ms = left > 1000000 ? 1000000 : (int)left;
	}
	return max_ms;
}

/* Allocates the entries. 0 or -ENOMEM. */
static int fill_polls(struct loop *l)
{
	if (vec_grow(&l->polls, &l->polls_room, l->n_sources + 2))
		return -ENOMEM;
	l->polls[0] = (struct pollfd){ .fd = l->wake_fd, .events = POLLIN };
	l->polls[1] = (struct pollfd){ .fd = -1 };
	if (l->term) {
		l->polls[1].fd = term_fd(l->term);
		l->polls[1].events = (short)(POLLIN | (term_wants_write(l->term) ? POLLOUT : 0));
	}
	/* poll() passes over timers */
	for (size_t i = 0; i < l->n_sources; i++)
		l->polls[i + 2] = (struct pollfd){ .fd = l->sources[i].fd, .events = POLLIN };
	return 0;
}

static void run_watches(struct loop *l, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct source watch = l->sources[i];

		if (watch.id && l->polls[i + 2].revents)
			watch.fn(watch.ctx);
	}
}

struct moment {
	uint64_t ns, cpu_ns;
};

static struct moment moment_now(void)
{
	return (struct moment){ loop_now_ns(), clock_read_ns(CLOCK_THREAD_CPUTIME_ID) };
}

/* Accounts the time of a step; returns the current time. */
static struct moment count_step(struct loop *l, enum loop_step step, struct moment since)
{
	struct moment now = moment_now();

	if (now.ns - since.ns > l->stats.longest_ns[step])
		l->stats.longest_ns[step] = now.ns - since.ns;
	if (now.cpu_ns - since.cpu_ns > l->stats.longest_cpu_ns[step])
		l->stats.longest_cpu_ns[step] = now.cpu_ns - since.cpu_ns;
	return now;
}

/* Runs all handlers that are due. */
static void run_all(struct loop *l, size_t n_sources)
{
	struct moment begin = moment_now(), now = begin;
	uint64_t painted = l->stats.paints;

	run_signals(l);
	now = count_step(l, LOOP_SIGNALS, now);
	run_watches(l, n_sources);
	now = count_step(l, LOOP_WATCHES, now);
	run_timers(l);
	now = count_step(l, LOOP_TIMERS, now);
	run_events(l);
	now = count_step(l, LOOP_EVENTS, now);
	paint(l);
	if (l->stats.paints != painted)
		l->stats.paint_ns += loop_now_ns() - now.ns;
	now = count_step(l, LOOP_PAINT, now);
	l->stats.turns++;
	l->stats.slow += now.ns - begin.ns > LOOP_SLOW_NS;
	l->stats.cpu_slow += now.cpu_ns - begin.cpu_ns > LOOP_SLOW_NS;
}

int loop_turn(struct loop *l, int max_ms)
{
	size_t n_sources;
	int rc;

	loop_tidy(l);
	rc = fill_polls(l);
	if (rc < 0)
		return rc;
	n_sources = l->n_sources;
	if (poll(l->polls, n_sources + 2, wait_ms(l, max_ms)) < 0) {
		if (errno != EINTR)
			return -errno;
		memset(l->polls, 0, (n_sources + 2) * sizeof(*l->polls));
	}
	if (l->polls[0].revents)
		wake_clear(l->wake_fd);
	if (l->term && l->polls[1].revents & (POLLOUT | POLLERR))
		term_flush(l->term);
	run_all(l, n_sources);
	return 0;
}
