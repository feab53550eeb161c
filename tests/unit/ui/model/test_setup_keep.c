/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flight recorder row, which shows and sets options. */
#include <errno.h>
#include <stdlib.h>
#include "lib/need.h"
#include "model/setup/setup_keep.h"
#include "unit/ui/model/setup_made.h"

static void line(struct setup *s, const char *text)
{
	struct setup_taken taken;

	assert_int_equal(setup_take_line(s, text, "/proc", &taken, NULL), 0);
	assert_int_equal(taken.left_out.n, 0);
	setup_taken_release(&taken);
}

static void same_as(const struct setup *s, const char *wanted)
{
	char *text = setup_made_line(s);

	assert_string_equal(text, wanted);
	free(text);
}

static void test_from_one_to_the_next(void **state)
{
	struct setup *s = *state;

	line(s, "ptui record -F 99 -e cycles -a");
	assert_int_equal(setup_keep(s), SETUP_KEEP_OFF);
	assert_null(setup_keep_size(s));
	assert_int_equal(setup_set_keep(s, SETUP_KEEP_MEMORY, NULL), 0);
	same_as(s, "ptui record -F 99 -e cycles -M 64M -a");
	assert_string_equal(setup_keep_size(s), "64M");
	assert_int_equal(setup_set_keep(s, SETUP_KEEP_RINGS, NULL), 0);
	assert_int_equal(setup_keep(s), SETUP_KEEP_RINGS);
	same_as(s, "ptui record -F 99 -e cycles --overwrite -m 8M -a");
	assert_int_equal(setup_set_keep(s, SETUP_KEEP_OFF, NULL), 0);
	same_as(s, "ptui record -F 99 -e cycles -a");
}

/* Ring sizes set by the user stay. */
static void test_sizes_of_ones_own(void **state)
{
	struct setup *s = *state;

	line(s, "ptui record -e cycles -m 2M -a");
	assert_null(setup_keep_size(s));
	assert_int_equal(setup_set_keep(s, SETUP_KEEP_RINGS, NULL), 0);
	assert_string_equal(setup_keep_size(s), "2M");
	assert_int_equal(setup_set_keep(s, SETUP_KEEP_OFF, NULL), 0);
	same_as(s, "ptui record -e cycles -m 2M -a");
	line(s, "ptui record -e cycles --overwrite -a");
	assert_int_equal(setup_keep(s), SETUP_KEEP_RINGS);
	assert_null(setup_keep_size(s));
	line(s, "ptui record -e cycles --no-overwrite -a");
	assert_int_equal(setup_keep(s), SETUP_KEEP_OFF);
}

static void test_another_size(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state;

	line(s, "ptui record -e cycles -M 1M -a");
	assert_string_equal(setup_keep_size(s), "1M");
	assert_int_equal(setup_set_keep_size(s, "2M", &err), 0);
	same_as(s, "ptui record -e cycles -M 2M -a");
	assert_int_equal(setup_set_keep_size(s, "much", &err), -EINVAL);
	assert_true(ptui_error_is_set(&err));
	same_as(s, "ptui record -e cycles -M 2M -a");
	line(s, "ptui record -e cycles --overwrite -a");
	assert_int_equal(setup_set_keep_size(s, "1M", NULL), 0);
	same_as(s, "ptui record -e cycles --overwrite -m 1M -a");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_made_begin, setup_made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_from_one_to_the_next),
		TEST(test_sizes_of_ones_own),
		TEST(test_another_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
