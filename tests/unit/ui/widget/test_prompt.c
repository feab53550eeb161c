/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit/ui/screen.h"
#include "widget/prompt.h"

static struct prompt p;

static void type(const char *text)
{
	assert_true(prompt_insert(&p, text));
}

static void test_edit(void **state)
{
	(void)state;
	prompt_init(&p, "cache miss", NULL);
	assert_int_equal(prompt_request(&p, REQ_EDIT_KILL_WORD), WISH_REDRAW);
	assert_string_equal(p.line, "cache ");
	prompt_request(&p, REQ_EDIT_BEGIN);
	prompt_request(&p, REQ_EDIT_YANK);
	assert_string_equal(p.line, "misscache ");
	prompt_request(&p, REQ_EDIT_WORD_RIGHT);
	assert_int_equal(p.at, 9);
	prompt_request(&p, REQ_EDIT_BACKSPACE);
	prompt_request(&p, REQ_EDIT_DELETE);
	assert_string_equal(p.line, "misscach");
	assert_int_equal(prompt_request(&p, REQ_EDIT_DELETE), WISH_NONE);
	prompt_request(&p, REQ_EDIT_KILL_BEGIN);
	assert_string_equal(p.line, "");
	assert_int_equal(prompt_request(&p, REQ_ACCEPT), WISH_PASS);
	assert_int_equal(prompt_key(&p, K_UP), WISH_PASS);
	assert_int_equal(prompt_key(&p, 0x4e2d), WISH_REDRAW);
	assert_string_equal(p.line, "中");
}

/* A letter with its accent is one step; control characters are dropped. */
static void test_characters(void **state)
{
	(void)state;
	prompt_init(&p, "", NULL);
	type("a\ne\xcc\x81\x1b[m\xff");
	assert_string_equal(p.line, "a e\xcc\x81[m\xef\xbf\xbd");
	/* several lines become one, a command that a shell would have read the same */
	prompt_set(&p, "");
	type("perf record \\\n\t-g \\\n\t-- make\n\n");
	assert_string_equal(p.line, "perf record  -g  -- make");
	prompt_set(&p, "");
	type("a\nb\\");
	type("\n");
	assert_string_equal(p.line, "a b\\");
	type("\\\n");
	assert_string_equal(p.line, "a b\\\\");
	prompt_set(&p, "ae\xcc\x81");
	prompt_request(&p, REQ_EDIT_LEFT);
	assert_int_equal(p.at, 1);
	prompt_request(&p, REQ_EDIT_DELETE);
	assert_string_equal(p.line, "a");
}

static void test_full(void **state)
{
	char text[PROMPT_MAX - 8];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	prompt_init(&p, text, NULL);
	assert_int_equal(p.length, sizeof(text) - 1);
	assert_false(prompt_insert(&p, "more than there is room for"));
	assert_string_equal(p.line, text);
}

static void test_history(void **state)
{
	struct words h = WORDS_INIT;

	(void)state;
	assert_int_equal(words_remember(&h, "one", 2), 0);
	assert_int_equal(words_remember(&h, "two", 2), 0);
	assert_int_equal(words_remember(&h, "one", 2), 0);
	assert_int_equal(words_remember(&h, "", 2), 0);
	assert_int_equal(h.n, 2);
	assert_int_equal(words_remember(&h, "three", 2), 0);
	assert_string_equal(h.v[0], "one");
	prompt_init(&p, "typed", &h);
	prompt_request(&p, REQ_HISTORY_PREV);
	assert_string_equal(p.line, "three");
	prompt_request(&p, REQ_HISTORY_PREV);
	assert_int_equal(prompt_request(&p, REQ_HISTORY_PREV), WISH_NONE);
	assert_string_equal(p.line, "one");
	prompt_request(&p, REQ_HISTORY_NEXT);
	prompt_request(&p, REQ_HISTORY_NEXT);
	assert_string_equal(p.line, "typed");
	words_release(&h);
}

/* The cursor is always seen. */
static void test_draw(void **state)
{
	struct grid *g = grid_new(1, 12);
	struct canvas c = canvas_of(g);

	(void)state;
	prompt_init(&p, "abcdefghij", NULL);
	prompt_draw(&p, &c, "find: ");
	assert_int_equal(g->cursor_x, 11);
	check_rows(g, "find: fghij");
	prompt_request(&p, REQ_EDIT_BEGIN);
	prompt_draw(&p, &c, "find: ");
	assert_int_equal(g->cursor_x, 6);
	assert_memory_equal(row_text(g, 0), "find: abcde", 11);
	grid_free(g);
}

/* If there is room again, it scrolls back; a truncated label shows that. */
static void test_draw_narrow_and_wide(void **state)
{
	struct grid *narrow = grid_new(1, 4), *wide = grid_new(1, 20);
	struct canvas in_narrow = canvas_of(narrow), in_wide = canvas_of(wide);

	(void)state;
	prompt_init(&p, "abcdefghij", NULL);
	prompt_draw(&p, &in_narrow, "find: ");
	check_rows(narrow, "… j");
	prompt_draw(&p, &in_wide, "find: ");
	check_rows(wide, "find: abcdefghij");
	assert_int_equal(wide->cursor_x, 16);
	prompt_draw(&p, &in_wide, "least percentage: ");
	check_rows(wide, "least pe… bcdefghij");
	grid_free(narrow);
	grid_free(wide);
}

/* A click puts the cursor before the character at that place. */
static void test_click(void **state)
{
	static const struct {
		int x;
		size_t at;
	} clicks[] = { { 6, 0 }, { 7, 1 }, { 8, 1 }, { 9, 4 }, { 10, 7 }, { 11, 7 }, { 40, 7 } };
	struct grid *g = grid_new(1, 20);
	struct canvas c = canvas_of(g);

	(void)state;
	prompt_init(&p, "a中e\u0301", NULL);
	prompt_draw(&p, &c, "find: ");
	for (size_t i = 0; i < sizeof(clicks) / sizeof(clicks[0]); i++) {
		assert_int_equal(prompt_click(&p, clicks[i].x), WISH_REDRAW);
		assert_int_equal(p.at, clicks[i].at);
	}
	assert_int_equal(prompt_click(&p, 5), WISH_NONE);
	assert_int_equal(p.at, 7);
	/* scrolled to the side */
	prompt_set(&p, "abcdefghijklmnopqrstuvwxyz");
	prompt_draw(&p, &c, "find: ");
	assert_int_equal(prompt_click(&p, 18), WISH_REDRAW);
	assert_int_equal(p.line[p.at], 'z');
	grid_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edit),  cmocka_unit_test(test_characters),
		cmocka_unit_test(test_full),  cmocka_unit_test(test_history),
		cmocka_unit_test(test_draw),  cmocka_unit_test(test_draw_narrow_and_wide),
		cmocka_unit_test(test_click),
	};

	return cmocka_run_group_tests_name("ui/prompt", tests, use_utf8, NULL);
}
