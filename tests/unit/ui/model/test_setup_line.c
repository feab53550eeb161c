/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pasted command line as choices of Setup, and the list of options that have no row there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "model/setup/setup_choice.h"
#include "model/setup/setup_options.h"
#include "unit/ui/model/setup_made.h"

/* The line is applied and results in `wanted`, with this number of skipped options. */
static void becomes(struct setup *s, const char *line, const char *wanted, size_t n_left_out)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup_taken taken;
	char *text;

	assert_int_equal(setup_take_line(s, line, "/proc", &taken, &err), 0);
	assert_false(ptui_error_is_set(&err));
	text = setup_made_line(s);
	assert_string_equal(text, wanted);
	assert_int_equal(taken.left_out.n, n_left_out);
	setup_taken_release(&taken);
	free(text);
}

static void test_rows(void **state)
{
	struct setup *s = *state;

	becomes(s, "perf record -F 99 -g -e page-faults -o x.data -- sh -c 'echo a b'",
		"ptui record -F 99 -g -e page-faults -o x.data -- sh -c 'echo a b'", 0);
	assert_int_equal(s->target, SETUP_COMMAND);
	assert_string_equal(s->command, "sh -c 'echo a b'");
	assert_int_equal(s->rates[SETUP_RATE_FREQUENCY], 99);
	assert_string_equal(setup_output(s), "x.data");
	/* missing options get record's defaults, not the previous choices */
	becomes(s, "sudo perf record -a", "ptui record -a", 0);
	assert_int_equal(setup_choice(s, SETUP_CALLS), SETUP_CALLS_OFF);
	assert_int_equal(s->target, SETUP_SYSTEM);
	becomes(s, "ptui record -c 1 -e context-switches,page-faults true",
		"ptui record -c 1 -e context-switches,page-faults -- true", 0);
	assert_int_equal(setup_choice(s, SETUP_RATE), SETUP_RATE_PERIOD);
}

static void test_more(void **state)
{
	struct setup *s = *state;
	struct setup_opts *opts;

	becomes(s, "perf record -N -i --no-buildid-mmap -e page-faults true",
		"ptui record -e page-faults -N -i --no-buildid-mmap -- true", 0);
	assert_int_equal(setup_more_count(s), 3);
	opts = setup_opts_new(s, NULL);
	assert_non_null(opts);
	assert_int_equal(opts->opts.buildid, PTUI_BUILDID_TABLE);
	assert_true(opts->opts.no_inherit);
	assert_string_equal(opts->opts.argv[0], "true");
	assert_string_equal(opts->opts.cmdline, "ptui");
	setup_opts_free(opts);
}

static void test_filters(void **state)
{
	struct setup *s = *state;

	if (access("/sys/kernel/tracing/events/sched", R_OK))
		skip_because("cannot read 'tracefs'");
	becomes(s,
		"perf record -e sched:sched_switch --filter 'prev_pid > 1' --filter 'next_pid > 2' -e page-faults true",
		"ptui record -e sched:sched_switch --filter '(prev_pid > 1) && (next_pid > 2)' "
		"-e page-faults -- true",
		0);
	becomes(s, "perf record -e sched:sched_switch --filter 'nothing > 1' true",
		"ptui record -e sched:sched_switch -- true", 1);
}

static void test_targets(void **state)
{
	struct setup *s = *state;
	char line[64], wanted[64];

	snprintf(line, sizeof(line), "perf record -p %d", (int)getpid());
	snprintf(wanted, sizeof(wanted), "ptui record -p %d", (int)getpid());
	becomes(s, line, wanted, 0);
	assert_int_equal(s->target, SETUP_PROCESS);
	assert_non_null(strstr(s->pid_name, "test_setup_line"));
	becomes(s, "perf record -p 1,2", "ptui record -p 1,2", 0);
	assert_int_equal(s->target, SETUP_OPTIONS);
	assert_true(setup_names_target(s));
	/* while a command runs */
	becomes(s, "perf record -p 1 -- sleep 1", "ptui record -p 1 -- sleep 1", 0);
	assert_int_equal(s->target, SETUP_COMMAND);
}

static void test_left_out(void **state)
{
	struct setup *s = *state;
	struct setup_taken taken;

	becomes(s, "perf record --nonsense -q -e cycels -e page-faults -c x -N -- true",
		"ptui record -e page-faults -N -- true", 4);
	assert_int_equal(setup_take_line(s, "perf record --nonsense -q -e cycels true", "/proc",
					 &taken, NULL),
			 0);
	assert_non_null(strstr(taken.left_out.v[0], "--nonsense"));
	assert_non_null(strstr(taken.left_out.v[1], "-q: only for the command line"));
	assert_non_null(strstr(taken.left_out.v[2], "cycels"));
	setup_taken_release(&taken);
}

/* The whole system while a command runs, also from a file; options that name tasks override -a. */
static void test_system_command(void **state)
{
	struct setup *s = *state;

	becomes(s, "perf record -F 99 -a -g -- sleep 3", "ptui record -F 99 -g -a -- sleep 3", 0);
	assert_int_equal(s->target, SETUP_SYSTEM_COMMAND);
	assert_string_equal(s->command, "sleep 3");
	becomes(s, "perf record -ag dwarf sleep 10",
		"ptui record --call-graph dwarf -a -- sleep 10", 0);
	becomes(s, "perf record -e cpu-clock -a -p 1 sleep 1",
		"ptui record -e cpu-clock -p 1 -- sleep 1", 0);
	assert_int_equal(s->target, SETUP_COMMAND);
	becomes(s, "perf record -e cpu-clock -a -G x", "ptui record -e cpu-clock -G x -a", 0);
}

/* Unexpanded globs: events accept them, a command does not. */
static void test_patterns(void **state)
{
	struct setup *s = *state;
	struct setup_taken taken;
	struct ptui_error err = PTUI_ERROR_INIT;

	if (access("/sys/kernel/tracing/events/sched", R_OK))
		skip_because("cannot read 'tracefs'");
	becomes(s, "perf record -e sched:sched_process_* -ag",
		"ptui record -g -e 'sched:sched_process_*' -a", 0);
	assert_int_equal(setup_take_line(s, "perf record -a -- ls *.c", "/proc", &taken, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "requires a shell"));
	becomes(s, "perf record -a -- ls '*.c'", "ptui record -a -- ls '*.c'", 0);
}

static void test_tracepoints_are_counted(void **state)
{
	static const struct {
		const char *event;
		size_t tracepoints, others;
	} cases[] = {
		{ "cycles", 0, 1 },
		{ "cycles:u", 0, 1 },
		{ "sched:sched_switch", 1, 0 },
		{ "sched:*", 1, 0 },
		{ "sched:sched_switch:k", 1, 0 },
		{ "mem:0x1000:rw", 0, 1 },
		{ "pfm:a:x", 0, 1 },
		{ "cpu/event=0x3c,name=a:b/u", 0, 1 },
		{ "%sdt_x:y", 1, 0 },
		{ "{sched:sched_switch,cycles}:S", 1, 1 },
		{ "team{cycles:u,instructions}", 0, 2 },
		{ "cycles,sched:sched_switch", 1, 1 },
		{ "r1a8:u", 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t tracepoints, others;

		setup_count_tracepoints(&cases[i].event, 1, &tracepoints, &others);
		if (tracepoints != cases[i].tracepoints || others != cases[i].others)
			fail_msg("%s: %zu tracepoints, %zu others", cases[i].event, tracepoints,
				 others);
	}
}

/* Nothing changes. */
static void test_no_line(void **state)
{
	static const char *const lines[] = { "", "make -j2", "perf stat true", "perf record 'x",
					     "perf record -g | cat" };
	struct setup *s = *state;
	struct setup_taken taken;
	struct ptui_error err;

	assert_int_equal(setup_set_command(s, "make", NULL), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(setup_take_line(s, lines[i], "/proc", &taken, &err), -EINVAL);
		assert_true(ptui_error_is_set(&err));
		assert_string_equal(s->command, "make");
		assert_int_equal(s->events.n, 1);
	}
}

static void test_file(void **state)
{
	struct setup *s = *state, other;
	char path[] = "/tmp/ptui-test-options-XXXXXX", *text;
	struct ptui_error err = PTUI_ERROR_INIT;
	int fd = mkstemp(path);
	FILE *f;

	assert_true(fd >= 0);
	close(fd);
	becomes(s, "perf record -i --no-buildid-all -G 'a b\\c' -N -a true",
		"ptui record -i --no-buildid-all -G 'a b\\c' -N -a -- true", 0);
	assert_int_equal(setup_save(s, path, NULL), 0);
	assert_int_equal(setup_init(&other), 0);
	assert_int_equal(setup_load(&other, path, "/proc", &err), 0);
	text = setup_made_line(&other);
	assert_string_equal(text,
			    "ptui record -e cycles -i --no-buildid-all -G 'a b\\c' -N -a -- true");
	free(text);
	setup_release(&other);
	/* of another version, or damaged */
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("target system\noption no-such=1\noption count=x\noption no-inherit!=2\noption no-inherit\n",
	      f);
	fclose(f);
	assert_int_equal(setup_init(&other), 0);
	assert_int_equal(setup_load(&other, path, "/proc", &err), -EBADMSG);
	assert_int_equal(setup_more_count(&other), 1);
	setup_release(&other);
	unlink(path);
}

/* ---- the list ---- */

static void put(struct setup *s, const char *name, const char *value)
{
	const struct ptui_record_use use = { ptui_record_option_find(name), value, false };

	assert_int_equal(setup_put(s, &use), 0);
}

static void test_list(void **state)
{
	struct setup *s = *state;
	struct setup_options list;
	struct ptui_record_option o;
	size_t inherit = ptui_record_option_find("no-inherit"), n;

	assert_int_equal(setup_options_init(&list, s), 0);
	n = list.n_all;
	assert_true(n > 5 && list.n > n);
	assert_false(setup_options_row(&list, 0, &o));
	assert_true(setup_options_row(&list, 1, &o));
	assert_int_equal(setup_options_find(&list, ptui_record_option_find("event")), SIZE_MAX);
	assert_int_equal(setup_options_find(&list, ptui_record_option_find("quiet")), SIZE_MAX);
	assert_int_not_equal(setup_options_find(&list, inherit), SIZE_MAX);
	setup_options_search(&list, "NO-INHERIT");
	/* including the one with it in its help */
	assert_true(list.n_options >= 1 && list.n_options < 5);
	assert_int_not_equal(setup_options_find(&list, inherit), SIZE_MAX);
	setup_options_refresh(&list);
	assert_string_equal(list.search, "NO-INHERIT");
	setup_options_search(&list, "no such thing");
	assert_int_equal(list.n, 0);
	/* options that a row of Setup cannot show are listed while given */
	setup_options_search(&list, "");
	put(s, "freq", "max");
	setup_options_refresh(&list);
	assert_int_equal(list.n_all, n + 1);
	setup_options_release(&list);
}

static void value_is(struct setup *s, size_t option, const char *wanted)
{
	char value[64];

	setup_option_value(s, option, value, sizeof(value));
	assert_string_equal(value, wanted);
}

/* A flag with two states only. */
static size_t a_flag(void)
{
	struct ptui_record_option o;

	for (size_t i = 0; ptui_record_option(i, &o); i++)
		if (o.kind == PTUI_OPTION_FLAG && !o.can_be_off)
			return i;
	fail();
	return 0;
}

static void test_change(void **state)
{
	struct setup *s = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	size_t flag = a_flag(), all = ptui_record_option_find("buildid-all"),
	       count = ptui_record_option_find("switch-max-files"),
	       group = ptui_record_option_find("cgroup");
	char *line;

	/* on and not; on, off and not */
	assert_int_equal(setup_option_turn(s, flag), 0);
	value_is(s, flag, "on");
	assert_int_equal(setup_option_turn(s, flag), 0);
	value_is(s, flag, "");
	assert_int_equal(setup_option_turn(s, all), 0);
	assert_int_equal(setup_option_turn(s, all), 0);
	value_is(s, all, "off");
	assert_int_equal(setup_option_turn(s, all), 0);
	value_is(s, all, "");
	/* a value, a mistake, and back */
	assert_int_equal(setup_option_set(s, count, "12", &err), 0);
	value_is(s, count, "12");
	assert_true(setup_option_judge(s, count, "x", &err) < 0);
	assert_true(ptui_error_is_set(&err));
	assert_true(setup_option_set(s, count, "x", &err) < 0);
	value_is(s, count, "12");
	assert_int_equal(setup_option_set(s, count, "", &err), 0);
	value_is(s, count, "");
	/* several: as words */
	put(s, "cgroup", "a");
	put(s, "cgroup", "b c");
	value_is(s, group, "a, b c");
	line = setup_option_line(s, group);
	assert_string_equal(line, "a 'b c'");
	free(line);
	assert_int_equal(setup_option_set(s, group, "x 'y z' w", &err), 0);
	value_is(s, group, "x, y z, w");
	assert_true(setup_uses_remove(&s->uses, group));
	assert_false(setup_uses_remove(&s->uses, group));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup_made_begin, setup_made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rows),     TEST(test_more),
		TEST(test_filters),  TEST(test_targets),
		TEST(test_left_out), TEST(test_system_command),
		TEST(test_patterns), TEST(test_tracepoints_are_counted),
		TEST(test_no_line),  TEST(test_file),
		TEST(test_list),     TEST(test_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
