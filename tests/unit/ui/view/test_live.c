/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the Live screen shows of a recording. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/ui/view/live_made.h"

static void test_sizes(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 40, 120 }, { 10, 40 } };

	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	for (size_t i = 0; i < 3; i++) {
		draw(sizes[i][0], sizes[i][1]);
		waits_for("parse");
		if (getenv("SHOW"))
			dump();
		assert_int_equal(row_of("Live  make -j2"), 0);
		assert_int_equal(row_of("● REC 00:12.4"), 0);
		assert_true(row_of("cycles") > 0);
		assert_true(row_of(" instructions ") == row_of("cycles") + 1);
		assert_true(row_of("samples 96,204") == row_of(" instructions ") + 1 ||
			    row_of("samples 96204") == row_of(" instructions ") + 1);
		assert_true(row_of("parse") > row_of("samples"));
		assert_true(row_of("eval") == row_of("parse") + 1);
		assert_true(row_of("stop & browse") == sizes[i][0] - 1);
		assert_int_equal(t.live.cols, sizes[i][1]);
	}
	draw(40, 120);
	sees("instructions/cycle");
	sees("1.38");
	sees("own");
	sees("4000 Hz");
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	while (n && text[n - 1] == ' ')
		n--;
	return n >= m && !strncmp(text + n - m, end, m);
}

static void test_what_cannot_be_counted(void **state)
{
	(void)state;
	set_event(2, "branches", 0, 0, 1);
	t.live.events[2].state = PTUI_LIVE_NOT_COUNTED;
	set_event(3, "stalls", 0, 0, 1);
	t.live.events[3].state = PTUI_LIVE_NOT_SUPPORTED;
	t.live.events[3].profile_event = PTUI_NONE;
	t.live.events[3].reason = "This CPU has none.";
	set_event(1, "instructions", 53.8e9, 4.31e9, 0.63);
	open_live();
	sees("not counted");
	does_not_see("nothing counted yet");
	t.live.events[2].enabled_ns = 0;
	wake();
	sees("nothing counted yet");
	t.live.status = 1 << 8;
	end(PTUI_LIVE_ENDED);
	sees("nothing was counted");
	sees("not supported  This CPU has none.");
	sees("63 %");
}

/*
 * Derived values are next to the events if there is room, else in the totals; also if there are
 * more than event lines.
 */
static void test_ratios(void **state)
{
	(void)state;
	set_event(0, "cycles:u", 38.91e9, 3.12e9, 1);
	set_event(1, "instructions:u", 53.8e9, 4.31e9, 1);
	set_event(2, "task-clock", 2e9, 1.97e9, 1);
	open_live();
	wake();
	draw(24, 100);
	assert_int_equal(row_of("instructions/cycle"), row_of("cycles:u"));
	assert_int_equal(row_of("CPUs used"), row_of(" instructions:u "));
	sees("1.97 of ");
	draw(24, 56);
	does_not_see("lost 0 · throttled 0 · rings");
	assert_int_equal(row_of("instructions/cycle 1.38"), row_of("samples"));
}

/* Problems are shown next to the number, with the remedy. */
static void test_trouble(void **state)
{
	(void)state;
	t.live.stats.ring_fill = 0.5;
	t.live.stats.ring_fill_max = 0.62;
	open_live();
	draw(24, 120);
	sees("rings ▅ 50 %, at most 62 %");
	does_not_see("(-F)");
	t.live.stats.lost = 5063;
	t.live.stats.throttled = 7;
	wake();
	sees("(5.0 %)");
	sees("throttled 7");
	sees("samples are lost: lower the frequency (-F) or enlarge the ring buffers "
	     "(-m)");
	/* hidden ones are counted */
	draw(40, 200);
	key('z');
	key('D');
	sees("samples are lost");
	sees("kernel throttles: lower the frequency (-F)");
	sees("since 00:12.4 (Z: all)");
	sees("decay: half every 2.00 s (D)");
	draw(10, 40);
	sees("lost");
	sees("No samples");
}

/* Between two updates only a part is drawn; it leaves the picture that drawing everything makes. */
static void test_part(void **state)
{
	static const int sizes[][2] = {
		{ 24, 100 }, { 40, 160 }, { 12, 60 }, { 5, 40 }, { 2, 30 }
	};

	(void)state;
	open_live();
	publish(made(70, 30));
	wake();
	waits_for("70.00%");
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		int rows = sizes[i / 2][0], cols = sizes[i / 2][1];
		size_t bytes = (size_t)rows * (size_t)cols * sizeof(*t.grid->cells);
		struct cell *before = malloc(bytes), *part = malloc(bytes);

		assert_true(before && part);
		draw(rows, cols);
		memcpy(before, t.grid->cells, bytes);
		t.live.stats.samples += 12345;
		t.live.stats.elapsed_ns += 71 * (uint64_t)SECOND;
		t.live.stats.lost = i % 2 ? 100000 : 0;
		t.live.stats.throttled += 3;
		while (!stack_draw_part(t.stack, t.grid)) /* until the next tick of the clock */
			loop_turn(stack_loop(t.stack), 1000);
		memcpy(part, t.grid->cells, bytes);
		assert_true(rows < 3 || memcmp(before, part, bytes));
		stack_draw(t.stack, t.grid);
		assert_memory_equal(part, t.grid->cells, bytes);
		free(before);
		free(part);
	}
}

static void test_a_pinned_event_without_a_counter(void **state)
{
	(void)state;
	set_event(2, "branches:D", 0, 0, 0);
	t.live.events[2].state = PTUI_LIVE_ERROR;
	open_live();
	sees("error state  pinned (D), but no counter is free for it");
}

static void test_sentences_without_room(void **state)
{
	(void)state;
	set_event(3, "stalls", 0, 0, 1);
	t.live.events[3].state = PTUI_LIVE_NOT_SUPPORTED;
	t.live.events[3].profile_event = PTUI_NONE;
	t.live.events[3].reason =
		"This CPU has none, and tells it at more length than there is room.";
	draw(24, 60);
	open_live();
	sees("not supported");
	assert_true(ends_with(row(row_of("not supported")), "…"));
	draw(12, 40);
	wake();
	sees("soon as they are sampled.");
}

static void test_more_events_than_room(void **state)
{
	static const char *const names[] = { "aa", "bb", "cc", "dd", "ee", "ff" };

	(void)state;
	for (size_t i = 0; i < 6; i++)
		set_event(i, names[i], 1, 1, 1);
	t.live.events[5].profile_event = 5;
	draw(10, 40);
	open_live();
	sees("aa");
	sees("more events");
	does_not_see("ff");
	key(K_SHIFT | K_TAB);
	sees("ff");
}

/* Of many events, those without samples are passed over. */
static void test_many_events(void **state)
{
	static char names[12][16];

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		snprintf(names[i], sizeof(names[i]), "event-%zu", i);
		set_event(i, names[i], 1, 1, 1);
		t.live.events[i].profile_event = (uint32_t)i;
	}
	draw(24, 80);
	open_live();
	sees("▸ event-0 ");
	t.live.events[7].samples = t.live.events[11].samples = 1;
	wake();
	sees("▸ event-7 ");
	key(K_TAB);
	sees("▸ event-11 ");
	key(K_TAB);
	sees("▸ event-7 ");
	t.live.events[3].samples = 1;
	wake();
	sees("▸ event-7 ");
	key(K_SHIFT | K_TAB);
	sees("▸ event-3 ");
}

/* The column where the rate of an event ends. */
static int rate_column(const char *event)
{
	const char *line = row(row_of(event)), *end = strstr(line, "/s");
	int column = 0;

	assert_non_null(end);
	for (; line < end; line++)
		column += (*line & 0xc0) != 0x80;
	return column;
}

static void test_columns_do_not_move(void **state)
{
	int at;

	(void)state;
	open_live();
	sees("/s");
	at = rate_column(" cycles ");
	set_event(0, "cycles", 1, 2, 1);
	set_event(1, "instructions", 5.38e18, 4.31e15, 1);
	wake();
	sees("/s");
	assert_int_equal(rate_column(" cycles "), at);
	assert_int_equal(rate_column(" instructions "), at);
}

static void test_pause_and_go_on(void **state)
{
	(void)state;
	open_live();
	sees("● REC");
	key(' ');
	sees("⏸ paused");
	sees("Paused before the first sample");
	key(' ');
	sees("● REC");
}

/* Before the first profile there may be samples. */
static void test_first_samples(void **state)
{
	(void)state;
	open_live();
	sees("No samples yet");
	strcpy(t.live.stats.children, "12,13");
	wake();
	sees("No samples: the children of the process must be selected as well: -p 12,13");
	*t.live.stats.children = '\0';
	t.live.events[0].samples = 856;
	wake();
	sees("Looking up the functions of the first samples.");
	does_not_see("No samples yet");
	t.live.has_ring = true;
	wake();
	sees("Only the last samples are kept");
}

/* A warning that comes or goes moves no row. */
static void test_warnings_move_nothing(void **state)
{
	static const int sizes[][2] = { { 24, 80 }, { 60, 200 }, { 16, 60 }, { 12, 40 } };
	int at;

	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	waits_for("eval");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		t.live.stats.throttled = 0;
		t.live.stats.lost = 0;
		t.live.info.left = 0;
		draw(sizes[i][0], sizes[i][1]);
		wake();
		sees("parse");
		at = row_of("parse");
		t.live.stats.throttled = 5;
		t.live.stats.lost = 100000;
		t.live.stats.ring_fill_max = 1;
		t.live.info.left = 123456;
		wake();
		draw(sizes[i][0], sizes[i][1]);
		assert_int_equal(row_of("parse"), at);
	}
	/* what does not fit is not silently cut */
	draw(24, 60);
	assert_true(ends_with(row(row_of("only in the file")), "…"));
}

/* While it records, the other screens show that, in red. */
static void test_light_on_other_screens(void **state)
{
	(void)state;
	open_live();
	key('?');
	sees("Help: Live");
	assert_int_equal(row_of("● REC 00:12"), 0);
	for (int x = 0; x < t.grid->cols; x++)
		if (t.grid->cells[x].ch == 0x25cf)
			assert_int_equal(grid_style(t.grid, 0, x), ROLE_HOT);
	key(K_ESC);
	key('o');
	sees("Output");
	assert_int_equal(row_of("● REC 00:12"), 0);
	key(K_ESC);
	key(' ');
	key('?');
	sees("⏸ paused");
	end(PTUI_LIVE_FAILED);
	does_not_see("● REC");
}

static void test_folds_and_cursor_survive(void **state)
{
	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	waits_for("eval");
	key(K_DOWN);
	key('+');
	waits_for("run");
	assert_true(row_of("run") > row_of("eval"));
	publish(made(70, 130));
	wake();
	waits_for("65.00");
	sees("run");
	assert_true(row_of("run") == row_of("eval") + 1);
	assert_true(row_of("parse") > row_of("run"));
	draw(24, 80);
	assert_true(grid_style(t.grid, row_of("eval"), 20) & STYLE_CURSOR);
	key('+');
	does_not_see("run");
}

static void test_search(void **state)
{
	(void)state;
	publish(made(70, 30));
	open_live();
	wake();
	waits_for("eval");
	key('/');
	for (const char *s = "eva"; *s; s++)
		key((key_code)*s);
	key(K_ENTER);
	draw(24, 80);
	assert_true(grid_style(t.grid, row_of("eval"), 20) & STYLE_CURSOR);
}

static void test_output(void **state)
{
	(void)state;
	open_live();
	assert_int_equal(write(t.command, "CC main.o\r\nCC x.o\r\n", 19), 19);
	key('o');
	waits_for("CC x.o");
	sees("Output");
	key(K_ESC);
	does_not_see("CC main.o");
	sees("cycles");
}

static void test_no_output_is_not_offered(void **state)
{
	int fd = t.live.command_fd;

	(void)state;
	t.live.command_fd = -1;
	open_live();
	does_not_see("output");
	t.live.command_fd = fd;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LIVE(test_sizes),
		LIVE(test_what_cannot_be_counted),
		LIVE(test_ratios),
		LIVE(test_trouble),
		LIVE(test_part),
		LIVE(test_a_pinned_event_without_a_counter),
		LIVE(test_sentences_without_room),
		LIVE(test_more_events_than_room),
		LIVE(test_many_events),
		LIVE(test_columns_do_not_move),
		LIVE(test_pause_and_go_on),
		LIVE(test_first_samples),
		LIVE(test_warnings_move_nothing),
		LIVE(test_light_on_other_screens),
		LIVE(test_folds_and_cursor_survive),
		LIVE(test_search),
		LIVE(test_output),
		LIVE(test_no_output_is_not_offered),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests_name("view/live", tests, NULL, NULL);
}
