/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes unused slots of processes and threads, modules and names. The rest keeps its order, so
 * that everything moves down in place.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "machine/private.h"

static void mark_modules(const struct machine *m, bool *used)
{
	for (size_t i = 0; i < m->n_spaces; i++)
		for (size_t k = 0; k < m->spaces[i].n; k++)
			used[m->spaces[i].nodes[k].map.module] = true;
	for (size_t i = 0; i < m->n_events; i++)
		if (m->events[i].kind <= EVENT_UNMAP_KSYMBOL)
			used[m->events[i].module] = true;
}

static int compact_modules(struct machine *m, const bool *used, uint32_t *now,
			   struct strpool_move *names)
{
	uint32_t n = 0;

	for (size_t i = 0; i < m->n_modules; i++) {
		now[i] = used[i] ? n++ : PTUI_NONE;
		if (!used[i])
			continue;
		m->modules[now[i]] = m->modules[i];
		m->modules[now[i]].path = strpool_move(names, m->modules[i].path);
	}
	m->n_modules = n;
	vec_fit(&m->modules, &m->cap_modules, n);
	for (size_t i = 0; i < m->n_spaces; i++)
		for (size_t k = 0; k < m->spaces[i].n; k++)
			m->spaces[i].nodes[k].map.module = now[m->spaces[i].nodes[k].map.module];
	return modules_index(m);
}

static void compact_events(struct machine *m, const uint32_t *modules, struct strpool_move *names)
{
	for (size_t i = 0; i < m->n_events; i++) {
		struct timed_event *e = &m->events[i];

		if (e->kind <= EVENT_UNMAP_KSYMBOL)
			e->module = modules[e->module];
		e->comm = strpool_move(names, e->comm);
	}
}

/* Renumbers a list of slots; dropped ones leave the list. Returns the new length. */
static size_t move_list(uint32_t *list, size_t n, const uint32_t *now)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++)
		if (now[list[i]] != PTUI_NONE)
			list[to++] = now[list[i]];
	return to;
}

/* A process without spaces has been dropped. */
static int compact_procs(struct machine *m)
{
	uint32_t *now = malloc((m->n_procs + 1) * sizeof(*now)), n = 0;
	int ret;

	if (!now)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_procs; i++) {
		now[i] = m->procs[i].n ? n++ : PTUI_NONE;
		if (m->procs[i].n)
			m->procs[now[i]] = m->procs[i];
		else
			free(m->procs[i].spaces);
	}
	m->n_procs = n;
	vec_fit(&m->procs, &m->cap_procs, n);
	for (size_t i = 0; i < m->n_spaces; i++)
		if (m->spaces[i].proc != PTUI_NONE)
			m->spaces[i].proc = now[m->spaces[i].proc];
	m->n_ended = move_list(m->ended, m->n_ended, now);
	m->n_with_former = move_list(m->with_former, m->n_with_former, now);
	ret = procs_index(m);
	free(now);
	return ret;
}

static int compact_threads(struct machine *m, struct strpool_move *names)
{
	uint32_t *now = malloc((m->n_threads + 1) * sizeof(*now)), n = 0;
	size_t kept = 0;
	int ret;

	if (!now)
		return -ENOMEM;
	for (size_t i = 0; i < m->n_threads; i++) {
		struct thread *t = &m->threads[i];

		now[i] = t->dropped ? PTUI_NONE : n++;
		if (t->dropped) {
			free(t->spans);
			continue;
		}
		for (size_t k = 0; k < t->n; k++)
			t->spans[k].comm = strpool_move(names, t->spans[k].comm);
		m->threads[now[i]] = *t;
	}
	m->n_threads = n;
	vec_fit(&m->threads, &m->cap_threads, n);
	for (size_t i = 0; i < m->n_ended_threads; i++) {
		struct ended_thread e = m->ended_threads[i];

		e.thread = now[e.thread];
		if (e.thread != PTUI_NONE)
			m->ended_threads[kept++] = e;
	}
	m->n_ended_threads = kept;
	ret = threads_index(m);
	free(now);
	return ret;
}

static int compare_ords(const void *va, const void *vb)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;

	return a < b ? -1 : a > b;
}

static uint32_t rank_of(const uint32_t *ords, size_t n, uint32_t ord)
{
	return (uint32_t)bisect(i, n, ords[i] < ord);
}

/* Renumbers the ages (ord) that are in use, before 32 bits overflow. */
static int compact_ords(struct machine *m)
{
	size_t n = m->n_spaces, kept = 0;
	uint32_t *ords;

	for (size_t i = 0; i < m->n_spaces; i++)
		n += m->spaces[i].n;
	ords = malloc((n + 1) * sizeof(*ords));
	if (!ords)
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < m->n_spaces; i++) {
		if (m->spaces[i].parent != PTUI_NONE)
			ords[n++] = m->spaces[i].parent_ord;
		for (size_t k = 0; k < m->spaces[i].n; k++)
			ords[n++] = m->spaces[i].nodes[k].ord;
	}
	if (n)
		qsort(ords, n, sizeof(*ords), compare_ords);
	for (size_t i = 0; i < n; i++)
		if (!i || ords[i] != ords[kept - 1])
			ords[kept++] = ords[i];
	for (size_t i = 0; i < m->n_spaces; i++) {
		m->spaces[i].parent_ord = rank_of(ords, kept, m->spaces[i].parent_ord);
		for (size_t k = 0; k < m->spaces[i].n; k++)
			m->spaces[i].nodes[k].ord = rank_of(ords, kept, m->spaces[i].nodes[k].ord);
	}
	m->n_sealed = (uint32_t)kept;
	free(ords);
	return 0;
}

int machine_compact(struct machine *m, struct strpool_move *names, bool *used_modules,
		    uint32_t *ret_modules)
{
	int ret;

	mark_modules(m, used_modules);
	ret = compact_modules(m, used_modules, ret_modules, names);
	if (ret)
		return ret;
	compact_events(m, ret_modules, names);
	for (size_t i = 0; i < m->n_listed; i++)
		m->listed[i].path = strpool_move(names, m->listed[i].path);
	ret = compact_procs(m);
	if (!ret)
		ret = compact_threads(m, names);
	if (!ret)
		ret = compact_ords(m);
	m->swapper = strpool_move(names, m->swapper);
	m->names = names->to;
	return ret;
}

void machine_load(const struct machine *m, struct machine_load *ret)
{
	*ret = (struct machine_load){ .modules = m->n_modules,
				      .procs = m->n_procs,
				      .threads = m->n_threads };
	for (size_t i = 0; i < m->n_spaces; i++)
		ret->maps += m->spaces[i].n;
	ret->bytes = m->n_modules * sizeof(*m->modules) + m->n_procs * sizeof(*m->procs) +
		     m->n_threads * (sizeof(*m->threads) + 4 * sizeof(struct comm_span));
}
