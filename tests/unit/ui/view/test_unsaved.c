/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples without a file, in the Browser and the screens opened from it: a table of the actions
 * that ask for confirmation (like test_asks.c for Setup and the picker), and saving them in a
 * thread.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/recording.h"
#include "unit/ui/view/live_made.h"
#include "view/browser/browser.h"

#define ASKS   "These samples are in no file"
#define SAVING "saving…"

static char folder[64];

static int set_up_browser(void **state)
{
	static const char *const events[] = { "made", NULL };
	struct recording *r;

	assert_int_equal(set_up(state), 0);
	snprintf(folder, sizeof(folder), "/tmp/ptui-unsaved-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	r = recording_new(folder, events);
	recording_thread(r, 7, 7, "other");
	recording_module(r, "prog");
	recording_sample(r, 0, "main;elsewhere", 1000);
	recording_close(r);
	assert_int_equal(rename("perf.data", "other.data"), 0);
	t.live.no_file = true;
	return 0;
}

static int tear_down_browser(void **state)
{
	int ret = tear_down(state);

	assert_int_equal(chdir("/"), 0);
	recording_remove(folder);
	return ret;
}

static void open_browser(bool in_memory, uint64_t unsaved)
{
	struct browser_opts opts = BROWSER_OPTS_INIT;
	struct ptui_profile *p = made(30, 70);

	t.live.unsaved = unsaved;
	opts.unsaved = in_memory ? &t.live : NULL;
	opts.no_file = in_memory;
	assert_int_equal(browser_open(t.stack, p, "sampled data", &opts, NULL), 0);
	ptui_profile_unref(p);
	if (!in_memory)
		t.live.freed = true; /* not here */
}

static void waits_until_gone(const char *text)
{
	for (int i = 0; i < 1000; i++) {
		draw(t.grid->rows, t.grid->cols);
		if (row_of(text) < 0)
			return;
		loop_turn(stack_loop(t.stack), 100);
	}
	dump();
	fail_msg("the screen still says: %s", text);
}

/* ---- actions that ask ---- */

static void counted(void)
{
	waits_for("] eval");
	waits_until_gone("counting…");
}

static void not_counted(void)
{
	draw(t.grid->rows, t.grid->cols);
}

static void zoomed(void)
{
	counted();
	key('d');
	waits_for("sampled data › prog");
}

/* The first of the recordings here, over this one. */
static void other_opened(void)
{
	counted();
	key('s');
	waits_for("Recordings here");
	key(K_ENTER);
	waits_for("other.data");
	waits_for("✓ loaded");
	waits_for("] elsewhere");
}

static void other_opened_and_left(void)
{
	other_opened();
	key('q');
	counted();
}

static void compared(void)
{
	counted();
	key('D');
	waits_for("Compare with");
	key(K_ENTER);
	waits_for("elsewhere");
	waits_until_gone("comparing…");
}

static void compared_and_left(void)
{
	compared();
	key('q');
	counted();
}

static void saved(void)
{
	counted();
	key('w');
	waits_for("save the samples as: perf.data");
	key(K_ENTER);
	waits_for("The samples are in perf.data.");
}

static const struct unsaved_case {
	const char *what, *reason;
	void (*prepare)(void);
	bool in_file;
	uint64_t unsaved;
	key_code key;
	bool asks;
	const char *then; /* shown afterwards if there is no question */
} cases[] = {
	{ "Browser of a file: ESC", "the file stays", counted, true, 0, K_ESC, false,
	  "what is below" },
	{ "Browser of a file: q", "the file stays", counted, true, 0, 'q', false, "what is below" },
	{ "Browser of samples in memory: ESC", "they are lost", counted, false, 5, K_ESC, true,
	  NULL },
	{ "Browser of samples in memory: q", "they are lost", counted, false, 5, 'q', true, NULL },
	{ "Browser of samples in memory, not yet counted: ESC", "they are lost", not_counted, false,
	  5, K_ESC, true, NULL },
	{ "Browser of samples in memory, not yet counted: q", "they are lost", not_counted, false,
	  5, 'q', true, NULL },
	{ "Browser of samples in memory, zoomed: ESC", "it only undoes the zoom", zoomed, false, 5,
	  K_ESC, false, "sampled data" },
	{ "Browser of samples in memory, none there: ESC", "there is nothing to be lost", counted,
	  false, 0, K_ESC, false, "what is below" },
	{ "Browser of saved samples: ESC", "the file stays", saved, false, 5, K_ESC, false,
	  "what is below" },
	{ "another file opened from it (s): ESC", "it leads back to the samples", other_opened,
	  false, 5, K_ESC, false, "sampled data" },
	{ "another file opened from it (s): q", "it leads back to the samples", other_opened, false,
	  5, 'q', false, "sampled data" },
	{ "back from another file: q", "they are lost", other_opened_and_left, false, 5, 'q', true,
	  NULL },
	{ "compared with a file (D): ESC", "it leads back to the samples", compared, false, 5,
	  K_ESC, false, "sampled data" },
	{ "compared with a file (D): q", "it leads back to the samples", compared, false, 5, 'q',
	  false, "sampled data" },
	{ "back from Compare: q", "they are lost", compared_and_left, false, 5, 'q', true, NULL },
};

static void check_case(const struct unsaved_case *c)
{
	print_message("%s: %s, since %s\n", c->what, c->asks ? "asks" : "does not ask", c->reason);
	open_browser(!c->in_file, c->unsaved);
	c->prepare();
	does_not_see(ASKS);
	key(c->key);
	if (c->asks) {
		sees(ASKS);
		/* no question: this loses nothing */
		key('g');
		does_not_see(ASKS);
		counted();
	} else {
		waits_for(c->then);
		does_not_see(ASKS);
	}
	assert_int_equal(t.live.freed,
			 c->in_file || (c->then && !strcmp(c->then, "what is below")));
}

static void test_where_it_asks(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(set_up_browser(state), 0);
		check_case(&cases[i]);
		assert_int_equal(tear_down_browser(state), 0);
	}
}

/* ---- saving ---- */

static int gate[2];

static void shut_gate(void)
{
	assert_int_equal(pipe(gate), 0);
	t.live.save_gate = gate[0];
}

static void open_gate(void)
{
	close(gate[1]);
}

static void save_as_offered(void)
{
	key('w');
	waits_for("save the samples as: perf.data");
	key(K_ENTER);
	waits_for(SAVING);
}

/* Keys are handled while saving. */
static void test_keys_while_it_saves(void **state)
{
	(void)state;
	shut_gate();
	open_browser(true, 5);
	counted();
	save_as_offered();
	sees("Saving the samples to perf.data …");
	key('T');
	waits_for("Data quality");
	key(K_ESC);
	key('w');
	sees("The samples are being saved.");
	open_gate();
	waits_for("The samples are in perf.data.");
	does_not_see(SAVING);
	assert_int_equal(t.live.saved, 1);
	key('q');
	waits_for("what is below");
	close(gate[0]);
}

static void test_leaves_when_saved(void **state)
{
	(void)state;
	shut_gate();
	open_browser(true, 5);
	counted();
	key('q');
	sees(ASKS);
	key('w');
	waits_for(SAVING);
	key('q');
	sees("this screen closes when they are");
	assert_false(t.live.freed);
	open_gate();
	waits_for("what is below");
	assert_int_equal(t.live.saved, 1);
	close(gate[0]);
}

static void test_what_cannot_be_saved(void **state)
{
	(void)state;
	shut_gate();
	t.live.save = -ENOSPC;
	open_browser(true, 5);
	counted();
	key('q');
	key('w');
	waits_for(SAVING);
	open_gate();
	waits_for("The disk is full.");
	key(K_ESC);
	counted();
	/* the samples are kept, and leaving asks again */
	key('q');
	sees(ASKS);
	close(gate[0]);
}

/* The program exits only when the file is complete. */
static void test_quits_when_saved(void **state)
{
	(void)state;
	shut_gate();
	open_browser(true, 5);
	counted();
	save_as_offered();
	key(K_CTRL | 'c');
	loop_turn(stack_loop(t.stack), 10);
	assert_false(stack_is_done(t.stack));
	open_gate();
	for (int i = 0; i < 1000 && !stack_is_done(t.stack); i++)
		loop_turn(stack_loop(t.stack), 100);
	assert_true(stack_is_done(t.stack));
	assert_int_equal(t.live.saved, 1);
	close(gate[0]);
}

/* From Live: the question, then the same thread. */
static void test_live_saves(void **state)
{
	(void)state;
	shut_gate();
	t.live.unsaved = 5;
	t.live.command_fd = -1;
	open_live();
	key('q');
	sees(ASKS);
	key('w');
	assert_int_equal(t.live.stops, 1);
	end(PTUI_LIVE_ENDED);
	waits_for("Saving the samples to perf.data …");
	key('q');
	sees("this screen closes when they are");
	open_gate();
	waits_for("what is below");
	assert_string_equal(t.left, "The samples are in perf.data.");
	assert_int_equal(t.live.saved, 1);
	close(gate[0]);
	t.live.command_fd = dup(0); /* for tear_down() */
}

#define BROWSER(test) cmocka_unit_test_setup_teardown(test, set_up_browser, tear_down_browser)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_where_it_asks), BROWSER(test_keys_while_it_saves),
		BROWSER(test_leaves_when_saved),      BROWSER(test_what_cannot_be_saved),
		BROWSER(test_quits_when_saved),	      BROWSER(test_live_saves),
	};

	return cmocka_run_group_tests_name("view: samples in no file", tests, NULL, NULL);
}
