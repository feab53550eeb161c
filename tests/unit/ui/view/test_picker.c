/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event picker while trying events is slow, and afterwards. */
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/need.h"
#include "term/key.h"
#include "unit/ui/screen.h"
#include "view/picker/picker.h"

/* What the thread and the test share. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static bool held, entered;
static bool only_clocks; /* the machine has nothing else */
static char *tried;	 /* each event between blanks */
static size_t tried_size;

struct world {
	struct keymaps *keys;
	struct stack *stack;
	struct grid *grid;
	char events[256]; /* accepted events, separated by blanks */
	unsigned n_done;
};

/* Requires the lock. No limit: a machine may have any number of events. */
static void note_tried(const char *event)
{
	size_t n = strlen(tried), need = n + strlen(event) + 3;

	if (need > tried_size) {
		tried_size = 2 * need;
		tried = realloc(tried, tried_size);
		if (!tried)
			abort();
	}
	snprintf(tried + n, tried_size - n, " %s ", event);
}

/* A machine with nothing but what the kernel does in software. */
static int try(const char *event, struct ptui_error *why)
{
	bool ok;

	pthread_mutex_lock(&lock);
	entered = true;
	pthread_cond_broadcast(&news);
	while (held)
		pthread_cond_wait(&news, &lock);
	note_tried(event);
	ok = only_clocks ? strstr(event, "-clock") != NULL :
			   strcmp(event, "instructions") && strcmp(event, "cpu-clock:k");
	pthread_mutex_unlock(&lock);
	if (ok)
		return 0;
	ptui_error_set(why, PTUI_ERROR_SYSTEM, ENOENT, event, "the sentence about %s", event);
	ptui_error_hint(why, "the remedy");
	return -ENOENT;
}

static void hold(bool yes)
{
	pthread_mutex_lock(&lock);
	held = yes;
	if (yes)
		entered = false;
	pthread_cond_broadcast(&news);
	pthread_mutex_unlock(&lock);
}

static void await_entered(void)
{
	pthread_mutex_lock(&lock);
	while (!entered)
		pthread_cond_wait(&news, &lock);
	pthread_mutex_unlock(&lock);
}

/* A thread of the test before may still be trying, so the buffer stays. */
static void forget_tried(void)
{
	pthread_mutex_lock(&lock);
	if (!tried)
		tried = calloc(1, tried_size = 1);
	assert_non_null(tried);
	*tried = '\0';
	pthread_mutex_unlock(&lock);
}

static bool was_tried(const char *event)
{
	char word[128];
	bool ret;

	snprintf(word, sizeof(word), " %s ", event);
	pthread_mutex_lock(&lock);
	ret = strstr(tried, word);
	pthread_mutex_unlock(&lock);
	return ret;
}

static unsigned done(void *ctx, const struct words *marks)
{
	struct words events = WORDS_INIT;
	struct world *w = ctx;
	char *text;

	for (size_t i = 0; i < marks->n; i += 2)
		words_add(&events, marks->v[i]);
	text = words_join(&events);
	snprintf(w->events, sizeof(w->events), "%s", text);
	free(text);
	words_release(&events);
	w->n_done++;
	return WISH_NONE;
}

/* ---- below it: an empty screen ---- */

static void draw_nothing(void *self, const struct canvas *c)
{
	(void)self;
	canvas_text(c, 0, 0, ROLE_TEXT, "the ground");
}

static const struct screen_ops ground = { .title = "",
					  .keymap = KEYMAP_GENERAL,
					  .draw = draw_nothing };

static void begin_to_open(struct world *w, const char *texts)
{
	struct words events = WORDS_INIT, marks = WORDS_INIT;
	const struct picker_opts opts = {
		.marks = &marks, .done = done, .ctx = w, .try_event = try
	};

	assert_int_equal(words_split(&events, texts, NULL), 0);
	for (size_t i = 0; i < events.n; i++) {
		words_add(&marks, events.v[i]);
		words_add(&marks, "");
	}
	assert_int_equal(picker_open(w->stack, &opts, NULL), 0);
	words_release(&events);
	words_release(&marks);
}

static int open_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	setlocale(LC_ALL, "C.UTF-8");
	hold(false);
	only_clocks = false;
	forget_tried();
	w->keys = keymaps_new(NULL);
	w->grid = grid_new(30, 120);
	w->stack = stack_new(NULL, w->keys, NULL);
	assert_true(w->keys && w->grid && w->stack);
	assert_int_equal(stack_push(w->stack, &ground, w), 0);
	*state = w;
	return 0;
}

static int close_world(void **state)
{
	struct world *w = *state;

	hold(false);
	stack_free(w->stack);
	grid_free(w->grid);
	keymaps_free(w->keys);
	free(w);
	return 0;
}

/* ---- steps ---- */

static void press(struct world *w, key_code key)
{
	struct term_event e = { .kind = TERM_KEY, .key = key };

	stack_event(w->stack, &e);
}

static void type(struct world *w, const char *text)
{
	for (; *text; text++)
		press(w, (key_code)(unsigned char)*text);
}

static void find(struct world *w, const char *text)
{
	press(w, '/');
	press(w, K_CTRL | 'u');
	type(w, text);
	press(w, K_ENTER);
}

static bool seen(struct world *w, const char *text)
{
	int y;

	grid_clear(w->grid);
	stack_draw(w->stack, w->grid);
	for (y = 0; y < w->grid->rows; y++)
		if (strstr(row_text(w->grid, y), text))
			return true;
	return false;
}

static void wait_seen(struct world *w, const char *text)
{
	int y, turns;

	for (turns = 0; turns < 200; turns++) {
		if (seen(w, text))
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	for (y = 0; y < w->grid->rows; y++)
		print_error("%s\n", row_text(w->grid, y));
	fail_msg("not seen: %s", text);
}

static void wait_row(struct world *w, int y, const char *text)
{
	for (int turns = 0; turns < 200; turns++) {
		seen(w, text);
		if (strstr(row_text(w->grid, y), text))
			return;
		loop_turn(stack_loop(w->stack), 100);
	}
	fail_msg("row %d: %s", y, row_text(w->grid, y));
}

static void open_picker(struct world *w, const char *texts)
{
	begin_to_open(w, texts);
	wait_seen(w, " marked · ");
}

/* ---- tests ---- */

/* The catalog is read in a thread; keys pressed before that count, and leaving does not wait for it. */
static void test_keys_before_it_is_read(void **state)
{
	struct world *w = *state;

	begin_to_open(w, "cpu-clock");
	assert_true(seen(w, "reading the events"));
	press(w, K_ESC);
	assert_true(seen(w, "the ground"));
	begin_to_open(w, "cpu-clock");
	find(w, "task-clock");
	press(w, ' ');
	assert_true(seen(w, "reading the events"));
	wait_seen(w, "2 marked");
	press(w, K_ENTER);
	assert_string_equal(w->events, "cpu-clock task-clock");
	begin_to_open(w, "cpu-clock");
	find(w, "page-faults");
	press(w, ' ');
	press(w, K_ESC); /* the search */
	press(w, K_ENTER);
	assert_true(seen(w, "reading the events"));
	wait_seen(w, "the ground");
	assert_string_equal(w->events, "cpu-clock page-faults");
}

/* The cursor starts on the first event that can be opened here; what cannot says why. */
static void test_opens_on_what_is_here(void **state)
{
	struct world *w = *state;

	only_clocks = true;
	open_picker(w, "");
	wait_row(w, 2, "▾ Software");
	wait_row(w, 3, "[ ] cpu-clock");
	assert_true(seen(w, "│ cpu-clock")); /* the cursor's details */
	for (int i = 0; i < 200 && seen(w, "checking events"); i++)
		loop_turn(stack_loop(w->stack), 100);
	assert_false(seen(w, "checking events"));
	wait_row(w, 4, "[ ] task-clock");
	assert_true(strstr(row_text(w->grid, 5), "✗ not here")); /* the rest of Software */
	find(w, "cpu-cycles");
	assert_true(seen(w, "Hardware (1)  ✗ none available here: the sentence about"));
	/* cut where the list ends */
	assert_true(seen(w, "…"));
	/* in a narrow list, too */
	grid_free(w->grid);
	w->grid = grid_new(24, 80);
	assert_true(seen(w, "✗ the sentence about cpu-cycles"));
	/* where all names fit, there is nothing to the right of them */
	grid_free(w->grid);
	w->grid = grid_new(24, 240);
	assert_true(seen(w, "[ ] cpu-cycles"));
	press(w, K_RIGHT);
	assert_true(seen(w, "[ ] cpu-cycles"));
}

static void test_reason(void **state)
{
	struct world *w = *state;
	int i;

	open_picker(w, "cpu-clock");
	find(w, "cpu-clock");
	wait_seen(w, "✓ this machine has it");
	find(w, "instructions");
	wait_seen(w, "[ ] instructions ");
	wait_seen(w, "✗ not here");
	press(w, K_HOME);
	press(w, K_DOWN); /* others have it in their descriptions */
	for (i = 0; i < 20 && !seen(w, "✗ the sentence about instructions"); i++)
		press(w, K_DOWN);
	assert_true(seen(w, "the remedy"));
	press(w, 'i'); /* all of it in a window */
	assert_true(seen(w, "─ instructions ─"));
}

/* The kernel sits on an answer: keys are answered all the same, and leaving does not wait for it. */
static void test_slow_machine(void **state)
{
	struct world *w = *state;

	hold(true);
	open_picker(w, "cpu-clock");
	assert_true(seen(w, "Setup › Events"));
	await_entered();
	find(w, "task-clock");
	assert_true(seen(w, "untested: trying"));
	press(w, ' ');
	assert_true(seen(w, "2 marked"));
	press(w, K_ENTER);
	assert_int_equal(w->n_done, 1);
	assert_string_equal(w->events, "cpu-clock task-clock");
	assert_true(seen(w, "the ground"));
}

/* A result for other modifiers is dropped. */
static void test_mark_changed_while_tried(void **state)
{
	struct world *w = *state;

	hold(true);
	open_picker(w, "cpu-clock");
	find(w, "cpu-clock");
	assert_true(seen(w, "untested: trying"));
	await_entered(); /* as cpu-clock */
	press(w, 'm');
	type(w, "k");
	press(w, K_ENTER);
	assert_true(seen(w, "[x] cpu-clock:k"));
	hold(false);
	wait_seen(w, "✗ the sentence about cpu-clock:k");
}

/* Tracepoints of the catalog are not tried automatically, others are. */
static void test_what_is_tried(void **state)
{
	struct world *w = *state;

	need("tracefs");
	open_picker(w, "sched:sched_wakeup");
	find(w, "instructions");
	wait_seen(w, "✗ not here");
	find(w, "sched:sched_switch");
	assert_true(seen(w, "untested: trying"));
	wait_seen(w, "✓ this machine has it");
	assert_true(was_tried("sched:sched_switch"));
	assert_true(was_tried("sched:sched_wakeup")); /* it is marked */
	assert_true(was_tried("page-faults"));
	assert_false(was_tried("sched:sched_process_exit"));
}

static void test_empty(void **state)
{
	struct world *w = *state;

	open_picker(w, "");
	press(w, 'M');
	assert_true(seen(w, "no events are marked: press ESC"));
	press(w, 'i');
	press(w, 'm');
	assert_true(seen(w, "go to an event first"));
	press(w, K_ESC);
	assert_true(seen(w, "▾ Hardware"));
	find(w, "no such event");
	assert_true(seen(w, "no event matches \"no such event\""));
}

static void test_group_modifiers(void **state)
{
	struct world *w = *state;

	open_picker(w, "'{cpu-clock,task-clock}' page-faults");
	press(w, 'M');
	press(w, K_HOME);
	press(w, 'm');
	assert_true(seen(w, "modifiers of group {1}:"));
	type(w, "q");
	assert_true(seen(w, "unknown modifier"));
	press(w, K_BACKSPACE);
	assert_false(seen(w, "unknown modifier"));
	type(w, "S");
	press(w, K_ENTER);
	assert_true(seen(w, "group {1}:S"));
	assert_true(seen(w, "│ group {1}")); /* shown in the details */
	press(w, K_ENTER);
	assert_string_equal(w->events, "'{cpu-clock,task-clock}:S' page-faults");
	open_picker(w, w->events);
	press(w, 'M');
	press(w, 'G'); /* on the group: apart */
	assert_true(seen(w, "the group is split"));
	press(w, K_ENTER);
	assert_string_equal(w->events, "cpu-clock task-clock page-faults");
}

/* A period or a frequency is there to be changed. */
static void test_rate(void **state)
{
	struct world *w = *state;

	open_picker(w, "cpu-clock");
	find(w, "cpu-clock");
	press(w, 'p');
	type(w, "2khz");
	press(w, K_ENTER);
	assert_true(seen(w, "[x] cpu-clock/freq=2000/"));
	press(w, 'p');
	assert_true(seen(w, "period of cpu-clock: 2000 Hz"));
	press(w, K_CTRL | 'u');
	type(w, "100k");
	press(w, K_ENTER);
	press(w, 'p');
	assert_true(seen(w, "period of cpu-clock: 100000"));
}

/* As in perf, a tracepoint has no term for it. */
static void test_rate_of_a_tracepoint(void **state)
{
	struct world *w = *state;

	need("tracefs");
	open_picker(w, "cpu-clock");
	find(w, "sched:sched_switch");
	press(w, 'p');
	assert_false(seen(w, "period of sched:sched_switch"));
	assert_true(seen(w, "set it in Setup (Sampling)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_world, close_world)
		TEST(test_keys_before_it_is_read),
		TEST(test_opens_on_what_is_here),
		TEST(test_reason),
		TEST(test_slow_machine),
		TEST(test_mark_changed_while_tried),
		TEST(test_what_is_tried),
		TEST(test_empty),
		TEST(test_group_modifiers),
		TEST(test_rate),
		TEST(test_rate_of_a_tracepoint),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
