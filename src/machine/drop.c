/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops what ended long ago: a day of short commands would fill the memory with their maps.
 * Processes and threads keep their slots until machine_compact().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "machine/private.h"

void machine_track_ends(struct machine *m)
{
	m->track_ends = true;
}

void proc_begins(struct proc *p, bool counted)
{
	p->counted = counted;
	p->n_tasks = 1;
	p->ended = UINT64_MAX;
}

int proc_loses_task(struct machine *m, uint32_t proc, uint64_t when)
{
	struct proc *p = &m->procs[proc];

	if (!p->counted || --p->n_tasks > 0)
		return 0;
	if (vec_grow(&m->ended, &m->cap_ended, m->n_ended + 1))
		return -ENOMEM;
	p->ended = when;
	m->ended[m->n_ended++] = proc;
	return 0;
}

int thread_ends(struct machine *m, uint32_t thread, uint64_t when)
{
	if (vec_grow(&m->ended_threads, &m->cap_ended_threads, m->n_ended_threads + 1))
		return -ENOMEM;
	m->ended_threads[m->n_ended_threads++] = (struct ended_thread){ thread, when };
	return 0;
}

/* Frees a space that no child falls back to, then its parent if it has become such a space. */
static void space_release(struct machine *m, uint32_t id)
{
	while (id != PTUI_NONE && m->spaces[id].dropped && !m->spaces[id].n_children) {
		struct space *s = &m->spaces[id];
		uint32_t parent = s->parent;

		/* without memory the id is just not reused */
		if (!vec_grow(&m->free_spaces, &m->cap_free_spaces, m->n_free_spaces + 1))
			m->free_spaces[m->n_free_spaces++] = id;
		free(s->nodes);
		*s = (struct space){ .parent = PTUI_NONE, .proc = PTUI_NONE };
		if (parent != PTUI_NONE)
			m->spaces[parent].n_children--;
		id = parent;
	}
}

static void proc_drop(struct machine *m, struct proc *p)
{
	for (size_t i = 0; i < p->n; i++) {
		m->spaces[p->spaces[i]].dropped = true;
		space_release(m, p->spaces[i]);
	}
	free(p->spaces);
	p->spaces = NULL;
	p->n = p->cap = 0;
}

/* Keeps the last name, for lists of threads. Does nothing if the tid was reused after the end. */
static void thread_drop(struct machine *m, const struct ended_thread *ended)
{
	struct thread *t = &m->threads[ended->thread];
	struct comm_span *last;

	if (!t->n || t->spans[t->n - 1].when > ended->when)
		return;
	t->dropped = true;
	if (t->n < 2)
		return;
	t->spans[0] = t->spans[t->n - 1];
	t->n = 1;
	last = realloc(t->spans, sizeof(*last));
	if (last) {
		t->spans = last;
		t->cap = 1;
	}
}

/* Drops the spaces of a process before an exec, or of an earlier process with the same pid. */
static void proc_drop_former(struct machine *m, struct proc *p, uint64_t when)
{
	uint32_t now = spaces_begun(m, p, when);
	size_t i;

	if (now < 2)
		return;
	for (i = 0; i + 1 < now; i++) {
		m->spaces[p->spaces[i]].dropped = true;
		space_release(m, p->spaces[i]);
	}
	p->n -= i;
	memmove(p->spaces, p->spaces + i, p->n * sizeof(*p->spaces));
}

static void drop_former_spaces(struct machine *m, uint64_t when)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n_with_former; i++) {
		proc_drop_former(m, &m->procs[m->with_former[i]], when);
		if (m->procs[m->with_former[i]].n > 1)
			m->with_former[kept++] = m->with_former[i];
	}
	m->n_with_former = kept;
}

/* Without memory the maps stay, and are tried again. */
static void drop_covered_maps(struct machine *m, uint64_t when)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n_crowded; i++) {
		struct space *s = &m->spaces[m->crowded[i]];

		if (s->n && space_prune(m, m->crowded[i], when))
			m->crowded[kept++] = m->crowded[i];
		else
			s->crowded = false;
	}
	m->n_crowded = kept;
}

static void drop_ended(struct machine *m, uint64_t when)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n_ended; i++) {
		struct proc *p = &m->procs[m->ended[i]];

		if (p->ended == UINT64_MAX)
			continue; /* the pid belongs to a new process */
		if (p->ended < when) {
			proc_drop(m, p);
			p->ended = UINT64_MAX;
			p->counted = false;
		} else {
			m->ended[kept++] = m->ended[i];
		}
	}
	m->n_ended = kept;
	for (size_t i = kept = 0; i < m->n_ended_threads; i++) {
		if (m->ended_threads[i].when < when)
			thread_drop(m, &m->ended_threads[i]);
		else
			m->ended_threads[kept++] = m->ended_threads[i];
	}
	m->n_ended_threads = kept;
}

void machine_drop_ended(struct machine *m, uint64_t when)
{
	if (!m->track_ends || when <= m->dropped_before)
		return;
	m->dropped_before = when;
	drop_ended(m, when);
	drop_former_spaces(m, when);
	drop_covered_maps(m, when);
}
