/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With batches and a thread, the writer makes the same store as without: random chains, rows with and without stacks. */
#include <stdio.h>
#include <string.h>
#include "lib/need.h"
#include "profile/row_writer.h"

#define N_SAMPLES 60000 /* more than all batches have room for */
#define DEPTH	  12
#define KEPT	  9

static uint64_t rng;

static uint32_t rnd(uint32_t n)
{
	rng = rng * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(rng >> 33) % n;
}

static bool skips(void *ctx, const struct row_leaf *leaf)
{
	uint64_t *asked = ctx;

	*asked = *asked * 31 + leaf->frame;
	return leaf->frame % 3 == 0 && leaf->off == 2 * (uint64_t)leaf->frame;
}

struct callers {
	uint32_t frames[DEPTH], n;
};

/* A chain with known callers, and the row of it. */
static void write_known(struct row_writer *w, const struct callers *kept, uint32_t at,
			uint32_t frame)
{
	struct sample_row row = { .stack = 0 };
	uint32_t node;

	if (!kept[at].n)
		return;
	assert_int_equal(row_writer_chain(w, &(struct row_chain){ .frames = &frame,
								  .n = 1,
								  .known = true,
								  .kept_at = at }),
			 0);
	assert_int_equal(row_writer_row(w, &row, NULL), 0);
	if (w->queue)
		return;
	node = w->stack;
	for (uint32_t i = kept[at].n; i-- > 0; frame = kept[at].frames[i]) {
		assert_int_equal(w->store->stacks.nodes[node].frame, frame);
		node = w->store->stacks.nodes[node].parent;
	}
	assert_int_equal(w->store->stacks.nodes[node].frame, frame);
	assert_int_equal(w->store->stacks.nodes[node].parent, PTUI_NONE);
}

static void write_samples(struct row_writer *w, size_t n_samples)
{
	struct callers kept[KEPT] = { { .n = 0 } };
	uint32_t chain[DEPTH], n = 0, kept_at;

	rng = 7;
	for (size_t i = 0; i < n_samples; i++) {
		struct sample_row row = { .time_ns = i, .period = rnd(100), .stack = 0 };
		char name[16];
		struct row_leaf leaf = { .frame = rnd(2) ? rnd(1000) : PTUI_NONE };
		uint32_t same = rnd(n + 1), now = same + rnd(DEPTH - same + 1);

		/* what the caller uses of the store meanwhile */
		snprintf(name, sizeof(name), "%u", rnd(3000));
		row.thread = samples_thread(&w->store->samples, 1, (int32_t)rnd(3000));
		row.comm = strpool_add(w->store->names, name);
		for (uint32_t k = same; k < now; k++)
			chain[k] = rnd(50);
		n = now;
		kept_at = n >= 2 && rnd(2) ? rnd(KEPT) : PTUI_NONE;
		if (!n || !rnd(10))
			row.stack = PTUI_NONE;
		assert_int_equal(row_writer_chain(w, &(struct row_chain){ .frames = chain + same,
									  .n = n - same,
									  .same = same,
									  .kept_at = kept_at }),
				 0);
		if (kept_at != PTUI_NONE) {
			memcpy(kept[kept_at].frames, chain, n * sizeof(*chain));
			kept[kept_at].n = n - 1;
		}
		write_known(w, kept, rnd(KEPT), rnd(50));
		leaf.off = 2 * (uint64_t)leaf.frame;
		for (uint32_t rows = rnd(4) ? 1 : rnd(3); rows--;)
			assert_int_equal(row_writer_row(w, &row, i % 5 ? &leaf : NULL), 0);
	}
}

static void check_same(bool by_thread)
{
	struct profile_store stores[2];
	uint64_t asked[2] = { 0 };
	struct row_writer w;
	size_t n_skips = 0;

	for (int batches = 0; batches < 2; batches++) {
		assert_int_equal(profile_store_init(&stores[batches], STORE_UNBOUNDED), 0);
		row_writer_init(&w, &stores[batches]);
		w.skips_caller = skips;
		w.skips_ctx = &asked[batches];
		if (batches)
			row_writer_start(&w, by_thread);
		assert_int_equal(w.queue != NULL, batches);
		write_samples(&w, N_SAMPLES);
		assert_int_equal(row_writer_finish(&w), 0);
		row_writer_release(&w);
	}
	assert_true(stores[0].stacks.n > 1000 && stores[0].samples.n > N_SAMPLES / 2);
	assert_int_equal(stores[0].stacks.n, stores[1].stacks.n);
	assert_memory_equal(stores[0].stacks.nodes, stores[1].stacks.nodes,
			    stores[0].stacks.n * sizeof(*stores[0].stacks.nodes));
	assert_int_equal(stores[0].samples.n, stores[1].samples.n);
	assert_memory_equal(stores[0].samples.stack, stores[1].samples.stack,
			    stores[0].samples.n * sizeof(*stores[0].samples.stack));
	assert_memory_equal(stores[0].samples.period, stores[1].samples.period,
			    stores[0].samples.n * sizeof(*stores[0].samples.period));
	assert_memory_equal(stores[0].samples.thread, stores[1].samples.thread,
			    stores[0].samples.n * sizeof(*stores[0].samples.thread));
	assert_memory_equal(stores[0].samples.how, stores[1].samples.how,
			    stores[0].samples.n * sizeof(*stores[0].samples.how));
	assert_true(asked[0] == asked[1]);
	for (size_t i = 0; i < stores[0].samples.n; i++)
		n_skips += stores[0].samples.how[i] == STACK_SKIPS;
	assert_true(n_skips > N_SAMPLES / 20 && n_skips < N_SAMPLES / 5);
	for (int i = 0; i < 2; i++)
		profile_store_release(&stores[i]);
}

static void same_with_batches(void **state)
{
	(void)state;
	check_same(false);
}

static void same_with_a_thread(void **state)
{
	(void)state;
	check_same(true);
}

/* As when loading is cancelled: the thread ends, and what it got is written. */
static void released_in_the_middle(void **state)
{
	struct profile_store store;
	struct row_writer w;

	(void)state;
	for (size_t n = 0; n < 5000; n += 1237) {
		assert_int_equal(profile_store_init(&store, STORE_UNBOUNDED), 0);
		row_writer_init(&w, &store);
		row_writer_start(&w, n % 2);
		write_samples(&w, n);
		row_writer_release(&w);
		assert_true(n ? store.samples.n > n / 2 : !store.samples.n);
		profile_store_release(&store);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_with_batches),
		cmocka_unit_test(same_with_a_thread),
		cmocka_unit_test(released_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
