/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Snapshots screen next to Live, on a fake engine. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/ui/view/live_made.h"

static char folder[] = "/tmp/ptui-snapshots-XXXXXX";
static char paths[8][128];

static int made_up(void **state)
{
	snprintf(folder, sizeof(folder), "/tmp/ptui-snapshots-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	if (set_up(state))
		return -1;
	t.live.has_ring = true;
	return 0;
}

static int put_away(void **state)
{
	char command[128];
	int r = tear_down(state);

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) ? -1 : r;
}

/* The i-th with a file. */
static struct ptui_snapshot *takes(size_t i, enum ptui_snapshot_why why)
{
	FILE *out;

	snprintf(paths[i], sizeof(paths[i]), "%s/perf.data.20261122151200%02zu", folder, i);
	out = fopen(paths[i], "w");
	assert_non_null(out);
	fprintf(out, "what was kept, %zu", i);
	assert_int_equal(fclose(out), 0);
	return taken(why, paths[i]);
}

static void open_list(void)
{
	open_live();
	key('S');
	sees("[Snapshots]");
}

static void type(const char *text)
{
	for (; *text; text++)
		key((key_code)(unsigned char)*text);
}

static void click(int y, int x)
{
	struct term_event e = {
		.kind = TERM_MOUSE, .mouse = MOUSE_PRESS, .button = 1, .y = y, .x = x
	};

	stack_event(t.stack, &e);
}

/* ---- messages in Live ---- */

static void test_news(void **state)
{
	struct ptui_snapshot *s;

	(void)state;
	open_live();
	does_not_see("snapshots 1");
	s = takes(1, PTUI_SNAPSHOT_WHEN);
	s->pause_ns = 412000;
	wake();
	sees("Snapshot 1 (condition): 1000 samples, 4.20 s; rings paused for 412 us");
	sees("snapshots 1 (last 00:03.0)");
	key(K_CTRL | 'l');
	takes(2, PTUI_SNAPSHOT_SIGNAL);
	wake();
	sees("Snapshot 2 (signal): 2000 samples, 4.20 s");
	does_not_see("paused");
	/* periodic ones are not reported: there would be too many messages */
	key(K_CTRL | 'l');
	takes(3, PTUI_SNAPSHOT_TIME);
	wake();
	does_not_see("Snapshot 3");
	sees("snapshots 3 (last 00:09.0)");
}

/* ---- the list ---- */

static void test_rows(void **state)
{
	struct ptui_snapshot *s;

	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	s = takes(2, PTUI_SNAPSHOT_WHEN);
	s->new_samples = 1500;
	s->overlap_ns = 800000000;
	s->pause_ns = 412000;
	s->react_ns = 1100000;
	s->lost = 12;
	open_list();
	draw(24, 100);
	sees("Live · [Snapshots]");
	sees("2 files, 4.20 MB  ● REC 00:12");
	assert_non_null(strstr(
		row(2), "#      Taken     Span    Samples     Size  Overlap  Why        Name"));
	assert_non_null(strstr(row(3), "2    00:06.0   4.20 s       2000"));
	assert_non_null(strstr(row(3), "800 ms  condition  –"));
	assert_non_null(strstr(row(4), "1    00:03.0   4.20 s       1000"));
	assert_non_null(strstr(row(4), "key"));
	/* the details have what the columns do not show */
	draw(24, 200);
	sees("#2: A condition (--snapshot-when) became true at 00:06.0.");
	sees("500 of its samples (800 ms) are also in the previous snapshot.");
	sees("were paused for 412 us; 12 samples were lost in that time.");
	sees("It was taken 1.10 ms after the request.");
	key(K_DOWN);
	sees("#1: Requested with a key at 00:03.0.");
	sees(paths[1]);
}

/* The column of AUX data is there as soon as a snapshot has some. */
static void test_aux(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 110);
	does_not_see("AUX");
	takes(2, PTUI_SNAPSHOT_SIGNAL)->aux_bytes = 2048000;
	wake();
	draw(24, 110);
	assert_non_null(strstr(row(2), "Samples     Size      AUX  Overlap  Why"));
	if (!strstr(row(3), "1.95 MB"))
		fail_msg("%s", row(3));
	assert_null(strstr(row(4), "1.95 MB"));
}

static void test_gap(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED)->gap = true;
	takes(2, PTUI_SNAPSHOT_CONTROL)->gap = true;
	open_list();
	draw(24, 200);
	sees("and this one were overwritten.");
	/* none could be missing before the first */
	key(K_DOWN);
	does_not_see("were overwritten");
}

/* The cursor stays on its snapshot when another is added. */
static void test_selection_survives(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	takes(2, PTUI_SNAPSHOT_ASKED);
	open_list();
	key(K_DOWN);
	sees("#1: ");
	takes(3, PTUI_SNAPSHOT_ASKED);
	wake();
	sees("3 files");
	sees("#1: ");
	/* and when one is removed because there are too many */
	key(K_UP);
	sees("#2: ");
	t.live.snapshots[0].removed = true;
	wake();
	sees("2 files");
	sees("#2: ");
	t.live.snapshots[1].removed = true;
	wake();
	sees("#3: ");
	sees("1 file, 2.10 MB (2 older removed)");
}

static void test_take(void **state)
{
	(void)state;
	open_list();
	sees("No snapshots yet: press s");
	key('s');
	sees("A snapshot is being taken.");
	wake();
	sees("Snapshot 1 (key)");
	key(K_CTRL | 'l');
	/* without a file it can only be given a name */
	sees("no file of its own");
	sees("so it cannot");
	key(K_ENTER);
	sees("It has no file of its own");
	sees("[Snapshots]");
	key('*');
	sees("cannot be compared");
	key('w');
	sees("It has no file of its own.");
	key('x');
	sees("It has no file of its own.");
	key('n');
	type("x");
	key(K_ENTER);
	sees("#1 x:");
}

/* After s the cursor is on the new snapshot, wherever it was. */
static void test_the_new_one(void **state)
{
	(void)state;
	taken(PTUI_SNAPSHOT_ASKED, NULL);
	taken(PTUI_SNAPSHOT_ASKED, NULL);
	open_list();
	wake();
	key(K_END);
	sees("#1: ");
	key('s');
	wake();
	sees("#3: ");
	/* others do not take it away */
	key(K_END);
	taken(PTUI_SNAPSHOT_SIZE, NULL);
	wake();
	sees("#1: ");
}

static void test_teaches(void **state)
{
	(void)state;
	t.live.has_ring = false;
	open_list();
	sees("This recording cannot take snapshots");
	sees("--overwrite");
	sees("-M SIZE");
	sees("flight recorder");
	key('s');
	sees("There is no ring.");
	does_not_see("open in a tab");
}

static void test_name(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	takes(2, PTUI_SNAPSHOT_ASKED);
	open_list();
	key('n');
	sees("name of #2:");
	/* another one is added while typing */
	takes(3, PTUI_SNAPSHOT_ASKED);
	wake();
	type("gc-pause");
	key(K_ENTER);
	sees("#2 gc-pause:");
	assert_non_null(strstr(row(row_of("4.20 s       2000")), "gc-pause"));
	key('n');
	sees("name of #2: gc-pause");
	key(K_ESC);
	sees("#2 gc-pause:");
	key('n');
	key(K_CTRL | 'u');
	key(K_ENTER);
	does_not_see("gc-pause");
}

static void test_marks(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 3; i++)
		takes(i, PTUI_SNAPSHOT_ASKED);
	open_list();
	key('*');
	sees("*     3 ");
	key(K_DOWN);
	key(' ');
	sees("*     3 ");
	sees("*     2 ");
	key(K_DOWN);
	key('*');
	sees("*     3 ");
	sees("*     1 ");
	key('*');
	does_not_see("*     1 ");
}

/* The condition is in the column of the reason, and uses its room. */
static void test_condition(void **state)
{
	(void)state;
	t.live.armed.condition = "page-faults/s > 10k and cpu-clock/s > 2";
	takes(1, PTUI_SNAPSHOT_WHEN);
	takes(2, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 120);
	sees("page-faults/s > 10k and cpu-clo…  –");
	draw(24, 80);
	sees("page-faults/s");
}

static void test_compare(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 3; i++)
		takes(i, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 160);
	key('D');
	sees("Mark one snapshot (*), then go to the other to compare them.");
	key('*');
	does_not_see("D compare");
	key(K_DOWN);
	sees("D compare");
	/* the older one is before */
	key('D');
	sees("[#2 → #3]");
	sees("before  #2");
	sees("after   #3");
	key(K_ESC);
	sees("[Snapshots]");
}

static void test_search(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_SIGNAL);
	takes(2, PTUI_SNAPSHOT_ASKED);
	takes(3, PTUI_SNAPSHOT_SIGNAL);
	open_list();
	key('/');
	type("sig");
	sees("1 of 2"); /* while typing */
	type("x");
	sees("not found");
	key(K_BACKSPACE);
	sees("1 of 2");
	type("nal");
	key(K_ENTER);
	sees("#3: ");
	does_not_see("1 of 2");
	key(K_CTRL | 'n');
	sees("#1: ");
	key(K_CTRL | 'p');
	sees("#3: ");
}

/* ---- files ---- */

static void test_delete(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	takes(2, PTUI_SNAPSHOT_ASKED);
	open_list();
	key('x');
	sees("Delete #2?");
	sees("2.10 MB");
	key('n');
	assert_int_equal(access(paths[2], F_OK), 0);
	key('x');
	key('y');
	assert_int_equal(access(paths[2], F_OK), -1);
	assert_int_equal(access(paths[1], F_OK), 0);
	sees("#1: ");
	does_not_see("#2: ");
	/* one that is already gone is only removed from the list */
	assert_int_equal(unlink(paths[1]), 0);
	key(K_DELETE);
	key('y');
	sees("No snapshots left: press s to take one.");
	wake();
	sees("snapshot");
	does_not_see("#1: ");
}

/* Several keys before the next draw. */
static void test_keys_behind_a_deletion(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 3; i++)
		takes(i, PTUI_SNAPSHOT_ASKED);
	open_list();
	key('/');
	type("key");
	key(K_ENTER);
	key(K_END);
	sees("#1: ");
	key('x');
	key('y');
	key(K_CTRL | 'n');
	key(K_CTRL | 'p');
	key('n');
	type("x");
	key(K_ENTER);
	t.live.snapshots[1].removed = true;
	wake();
	key(K_CTRL | 'p');
	key('*');
	sees("*     3 ");
	sees("1 file,");
}

static const char *content(const char *path)
{
	static char text[64];
	FILE *in = fopen(path, "r");
	size_t n;

	assert_non_null(in);
	n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	fclose(in);
	return text;
}

static void answer(const char *line)
{
	key(K_CTRL | 'u');
	type(line);
	key(K_ENTER);
}

static void test_save(void **state)
{
	char path[160];

	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	takes(2, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 120);
	key('n');
	answer("gc pause");
	key('w');
	sees("save #2 as: /tmp/ptui-snapshots-");
	sees("/perf.data.gc-pause");
	key(K_ENTER);
	snprintf(path, sizeof(path), "%s/perf.data.gc-pause", folder);
	assert_string_equal(content(path), "what was kept, 2");
	assert_int_equal(access(paths[2], F_OK), -1);
	sees("#2 is in ");
	/* moved by the user: the recorder does not remove it from the list */
	t.live.snapshots[0].removed = t.live.snapshots[1].removed = true;
	wake();
	sees("#2 gc pause: ");
	does_not_see("00:03.0");
	sees("1 file,");
}

static void test_save_does_not_overwrite(void **state)
{
	char path[160];

	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	takes(2, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 160);
	key('w');
	answer(paths[1]);
	sees("already exists.");
	sees("Replace it?");
	key('n');
	assert_string_equal(content(paths[1]), "what was kept, 1");
	assert_string_equal(content(paths[2]), "what was kept, 2");
	key('w');
	answer(paths[1]);
	key('y');
	assert_string_equal(content(paths[1]), "what was kept, 2");
	assert_int_equal(access(paths[2], F_OK), -1);
	/* to its own path; to a directory; to an impossible path */
	key('w');
	answer(paths[1]);
	sees("It already exists.");
	snprintf(path, sizeof(path), "%s/sub", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	key('w');
	answer(path);
	snprintf(path, sizeof(path), "%s/sub/perf.data.2026112215120001", folder);
	assert_string_equal(content(path), "what was kept, 2");
	key('w');
	answer("/nowhere/at/all");
	sees("cannot use /nowhere/at/all: No such file or directory");
	assert_string_equal(content(path), "what was kept, 2");
}

/* To another file system it is copied, in a thread. */
static void test_save_far_away(void **state)
{
	char path[160];
	struct stat here, there;

	(void)state;
	if (stat(folder, &here) || stat("/dev/shm", &there) || here.st_dev == there.st_dev ||
	    access("/dev/shm", W_OK))
		skip_because("/dev/shm is no file system of its own");
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 160);
	snprintf(path, sizeof(path), "/dev/shm/%s", strrchr(folder, '/') + 1);
	key('w');
	answer(path);
	waits_for("#1 is in /dev/shm/");
	assert_string_equal(content(path), "what was kept, 1");
	assert_int_equal(access(paths[1], F_OK), -1);
	assert_int_equal(unlink(path), 0);
}

static void test_complete(void **state)
{
	char line[160];

	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 160);
	snprintf(line, sizeof(line), "%s/unique-name", folder);
	assert_int_equal(mkdir(line, 0700), 0);
	key('w');
	key(K_CTRL | 'u');
	snprintf(line, sizeof(line), "%s/uni", folder);
	type(line);
	key(K_TAB);
	sees("/unique-name/");
}

/* ---- tabs ---- */

static void test_raise(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	key('n');
	type("quiet");
	key(K_ENTER);
	key('>');
	sees("[Live] · Snapshots");
	sees("cycles");
	key('S');
	sees("Live · [Snapshots]");
	key('q');
	does_not_see("Snapshots");
	sees("Live  make -j2");
	/* the names are the list's, not the screen's */
	key('S');
	sees("#1 quiet:");
}

/* A loading error is shown, and leaves no tab. */
static void test_open_fails(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	draw(24, 120);
	key(K_ENTER);
	sees("[#1]");
	key('<');
	sees("[Snapshots] · #1");
	/* opened again, its tab is brought to the front */
	key(K_ENTER);
	sees("Snapshots · [#1]");
	key('<');
	waits_for("perf.data.2026112215120001");
	while (stack_n_tabs(t.stack) > 2)
		loop_turn(stack_loop(t.stack), 1000);
	key(K_ESC);
	sees("Live · [Snapshots]");
	does_not_see("· #1");
}

static void test_loading_is_stopped(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	click(3, 20);
	click(3, 20);
	sees("[#1]");
	key(K_ESC);
	sees("Live · [Snapshots]");
	assert_int_equal(t.live.stops, 0);
}

/* ---- the end ---- */

static void test_end_while_looking_elsewhere(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	t.live.status = 0;
	end(PTUI_LIVE_ENDED);
	sees("The recording has ended.");
	sees("Live · [Snapshots]");
	sees("✓ ended 00:12");
	assert_int_equal(t.done, 0);
	key('<');
	key(K_ENTER);
	assert_int_equal(t.done, 1);
	assert_true(t.live.freed);
	/* the list stays, and the recording is not accessed any more */
	sees(" Snapshots");
	key('s');
	sees("The recording has ended: snapshots can no longer be taken.");
	key('x');
	key('y');
	sees("No snapshots left: they were deleted.");
	key(K_ESC);
	sees("what is below");
}

/* Stopped by Enter in Live: the list stays next to the Browser. */
static void test_list_stays(void **state)
{
	(void)state;
	open_live();
	takes(1, PTUI_SNAPSHOT_ASKED);
	wake();
	key(K_ENTER);
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 1);
	sees("Snapshots");
	sees("#1: ");
}

static void test_no_list_without_files(void **state)
{
	(void)state;
	open_live();
	taken(PTUI_SNAPSHOT_ASKED, NULL);
	wake();
	key(K_ENTER);
	end(PTUI_LIVE_ENDED);
	assert_int_equal(t.done, 1);
	sees("what is below");
}

static void test_quit_from_the_list(void **state)
{
	(void)state;
	takes(1, PTUI_SNAPSHOT_ASKED);
	open_list();
	key(K_CTRL | 'c');
	assert_int_equal(t.live.stops, 1);
	assert_false(stack_is_done(t.stack));
	end(PTUI_LIVE_ENDED);
	assert_true(stack_is_done(t.stack));
	assert_string_equal(t.left,
			    "The recording is in /tmp/perf.data. 1 snapshot stays as well.");
}

static void test_sizes(void **state)
{
	(void)state;
	for (size_t i = 1; i <= 7; i++)
		takes(i, PTUI_SNAPSHOT_ASKED);
	open_list();
	for (int rows = 1; rows < 30; rows++)
		for (int cols = 1; cols < 110; cols += 7)
			draw(rows, cols);
	draw(10, 40);
	sees("Taken");
	sees("7    00:21.0");
}

#define SNAPSHOTS(test) cmocka_unit_test_setup_teardown(test, made_up, put_away)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SNAPSHOTS(test_news),
		SNAPSHOTS(test_rows),
		SNAPSHOTS(test_aux),
		SNAPSHOTS(test_gap),
		SNAPSHOTS(test_selection_survives),
		SNAPSHOTS(test_take),
		SNAPSHOTS(test_the_new_one),
		SNAPSHOTS(test_teaches),
		SNAPSHOTS(test_name),
		SNAPSHOTS(test_marks),
		SNAPSHOTS(test_condition),
		SNAPSHOTS(test_compare),
		SNAPSHOTS(test_search),
		SNAPSHOTS(test_delete),
		SNAPSHOTS(test_keys_behind_a_deletion),
		SNAPSHOTS(test_save),
		SNAPSHOTS(test_save_does_not_overwrite),
		SNAPSHOTS(test_save_far_away),
		SNAPSHOTS(test_complete),
		SNAPSHOTS(test_raise),
		SNAPSHOTS(test_open_fails),
		SNAPSHOTS(test_loading_is_stopped),
		SNAPSHOTS(test_end_while_looking_elsewhere),
		SNAPSHOTS(test_list_stays),
		SNAPSHOTS(test_no_list_without_files),
		SNAPSHOTS(test_quit_from_the_list),
		SNAPSHOTS(test_sizes),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests_name("view/snapshots", tests, NULL, NULL);
}
