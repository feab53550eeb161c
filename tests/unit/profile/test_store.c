/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing store against one that keeps everything: whatever was dropped, moved or renumbered, a
 * profile has the last samples with their stacks.
 */
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "profile/store.h"

#define MAX	 500
#define ROUNDS	 60
#define N_FRAMES 40
#define N_MANY	 (ROUNDS * 200)

struct told {
	uint64_t time_ns;
	uint32_t frames[8]; /* outermost first */
	uint32_t n_frames;
};

static struct told told[N_MANY];
static size_t n_told;
static uint32_t n_known = N_FRAMES; /* frames so far */
static uint64_t rng = 12345;

static uint32_t rnd(uint32_t n)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(rng >> 33) % n;
}

#define FIRST_UNNAMED 16
#define FIRST_NOWHERE 28

/*
 * Frames 2k and 2k + 1 are two addresses in one function; then come frames without a name, which are
 * functions of their own; then the same address in two processes, outside of all modules.
 */
static void set_frame(void *ctx, size_t i, struct profile_frame *ret)
{
	bool nowhere = i >= FIRST_NOWHERE;

	(void)ctx;
	*ret = (struct profile_frame){ .addr = nowhere ? i / 2 * 8 : i * 8,
				       .raw_addr = i * 8,
				       .dso = nowhere ? PTUI_NONE : 0,
				       .short_name = nowhere ? PTUI_NONE : 0,
				       .why = PTUI_NONE,
				       .no_cfi = PTUI_NONE,
				       .sym_name = PTUI_NONE,
				       .level = '.' };
	if (i < FIRST_UNNAMED)
		frame_set_symbol(ret, 0, i / 2 * 16, i / 2 * 16 + 16);
}

static uint32_t face_of(uint32_t frame)
{
	return frame < FIRST_UNNAMED || frame >= FIRST_NOWHERE ? frame & ~1u : frame;
}

static void add_sample(struct profile_store *g)
{
	struct told *t = &told[n_told];
	struct sample_row row = {
		.time_ns = n_told, .period = 3, .stack = PTUI_NONE, .event = (uint16_t)rnd(2)
	};

	t->time_ns = n_told++;
	t->n_frames = rnd(9);
	for (uint32_t i = 0, path = STACKS_NO_PATH; i < t->n_frames; i++) {
		t->frames[i] = rnd(n_known);
		path = stacks_path(path, t->frames[i]);
		row.stack = stacks_push_path(&g->stacks, row.stack, t->frames[i], path);
		assert_int_not_equal(row.stack, PTUI_NONE);
	}
	row.thread = samples_thread(&g->samples, 1, (int32_t)rnd(50));
	assert_int_equal(profile_store_add_row(g, &row), 0);
}

static void check(const struct ptui_profile *p, size_t first, size_t n)
{
	uint64_t samples = 0, period = 0;

	assert_int_equal(p->samples.n, n);
	for (size_t i = 0; i < n; i++) {
		const struct told *t = &told[first + i];
		uint32_t at = p->samples.stack[i], depth = t->n_frames;
		uint32_t folded = at == PTUI_NONE ? PTUI_NONE : p->folded_of[at];

		assert_int_equal(p->samples.time_ns[i], t->time_ns);
		for (; at != PTUI_NONE; at = p->stacks.nodes[at].parent) {
			assert_true(at < p->stacks.n && folded < p->folded.n && depth > 0);
			assert_int_equal(p->stacks.nodes[at].frame, t->frames[--depth]);
			assert_int_equal(p->folded.nodes[folded].frame, face_of(t->frames[depth]));
			folded = p->folded.nodes[folded].parent;
		}
		assert_int_equal(depth, 0);
		assert_int_equal(folded, PTUI_NONE);
	}
	for (size_t e = 0; e < p->n_events; e++) {
		samples += p->events[e].samples;
		period += p->events[e].period;
	}
	assert_int_equal(samples, n);
	assert_int_equal(period, 3 * n);
}

static void the_last_samples_with_their_stacks(void **state)
{
	static const struct ptui_trust trust = { .lost_events = 4 };
	struct ptui_profile *kept[ROUNDS];
	size_t first[ROUNDS], n[ROUNDS];
	struct profile_store g;
	size_t nodes = 0;

	(void)state;
	assert_int_equal(profile_store_init(&g, MAX), 0);
	assert_int_equal(
		profile_store_add_event(&g, &(struct ptui_event_info){ .name = "a",
								       .has_callchains = true }),
		0);
	assert_int_equal(
		profile_store_add_event(&g, &(struct ptui_event_info){ .name = "b",
								       .has_callchains = false }),
		1);
	for (int round = 0; round < ROUNDS; round++) {
		/* some come after another frame of their function was published */
		n_known = round < 11 ? FIRST_NOWHERE + 1 + (uint32_t)round : N_FRAMES;
		for (uint32_t i = rnd(200); i > 0; i--)
			add_sample(&g);
		assert_int_equal(profile_store_add_frames(&g, n_known, set_frame, NULL), 0);
		kept[round] = profile_store_publish(&g, &trust);
		assert_non_null(kept[round]);
		/* nothing is copied */
		assert_ptr_equal(kept[round]->stacks.nodes, g.stacks.nodes);
		assert_ptr_equal(kept[round]->folded.nodes, g.folded.nodes);
		first[round] = g.dropped;
		n[round] = n_told - g.dropped;
		assert_true(n[round] <= MAX);
		check(kept[round], first[round], n[round]);
		if (kept[round]->stacks.n > nodes)
			nodes = kept[round]->stacks.n;
	}
	assert_true(g.dropped > 0 && g.renumbered > 0);
	/* stacks are dropped with their samples: all would be some thousand */
	assert_true(kept[ROUNDS - 1]->stacks.n <= nodes && nodes < (size_t)n_told * 3);
	profile_store_release(&g);
	for (int round = 0; round < ROUNDS; round++) {
		check(kept[round], first[round], n[round]);
		assert_int_equal(kept[round]->trust.lost_events, 4);
		assert_string_equal(kept[round]->events[1].name, "b");
		ptui_profile_unref(kept[round]);
	}
}

/* If hardly two stacks are alike, stacks reach their cap first. */
static void stacks_have_a_cap_of_their_own(void **state)
{
	static const struct ptui_trust trust = { 0 };
	struct ptui_profile *p, *kept = NULL;
	struct profile_store g;
	size_t kept_first = 0, kept_n = 0;

	(void)state;
	n_told = 0;
	assert_int_equal(profile_store_init(&g, N_MANY), 0);
	g.max_nodes = 3000;
	assert_int_equal(
		profile_store_add_event(&g, &(struct ptui_event_info){ .name = "a",
								       .has_callchains = true }),
		0);
	assert_int_equal(
		profile_store_add_event(&g, &(struct ptui_event_info){ .name = "b",
								       .has_callchains = true }),
		1);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 100; i++)
			add_sample(&g);
		assert_int_equal(profile_store_add_frames(&g, N_FRAMES, set_frame, NULL), 0);
		p = profile_store_publish(&g, &trust);
		assert_non_null(p);
		/* the cap, and the stacks of one round */
		assert_true(p->stacks.n <= 3000 + 100 * 8);
		assert_true(p->samples.n >= 100 / 2);
		check(p, g.dropped, n_told - g.dropped);
		if (round == 5) {
			kept = p;
			kept_first = g.dropped;
			kept_n = n_told - g.dropped;
		} else {
			ptui_profile_unref(p);
		}
	}
	assert_true(g.dropped > 0);
	/* old profiles stay valid */
	check(kept, kept_first, kept_n);
	ptui_profile_unref(kept);
	profile_store_release(&g);
}

/* Unused threads and names are dropped; old profiles still have them. */
static void unused_names_are_dropped(void **state)
{
	static const struct ptui_trust trust = { 0 };
	struct ptui_profile *before, *after;
	uint32_t same[N_FRAMES];
	struct strpool_move names;
	bool used[N_FRAMES] = { false };
	struct profile_store g;
	unsigned renumbered;

	(void)state;
	n_told = 0;
	assert_int_equal(profile_store_init(&g, MAX), 0);
	assert_int_equal(
		profile_store_add_event(&g, &(struct ptui_event_info){ .name = "a",
								       .has_callchains = true }),
		0);
	assert_int_equal(
		profile_store_add_event(&g, &(struct ptui_event_info){ .name = "b",
								       .has_callchains = true }),
		1);
	for (int i = 0; i < 100; i++)
		add_sample(&g);
	strpool_add(g.names, "nobody's");
	assert_int_equal(profile_store_add_frames(&g, N_FRAMES, set_frame, NULL), 0);
	before = profile_store_publish(&g, &trust);
	check(before, 0, 100);
	renumbered = g.renumbered;
	for (int i = 0; i < 4; i++)
		assert_int_equal(profile_store_compact_rows(&g, true), 0);
	assert_int_equal(g.dropped, 94);
	profile_store_mark_frames(&g, used);
	for (uint32_t i = 0; i < N_FRAMES; i++) {
		same[i] = i;
		for (size_t t = 94; t < 100; t++)
			for (uint32_t k = 0; k < told[t].n_frames; k++)
				assert_true(told[t].frames[k] != i || used[i]);
	}
	assert_int_equal(profile_store_begin_names(&g, &names), 0);
	assert_int_equal(profile_store_compact(&g, same, &names), 0);
	strpool_move_release(&names);
	assert_int_not_equal(g.renumbered, renumbered);
	assert_int_equal(strpool_find(g.names, "nobody's"), PTUI_NONE);
	assert_true(g.samples.n_threads <= 6);
	for (int i = 0; i < 30; i++)
		add_sample(&g);
	assert_int_equal(profile_store_add_frames(&g, N_FRAMES, set_frame, NULL), 0);
	after = profile_store_publish(&g, &trust);
	check(after, 94, 36);
	check(before, 0, 100);
	assert_int_not_equal(strpool_find(g.names, "a"), PTUI_NONE);
	profile_store_release(&g);
	assert_string_equal(ptui_profile_event(after, 1)->name, "b");
	assert_string_equal(ptui_profile_event(before, 1)->name, "b");
	ptui_profile_unref(before);
	ptui_profile_unref(after);
}

static void a_burst_above_the_cap(void **state)
{
	static const struct ptui_trust trust;
	struct ptui_profile *p;
	struct profile_store g;

	(void)state;
	n_told = 0;
	assert_int_equal(profile_store_init(&g, 10), 0);
	profile_store_add_event(&g,
				&(struct ptui_event_info){ .name = "a", .has_callchains = true });
	profile_store_add_event(&g,
				&(struct ptui_event_info){ .name = "b", .has_callchains = true });
	for (int i = 0; i < 3000; i++)
		add_sample(&g);
	assert_int_equal(profile_store_add_frames(&g, N_FRAMES, set_frame, NULL), 0);
	p = profile_store_publish(&g, &trust);
	assert_int_equal(g.dropped, 2990);
	check(p, 2990, 10);
	ptui_profile_unref(p);
	/* nothing new: the same again */
	p = profile_store_publish(&g, &trust);
	check(p, 2990, 10);
	ptui_profile_unref(p);
	profile_store_release(&g);
}

/* What is known of an event is published as it was added. */
static void all_facts_of_an_event(void **state)
{
	static const struct ptui_trust trust;
	static const struct ptui_event_info want = { .has_callchains = true,
						     .stacks_unwound = true,
						     .stacks_dumped = true,
						     .dump_bytes = 8192,
						     .max_stack = 127,
						     .lacks_cpu = true };
	struct ptui_event_info add = want, got;
	struct ptui_profile *p;
	struct profile_store g;
	char name[] = "cycles";

	(void)state;
	add.name = name;
	assert_int_equal(profile_store_init(&g, 10), 0);
	assert_int_equal(profile_store_add_event(&g, &add), 0);
	memset(name, 'x', sizeof(name) - 1); /* was copied */
	p = profile_store_publish(&g, &trust);
	got = *ptui_profile_event(p, 0);
	assert_string_equal(got.name, "cycles");
	got.name = NULL;
	assert_memory_equal(&got, &want, sizeof(want));
	ptui_profile_unref(p);
	profile_store_release(&g);
}

/* ---- merged samples ---- */

#define MERGE_KEYS 4

/* Against a list that is searched: rows in the order of their first samples, with their sums. */
static void check_merged(bool chains, bool by_thread, bool by_cpu, size_t batch)
{
	struct sample_row want[3000 + MERGED_BATCH], rows[MERGED_BATCH];
	uint32_t counts[3000 + MERGED_BATCH];
	size_t n_want = 0;
	struct profile_store g;
	const struct samples *s = &g.samples;
	const struct ptui_trust trust = { .lost_events = 0 };
	struct ptui_profile *p;

	assert_int_equal(profile_store_init(&g, STORE_UNBOUNDED), 0);
	profile_store_merge(&g, chains, by_thread, by_cpu);
	for (size_t added = 0; added < 3000; added += batch) {
		for (size_t i = 0; i < batch; i++) {
			struct sample_row *row = &rows[i];
			size_t at = 0;

			*row = (struct sample_row){ .time_ns = rnd(1u << 20),
						    .period = rnd(5),
						    .thread = rnd(MERGE_KEYS),
						    .comm = rnd(MERGE_KEYS),
						    .frame = rnd(MERGE_KEYS),
						    .cpu = rnd(2),
						    .event = (uint16_t)rnd(2),
						    .stack = PTUI_NONE };
			if (chains && rnd(3)) {
				row->stack = rnd(MERGE_KEYS);
				row->how = (uint8_t)rnd(2);
			}
			while (at < n_want &&
			       (want[at].frame != row->frame || want[at].comm != row->comm ||
				want[at].event != row->event || want[at].stack != row->stack ||
				want[at].how != row->how ||
				(by_thread && want[at].thread != row->thread) ||
				(by_cpu && want[at].cpu != row->cpu)))
				at++;
			if (at == n_want) {
				counts[n_want] = 1;
				want[n_want++] = *row;
				continue;
			}
			counts[at]++;
			want[at].period += row->period;
			if (row->time_ns < want[at].time_ns) {
				want[at].time_ns = row->time_ns;
				want[at].thread = row->thread;
			}
		}
		if (!chains && batch > 1)
			assert_int_equal(profile_store_add_merged(&g, rows, batch), 0);
		for (size_t i = 0; i < batch && (chains || batch == 1); i++)
			assert_int_equal(profile_store_add_row(&g, &rows[i]), 0);
	}
	p = profile_store_publish(&g, &trust);
	assert_non_null(p);
	assert_int_equal(s->n, n_want);
	assert_int_equal(s->thread != NULL, by_thread || chains);
	assert_int_equal(s->stack != NULL, chains);
	assert_int_equal(s->cpu != NULL, by_cpu);
	for (size_t i = 0; i < n_want; i++) {
		assert_int_equal(s->time_ns[i], want[i].time_ns);
		assert_int_equal(s->period[i], want[i].period);
		assert_int_equal(s->count[i], counts[i]);
		assert_int_equal(s->comm[i], want[i].comm);
		assert_int_equal(s->frame[i], want[i].frame);
		assert_int_equal(s->event[i], want[i].event);
		if (by_thread || chains)
			assert_int_equal(s->thread[i], want[i].thread);
		if (chains) {
			assert_int_equal(s->stack[i], want[i].stack);
			assert_int_equal(s->how[i], want[i].how);
		}
		if (by_cpu)
			assert_int_equal(s->cpu[i], want[i].cpu);
	}
	ptui_profile_unref(p);
	profile_store_release(&g);
}

static void test_merged(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		check_merged(i & 4, i & 1, i & 2, 1);
		check_merged(i & 4, i & 1, i & 2, 7);
		check_merged(i & 4, i & 1, i & 2, MERGED_BATCH);
	}
}

/* ---- modules with the same short name ---- */

#define N_PLACED  600
#define N_MODULES 12
#define N_SHORT	  6 /* short names */
#define N_ADDRS	  8

static struct profile_frame of_modules[N_MODULES];
static struct profile_frame placed[N_PLACED];

static void set_placed(void *ctx, size_t i, struct profile_frame *ret)
{
	(void)ctx;
	*ret = placed[i];
}

/* A module has an address once, as in a resolver. */
static bool is_placed(size_t n, const struct profile_frame *f)
{
	for (size_t i = 0; i < n; i++)
		if (placed[i].dso == f->dso && placed[i].addr == f->addr)
			return true;
	return false;
}

static bool are_one_place(const struct profile_frame *a, const struct profile_frame *b)
{
	return a->short_name == b->short_name && a->sym_name == b->sym_name &&
	       frame_sym_start(a) == frame_sym_start(b);
}

/* Frames without symbols of a module that was the only one of its name are found when there is another one. */
static void modules_that_come_later(void **state)
{
	struct profile_store g;
	size_t n = 0;

	(void)state;
	assert_int_equal(profile_store_init(&g, MAX), 0);
	for (uint32_t n_modules = 2; n_modules <= N_MODULES; n_modules += 2) {
		const struct profile_frame *f;

		for (uint32_t i = n_modules - 2; i < n_modules; i++)
			of_modules[i] = (struct profile_frame){ .dso = i,
								.short_name = rnd(N_SHORT),
								.sym_name = PTUI_NONE };
		for (int tries = 0; tries < 60; tries++) {
			uint32_t module = rnd(n_modules + 1);

			placed[n] = module < n_modules ?
					    of_modules[module] :
					    (struct profile_frame){ .dso = PTUI_NONE,
								    .short_name = PTUI_NONE,
								    .sym_name = PTUI_NONE };
			placed[n].addr = rnd(N_ADDRS) * 8;
			if (module < n_modules && is_placed(n, &placed[n]))
				continue;
			if (rnd(3) == 0)
				frame_set_symbol(&placed[n], 1, placed[n].addr & ~8ULL,
						 (placed[n].addr & ~8ULL) + 16);
			n++;
		}
		assert_int_equal(profile_store_set_modules(&g, of_modules, n_modules), 0);
		assert_int_equal(profile_store_add_frames(&g, n, set_placed, NULL), 0);
		f = store_array_at(&g.arrays[STORE_FRAMES], STORE_FRAMES, 0);
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < i; j++) {
				assert_int_equal(f[i].place == f[j].place,
						 are_one_place(&f[i], &f[j]));
				if (f[i].dso != PTUI_NONE && f[i].sym_name == PTUI_NONE)
					assert_int_not_equal(f[i].func, f[j].func);
			}
	}
	assert_true(g.table.n_places < n - 20);
	profile_store_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_that_come_later),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(the_last_samples_with_their_stacks),
		cmocka_unit_test(stacks_have_a_cap_of_their_own),
		cmocka_unit_test(unused_names_are_dropped),
		cmocka_unit_test(a_burst_above_the_cap),
		cmocka_unit_test(all_facts_of_an_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
