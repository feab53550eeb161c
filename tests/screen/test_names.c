/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of all kinds: wide, combining, controlling the terminal, damaged. Columns stay aligned on
 * any terminal.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "screen/recording.h"
#include "screen/steps.h"

static char folder[FOLDER_BYTES];

/* comm, file, function; each its own row */
static const char *const names[][3] = {
	{ "plain", "plain.so", "plain" },
	{ "仕事をする", "ライブラリ.so", "数える関数はとても長い名前を持っています" },
	{ "e\u0301le\u0300ve", "cafe\u0301.so", "na\u0308i\u0308f_a\u030a\u0323\u0302\u0301" },
	{ "\033[31mred\a", "bell\a\033]0;x\a.so", "clear\033[2J\033[H\r\n\b\t\177" },
	{ "bad\xff\xfe\xe4\xbb", "\xc0\xaf\xe4\xbb.so",
	  "half\xe6\x95 \xf4\x90\x80\x80 \xed\xa0\x80" },
	{ "\u200b\u202ertl", "\ufeffbom.so", "zwj\u200d\u2066x\u2069\u00ad" },
	{ "한국어", "👍.so", "emoji👍🏽👩\u200d👩❤\ufe0f" },
	{ "a", "b", "std::map<std::basic_string<char>, int>::operator[](char const*)" },
};

#define N_NAMES (sizeof(names) / sizeof(names[0]))

static int make_recording(void **state)
{
	static const char *const events[] = { "數え", "e\u0301v\xff", "\033[7m", NULL };
	struct recording *r;
	char chain[512];
	size_t i;

	(void)state;
	make_folder(folder);
	r = recording_new(folder, events);
	for (i = 0; i < N_NAMES; i++) {
		int32_t pid = (int32_t)(4000000 + i);

		recording_thread(r, pid, pid, names[i][0]);
		recording_module(r, names[i][1]);
		snprintf(chain, sizeof(chain), "main;%s", names[i][2]);
		recording_sample(r, 0, chain, 1000 - 100 * i);
	}
	recording_sample(r, 1, "main;plain", 1000);
	recording_sample(r, 2, "main;plain", 1000);
	recording_close(r);
	return 0;
}

static int remove_recording(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

/* Every row of the table has its function in the same column. */
static bool columns_are_straight(struct screen *s, void *ctx)
{
	int y, at = -1;

	(void)ctx;
	for (y = 0; y < screen_rows(s); y++) {
		int x = screen_column(s, y, "[.] ");

		if (x >= 0 && at >= 0 && x != at)
			return false;
		at = x >= 0 ? x : at;
	}
	return at > 0;
}

struct way {
	const char *golden;
	int rows, cols;
	const char *term, *locale, *env[2];
};

static void look(const struct way *way)
{
	const struct visit how = { .folder = folder,
				   .rows = way->rows,
				   .cols = way->cols,
				   .term = way->term,
				   .locale = way->locale,
				   .env = way->env };
	struct screen *s = visit_report(&how);

	screen_wait_until(s, columns_are_straight, NULL, "the columns are straight");
	screen_keys(s, "o<Down>");
	screen_golden(s, way->golden, NULL);
	assert_true(columns_are_straight(s, NULL));
	screen_keys(s, "q");
	finish(s, 0);
}

static void test_wide(void **state)
{
	static const struct way ways[] = {
		{ "names-80x24", 24, 80, NULL, NULL, { NULL } },
		{ "names-40x10", 10, 40, NULL, NULL, { NULL } },
		{ "names-61x24", 24, 61, NULL, NULL, { NULL } }, /* cuts wide ones in half */
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		look(&ways[i]);
}

static void test_less_of_a_terminal(void **state)
{
	static const struct way ways[] = {
		{ "names-locale-C", 24, 80, NULL, "C", { NULL } },
		{ "names-ascii", 24, 80, NULL, NULL, { "PTUI_ASCII=1", NULL } },
		{ "names-no-color", 24, 80, NULL, NULL, { "NO_COLOR=1", NULL } },
		{ "names-8-colors", 24, 80, "xterm", NULL, { NULL } },
		{ "names-vt100", 24, 80, "vt100", NULL, { NULL } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		look(&ways[i]);
}

static void test_themes(void **state)
{
	static const struct way ways[] = {
		{ "names-80x24", 24, 80, NULL, NULL, { "PTUI_THEME=light", NULL } },
		{ "names-light-8-colors", 24, 80, "xterm", NULL, { "PTUI_THEME=light", NULL } },
		{ "names-contrast", 24, 80, NULL, NULL, { "PTUI_THEME=high-contrast", NULL } },
		{ "names-contrast-8-colors",
		  24,
		  80,
		  "xterm",
		  NULL,
		  { "PTUI_THEME=high-contrast", NULL } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		look(&ways[i]);
}

/* Clicks hit the drawn names. */
static void test_tabs(void **state)
{
	const struct visit how = { .folder = folder };
	struct screen *s = visit_report(&how);

	(void)state;
	screen_wait_row(s, 0, "[數え]");
	screen_click(s, 0, screen_column(s, 0, "x1b"));
	screen_wait_row(s, 0, "[\\x1b[7m]");
	screen_click(s, 0, screen_column(s, 0, "v"));
	screen_wait_row(s, 0, "[e\u0301v\xef\xbf\xbd]");
	screen_click(s, 0, screen_column(s, 0, "え"));
	screen_wait_row(s, 0, "[數え]");
	screen_keys(s, "q");
	finish(s, 0);
}

/* Found by the displayed text, and by what can be typed. */
static void test_searched(void **state)
{
	const struct visit how = { .folder = folder };
	struct screen *s = visit_report(&how);

	(void)state;
	screen_keys(s, "/関数<Enter>");
	screen_wait_gone(s, "find:");
	wait_cursor(s, "数える関数");
	screen_keys(s, "/ライブ<Enter>");
	screen_wait_gone(s, "find:");
	wait_cursor(s, "ライブラリ.so");
	screen_keys(s, "/half<Enter>");
	wait_cursor(s, "half");
	screen_keys(s, "q");
	finish(s, 0);
}

/* The menu of recordings has their sizes in one column. */
static void test_files(void **state)
{
	const struct visit how = { .folder = folder };
	char path[FOLDER_BYTES + 32], other[FOLDER_BYTES + 32];
	struct screen *s;
	int y = 0;

	(void)state;
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	snprintf(other, sizeof(other), "%s/仕事の記録.data", folder);
	assert_int_equal(link(path, other), 0);
	s = visit_report(&how);
	screen_keys(s, "s");
	screen_wait(s, "Recordings here, newest first");
	screen_wait(s, "仕事の記録.data");
	while (screen_column(s, y, "another path") < 0)
		y++;
	assert_in_range(screen_column(s, y - 1, " KB"), 1, 80);
	assert_int_equal(screen_column(s, y - 1, " KB"), screen_column(s, y - 2, " KB"));
	screen_keys(s, "<C-c>");
	finish(s, 0);
	assert_int_equal(unlink(other), 0);
}

static bool shows_two_ends(struct screen *s, void *ctx)
{
	int n = 0;

	(void)ctx;
	for (int y = 0; y < screen_rows(s); y++)
		n += screen_column(s, y, "::the_end") >= 0;
	return n == 2;
}

/* The end of a long name of C++, where functions differ, is seen on each screen, and is printed. */
static void test_long(void **state)
{
	static const char *const events[] = { "cycles", NULL };
	char own[FOLDER_BYTES], chain[6000] = "main;", path[FOLDER_BYTES + 16], line[8000] = "";
	const struct visit how = { .folder = own };
	struct recording *r;
	struct screen *s;
	FILE *printed;

	(void)state;
	make_folder(own);
	r = recording_new(own, events);
	recording_thread(r, 4000000, 4000000, "long");
	recording_module(r, "long.so");
	memset(chain + strlen(chain), 't', 5000);
	strcat(chain, "::the_end");
	recording_sample(r, 0, chain, 1000);
	recording_close(r);
	s = visit_report(&how);
	wait_cursor(s, "::the_end");
	screen_keys(s, "e");
	screen_wait_until(s, shows_two_ends, NULL, "the function is in a callchain, too");
	screen_keys(s, "Co");
	wait_cursor(s, "::the_end");
	screen_keys(s, "P");
	screen_wait(s, "perf.hist.0");
	snprintf(path, sizeof(path), "%s/perf.hist.0", own);
	printed = fopen(path, "r");
	assert_non_null(printed);
	while (!strstr(line, "::the_end"))
		assert_non_null(fgets(line, sizeof(line), printed));
	fclose(printed);
	screen_keys(s, "B");
	wait_cursor(s, "::the_end");
	screen_keys(s, "q");
	screen_wait_gone(s, "Butterfly");
	screen_keys(s, "q");
	finish(s, 0);
	recording_remove(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wide),	 cmocka_unit_test(test_less_of_a_terminal),
		cmocka_unit_test(test_themes),	 cmocka_unit_test(test_tabs),
		cmocka_unit_test(test_searched), cmocka_unit_test(test_long),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, make_recording, remove_recording);
}
