/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "term/input.h"
#include "unit/ui/screen.h"

#define MS 1000000ull

/* Feeds byte by byte, and all at once: the keys must be the same. */
static void check_keys_at(const char *bytes, const key_code *keys, int line)
{
	size_t n = strlen(bytes), i;
	int split;

	for (split = 0; split < 2; split++) {
		struct term_event e;
		struct input in;
		size_t at = 0;

		input_init(&in, true);
		input_add_key(&in, "\033[special", K_F12);
		for (i = 0; i < (split ? n : 1); i++) {
			input_feed(&in, bytes + i, split ? 1 : n, 10 * MS);
			while (input_next(&in, 10 * MS, &e) == 0) {
				if (e.kind != TERM_KEY || e.key != keys[at])
					fail_msg("line %d: key %zu is %x, not %x", line, at, e.key,
						 keys[at]);
				at++;
			}
		}
		while (input_next(&in, 100 * MS, &e) == 0) {
			if (e.key != keys[at])
				fail_msg("line %d: key %zu is %x, not %x", line, at, e.key,
					 keys[at]);
			at++;
		}
		if (keys[at])
			fail_msg("line %d: key %zu, %x, is missing", line, at, keys[at]);
		input_release(&in);
	}
}
#define check_keys(bytes, ...) check_keys_at(bytes, (const key_code[]){ __VA_ARGS__, 0 }, __LINE__)

static void test_keys(void **state)
{
	(void)state;
	check_keys("aZ/\xe4\xb8\xad", 'a', 'Z', '/', 0x4e2d);
	check_keys("\r\t\b\x7f\x01\x1a\x1c", K_ENTER, K_TAB, K_BACKSPACE, K_BACKSPACE, K_CTRL | 'a',
		   K_CTRL | 'z', K_CTRL | '\\');
	check_keys("\033[A\033OB\033[1;5C\033[1;2D", K_UP, K_DOWN, K_CTRL | K_RIGHT,
		   K_SHIFT | K_LEFT);
	check_keys("\033[5~\033[6~\033[3;3~\033[15~\033OP\033[[A", K_PGUP, K_PGDN, K_ALT | K_DELETE,
		   K_F5, K_F1, K_F1);
	check_keys("\033[Z\033f\033\x7f\033\xc3\xa9", K_SHIFT | K_TAB, K_ALT | 'f',
		   K_ALT | K_BACKSPACE, K_ALT | 0xe9);
	check_keys("\033[27;5;65~\033[97;5u\033[13;1u", K_CTRL | 'a', K_CTRL | 'a', K_ENTER);
	check_keys("\033[special", K_F12);
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

static void test_escape_time(void **state)
{
	struct term_event e;
	struct input in;

	(void)state;
	input_init(&in, true);
	input_feed(&in, "\033", 1, 100 * MS);
	assert_int_equal(input_next(&in, 100 * MS, &e), 1);
	assert_int_equal(input_timeout_ms(&in, 100 * MS), INPUT_ESC_MS);
	assert_int_equal(input_next(&in, 109 * MS, &e), 1);
	assert_int_equal(input_timeout_ms(&in, 109 * MS), 1);
	assert_int_equal(input_next(&in, 110 * MS, &e), 0);
	assert_int_equal(e.key, K_ESC);
	assert_int_equal(input_timeout_ms(&in, 110 * MS), -1);

	/* twice: the first one at once */
	input_feed(&in, "\033\033", 2, 200 * MS);
	assert_int_equal(input_next(&in, 200 * MS, &e), 0);
	assert_int_equal(e.key, K_ESC);
	assert_int_equal(input_next(&in, 200 * MS, &e), 1);
	assert_int_equal(input_next(&in, 230 * MS, &e), 0);
	assert_int_equal(e.key, K_ESC);

	/* a sequence that is never finished: Alt and its letter */
	input_feed(&in, "\033[", 2, 300 * MS);
	assert_int_equal(input_next(&in, 300 * MS, &e), 1);
	assert_int_equal(input_next(&in, 330 * MS, &e), 0);
	assert_int_equal(e.key, K_ALT | '[');
	assert_int_equal(input_next(&in, 330 * MS, &e), 1);
	input_release(&in);
}

static void feed(struct input *in, const char *bytes)
{
	assert_int_equal(input_feed(in, bytes, strlen(bytes), 10 * MS), 0);
}

static void test_mouse(void **state)
{
	struct term_event e;
	struct input in;

	(void)state;
	input_init(&in, true);
	feed(&in, "\033[<0;12;3M\033[<2;1;1m\033[<65;80;24M\033[<64;1;1M\033[<35;1;1M");
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.kind, TERM_MOUSE);
	assert_int_equal(e.mouse, MOUSE_PRESS);
	assert_int_equal(e.button, 1);
	assert_int_equal(e.x, 11);
	assert_int_equal(e.y, 2);
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.mouse, MOUSE_RELEASE);
	assert_int_equal(e.button, 3);
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.mouse, MOUSE_WHEEL_DOWN);
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.mouse, MOUSE_WHEEL_UP);
	/* motion is ignored */
	assert_int_equal(input_next(&in, 10 * MS, &e), 1);
	input_release(&in);
}

static void test_paste(void **state)
{
	struct term_event e;
	struct input in;

	(void)state;
	input_init(&in, true);
	feed(&in, "x\033[200~one\r\ntwo\033");
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.key, 'x');
	assert_int_equal(input_next(&in, 500 * MS, &e), 1);
	assert_int_equal(input_timeout_ms(&in, 500 * MS), -1);
	feed(&in, "[201");
	assert_int_equal(input_next(&in, 500 * MS, &e), 1);
	feed(&in, "~y");
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.kind, TERM_PASTE);
	assert_string_equal(e.text, "one\ntwo");
	assert_int_equal(input_next(&in, 10 * MS, &e), 0);
	assert_int_equal(e.key, 'y');
	input_release(&in);
}

/* Too long a paste: the rest is discarded, not taken for keys. */
static void test_paste_too_much(void **state)
{
	static const size_t parts[] = { 97, 4096, 65521, 1 << 20, (1 << 20) + 70000 };
	static char much[(1 << 20) + 70000];
	struct term_event e;
	struct input in;

	(void)state;
	memset(much, 'q', sizeof(much));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t events = 0, pasted = 0, n;

		input_init(&in, true);
		feed(&in, "\033[200~");
		for (n = 0; n < sizeof(much); n += parts[i]) {
			size_t left = sizeof(much) - n;

			assert_int_equal(input_feed(&in, much + n,
						    left < parts[i] ? left : parts[i], 10 * MS),
					 0);
			while (input_next(&in, 10 * MS, &e) == 0) {
				assert_int_equal(e.kind, TERM_PASTE);
				pasted += strlen(e.text);
				events++;
			}
		}
		assert_int_equal(events, 1);
		assert_in_range(pasted, (1 << 20) - 5, sizeof(much));
		/* the end mark may arrive in two parts */
		feed(&in, "qq\033[2");
		assert_int_equal(input_next(&in, 1000 * MS, &e), 1);
		feed(&in, "01~x");
		assert_int_equal(input_next(&in, 10 * MS, &e), 0);
		assert_int_equal(e.kind, TERM_KEY);
		assert_int_equal(e.key, 'x');
		/* and the next one is one again */
		feed(&in, "\033[200~ab\033[201~");
		assert_int_equal(input_next(&in, 10 * MS, &e), 0);
		assert_int_equal(e.kind, TERM_PASTE);
		assert_string_equal(e.text, "ab");
		input_release(&in);
	}
}

/* No bytes whatever make it hang or read past its end. */
static void test_noise(void **state)
{
	unsigned seed = 1;
	struct input in;
	int i;

	(void)state;
	input_init(&in, true);
	for (i = 0; i < 200000; i++) {
		static const char bytes[] = "\033\033\033[[[O<;:~MmAZu0123459\xe4\xb8\xad\xff\r";
		struct term_event e;
		int events = 0;

		seed = seed * 1103515245 + 12345;
		input_feed(&in, bytes + (seed >> 16) % (sizeof(bytes) - 1), 1, 10 * MS);
		while (input_next(&in, 10 * MS + (uint64_t)(i & 64) * MS, &e) == 0)
			assert_in_range(++events, 0, 1000);
	}
	input_release(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),  cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_mouse), cmocka_unit_test(test_escape_time),
		cmocka_unit_test(test_paste), cmocka_unit_test(test_paste_too_much),
		cmocka_unit_test(test_noise),
	};

	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
