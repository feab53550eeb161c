/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread was called, and when. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
	m->threads[i] = (struct thread){ .tid = tid, .last = PTUI_NONE };
	m->n_threads++;
	return i;
}

static int span_add(struct machine *m, uint32_t thread, uint64_t when, uint32_t comm)
{
	if (vec_grow(&m->spans, &m->cap_spans, m->n_spans + 1) < 0)
		return -ENOMEM;
	m->spans[m->n_spans] = (struct comm_span){ .when = when, .comm = comm, .thread = thread };
	m->threads[thread].last = (uint32_t)m->n_spans++;
	m->threads[thread].n++;
	return 0;
}

static int take_comm(struct machine *m, const struct event *e)
{
	uint32_t thread = thread_get(m, e->tid), last;

	if (thread == PTUI_NONE)
		return -ENOMEM;
	last = m->threads[thread].last;
	if (last == PTUI_NONE) /* the first name is the name from ever, as perf has it */
		return span_add(m, thread, 0, e->comm);
	if (m->spans[last].comm == PTUI_NONE) {
		m->spans[last].comm = e->comm;
		return 0;
	}
	return span_add(m, thread, e->when, e->comm);
}

static int take_fork(struct machine *m, const struct event *e)
{
	uint32_t parent = thread_find(m, e->ptid), thread = thread_get(m, e->tid);
	uint32_t comm = PTUI_NONE;

	if (thread == PTUI_NONE)
		return -ENOMEM;
	if (!e->ptid)
		comm = m->swapper;
	else if (parent != PTUI_NONE && m->threads[parent].last != PTUI_NONE)
		comm = m->spans[m->threads[parent].last].comm;
	return span_add(m, thread, e->when, comm);
}

static int span_compare(const void *va, const void *vb, void *arg)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;
	const struct comm_span *spans = arg;

	if (spans[a].thread != spans[b].thread)
		return spans[a].thread < spans[b].thread ? -1 : 1;
	return a < b ? -1 : a > b; /* made in order of age */
}

/* Puts the spans of a thread side by side. */
static int spans_order(struct machine *m)
{
	uint32_t *order = calloc(m->n_spans + 1, sizeof(*order));
	struct comm_span *sorted = calloc(m->n_spans + 1, sizeof(*sorted));
	uint32_t first = 0;
	size_t i;
	int ret = -ENOMEM;

	if (!order || !sorted)
		goto out;
	for (i = 0; i < m->n_spans; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, m->n_spans, sizeof(*order), span_compare, m->spans);
	for (i = 0; i < m->n_spans; i++)
		sorted[i] = m->spans[order[i]];
	free(m->spans);
	m->spans = sorted;
	sorted = NULL;
	for (i = 0; i < m->n_threads; i++) {
		m->threads[i].first = first;
		first += m->threads[i].n;
	}
	ret = 0;
out:
	free(order);
	free(sorted);
	return ret;
}

static int unnamed_fill(struct machine *m)
{
	char text[16];
	size_t i;

	for (i = 0; i < m->n_spans; i++) {
		if (m->spans[i].comm != PTUI_NONE)
			continue;
		snprintf(text, sizeof(text), ":%d", (int)m->threads[m->spans[i].thread].tid);
		m->spans[i].comm = strpool_add(m->names, text);
		if (m->spans[i].comm == PTUI_NONE)
			return -ENOMEM;
	}
	return 0;
}

int comms_build(struct machine *m)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < m->n_events && !ret; i++) {
		const struct event *e = &m->events[i];

		if (e->kind == EVENT_COMM || e->kind == EVENT_EXEC)
			ret = take_comm(m, e);
		else if (e->kind == EVENT_FORK)
			ret = take_fork(m, e);
	}
	if (!ret)
		ret = spans_order(m);
	if (!ret)
		ret = unnamed_fill(m);
	return ret;
}

uint32_t machine_comm(const struct machine *m, int32_t pid, int32_t tid, uint64_t when)
{
	uint32_t i = thread_find(m, tid), lo = 0, hi;
	const struct thread *t;

	(void)pid; /* a tid is one thread of the whole system at a time */
	if (!tid)
		return m->swapper;
	if (i == PTUI_NONE)
		return PTUI_NONE;
	t = &m->threads[i];
	hi = t->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->spans[t->first + mid].when <= when)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? m->spans[t->first + lo - 1].comm : PTUI_NONE;
}
