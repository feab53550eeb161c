/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thread names over time. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "machine/private.h"

static bool thread_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct machine *)owner)->threads[index].tid == *(const int32_t *)key;
}

static uint32_t thread_find(const struct machine *m, int32_t tid)
{
	return index_table_find(&m->thread_index, hash_u64((uint32_t)tid), thread_same, m, &tid);
}

static uint32_t thread_get(struct machine *m, int32_t tid)
{
	uint32_t i = thread_find(m, tid);

	if (i != PTUI_NONE)
		return i;
	i = (uint32_t)m->n_threads;
	if (vec_grow(&m->threads, &m->cap_threads, m->n_threads + 1) < 0 ||
	    index_table_add(&m->thread_index, hash_u64((uint32_t)tid), i) < 0)
		return PTUI_NONE;
	m->threads[i] = (struct thread){ .tid = tid };
	m->n_threads++;
	return i;
}

int threads_index(struct machine *m)
{
	int ret = 0;

	index_table_release(&m->thread_index);
	index_table_init(&m->thread_index);
	for (size_t i = 0; i < m->n_threads && !ret; i++)
		ret = index_table_add(&m->thread_index, hash_u64((uint32_t)m->threads[i].tid),
				      (uint32_t)i);
	return ret;
}

/* Drops the names that ended before `when`: a long-lived thread may be renamed all day. */
static void thread_drop_spans(struct thread *t, uint64_t when)
{
	size_t first = 0;

	while (first + 1 < t->n && t->spans[first + 1].when <= when)
		first++;
	if (!first)
		return;
	t->n -= first;
	memmove(t->spans, t->spans + first, t->n * sizeof(*t->spans));
}

/* `comm` PTUI_NONE: unknown. Times of one thread do not decrease, even if a record came late. */
static int span_add(struct machine *m, struct thread *t, uint64_t when, uint32_t comm)
{
	bool named = comm != PTUI_NONE;
	char text[16];

	if (t->n == t->cap)
		thread_drop_spans(t, m->dropped_before);

	if (!named) {
		snprintf(text, sizeof(text), ":%d", (int)t->tid);
		comm = strpool_add(m->names, text);
	}
	if (comm == PTUI_NONE || vec_grow(&t->spans, &t->cap, t->n + 1) < 0)
		return -ENOMEM;
	if (t->n && t->spans[t->n - 1].when > when)
		when = t->spans[t->n - 1].when;
	t->spans[t->n++] = (struct comm_span){ .when = when, .comm = comm, .named = named };
	t->dropped = false;
	return 0;
}

static int thread_add_comm(struct machine *m, const struct timed_event *e)
{
	uint32_t i = thread_get(m, e->tid);
	struct comm_span *last;
	struct thread *t;

	if (i == PTUI_NONE)
		return -ENOMEM;
	t = &m->threads[i];
	if (!e->when)
		t->untimed_seq = e->seq;
	if (!t->n) /* the first name holds from the start, as in perf */
		return span_add(m, t, 0, e->comm);
	last = &t->spans[t->n - 1];
	if (last->named) {
		/* the names of all threads, written when the recording ended: no name of its beginning */
		if (e->when && !last->when && t->n > 1 && e->seq < t->untimed_seq)
			t->n--;
		return span_add(m, t, e->when, e->comm);
	}
	last->comm = e->comm;
	last->named = true;
	return 0;
}

static int thread_add_fork(struct machine *m, const struct timed_event *e)
{
	uint32_t i = thread_get(m, e->tid), parent = thread_find(m, e->ptid);
	uint32_t comm = PTUI_NONE;

	if (i == PTUI_NONE)
		return -ENOMEM;
	if (!e->ptid) {
		comm = m->swapper;
	} else if (parent != PTUI_NONE && m->threads[parent].n) {
		const struct thread *p = &m->threads[parent];

		if (p->spans[p->n - 1].named)
			comm = p->spans[p->n - 1].comm;
	}
	return span_add(m, &m->threads[i], e->when, comm);
}

int comms_build(struct machine *m, size_t n)
{
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++) {
		const struct timed_event *e = &m->events[i];

		if (e->kind == EVENT_COMM || e->kind == EVENT_EXEC)
			ret = thread_add_comm(m, e);
		else if (e->kind == EVENT_FORK)
			ret = thread_add_fork(m, e);
		else if (e->kind == EVENT_EXIT && thread_find(m, e->tid) != PTUI_NONE)
			ret = thread_ends(m, thread_find(m, e->tid), e->when);
	}
	return ret;
}

uint32_t machine_comm_span(const struct machine *m, int32_t tid, uint64_t when, uint64_t *ret_from,
			   uint64_t *ret_last)
{
	uint32_t i = thread_find(m, tid);
	const struct thread *t;
	size_t n;

	*ret_from = 0;
	*ret_last = UINT64_MAX;
	if (!tid)
		return m->swapper;
	if (i == PTUI_NONE)
		return PTUI_NONE;
	t = &m->threads[i];
	n = bisect(at, t->n, t->spans[at].when <= when);
	if (n < t->n)
		*ret_last = t->spans[n].when - 1;
	if (!n)
		return PTUI_NONE;
	*ret_from = t->spans[n - 1].when;
	return t->spans[n - 1].comm;
}

uint32_t machine_comm(const struct machine *m, int32_t pid, int32_t tid, uint64_t when)
{
	uint64_t from, last;

	(void)pid; /* a tid belongs to one thread of the system at a time */
	return machine_comm_span(m, tid, when, &from, &last);
}
