/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Live screen during a fake day: the cursor stays on its row, whose text is true. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "session/live/live.h"
#include "unit/session/day.h"
#include "unit/ui/screen.h"
#include "view/live/live.h"

#define ROWS	      30
#define COLS	      100
#define ROUNDS	      24
#define ROUND_SAMPLES 2000
#define MAX_SAMPLES   8000
#define IDLE	      "bpf_prog_idle" /* the row of the swapper */

struct world {
	struct fake_kernel kernel;
	struct day day;
	struct ptui_live *live;
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	char shown[ROWS][COLS * 4]; /* the rows as last drawn */
	char output[96];
};

static void open_live(struct world *w)
{
	const struct ptui_live_opts opts = { .refresh_ms = 20, .max_samples = MAX_SAMPLES };
	struct live_view_opts view = { .target = "all", .whole_system = true };
	struct ptui_record_opts record;
	struct ptui_error err = PTUI_ERROR_INIT;

	day_record_opts(&record, w->output);
	w->live = live_new(&record, &opts, &w->kernel.ops, &err);
	assert_non_null(w->live);
	w->live->build.builder.max_frames = 12000;
	w->live->build.builder.store.max_nodes = 30000;
	w->live->build.builder.spare_bytes = 512u << 10;
	if (ptui_live_start(w->live, &err))
		fail_msg("%s", err.text);
	view.live = w->live;
	assert_int_equal(live_view_open(w->stack, &view, &err), 0);
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	setlocale(LC_ALL, "C.UTF-8");
	fake_kernel_init(&w->kernel);
	snprintf(w->output, sizeof(w->output), "%s/out.data", w->kernel.folder);
	day_init(&w->day, &w->kernel);
	w->keys = keymaps_new(NULL);
	w->stack = stack_new(NULL, w->keys, NULL);
	w->grid = grid_new(ROWS, COLS);
	*state = w;
	return w->stack && w->grid ? 0 : -1;
}

static int teardown(void **state)
{
	struct world *w = *state;

	stack_free(w->stack);
	keymaps_free(w->keys);
	grid_free(w->grid);
	day_release(&w->day);
	fake_kernel_release(&w->kernel);
	free(w);
	return 0;
}

static void draw(struct world *w)
{
	stack_draw(w->stack, w->grid);
	for (int y = 0; y < ROWS; y++)
		grid_row_text(w->grid, y, w->shown[y], sizeof(w->shown[y]));
}

/* The row with the text; -1: none. */
static int row_of(const struct world *w, const char *text)
{
	for (int y = 0; y < ROWS; y++)
		if (strstr(w->shown[y], text))
			return y;
	return -1;
}

static uint64_t all_shown(const struct world *w)
{
	struct ptui_live_event e;

	ptui_live_event(w->live, 0, &e);
	return e.samples;
}

/* Percentage of the profile's samples. */
static double true_share(struct world *w)
{
	struct ptui_live_profile_info info;
	struct ptui_profile *p = ptui_live_profile(w->live, &info);
	uint64_t n = ptui_profile_event(p, 0)->samples, idle = 0;
	struct day_sample s;

	ptui_profile_unref(p);
	for (uint64_t i = 0; i < n; i++) {
		day_expect(info.left + i, &s);
		idle += !strcmp(s.at.symbol, IDLE);
	}
	return 100.0 * (double)idle / (double)n;
}

/* Waits until the screen shows the latest profile. */
static void await_truth(struct world *w)
{
	char wanted[32] = "";

	for (int i = 0; i < 2000; i++) {
		int y;

		loop_turn(stack_loop(w->stack), 50);
		draw(w);
		if (all_shown(w) != w->day.n)
			continue;
		snprintf(wanted, sizeof(wanted), " %.2f%%", true_share(w));
		y = row_of(w, IDLE);
		if (y >= 0 && strstr(w->shown[y], wanted))
			return;
	}
	for (int y = 0; y < ROWS; y++)
		print_error("%s\n", w->shown[y]);
	fail_msg("%s never has%s", IDLE, wanted);
}

static void the_screen_stays_true(void **state)
{
	struct world *w = *state;
	struct term_event down = { .kind = TERM_KEY, .key = K_DOWN };
	struct term_event up = { .kind = TERM_KEY, .key = K_UP };

	open_live(w);
	for (int round = 0; round < ROUNDS; round++) {
		day_live(&w->day, ROUND_SAMPLES);
		await_truth(w);
		/* by far the hottest row; the cursor was moved to it and stays there */
		if (!round) {
			stack_event(w->stack, &down);
			stack_event(w->stack, &up);
			draw(w);
		}
		assert_true(grid_style(w->grid, row_of(w, IDLE), 20) & STYLE_CURSOR);
		assert_non_null(strstr(w->shown[row_of(w, IDLE)], "swapper"));
	}
	assert_true(w->live->build.builder.compactions > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_screen_stays_true, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
