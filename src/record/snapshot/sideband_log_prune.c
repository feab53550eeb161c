/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks the sideband that samples after the horizon need.
 *
 *	time ----->                                horizon
 *	FORK a   COMM a   MAP 1   EXEC a'  MAP 2 .. | ...        all after it is kept
 *	  ^         -       -        ^       ^
 *	  begins a life              the newest name; maps since the last exec, unless newer ones
 *	                             cover them
 *
 * A "life" is a process from its fork to the reuse of its id. A living process keeps its maps at
 * the horizon. Without an exec it also has the maps of its parent at the fork, even if the parent
 * has exited or called exec since: so these are kept too, and recursively those of the parent's
 * parent. The same holds for the names of threads without a COMM. All else is dropped.
 *
 * A process whose FORK is not in the log may have threads that are not known: it ends only when its
 * id is reused.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/vec.h"
#include "record/snapshot/sideband_log_private.h"

/* "Place" is an index in order of time; PTUI_NONE: none. */
struct life {
	uint32_t fork;	 /* place of its start */
	uint32_t parent; /* life whose maps it inherited */
	uint32_t last;	 /* place of its newest map or exec; a chain through `before` */
	int32_t n_tasks;
	bool seen; /* its start is in the log */
	bool over; /* its id has been reused */
};

struct task {
	uint32_t life, parent;	   /* index of the task */
	uint32_t fork, exit;	   /* places */
	uint32_t comm, namespaces; /* places of the newest records */
	bool named;		   /* its name is needed: keep its EXIT as well */
};

/* The current life or task of an id. */
struct number {
	int32_t number;
	uint32_t has; /* index of the life or task */
};

struct numbers {
	struct number *v;
	size_t n, cap;
	struct index_table index;
};

struct span {
	uint64_t start, end;
};

struct place {
	uint64_t time_ns;
	uint32_t entry;
	uint32_t before_in_maps,
		before_in_comms; /* place of the previous record of that life or task */
};

struct marking {
	const struct sideband_log *h;
	struct place *places;
	uint32_t n; /* entries before the horizon */
	bool *keep; /* by entry */
	struct life *lives;
	size_t n_lives, cap_lives;
	struct task *tasks;
	size_t n_tasks, cap_tasks;
	struct numbers pids, tids;
	struct span *covered; /* by newer maps: sorted, disjoint */
	size_t n_covered, cap_covered;
};

/* ---- ids ---- */

static bool number_same(const void *owner, uint32_t index, const void *key)
{
	return ((const struct numbers *)owner)->v[index].number == *(const int32_t *)key;
}

/* NULL: unused id. */
static struct number *number_find(const struct numbers *t, int32_t number)
{
	uint32_t i = index_table_find(&t->index, hash_u64((uint32_t)number), number_same, t,
				      &number);

	return i == PTUI_NONE ? NULL : &t->v[i];
}

static uint32_t number_has(const struct numbers *t, int32_t number)
{
	const struct number *found = number_find(t, number);

	return found ? found->has : PTUI_NONE;
}

static int number_give(struct numbers *t, int32_t number, uint32_t has)
{
	struct number *found = number_find(t, number);

	if (found) {
		found->has = has;
		return 0;
	}
	if (vec_grow(&t->v, &t->cap, t->n + 1) ||
	    index_table_add(&t->index, hash_u64((uint32_t)number), (uint32_t)t->n))
		return -ENOMEM;
	t->v[t->n++] = (struct number){ number, has };
	return 0;
}

static void numbers_release(struct numbers *t)
{
	free(t->v);
	index_table_release(&t->index);
}

/* ---- lives and tasks ---- */

static const struct sideband_entry *entry_at(const struct marking *m, uint32_t place)
{
	return &m->h->v[m->places[place].entry];
}

/* The index, or PTUI_NONE: out of memory. */
static uint32_t life_new(struct marking *m, int32_t pid, const struct life *l)
{
	uint32_t before = number_has(&m->pids, pid), i = (uint32_t)m->n_lives;

	if (vec_grow(&m->lives, &m->cap_lives, m->n_lives + 1) || number_give(&m->pids, pid, i))
		return PTUI_NONE;
	if (before != PTUI_NONE)
		m->lives[before].over = true;
	m->lives[m->n_lives++] = *l;
	return i;
}

static uint32_t life_of(struct marking *m, int32_t pid)
{
	static const struct life unseen = { .fork = PTUI_NONE,
					    .parent = PTUI_NONE,
					    .last = PTUI_NONE };
	uint32_t i = number_has(&m->pids, pid);

	return i != PTUI_NONE ? i : life_new(m, pid, &unseen);
}

static uint32_t task_new(struct marking *m, uint32_t life, int32_t tid, uint32_t fork,
			 uint32_t parent)
{
	uint32_t i = (uint32_t)m->n_tasks;

	if (vec_grow(&m->tasks, &m->cap_tasks, m->n_tasks + 1) || number_give(&m->tids, tid, i))
		return PTUI_NONE;
	m->tasks[m->n_tasks++] = (struct task){ .life = life,
						.parent = parent,
						.fork = fork,
						.exit = PTUI_NONE,
						.comm = PTUI_NONE,
						.namespaces = PTUI_NONE };
	m->lives[life].n_tasks++;
	return i;
}

static uint32_t task_of(struct marking *m, int32_t pid, int32_t tid)
{
	uint32_t life = life_of(m, pid), i = number_has(&m->tids, tid);

	if (life == PTUI_NONE || (i != PTUI_NONE && m->tasks[i].life == life))
		return life == PTUI_NONE ? PTUI_NONE : i;
	return task_new(m, life, tid, PTUI_NONE, PTUI_NONE);
}

static int apply_fork(struct marking *m, uint32_t at)
{
	const struct sideband_entry *e = entry_at(m, at);
	struct life born = { .fork = at,
			     .parent = PTUI_NONE,
			     .last = PTUI_NONE,
			     .seen = e->time_ns && !e->no_maps };
	uint32_t life;

	if (!e->no_maps)
		born.parent = number_has(&m->pids, e->ppid);
	life = e->pid == e->ppid ? life_of(m, e->pid) : life_new(m, e->pid, &born);
	if (life == PTUI_NONE)
		return -ENOMEM;
	return task_new(m, life, e->tid, at, number_has(&m->tids, e->ptid)) == PTUI_NONE ? -ENOMEM :
											   0;
}

static int apply_exit(struct marking *m, uint32_t at)
{
	const struct sideband_entry *e = entry_at(m, at);
	uint32_t i = number_has(&m->tids, e->tid);

	if (i == PTUI_NONE || m->tasks[i].exit != PTUI_NONE)
		return 0;
	m->tasks[i].exit = at;
	m->lives[m->tasks[i].life].n_tasks--;
	return 0;
}

static int apply_map(struct marking *m, uint32_t at)
{
	uint32_t life = life_of(m, entry_at(m, at)->pid);

	if (life == PTUI_NONE)
		return -ENOMEM;
	m->places[at].before_in_maps = m->lives[life].last;
	m->lives[life].last = at;
	return 0;
}

static int apply_comm(struct marking *m, uint32_t at)
{
	const struct sideband_entry *e = entry_at(m, at);
	uint32_t task = task_of(m, e->pid, e->tid);

	if (task == PTUI_NONE)
		return -ENOMEM;
	m->places[at].before_in_comms = m->tasks[task].comm;
	m->tasks[task].comm = at;
	return e->kind == SIDEBAND_EXEC ? apply_map(m, at) : 0;
}

static int apply_namespaces(struct marking *m, uint32_t at)
{
	const struct sideband_entry *e = entry_at(m, at);
	uint32_t task = task_of(m, e->pid, e->tid);

	if (task == PTUI_NONE)
		return -ENOMEM;
	m->tasks[task].namespaces = at;
	return 0;
}

static int apply_other(struct marking *m, uint32_t at)
{
	m->keep[m->places[at].entry] = entry_at(m, at)->kind == SIDEBAND_STAYS;
	return 0;
}

static int (*const apply_by_kind[])(struct marking *m, uint32_t at) = {
	[SIDEBAND_STAYS] = apply_other, [SIDEBAND_MOMENT] = apply_other,
	[SIDEBAND_MAP] = apply_map,	[SIDEBAND_COMM] = apply_comm,
	[SIDEBAND_EXEC] = apply_comm,	[SIDEBAND_NAMESPACES] = apply_namespaces,
	[SIDEBAND_FORK] = apply_fork,	[SIDEBAND_EXIT] = apply_exit,
};

/* ---- covered address ranges ---- */

/* Index of the first range that ends after `start`. */
static size_t covered_from(const struct marking *m, uint64_t start)
{
	return bisect(i, m->n_covered, m->covered[i].end < start);
}

/* Adds a range. 1: already covered completely; 0, or -ENOMEM. */
static int add_covered(struct marking *m, uint64_t start, uint64_t end)
{
	size_t i = covered_from(m, start), to = i;
	struct span all = { start, end };

	if (i < m->n_covered && m->covered[i].start <= start && m->covered[i].end >= end)
		return 1;
	for (; to < m->n_covered && m->covered[to].start <= end; to++) {
		if (m->covered[to].start < all.start)
			all.start = m->covered[to].start;
		if (m->covered[to].end > all.end)
			all.end = m->covered[to].end;
	}
	if (to == i && vec_grow(&m->covered, &m->cap_covered, m->n_covered + 1))
		return -ENOMEM;
	memmove(m->covered + i + 1, m->covered + to, (m->n_covered - to) * sizeof(*m->covered));
	m->n_covered = m->n_covered + 1 - (to - i);
	m->covered[i] = all;
	return 0;
}

/* ---- what to keep ---- */

static void keep_place(struct marking *m, uint32_t at)
{
	if (at != PTUI_NONE)
		m->keep[m->places[at].entry] = true;
}

/* Keeps the maps of a life before place `until`, with inherited ones. */
static int keep_maps(struct marking *m, uint32_t life, uint32_t until)
{
	m->n_covered = 0;
	while (life != PTUI_NONE) {
		const struct life *l = &m->lives[life];

		keep_place(m, l->fork);
		for (uint32_t at = l->last; at != PTUI_NONE; at = m->places[at].before_in_maps) {
			const struct sideband_entry *e = entry_at(m, at);
			int ret = at >= until		   ? 1 :
				  e->kind == SIDEBAND_EXEC ? 0 :
							     add_covered(m, e->start, e->end);

			if (ret < 0)
				return ret;
			if (!ret)
				keep_place(m, at);
			if (at < until && e->kind == SIDEBAND_EXEC)
				return 0;
		}
		until = l->fork;
		life = l->parent;
	}
	return 0;
}

/* Keeps the name of a task before place `until`; a task without one has its parent's name. */
static void keep_name(struct marking *m, uint32_t task, uint32_t until)
{
	while (task != PTUI_NONE) {
		struct task *t = &m->tasks[task];
		uint32_t at = t->comm;

		t->named = true;
		keep_place(m, t->fork);
		keep_place(m, m->lives[t->life].fork);
		while (at != PTUI_NONE && at >= until)
			at = m->places[at].before_in_comms;
		keep_place(m, at);
		if (at != PTUI_NONE)
			return;
		until = t->fork;
		task = t->parent;
	}
}

static bool life_is_current(const struct life *l)
{
	return !l->over && (!l->seen || l->n_tasks > 0);
}

static int keep_current_lives(struct marking *m)
{
	int ret = 0;

	for (size_t i = 0; i < m->n_lives && !ret; i++)
		if (life_is_current(&m->lives[i]))
			ret = keep_maps(m, (uint32_t)i, m->n);
	for (size_t i = 0; i < m->tids.n && !ret; i++) {
		uint32_t task = m->tids.v[i].has;
		const struct task *t = &m->tasks[task];

		if (t->exit != PTUI_NONE || !life_is_current(&m->lives[t->life]))
			continue;
		keep_name(m, task, m->n);
		keep_place(m, t->namespaces);
	}
	/* if a kept task has exited, keep its EXIT */
	for (size_t i = 0; i < m->n_tasks; i++) {
		const struct task *t = &m->tasks[i];

		if (t->named || (t->fork != PTUI_NONE && m->keep[m->places[t->fork].entry]))
			keep_place(m, t->exit);
	}
	return ret;
}

/* ---- marking ---- */

static int place_compare(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static int sort_places(struct marking *m, uint64_t horizon_ns)
{
	const struct sideband_log *h = m->h;

	m->places = calloc(h->n + 1, sizeof(*m->places));
	if (!m->places)
		return -ENOMEM;
	for (uint32_t i = 0; i < h->n; i++) {
		m->keep[i] = h->v[i].time_ns > horizon_ns;
		if (!m->keep[i])
			m->places[m->n++] = (struct place){ h->v[i].time_ns, i, PTUI_NONE,
							    PTUI_NONE };
	}
	qsort(m->places, m->n, sizeof(*m->places), place_compare);
	return 0;
}

int sideband_log_mark(const struct sideband_log *h, uint64_t horizon_ns, bool *keep)
{
	struct marking m = { .h = h, .keep = keep };
	int ret = sort_places(&m, horizon_ns);

	index_table_init(&m.pids.index);
	index_table_init(&m.tids.index);
	for (uint32_t at = 0; at < m.n && !ret; at++)
		ret = apply_by_kind[entry_at(&m, at)->kind](&m, at);
	if (!ret)
		ret = keep_current_lives(&m);
	numbers_release(&m.pids);
	numbers_release(&m.tids);
	free(m.places);
	free(m.lives);
	free(m.tasks);
	free(m.covered);
	return ret;
}

/* ---- processes without samples ---- */

static bool numbers_contain(const struct numbers *t, int32_t number)
{
	return number_find(t, number) != NULL;
}

/* The processes with samples or with records of a moment, and their ancestors. */
static int find_wanted(const struct sideband_log *h, const struct sideband_pids *sampled,
		       const bool *keep, struct numbers *wanted)
{
	size_t before;
	int ret = 0;

	for (size_t i = 0; i < sampled->n && !ret; i++)
		ret = number_give(wanted, sampled->v[i], 0);
	for (size_t i = 0; i < h->n && !ret; i++)
		if (keep[i] && h->v[i].kind == SIDEBAND_MOMENT)
			ret = number_give(wanted, h->v[i].pid, 0);
	do {
		before = wanted->n;
		for (size_t i = h->n; i-- > 0 && !ret;)
			if (h->v[i].kind == SIDEBAND_FORK && numbers_contain(wanted, h->v[i].pid))
				ret = number_give(wanted, h->v[i].ppid, 0);
	} while (!ret && wanted->n > before);
	return ret;
}

int sideband_log_mark_sampled(const struct sideband_log *h, uint64_t settled_ns,
			      const struct sideband_pids *sampled, bool *keep)
{
	bool *later = calloc(h->n + 1, sizeof(*later));
	struct numbers wanted = { .n = 0 };
	int ret = -ENOMEM;

	index_table_init(&wanted.index);
	if (later)
		ret = sideband_log_mark(h, settled_ns, later);
	if (!ret)
		ret = find_wanted(h, sampled, keep, &wanted);
	for (size_t i = 0; i < h->n && !ret; i++)
		keep[i] &= later[i] || h->v[i].kind == SIDEBAND_MOMENT ||
			   numbers_contain(&wanted, h->v[i].pid);
	numbers_release(&wanted);
	free(later);
	return ret;
}
