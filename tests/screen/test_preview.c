/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The picker's preview with the real program and kernel: counts what a process does, for the whole
 * system and for the target.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/scene.h"

#define PAGES  64
#define NOBODY 65534

static pid_t toucher;

/* Page faults without an end, some hundred at a time; for at most two minutes. */
static void __attribute__((noreturn)) touch_pages(void)
{
	alarm(120);
	for (;;) {
		char *pages = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (pages == MAP_FAILED)
			_exit(1);
		for (int i = 0; i < PAGES; i++)
			pages[i * 4096] = 1;
		munmap(pages, PAGES * 4096);
		usleep(20000);
	}
}

static int set_up(void **state)
{
	toucher = fork();
	if (!toucher)
		touch_pages();
	return scene_set_up(state);
}

static int tear_down(void **state)
{
	int ret = scene_tear_down(state);

	kill(toucher, SIGKILL);
	waitpid(toucher, NULL, 0);
	return ret;
}

/* ---- visible ---- */

static const char *row_of(struct screen *s, const char *text)
{
	int y = screen_find(s, text, NULL);

	return y < 0 ? "" : screen_row(s, y);
}

/* The first digit of an event's rate is not 0. */
static bool counts(struct screen *s, void *event)
{
	const char *row = row_of(s, event), *slash = strstr(row, "/s "), *from = slash;

	while (from && from > row &&
	       !(from[-1] == ' ' && from[0] != ' ' && from[0] >= '0' && from[0] <= '9'))
		from--;
	return slash && *from >= '1' && *from <= '9' && strstr(slash, "100 %");
}

static bool has_spark(struct screen *s, void *event)
{
	const char *row = row_of(s, event);

	return counts(s, event) && (strstr(row, "█") || strstr(row, "▇"));
}

static bool counts_nothing(struct screen *s, void *event)
{
	const char *row = row_of(s, event);

	return *row && !strstr(row, "/s ");
}

static char marked[] = "[x] page-faults", unmarked[] = "[ ] page-faults";

static struct screen *open_picker(struct scene *w)
{
	struct screen *s = w->screen;

	screen_keys(s, "e");
	screen_wait(s, "Setup › Events");
	screen_wait_row(s, 0, " marked");
	screen_keys(s, "/page-faults<Enter>");
	screen_wait(s, "] page-faults");
	return s;
}

/* ---- tests ---- */

static void test_whole_system(void **state)
{
	struct scene *w = *state;
	struct screen *s;

	need("root");
	w->rows = 30;
	w->cols = 120;
	scene_open(w);
	s = open_picker(w);
	screen_wait_row(s, 0, "counting the whole system · ");
	/* the one under the cursor, then as a marked one while the cursor is elsewhere */
	screen_wait_until(s, has_spark, unmarked, "page faults are counted");
	screen_wait(s, "100 % running");
	screen_keys(s, "<Space>");
	screen_wait(s, marked);
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "/ page-faults");
	screen_wait_until(s, counts, marked, "a marked event goes on");
	/* v: off, nothing is shown; on */
	screen_keys(s, "v");
	screen_wait_until(s, counts_nothing, marked, "the preview is off");
	screen_wait_gone(s, "counting the whole system");
	screen_keys(s, "v");
	screen_wait_until(s, counts, marked, "the preview is on again");
	/* recording uses the previewed events */
	screen_keys(s, "<Enter>");
	screen_wait(s, "-e page-faults");
	screen_keys(s, "q");
	scene_ended(w, 0);
}

static void test_of_the_target(void **state)
{
	struct scene *w = *state;
	struct screen *s;
	char line[64];

	need("root");
	w->cols = 120;
	scene_open(w);
	scene_process(w, toucher);
	s = open_picker(w);
	snprintf(line, sizeof(line), "counting process %d · ", (int)toucher);
	screen_wait_row(s, 0, line);
	screen_wait_until(s, counts, unmarked, "its page faults are counted");
	/* nothing for an exited process, and the screen still works */
	kill(toucher, SIGKILL);
	screen_keys(s, "v");
	screen_wait_gone(s, "counting process");
	waitpid(toucher, NULL, 0);
	screen_keys(s, "v");
	screen_wait(s, "no preview: no process");
	screen_keys(s, "<Esc><Esc>");
	screen_wait(s, "Same as");
	screen_keys(s, "q");
	scene_ended(w, 0);
}

static void test_off_in_the_config(void **state)
{
	struct scene *w = *state;
	char path[160];
	struct screen *s;
	FILE *f;

	need("root");
	snprintf(path, sizeof(path), "mkdir -p %s/ptui", w->folder);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/ptui/config", w->folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("set preview off\n", f);
	assert_int_equal(fclose(f), 0);
	w->cols = 120;
	scene_open(w);
	s = open_picker(w);
	screen_wait(s, "this machine has it");
	assert_true(counts_nothing(s, unmarked));
	assert_int_equal(screen_find(s, "counting", NULL), -1);
	screen_keys(s, "v");
	screen_wait_until(s, counts, unmarked, "it is there when it is asked for");
	screen_keys(s, "<C-c>");
	scene_ended(w, 0);
}

/* Without rights to count the whole system the reason and the remedy are shown; all else works. */
static void test_without_rights(void **state)
{
	const char *const argv[] = { getenv("PTUI"), NULL };
	struct scene *w = *state;
	char config[96], choices[96];
	const char *const env[] = { config, choices, NULL };
	const struct screen_opts opts = { .argv = argv,
					  .env = env,
					  .folder = w->folder,
					  .rows = 30,
					  .cols = 120,
					  .user = NOBODY };
	struct screen *s;
	int level = 0;
	FILE *f;

	need("root");
	f = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &level), 1);
	fclose(f);
	if (level < 1)
		skip_because("kernel.perf_event_paranoid is %d: everybody may", level);
	assert_int_equal(chown(w->folder, NOBODY, NOBODY), 0);
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", w->folder);
	snprintf(choices, sizeof(choices), "XDG_STATE_HOME=%s", w->folder);
	s = w->screen = screen_start(&opts);
	screen_wait_row(s, 0, "Setup");
	open_picker(w);
	screen_wait(s, "no preview: ");
	screen_wait(s, "kernel.perf_event_paranoid");
	assert_int_equal(screen_find(s, "counting the whole system", NULL), -1);
	screen_keys(s, "<Space>");
	screen_wait(s, marked);
	screen_keys(s, "<C-c>");
	scene_ended(w, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_whole_system),
		T(test_of_the_target),
		T(test_off_in_the_config),
		T(test_without_rights),
	};

	return cmocka_run_group_tests_name("screen/preview", tests, one_at_a_time, NULL);
}
