/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Browser and Live, opened, drawn and used while allocations fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fault/alloc.h"
#include "unit/profile/made.h"
#include "unit/ui/screen.h"
#include "unit/ui/view/live_made.h"
#include "view/browser/browser.h"

#define TRIALS 60
#define TURNS  30

/* In the world of live_made.h; the browser uses its stack as well. */
static struct ptui_profile *profile;

static void prepare(void *ctx)
{
	struct made *m = made_new();

	(void)ctx;
	setlocale(LC_ALL, "C.UTF-8");
	assert_int_equal(set_up(NULL), 0);
	made_sample(m, "main run parse token", 30, 1);
	made_sample(m, "main run parse skip", 20, 2);
	made_sample(m, "main eval", 40, 3);
	made_thread(m, "helper", 7, 0);
	made_sample(m, "idle kernel:wait", 9, 4);
	profile = made_take(m);
}

static void finish(void *ctx)
{
	(void)ctx;
	stack_free(t.stack);
	keymaps_free(t.keys);
	grid_free(t.grid);
	ptui_profile_unref(t.live.profile);
	ptui_profile_unref(t.profile);
	ptui_profile_unref(profile);
}

static bool told;

static void look(void)
{
	static const char *const words[] = { "memory", "nnot " };

	stack_draw(t.stack, t.grid);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !told; i++) {
		told = row_of(words[i]) >= 0;
		if (told)
			fprintf(stderr, "%s\n", row(row_of(words[i])));
	}
}

/* Until the screen shows the text, or why it cannot. */
static void await(const char *text)
{
	look();
	for (int i = 0; i < TURNS && !told && row_of(text) < 0; i++) {
		loop_turn(stack_loop(t.stack), 100);
		look();
	}
	printf("%s: %s\n", text, row_of(text) < 0 ? "missing" : row(row_of(text)));
}

static void press(const char *keys)
{
	for (; *keys; keys++) {
		key(*keys == '\n' ? K_ENTER : *keys == 27 ? K_ESC : (key_code)(unsigned char)*keys);
		loop_turn(stack_loop(t.stack), 1);
		look();
	}
}

static int browse(void *ctx, struct ptui_error *err)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	int ret = browser_open(t.stack, profile, "some/perf.data", &opts, err);

	if (ret)
		return ret;
	await("parse");
	press("E");
	await("token");
	press(ctx);
	return 0;
}

static int watch(void *ctx, struct ptui_error *err)
{
	const struct live_view_opts opts = { .live = &t.live,
					     .target = "make -j2",
					     .rate = "4000 Hz" };
	int ret;

	t.live.profile = ptui_profile_ref(profile);
	t.live.info.generation++;
	ret = live_view_open(t.stack, &opts, err);
	if (ret)
		return ret;
	for (int i = 0; i < 2; i++) {
		t.live.info.generation++; /* counts again what failed before */
		wake();
		look();
	}
	press(ctx);
	return 0;
}

static void run(const char *name, int (*what)(void *ctx, struct ptui_error *err), char *keys)
{
	const struct alloc_scenario s = {
		.name = name, .prepare = prepare, .run = what, .finish = finish, .ctx = keys
	};

	alloc_trials(&s, TRIALS);
}

static void test_browser(void **state)
{
	char keys[] = "j\nj+/parse\nnc?qs\033";

	(void)state;
	run("browser", browse, keys);
}

static void test_live(void **state)
{
	char keys[] = "j\nj+fs\033m\033?q";

	(void)state;
	run("live", watch, keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_browser),
		cmocka_unit_test(test_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
