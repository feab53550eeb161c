/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A day in miniature: so many records that every cap is reached repeatedly. Kept rows are
 * unchanged, what is shown is true, and nothing is counted that did not occur.
 *
 * PTUI_DAY_SAMPLES: on the fake machine, 2000 a second; 7200000 are an hour (make bench does that).
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include "lib/need.h"
#include "profile/hist/hist.h"
#include "session/live/live.h"
#include "unit/session/day.h"
#include "unit/session/same.h"

#define SAMPLES	      120000
#define MAX_SAMPLES   10000
#define MAX_NODES     30000
#define MAX_FRAMES    12000
#define SPARE_BYTES   (512u << 10)
#define QUEUE_BYTES   (4u << 20)
#define WAKES_MAX     3000	  /* one minute: wakes every 20 ms */
#define ROUND_SAMPLES 2000	  /* between two checks of the profile */
#define MOST_BYTES    (32u << 20) /* memory of the program, including the queue of 4 MiB */

struct world {
	struct fake_kernel kernel;
	struct day day;
	struct ptui_live *live;
	struct ptui_hist *view; /* of the last profile */
	uint64_t counted;	/* samples counted for all views so far */
	char output[96];
};

static uint64_t wanted(void)
{
	const char *text = getenv("PTUI_DAY_SAMPLES");
	uint64_t n = text ? strtoull(text, NULL, 10) : 0;

	return n ? n : SAMPLES;
}

static int setup(void **state)
{
	const struct ptui_live_opts opts = { .refresh_ms = 20,
					     .max_samples = MAX_SAMPLES,
					     .queue_bytes = QUEUE_BYTES };
	struct world *w = calloc(1, sizeof(*w));
	struct ptui_record_opts record;
	struct ptui_error err;

	fake_kernel_init(&w->kernel);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	day_init(&w->day, &w->kernel);
	day_record_opts(&record, w->output);
	record.out.nowhere = wanted() > SAMPLES; /* an hour would exceed a gigabyte */
	w->live = live_new(&record, &opts, &w->kernel.ops, &err);
	assert_non_null(w->live);
	w->live->build.builder.max_frames = MAX_FRAMES;
	w->live->build.builder.spare_bytes = SPARE_BYTES;
	w->live->build.builder.store.max_nodes = MAX_NODES;
	assert_int_equal(ptui_live_start(w->live, &err), 0);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	ptui_hist_free(w->view);
	ptui_live_free(w->live);
	day_release(&w->day);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

/* Waits as a screen does until everything emitted is shown. */
static void await_all(struct world *w)
{
	struct pollfd wake = { .fd = ptui_live_wake_fd(w->live), .events = POLLIN };
	struct ptui_live_event e;

	for (int i = 0; i < WAKES_MAX; i++) {
		ptui_live_ack(w->live);
		ptui_live_event(w->live, 0, &e);
		if (e.samples == w->day.n)
			return;
		assert_true(e.samples < w->day.n);
		assert_int_equal(poll(&wake, 1, 30000), 1);
	}
	fail_msg("%llu of %llu samples are shown, and no more come", (unsigned long long)e.samples,
		 (unsigned long long)w->day.n);
}

/* The work of publications and of views. */
struct work {
	size_t bytes, frames, nodes, folded, names, threads;
};

static void keep_most(struct work *most, const struct work *now)
{
#define KEEP(what) most->what = now->what > most->what ? now->what : most->what
	KEEP(bytes);
	KEEP(frames);
	KEEP(nodes);
	KEEP(folded);
	KEEP(names);
	KEEP(threads);
#undef KEEP
}

/* A view that reuses the previous one equals a new one. */
static void follow(struct world *w, struct ptui_profile *p, bool closely)
{
	struct ptui_hist_opts opts = { .before = w->view };
	struct ptui_hist *now = ptui_hist_new(p, &opts, NULL), *anew;

	assert_non_null(now);
	ptui_hist_free(w->view);
	w->view = now;
	w->counted += now->n_counted;
	if (!closely)
		return;
	opts.before = NULL;
	anew = ptui_hist_new(p, &opts, NULL);
	assert_same_rows(now, anew);
	ptui_hist_free(anew);
}

static void look(struct world *w, bool closely, struct work *most)
{
	struct ptui_live_profile_info info;
	struct ptui_profile *p = ptui_live_profile(w->live, &info);
	const struct work now = { .bytes = day_heap_bytes(),
				  .frames = p->n_frames,
				  .nodes = p->stacks.n,
				  .folded = p->folded.n,
				  .names = p->names.n,
				  .threads = p->samples.n_threads };

	keep_most(most, &now);
	follow(w, p, closely);
	assert_true(p->samples.n <= MAX_SAMPLES);
	assert_true(p->samples.n >= MAX_SAMPLES / 8 || !info.left);
	if (closely)
		assert_day_is_true(p, w->day.n, info.left);
	ptui_profile_unref(p);
}

/* Checks that it stops growing after a third of the day. Compactions explain a quarter. */
static void assert_no_more(size_t then, size_t now, const char *what)
{
	if (now > then + then / 4)
		fail_msg("%s: %zu, and %zu later", what, then, now);
}

static void assert_it_has_stopped_growing(const struct work most[3])
{
	assert_no_more(most[1].bytes, most[2].bytes, "bytes");
	assert_no_more(most[1].frames, most[2].frames, "places");
	assert_no_more(most[1].nodes, most[2].nodes, "stacks");
	assert_no_more(most[1].folded, most[2].folded, "stacks of functions");
	assert_no_more(most[1].names, most[2].names, "names");
	assert_no_more(most[1].threads, most[2].threads, "threads");
	for (int i = 0; i < 3; i++) {
		assert_true(most[i].bytes <= MOST_BYTES);
		/* plus the new frames of one round */
		assert_true(most[i].frames <= MAX_FRAMES + ROUND_SAMPLES * DAY_DEPTH);
		assert_true(most[i].nodes <= MAX_NODES + ROUND_SAMPLES * DAY_DEPTH);
	}
}

/* Living and recently ended processes, and half as much garbage, however long the day was. */
static void assert_machine_is_small(const struct machine *m)
{
	struct machine_load load;

	machine_load(m, &load);
	assert_in_range(load.procs, DAY_LIVING, 4000);
	assert_in_range(load.threads, DAY_LIVING, 8000);
	assert_in_range(load.modules, DAY_LIVING, 16000);
	assert_in_range(load.maps, DAY_LIVING, 16000);
}

static void a_day(void **state)
{
	uint64_t rounds = wanted() / ROUND_SAMPLES;
	struct work most[3] = { { 0 } };
	struct world *w = *state;
	struct ptui_live_stats stats;
	struct ptui_error err;

	for (uint64_t i = 0; i < rounds; i++) {
		day_live(&w->day, ROUND_SAMPLES);
		await_all(w);
		look(w, i % (rounds / 10 + 1) == 0 || i == rounds - 1, &most[i * 3 / rounds]);
	}
	ptui_live_stop(w->live);
	assert_int_equal(ptui_live_join(w->live, &err), 0);
	assert_int_equal(ptui_live_state(w->live), PTUI_LIVE_ENDED);
	look(w, true, &most[2]);
	ptui_live_get_stats(w->live, &stats);
	assert_int_equal(stats.samples, w->day.n);
	assert_int_equal(stats.dropped_samples, 0);
	assert_int_equal(stats.lost, 0);
	print_message("%llu samples, %llu other records, %u squeezes; at most %zu, %zu, %zu KiB\n",
		      (unsigned long long)w->day.n, (unsigned long long)w->day.sideband,
		      w->live->build.builder.compactions, most[0].bytes >> 10, most[1].bytes >> 10,
		      most[2].bytes >> 10);
	assert_it_has_stopped_growing(most);
	assert_machine_is_small(w->live->build.builder.machine);
	assert_true(w->live->build.builder.compactions > 3);
	/* each sample once, plus all kept ones when half of them were dropped or compacted */
	assert_true(w->counted <= w->day.n * 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_day, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
