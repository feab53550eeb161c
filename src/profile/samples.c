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

void merged_rows_release(struct merged_rows *m)
{
	free(m->v);
	index_table_release(&m->index);
	m->v = NULL;
	m->n = m->cap = 0;
}

static uint64_t merged_hash(const struct merged_rows *m, const struct merged_row *row)
{
	uint64_t hash = hash_pair((uint64_t)row->frame << 32 | row->comm, row->event);

	if (m->by_thread || m->by_cpu)
		hash = hash_pair(hash, (uint64_t)(m->by_thread ? row->thread : 0) << 32 |
					       (m->by_cpu ? row->cpu : 0));
	return hash;
}

/* A row whose count would exceed its maximum takes no more. */
static bool merged_takes(const struct merged_rows *m, const struct merged_row *to,
			 const struct merged_row *row)
{
	return to->frame == row->frame && to->comm == row->comm && to->event == row->event &&
	       (!m->by_thread || to->thread == row->thread) &&
	       (!m->by_cpu || to->cpu == row->cpu) && to->count <= UINT32_MAX - row->count;
}

static int merged_add_new(struct merged_rows *m, const struct merged_row *row, uint64_t hash)
{
	if (m->n >= PTUI_NONE || vec_grow(&m->v, &m->cap, m->n + 1) ||
	    index_table_add(&m->index, hash, (uint32_t)m->n))
		return -ENOMEM;
	m->v[m->n++] = *row;
	return 0;
}

static int merged_add(struct merged_rows *m, const struct merged_row *row, uint64_t hash)
{
	uint32_t at = index_table_begin(&m->index, hash), i;
	struct merged_row *to;

	do {
		i = index_table_next(&m->index, hash, &at);
	} while (i != PTUI_NONE && !merged_takes(m, &m->v[i], row));
	if (i == PTUI_NONE)
		return merged_add_new(m, row, hash);
	to = &m->v[i];
	to->period += row->period;
	to->count += row->count;
	if (row->time_ns < to->time_ns)
		to->time_ns = row->time_ns;
	return 0;
}

/* What all rows look at is loaded from memory before the first one is added. */
int merged_rows_add(struct merged_rows *m, const struct merged_row *rows, size_t n)
{
	uint64_t hash[MERGED_BATCH];
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		hash[i] = merged_hash(m, &rows[i]);
		index_table_prefetch(&m->index, hash[i]);
	}
	for (size_t i = 0; i < n && n > 1; i++) {
		uint32_t at = index_table_first(&m->index, hash[i]);

		if (at != PTUI_NONE)
			__builtin_prefetch(&m->v[at], 1);
	}
	for (size_t i = 0; i < n && !ret; i++)
		ret = merged_add(m, &rows[i], hash[i]);
	return ret;
}
