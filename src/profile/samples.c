/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/samples.h"

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
