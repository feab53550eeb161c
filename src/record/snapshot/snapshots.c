/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshot/snapshots.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/thread.h"
#include "base/vec.h"
#include "base/wake.h"

#define LISTED	    1000
#define CLOSING_MAX 4 /* files closed in parallel */

_Static_assert(PTUI_SNAPSHOT_TIME < 8, "a reason has three bits");

static void close_removed(int fd)
{
	close(fd);
}

int snapshots_init(struct snapshots *s, struct ptui_error *err)
{
	memset(s, 0, sizeof(*s));
	s->listed = LISTED;
	s->close_removed = close_removed;
	pthread_mutex_init(&s->lock, NULL);
	s->fd = wake_open(err);
	if (s->fd < 0)
		return s->fd;
	return 0;
}

void snapshots_release(struct snapshots *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	for (size_t i = 0; i < s->n; i++)
		free((char *)(uintptr_t)s->v[i].path);
	free(s->v);
	s->v = NULL;
	pthread_mutex_destroy(&s->lock);
}

void snapshots_ask(struct snapshots *s, enum ptui_snapshot_why why)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong(&s->asked, &none, clock_monotonic_ns() << 3 | why);
	wake_set(s->fd);
}

/* ---- --switch-output rule ---- */

void snapshots_turn(struct snapshots *s, uint64_t bytes, uint64_t now_ns)
{
	const struct ptui_record_switch *rule = &s->rule;

	if (rule->bytes && bytes - s->changed_bytes >= rule->bytes)
		snapshots_ask(s, PTUI_SNAPSHOT_SIZE);
	else if (rule->after_ns && now_ns - s->changed_ns >= rule->after_ns)
		snapshots_ask(s, PTUI_SNAPSHOT_TIME);
}

int snapshots_wait_ms(const struct snapshots *s, uint64_t now_ns, int ms)
{
	uint64_t passed_ns = now_ns - s->changed_ns, left_ms;

	if (!s->rule.after_ns)
		return ms;
	if (passed_ns >= s->rule.after_ns)
		return 0;
	left_ms = (s->rule.after_ns - passed_ns) / 1000000 + 1;
	return left_ms < (uint64_t)ms ? (int)left_ms : ms;
}

/* ---- taking a snapshot ---- */

/*
 * Drops the older half if there are twice as many as listed: readers have had time to copy an
 * entry.
 */
static void snapshots_trim_list(struct snapshots *s)
{
	size_t half = s->listed;

	if (half < s->rule.max_files)
		half = s->rule.max_files;
	if (half < s->keep_when)
		half = s->keep_when;
	if (s->n < 2 * half)
		return;
	for (size_t i = 0; i < half; i++)
		free((char *)(uintptr_t)s->v[i].path);
	s->n -= half;
	s->forgotten += half;
	memmove(s->v, s->v + half, s->n * sizeof(*s->v));
}

static int snapshots_add(struct snapshots *s, const struct ptui_snapshot *taken)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	snapshots_trim_list(s);
	ret = vec_grow(&s->v, &s->cap, s->n + 1);
	if (!ret)
		s->v[s->n++] = *taken;
	pthread_mutex_unlock(&s->lock);
	return ret;
}

static void fill_kept(const struct kept_samples *found, struct ptui_snapshot *ret)
{
	ret->kept = true;
	ret->samples = found->samples;
	ret->new_samples = found->new_samples;
	ret->span_ns = found->last_ns - found->first_ns;
	ret->overlap_ns = found->overlap_ns;
	ret->pause_ns = found->pause_ns;
	ret->lost = found->lost;
	ret->gap = found->gap;
}

/* `asked_ns`: time of the request; 0: unknown. */
static int snapshots_take_one(struct snapshots *s, struct pump *p, uint64_t asked_ns,
			      struct ptui_snapshot *ret, struct ptui_error *err)
{
	struct kept_samples found;
	bool kept = pump_keeps(p);
	char *path = NULL;
	/* first: stopping the AUX events writes the last AUX records into the rings */
	int64_t aux_bytes = p->aux_snapshot_bytes ? pump_snapshot_aux(p, err) : 0;
	int took;

	if (aux_bytes < 0)
		return (int)aux_bytes;
	ret->aux_bytes = (uint64_t)aux_bytes;
	took = kept ? pump_read_kept(p, &found, err) : pump_pass_all(p, err);
	if (took < 0)
		return took;
	if (kept)
		fill_kept(&found, ret);
	if (kept && asked_ns && found.resumed_ns > asked_ns)
		ret->react_ns = found.resumed_ns - asked_ns;
	took = s->deliver(s->deliver_ctx, kept ? &found : NULL, ret, &path, err);
	ret->path = path;
	if (took > 0 && snapshots_add(s, ret))
		took = ptui_error_nomem(err);
	if (took <= 0)
		free(path);
	return took;
}

static bool is_by_condition(const struct ptui_snapshot *taken)
{
	return taken->why == PTUI_SNAPSHOT_WHEN && taken->kept;
}

/* ---- removing files ---- */

struct removed_file {
	int fd;
	void (*close_removed)(int fd);
};

static _Atomic unsigned n_closing;

static void *close_main(void *arg)
{
	const struct sched_param other = { .sched_priority = 0 };
	struct removed_file *f = arg;

	/* with -r this thread inherits realtime priority */
	pthread_setschedparam(pthread_self(), SCHED_OTHER, &other);
	f->close_removed(f->fd);
	free(f);
	n_closing--;
	return NULL;
}

/* False: too many files are being closed, or no thread could be started. */
static bool close_aside(struct snapshots *s, int fd)
{
	struct removed_file *f = malloc(sizeof(*f));

	if (!f)
		return false;
	*f = (struct removed_file){ .fd = fd, .close_removed = s->close_removed };
	if (n_closing++ < CLOSING_MAX && !thread_start(NULL, close_main, f))
		return true;
	n_closing--;
	free(f);
	return false;
}

/*
 * Freeing the blocks of a large file can take long enough for ring buffers to fill. They are freed when the
 * last file descriptor is closed: the name is removed at once, and the descriptor is closed in a thread.
 */
static void remove_file(struct snapshots *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	unlink(path);
	if (fd >= 0 && !close_aside(s, fd))
		close(fd);
}

/* Removes the oldest files until `most` are left; of snapshots by a condition only, or of all. */
static void snapshots_remove_oldest(struct snapshots *s, size_t most, bool by_condition)
{
	size_t n = 0;

	pthread_mutex_lock(&s->lock);
	for (size_t i = s->n; i-- > 0;) {
		struct ptui_snapshot *v = &s->v[i];

		if (!v->path || v->removed || (by_condition && !is_by_condition(v)) || n++ < most)
			continue;
		remove_file(s, v->path);
		v->removed = true;
		s->n_removed++;
		if (is_by_condition(v))
			s->when_bytes -= v->bytes;
	}
	pthread_mutex_unlock(&s->lock);
}

static void snapshots_notify(struct snapshots *s, const struct ptui_snapshot *taken)
{
	if (is_by_condition(taken))
		s->when_bytes += taken->bytes;
	if (s->took)
		s->took(s->took_ctx, taken);
	if (s->keep_when)
		snapshots_remove_oldest(s, s->keep_when, true);
	if (s->rule.max_files)
		snapshots_remove_oldest(s, s->rule.max_files, false);
}

int snapshots_take(struct snapshots *s, struct pump *p, uint64_t began_ns, struct ptui_error *err)
{
	const struct kernel_ops *ops = p->counters->ops;
	struct ptui_snapshot taken = { .taken_ns = ops->clock_ns(ops->ctx) - began_ns };
	uint64_t asked;
	int ret;

	wake_clear(s->fd);
	asked = atomic_exchange(&s->asked, 0);
	taken.why = (enum ptui_snapshot_why)(asked & 7);
	ret = snapshots_take_one(s, p, asked >> 3, &taken, err);
	p->counts->bytes = record_sink_bytes(p->sink);
	s->changed_bytes = record_sink_passed_bytes(p->sink);
	s->changed_ns = ops->clock_ns(ops->ctx);
	if (ret > 0)
		snapshots_notify(s, &taken);
	return ret < 0 ? ret : 0;
}

void snapshots_limit(struct snapshots *s, size_t most)
{
	snapshots_remove_oldest(s, most, false);
}

size_t snapshots_removed(struct snapshots *s)
{
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = s->n_removed;
	pthread_mutex_unlock(&s->lock);
	return n;
}

bool snapshots_get(struct snapshots *s, size_t i, struct ptui_snapshot *ret)
{
	bool is_there;

	pthread_mutex_lock(&s->lock);
	is_there = i < s->forgotten + s->n;
	if (is_there && i < s->forgotten)
		*ret = (struct ptui_snapshot){ .forgotten = true };
	else if (is_there)
		*ret = s->v[i - s->forgotten];
	pthread_mutex_unlock(&s->lock);
	return is_there;
}
