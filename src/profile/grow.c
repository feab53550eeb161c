/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/grow.h"

#include <errno.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

#define FIRST_ELEMENTS	1024
#define LEAVE_PARTS	16 /* so much of the cap leaves at once */
#define MAX_NODES	((size_t)4 << 20) /* of stacks; each takes some 50 bytes in all */

struct grow_memory {
	atomic_uint refs;
	alignas(max_align_t) unsigned char bytes[];
};

struct grow_names {
	atomic_uint refs;
	struct strpool pool;
};

struct published {
	struct ptui_profile profile; /* first: release() is given this */
	struct grow_memory *held[GROW_ARRAYS];
	struct grow_names *names;
};

static const size_t element_bytes[GROW_ARRAYS] = {
	[GROW_TIME] = sizeof(uint64_t),
	[GROW_PERIOD] = sizeof(uint64_t),
	[GROW_THREAD] = sizeof(uint32_t),
	[GROW_COMM] = sizeof(uint32_t),
	[GROW_FRAME] = sizeof(uint32_t),
	[GROW_STACK] = sizeof(uint32_t),
	[GROW_CPU] = sizeof(uint32_t),
	[GROW_EVENT] = sizeof(uint16_t),
	[GROW_THREADS] = sizeof(struct thread_id),
	[GROW_NODES] = sizeof(struct stack_node),
	[GROW_FOLDED] = sizeof(struct stack_node),
	[GROW_FOLDED_OF] = sizeof(uint32_t),
	[GROW_FRAMES] = sizeof(struct profile_frame),
	[GROW_NAMES] = sizeof(const char *),
};

/* ---- memory that several hold ---- */

static struct grow_memory *memory_new(size_t bytes)
{
	struct grow_memory *m = malloc(sizeof(*m) + bytes);

	if (m)
		atomic_init(&m->refs, 1);
	return m;
}

static void memory_unref(struct grow_memory *m)
{
	if (m && atomic_fetch_sub_explicit(&m->refs, 1, memory_order_acq_rel) == 1)
		free(m);
}

static struct grow_names *names_new(void)
{
	struct grow_names *s = calloc(1, sizeof(*s));

	if (s && strpool_init(&s->pool)) {
		free(s);
		return NULL;
	}
	if (s)
		atomic_init(&s->refs, 1);
	return s;
}

static void names_unref(struct grow_names *s)
{
	if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
		return;
	strpool_release(&s->pool);
	free(s);
}

static void *array_at(const struct grow_array *a, int kind, size_t i)
{
	return a->mem ? a->mem->bytes + i * element_bytes[kind] : NULL;
}

/* A place of its own for the elements from `first` on, with room for `cap`. */
static int array_move(struct grow_array *a, int kind, size_t first, size_t cap)
{
	struct grow_memory *mem;

	if (cap > PTRDIFF_MAX / element_bytes[kind] - 1)
		return -ENOMEM;
	mem = memory_new(cap * element_bytes[kind]);
	if (!mem)
		return -ENOMEM;
	if (a->n > first)
		memcpy(mem->bytes, array_at(a, kind, first), (a->n - first) * element_bytes[kind]);
	memory_unref(a->mem);
	a->mem = mem;
	a->cap = cap;
	a->n -= first;
	return 0;
}

static int array_reserve(struct grow_array *a, int kind, size_t more)
{
	size_t cap = a->cap ? a->cap : FIRST_ELEMENTS;

	if (a->mem && a->n + more <= a->cap)
		return 0;
	while (cap < a->n + more)
		cap *= 2;
	return array_move(a, kind, 0, cap);
}

static int array_add(struct grow_array *a, int kind, const void *elements, size_t n)
{
	int ret = array_reserve(a, kind, n);

	if (ret)
		return ret;
	if (n)
		memcpy(array_at(a, kind, a->n), elements, n * element_bytes[kind]);
	a->n += n;
	return 0;
}

/* ---- beginning and end ---- */

/* Ids of before mean something else now. */
static void renumbered(struct profile_grow *g)
{
	static _Atomic uint64_t lineages;

	g->renumbered++;
	g->lineage = ++lineages;
}

int profile_grow_init(struct profile_grow *g, size_t max_samples)
{
	memset(g, 0, sizeof(*g));
	g->max = max_samples;
	g->max_nodes = MAX_NODES;
	samples_init(&g->samples);
	stacks_init(&g->stacks);
	stacks_init(&g->folded);
	frame_table_init(&g->table);
	g->store = names_new();
	if (!g->store)
		return -ENOMEM;
	g->names = &g->store->pool;
	renumbered(g);
	g->renumbered = 0;
	return 0;
}

void profile_grow_release(struct profile_grow *g)
{
	samples_release(&g->samples);
	stacks_release(&g->stacks);
	stacks_release(&g->folded);
	frame_table_release(&g->table);
	for (int k = 0; k < GROW_ARRAYS; k++)
		memory_unref(g->arrays[k].mem);
	names_unref(g->store);
	names_unref(g->next_store);
	free(g->events);
	memset(g, 0, sizeof(*g));
}

uint32_t profile_grow_event(struct profile_grow *g, const char *name, bool has_callchains)
{
	size_t n = g->n_events;
	struct ptui_event_info *events;
	uint32_t id = strpool_add(g->names, name);

	if (id == PTUI_NONE)
		return PTUI_NONE;
	events = realloc(g->events, (n + 1) * sizeof(*events));
	if (!events)
		return PTUI_NONE;
	g->events = events;
	events[n] = (struct ptui_event_info){ .name = strpool_get(g->names, id),
					      .has_callchains = has_callchains };
	g->n_events++;
	return (uint32_t)n;
}

int profile_grow_frames(struct profile_grow *g, size_t n,
			void (*facts)(void *ctx, size_t i, struct profile_frame_facts *ret),
			void *ctx)
{
	struct grow_array *a = &g->arrays[GROW_FRAMES];
	int ret = array_reserve(a, GROW_FRAMES, n > a->n ? n - a->n : 0);

	while (!ret && a->n < n) {
		struct profile_frame *f = array_at(a, GROW_FRAMES, a->n);
		struct profile_frame_facts one;

		memset(f, 0, sizeof(*f));
		facts(ctx, a->n, &one);
		ret = frame_table_add(&g->table, (uint32_t)a->n, &one, f);
		if (!ret)
			a->n++;
	}
	return ret;
}

void profile_grow_rename(struct profile_grow *g)
{
	memory_unref(g->arrays[GROW_THREADS].mem);
	g->arrays[GROW_THREADS] = (struct grow_array){ 0 };
}

/* ---- samples come and leave ---- */

static const void *fresh_column(const struct samples *s, int column)
{
	const void *const columns[GROW_COLUMNS] = {
		[GROW_TIME] = s->time_ns, [GROW_PERIOD] = s->period, [GROW_THREAD] = s->thread,
		[GROW_COMM] = s->comm, [GROW_FRAME] = s->frame, [GROW_STACK] = s->stack,
		[GROW_CPU] = s->cpu, [GROW_EVENT] = s->event,
	};

	return columns[column];
}

/* Marks the stacks that rows use, and what these hang on. */
static void mark_used(const struct stacks *s, const uint32_t *ids, size_t n, bool *used)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t at = ids[i]; at != PTUI_NONE && !used[at]; at = s->nodes[at].parent)
			used[at] = true;
}

static void renumber(uint32_t *ids, size_t n, const uint32_t *now)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] != PTUI_NONE)
			ids[i] = now[ids[i]];
}

/* New tables of stacks, of those that the rows from `first` on and the fresh ones use. */
static int leave_stacks(struct profile_grow *g, uint32_t *ids, size_t n)
{
	bool *used = calloc(g->stacks.n + 1, sizeof(*used));
	uint32_t *now = malloc((g->stacks.n + 1) * sizeof(*now));
	struct stacks kept;
	int ret = used && now ? 0 : -ENOMEM;

	stacks_init(&kept);
	if (ret)
		goto out;
	mark_used(&g->stacks, ids, n, used);
	mark_used(&g->stacks, g->samples.stack, g->samples.n, used);
	for (size_t i = 0; i < g->stacks.n; i++) {
		struct stack_node node = g->stacks.nodes[i];

		if (!used[i])
			continue;
		now[i] = stacks_push(&kept, node.parent == PTUI_NONE ? PTUI_NONE : now[node.parent],
				     node.frame);
		if (now[i] == PTUI_NONE) {
			ret = -ENOMEM;
			goto out;
		}
	}
	renumber(ids, n, now);
	renumber(g->samples.stack, g->samples.n, now);
	stacks_release(&g->stacks);
	stacks_release(&g->folded);
	g->stacks = kept;
	stacks_init(&kept);
	for (int k = GROW_NODES; k <= GROW_FOLDED_OF; k++) {
		memory_unref(g->arrays[k].mem);
		g->arrays[k] = (struct grow_array){ 0 };
	}
	renumbered(g);
out:
	stacks_release(&kept);
	free(used);
	free(now);
	return ret;
}

/* The rows move to a new place, without those that have left. */
static int move_rows(struct profile_grow *g)
{
	size_t live = g->arrays[GROW_TIME].n - g->first;
	size_t cap = live + live / 2 + g->samples.n + FIRST_ELEMENTS;
	int ret = 0;

	for (int k = 0; k < GROW_COLUMNS && !ret; k++)
		ret = array_move(&g->arrays[k], k, g->first, cap);
	if (ret)
		return ret;
	g->first = 0;
	return leave_stacks(g, array_at(&g->arrays[GROW_STACK], GROW_STACK, 0), live);
}

static void count_rows(struct profile_grow *g, size_t first, size_t n, bool come)
{
	const uint16_t *event = array_at(&g->arrays[GROW_EVENT], GROW_EVENT, first);
	const uint64_t *period = array_at(&g->arrays[GROW_PERIOD], GROW_PERIOD, first);

	for (size_t i = 0; i < n; i++) {
		struct ptui_event_info *e;

		if (event[i] >= g->n_events)
			continue;
		e = &g->events[event[i]];
		e->samples += come ? 1 : -(uint64_t)1;
		e->period += come ? period[i] : -period[i];
	}
}

static void leave_rows(struct profile_grow *g, size_t n)
{
	count_rows(g, g->first, n, false);
	g->first += n;
	g->left += n;
}

static int take_rows(struct profile_grow *g)
{
	size_t had = g->arrays[GROW_TIME].n, n;
	int ret = 0;

	if (g->first && had + g->samples.n > g->arrays[GROW_TIME].cap) {
		ret = move_rows(g);
		had = g->arrays[GROW_TIME].n;
	}
	for (int k = 0; k < GROW_COLUMNS && !ret; k++)
		ret = array_add(&g->arrays[k], k, fresh_column(&g->samples, k), g->samples.n);
	if (ret)
		return ret;
	count_rows(g, had, g->samples.n, true);
	g->samples.n = 0;
	n = g->arrays[GROW_TIME].n;
	if (n - g->first > g->max)
		leave_rows(g, n - g->first - g->max + g->max / LEAVE_PARTS);
	if (g->stacks.n <= g->max_nodes)
		return 0;
	leave_rows(g, (n - g->first) / 2);
	return move_rows(g);
}

/* ---- what nobody has any more leaves ---- */

int profile_grow_settle(struct profile_grow *g, bool half)
{
	if (half)
		leave_rows(g, (g->arrays[GROW_TIME].n - g->first + 1) / 2);
	return move_rows(g);
}

void profile_grow_mark_frames(const struct profile_grow *g, bool *used)
{
	const uint32_t *frames = array_at(&g->arrays[GROW_FRAME], GROW_FRAME, g->first);

	for (size_t i = 0; i < g->arrays[GROW_FRAME].n - g->first; i++)
		used[frames[i]] = true;
	for (size_t i = 0; i < g->stacks.n; i++)
		used[g->stacks.nodes[i].frame] = true;
}

int profile_grow_move_names(struct profile_grow *g, struct strpool_move *mv)
{
	names_unref(g->next_store);
	g->next_store = names_new();
	return g->next_store ? strpool_move_init(mv, g->names, &g->next_store->pool) : -ENOMEM;
}

static int squeeze_stacks(struct profile_grow *g, const uint32_t *frames)
{
	struct stacks to;

	stacks_init(&to);
	for (size_t i = 0; i < g->stacks.n; i++) {
		/* other frames make other hashes; the nodes stay in their order */
		if (stacks_push(&to, g->stacks.nodes[i].parent,
				frames[g->stacks.nodes[i].frame]) == PTUI_NONE) {
			stacks_release(&to);
			return -ENOMEM;
		}
	}
	stacks_release(&g->stacks);
	g->stacks = to;
	return 0;
}

static int squeeze_threads(struct profile_grow *g, struct strpool_move *names)
{
	uint32_t *rows = array_at(&g->arrays[GROW_THREAD], GROW_THREAD, 0), n = 0;
	struct samples *s = &g->samples;
	uint32_t *now = malloc((s->n_threads + 1) * sizeof(*now));

	if (!now)
		return -ENOMEM;
	memset(now, 0xff, (s->n_threads + 1) * sizeof(*now));
	for (size_t i = 0; i < g->arrays[GROW_THREAD].n; i++)
		now[rows[i]] = 0;
	for (size_t i = 0; i < s->n_threads; i++) {
		struct thread_id id = s->threads[i];

		if (now[i] == PTUI_NONE)
			continue;
		now[i] = n;
		id.last_comm = strpool_move(names, id.last_comm);
		s->threads[n++] = id;
	}
	s->n_threads = n;
	vec_fit(&s->threads, &s->cap_threads, n);
	renumber(rows, g->arrays[GROW_THREAD].n, now);
	free(now);
	return samples_threads_index(s);
}

static void squeeze_names(struct profile_grow *g, struct strpool_move *names)
{
	uint32_t *rows = array_at(&g->arrays[GROW_COMM], GROW_COMM, 0);

	for (size_t i = 0; i < g->arrays[GROW_COMM].n; i++)
		rows[i] = strpool_move(names, rows[i]);
	for (size_t i = 0; i < g->n_events; i++)
		g->events[i].name = strpool_get(names->to, strpool_add(names->to, g->events[i].name));
	names_unref(g->store);
	g->store = g->next_store;
	g->next_store = NULL;
	g->names = &g->store->pool;
}

int profile_grow_squeeze(struct profile_grow *g, const uint32_t *frames, struct strpool_move *names)
{
	renumber(array_at(&g->arrays[GROW_FRAME], GROW_FRAME, 0), g->arrays[GROW_FRAME].n, frames);
	if (squeeze_stacks(g, frames) || squeeze_threads(g, names))
		return -ENOMEM;
	squeeze_names(g, names);
	frame_table_release(&g->table);
	frame_table_init(&g->table);
	stacks_release(&g->folded);
	stacks_init(&g->folded);
	for (int k = GROW_COLUMNS; k < GROW_ARRAYS; k++) {
		memory_unref(g->arrays[k].mem);
		g->arrays[k] = (struct grow_array){ 0 };
	}
	renumbered(g);
	return names->failed ? -ENOMEM : 0;
}

size_t profile_grow_bytes(const struct profile_grow *g)
{
	return g->names->text.bytes + g->names->n * (2 * sizeof(char *) + 2 * sizeof(uint64_t)) +
	       g->samples.n_threads * 2 * sizeof(struct thread_id) +
	       g->arrays[GROW_FRAMES].n * (sizeof(struct profile_frame) + 64);
}

/* ---- publication ---- */

static int take_stacks(struct profile_grow *g)
{
	const struct profile_frame *frames = array_at(&g->arrays[GROW_FRAMES], GROW_FRAMES, 0);
	struct grow_array *nodes = &g->arrays[GROW_NODES], *folded = &g->arrays[GROW_FOLDED];
	struct grow_array *of = &g->arrays[GROW_FOLDED_OF];
	size_t had = nodes->n, more = g->stacks.n - had;
	int ret;

	ret = array_reserve(of, GROW_FOLDED_OF, more);
	if (!ret)
		ret = frames_fold(frames, &g->stacks, had, &g->folded,
				  array_at(of, GROW_FOLDED_OF, 0));
	if (!ret)
		ret = array_add(nodes, GROW_NODES, g->stacks.nodes + had, more);
	if (!ret)
		ret = array_add(folded, GROW_FOLDED, g->folded.nodes + folded->n,
				g->folded.n - folded->n);
	if (!ret)
		of->n = g->stacks.n;
	return ret;
}

static int take_all(struct profile_grow *g)
{
	struct grow_array *threads = &g->arrays[GROW_THREADS], *names = &g->arrays[GROW_NAMES];
	int ret = take_rows(g);

	if (!ret)
		ret = take_stacks(g);
	if (!ret)
		ret = array_add(threads, GROW_THREADS, g->samples.threads + threads->n,
				g->samples.n_threads - threads->n);
	if (!ret)
		ret = array_add(names, GROW_NAMES, g->names->names + names->n,
				g->names->n - names->n);
	return ret;
}

static void published_release(struct ptui_profile *p)
{
	struct published *made = (struct published *)p;

	for (int k = 0; k < GROW_ARRAYS; k++)
		memory_unref(made->held[k]);
	names_unref(made->names);
	free(p->events);
	free(made);
}

static void show_arrays(struct ptui_profile *p, const struct profile_grow *g)
{
	const struct grow_array *a = g->arrays;
	struct samples *s = &p->samples;

	s->n = s->cap = a[GROW_TIME].n - g->first;
	s->time_ns = array_at(&a[GROW_TIME], GROW_TIME, g->first);
	s->period = array_at(&a[GROW_PERIOD], GROW_PERIOD, g->first);
	s->thread = array_at(&a[GROW_THREAD], GROW_THREAD, g->first);
	s->comm = array_at(&a[GROW_COMM], GROW_COMM, g->first);
	s->frame = array_at(&a[GROW_FRAME], GROW_FRAME, g->first);
	s->stack = array_at(&a[GROW_STACK], GROW_STACK, g->first);
	s->cpu = array_at(&a[GROW_CPU], GROW_CPU, g->first);
	s->event = array_at(&a[GROW_EVENT], GROW_EVENT, g->first);
	s->threads = array_at(&a[GROW_THREADS], GROW_THREADS, 0);
	s->n_threads = s->cap_threads = a[GROW_THREADS].n;
	p->stacks.nodes = array_at(&a[GROW_NODES], GROW_NODES, 0);
	p->stacks.n = p->stacks.cap = a[GROW_NODES].n;
	p->folded.nodes = array_at(&a[GROW_FOLDED], GROW_FOLDED, 0);
	p->folded.n = p->folded.cap = a[GROW_FOLDED].n;
	p->folded_of = array_at(&a[GROW_FOLDED_OF], GROW_FOLDED_OF, 0);
	p->frames = array_at(&a[GROW_FRAMES], GROW_FRAMES, 0);
	p->n_frames = a[GROW_FRAMES].n;
	p->names.names = array_at(&a[GROW_NAMES], GROW_NAMES, 0);
	p->names.n = (uint32_t)a[GROW_NAMES].n;
	p->names.cap = a[GROW_NAMES].n;
}

struct ptui_profile *profile_grow_publish(struct profile_grow *g, const struct ptui_trust *trust)
{
	struct published *made = calloc(1, sizeof(*made));
	struct ptui_profile *p;

	if (!made)
		return NULL;
	p = &made->profile;
	p->events = malloc((g->n_events + 1) * sizeof(*p->events));
	if (!p->events || take_all(g)) {
		free(p->events);
		free(made);
		return NULL;
	}
	atomic_init(&p->refs, 1);
	p->release = published_release;
	if (g->n_events)
		memcpy(p->events, g->events, g->n_events * sizeof(*p->events));
	p->n_events = g->n_events;
	p->trust = *trust;
	p->lineage = g->lineage;
	p->left = g->left;
	show_arrays(p, g);
	for (int k = 0; k < GROW_ARRAYS; k++) {
		made->held[k] = g->arrays[k].mem;
		if (made->held[k])
			atomic_fetch_add_explicit(&made->held[k]->refs, 1, memory_order_relaxed);
	}
	made->names = g->store;
	atomic_fetch_add_explicit(&made->names->refs, 1, memory_order_relaxed);
	return p;
}
