/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question appears only if something would be lost for good: a table of ways out and of actions
 * that replace or delete, each with the expected question and the reason. For Live see
 * test_live_ways.c, for snapshot files test_snapshots.c, for samples in memory test_unsaved.c and
 * tests/screen/test_top.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/ui/view/setup_world.h"

/* All questions of these screens. */
static const char *const questions[] = { "Leave and lose the changes?", "The marks were changed",
					 "go on recording" };

/* ---- Setup and the picker ---- */

static void toggle_call_graph(struct world *w)
{
	press(w, 'g');
}

/* The file of choices is a directory now, so that nothing can be saved. */
static void spoil_state(struct world *w)
{
	unlink(w->path);
	assert_int_equal(mkdir(w->path, 0700), 0);
}

static void change_and_spoil(struct world *w)
{
	press(w, 'g');
	spoil_state(w);
}

static void paste_line(struct world *w)
{
	press(w, 'l');
	type(w, "perf record -F 99 -e page-faults -- make");
	press(w, K_ENTER);
	wait_seen(w, "u undoes it");
	wait_seen(w, "-F 99 -e page-faults -- make");
}

static void take_preset(struct world *w)
{
	press(w, 'P');
	press(w, K_END);
	press(w, K_UP);
	press(w, K_UP);
	press(w, K_ENTER);
	wait_seen(w, "u undoes it");
}

static void keep_preset(struct world *w)
{
	press(w, 'P');
	type(w, "+mine");
	press(w, K_ENTER);
	wait_seen(w, "saved: press P to list it");
}

static void forget_preset(struct world *w)
{
	keep_preset(w);
	press(w, 'P');
	press(w, '-');
	wait_seen(w, "Remove a preset");
	press(w, K_ENTER);
	wait_seen(w, "removed: mine; u restores it");
}

static void open_picker(struct world *w)
{
	press(w, 'e');
	wait_seen(w, "Setup › Events");
}

static void mark_event(struct world *w)
{
	open_picker(w);
	press(w, '/');
	type(w, "page-faults");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_ESC); /* the search */
	wait_seen(w, "2 marked");
}

static void mark_and_unmark_event(struct world *w)
{
	open_picker(w);
	press(w, '/');
	type(w, "page-faults");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_HOME);
	press(w, '/');
	press(w, K_CTRL | 'u');
	type(w, "page-faults");
	press(w, K_ENTER);
	press(w, ' ');
	press(w, K_ESC);
	wait_seen(w, "1 marked");
}

static const struct setup_case {
	const char *screen, *reason;
	void (*prepare)(struct world *w);
	key_code key;
	const char *asks; /* NULL: nothing */
	const char *then; /* seen afterwards; NULL: the program ends */
} setup_cases[] = {
	{ "Setup, nothing changed: ESC", "there is nothing to be lost", NULL, K_ESC, NULL, NULL },
	{ "Setup, changed: ESC", "the choices are saved", toggle_call_graph, K_ESC, NULL, NULL },
	{ "Setup, changed: q", "the choices are saved", toggle_call_graph, 'q', NULL, NULL },
	{ "Setup, unsavable, unchanged: ESC", "the next session has the same", spoil_state, K_ESC,
	  NULL, NULL },
	{ "Setup, unsavable, changed: ESC", "the choices are lost", change_and_spoil, K_ESC,
	  "Leave and lose the changes?", "cannot save the setup" },
	{ "Setup, unsavable, changed: q", "the choices are lost", change_and_spoil, 'q',
	  "Leave and lose the changes?", "cannot save the setup" },
	{ "Setup: paste a line", "u undoes it", paste_line, 'u', NULL,
	  "ptui record --call-graph dwarf,live -e cycles -- …" },
	{ "Setup: take a preset", "u undoes it", take_preset, 'u', NULL,
	  "ptui record --call-graph dwarf,live -e cycles -- …" },
	{ "Setup: forget a preset", "u undoes it", forget_preset, 'u', NULL,
	  "the last change is undone" },
	{ "Setup: remove an event", "u undoes it", NULL, 'd', NULL, "Setup" },
	{ "picker, same marks: ESC", "there is nothing to be lost", open_picker, K_ESC, NULL,
	  "Target" },
	{ "picker, marked and unmarked: ESC", "the marks are as before", mark_and_unmark_event,
	  K_ESC, NULL, "Target" },
	{ "picker, other marks: ESC", "the marks are lost", mark_event, K_ESC,
	  "The marks were changed", "take what is marked now" },
	{ "picker, other marks: q", "the marks are lost", mark_event, 'q', "The marks were changed",
	  "leave; the events stay as they were" },
};

static void check_setup_case(struct world *w, const struct setup_case *c)
{
	print_message("%s: %s, since %s\n", c->screen, c->asks ? "asks" : "does not ask",
		      c->reason);
	if (c->prepare)
		c->prepare(w);
	press(w, c->key);
	assert_int_equal(stack_is_done(w->stack), !c->then);
	if (!c->then)
		return;
	wait_seen(w, c->then);
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++)
		if (seen(w, questions[i]) != (c->asks && !strcmp(c->asks, questions[i])))
			fail_msg("%s: %s", c->screen, questions[i]);
}

static void test_setup_and_picker(void **state)
{
	for (size_t i = 0; i < sizeof(setup_cases) / sizeof(*setup_cases); i++) {
		struct world *w;

		assert_int_equal(open_world(state), 0);
		w = *state;
		check_setup_case(w, &setup_cases[i]);
		rmdir(w->path);
		close_world(state);
		*state = NULL;
	}
}

/* Undo restores an event, a preset, and the change before that. */
static void test_undo(void **state)
{
	struct world *w = *state;

	press(w, 'u');
	wait_seen(w, "nothing was changed that could be undone");
	toggle_call_graph(w);
	forget_preset(w);
	press(w, 'u');
	press(w, 'P');
	wait_seen(w, "mine");
	press(w, K_ESC);
	press(w, 'u'); /* the preset that was kept */
	wait_seen(w, "ptui record -g -e cycles -- …");
	press(w, 'u');
	wait_seen(w, "ptui record --call-graph dwarf,live -e cycles -- …");
	press(w, K_HOME);
	press(w, K_DOWN);
	press(w, 'd');
	assert_false(seen(w, "-e cycles"));
	toggle_call_graph(w);
	press(w, 'u');
	assert_false(seen(w, "-e cycles"));
	press(w, 'u');
	wait_seen(w, "ptui record --call-graph dwarf,live -e cycles -- …");
}

/* The answers of the picker's question. */
static void test_picker_answers(void **state)
{
	struct world *w = *state;

	mark_event(w);
	press(w, K_ESC);
	press(w, 'g');
	wait_seen(w, "2 marked");
	press(w, K_ESC);
	press(w, 'q');
	wait_seen(w, "ptui record --call-graph dwarf,live -e cycles -- …");
	mark_event(w);
	press(w, K_ESC);
	press(w, K_ENTER);
	wait_seen(w, "-e cycles -e page-faults");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_setup_and_picker),
		cmocka_unit_test_setup_teardown(test_undo, open_world, close_world),
		cmocka_unit_test_setup_teardown(test_picker_answers, open_world, close_world),
	};

	return cmocka_run_group_tests_name("view: where a question comes", tests, NULL, NULL);
}
