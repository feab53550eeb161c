/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a few values, which options make: the flight recorder, callchains, the rate. */
#include <errno.h>
#include <stdlib.h>
#include "lib/need.h"
#include "model/setup/setup.h"
#include "unit/ui/model/setup_made.h"

static void line(struct setup *s, const char *text)
{
	struct setup_taken taken;

	assert_int_equal(setup_take_line(s, text, false, &taken, NULL), 0);
	assert_int_equal(taken.left_out.n, 0);
	words_release(&taken.left_out);
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
	assert_int_equal(setup_choice(s, SETUP_KEEP), SETUP_KEEP_OFF);
	assert_null(setup_choice_size(s, SETUP_KEEP));
	assert_int_equal(setup_set_choice(s, SETUP_KEEP, SETUP_KEEP_MEMORY, NULL), 0);
	same_as(s, "ptui record -F 99 -e cycles -M 64M -a");
	assert_string_equal(setup_choice_size(s, SETUP_KEEP), "64M");
	assert_int_equal(setup_set_choice(s, SETUP_KEEP, SETUP_KEEP_RINGS, NULL), 0);
	assert_int_equal(setup_choice(s, SETUP_KEEP), SETUP_KEEP_RINGS);
	same_as(s, "ptui record -F 99 -e cycles --overwrite -m 8M -a");
	assert_int_equal(setup_set_choice(s, SETUP_KEEP, SETUP_KEEP_OFF, NULL), 0);
	same_as(s, "ptui record -F 99 -e cycles -a");
}

/* Ring sizes set by the user stay. */
static void test_sizes_of_ones_own(void **state)
{
	struct setup *s = *state;

	line(s, "ptui record -e cycles -m 2M -a");
	assert_null(setup_choice_size(s, SETUP_KEEP));
	assert_int_equal(setup_set_choice(s, SETUP_KEEP, SETUP_KEEP_RINGS, NULL), 0);
	assert_string_equal(setup_choice_size(s, SETUP_KEEP), "2M");
	assert_int_equal(setup_set_choice(s, SETUP_KEEP, SETUP_KEEP_OFF, NULL), 0);
	same_as(s, "ptui record -e cycles -m 2M -a");
	line(s, "ptui record -e cycles --overwrite -a");
	assert_int_equal(setup_choice(s, SETUP_KEEP), SETUP_KEEP_RINGS);
	assert_null(setup_choice_size(s, SETUP_KEEP));
	line(s, "ptui record -e cycles --no-overwrite -a");
	assert_int_equal(setup_choice(s, SETUP_KEEP), SETUP_KEEP_OFF);
}

static void test_another_size(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state;

	line(s, "ptui record -e cycles -M 1M -a");
	assert_string_equal(setup_choice_size(s, SETUP_KEEP), "1M");
	assert_int_equal(setup_set_choice_size(s, SETUP_KEEP, "2M", &err), 0);
	same_as(s, "ptui record -e cycles -M 2M -a");
	assert_int_equal(setup_set_choice_size(s, SETUP_KEEP, "much", &err), -EINVAL);
	assert_true(ptui_error_is_set(&err));
	same_as(s, "ptui record -e cycles -M 2M -a");
	line(s, "ptui record -e cycles --overwrite -a");
	assert_int_equal(setup_set_choice_size(s, SETUP_KEEP, "1M", NULL), 0);
	same_as(s, "ptui record -e cycles --overwrite -m 1M -a");
}

/* Options that exclude each other; one with another value replaces the row, until the row is set. */
static void test_exclusive(void **state)
{
	struct setup *s = *state;

	line(s, "ptui record -F max -e cycles -a");
	assert_int_equal(setup_choice(s, SETUP_RATE), SETUP_BY_OPTION);
	assert_string_equal(setup_choice_use(s, SETUP_RATE)->value, "max");
	assert_int_equal(setup_more_count(s), 1);
	assert_int_equal(setup_set_choice(s, SETUP_RATE, SETUP_RATE_PERIOD, NULL), 0);
	assert_null(setup_choice_use(s, SETUP_RATE));
	same_as(s, "ptui record -c 1000000 -e cycles -a");
	assert_int_equal(setup_set_choice(s, SETUP_RATE, SETUP_RATE_FREQUENCY, NULL), 0);
	same_as(s, "ptui record -F 4000 -e cycles -a");
	assert_int_equal(setup_more_count(s), 0);

	line(s, "ptui record --call-graph dwarf,live -g -e cycles -a");
	assert_int_equal(setup_choice(s, SETUP_CALLS), SETUP_CALLS_UNWOUND);
	line(s, "ptui record -g --call-graph dwarf -e cycles -a");
	same_as(s, "ptui record --call-graph dwarf -e cycles -a");
	assert_int_equal(setup_choice(s, SETUP_CALLS), SETUP_BY_OPTION);
	line(s, "ptui record -g --no-call-graph -e cycles -a");
	same_as(s, "ptui record --no-call-graph -e cycles -a");
	assert_int_equal(setup_set_choice(s, SETUP_CALLS, SETUP_CALLS_FP, NULL), 0);
	same_as(s, "ptui record -g -e cycles -a");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_made_begin, setup_made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_from_one_to_the_next),
		TEST(test_sizes_of_ones_own),
		TEST(test_another_size),
		TEST(test_exclusive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
