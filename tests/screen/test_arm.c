/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arming a condition in Live: correcting it, seeing it become true, disarming. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/scene.h"

/* Few page faults until it may begin, many until it may end. */
#define QUIET "until [ -e begin ]; do /bin/sleep 0.2; done; "
#define BUSY  "until [ -e end ]; do /bin/true; done"

static void touch(struct scene *s, const char *name)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
}

static void record(struct scene *s)
{
	s->rows = 30;
	s->cols = 120;
	scene_open(s);
	screen_keys(s->screen, "l");
	screen_wait(s->screen, "line:");
	screen_keys(s->screen,
		    "perf record -e page-faults -c 1 --overwrite -m 8K -- sh -c '" QUIET BUSY "'");
	screen_keys(s->screen, "<Enter>");
	screen_wait(s->screen, "--overwrite");
	screen_keys(s->screen, "r");
	screen_wait(s->screen, " Live  ");
	screen_wait(s->screen, "A arm");
}

static void arm(struct scene *s, const char *condition)
{
	screen_keys(s->screen, "A");
	screen_wait(s->screen, "snapshot when:");
	screen_keys(s->screen, "<C-u>");
	screen_keys(s->screen, condition);
	screen_keys(s->screen, "<Enter>");
}

static void test_comes_true(void **state)
{
	struct scene *s = *state;

	record(s);
	/* the error is shown, and the line can be corrected */
	arm(s, "page-faultz/s > 1");
	screen_wait(s->screen, "this recording has no event 'page-faultz'");
	screen_wait(s->screen, "recorded events: page-faults");
	screen_keys(s->screen, "<C-u>page-f<Tab>/s > 1");
	screen_wait(s->screen, "snapshot when: page-faults/s > 1");
	screen_keys(s->screen, "0k<Enter>");
	screen_wait(s->screen, "armed: page-faults/s > 10k (now ");
	assert_true(screen_find(s->screen, "snapshots", NULL) < 0);
	touch(s, "begin");
	screen_wait(s->screen, " snapshots "); /* possibly more than one by now */
	screen_wait(s->screen, "[.] ");
	/* never true again */
	arm(s, "page-faults/s > 1G");
	screen_wait(s->screen, "armed: page-faults/s > 1G (now ");
	arm(s, "");
	screen_wait_gone(s->screen, "armed: page-faults");
	touch(s, "end");
	screen_wait(s->screen, "of event 'page-faults");
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
}

/* When all samples are written at once, snapshots are not available. */
static void test_nothing_to_take(void **state)
{
	struct scene *s = *state;

	scene_open(s);
	scene_command(s, "sh -c '" QUIET "'");
	scene_record(s);
	screen_keys(s->screen, "A");
	screen_wait(s->screen, "No samples are kept for snapshots");
	assert_true(screen_find(s->screen, "A arm", NULL) < 0);
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_set_up, scene_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_comes_true),
		TEST(test_nothing_to_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
