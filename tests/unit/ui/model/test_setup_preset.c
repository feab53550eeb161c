/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Presets: how to record, without target and output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "model/setup/setup.h"
#include "unit/ui/model/setup_made.h"

static void same_as(const struct setup *s, const char *wanted)
{
	char *text = setup_made_line(s);

	assert_string_equal(text, wanted);
	free(text);
}

static size_t find(const struct setup *s, const char *name)
{
	for (size_t i = 0; i < setup_n_presets(s); i++)
		if (!strcmp(setup_preset(s, i).name, name))
			return i;
	return SIZE_MAX;
}

static int apply(struct setup *s, size_t i, struct setup_taken *taken, struct ptui_error *err)
{
	return setup_take_line(s, setup_preset(s, i).line, true, taken, err);
}

static void take(struct setup *s, const char *name)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup_taken taken;

	assert_true(find(s, name) != SIZE_MAX);
	assert_int_equal(apply(s, find(s, name), &taken, &err), 0);
	assert_int_equal(taken.left_out.n, 0);
	words_release(&taken.left_out);
}

static void line(struct setup *s, const char *text)
{
	struct setup_taken taken;

	assert_int_equal(setup_take_line(s, text, false, &taken, NULL), 0);
	assert_int_equal(taken.left_out.n, 0);
	words_release(&taken.left_out);
}

/* Each built-in preset is valid on any machine. */
static void test_all_of_ours(void **state)
{
	struct setup *s = *state;

	assert_int_equal(setup_set_command(s, "make -j2", NULL), 0);
	for (size_t i = 0; i < setup_n_presets(s); i++) {
		struct setup_preset preset;
		struct setup_taken taken;
		char wanted[256];

		preset = setup_preset(s, i);
		snprintf(wanted, sizeof(wanted), "%s -- make -j2", preset.line);
		assert_int_equal(apply(s, i, &taken, NULL), 0);
		/* a tracepoint may be missing, or not readable: then it is reported */
		if (!taken.left_out.n)
			same_as(s, wanted);
		words_release(&taken.left_out);
	}
	take(s, "flight recorder");
	same_as(s, "ptui record -F 4000 --call-graph dwarf,live -e cycles -M 64M -- make -j2");
	take(s, "flight rings");
	same_as(s, "ptui record -F 4000 -g -e cycles --overwrite -m 8M -- make -j2");
}

static void test_target_and_output_stay(void **state)
{
	struct setup *s = *state;

	line(s, "perf record -a -o /tmp/x.data -z");
	take(s, "page faults");
	same_as(s, "ptui record -c 1 --call-graph dwarf,live -e page-faults -o /tmp/x.data -a");
	line(s, "perf record -C 0 -e cs");
	take(s, "page faults");
	same_as(s, "ptui record -c 1 --call-graph dwarf,live -e page-faults -C 0 -a");
}

static void test_keep_and_forget(void **state)
{
	struct setup *s = *state;
	size_t n = setup_n_presets(s);
	struct setup_preset preset;

	line(s, "perf record -F 99 -z -e page-faults --sample-cpu -o x.data -- make 'a b'");
	assert_int_equal(setup_keep_preset(s, "mine", NULL), 0);
	assert_int_equal(setup_n_presets(s), n + 1);
	preset = setup_preset(s, n);
	assert_string_equal(preset.line, "ptui record -F 99 -e page-faults -z --sample-cpu");
	/* it stays after other choices */
	line(s, "perf record -g -- true");
	take(s, "mine");
	same_as(s, "ptui record -F 99 -e page-faults -z --sample-cpu -- true");
	/* the same name: instead of it */
	line(s, "perf record -c 5 -e cs -a");
	assert_int_equal(setup_keep_preset(s, "mine", NULL), 0);
	assert_int_equal(setup_n_presets(s), n + 1);
	take(s, "mine");
	same_as(s, "ptui record -c 5 -e cs -a");
	setup_forget_preset(s, 0);
	assert_int_equal(setup_n_presets(s), n + 1);
	setup_forget_preset(s, n);
	assert_int_equal(setup_n_presets(s), n);
}

static void test_names(void **state)
{
	struct setup *s = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	char name[64];

	assert_int_equal(setup_keep_preset(s, "", &err), -EINVAL);
	assert_int_equal(setup_keep_preset(s, "a\tb", &err), -EINVAL);
	assert_int_equal(setup_keep_preset(s, "scheduler", &err), -EINVAL);
	assert_string_equal(err.text, "scheduler already exists and cannot be replaced");
	memset(name, 'x', sizeof(name));
	name[SETUP_PRESET_NAME_MAX + 1] = '\0';
	assert_int_equal(setup_keep_preset(s, name, &err), -EINVAL);
	name[SETUP_PRESET_NAME_MAX] = '\0';
	assert_int_equal(setup_keep_preset(s, name, &err), 0);
	for (int i = 1; i < SETUP_PRESETS_MAX; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		assert_int_equal(setup_keep_preset(s, name, NULL), 0);
	}
	assert_int_equal(setup_keep_preset(s, "one more", &err), -EINVAL);
	assert_int_equal(setup_keep_preset(s, "p7", &err), 0);
}

/* With the last choices, in the next session too. */
static void test_kept_between_sessions(void **state)
{
	struct setup *s = *state, again;
	char path[] = "/tmp/ptui-preset.XXXXXX";
	int fd = mkstemp(path);
	struct setup_preset preset;

	assert_true(fd >= 0);
	close(fd);
	line(s, "perf record -F 99 -e page-faults -- true");
	assert_int_equal(setup_keep_preset(s, "my faults, 频率", NULL), 0);
	assert_int_equal(setup_save(s, path, NULL), 0);
	assert_int_equal(setup_init(&again), 0);
	assert_int_equal(setup_load(&again, path, NULL), 0);
	assert_int_equal(setup_n_presets(&again), setup_n_presets(s));
	preset = setup_preset(&again, setup_n_presets(s) - 1);
	assert_string_equal(preset.name, "my faults, 频率");
	assert_string_equal(preset.line, "ptui record -F 99 -e page-faults");
	setup_release(&again);
	assert_int_equal(setup_read_preset(s, "no line", NULL), -EINVAL);
	assert_int_equal(setup_read_preset(s, "no line\t", NULL), -EINVAL);
	assert_int_equal(setup_read_preset(s, "\tptui record", NULL), -EINVAL);
	unlink(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup_made_begin, setup_made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_all_of_ours),		  TEST(test_target_and_output_stay),
		TEST(test_keep_and_forget),	  TEST(test_names),
		TEST(test_kept_between_sessions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
