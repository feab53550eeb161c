/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/snapshots.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include "base/i18n.h"
#include "base/vec.h"

_Static_assert(PTUI_SNAPSHOT_TIME < 8, "a reason has three bits");

int snapshots_init(struct snapshots *s, struct ptui_error *err)
{
	memset(s, 0, sizeof(*s));
	pthread_mutex_init(&s->lock, NULL);
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->fd < 0)
		return ptui_error_errno(err, errno, "eventfd", _("cannot make an event fd"));
	return 0;
}

void snapshots_release(struct snapshots *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	free(s->v);
	s->v = NULL;
	pthread_mutex_destroy(&s->lock);
}

static uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void snapshots_ask(struct snapshots *s, enum ptui_snapshot_why why)
{
	uint64_t one = 1, nobody = 0;
	int saved = errno;
	ssize_t ignored;

	atomic_compare_exchange_strong(&s->asked, &nobody, monotonic_ns() << 3 | why);
	/* a counter that is full is readable as well */
	ignored = write(s->fd, &one, sizeof(one));
	(void)ignored;
	errno = saved;
}

static int remember(struct snapshots *s, const struct pump_catch *found, uint64_t at_ns,
		    uint64_t asked)
{
	int ret;

	pthread_mutex_lock(&s->lock);
	ret = vec_grow(&s->v, &s->cap, s->n + 1);
	if (!ret)
		s->v[s->n++] = (struct ptui_snapshot){
			.why = (enum ptui_snapshot_why)(asked & 7),
			.react_ns = asked ? found->resumed_ns - (asked >> 3) : 0,
			.taken_ns = at_ns,
			.samples = found->samples,
			.new_samples = found->new_samples,
			.bytes = found->new_bytes,
			.span_ns = found->last_ns - found->first_ns,
			.overlap_ns = found->overlap_ns,
			.pause_ns = found->pause_ns,
			.lost = found->lost,
			.gap = found->gap,
		};
	pthread_mutex_unlock(&s->lock);
	return ret;
}

int snapshots_take(struct snapshots *s, struct pump *p, uint64_t at_ns, struct ptui_error *err)
{
	struct pump_catch found;
	uint64_t drained, asked;
	ssize_t ignored;
	int ret;

	ignored = read(s->fd, &drained, sizeof(drained));
	(void)ignored;
	asked = atomic_exchange(&s->asked, 0);
	if (p->rounds)
		return 0;
	ret = pump_look_back(p, &found, err);
	if (ret > 0)
		ret = pump_write_back(p, &found, true, err);
	if (ret < 0)
		return ret;
	return remember(s, &found, at_ns, asked) ? ptui_error_nomem(err) : 0;
}

bool snapshots_get(struct snapshots *s, size_t i, struct ptui_snapshot *ret)
{
	bool is_there;

	pthread_mutex_lock(&s->lock);
	is_there = i < s->n;
	if (is_there)
		*ret = s->v[i];
	pthread_mutex_unlock(&s->lock);
	return is_there;
}
