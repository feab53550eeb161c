/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compacting a store: removes what no kept row uses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "profile/store.h"

static void renumber(uint32_t *ids, size_t n, const uint32_t *now)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] != PTUI_NONE)
			ids[i] = now[ids[i]];
}

static void clear_arrays(struct profile_store *s, int from, int to)
{
	for (int k = from; k < to; k++)
		store_array_clear(&s->arrays[k]);
}

/* ---- stacks ---- */

/* Marks the stacks that rows use, and their callers. */
static void mark_stacks(const struct stacks *stacks, const uint32_t *ids, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t at = ids[i]; at != PTUI_NONE && !used[at];
		     at = stacks->nodes[at].parent)
			used[at] = true;
}

/*
 * Copies the nodes to `to`: those that are used (NULL: all), with the ids frames[id] (NULL: the same). now[old] is
 * the new id. 0 or -ENOMEM.
 */
static int copy_stacks(const struct stacks *from, const bool *used, const uint32_t *frames,
		       struct stacks *to, uint32_t *now)
{
	uint32_t *paths = malloc((from->n + 1) * sizeof(*paths));
	int ret = paths ? 0 : -ENOMEM;

	for (size_t i = 0; i < from->n && !ret; i++) {
		struct stack_node node = from->nodes[i];
		bool outermost = node.parent == PTUI_NONE;
		uint32_t frame = frames ? frames[node.frame] : node.frame;

		if (used && !used[i])
			continue;
		paths[i] = stacks_path(outermost ? STACKS_NO_PATH : paths[node.parent], frame);
		now[i] = stacks_push_path(to, outermost ? PTUI_NONE : now[node.parent], frame,
					  paths[i]);
		ret = now[i] == PTUI_NONE ? -ENOMEM : 0;
	}
	free(paths);
	return ret;
}

int store_compact_stacks(struct profile_store *s)
{
	uint32_t *ids = s->samples.stack + s->first;
	size_t n = s->samples.n - s->first;
	bool *used = calloc(s->stacks.n + 1, sizeof(*used));
	uint32_t *now = malloc((s->stacks.n + 1) * sizeof(*now));
	struct stacks kept;
	int ret = used && now ? 0 : -ENOMEM;

	stacks_init(&kept);
	if (!ret) {
		mark_stacks(&s->stacks, ids, n, used);
		ret = copy_stacks(&s->stacks, used, NULL, &kept, now);
	}
	if (!ret) {
		renumber(ids, n, now);
		stacks_release(&s->stacks);
		stacks_release(&s->folded);
		s->stacks = kept;
		stacks_init(&kept);
		clear_arrays(s, STORE_NODES, STORE_FOLDED_OF + 1);
		s->stale_stacks = false;
		store_renumbered(s);
	}
	stacks_release(&kept);
	free(used);
	free(now);
	return ret;
}

int profile_store_compact_rows(struct profile_store *s, bool half)
{
	int ret;

	if (half)
		store_drop_rows(s, (s->samples.n - s->first + 1) / 2);
	ret = store_move_rows(s);
	return ret ? ret : store_compact_stacks(s);
}

/* ---- frames, threads, names ---- */

void profile_store_mark_frames(const struct profile_store *s, bool *used)
{
	for (size_t i = s->first; i < s->samples.n; i++)
		used[s->samples.frame[i]] = true;
	for (size_t i = 0; i < s->stacks.n; i++)
		used[s->stacks.nodes[i].frame] = true;
}

int profile_store_begin_names(struct profile_store *s, struct strpool_move *mv)
{
	store_names_unref(s->next_names);
	s->next_names = store_names_new();
	return s->next_names ? strpool_move_init(mv, s->names, store_names_pool(s->next_names)) :
			       -ENOMEM;
}

/* Frame ids have changed, so their hashes have; the nodes keep their order. */
static int rehash_stacks(struct profile_store *s, const uint32_t *frames)
{
	uint32_t *now = malloc((s->stacks.n + 1) * sizeof(*now));
	struct stacks to;
	int ret;

	stacks_init(&to);
	ret = now ? copy_stacks(&s->stacks, NULL, frames, &to, now) : -ENOMEM;
	free(now);
	if (ret) {
		stacks_release(&to);
		return ret;
	}
	stacks_release(&s->stacks);
	s->stacks = to;
	return 0;
}

static int compact_threads(struct profile_store *s, struct strpool_move *names)
{
	struct samples *rows = &s->samples;
	uint32_t *now = malloc((rows->n_threads + 1) * sizeof(*now)), n = 0;

	if (!now)
		return -ENOMEM;
	memset(now, 0xff, (rows->n_threads + 1) * sizeof(*now));
	for (size_t i = 0; i < rows->n; i++)
		now[rows->thread[i]] = 0;
	for (size_t i = 0; i < rows->n_threads; i++) {
		struct thread_id id = rows->threads[i];

		if (now[i] == PTUI_NONE)
			continue;
		now[i] = n;
		id.last_comm = strpool_move(names, id.last_comm);
		rows->threads[n++] = id;
	}
	rows->n_threads = n;
	vec_fit(&rows->threads, &rows->cap_threads, n);
	renumber(rows->thread, rows->n, now);
	free(now);
	return samples_threads_index(rows);
}

static void use_next_names(struct profile_store *s, struct strpool_move *names)
{
	for (size_t i = 0; i < s->samples.n; i++)
		s->samples.comm[i] = strpool_move(names, s->samples.comm[i]);
	for (size_t i = 0; i < s->n_events; i++)
		s->events[i].name = strpool_get(names->to,
						strpool_add(names->to, s->events[i].name));
	store_names_unref(s->names_memory);
	s->names_memory = s->next_names;
	s->next_names = NULL;
	s->names = store_names_pool(s->names_memory);
}

int profile_store_compact(struct profile_store *s, const uint32_t *frames,
			  struct strpool_move *names)
{
	renumber(s->samples.frame, s->samples.n, frames);
	if (rehash_stacks(s, frames) || compact_threads(s, names))
		return -ENOMEM;
	use_next_names(s, names);
	frame_table_release(&s->table);
	frame_table_init(&s->table);
	stacks_release(&s->folded);
	stacks_init(&s->folded);
	clear_arrays(s, STORE_COLUMNS, STORE_ARRAYS);
	store_renumbered(s);
	return names->failed ? -ENOMEM : 0;
}

size_t profile_store_bytes(const struct profile_store *s)
{
	return s->names->text.bytes + s->names->n * (2 * sizeof(char *) + 2 * sizeof(uint64_t)) +
	       s->samples.n_threads * 2 * sizeof(struct thread_id) +
	       s->arrays[STORE_FRAMES].n * (sizeof(struct profile_frame) + 64);
}
