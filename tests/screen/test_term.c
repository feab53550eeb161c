/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal, on a terminal: pictures, keys, and every way out. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "screen/harness/screen.h"

#ifdef __SANITIZE_ADDRESS__
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

static char probe[1024];
static const char *const argv[] = { probe, NULL };

static struct screen *start(const char *term, const char *const *env)
{
	struct screen_opts opts = { .argv = argv, .term = term, .env = env };
	struct screen *s = screen_start(&opts);

	screen_wait(s, "size 24x80");
	screen_wait_row(s, 23, "#");
	return s;
}

static void check_exit(struct screen *s, int code)
{
	int status = screen_wait_end(s);

	if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
		fail_msg("wait status %x, not exit %d", status, code);
	screen_check_sane(s);
	screen_free(s);
}

static void check_signal(struct screen *s, int sig)
{
	int status = screen_wait_end(s);

	if (!WIFSIGNALED(status) || WTERMSIG(status) != sig)
		fail_msg("wait status %x, not signal %d", status, sig);
	screen_check_sane(s);
	screen_free(s);
}

static void test_picture(void **state)
{
	struct screen *s = start(NULL, NULL);
	int y, x;

	(void)state;
	screen_wait_row(s, 2, "▁▄█ 中文 e\u0301 …");
	assert_int_equal(screen_cursor_row(s), 3);
	assert_int_equal(screen_look(s, 3, 79), '#');
	assert_false(screen_cursor(s, &y, &x));
	/* the last cell is written, and nothing scrolled */
	assert_string_equal(screen_row(s, 23) + 79, "#");
	screen_keys(s, "q");
	check_exit(s, 0);
}

/* What differs is sent, and no more. */
static void test_bytes(void **state)
{
	struct screen *s = start(NULL, NULL);
	uint64_t before;

	(void)state;
	screen_keys(s, "a");
	screen_wait(s, "event 1: key 61");
	before = screen_bytes(s);
	screen_keys(s, "b");
	screen_wait(s, "event 2: key 62");
	assert_in_range(screen_bytes(s) - before, 1, 60);
	/* everything, on request */
	before = screen_bytes(s);
	screen_keys(s, "L");
	screen_wait(s, "event 3: key 4c");
	assert_true(screen_bytes(s) - before > 200);
	screen_wait_row(s, 2, "▁▄█ 中文");
	screen_keys(s, "q");
	check_exit(s, 0);
}

/* The list from `first` on, and its surroundings. */
static bool shows_list(struct screen *s, void *ctx)
{
	int first = *(int *)ctx, y;
	char want[64];

	for (y = 6; y < 22; y++) {
		snprintf(want, sizeof(want), "line %d of the list 中", first + y);
		if (strncmp(screen_row(s, y), want, strlen(want)))
			return false;
		if (!strstr(screen_row(s, y), y == 6 + first % 16 ? "█" : "│"))
			return false;
		if ((screen_look(s, y, 0) == '.') != ((first + y) % 2 == 1))
			return false;
	}
	return !strncmp(screen_row(s, 3), "cursor row", 10) && !*screen_row(s, 22);
}

/* Rows that move together are moved by the terminal; the rest of the screen stays. */
static void test_scrolling(void **state)
{
	static const char keys[] = "jjkJjKKkJJKkkjj";
	struct screen *s = start(NULL, NULL);
	int first = 50;
	uint64_t before;

	(void)state;
	screen_wait_until(s, shows_list, &first, "the list from 50 on");
	for (const char *k = keys; *k; k++) {
		char key[2] = { *k, '\0' };

		first += *k == 'j' ? 1 : *k == 'k' ? -1 : *k == 'J' ? 10 : -10;
		before = screen_bytes(s);
		screen_keys(s, key);
		screen_wait_until(s, shows_list, &first, "the list has scrolled");
		/* 16 lines of 22 bytes, sent one by one, are more */
		if (*k == 'j' || *k == 'k')
			assert_in_range(screen_bytes(s) - before, 1, 200);
	}
	screen_resize(s, 30, 100);
	screen_wait(s, "size 30x100");
	screen_keys(s, "jq");
	check_exit(s, 0);
}

static void test_keys(void **state)
{
	static const struct {
		const char *keys, *shown;
	} cases[] = {
		{ "<Up>", "key 200007" },     { "<C-Right>", "key 120000a" },
		{ "<S-Tab>", "key 4200002" }, { "<Enter>", "key 200001" },
		{ "<C-a>", "key 1000061" },   { "<M-f>", "key 2000066" },
		{ "<PgDn>", "key 20000e" },   { "<F5>", "key 200013" },
		{ "<BS>", "key 200004" },     { "<Del>", "key 200006" },
		{ "中", "key 4e2d" },	      { "<Esc>", "key 200003" },
		{ "<Esc>w", "key 77" },	      { "<Home>", "key 20000b" },
	};
	struct screen *s = start(NULL, NULL);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		screen_keys(s, cases[i].keys);
		screen_wait(s, cases[i].shown);
	}
	screen_keys(s, "q");
	check_exit(s, 0);
}

static void test_mouse_and_paste(void **state)
{
	struct screen *s = start(NULL, NULL);

	(void)state;
	screen_click(s, 7, 11);
	screen_wait(s, "event 2: mouse 1 button 1 at 7,11");
	screen_wheel(s, 1, 2, 1);
	screen_wait(s, "mouse 3 button 0 at 1,2");
	screen_paste(s, "q中\033x");
	screen_wait(s, "paste q中\\x1bx");
	screen_keys(s, "q");
	check_exit(s, 0);
}

static void test_resize(void **state)
{
	struct screen *s = start(NULL, NULL);
	int i;

	(void)state;
	screen_resize(s, 40, 120);
	screen_wait(s, "size 40x120");
	screen_wait_row(s, 39, "#");
	screen_resize(s, 10, 40);
	screen_wait(s, "size 10x40");
	screen_wait_row(s, 2, "▁▄█ 中文");
	/* shrunk and restored at once: the terminal has dropped most of it */
	for (i = 0; i < 10; i++) {
		screen_resize(s, 2, 10);
		screen_resize(s, 10, 40);
		screen_wait_row(s, 2, "▁▄█ 中文");
		screen_wait_row(s, 3, "cursor row");
		screen_wait_row(s, 9, "#");
	}
	screen_keys(s, "q");
	check_exit(s, 0);
}

static void test_suspend(void **state)
{
	struct screen *s = start(NULL, NULL);

	(void)state;
	screen_keys(s, "<C-z>");
	screen_wait_stopped(s);
	screen_check_sane(s);
	screen_continue(s);
	screen_wait(s, "resumed 1");
	/* and from outside */
	screen_signal(s, SIGTSTP);
	screen_wait_stopped(s);
	screen_check_sane(s);
	screen_continue(s);
	screen_wait(s, "resumed 2");
	screen_wait_row(s, 23, "#");
	screen_keys(s, "q");
	check_exit(s, 0);
}

static void test_ways_out(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGQUIT, SIGSEGV };
	struct screen *s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		/* Sanitizers handle SIGSEGV themselves and exit. */
		if (signals[i] == SIGSEGV && is_sanitized)
			continue;
		s = start(NULL, NULL);
		screen_signal(s, signals[i]);
		check_signal(s, signals[i]);
	}
	s = start(NULL, NULL);
	screen_keys(s, "X");
	check_exit(s, 3);
}

/* The program's own faults. */
static void test_crash(void **state)
{
	struct screen *s;

	(void)state;
	s = start(NULL, NULL);
	screen_keys(s, "A");
	screen_wait_end(s);
	screen_check_sane(s);
	screen_free(s);
	s = start(NULL, NULL);
	screen_keys(s, "S");
	screen_wait_end(s);
	screen_check_sane(s);
	screen_free(s);
}

static void test_hang_up(void **state)
{
	struct screen *s = start(NULL, NULL);
	int status;

	(void)state;
	screen_hang_up(s);
	status = screen_wait_end(s);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	screen_free(s);
}

static void test_looks(void **state)
{
	static const char *const no_color[] = { "NO_COLOR=1", NULL };
	static const char *const ascii[] = { "PTUI_ASCII=1", NULL };
	struct screen *s;

	(void)state;
	s = start("xterm", NULL); /* eight colours: hot is bright red */
	assert_int_equal(screen_look(s, 2, 0), 'R');
	screen_keys(s, "q");
	check_exit(s, 0);

	s = start(NULL, no_color);
	assert_int_equal(screen_look(s, 2, 0), '*');
	assert_int_equal(screen_cursor_row(s), 3);
	screen_keys(s, "q");
	check_exit(s, 0);

	s = start(NULL, ascii);
	screen_wait_row(s, 2, "_-# 中文 e\u0301 ~");
	screen_wait_row(s, 5, "--------");
	screen_keys(s, "q");
	check_exit(s, 0);

	s = start("vt100", NULL); /* no colours, no second screen, no mouse */
	assert_int_equal(screen_look(s, 2, 0), '*');
	screen_click(s, 1, 1);
	screen_keys(s, "z");
	screen_wait(s, "event 1: key 7a");
	screen_keys(s, "q");
	check_exit(s, 0);
}

static void test_locale(void **state)
{
	struct screen_opts opts = { .argv = argv, .locale = "C" };
	struct screen *s = screen_start(&opts);

	(void)state;
	screen_wait_row(s, 2, "_-# ");
	screen_wait_row(s, 5, "--------");
	assert_null(strstr(screen_row(s, 2), "中"));
	screen_keys(s, "q");
	check_exit(s, 0);
}

static void test_refused(void **state)
{
	struct screen_opts opts = { .argv = argv, .term = "dumb" };
	struct screen *s = screen_start(&opts);

	(void)state;
	screen_wait(s, "cannot move its cursor");
	check_exit(s, 1);
	opts.term = "no-such-terminal";
	s = screen_start(&opts);
	screen_wait(s, "Unknown terminal: TERM is \"no-such-terminal\".");
	check_exit(s, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_picture),		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_scrolling),	cmocka_unit_test(test_keys),
		cmocka_unit_test(test_mouse_and_paste), cmocka_unit_test(test_resize),
		cmocka_unit_test(test_suspend),		cmocka_unit_test(test_ways_out),
		cmocka_unit_test(test_crash),		cmocka_unit_test(test_hang_up),
		cmocka_unit_test(test_looks),		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_refused),
	};
	const char *top = getenv("top_builddir");

	setlocale(LC_ALL, "C.UTF-8");
	snprintf(probe, sizeof(probe), "%s/tests/screen/probe", top ? top : ".");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
