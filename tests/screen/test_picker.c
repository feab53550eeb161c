/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event picker: searches, marks, groups, enters modifiers, a period and a filter with errors
 * and then correctly, records, and finds everything in the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "screen/scene.h"

#define PERIOD "1000000"
#define FILTER "parent_comm == \"nobody\""

static const char group[] = "'{cpu-clock:u,task-clock/period=" PERIOD "/}'";

/* Changing numbers do not belong into pictures: the preview has its own test. */
static void write_config(const struct scene *s)
{
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/ptui", s->folder);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/ptui/config", s->folder);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs("set preview off\n", out);
	assert_int_equal(fclose(out), 0);
}

static struct screen *open_picker(struct scene *s)
{
	struct screen *screen;

	need("tracefs");
	write_config(s);
	screen = scene_open(s);
	screen_keys(screen, "e");
	screen_wait_row(screen, 0, "Setup › Events");
	screen_wait_row(screen, 0, " marked");
	return screen;
}

/* The line of the search is open: hints are indented, and begin with another key. */
static bool has_prompt(struct screen *s, void *ctx)
{
	return (*screen_row(s, screen_rows(s) - 1) == '/') == *(bool *)ctx;
}

static void open_search(struct screen *s)
{
	bool yes = true;

	screen_keys(s, "/");
	screen_wait_until(s, has_prompt, &yes, "a search is typed");
}

static void close_search(struct screen *s)
{
	bool no = false;

	screen_keys(s, "<Enter>");
	screen_wait_until(s, has_prompt, &no, "the search is done");
}

/* The cursor is on the only event that has this in its name. */
static void find(struct screen *s, const char *name)
{
	open_search(s);
	screen_keys(s, "<C-u>");
	screen_send(s, name, strlen(name));
	close_search(s);
	screen_wait_row(s, 0, "· 1 of ");
}

static void mark(struct screen *s, const char *name)
{
	char row[128];

	find(s, name);
	screen_keys(s, "<Space>");
	snprintf(row, sizeof(row), "[x] %s", name);
	screen_wait(s, row);
}

/* Types a line into the prompt with this label. */
static void type(struct screen *s, const char *line)
{
	screen_keys(s, "<C-e><C-u>");
	screen_send(s, line, strlen(line));
}

/* ---- a whole choice ---- */

static void choose_group(struct screen *s)
{
	find(s, "cpu-cycles"); /* what a first session offers */
	screen_keys(s, "<Space>");
	screen_wait_row(s, 0, "0 marked");
	mark(s, "cpu-clock");
	screen_keys(s, "G");
	screen_wait(s, "mark at least two events");
	mark(s, "task-clock");
	screen_keys(s, "G");
	screen_wait(s, "2 events are now one group");
	screen_wait(s, "[x] task-clock  {1}");
}

/* Errors are shown while typing, and Enter does not accept them. */
static void say_modifiers(struct screen *s)
{
	find(s, "cpu-clock");
	screen_keys(s, "m");
	screen_wait(s, "modifiers of cpu-clock:");
	screen_wait(s, "u user  k kernel");
	type(s, "uz");
	screen_wait(s, "unknown modifier");
	screen_wait(s, "^ one of ");
	screen_keys(s, "<Enter>");
	screen_wait(s, "modifiers of cpu-clock: uz");
	screen_keys(s, "<BS>");
	screen_wait_gone(s, "unknown modifier");
	screen_wait(s, "u user  k kernel");
	screen_keys(s, "<Enter>");
	screen_wait(s, "[x] cpu-clock:u  {1}");
}

static void say_period(struct screen *s)
{
	find(s, "task-clock");
	screen_keys(s, "p");
	screen_wait(s, "period of task-clock:");
	type(s, "often");
	screen_wait(s, "'often' is neither a period");
	type(s, "1M");
	screen_wait_gone(s, "'often'");
	screen_keys(s, "<Enter>");
	screen_wait(s, "[x] task-clock/period=" PERIOD "/  {1}");
}

static void say_filter(struct screen *s)
{
	mark(s, "sched:sched_process_fork");
	screen_keys(s, "f");
	screen_wait(s, "only sched:sched_process_fork with:");
	screen_wait(s, "child_pid"); /* what it can be filtered by */
	type(s, "parent_com == \"nobody\"");
	screen_wait(s, "has no field called parent_com");
	screen_wait(s, "^ the name of a field");
	screen_wait(s, "did you mean parent_comm");
	screen_keys(s, "<Enter>");
	screen_wait(s, "did you mean parent_comm");
	type(s, "parent_c");
	screen_keys(s, "<Tab>");
	screen_wait(s, "with: parent_comm");
	screen_keys(s, " == \"nobody\"");
	screen_wait_gone(s, "did you mean");
	screen_keys(s, "<Enter>");
	screen_wait(s, "ork  if parent_comm");
	screen_wait(s, "--filter " FILTER);
	screen_keys(s, "<Home>"); /* a heading */
	screen_keys(s, "f");
	screen_wait(s, "go to an event first");
	find(s, "cpu-clock");
	screen_keys(s, "f");
	screen_wait(s, "cpu-clock (Software) has no fields to filter by");
}

static void say_typed(struct screen *s)
{
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "/ cpu-clock");
	screen_keys(s, "t");
	screen_wait(s, "event:");
	type(s, "page-fault");
	screen_wait(s, "unknown event 'page-fault'");
	screen_wait(s, "did you mean page-faults?");
	screen_keys(s, "s:k<Enter>");
	screen_wait(s, "[x] page-faults:k");
	screen_wait_row(s, 0, "5 marked");
}

/* In order, by groups; Space unmarks, ESC goes back to all. */
static void look_at_marked(struct screen *s)
{
	screen_keys(s, "M");
	screen_wait_row(s, 0, "marked only · 5 marked · 5 of ");
	screen_wait_row(s, 2, "group {1}");
	screen_wait_row(s, 3, "[x] cpu-clock:u");
	screen_wait_row(s, 5, "[x] sched:sched_process_exit");
	screen_keys(s, "<End><Space>");
	screen_wait_row(s, 0, "4 marked");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "marked only");
}

/* What perf reads from the file. */
static void check_file(const struct scene *s)
{
	char command[1024];

	snprintf(command, sizeof(command),
		 "cd %s && perf evlist -g | grep -qxF \"%.*s\" && "
		 "perf evlist -v | grep '^cpu-clock:u' | grep -q 'exclude_kernel: 1' && "
		 "perf evlist -v | grep '^task-clock' | "
		 "grep -qE 'sample_period, sample_freq. *}: " PERIOD ",' && "
		 "perf script 2>/dev/null | awk '/ sched:sched_process_fork: / { forks++ } "
		 "/ sched:sched_process_exit: / { exits++ } END { exit !(exits >= 2 && !forks) }'",
		 s->folder, (int)sizeof(group) - 3, group + 1);
	if (system(command)) {
		snprintf(command, sizeof(command),
			 "cd %s && perf evlist -g; perf evlist -v; "
			 "perf script | grep -c sched_process_",
			 s->folder);
		if (system(command))
			print_error("there are none\n");
		fail_msg("the file is not what was chosen");
	}
}

static void test_to_the_file(void **state)
{
	struct scene *scene = *state;
	struct screen *s;

	scene->rows = 30;
	scene->cols = 120;
	s = open_picker(scene);
	choose_group(s);
	say_modifiers(s);
	say_period(s);
	mark(s, "sched:sched_process_exit");
	say_filter(s);
	say_typed(s);
	look_at_marked(s);
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "ptui  Setup");
	screen_wait(s, "-e '{cpu-clock:u,task-clock/period=" PERIOD "/}'");
	screen_wait(s, "--filter 'parent_comm == \"nobody\"'");
	screen_wait(s, "filter " FILTER);
	scene_command(scene, "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; "
			     "/bin/true; /bin/true; exit 0'");
	screen_wait_row(s, 0, "ready");
	screen_keys(s, "r");
	screen_wait(s, "of event '");
	screen_keys(s, "<C-c>");
	scene_ended(scene, 0);
	check_file(scene);

	/* the next session restores it, and the picker parses it again */
	s = open_picker(scene);
	screen_wait_row(s, 0, "4 marked");
	screen_keys(s, "M");
	screen_wait_row(s, 2, "group {1}");
	screen_wait_row(s, 4, "[x] task-clock/period=" PERIOD "/");
	screen_wait_row(s, 6, "ork  if parent_comm"); /* its name is shortened */
	screen_keys(s, "<C-c>");
	scene_ended(scene, 0);
}

/* ---- visible rows ---- */

/* Cancelling a search restores marks, cursor and scrolling. */
static void test_search_leaves_all_as_it_was(void **state)
{
	struct scene *scene = *state;
	struct screen *s = open_picker(scene);
	char row[1024], first[1024];

	/* results change the order until a key is pressed */
	screen_wait_gone(s, "checking events");
	snprintf(first, sizeof(first), "%.24s", screen_row(s, 2));
	screen_keys(s, "<Down><PgDn>");
	open_search(s);
	assert_int_not_equal(strncmp(first, screen_row(s, 2), 24), 0);
	snprintf(row, sizeof(row), "%.24s", screen_row(s, 2)); /* details may come later */
	screen_keys(s, "sched_switch");
	screen_wait(s, "[ ] sched:sched_switch");
	screen_wait_row(s, 0, " 1 of ");
	screen_keys(s, "<Esc>");
	screen_wait_row(s, 2, row);
	/* The found entry under the cursor stays visible. */
	screen_keys(s, "/sched_switch<Enter>");
	screen_wait_row(s, 0, " 1 of ");
	screen_keys(s, "<Space><Esc>");
	screen_wait_row(s, 0, "2 marked");
	screen_wait_gone(s, "/ sched_switch");
	screen_wait(s, "[x] sched:sched_switch");
	screen_wait(s, "[ ] sched:sched_wakeup"); /* its neighbours */
	screen_keys(s, "<C-c>");
	scene_ended(scene, 0);
}

/* An event of a missing PMU: shown with the remedy, and hidden on request. */
static void test_available(void **state)
{
	struct scene *scene = *state;
	struct screen *s = open_picker(scene);
	bool has_cycles;

	find(s, "cpu-cycles");
	screen_wait(s, "this machine");
	has_cycles = screen_find(s, "✓ this machine has it", NULL) >= 0;
	if (!has_cycles)
		screen_wait(s, "✗ ");
	screen_keys(s, "<Esc>A");
	screen_wait_row(s, 0, "available only");
	screen_wait(s, "[x] cycles"); /* marked events are always visible */
	screen_wait(s, "cpu-clock");
	if (!has_cycles)
		screen_wait_gone(s, "[ ] instructions");
	screen_keys(s, "A");
	screen_wait_gone(s, "available only");
	screen_keys(s, "<C-c>");
	scene_ended(scene, 0);
}

/* ---- pictures ---- */

static const char *const masks[] = {
	"^ Se.*$", NULL /* their number */
};

static void test_pictures(void **state)
{
	static const struct {
		int rows, cols;
		const char *name, *marked;
	} sizes[] = {
		{ 24, 80, "picker-80x24", "picker-marked-80x24" },
		{ 40, 120, "picker-120x40", "picker-marked-120x40" },
		{ 10, 40, "picker-40x10", "picker-marked-40x10" },
	};
	struct scene *scene = *state;
	struct screen *s = open_picker(scene);
	size_t i;

	choose_group(s);
	say_modifiers(s);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i].rows, sizes[i].cols);
		screen_wait_row(s, sizes[i].rows - 1, "help");
		screen_golden(s, sizes[i].name, masks);
		screen_keys(s, "M");
		screen_wait_row(s, 0, "2 marked");
		screen_wait(s, "group {1}");
		screen_golden(s, sizes[i].marked, masks);
		screen_keys(s, "M");
		find(s, "cpu-clock");
	}
	screen_keys(s, "<C-c>");
	scene_ended(scene, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, scene_set_up, scene_tear_down)
		TEST(test_to_the_file),
		TEST(test_search_leaves_all_as_it_was),
		TEST(test_available),
		TEST(test_pictures),
#undef TEST
	};

	return cmocka_run_group_tests_name("screen/picker", tests, NULL, NULL);
}
