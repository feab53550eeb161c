/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal shows what was drawn, whatever the previous picture. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "screen/harness/screen.h"
#include "screen/pictures.h"
#include "unit/ui/screen.h"

static char probe[1024];
static const char *const argv[] = { probe, NULL };

static bool colours;

static void check_cell(struct screen *s, const struct grid *g, int n, int y, int x)
{
	style_t style = grid_style(g, y, x);
	char look = screen_look(s, y, x), wanted = 0;

	if (style & STYLE_CURSOR)
		wanted = '#';
	else if (style == ROLE_TEXT)
		wanted = '.';
	else if (style == ROLE_MATCH)
		wanted = colours ? '%' : '_';
	if (wanted ? look != wanted : look == '#' || look == '%')
		fail_msg("picture %d: %d,%d looks %c, style %x", n, y, x, look, style);
}

static void check_picture(struct screen *s, struct grid *g, int n)
{
	char wanted[8192];

	picture_draw(g, n);
	snprintf(wanted, sizeof(wanted), "picture %d of %dx%d.", n, g->rows, g->cols);
	/* the last row is sent last */
	screen_wait_row(s, g->rows - 1, wanted);
	grid_row_text(g, g->rows - 1, wanted, sizeof(wanted));
	screen_wait_row(s, g->rows - 1, wanted);
	for (int y = 0; y < g->rows; y++) {
		grid_row_text(g, y, wanted, sizeof(wanted));
		if (strcmp(screen_row(s, y), wanted))
			fail_msg("picture %d, row %d: \"%s\"\nnot: \"%s\"", n, y, screen_row(s, y),
				 wanted);
		for (int x = 0; x < g->cols; x++) {
			if (g->cells[y * g->cols + x].ch)
				check_cell(s, g, n, y, x);
		}
	}
}

static void run(const char *term, const char *theme)
{
	static const int sizes[][2] = { { 24, 80 }, { 40, 120 }, { 10, 40 }, { 5, 30 } };
	const char *env[] = { "PROBE_PICTURES=1", theme, "COLORTERM", NULL };
	struct screen_opts opts = { .argv = argv, .term = term, .env = env };
	struct grid *g = grid_new(24, 80);
	struct screen *s = screen_start(&opts);
	int n = 0, wstatus;

	assert_non_null(g);
	colours = !term || strcmp(term, "vt100");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		if (i)
			screen_resize(s, sizes[i][0], sizes[i][1]);
		assert_int_equal(grid_resize(g, sizes[i][0], sizes[i][1]), 0);
		check_picture(s, g, n);
		for (int k = 0; k < 120; k++) {
			/* some are skipped: the next one differs from what is shown */
			int step = k % 7 ? 1 : 3;

			for (n += step; step > 0; step--)
				screen_keys(s, "n");
			check_picture(s, g, n);
		}
	}
	screen_keys(s, "q");
	wstatus = screen_wait_end(s);
	assert_true(WIFEXITED(wstatus));
	screen_check_sane(s);
	screen_free(s);
	grid_free(g);
}

static void test_256(void **state)
{
	(void)state;
	run(NULL, "PTUI_THEME=dark");
}

static void test_8(void **state)
{
	(void)state;
	run("xterm", "PTUI_THEME=dark");
}

/* No colours, and no scroll region. */
static void test_plain(void **state)
{
	(void)state;
	run("vt100", "PTUI_THEME=dark");
}

static int find_probe(void **state)
{
	const char *folder = getenv("PTUI_BUILDDIR");

	(void)state;
	snprintf(probe, sizeof(probe), "%s/tests/screen/probe", folder ? folder : ".");
	return setlocale(LC_ALL, "C.UTF-8") ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_256),
		cmocka_unit_test(test_8),
		cmocka_unit_test(test_plain),
	};

	return cmocka_run_group_tests(tests, find_probe, NULL);
}
