/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What no row of the profile has any more, and no process that lives, leaves the tables: modules,
 * threads, places, names. They fill in a day of small commands, each with a program of its own.
 *
 *	in use    |#########|            after a squeeze
 *	 now      |#########.........|   as much again has come, and `spare_bytes`: the next squeeze
 *
 * So a squeeze costs each thing that comes a fixed time, and the tables are never larger than twice
 * what is in use and the spare. Places have a cap of their own: code without frame pointers tells
 * of callers where there are none, at other places in each process. Above the cap the older half of
 * the rows leaves, and half of what is left, until what they name is few enough.
 */
#include <errno.h>
#include <stdlib.h>
#include "session/live.h"

struct squeeze {
	bool *frames, *modules;	 /* used, by old id */
	uint32_t *frames_now, *modules_now;
	struct strpool_move names;
};

static size_t table_bytes(const struct live_build *b)
{
	struct machine_load machine;

	machine_load(b->machine, &machine);
	return machine.bytes + resolver_bytes(b->resolver) + profile_grow_bytes(&b->grow);
}

/* A name that a thread got after its last sample is known to the machine only, as long as it lives. */
void live_build_name_threads(struct live_build *b)
{
	struct samples *s = &b->grow.samples;

	for (size_t t = 0; t < s->n_threads; t++) {
		uint32_t comm = machine_comm(b->machine, s->threads[t].pid, s->threads[t].tid,
					     UINT64_MAX);

		if (comm != PTUI_NONE)
			s->threads[t].last_comm = comm;
	}
}

static size_t count_used(const bool *used, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += used[i];
	return count;
}

/* Rows leave until their places are not more than the cap; -> those places. */
static int find_frames(struct live_build *b, struct squeeze *q)
{
	size_t n = resolver_n_frames(b->resolver);
	int ret = profile_grow_settle(&b->grow, false);

	while (!ret) {
		free(q->frames);
		q->frames = calloc(n + 1, sizeof(*q->frames));
		if (!q->frames)
			return -ENOMEM;
		profile_grow_mark_frames(&b->grow, q->frames);
		if (count_used(q->frames, n) <= b->max_frames / 4 * 3)
			break;
		ret = profile_grow_settle(&b->grow, true);
	}
	return ret;
}

static int squeeze_all(struct live_build *b, struct squeeze *q)
{
	size_t n_modules = machine_n_modules(b->machine);
	int ret = find_frames(b, q);

	if (ret)
		return ret;
	q->modules = calloc(n_modules + 1, sizeof(*q->modules));
	q->modules_now = calloc(n_modules + 1, sizeof(*q->modules_now));
	q->frames_now = calloc(resolver_n_frames(b->resolver) + 1, sizeof(*q->frames_now));
	if (!q->modules || !q->modules_now || !q->frames_now ||
	    profile_grow_move_names(&b->grow, &q->names))
		return -ENOMEM;
	resolver_mark_modules(b->resolver, q->frames, q->modules);
	ret = machine_squeeze(b->machine, &q->names, q->modules, q->modules_now);
	if (!ret)
		ret = resolver_squeeze(b->resolver, q->frames, q->modules_now, &q->names,
				       q->frames_now);
	if (!ret)
		ret = profile_grow_squeeze(&b->grow, q->frames_now, &q->names);
	return ret;
}

int live_build_trim(struct live_build *b)
{
	struct squeeze q = { 0 };
	int ret;

	if (resolver_n_frames(b->resolver) <= b->max_frames &&
	    table_bytes(b) <= 2 * b->kept_bytes + b->spare_bytes)
		return 0;
	live_build_name_threads(b);
	ret = squeeze_all(b, &q);
	strpool_move_release(&q.names);
	free(q.frames);
	free(q.modules);
	free(q.frames_now);
	free(q.modules_now);
	if (ret)
		return ret;
	b->intake.names = b->grow.names;
	chain_builder_forget(&b->intake.chain);
	b->renumbered = b->grow.renumbered;
	b->kept_bytes = table_bytes(b);
	b->squeezed++;
	return 0;
}
