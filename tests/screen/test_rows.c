/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row, and a hundred thousand. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "screen/recording.h"
#include "screen/steps.h"

#define MANY 100000

static char folder[FOLDER_BYTES], map[64];

static struct screen *browse(size_t functions)
{
	static const char *const events[] = { "cycles", NULL };
	const struct visit how = { .folder = folder };
	struct recording *r;
	int32_t pid = 0x1000000 + getpid(); /* an unused pid: above pid_max */

	snprintf(map, sizeof(map), "/tmp/perf-%d.map", (int)pid);
	make_folder(folder);
	r = recording_new(folder, events);
	recording_thread(r, pid, pid, "jit");
	recording_module(r, "jit");
	if (functions)
		recording_many(r, functions);
	else
		recording_sample(r, 0, "alone", 1000);
	recording_close(r);
	return visit_report(&how);
}

static int clean(void **state)
{
	(void)state;
	unlink(map);
	recording_remove(folder);
	return 0;
}

/* With one row every movement key keeps the cursor. */
static void test_one(void **state)
{
	struct screen *s = browse(0);
	int at = screen_cursor_row(s);

	(void)state;
	wait_cursor(s, "alone");
	wait_cursor(s, "100.00%");
	screen_keys(s, "<Down><End><PgDn><Space><Up><Home><PgUp><Enter>+eEcC/one<Enter>nNG");
	screen_wait(s, "callers below");
	wait_cursor(s, "alone");
	assert_int_equal(screen_cursor_row(s), at);
	screen_keys(s, "q");
	finish(s, 0);
}

/* Rows seen at once, by the numbers of the functions in the first and the last. */
static unsigned number_in(struct screen *s, int y)
{
	const char *name = strstr(screen_row(s, y), "] f");
	unsigned n = 0;

	if (!name || sscanf(name, "] f%6u", &n) != 1)
		fail_msg("no function in row %d: %s", y, screen_row(s, y));
	return n;
}

static void test_many(void **state)
{
	struct screen *s = browse(MANY);
	unsigned n, page;

	(void)state;
	/* with the rows so far, the last one would not be the last */
	screen_wait(s, "✓ loaded");
	screen_keys(s, "o"); /* without main and run: row n is function n */
	screen_wait(s, "Overhead");
	screen_keys(s, "<Home>");
	wait_cursor(s, "f000000");
	screen_keys(s, "<End>");
	wait_cursor(s, "f099999");
	page = (unsigned)screen_cursor_row(s);
	n = number_in(s, (int)page - 1);
	assert_int_equal(n, MANY - 2);
	screen_keys(s, "<Home>");
	wait_cursor(s, "f000000");
	screen_keys(s, "<PgDn><PgDn><PgDn>");
	screen_wait_gone(s, "f000000");
	screen_keys(s, "<PgUp><PgUp><PgUp>");
	wait_cursor(s, "f000000");

	screen_keys(s, "/f0500");
	screen_wait(s, "f050000");
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "find:");
	wait_cursor(s, "f050000");
	screen_keys(s, "n");
	wait_cursor(s, "f050001");
	screen_keys(s, "NN");
	wait_cursor(s, "f050099"); /* round: the last of them */
	screen_keys(s, "n");
	wait_cursor(s, "f050000");
	screen_keys(s, "/99999<Enter>");
	wait_cursor(s, "f099999");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* Each of them has a chain; opened and closed, the cursor stays on its row. */
static void test_open_all(void **state)
{
	struct screen *s = browse(MANY);

	(void)state;
	screen_keys(s, "o");
	screen_wait(s, "callers below");
	screen_keys(s, "L");
	screen_wait(s, "minimum percentage:");
	screen_keys(s, "<C-u>0<Enter>"); /* each of them has less than is shown otherwise */
	screen_wait_gone(s, "minimum percentage:");
	screen_keys(s, "/f050000<Enter>");
	wait_cursor(s, "f050000");
	screen_wait_gone(s, "find:");
	screen_keys(s, "E");
	wait_cursor(s, "-");
	wait_cursor(s, "f050000");
	screen_keys(s, "<Down><End>");
	screen_wait_gone(s, "f050000");
	screen_wait(s, "f099999");
	screen_keys(s, "C");
	wait_cursor(s, "f099999");
	wait_cursor(s, "+");
	screen_keys(s, "<Home>");
	wait_cursor(s, "f000000");
	screen_keys(s, "q");
	finish(s, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_one, clean),
		cmocka_unit_test_teardown(test_many, clean),
		cmocka_unit_test_teardown(test_open_all, clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
