/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole session: choose, record, watch, browse, and once more, with a program whose name and
 * hottest function have wide characters (tests/screen/work.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "screen/recording.h"
#include "screen/steps.h"

/*
 * The program's name here: wider than any library's name, so that the columns always have its
 * width. The kernel truncates the comm after 15 bytes, five characters.
 */
#define PROGRAM "仕事をする長い名前の道具"
#define COMM	"仕事をする"

/* The fifteenth byte is in the middle of a character. */
#define CUT_PROGRAM "w仕事をする"
#define CUT_COMM    "w仕事をす\xef\xbf\xbd"

static char folder[FOLDER_BYTES];

/* What differs by time, machine or kernel. */
static const char *const live_masks[] = {
	"[0-9]{2}:[0-9]{2}\\.[0-9]",
	"own +[0-9.]+ %",
	" +[0-9.]+ [mun]?s +[0-9.]+ [mun]?s/s .*$",
	"^ samples [0-9].*$",
	"^(.  +0\\.[0-9]{2}% .*| *)$", /* rarely sampled, or an empty row */
	" +[0-9]+\\.[0-9]{2}% +[0-9]+%",
	"( |│|█)$", /* a scrollbar, if there are many rows */
	NULL
};
#define N_OPTIONS "[0-9]+ (more options, all|个选项)"
static const char *const setup_masks[] = { "Setup .*$", N_OPTIONS, NULL };
static const char *const n_options[] = { N_OPTIONS, NULL };

/* The user may sample own processes. */
static void need_events(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = 4000,
		.freq = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0 && is_required("root"))
		fail_msg("no event can be opened: %s", strerror(errno));
	else if (fd < 0)
		skip_because("no event can be opened: %s", strerror(errno));
	close(fd);
}

static void copy_program(const char *name)
{
	const char *top = getenv("top_builddir");
	char path[1024], to[256], buf[65536];
	ssize_t n;
	int in, out;

	snprintf(path, sizeof(path), "%s/tests/screen/work", top ? top : ".");
	snprintf(to, sizeof(to), "%s/%s", folder, name);
	in = open(path, O_RDONLY);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0755);
	assert_true(in >= 0 && out >= 0);
	while ((n = read(in, buf, sizeof(buf))) > 0)
		assert_int_equal(write(out, buf, (size_t)n), n);
	assert_int_equal(n, 0);
	close(in);
	assert_int_equal(close(out), 0);
}

static int set_up(void **state)
{
	(void)state;
	make_folder(folder);
	copy_program(PROGRAM);
	copy_program(CUT_PROGRAM);
	copy_program("plain");
	return 0;
}

static int clean(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

static void golden(struct screen *s, const char *what, const char *const *masks)
{
	char name[64];

	snprintf(name, sizeof(name), "%s-%dx%d", what, screen_cols(s), screen_rows(s));
	screen_golden(s, name, masks);
}

/* ---- Setup ---- */

static struct screen *open_setup(int rows, int cols)
{
	const struct visit how = { .folder = folder, .rows = rows, .cols = cols };
	struct screen *s = visit(&how);

	check_frame(s);
	screen_wait_row(s, 0, "ptui  Setup");
	screen_wait(s, "Same as");
	return s;
}

static bool cursor_is_elsewhere(struct screen *s, void *ctx)
{
	int y = screen_cursor_row(s);

	return y >= 0 && y != *(int *)ctx;
}

/* Down until the cursor is on the text. */
static void go_to(struct screen *s, const char *text)
{
	int y;

	while (!strstr(cursor_row(s), text)) {
		y = screen_cursor_row(s);
		screen_keys(s, "<Down>");
		screen_wait_until(s, cursor_is_elsewhere, &y, "the cursor moves");
	}
}

static void add_event(struct screen *s, const char *event)
{
	screen_keys(s, "t");
	screen_wait(s, "event:");
	screen_keys(s, event);
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "event:");
	screen_wait(s, event);
}

/* The command, and one event in the place of the usual one. */
static void choose(struct screen *s, const char *command)
{
	screen_wait(s, "no command yet");
	screen_keys(s, "c");
	screen_wait(s, "command:");
	screen_keys(s, command);
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "command:");
	screen_wait(s, "dwarf,live -e cycles");
	add_event(s, "cpu-clock:u");
	screen_keys(s, "<Home>");
	wait_cursor(s, "Target");
	go_to(s, "cycles");
	screen_keys(s, "d");
	screen_wait_gone(s, "-e cycles");
	screen_wait(s, "ptui record --call-graph dwarf,live -e cpu-clock:u ");
	screen_wait_row(s, 0, "cpu-clock:u ok");
}

/* ---- Live ---- */

static void copy_row(struct screen *s, const char *with, char *buf, size_t size)
{
	int y = screen_find(s, with, NULL);

	snprintf(buf, size, "%s", y < 0 ? "" : screen_row(s, y));
}

static bool samples_change(struct screen *s, void *ctx)
{
	char now[1024];

	copy_row(s, "samples ", now, sizeof(now));
	return *now && strcmp(now, ctx);
}

/* The numbers change; the cursor is on its row. */
static void stay(struct screen *s, const char *name)
{
	char before[1024];
	int i;

	for (i = 0; i < 3; i++) {
		copy_row(s, "samples ", before, sizeof(before));
		screen_wait_until(s, samples_change, before, "there are more samples");
		wait_cursor(s, name);
	}
}

static void watch(struct screen *s)
{
	int rows = screen_rows(s), cols = screen_cols(s);

	screen_keys(s, "r");
	screen_wait_row(s, 0, "● REC");
	screen_wait(s, "warm_loop");
	wait_cursor(s, "数える");
	wait_cursor(s, COMM);
	check_frame(s);
	golden(s, "live", live_masks);

	/* the size changes while it records */
	screen_resize(s, 10, 40);
	wait_cursor(s, "数える");
	check_frame(s);
	screen_wait_row(s, 0, "Live  ./仕事");
	screen_wait(s, "lost 0");
	assert_true(screen_find(s, "hot_", NULL) > screen_cursor_row(s));
	screen_resize(s, rows, cols);
	golden(s, "live", live_masks);

	/* its callers, level by level */
	screen_keys(s, "+");
	wait_cursor(s, "-");
	screen_wait_row(s, screen_cursor_row(s) + 1, "parse");
	screen_keys(s, "<Down>+");
	wait_cursor(s, "-");
	wait_cursor(s, "parse");
	screen_wait_row(s, screen_cursor_row(s) + 1, "serve");
	screen_keys(s, "<Up>+");
	wait_cursor(s, "数える");
	wait_cursor(s, "+");
	screen_wait_row(s, screen_cursor_row(s) + 1, "hot_loop");
	screen_keys(s, "<Down>+");
	wait_cursor(s, "hot_loop");
	wait_cursor(s, "-");
	stay(s, "hot_loop");
	screen_wait(s, "% parse");
	screen_keys(s, "C");
	wait_cursor(s, "+");
	wait_cursor(s, "hot_loop");

	screen_keys(s, "<Space>");
	screen_wait_row(s, 0, "⏸ paused");
	screen_keys(s, "<Space>");
	screen_wait_row(s, 0, "● REC");
}

static void look_at_output(struct screen *s)
{
	static const char *const masks[] = { "[0-9][0-9]:[0-9][0-9]", NULL };

	screen_keys(s, "o");
	screen_wait_row(s, 0, "Output");
	screen_wait(s, "work: 仕事を始めます");
	screen_wait(s, "red, ");
	screen_keys(s, "i");
	screen_keys(s, "こんにちは<Enter>");
	screen_wait(s, "heard: こんにちは");
	golden(s, "output", masks);
	screen_keys(s, "q");
	screen_wait_row(s, 0, "● REC");
	check_frame(s);
}

/* ---- Browser ---- */

/* The first percentage of the cursor row. */
static double percent(struct screen *s)
{
	double value = -1;

	sscanf(cursor_row(s), "%*[+- ]%lf%%", &value);
	return value;
}

/* The percentage in perf report of the file; -1: perf is missing. */
static double perf_percent(const char *function)
{
	char command[512], line[1024];
	double value = -1, one;
	FILE *in;

	if (lack_of("perf"))
		return -1;
	snprintf(
		command, sizeof(command),
		"perf report -i %s/perf.data --stdio --children -g none -F overhead_children,sym 2>/dev/null </dev/null",
		folder);
	in = popen(command, "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in))
		if (strstr(line, function) && sscanf(line, " %lf%%", &one) == 1 && value < 0)
			value = one;
	pclose(in);
	assert_true(value >= 0);
	return value;
}

/* The cursor row's share equals perf's, whatever it is. */
static void check_percent(struct screen *s, const char *function)
{
	double wanted = perf_percent(function), is = percent(s);

	if (wanted >= 0 && (is < wanted - 0.011 || is > wanted + 0.011))
		fail_msg("%s: %.2f %% here, %.2f %% in perf", function, is, wanted);
}

static void find(struct screen *s, const char *name)
{
	screen_keys(s, "/");
	screen_wait(s, "find:");
	screen_keys(s, name);
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "find:");
	wait_cursor(s, name);
}

static void browse(struct screen *s)
{
	int rows = screen_rows(s), cols = screen_cols(s);

	screen_keys(s, "<Enter>");
	screen_wait(s, "of event 'cpu-clock:u'");
	screen_wait_row(s, 0, "✓ loaded");
	check_frame(s);
	screen_wait(s, "trust");
	screen_wait(s, "lost 0");
	find(s, "数える");
	wait_cursor(s, COMM);
	if (cols >= 100)
		wait_cursor(s, PROGRAM);
	check_percent(s, "数える");
	find(s, "serve");
	check_percent(s, "serve");

	/* from here on callees as in work.c */
	screen_keys(s, "e");
	wait_cursor(s, "-");
	screen_wait(s, "% parse");
	screen_wait(s, "% hot_loop");
	screen_resize(s, 10, 40);
	check_frame(s);
	wait_cursor(s, "serve");
	screen_resize(s, rows, cols);
	check_frame(s);
	wait_cursor(s, "serve");
	screen_wait(s, COMM);
	screen_keys(s, "c");
	wait_cursor(s, "+");
	wait_cursor(s, "serve");
}

static void session(int rows, int cols)
{
	struct screen *s;

	need_events();
	s = open_setup(rows, cols);
	screen_wait(s, "no command yet");
	golden(s, "setup-new", n_options);
	choose(s, "./" PROGRAM);
	golden(s, "setup-chosen", setup_masks);
	watch(s);
	look_at_output(s);
	browse(s);

	/* back, the choices are unchanged */
	screen_keys(s, "q");
	screen_wait_row(s, 0, "ptui  Setup");
	check_frame(s);
	screen_wait(s, "existing file becomes .old");
	golden(s, "setup-after", setup_masks);
	screen_keys(s, "q");
	finish(s, 0);
}

static void test_session_80x24(void **state)
{
	(void)state;
	session(24, 80);
}

static void test_session_120x40(void **state)
{
	(void)state;
	session(40, 120);
}

static void test_session_200x60(void **state)
{
	(void)state;
	session(60, 200);
}

/*
 * A tab for each event: all of them while recording, those with samples afterwards. And a name
 * that the kernel cuts in the middle of a character.
 */
static void test_several_events(void **state)
{
	struct screen *s;
	int y;

	(void)state;
	need_events();
	s = open_setup(24, 100);
	choose(s, "./" CUT_PROGRAM);
	add_event(s, "page-faults:u");
	add_event(s, "alignment-faults:u");
	screen_keys(s, "r");
	screen_wait_row(s, 2, "▸ cpu-clock:u");
	screen_wait(s, "warm_loop");
	wait_cursor(s, CUT_COMM);
	screen_keys(s, "<Tab>");
	screen_wait_row(s, 3, "▸ page-faults:u");
	screen_wait_gone(s, "warm_loop"); /* fits on one page */
	screen_wait(s, "[.] ");
	screen_keys(s, "<Tab>");
	screen_wait_row(s, 4, "▸ alignment-faults:u");
	screen_wait(s, "No samples yet");
	screen_keys(s, "<Tab>");
	screen_wait_row(s, 2, "▸ cpu-clock:u");
	screen_wait(s, "warm_loop");
	screen_keys(s, "<S-Tab><S-Tab>");
	screen_wait_row(s, 3, "▸ page-faults:u");
	screen_keys(s, "<Enter>");

	screen_wait_row(s, 0, "[cpu-clock:u] · page-faults:u");
	assert_int_equal(screen_find(s, "alignment", NULL), -1);
	screen_wait(s, "of event 'cpu-clock:u'");
	wait_cursor(s, CUT_COMM);
	screen_keys(s, "<Tab>");
	screen_wait_row(s, 0, "cpu-clock:u · [page-faults:u]");
	screen_wait(s, "of event 'page-faults:u'");
	check_frame(s);
	y = screen_column(s, 0, "cpu-clock:u");
	screen_click(s, 0, y);
	screen_wait(s, "of event 'cpu-clock:u'");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

struct floating {
	const char *keys, *text, *close;
};

/*
 * At once: while a screen is painted again, from the top, its text is missing at first, and the last row comes when it
 * is there again. A letter right after <Esc> would be Alt with it.
 */
static bool is_closed(struct screen *s, void *ctx)
{
	return screen_find(s, ctx, NULL) < 0 && screen_find(s, "? help", NULL) >= 0;
}

/* Opened, and still there when the terminal was next to nothing in between. */
static void squeeze(struct screen *s, const struct floating *f, size_t n)
{
	int rows = screen_rows(s), cols = screen_cols(s);
	size_t i;

	for (i = 0; i < n; i++) {
		screen_keys(s, f[i].keys);
		screen_wait(s, f[i].text);
		screen_resize(s, 1, 1);
		screen_resize(s, 4, 200);
		screen_resize(s, 60, 5);
		screen_resize(s, 10, 40);
		screen_resize(s, rows, cols);
		screen_wait(s, f[i].text);
		screen_keys(s, f[i].close);
		screen_wait_until(s, is_closed, (char *)f[i].text, "it is closed");
	}
	check_frame(s);
}

static void test_squeezed(void **state)
{
	static const struct floating in_setup[] = {
		{ "?", "Help: Setup", "q" },
		{ "c", "command: ./" CUT_PROGRAM, "<Esc>" },
		{ "e", "Setup › Events", "<Esc>" },
		{ "p", "Setup › Process", "<Esc>" },
	};
	static const struct floating in_live[] = {
		{ "?", "Help: Live", "q" },
		{ "/hot", "find: hot", "<Esc>" },
		{ "o", "Live › Output", "q" },
		{ "<Esc>", "go on recording", "g" },
	};
	struct screen *s;

	(void)state;
	need_events();
	s = open_setup(24, 80);
	choose(s, "./" CUT_PROGRAM);
	squeeze(s, in_setup, sizeof(in_setup) / sizeof(in_setup[0]));
	screen_keys(s, "r");
	screen_wait(s, "warm_loop");
	squeeze(s, in_live, sizeof(in_live) / sizeof(in_live[0]));
	wait_cursor(s, CUT_COMM);
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "✓ loaded");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void check_ascii(struct screen *s)
{
	int y, i;

	for (y = 0; y < screen_rows(s); y++) {
		const char *row = screen_row(s, y);

		for (i = 0; row[i]; i++) {
			if (row[i] < ' ' || row[i] > '~')
				fail_msg("row %d is not ASCII: %s", y, row);
		}
	}
}

/* On an ASCII terminal without colours a session works the same. */
static void test_plain_terminal(void **state)
{
	static const char *const env[] = { "NO_COLOR=1", NULL };
	const struct visit how = { .folder = folder, .locale = "C", .term = "vt100", .env = env };
	struct screen *s;

	(void)state;
	need_events();
	s = visit(&how);
	screen_wait(s, "Same as");
	check_ascii(s);
	choose(s, "./plain");
	screen_keys(s, "r");
	screen_wait_row(s, 0, "* REC");
	screen_wait(s, "warm_loop");
	wait_cursor(s, "[.] ???");
	check_frame(s);
	check_ascii(s);
	screen_keys(s, "o");
	screen_wait(s, "work: ???");
	check_ascii(s);
	screen_keys(s, "q");
	screen_wait_row(s, 0, "* REC");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "+ loaded");
	find(s, "serve");
	check_frame(s);
	screen_keys(s, "e");
	wait_cursor(s, "-");
	screen_wait(s, "% ???");
	check_ascii(s);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* The next day: the choices are offered again, and the file before is kept. */
static void test_again(void **state)
{
	char old[128];
	struct screen *s;
	struct stat st;

	(void)state;
	need_events();
	s = open_setup(24, 80);
	choose(s, "./" PROGRAM);
	screen_keys(s, "r");
	screen_wait(s, "数える");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "✓ loaded");
	screen_keys(s, "<C-c>");
	finish(s, 0);

	s = open_setup(24, 80);
	screen_wait_row(s, 0, "cpu-clock:u ok");
	screen_wait_gone(s, "new file");
	screen_golden(s, "setup-again-80x24", setup_masks);
	screen_keys(s, "r");
	screen_wait(s, "数える");
	screen_keys(s, "<Esc>");
	screen_wait(s, "stop the command and leave");
	screen_keys(s, "q");
	screen_wait_row(s, 0, "ptui  Setup");
	screen_keys(s, "<Esc>");
	finish(s, 0);
	snprintf(old, sizeof(old), "%s/perf.data.old", folder);
	assert_int_equal(stat(old, &st), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_session_80x24, set_up, clean),
		cmocka_unit_test_setup_teardown(test_session_120x40, set_up, clean),
		cmocka_unit_test_setup_teardown(test_session_200x60, set_up, clean),
		cmocka_unit_test_setup_teardown(test_several_events, set_up, clean),
		cmocka_unit_test_setup_teardown(test_squeezed, set_up, clean),
		cmocka_unit_test_setup_teardown(test_plain_terminal, set_up, clean),
		cmocka_unit_test_setup_teardown(test_again, set_up, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
