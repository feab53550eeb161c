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
	free(m->by_stack);
	index_table_release(&m->others);
	*m = (struct merged_rows){ .by_thread = m->by_thread, .by_cpu = m->by_cpu };
	index_table_init(&m->others);
}

/* Memory that stays unused costs nothing. 0 or -ENOMEM. */
static int merged_grow_stacks(struct merged_rows *m, size_t n)
{
	size_t cap = n < 2 * m->cap_stacks ? 2 * m->cap_stacks : n;
	uint32_t *first;

	if (n <= m->cap_stacks)
		return 0;
	first = calloc(cap, sizeof(*first));
	if (!first)
		return -ENOMEM;
	memory_at_random(first, cap * sizeof(*first));
	if (m->cap_stacks)
		memcpy(first, m->by_stack, m->cap_stacks * sizeof(*first));
	free(m->by_stack);
	m->by_stack = first;
	m->cap_stacks = cap;
	return 0;
}

void merged_rows_reserve(struct merged_rows *m, size_t n, size_t stacks)
{
	if (!vec_grow(&m->v, &m->cap, n) && !merged_grow_stacks(m, stacks))
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

/* No row before merged_rows_begin_last() has its stack. */
static bool merged_is_new(const struct merged_rows *m, const struct sample_row *row)
{
	return m->last && row->stack != PTUI_NONE && row->stack >= m->n_stacks;
}

/* The list of the row's stack; NULL: it has none. */
static uint32_t *merged_list(const struct merged_rows *m, const struct sample_row *row)
{
	return row->stack == PTUI_NONE || merged_is_new(m, row) ? NULL : &m->by_stack[row->stack];
}

static int merged_add_listed(struct merged_rows *m, const struct sample_row *row, uint32_t count)
{
	uint32_t *list = merged_list(m, row), at = *list;
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

/* What all look at is loaded from memory before the first one is added. */
int merged_rows_add_flat(struct merged_rows *m, const struct sample_row *rows,
			 const uint32_t *counts, size_t n)
{
	uint64_t hash[MERGED_BATCH];
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		hash[i] = merged_hash(m, &rows[i]);
		index_table_prefetch(&m->others, hash[i]);
	}
	for (size_t i = 0; i < n && n > 1; i++) {
		uint32_t at = index_table_first(&m->others, hash[i]);

		if (at != PTUI_NONE)
			__builtin_prefetch(&m->v[at], 1);
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = merged_add_hashed(m, &rows[i], counts ? counts[i] : 1, hash[i]);
	return ret;
}

static int add_one_waiting(struct merged_rows *m, const struct sample_row *row, uint32_t count)
{
	if (merged_is_new(m, row))
		return merged_add_new(m, row, count, 0);
	return row->stack == PTUI_NONE ? merged_add_hashed(m, row, count, merged_hash(m, row)) :
					 merged_add_listed(m, row, count);
}

static int add_waiting(struct merged_rows *m)
{
	size_t n = m->n_waiting;
	int ret = 0;

	m->n_waiting = 0;
	for (size_t i = 0; i < n; i++) {
		const struct sample_row *row = &m->waiting[i];

		if (row->stack == PTUI_NONE || merged_is_new(m, row))
			continue;
		if (merged_grow_stacks(m, (size_t)row->stack + 1))
			return -ENOMEM;
		__builtin_prefetch(merged_list(m, row), 1);
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t *list = merged_list(m, &m->waiting[i]);

		if (list && *list)
			__builtin_prefetch(&m->v[*list - 1], 1);
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = add_one_waiting(m, &m->waiting[i], m->counts[i]);
	return ret;
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

	free(m->by_stack);
	m->by_stack = NULL;
	m->cap_stacks = 0;
	index_table_release(&m->others);
	index_table_init(&m->others);
	return ret;
}
