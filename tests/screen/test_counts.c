/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `ptui stat --tui` on a terminal: counts while they grow, their end, and perf's text when it is left. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/scene.h"
#include "screen/steps.h"

/* 500 writes of one byte when the test says so, and exit 3. */
#define WRITES                                                                                       \
	"echo here >>ready; read x <go; echo heard $x; dd if=/dev/zero of=/dev/null bs=1 count=500 " \
	"status=none; exit 3"

/* What varies: times, and what a PMU counts. */
static const char *const masks[] = { "instructions .*",
				     "(elapsed|经过|vergangen) .*",
				     "● COUNT [0-9:.]+",
				     "✓ ended [0-9:.]+",
				     "0?[0-9:.]+   (exit|Exit-Code|退出状态) 3",
				     NULL };

static void counts(struct scene *s, const char *const *words)
{
	scene_start(s, words);
	screen_wait_row(s->screen, 0, "Counts  ");
}

static void make_fifo(struct scene *s)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/go", s->folder);
	assert_int_equal(mkfifo(path, 0600), 0);
}

/* The command reads a line. */
static void go(struct scene *s)
{
	char path[128];
	FILE *f;

	scene_text(s, "ready");
	snprintf(path, sizeof(path), "%s/go", s->folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("start\n", f);
	fclose(f);
}

static const char *const writes[] = {
	"stat", "--tui", "-I", "50",   "-e", "dummy,syscalls:sys_enter_write,instructions",
	"--",	"sh",	 "-c", WRITES, NULL
};

/* dd has written 500 times; sh twice. */
static void test_command(void **state)
{
	struct scene *s = *state;
	struct screen *screen;

	need("tracefs");
	make_fifo(s);
	counts(s, writes);
	screen = s->screen;
	screen_wait_row(screen, 0, "● COUNT");
	screen_wait_row(screen, 0, "every 50 ms");
	/* its details follow the count, also after the end */
	screen_keys(screen, "<Home><Down><Enter>");
	screen_wait(screen, "Total: 1");
	go(s);
	screen_wait(screen, "Total: 502");
	screen_wait(screen, "these are the final numbers");
	screen_wait_row(screen, 0, "exit 3");
	screen_keys(screen, "<Esc>");
	screen_wait_gone(screen, "Total: 502");
	screen_keys(screen, "<Home>");
	screen_wait_gone(screen, "these are the final numbers");
	screen_golden(screen, "counts-80x24", masks);
	screen_keys(screen, "o");
	screen_wait(screen, "heard start");
	screen_keys(screen, "<Esc>");
	screen_wait_gone(screen, "heard start");
	screen_keys(screen, "q");
	screen_wait(screen, "Performance counter stats for 'sh -c");
	screen_wait(screen, "               502      syscalls:sys_enter_write");
	screen_wait(screen, "seconds user");
	scene_ended(s, 3);
}

static void in_language(struct scene *s, const char *lang, const char *picture)
{
	struct language l;

	need("tracefs");
	make_language(&l, lang, s->folder);
	s->locale = l.locale;
	s->env = l.env;
	make_fifo(s);
	scene_start(s, writes);
	screen_wait_row(s->screen, 0, "●");
	go(s);
	screen_wait_row(s->screen, 0, " 3");
	/* a message that moving takes away */
	screen_keys(s->screen, "<End><Home>");
	screen_golden(s->screen, picture, masks);
	screen_keys(s->screen, "q");
	scene_ended(s, 3);
}

static void test_chinese(void **state)
{
	in_language(*state, "zh_CN", "counts-zh_CN-80x24");
}

static void test_german(void **state)
{
	in_language(*state, "de", "counts-de-80x24");
}

static void test_wide(void **state)
{
	struct scene *s = *state;

	need("tracefs");
	s->rows = 50;
	s->cols = 160;
	make_fifo(s);
	counts(s, writes);
	go(s);
	screen_wait(s->screen, "these are the final numbers");
	screen_keys(s->screen, "<Home>");
	screen_wait_gone(s->screen, "these are the final numbers");
	{
		static const char *const more[] = { "instructions .*",
						    "(elapsed|经过|vergangen) .*",
						    "● COUNT [0-9:.]+",
						    "✓ ended [0-9:.]+",
						    "502 .*",
						    "0? +0/s.*",
						    NULL };

		screen_golden(s->screen, "counts-160x50", more);
	}
	screen_resize(s->screen, 10, 40);
	screen_wait_row(s->screen, 9, "?");
	/* totals are never cut */
	screen_wait(s->screen, "    502");
	screen_wait(s->screen, "user 0.");
	screen_wait_row(s->screen, 8, " s · sys 0.");
	assert_int_equal(screen_find(s->screen, "<not supporte…", NULL), -1);
	screen_keys(s->screen, "<C-c>");
	screen_wait(s->screen, "seconds time elapsed");
	scene_ended(s, 3);
}

/* Without a command: pause, stop, and the title of the text. */
static void test_process(void **state)
{
	static char pid[16];
	static const char *const words[] = { "stat", "--tui", "-I", "20", "-e", "task-clock,dummy",
					     "-p",   pid,     NULL };
	struct scene *s = *state;
	struct screen *screen;
	pid_t busy = scene_busy();
	char text[64];
	int y, x;

	snprintf(pid, sizeof(pid), "%d", (int)busy);
	s->cols = 120;
	counts(s, words);
	screen = s->screen;
	snprintf(text, sizeof(text), "Counts  pid %d", (int)busy);
	screen_wait_row(screen, 0, text);
	/* in the columns Interval, Total and Rate */
	screen_wait(screen, " msec  ");
	screen_wait(screen, " msec/s");
	screen_keys(screen, "<Space>");
	screen_wait_row(screen, 0, "⏸ paused");
	screen_keys(screen, "<Space>");
	screen_wait_row(screen, 0, "● COUNT");
	/* the mouse chooses a row, and opens it */
	y = screen_find(screen, "dummy", &x);
	assert_true(y > 0);
	screen_click(screen, y, x);
	screen_click(screen, y, x);
	screen_wait(screen, "Total: 0");
	screen_keys(screen, "<Esc>");
	screen_wait_gone(screen, "Total: 0");
	screen_keys(screen, "m");
	screen_wait(screen, "(s) stop counting");
	screen_keys(screen, "s");
	screen_wait_row(screen, 0, "✓ ended");
	screen_keys(screen, "Y");
	screen_wait(screen, "copied: ptui stat --tui -I 20 -e task-clock,dummy -p");
	screen_keys(screen, "q");
	snprintf(text, sizeof(text), "stats for process id '%d'", (int)busy);
	screen_wait(screen, text);
	scene_ended(s, 0);
	assert_true(scene_lives(busy));
	kill(busy, SIGKILL);
}

static void test_system(void **state)
{
	static const char *const words[] = {
		"stat", "--tui", "-a", "-M", "CPUs_utilized,cs_per_second", "-o", "counts.txt", NULL
	};
	struct scene *s = *state;

	counts(s, words);
	screen_wait_row(s->screen, 0, "the whole system");
	screen_wait(s->screen, "cpu-clock");
	screen_wait(s->screen, "CPUs  CPUs_");
	screen_keys(s->screen, "q");
	scene_ended(s, 0);
	assert_non_null(strstr(scene_text(s, "counts.txt"), "started on"));
}

/* q asks first; a command that is stopped has not failed. */
static void test_stopped_command(void **state)
{
	static const char *const words[] = { "stat", "--tui", "-e", "dummy",
					     "--",   "sh",    "-c", "echo $$ >pid; exec sleep 1000",
					     NULL };
	struct scene *s = *state;
	pid_t pid;

	counts(s, words);
	pid = scene_pid(s, "pid");
	screen_keys(s->screen, "q");
	screen_wait(s->screen, "go on counting");
	screen_keys(s->screen, "g");
	screen_wait_gone(s->screen, "go on counting");
	assert_true(scene_lives(pid));
	screen_keys(s->screen, "qq");
	screen_wait(s->screen, "seconds time elapsed");
	scene_ended(s, 0);
	scene_await_gone(pid);
}

/* One that ignores SIGTERM dies by the second request. */
static void test_stubborn_command(void **state)
{
	static const char *const words[] = {
		"stat", "--tui", "-e", "dummy",
		"--",	"sh",	 "-c", "trap '' TERM; echo $$ >pid; while :; do sleep 1; done",
		NULL
	};
	struct scene *s = *state;
	pid_t pid;

	counts(s, words);
	pid = scene_pid(s, "pid");
	screen_keys(s->screen, "s");
	screen_wait_row(s->screen, 0, "stopping");
	screen_keys(s->screen, "s");
	screen_wait_row(s->screen, 0, "killed by signal 9");
	assert_false(scene_lives(pid));
	screen_keys(s->screen, "q");
	scene_ended(s, 0);
}

/* A pasted line chooses it; Setup shows the line of stat, and the text comes after Setup. */
static void test_setup(void **state)
{
	struct scene *s = *state;
	struct screen *screen = scene_open(s);

	screen_paste(screen, "perf stat -d -e dummy,task-clock -- sh -c 'exit 4'");
	screen_keys(screen, "<Enter>");
	screen_wait(screen, "--detailed: only for the command line");
	screen_keys(screen, "<Esc>");
	screen_wait_gone(screen, "--detailed: only for the command line");
	screen_wait(screen, "count only");
	screen_wait(screen, "ptui stat -e dummy,task-clock -- sh -c 'exit 4'");
	assert_int_equal(screen_find(screen, "Call graph", NULL), -1);
	screen_keys(screen, "r");
	screen_wait_row(screen, 0, "Counts  sh -c exit 4");
	screen_wait(screen, "these are the final numbers");
	screen_keys(screen, "Y");
	screen_wait(screen, "copied: ptui stat -e dummy,task-clock -- sh -c 'exit 4'");
	screen_keys(screen, "q");
	screen_wait_row(screen, 0, "Setup");
	screen_keys(screen, "<C-c>");
	screen_wait(screen, "Performance counter stats for 'sh -c exit 4'");
	scene_ended(s, 0);
	/* it is remembered, and the next value samples again */
	screen = scene_open(s);
	screen_wait(screen, "ptui stat -e dummy,task-clock -- sh -c 'exit 4'");
	screen_keys(screen, "<Home><Down><Down><Down>");
	wait_cursor(screen, "count only");
	screen_keys(screen, "<Right>");
	screen_wait(screen, "ptui record -e dummy,task-clock");
	screen_wait(screen, "Call graph");
	screen_keys(screen, "<Left>");
	screen_wait(screen, "ptui stat -e dummy,task-clock");
	screen_keys(screen, "<C-c>");
	scene_ended(s, 0);
}

static void test_refused(void **state)
{
	static const struct {
		const char *words[8], *why;
	} cases[] = {
		{ { "stat", "--tui", "-x,", "-e", "dummy", "--", "true" },
		  "-x cannot be used together" },
		{ { "stat", "--tui", "-r", "2", "--", "true" }, "-r cannot be used together" },
		{ { "stat", "--tui", "-M", "nonsense", "--", "true" }, "unknown metric" },
		{ { "stat", "--tui", "-e", "dummy", "--", "/no/such" }, "cannot run /no/such" },
		{ { "stat", "--tui", "-e", "dummy", "-p", "4194305" }, "4194305" },
	};
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		scene_start(s, cases[i].words);
		screen_wait(s->screen, cases[i].why);
		assert_true(screen_wait_end(s->screen) != 0);
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, scene_set_up, scene_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_command),	 T(test_wide),
		T(test_process),	 T(test_system),
		T(test_stopped_command), T(test_stubborn_command),
		T(test_setup),		 T(test_refused),
		T(test_chinese),	 T(test_german),
	};

	return cmocka_run_group_tests_name("screen/counts", tests, NULL, NULL);
}
