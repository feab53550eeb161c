/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "base/thread.h"
#include "base/vec.h"
#include "profile/debug.h"

#define FIRST_ROWS  1024
#define ROW_NODES   4		      /* stack nodes per row that are made room for */
#define DROP_PARTS  16		      /* 1/16 of the cap is dropped at once */
#define MANY_FRAMES 32768	      /* that a thread is worth */
#define MAX_NODES   ((size_t)4 << 20) /* stack nodes; about 50 bytes each in all */

struct store_names {
	atomic_uint refs;
	struct strpool pool;
};

struct published {
	struct ptui_profile profile; /* must be first: release() gets this pointer */
	struct store_memory *held[STORE_ARRAYS];
	struct store_names *names;
};

/* ---- names ---- */

struct store_names *store_names_new(void)
{
	struct store_names *names = calloc(1, sizeof(*names));

	if (names && strpool_init(&names->pool)) {
		free(names);
		return NULL;
	}
	if (names)
		atomic_init(&names->refs, 1);
	return names;
}

struct strpool *store_names_pool(struct store_names *names)
{
	return &names->pool;
}

void store_names_unref(struct store_names *names)
{
	if (!names || atomic_fetch_sub_explicit(&names->refs, 1, memory_order_acq_rel) != 1)
		return;
	strpool_release(&names->pool);
	free(names);
}

/* ---- lifetime ---- */

void store_renumbered(struct profile_store *s)
{
	static _Atomic uint64_t lineages;

	s->renumbered++;
	s->lineage = ++lineages;
}

int profile_store_init(struct profile_store *s, size_t max_rows)
{
	memset(s, 0, sizeof(*s));
	s->columns = (1u << STORE_COLUMNS) - 1 - (1u << STORE_COUNT);
	s->max_rows = max_rows;
	s->max_nodes = max_rows == STORE_UNBOUNDED ? STORE_UNBOUNDED : MAX_NODES;
	samples_init(&s->samples);
	stacks_init(&s->stacks);
	stacks_init(&s->folded);
	frame_table_init(&s->table);
	s->names_memory = store_names_new();
	if (!s->names_memory)
		return -ENOMEM;
	s->names = &s->names_memory->pool;
	store_renumbered(s);
	s->renumbered = 0;
	return 0;
}

void profile_store_release(struct profile_store *s)
{
	samples_release(&s->samples);
	merged_rows_release(&s->merged);
	stacks_release(&s->stacks);
	stacks_release(&s->folded);
	frame_table_release(&s->table);
	for (int k = 0; k < STORE_ARRAYS; k++)
		store_memory_unref(s->arrays[k].mem);
	store_names_unref(s->names_memory);
	store_names_unref(s->next_names);
	free(s->events);
	memset(s, 0, sizeof(*s));
}

void profile_store_merge(struct profile_store *s, bool chains, bool by_thread, bool by_cpu)
{
	s->merges = true;
	s->merged.by_thread = by_thread;
	s->merged.by_cpu = by_cpu;
	s->columns = 1u << STORE_TIME | 1u << STORE_PERIOD | 1u << STORE_COMM | 1u << STORE_FRAME |
		     1u << STORE_EVENT | 1u << STORE_COUNT |
		     (unsigned)(by_thread || chains) << STORE_THREAD |
		     (unsigned)by_cpu << STORE_CPU | (unsigned)chains << STORE_STACK |
		     (unsigned)chains << STORE_HOW;
}

/* ---- adding ---- */

uint32_t profile_store_add_event(struct profile_store *s, const struct ptui_event_info *event)
{
	size_t n = s->n_events;
	struct ptui_event_info *events;
	uint32_t id = strpool_add(s->names, event->name);
	uint32_t group = event->group ? strpool_add(s->names, event->group) : 0;

	if (id == PTUI_NONE || group == PTUI_NONE)
		return PTUI_NONE;
	events = realloc(s->events, (n + 1) * sizeof(*events));
	if (!events)
		return PTUI_NONE;
	s->events = events;
	events[n] = *event;
	events[n].name = strpool_get(s->names, id);
	events[n].group = event->group ? strpool_get(s->names, group) : NULL;
	s->n_events++;
	return (uint32_t)n;
}

size_t profile_store_n_frames(const struct profile_store *s)
{
	return s->arrays[STORE_FRAMES].n;
}

int profile_store_set_modules(struct profile_store *s, const struct profile_frame *of_modules,
			      size_t n)
{
	const struct store_array *a = &s->arrays[STORE_FRAMES];

	return frame_table_set_modules(&s->table, of_modules, n, store_array_at(a, STORE_FRAMES, 0),
				       a->n);
}

/* Frames from `first` to `end` are made by this thread, those from there to `n` by another one at the same time. */
struct frames_maker {
	struct profile_frame *frames;
	void (*set)(void *ctx, size_t i, struct profile_frame *ret);
	void *ctx;
	size_t end, n;
};

static void *make_later_frames(void *ctx)
{
	const struct frames_maker *m = ctx;

	for (size_t i = m->end; i < m->n; i++)
		m->set(m->ctx, i, &m->frames[i]);
	return NULL;
}

/* Numbers the frames up to `end`, and makes them before if `make`. 0 or -ENOMEM. */
static int number_frames(struct profile_store *s, const struct frames_maker *m, size_t end,
			 bool make)
{
	struct store_array *a = &s->arrays[STORE_FRAMES];
	int ret = 0;

	while (!ret && a->n < end) {
		size_t n = end - a->n < FRAME_BATCH ? end - a->n : FRAME_BATCH;

		for (size_t i = a->n; i < a->n + n && make; i++)
			m->set(m->ctx, i, &m->frames[i]);
		ret = frame_table_add(&s->table, m->frames, (uint32_t)a->n, n);
		if (!ret)
			a->n += n;
	}
	return ret;
}

int profile_store_add_frames(struct profile_store *s, size_t n,
			     void (*set)(void *ctx, size_t i, struct profile_frame *ret), void *ctx)
{
	struct store_array *a = &s->arrays[STORE_FRAMES];
	size_t more = n > a->n ? n - a->n : 0;
	int ret = store_array_reserve(a, STORE_FRAMES, more);
	struct frames_maker m = { store_array_at(a, STORE_FRAMES, 0), set, ctx, n, n };
	pthread_t thread;
	bool beside = false;

	if (ret)
		return ret;
	frame_table_reserve(&s->table, n);
	if (more >= MANY_FRAMES) {
		m.end = a->n + more / 2; /* numbering takes as long as making */
		beside = !thread_start(&thread, make_later_frames, &m);
	}
	ret = number_frames(s, &m, beside ? m.end : n, true);
	if (beside) {
		pthread_join(thread, NULL);
		if (!ret)
			ret = number_frames(s, &m, n, false);
	}
	return ret;
}

void profile_store_refresh_threads(struct profile_store *s)
{
	store_array_clear(&s->arrays[STORE_THREADS]);
}

/* ---- rows ---- */

static void point_columns(struct samples *to, const struct store_array *a, size_t first)
{
	to->time_ns = store_array_at(&a[STORE_TIME], STORE_TIME, first);
	to->period = store_array_at(&a[STORE_PERIOD], STORE_PERIOD, first);
	to->thread = store_array_at(&a[STORE_THREAD], STORE_THREAD, first);
	to->comm = store_array_at(&a[STORE_COMM], STORE_COMM, first);
	to->frame = store_array_at(&a[STORE_FRAME], STORE_FRAME, first);
	to->stack = store_array_at(&a[STORE_STACK], STORE_STACK, first);
	to->cpu = store_array_at(&a[STORE_CPU], STORE_CPU, first);
	to->event = store_array_at(&a[STORE_EVENT], STORE_EVENT, first);
	to->how = store_array_at(&a[STORE_HOW], STORE_HOW, first);
	to->count = store_array_at(&a[STORE_COUNT], STORE_COUNT, first);
}

static bool has_column(const struct profile_store *s, int kind)
{
	return s->columns >> kind & 1;
}

/* Makes room for `cap` rows, without those below `first`. 0, or -ENOMEM with the rows unchanged. */
static int move_columns(struct profile_store *s, size_t first, size_t cap)
{
	struct samples *rows = &s->samples;
	struct store_memory *mem[STORE_COLUMNS];
	int n = 0;

	for (; n < STORE_COLUMNS; n++) {
		mem[n] = NULL;
		if (!has_column(s, n))
			continue;
		s->arrays[n].n = rows->n;
		mem[n] = store_array_memory(&s->arrays[n], n, first, cap);
		if (!mem[n])
			break;
	}
	if (n < STORE_COLUMNS) {
		while (n-- > 0)
			if (mem[n] != s->arrays[n].mem)
				free(mem[n]);
		point_columns(rows, s->arrays, 0);
		return -ENOMEM;
	}
	for (int k = 0; k < STORE_COLUMNS; k++)
		if (has_column(s, k))
			store_array_move(&s->arrays[k], k, first, mem[k], cap);
	point_columns(rows, s->arrays, 0);
	rows->n -= first;
	rows->cap = cap;
	s->first -= first;
	s->published -= first;
	return 0;
}

int store_move_rows(struct profile_store *s)
{
	size_t kept = s->samples.n - s->first;

	return move_columns(s, s->first, kept + kept / 2 + FIRST_ROWS);
}

static int reserve_row(struct profile_store *s)
{
	if (s->samples.n < s->samples.cap)
		return 0;
	if (!s->first)
		return move_columns(s, 0, s->samples.cap ? 2 * s->samples.cap : FIRST_ROWS);
	s->stale_stacks = true;
	return store_move_rows(s);
}

void profile_store_reserve(struct profile_store *s, size_t rows, bool chains)
{
	if (s->merges)
		merged_rows_reserve(&s->merged, rows, chains ? rows * ROW_NODES : 0);
	else if (rows > s->samples.cap && rows <= s->max_rows && move_columns(s, 0, rows))
		return;
	if (chains && !s->stacks.shared && rows < PTUI_NONE / ROW_NODES)
		(void)stacks_reserve(&s->stacks, rows * ROW_NODES);
}

int profile_store_add_merged(struct profile_store *s, const struct sample_row *rows, size_t n)
{
	return merged_rows_add_batch(&s->merged, rows, NULL, n);
}

int profile_store_add_row(struct profile_store *s, const struct sample_row *row)
{
	struct samples *t = &s->samples;
	size_t i;
	int ret;

	if (s->merges)
		return merged_rows_add(&s->merged, row, 1);
	ret = reserve_row(s);
	if (ret)
		return ret;
	i = t->n;
	t->time_ns[i] = row->time_ns;
	t->period[i] = row->period;
	t->thread[i] = row->thread;
	t->comm[i] = row->comm;
	t->frame[i] = row->frame;
	t->stack[i] = row->stack;
	t->cpu[i] = row->cpu;
	t->event[i] = row->event;
	t->how[i] = row->how;
	t->n = i + 1;
	return 0;
}

/* Makes columns of the merged rows. 0 or -ENOMEM. */
static int end_merge(struct profile_store *s)
{
	struct merged_rows *m = &s->merged;
	struct samples *t = &s->samples;

	if (merged_rows_end(m))
		return -ENOMEM;
	if (!m->n)
		return 0;
	if (move_columns(s, 0, t->n + m->n))
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++, t->n++) {
		const struct merged_row *row = &m->v[i];

		t->time_ns[t->n] = row->time_ns;
		t->period[t->n] = row->period;
		t->comm[t->n] = row->comm;
		t->frame[t->n] = row->frame;
		t->event[t->n] = row->event;
		t->count[t->n] = row->count;
		if (t->thread)
			t->thread[t->n] = row->thread;
		if (t->cpu)
			t->cpu[t->n] = row->cpu;
		if (t->stack) {
			t->stack[t->n] = row->stack;
			t->how[t->n] = row->how;
		}
	}
	merged_rows_release(m);
	return 0;
}

static void count_rows(struct profile_store *s, size_t first, size_t n, bool added)
{
	const struct samples *t = &s->samples;

	for (size_t i = first; i < first + n; i++) {
		struct ptui_event_info *e;

		if (t->event[i] >= s->n_events)
			continue;
		e = &s->events[t->event[i]];
		e->samples += added ? samples_count(t, i) : -samples_count(t, i);
		e->period += added ? t->period[i] : -t->period[i];
	}
}

void store_drop_rows(struct profile_store *s, size_t n)
{
	count_rows(s, s->first, n, false);
	s->first += n;
	s->dropped += n;
}

/* Counts the new rows, and drops rows above the caps. */
static int publish_rows(struct profile_store *s)
{
	size_t kept;
	int ret = 0;

	count_rows(s, s->published, s->samples.n - s->published, true);
	s->published = s->samples.n;
	kept = s->samples.n - s->first;
	if (kept > s->max_rows)
		store_drop_rows(s, kept - s->max_rows + s->max_rows / DROP_PARTS);
	if (s->stacks.n > s->max_nodes) {
		store_drop_rows(s, (s->samples.n - s->first) / 2);
		ret = store_move_rows(s);
		s->stale_stacks = true;
	}
	if (!ret && s->stale_stacks)
		ret = store_compact_stacks(s);
	return ret;
}

/* ---- publication ---- */

static int publish_stacks(struct profile_store *s)
{
	const struct frame_brief *briefs = s->table.briefs;
	struct store_array *nodes = &s->arrays[STORE_NODES], *folded = &s->arrays[STORE_FOLDED];
	struct store_array *of = &s->arrays[STORE_FOLDED_OF], *ends = &s->arrays[STORE_ENDS];
	size_t had = nodes->n;
	int ret;

	ret = store_array_reserve(of, STORE_FOLDED_OF, s->stacks.n - had);
	if (!ret)
		ret = frames_fold(briefs, &s->stacks, had, &s->folded,
				  store_array_at(of, STORE_FOLDED_OF, 0));
	if (!ret)
		ret = store_array_share_nodes(nodes, &s->stacks);
	if (!ret)
		ret = store_array_reserve(ends, STORE_ENDS, s->folded.n - ends->n);
	if (!ret) {
		frames_find_ends(briefs, &s->folded, ends->n, store_array_at(ends, STORE_ENDS, 0));
		ends->n = s->folded.n;
		ret = store_array_share_nodes(folded, &s->folded);
	}
	if (!ret)
		of->n = s->stacks.n;
	return ret;
}

/* Columns and stacks have nothing to do with each other, and take as long. */
struct publication {
	struct profile_store *s;
	int ret[2];
};

static void publish_half(void *ctx, size_t half)
{
	struct publication *p = ctx;

	p->ret[half] = half ? end_merge(p->s) : publish_stacks(p->s);
}

static int publish_merged(struct profile_store *s)
{
	struct publication p = { .s = s };

	thread_each(2, publish_half, &p);
	return p.ret[0] ? p.ret[0] : p.ret[1];
}

static int publish_all(struct profile_store *s)
{
	struct store_array *threads = &s->arrays[STORE_THREADS], *names = &s->arrays[STORE_NAMES];
	int ret = s->merges ? publish_merged(s) : 0;

	if (!ret)
		ret = publish_rows(s);
	if (!ret && !s->merges)
		ret = publish_stacks(s);
	if (!ret)
		ret = store_array_add(threads, STORE_THREADS, s->samples.threads + threads->n,
				      s->samples.n_threads - threads->n);
	if (!ret)
		ret = store_array_add(names, STORE_NAMES, s->names->names + names->n,
				      s->names->n - names->n);
	return ret;
}

static void published_release(struct ptui_profile *p)
{
	struct published *made = (struct published *)p;

	for (int k = 0; k < STORE_ARRAYS; k++)
		store_memory_unref(made->held[k]);
	store_names_unref(made->names);
	profile_release_debug(p);
	free(p->sockets);
	free(p->host);
	free(p->event_keys);
	blocks_release(&p->blocks);
	tuples_release(&p->history);
	trace_values_release(&p->trace);
	free(p->extras);
	free(p->extra_of);
	free(p->thread_counts);
	free(p->header[0]);
	free(p->header[1]);
	free(p->events);
	free(made);
}

static void point_profile(struct ptui_profile *p, const struct profile_store *s)
{
	const struct store_array *a = s->arrays;
	struct samples *rows = &p->samples;

	rows->n = rows->cap = s->samples.n - s->first;
	point_columns(rows, a, s->first);
	rows->threads = store_array_at(&a[STORE_THREADS], STORE_THREADS, 0);
	rows->n_threads = rows->cap_threads = a[STORE_THREADS].n;
	p->stacks.nodes = store_array_at(&a[STORE_NODES], STORE_NODES, 0);
	p->stacks.n = p->stacks.cap = a[STORE_NODES].n;
	p->folded.nodes = store_array_at(&a[STORE_FOLDED], STORE_FOLDED, 0);
	p->folded.n = p->folded.cap = a[STORE_FOLDED].n;
	p->ends = store_array_at(&a[STORE_ENDS], STORE_ENDS, 0);
	p->folded_of = store_array_at(&a[STORE_FOLDED_OF], STORE_FOLDED_OF, 0);
	p->frames = store_array_at(&a[STORE_FRAMES], STORE_FRAMES, 0);
	p->n_frames = a[STORE_FRAMES].n;
	p->names.names = store_array_at(&a[STORE_NAMES], STORE_NAMES, 0);
	p->names.n = (uint32_t)a[STORE_NAMES].n;
	p->names.cap = a[STORE_NAMES].n;
}

struct ptui_profile *profile_store_publish(struct profile_store *s, const struct ptui_trust *trust)
{
	struct published *made = calloc(1, sizeof(*made));
	struct ptui_profile *p;

	if (!made)
		return NULL;
	p = &made->profile;
	p->events = malloc((s->n_events + 1) * sizeof(*p->events));
	if (!p->events || publish_all(s)) {
		free(p->events);
		free(made);
		return NULL;
	}
	atomic_init(&p->refs, 1);
	p->release = published_release;
	if (s->n_events)
		memcpy(p->events, s->events, s->n_events * sizeof(*p->events));
	p->n_events = s->n_events;
	p->trust = *trust;
	p->lineage = s->lineage;
	p->dropped = s->dropped;
	point_profile(p, s);
	for (int k = 0; k < STORE_ARRAYS; k++) {
		made->held[k] = store_memory_ref(s->arrays[k].mem);
	}
	made->names = s->names_memory;
	atomic_fetch_add_explicit(&made->names->refs, 1, memory_order_relaxed);
	return p;
}

/* ---- memory ---- */

static uint64_t names_bytes(const struct strpool *p)
{
	return p->text.bytes + p->cap * sizeof(*p->names) +
	       (p->index.slots ? ((uint64_t)p->index.mask + 1) * sizeof(*p->index.slots) : 0);
}

static uint64_t held_bytes(const struct published *made, int from, int end)
{
	uint64_t sum = 0;

	for (int k = from; k < end; k++)
		sum += store_memory_bytes(made->held[k]);
	return sum;
}

void ptui_profile_memory(const struct ptui_profile *p, struct ptui_profile_memory *ret)
{
	const struct published *made = (const struct published *)(p->owner ? p->owner : p);

	*ret = (struct ptui_profile_memory){
		.rows = p->samples.n,
		.columns = held_bytes(made, 0, STORE_COLUMNS),
		.threads = held_bytes(made, STORE_THREADS, STORE_NODES),
		.stacks = held_bytes(made, STORE_NODES, STORE_FRAMES),
		.frames = held_bytes(made, STORE_FRAMES, STORE_NAMES),
		.names = held_bytes(made, STORE_NAMES, STORE_ARRAYS) +
			 names_bytes(&made->names->pool),
		.extras = p->extra_of ? p->n_extras * sizeof(*p->extras) +
						p->samples.n * sizeof(*p->extra_of) :
					0,
	};
	for (size_t i = 0; i < p->n_events; i++)
		ret->samples += p->events[i].samples;
	for (int k = 0; k < STORE_COLUMNS; k++)
		ret->row_bytes += made->held[k] ? store_element_bytes[k] : 0;
	ret->total = ret->columns + ret->stacks + ret->frames + ret->threads + ret->names +
		     ret->extras;
}
