/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frees modules, threads, frames and names that no row of the profile and no living process uses.
 * Otherwise a day of short commands, each a program of its own, would fill the tables.
 *
 *	in use    |#########|            after a compaction
 *	 now      |#########.........|   grown by as much again plus `spare_bytes`: compact
 *
 * So the cost per added item is constant, and the tables never exceed twice what is in use plus the
 * spare. Frames have a separate cap: code without frame pointers yields bogus callers at different
 * addresses in each process. Above the cap the older half of the rows is dropped, then half of the
 * rest, until few enough frames are left.
 */
#include <errno.h>
#include <stdlib.h>
#include "session/builder.h"

struct compaction {
	bool *frames, *modules; /* used, by old id */
	uint32_t *frames_now, *modules_now;
	struct strpool_move names;
};

static size_t table_bytes(const struct builder *b)
{
	const struct stack_unwinder *unwinder = b->user_chains.unwinder;
	struct machine_load machine;

	machine_load(b->machine, &machine);
	return machine.bytes + resolver_bytes(b->resolver) + profile_store_bytes(&b->store) +
	       (unwinder ? stack_unwinder_bytes(unwinder) : 0);
}

static size_t count_used(const bool *used, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += used[i];
	return count;
}

/* Drops rows until they use no more frames than the cap allows; marks those frames in q->frames. */
static int find_frames(struct builder *b, struct compaction *q)
{
	size_t n = resolver_n_frames(b->resolver);
	int ret = profile_store_compact_rows(&b->store, false);

	while (!ret) {
		free(q->frames);
		q->frames = calloc(n + 1, sizeof(*q->frames));
		if (!q->frames)
			return -ENOMEM;
		profile_store_mark_frames(&b->store, q->frames);
		builder_mark_blocks(b, q->frames);
		if (count_used(q->frames, n) <= b->max_frames / 4 * 3)
			break;
		ret = builder_halve_blocks(b);
		if (!ret)
			ret = profile_store_compact_rows(&b->store, true);
	}
	return ret;
}

static int compact_all(struct builder *b, struct compaction *q)
{
	size_t n_modules = machine_n_modules(b->machine);
	int ret = find_frames(b, q);

	if (ret)
		return ret;
	q->modules = calloc(n_modules + 1, sizeof(*q->modules));
	q->modules_now = calloc(n_modules + 1, sizeof(*q->modules_now));
	q->frames_now = calloc(resolver_n_frames(b->resolver) + 1, sizeof(*q->frames_now));
	if (!q->modules || !q->modules_now || !q->frames_now ||
	    profile_store_begin_names(&b->store, &q->names))
		return -ENOMEM;
	resolver_mark_modules(b->resolver, q->frames, q->modules);
	ret = machine_compact(b->machine, &q->names, q->modules, q->modules_now);
	if (!ret)
		ret = resolver_compact(b->resolver, q->frames, q->modules_now, &q->names,
				       q->frames_now);
	if (!ret && b->user_chains.unwinder)
		ret = stack_unwinder_compact(b->user_chains.unwinder, q->modules_now, q->names.to);
	if (!ret)
		ret = profile_store_compact(&b->store, q->frames_now, &q->names);
	if (!ret)
		ret = builder_renumber_blocks(b, q->frames_now);
	return ret;
}

int builder_compact(struct builder *b)
{
	struct compaction q = { 0 };
	int ret;

	if (resolver_n_frames(b->resolver) <= b->max_frames &&
	    table_bytes(b) <= 2 * b->kept_bytes + b->spare_bytes)
		return 0;
	builder_name_threads(b);
	ret = compact_all(b, &q);
	strpool_move_release(&q.names);
	free(q.frames);
	free(q.modules);
	free(q.frames_now);
	free(q.modules_now);
	if (ret)
		return ret;
	chain_builder_invalidate(&b->chain);
	leaf_cache_invalidate(&b->leaves);
	b->chain_numbering = b->store.renumbered;
	b->kept_bytes = table_bytes(b);
	b->compactions++;
	return 0;
}
