/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Y copies a command line: run in a shell, it shows the rows of the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/recording.h"
#include "screen/steps.h"

/* To be quoted. */
#define NAME "it's $(my) data"

static char folder[FOLDER_BYTES];

#define ROWS_MAX 60
#define ROW_SIZE 256

struct rows {
	char v[ROWS_MAX][ROW_SIZE];
	size_t n;
};

static void samples(struct recording *r, size_t event, const char *chain, int n)
{
	while (n--)
		recording_sample(r, event, chain, 1000000);
}

static void make_recording(const char *name, int parse)
{
	static const char *const events[] = { "cycles", "misses", NULL };
	char path[FOLDER_BYTES + 32], from[FOLDER_BYTES + 64], to[FOLDER_BYTES + 64];
	struct recording *r;

	snprintf(path, sizeof(path), "%s/%s.d", folder, name);
	assert_int_equal(mkdir(path, 0755), 0);
	r = recording_new(path, events);
	recording_module(r, "server");
	recording_thread(r, 4000000, 4000000, "server");
	samples(r, 0, "main;run;parse", parse);
	samples(r, 0, "main;run;eval", 30);
	samples(r, 1, "main;run;parse", 5);
	recording_thread(r, 4000000, 4000001, "worker");
	samples(r, 0, "main;work", 20);
	samples(r, 1, "main;work", 15);
	recording_module(r, "libwork");
	samples(r, 0, "main;help", 10);
	recording_close(r);
	snprintf(from, sizeof(from), "%s/perf.data", path);
	snprintf(to, sizeof(to), "%s/%s", folder, name);
	assert_int_equal(rename(from, to), 0);
}

static int make_recordings(void **state)
{
	(void)state;
	make_folder(folder);
	make_recording(NAME, 40);
	make_recording("other", 60);
	return 0;
}

static int remove_recordings(void **state)
{
	(void)state;
	recording_remove(folder);
	return 0;
}

/* Blanks collapsed; without the signs and the scroll bar of the screen. */
static void add_row(struct rows *rows, const char *line)
{
	char *to = rows->v[rows->n];
	size_t n = 0;

	line += strspn(line, " +-");
	while (*line && *line != '\n' && n + 4 < ROW_SIZE) {
		if (!strncmp(line, "│", 3) || !strncmp(line, "█", 3)) {
			line += 3;
			continue;
		}
		if (*line != ' ' || (n && to[n - 1] != ' '))
			to[n++] = *line;
		line++;
	}
	while (n && to[n - 1] == ' ')
		n--;
	to[n] = '\0';
	assert_true(++rows->n < ROWS_MAX);
}

static bool is_row(const char *line)
{
	size_t n;

	line += strspn(line, " +-");
	n = strspn(line, "0123456789.");
	return n >= 4 && line[n] == '%' && line[n + 1] == ' ';
}

static void read_screen(struct screen *s, struct rows *rows)
{
	rows->n = 0;
	for (int y = 0; y < screen_rows(s); y++)
		if (is_row(screen_row(s, y)))
			add_row(rows, screen_row(s, y));
}

/* What the copied line prints, as if typed in the folder. */
static void read_text(const char *line, struct rows *rows)
{
	char script[8192], text[1024];
	FILE *out;

	snprintf(script, sizeof(script), "cd '%s' && ptui() { \"$PTUI\" \"$@\"; } && %s", folder,
		 line);
	out = popen(script, "r");
	assert_non_null(out);
	rows->n = 0;
	while (fgets(text, sizeof(text), out))
		if (is_row(text))
			add_row(rows, text);
	assert_int_equal(pclose(out), 0);
}

static bool is_copied(struct screen *s, void *ctx)
{
	(void)ctx;
	return screen_clipboard(s) && screen_find(s, "copied: ptui", NULL) >= 0;
}

static const char *copy(struct screen *s)
{
	screen_keys(s, "Y");
	screen_wait_until(s, is_copied, NULL, "the line is copied, and shown");
	return screen_clipboard(s);
}

static bool is_counted(struct screen *s, void *ctx)
{
	(void)ctx;
	return screen_find(s, "counting", NULL) < 0;
}

/* A name that a filter leaves as the only one has no column in the text. */
static bool is_same_row(const char *shown, const char *printed)
{
	while (*printed) {
		size_t n_shown = strcspn(shown, " "), n = strcspn(printed, " ");

		if (n_shown == n && !strncmp(shown, printed, n)) {
			printed += n;
			printed += strspn(printed, " ");
		} else if (!*shown) {
			return false;
		}
		shown += n_shown;
		shown += strspn(shown, " ");
	}
	return true;
}

/* The screen and the text have the same rows in the same order, and at least one. */
static void check_same(struct screen *s, const char *keys)
{
	static struct rows shown, printed;
	const char *line;

	screen_wait_until(s, is_counted, NULL, "the rows are counted");
	line = copy(s);
	screen_wait_until(s, is_counted, NULL, "the rows are counted");
	read_screen(s, &shown);
	read_text(line, &printed);
	if (!shown.n || shown.n != printed.n)
		fail_msg("after %s: %zu rows on the screen, %zu by %s", keys, shown.n, printed.n,
			 line);
	for (size_t i = 0; i < shown.n; i++)
		if (!is_same_row(shown.v[i], printed.v[i]))
			fail_msg("after %s: row %zu: \"%s\" on the screen, \"%s\" by %s", keys, i,
				 shown.v[i], printed.v[i], line);
}

static struct screen *browse(const char *const *args)
{
	const struct visit how = { .folder = folder, .args = args, .rows = 50, .cols = 160 };
	struct screen *s = visit(&how);

	screen_wait(s, "of event 'cycles'");
	check_frame(s);
	return s;
}

/* Each view, from the default one on. `there`: what shows that it has come. */
static void test_browser(void **state)
{
	static const char *const args[] = { "report", "-i", NAME, NULL };
	static const struct {
		const char *keys, *there;
	} views[] = {
		{ "", "Children" },
		{ "/work<Enter>Xd", "› without " },
		{ "<Esc>", "› " },
		{ "Xr", "› without recursion" },
		{ "<Esc>", "› " },
		{ "o", "Overhead" },
		{ "G", "callers below" },
		{ "/eval<Enter>d", " › server" },
		{ "F", "percentages of the zoom" },
		{ "<Esc>", "› " },
		{ "/work<Enter>t", "› thread worker" },
		{ "<Esc>", "[.] eval" },
		{ "feval<Enter>", "'eval'" },
		{ "<Esc>S<End><Enter><C-u>pid,symbol<Enter>", "by pid,symbol" },
		{ "/eval<Enter>t", "› thread server 4000000" },
		{ "<Esc>L<C-u>15<Enter>", "below 15%" },
		{ "<Tab>", "of event 'misses'" },
		{ "o", "Children" },
	};
	struct screen *s = browse(args);

	(void)state;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		screen_keys(s, views[i].keys);
		if (strcmp(views[i].there, "› ") != 0)
			screen_wait(s, views[i].there);
		else
			screen_wait_gone(s, views[i].there);
		check_same(s, views[i].keys);
	}
	/* the text of a hierarchy has all levels */
	screen_keys(s, "g");
	screen_wait(s, "Pid:Command / Symbol");
	assert_non_null(strstr(copy(s), " -s pid,symbol --hierarchy"));
	screen_keys(s, "W<C-u>overhead,sample,dso:9,sym<Enter>");
	screen_wait(s, "Samples  Shared Object / Symbol");
	assert_non_null(strstr(copy(s), " -s '{overhead,sample},dso,sym' --hierarchy"));
	screen_keys(s, "g");
	screen_wait(s, "Samples  Shared O…  Symbol");
	assert_non_null(strstr(copy(s), " -F overhead,sample,dso,sym"));
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* The line opens the same view on a terminal, too. */
static void test_browser_from_line(void **state)
{
	static const char *const args[] = { "report",	      "--input=" NAME,
					    "--event=misses", "-spid,sym",
					    "--tid=4000001",  "--percentage=relative",
					    "--no-children",  NULL };
	const struct visit how = { .folder = folder, .args = args, .rows = 50, .cols = 160 };
	struct screen *s = visit(&how);

	(void)state;
	screen_wait(s, "of event 'misses'");
	screen_wait(s, "› thread 4000001");
	screen_wait(s, "100.00%");
	check_same(s, "start");
	/* it is a zoom like any other */
	screen_keys(s, "<Esc>");
	screen_wait(s, "[.] parse");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Each share on the screen is in one of the two reports. */
static void test_compare(void **state)
{
	static const char *const args[] = { "report", "-i", NAME, NULL };
	static struct rows printed;
	struct screen *s = browse(args);
	size_t found = 0;

	(void)state;
	screen_keys(s, "D");
	screen_wait(s, "newest first");
	screen_keys(s, "D");
	screen_wait(s, "recording:");
	screen_keys(s, "other<Enter>");
	screen_wait(s, "Compare  ");
	screen_wait(s, "[.] parse");
	read_text(copy(s), &printed);
	for (int y = 0; y < screen_rows(s); y++) {
		static const char *const names[] = { "] parse", "] eval", "] work", "] help" };
		double before, after;

		for (size_t i = 0; i < 4; i++) {
			char wanted[64];
			bool there[2] = { false, false };

			if (!strstr(screen_row(s, y), names[i]) ||
			    sscanf(screen_row(s, y) + strspn(screen_row(s, y), " "), "%lf%% %lf%%",
				   &before, &after) != 2)
				continue;
			for (size_t k = 0; k < printed.n; k++)
				for (int side = 0; side < 2; side++) {
					snprintf(wanted, sizeof(wanted), "%.2f%% ",
						 side ? after : before);
					there[side] |= strstr(printed.v[k], names[i]) &&
						       !strncmp(printed.v[k], wanted,
								strlen(wanted));
				}
			assert_true(there[0] && there[1]);
			found++;
		}
	}
	assert_int_equal(found, 4);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Without symbols: the text lists the DSOs of the screen. */
static void test_symbols(void **state)
{
	static const char *const args[] = { "report", "-i", "gone", NULL };
	char path[FOLDER_BYTES + 64], script[4096], text[4096] = "";
	struct screen *s;
	FILE *out;

	(void)state;
	make_recording("gone", 10);
	snprintf(path, sizeof(path), "%s/gone.d/libwork", folder);
	assert_int_equal(unlink(path), 0);
	s = browse(args);
	screen_keys(s, "M");
	screen_wait(s, "DSOs without symbols");
	screen_wait(s, "libwork");
	snprintf(script, sizeof(script), "cd '%s' && ptui() { \"$PTUI\" \"$@\"; } && %s", folder,
		 copy(s));
	out = popen(script, "r");
	assert_non_null(out);
	while (fgets(text, sizeof(text), out))
		if (*text == '#' && strstr(text, "libwork"))
			break;
	assert_non_null(strstr(text, "libwork"));
	while (fgets(text, sizeof(text), out))
		;
	assert_int_equal(pclose(out), 0);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_browser),
		cmocka_unit_test(test_browser_from_line),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_symbols),
	};

	return cmocka_run_group_tests_name("screen/copy_line", tests, make_recordings,
					   remove_recordings);
}
