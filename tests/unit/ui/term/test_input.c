/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "term/private.h"
#include "unit/ui/screen.h"

static int feeder;

/* A terminal whose input is a pipe. */
static struct term *open_input(void)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct term *t = calloc(1, sizeof(*t));
	int ends[2];

	assert_non_null(t);
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	t->fd = ends[0];
	feeder = ends[1];
	if (curses_open(t, true, &err) < 0)
		fail_msg("%s", err.text);
	return t;
}

static void close_input(struct term *t)
{
	curses_close(t);
	close(feeder);
	free(t);
}

static void feed_bytes(struct term *t, const char *bytes, size_t n)
{
	(void)t;
	assert_int_equal(write(feeder, bytes, n), (ssize_t)n);
}

static void feed(struct term *t, const char *bytes)
{
	feed_bytes(t, bytes, strlen(bytes));
}

static int next(struct term *t, struct term_event *e)
{
	return input_next(&t->input, e);
}

static void check_keys_at(const char *bytes, const key_code *keys, int line)
{
	struct term *t = open_input();
	struct term_event e;
	size_t at = 0;

	feed(t, bytes);
	for (; next(t, &e) == 0; at++) {
		if (e.kind != TERM_KEY || e.key != keys[at])
			fail_msg("line %d: key %zu is %x, not %x", line, at, e.key, keys[at]);
	}
	if (keys[at])
		fail_msg("line %d: key %zu, %x, is missing", line, at, keys[at]);
	close_input(t);
}
#define check_keys(bytes, ...) check_keys_at(bytes, (const key_code[]){ __VA_ARGS__, 0 }, __LINE__)

/* The workload's environment is that of ptui. */
static void test_environment(void **state)
{
	(void)state;
	close_input(open_input());
	assert_null(getenv("NCURSES_NO_PADDING"));
	setenv("NCURSES_NO_PADDING", "", 1);
	close_input(open_input());
	assert_string_equal(getenv("NCURSES_NO_PADDING"), "");
	unsetenv("NCURSES_NO_PADDING");
}

static void test_keys(void **state)
{
	(void)state;
	check_keys("aZ/\xe4\xb8\xad", 'a', 'Z', '/', 0x4e2d);
	check_keys("\r\t\b\x7f\x01\x1a\x1c", K_ENTER, K_TAB, K_BACKSPACE, K_BACKSPACE, K_CTRL | 'a',
		   K_CTRL | 'z', K_CTRL | '\\');
	check_keys("\033[A\033OB\033[1;5C\033[1;2D", K_UP, K_DOWN, K_CTRL | K_RIGHT,
		   K_SHIFT | K_LEFT);
	check_keys("\033[5~\033[6~\033[3;3~\033[15~\033OP", K_PGUP, K_PGDN, K_ALT | K_DELETE, K_F5,
		   K_F1);
	check_keys("\033[Z\033f\033\x7f\033\xc3\xa9", K_SHIFT | K_TAB, K_ALT | 'f',
		   K_ALT | K_BACKSPACE, K_ALT | 0xe9);
	check_keys("\033[27;5;65~\033[97;5u\033[13;1u", K_CTRL | 'a', K_CTRL | 'a', K_ENTER);
	/* as terminfo has them, and as other terminals send them */
	check_keys("\033OA\033[H\033[1~\033[7~\033OM", K_UP, K_HOME, K_HOME, K_HOME, K_ENTER);
}

static void test_unknown(void **state)
{
	(void)state;
	/* unknown sequences are skipped as a whole, and parsing continues after them */
	check_keys("\033[?1;2cx", 'x');
	check_keys("\033[99~x", 'x');
	check_keys("\xff"
		   "a\xc3"
		   "b",
		   'a', 'b');
	check_keys("\033[I\033[Oq", 'q');
}

/* One that begins nothing that is known. */
static void test_escape(void **state)
{
	(void)state;
	check_keys("\033", K_ESC);
	check_keys("\033\033", K_ESC, K_ESC);
	check_keys("\033\033[Ax", K_ESC, K_UP, 'x');
	check_keys("\033[27ux", K_ESC, 'x');
	/* a sequence that is never finished: Alt and its letter */
	check_keys("\033[", K_ALT | '[');
	check_keys("\033O", K_ALT | 'O');
	/* one that is aborted by another key */
	check_keys("\033[1;\033[Bx", K_DOWN, 'x');
}

static void test_mouse(void **state)
{
	struct term *t = open_input();
	struct term_event e;
	char many[100 * 10];
	int i;

	(void)state;
	feed(t, "\033[<0;12;3M\033[<2;1;1m\033[<65;80;24M\033[<64;1;1M\033[<35;1;1M");
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.kind, TERM_MOUSE);
	assert_int_equal(e.mouse, MOUSE_PRESS);
	assert_int_equal(e.button, 1);
	assert_int_equal(e.x, 11);
	assert_int_equal(e.y, 2);
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.mouse, MOUSE_RELEASE);
	assert_int_equal(e.button, 3);
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.mouse, MOUSE_WHEEL_DOWN);
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.mouse, MOUSE_WHEEL_UP);
	/* motion is ignored */
	assert_int_equal(next(t, &e), 1);
	/* however many arrive at once */
	for (i = 0; i < 100; i++)
		memcpy(many + i * 10, "\033[<64;9;9M", 10);
	feed_bytes(t, many, sizeof(many));
	for (i = 0; next(t, &e) == 0; i++)
		assert_int_equal(e.mouse, MOUSE_WHEEL_UP);
	assert_int_equal(i, 100);
	close_input(t);
}

static void test_paste(void **state)
{
	struct term *t = open_input();
	struct term_event e;

	(void)state;
	feed(t, "x\033[200~one\r\ntwo\rq\xe4\xb8");
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.key, 'x');
	assert_int_equal(next(t, &e), 1);
	feed(t, "\xad\033x\n");
	assert_int_equal(next(t, &e), 1);
	feed(t, "\033[201~y");
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.kind, TERM_PASTE);
	assert_string_equal(e.text, "one\ntwo\nq中\033x\n");
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.key, 'y');
	close_input(t);
}

/* Too long a paste: the rest is discarded, not taken for keys. */
static void test_paste_too_much(void **state)
{
	static char much[32768];
	struct term *t = open_input();
	struct term_event e;

	(void)state;
	memset(much, 'q', sizeof(much));
	feed(t, "\033[200~");
	assert_int_equal(next(t, &e), 1);
	for (size_t n = 0; n < 34; n++) {
		feed_bytes(t, much, sizeof(much));
		assert_int_equal(next(t, &e), 1);
	}
	feed(t, "qq\033[201~x\033[200~ab\033[201~");
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.kind, TERM_PASTE);
	assert_int_equal(strlen(e.text), 1 << 20);
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.kind, TERM_KEY);
	assert_int_equal(e.key, 'x');
	/* and the next one is one again */
	assert_int_equal(next(t, &e), 0);
	assert_int_equal(e.kind, TERM_PASTE);
	assert_string_equal(e.text, "ab");
	close_input(t);
}

/* No bytes whatever make it hang or read past its end. */
static void test_noise(void **state)
{
	static const char bytes[] = "\033\033\033[[[O<;:~MmAZu0123459\xe4\xb8\xad\xff\r";
	struct term *t = open_input();
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < 10; i++) {
		struct term_event e;
		char some[20000];
		size_t events = 0;

		for (size_t k = 0; k < sizeof(some); k++) {
			seed = seed * 1103515245 + 12345;
			some[k] = bytes[(seed >> 16) % (sizeof(bytes) - 1)];
		}
		feed_bytes(t, some, sizeof(some));
		while (next(t, &e) == 0)
			assert_in_range(++events, 0, sizeof(some));
	}
	close_input(t);
}

static int use_xterm(void **state)
{
	return setenv("TERM", "xterm-256color", 1) || use_utf8(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),  cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_mouse), cmocka_unit_test(test_escape),
		cmocka_unit_test(test_paste), cmocka_unit_test(test_paste_too_much),
		cmocka_unit_test(test_noise), cmocka_unit_test(test_environment),
	};

	return cmocka_run_group_tests(tests, use_xterm, NULL);
}
