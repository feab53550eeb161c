/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/ui/view/setup_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ptui/doctor.h"
#include "unit/ui/screen.h"
#include "view/setup/setup.h"

bool all_allowed;

/* The answer of the fake machine. */
int __wrap_ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret);

int __wrap_ptui_record_check(const struct ptui_record_opts *opts, struct ptui_check *ret)
{
	size_t i;

	memset(ret, 0, sizeof(*ret));
	ret->problems = calloc(opts->n_events + 1, sizeof(*ret->problems));
	for (i = 0; i < opts->n_events; i++) {
		struct ptui_problem *p = &ret->problems[ret->n_problems];
		const char *comma = strrchr(opts->events[i], ',');
		const char *name = comma ? comma + 1 : opts->events[i];

		if (!strcmp(name, "cycles") || __atomic_load_n(&all_allowed, __ATOMIC_SEQ_CST))
			continue;
		p->refused = true;
		ptui_error_set(&p->what, PTUI_ERROR_SYSTEM, 1, name, "%s is forbidden", name);
		ptui_error_hint(&p->what, "ask the owner");
		ret->n_problems++;
	}
	snprintf(ret->first, sizeof(ret->first), "cycles");
	ret->kernel_samples = true;
	ret->max_freq_hz = 100000;
	ret->output_exists = opts->output && !strcmp(opts->output, "old.data");
	return 0;
}

static unsigned start(void *ctx, const struct ptui_record_opts *opts)
{
	struct world *w = ctx;

	w->n_started++;
	snprintf(w->started, sizeof(w->started), "%s F %d c %d g %d a %d p %d argv %s %s",
		 opts->n_events ? opts->events[opts->n_events - 1] : "-", (int)opts->freq_hz,
		 (int)opts->period, opts->shape.callgraph, opts->system_wide,
		 opts->n_pids ? (int)opts->pids[0] : 0, opts->argv ? opts->argv[0] : "-",
		 opts->argv && opts->argv[1] ? opts->argv[1] : "");
	return WISH_REDRAW;
}

static unsigned browse(void *ctx, const char *path)
{
	struct world *w = ctx;

	snprintf(w->browsed, sizeof(w->browsed), "%s", path);
	return WISH_REDRAW;
}

void open_screen(struct world *w, int rows, int cols)
{
	struct setup_screen_opts opts = {
		.start = start, .browse = browse, .ctx = w, .state_path = w->path
	};
	struct ptui_error err = PTUI_ERROR_INIT;

	w->grid = grid_new(rows, cols);
	w->stack = stack_new(NULL, w->keys, &err);
	assert_non_null(w->stack);
	assert_int_equal(setup_open(w->stack, &opts, &err), 0);
}

void close_screen(struct world *w)
{
	stack_free(w->stack);
	grid_free(w->grid);
	w->stack = NULL;
	w->grid = NULL;
}

int open_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	int fd;

	setlocale(LC_ALL, "C.UTF-8");
	snprintf(w->path, sizeof(w->path), "/tmp/ptui-screen-XXXXXX");
	fd = mkstemp(w->path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(w->folder, sizeof(w->folder), "/tmp/ptui-files-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	w->keys = keymaps_new(NULL);
	assert_non_null(w->keys);
	open_screen(w, 24, 100);
	*state = w;
	return 0;
}

int close_world(void **state)
{
	struct world *w = *state;
	char command[96];

	close_screen(w);
	keymaps_free(w->keys);
	unlink(w->path);
	snprintf(command, sizeof(command), "rm -rf %s", w->folder);
	assert_int_equal(system(command), 0);
	free(w);
	return 0;
}

void press(struct world *w, key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(w->stack, &e);
}

void type(struct world *w, const char *text)
{
	for (; *text; text++)
		press(w, (key_code)(unsigned char)*text);
}

bool seen(struct world *w, const char *text)
{
	int y;

	grid_clear(w->grid);
	stack_draw(w->stack, w->grid);
	for (y = 0; y < w->grid->rows; y++)
		if (strstr(row_text(w->grid, y), text))
			return true;
	return false;
}

/* Draws until the text is visible: results of threads arrive with the loop's turns. */
void wait_seen(struct world *w, const char *text)
{
	int y, turns;

	for (turns = 0; turns < 100; turns++) {
		if (seen(w, text))
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	for (y = 0; y < w->grid->rows; y++)
		print_error("%s\n", row_text(w->grid, y));
	fail_msg("not seen: %s", text);
}
