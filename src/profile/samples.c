/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void samples_init(struct samples *t)
{
	memset(t, 0, sizeof(*t));
	index_table_init(&t->thread_index);
}

void samples_release(struct samples *t)
{
	free(t->threads);
	index_table_release(&t->thread_index);
	samples_init(t);
}

static bool thread_same(const void *owner, uint32_t index, const void *key)
{
	const struct samples *t = owner;
	const struct thread_id *id = key;

	return t->threads[index].pid == id->pid && t->threads[index].tid == id->tid;
}

static uint64_t thread_hash(const struct thread_id *id)
{
	return hash_pair((uint32_t)id->pid, (uint32_t)id->tid);
}

int samples_threads_index(struct samples *t)
{
	int ret = 0;

	index_table_release(&t->thread_index);
	index_table_init(&t->thread_index);
	for (size_t i = 0; i < t->n_threads && !ret; i++)
		ret = index_table_add(&t->thread_index, thread_hash(&t->threads[i]), (uint32_t)i);
	return ret;
}

uint32_t samples_thread(struct samples *t, int32_t pid, int32_t tid)
{
	struct thread_id id = { pid, tid, PTUI_NONE };
	uint64_t hash;
	uint32_t index;

	if (t->last_thread < t->n_threads && thread_same(t, t->last_thread, &id))
		return t->last_thread;
	hash = thread_hash(&id);
	index = index_table_find(&t->thread_index, hash, thread_same, t, &id);
	if (index != PTUI_NONE) {
		t->last_thread = index;
		return index;
	}
	if (t->n_threads >= PTUI_NONE || vec_grow(&t->threads, &t->cap_threads, t->n_threads + 1))
		return PTUI_NONE;
	index = (uint32_t)t->n_threads;
	if (index_table_add(&t->thread_index, hash, index))
		return PTUI_NONE;
	t->threads[t->n_threads++] = id;
	return index;
}

/* ---- merged samples ---- */

#define LISTED 8 /* rows of a list that are looked at */

void merged_rows_release(struct merged_rows *m)
{
	free(m->v);
	free(m->stacks.newest);
	free(m->frames.newest);
	index_table_release(&m->others);
	*m = (struct merged_rows){ .by_thread = m->by_thread, .by_cpu = m->by_cpu };
	index_table_init(&m->others);
}

/* Memory that stays unused costs nothing. 0 or -ENOMEM. */
static int lists_grow(struct merged_lists *l, size_t n)
{
	size_t cap = n < 2 * l->cap ? 2 * l->cap : n;
	uint32_t *newest;

	if (n <= l->cap)
		return 0;
	newest = calloc(cap, sizeof(*newest));
	if (!newest)
		return -ENOMEM;
	memory_at_random(newest, cap * sizeof(*newest));
	if (l->cap)
		memcpy(newest, l->newest, l->cap * sizeof(*newest));
	free(l->newest);
	*l = (struct merged_lists){ newest, cap };
	return 0;
}

void merged_rows_reserve(struct merged_rows *m, size_t n, size_t stacks)
{
	if (!vec_grow(&m->v, &m->cap, n) && !lists_grow(&m->stacks, stacks))
		memory_at_random(m->v, m->cap * sizeof(*m->v));
}

static uint64_t merged_hash(const struct merged_rows *m, const struct sample_row *row)
{
	uint64_t hash = hash_pair((uint64_t)row->frame << 32 | row->comm,
				  (uint64_t)row->stack << 32 | row->how << 16 | row->event);

	if (m->by_thread || m->by_cpu)
		hash = hash_pair(hash, (uint64_t)(m->by_thread ? row->thread : 0) << 32 |
					       (m->by_cpu ? row->cpu : 0));
	return hash;
}

/* A row whose count would exceed its maximum takes no more. */
static bool merged_takes(const struct merged_rows *m, const struct merged_row *to,
			 const struct sample_row *row, uint32_t count)
{
	return to->frame == row->frame && to->comm == row->comm && to->event == row->event &&
	       to->stack == row->stack && to->how == row->how &&
	       (!m->by_thread || to->thread == row->thread) &&
	       (!m->by_cpu || to->cpu == row->cpu) && to->count <= UINT32_MAX - count;
}

static void merged_sum(struct merged_row *to, const struct sample_row *row, uint32_t count)
{
	to->period += row->period;
	to->count += count;
	if (row->time_ns < to->time_ns) {
		to->time_ns = row->time_ns;
		to->thread = row->thread;
	}
}

/* `list`: its newest row. 0 or -ENOMEM. */
static int merged_add_new(struct merged_rows *m, const struct sample_row *row, uint32_t count,
			  uint32_t list)
{
	if (m->n >= PTUI_NONE - 1 || vec_grow(&m->v, &m->cap, m->n + 1))
		return -ENOMEM;
	m->v[m->n++] = (struct merged_row){ .time_ns = row->time_ns,
					    .period = row->period,
					    .frame = row->frame,
					    .comm = row->comm,
					    .stack = row->stack,
					    .thread = row->thread,
					    .cpu = row->cpu,
					    .count = count,
					    .next = list,
					    .event = row->event,
					    .how = row->how };
	return 0;
}

static int merged_add_hashed(struct merged_rows *m, const struct sample_row *row, uint32_t count,
			     uint64_t hash)
{
	uint32_t at = index_table_begin(&m->others, hash), i;

	do {
		i = index_table_next(&m->others, hash, &at);
	} while (i != PTUI_NONE && !merged_takes(m, &m->v[i], row, count));
	if (i != PTUI_NONE) {
		merged_sum(&m->v[i], row, count);
		return 0;
	}
	return merged_add_new(m, row, count, 0) ||
			       (!m->last && index_table_add(&m->others, hash, (uint32_t)m->n - 1)) ?
		       -ENOMEM :
		       0;
}

/* No row before merged_rows_begin_last() is merged with it. */
static bool merged_is_new(const struct merged_rows *m, const struct sample_row *row)
{
	if (!m->last)
		return false;
	return row->stack == PTUI_NONE ? m->frames.cap && row->frame >= m->frames.cap :
					 row->stack >= m->n_stacks;
}

/* Where the list of the row begins, after lists_hold(); NULL: it has none. */
static uint32_t *merged_list(const struct merged_rows *m, const struct sample_row *row)
{
	if (row->stack != PTUI_NONE)
		return &m->stacks.newest[row->stack];
	return m->by_thread || m->by_cpu ? NULL : &m->frames.newest[row->frame];
}

/* Room for the row's list. 0 or -ENOMEM. */
static int lists_hold(struct merged_rows *m, const struct sample_row *row)
{
	if (row->stack != PTUI_NONE)
		return lists_grow(&m->stacks, (size_t)row->stack + 1);
	return m->by_thread || m->by_cpu ? 0 : lists_grow(&m->frames, (size_t)row->frame + 1);
}

static int merged_add_listed(struct merged_rows *m, const struct sample_row *row, uint32_t count,
			     uint32_t *list)
{
	uint32_t at = *list;
	size_t n = 0;
	int ret;

	for (; at && n < LISTED; n++, at = m->v[at - 1].next) {
		if (!merged_takes(m, &m->v[at - 1], row, count))
			continue;
		merged_sum(&m->v[at - 1], row, count);
		return 0;
	}
	if (n == LISTED)
		return merged_add_hashed(m, row, count, merged_hash(m, row));
	ret = merged_add_new(m, row, count, *list);
	if (!ret)
		*list = (uint32_t)m->n;
	return ret;
}

/* Where a row of a batch is looked for; without a list, in the table. */
struct merged_where {
	bool is_new;
	uint64_t hash;
};

static int merged_add_at(struct merged_rows *m, const struct sample_row *row, uint32_t count,
			 const struct merged_where *at)
{
	uint32_t *list;

	if (at->is_new)
		return merged_add_new(m, row, count, 0);
	list = merged_list(m, row);
	return list ? merged_add_listed(m, row, count, list) :
		      merged_add_hashed(m, row, count, at->hash);
}

/* What all look at is loaded from memory before the first one is added. */
int merged_rows_add_batch(struct merged_rows *m, const struct sample_row *rows,
			  const uint32_t *counts, size_t n)
{
	struct merged_where at[MERGED_BATCH];
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t *list;

		at[i].is_new = merged_is_new(m, &rows[i]);
		if (at[i].is_new)
			continue;
		if (lists_hold(m, &rows[i]))
			return -ENOMEM;
		list = merged_list(m, &rows[i]);
		if (list) {
			__builtin_prefetch(list, 1);
			continue;
		}
		at[i].hash = merged_hash(m, &rows[i]);
		index_table_prefetch(&m->others, at[i].hash);
	}
	for (size_t i = 0; i < n && n > 1; i++) {
		const uint32_t *list = at[i].is_new ? NULL : merged_list(m, &rows[i]);
		uint32_t first;

		if (at[i].is_new)
			continue;
		first = list ? *list - 1 : index_table_first(&m->others, at[i].hash);
		if (first == PTUI_NONE)
			continue;
		__builtin_prefetch(&m->v[first], 1);
		__builtin_prefetch(&m->v[first].how, 1); /* often in the next line */
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = merged_add_at(m, &rows[i], counts ? counts[i] : 1, &at[i]);
	return ret;
}

static int add_waiting(struct merged_rows *m)
{
	size_t n = m->n_waiting;

	m->n_waiting = 0;
	return merged_rows_add_batch(m, m->waiting, m->counts, n);
}

int merged_rows_add(struct merged_rows *m, const struct sample_row *row, uint32_t count)
{
	m->waiting[m->n_waiting] = *row;
	m->counts[m->n_waiting++] = count;
	return m->n_waiting == MERGED_BATCH ? add_waiting(m) : 0;
}

int merged_rows_begin_last(struct merged_rows *m, size_t n_stacks)
{
	int ret = add_waiting(m);

	m->last = true;
	m->n_stacks = n_stacks;
	return ret;
}

int merged_rows_end(struct merged_rows *m)
{
	int ret = add_waiting(m);

	free(m->stacks.newest);
	free(m->frames.newest);
	m->stacks = m->frames = (struct merged_lists){ .newest = NULL };
	index_table_release(&m->others);
	index_table_init(&m->others);
	return ret;
}
