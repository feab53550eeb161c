/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that was loaded in parts: what the store of a later part has is added to that of the first one, in
 * its order. So ids become what they were if all had been loaded by one.
 */
#include <errno.h>
#include <stdlib.h>
#include "profile/store.h"

#define AHEAD 8 /* stack nodes: their slots are loaded before they are looked at */

/*
 * New ids by those of the other store. Nothing is looked for after the last store, and what one store has is
 * there once: so what is new in the last one need not be found again.
 */
struct new_ids {
	const uint32_t *names, *frames;
	uint32_t *threads, *nodes; /* owned */
	uint32_t *paths;	   /* owned; of nodes whose children are looked for */
	bool last;
};

static int absorb_threads(struct samples *to, const struct samples *from, uint32_t *ret)
{
	for (size_t i = 0; i < from->n_threads; i++) {
		ret[i] = samples_thread(to, from->threads[i].pid, from->threads[i].tid);
		if (ret[i] == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

/* Of a node that is known already, or will be. `had`: so many nodes were there before this store. */
static bool is_looked_for(const struct new_ids *ids, uint32_t parent, size_t had)
{
	return !ids->last || parent == PTUI_NONE || ids->nodes[parent] < had;
}

static uint32_t node_path(const struct new_ids *ids, const struct stack_node *node)
{
	return stacks_path(node->parent == PTUI_NONE ? STACKS_NO_PATH : ids->paths[node->parent],
			   ids->frames[node->frame]);
}

static uint32_t absorb_node(struct stacks *to, const struct new_ids *ids,
			    const struct stack_node *node, size_t had, uint32_t *ret_path)
{
	uint32_t parent = node->parent == PTUI_NONE ? PTUI_NONE : ids->nodes[node->parent];
	uint32_t frame = ids->frames[node->frame], known;

	if (!is_looked_for(ids, node->parent, had))
		return stacks_append(to, parent, frame);
	*ret_path = node_path(ids, node);
	if (!ids->last)
		return stacks_push_path(to, parent, frame, *ret_path);
	known = stacks_find_path(to, parent, frame, *ret_path);
	return known != PTUI_NONE ? known : stacks_append(to, parent, frame);
}

/* A parent comes before its children. */
static int absorb_stacks(struct stacks *to, const struct stacks *from, const struct new_ids *ids)
{
	const size_t had = to->n;

	for (size_t i = 0; i < from->n; i++) {
		const struct stack_node *node = &from->nodes[i], *ahead = node + AHEAD;

		/* that of a parent which is not there yet is found without its slot */
		if (i + AHEAD < from->n && (ahead->parent == PTUI_NONE || ahead->parent < i) &&
		    is_looked_for(ids, ahead->parent, had))
			stacks_prefetch(to, node_path(ids, ahead));
		ids->nodes[i] = absorb_node(to, ids, node, had, &ids->paths[i]);
		if (ids->nodes[i] == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

static void renumber(struct sample_row *row, const struct new_ids *ids, bool threads)
{
	row->comm = ids->names[row->comm];
	row->frame = ids->frames[row->frame];
	if (row->stack != PTUI_NONE)
		row->stack = ids->nodes[row->stack];
	if (threads)
		row->thread = ids->threads[row->thread];
}

static int absorb_rows(struct profile_store *s, const struct samples *from,
		       const struct new_ids *ids)
{
	for (size_t i = 0; i < from->n; i++) {
		struct sample_row row = { .time_ns = from->time_ns[i],
					  .period = from->period[i],
					  .thread = from->thread[i],
					  .comm = from->comm[i],
					  .frame = from->frame[i],
					  .stack = from->stack[i],
					  .cpu = from->cpu[i],
					  .event = from->event[i],
					  .how = from->how[i] };

		renumber(&row, ids, true);
		if (profile_store_add_row(s, &row))
			return -ENOMEM;
	}
	return 0;
}

static int absorb_merged(struct profile_store *s, struct merged_rows *from,
			 const struct new_ids *ids)
{
	bool threads = s->columns >> STORE_THREAD & 1, chains = s->columns >> STORE_STACK & 1;
	int ret = 0;

	for (size_t first = 0, n; first < from->n && !ret; first += n) {
		struct sample_row rows[MERGED_BATCH];
		uint32_t counts[MERGED_BATCH];

		n = from->n - first < MERGED_BATCH ? from->n - first : MERGED_BATCH;
		for (size_t i = 0; i < n; i++) {
			rows[i] = merged_row_sample(&from->v[first + i]);
			counts[i] = from->v[first + i].count;
			renumber(&rows[i], ids, threads);
		}
		for (size_t i = 0; i < n && chains && !ret; i++)
			ret = merged_rows_add(&s->merged, &rows[i], counts[i]);
		if (!chains)
			ret = merged_rows_add_batch(&s->merged, rows, counts, n);
	}
	return ret;
}

int profile_store_absorb(struct profile_store *s, struct profile_store *other,
			 const uint32_t *names, const uint32_t *frames, bool last)
{
	const struct samples *from = &other->samples;
	struct new_ids ids = { .names = names,
			       .frames = frames,
			       .threads = malloc((from->n_threads + 1) * sizeof(*ids.threads)),
			       .nodes = malloc((other->stacks.n + 1) * sizeof(*ids.nodes)),
			       .paths = malloc((other->stacks.n + 1) * sizeof(*ids.paths)),
			       .last = last };
	int ret = ids.threads && ids.nodes && ids.paths ?
			  absorb_threads(&s->samples, from, ids.threads) :
			  -ENOMEM;

	/* nothing is looked for in the other store any more */
	stacks_drop_index(&other->stacks);
	if (!ret)
		ret = merged_rows_end(&other->merged);
	if (!ret && last && other->merges)
		ret = merged_rows_begin_last(&s->merged, s->stacks.n);
	if (!ret)
		ret = absorb_stacks(&s->stacks, &other->stacks, &ids);
	if (!ret)
		ret = other->merges ? absorb_merged(s, &other->merged, &ids) :
				      absorb_rows(s, from, &ids);
	free(ids.threads);
	free(ids.nodes);
	free(ids.paths);
	return ret;
}
