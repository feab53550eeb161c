/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pasted command line as choices of Setup, and the list of options that have no row there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "model/setup/setup.h"
#include "unit/ui/model/setup_made.h"

/* The line is applied and results in `wanted`, with this number of skipped options. */
static void becomes(struct setup *s, const char *line, const char *wanted, size_t n_left_out)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup_taken taken;
	char *text;

	assert_int_equal(setup_take_line(s, line, false, &taken, &err), 0);
	assert_false(ptui_error_is_set(&err));
	text = setup_made_line(s);
	assert_string_equal(text, wanted);
	assert_int_equal(taken.left_out.n, n_left_out);
	words_release(&taken.left_out);
	free(text);
}

static void line_is(struct setup *s, const char *wanted)
{
	char *text = setup_made_line(s);

	assert_string_equal(text, wanted);
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
	struct ptui_record_line *record;

	becomes(s, "perf record -N -i --no-buildid-mmap -e page-faults true",
		"ptui record -e page-faults -N -i --no-buildid-mmap -- true", 0);
	assert_int_equal(setup_more_count(s), 3);
	record = setup_record_line(s, NULL);
	assert_non_null(record);
	assert_int_equal(ptui_record_line_opts(record)->buildid, PTUI_BUILDID_TABLE);
	assert_true(ptui_record_line_opts(record)->no_inherit);
	assert_string_equal(ptui_record_line_opts(record)->argv[0], "true");
	assert_string_equal(ptui_record_line_opts(record)->cmdline, "ptui");
	ptui_record_line_free(record);
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

/* --exclude-perf and -G belong to the events before them: everything keeps their places. */
static void test_options_of_events(void **state)
{
	static const char tracepoints[] =
		"ptui record -e sched:sched_switch --exclude-perf -e sched:sched_wakeup -a";
	static const char cgroups[] = "ptui record -e cpu-clock -G a -e page-faults -e faults "
				      "-G b,c -e cs -a";
	struct setup *s = *state;
	struct ptui_record_line *record;
	const struct ptui_record_opts *o;
	struct words texts = WORDS_INIT;
	struct setup_taken taken;
	char *text;

	becomes(s, cgroups, cgroups, 0);
	text = setup_to_text(s);
	assert_non_null(text);
	becomes(s, "ptui record -a", "ptui record -a", 0);
	assert_int_equal(setup_from_text(s, text, NULL), 0);
	free(text);
	line_is(s, cgroups);
	record = setup_record_line(s, NULL);
	assert_non_null(record);
	o = ptui_record_line_opts(record);
	assert_int_equal(o->n_cgroups, 2);
	assert_int_equal(o->cgroup_after[0], 1);
	assert_int_equal(o->cgroup_after[1], 3);
	ptui_record_line_free(record);
	/* removed events, chosen events */
	setup_remove_event(s, 0);
	line_is(s, "ptui record -e page-faults -e faults -G b,c -e cs -a");
	assert_int_equal(words_split(&texts, "cpu-clock '' page-faults '' cs ''", NULL), 0);
	assert_int_equal(setup_set_events(s, &texts, NULL), 0);
	line_is(s, "ptui record -e cpu-clock -e page-faults -G b,c -e cs -a");
	words_release(&texts);
	/* after all events it is the target, also of what is added; a preset keeps it */
	becomes(s, "perf record -a -e cs -G a", "ptui record -e cs -G a -a", 0);
	assert_int_equal(setup_set_event(s, 1, "page-faults", NULL), 0);
	line_is(s, "ptui record -e cs -e page-faults -G a -a");
	assert_int_equal(
		setup_take_line(s, "perf record -e cpu-clock -e cs -z", true, &taken, NULL), 0);
	line_is(s, "ptui record -e cpu-clock -e cs -G a -z -a");
	words_release(&taken.left_out);
	if (access("/sys/kernel/tracing/events/sched", R_OK))
		skip_because("cannot read 'tracefs'");
	becomes(s, tracepoints, tracepoints, 0);
	record = setup_record_line(s, NULL);
	assert_non_null(record);
	o = ptui_record_line_opts(record);
	assert_true(o->exclude_self[0]);
	assert_false(o->exclude_self[1]);
	ptui_record_line_free(record);
	/* the filter stays with the last event, when one is added */
	becomes(s, "perf record -e sched:sched_switch --exclude-perf true",
		"ptui record -e sched:sched_switch --exclude-perf -- true", 0);
	assert_int_equal(setup_set_event(s, 1, "cs", NULL), 0);
	line_is(s, "ptui record -e sched:sched_switch --exclude-perf -e cs -- true");
	setup_remove_event(s, 0);
	line_is(s, "ptui record -e cs -- true");
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
	becomes(s, "perf record -p 1 -- true", "ptui record -p 1 -- true", 0);
	assert_int_equal(s->target, SETUP_COMMAND);
}

static void test_left_out(void **state)
{
	struct setup *s = *state;
	struct setup_taken taken;

	becomes(s, "perf record --nonsense -q -e cycels -e page-faults -c x -N -- true",
		"ptui record -e page-faults -N -- true", 4);
	assert_int_equal(setup_take_line(s, "perf record --nonsense -q -e cycels true", false,
					 &taken, NULL),
			 0);
	assert_non_null(strstr(taken.left_out.v[0], "--nonsense"));
	assert_non_null(strstr(taken.left_out.v[1], "-q: only for the command line"));
	assert_non_null(strstr(taken.left_out.v[2], "cycels"));
	words_release(&taken.left_out);
}

/* The whole system while a command runs; options that name tasks override -a. */
static void test_system_command(void **state)
{
	struct setup *s = *state;

	becomes(s, "perf record -F 99 -a -g -- make -j2", "ptui record -F 99 -g -a -- make -j2", 0);
	assert_int_equal(s->target, SETUP_SYSTEM_COMMAND);
	assert_string_equal(s->command, "make -j2");
	becomes(s, "perf record -e cpu-clock -a -p 1 true", "ptui record -e cpu-clock -p 1 -- true",
		0);
	assert_int_equal(s->target, SETUP_COMMAND);
	becomes(s, "perf record -e cpu-clock -a -G x", "ptui record -e cpu-clock -G x -a", 0);
}

/* sleep, beside another target, only says when the recording ends. */
static void test_timed(void **state)
{
	static const struct {
		const char *line, *same; /* NULL: as given */
		enum setup_target target;
		uint64_t seconds; /* 0: not timed */
	} cases[] = {
		{ "ptui record -a -- sleep 3", NULL, SETUP_SYSTEM, 3 },
		{ "perf record -ag dwarf sleep 10", "ptui record --call-graph dwarf -a -- sleep 10",
		  SETUP_SYSTEM, 10 },
		{ "ptui record -C 0 -a -- sleep 3600", NULL, SETUP_SYSTEM, 3600 },
		{ "perf record -p 1 sleep 10", "ptui record -p 1 -- sleep 10", SETUP_PROCESS, 10 },
		{ "perf record -a -p 1 sleep 1", "ptui record -p 1 -- sleep 1", SETUP_PROCESS, 1 },
		{ "ptui record -p 1,2 -- sleep 1", NULL, SETUP_OPTIONS, 1 },
		{ "ptui record -u root -- sleep 1", NULL, SETUP_OPTIONS, 1 },
		{ "ptui record -G x -a -- sleep 1", NULL, SETUP_OPTIONS, 1 },
		{ "ptui record -- sleep 3", NULL, SETUP_COMMAND, 0 },
		{ "ptui record -C 0 -- sleep 3", NULL, SETUP_COMMAND, 0 },
		{ "ptui record -a -- sleep 0", NULL, SETUP_SYSTEM_COMMAND, 0 },
		{ "ptui record -a -- sleep 03", NULL, SETUP_SYSTEM_COMMAND, 0 },
		{ "ptui record -a -- sleep 1.5", NULL, SETUP_SYSTEM_COMMAND, 0 },
		{ "ptui record -a -- sleep 1 2", NULL, SETUP_SYSTEM_COMMAND, 0 },
		{ "ptui record -a -- sleep", NULL, SETUP_SYSTEM_COMMAND, 0 },
		{ "ptui record -a -- sleep 99999999999999999999", NULL, SETUP_SYSTEM_COMMAND, 0 },
		{ "ptui record -a", NULL, SETUP_SYSTEM, 0 },
	};
	struct setup *s = *state;
	struct ptui_record_line *record;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		becomes(s, cases[i].line, cases[i].same ? cases[i].same : cases[i].line, 0);
		assert_int_equal(s->target, cases[i].target);
		assert_int_equal(s->timed, cases[i].seconds != 0);
		assert_int_equal(s->seconds, cases[i].seconds ? cases[i].seconds : s->seconds);
	}
	assert_int_equal(setup_set_choice_size(s, SETUP_END, "2m", NULL), 0);
	record = setup_record_line(s, NULL);
	assert_non_null(record);
	assert_true(ptui_record_line_opts(record)->system_wide);
	assert_string_equal(ptui_record_line_opts(record)->argv[0], "sleep");
	assert_string_equal(ptui_record_line_opts(record)->argv[1], "120");
	ptui_record_line_free(record);
	/* a command ends by itself */
	s->target = SETUP_COMMAND;
	assert_false(setup_can_be_timed(s));
	becomes(s, "ptui record -- make", "ptui record -- make", 0);
}

static void test_seconds(void **state)
{
	static const struct {
		const char *text;
		uint64_t seconds; /* 0: refused */
	} cases[] = { { "1", 1 },   { "90s", 90 }, { "2m", 120 }, { "1h", 3600 },      { "7 ", 7 },
		      { "", 0 },    { "0", 0 },	   { "x", 0 },	  { "-1", 0 },	       { "1d", 0 },
		      { "1 m", 0 }, { "1.5", 0 },  { "1ms", 0 },  { "99999999999", 0 } };
	struct setup *s = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ptui_error err = PTUI_ERROR_INIT;
		int ret = setup_set_choice_size(s, SETUP_END, cases[i].text, &err);

		assert_int_equal(ret, cases[i].seconds ? 0 : -EINVAL);
		assert_int_equal(ptui_error_is_set(&err), !cases[i].seconds);
		if (cases[i].seconds)
			assert_int_equal(s->seconds, cases[i].seconds);
	}
}

/* ---- form, line, form ---- */

static unsigned seed;

static unsigned any(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static const char *one_of(const char *const *texts, unsigned n)
{
	return texts[any(n)];
}

/* An option of any kind, with a valid value. */
static void put_any(struct setup *s)
{
	static const char *const values[][2] = { { "delay", "500" },	 { "call-graph", "lbr" },
						 { "mmap-pages", "2M" }, { "cpu", "0" },
						 { "realtime", "5" },	 { "freq", "max" },
						 { "max-size", "1G" },	 { "vmlinux", "a b'c" },
						 { "affinity", "node" } };
	struct ptui_record_use use = { .option = SIZE_MAX };
	struct ptui_record_option o;
	static size_t n;

	if (any(2)) {
		unsigned i = any(sizeof(values) / sizeof(values[0]));

		use.option = ptui_record_option_find(values[i][0]);
		use.value = values[i][1];
	} else {
		while (ptui_record_option(n, &o)) /* once */
			n++;
		do {
			use.option = any((unsigned)n);
			ptui_record_option(use.option, &o);
		} while (o.kind != PTUI_OPTION_FLAG || setup_option(use.option)->has_row ||
			 !strcmp(o.name, "exclude-perf"));
		use.off = o.can_be_off && any(2);
	}
	if (!setup_find(s, use.option))
		assert_int_equal(setup_put(s, &use, NULL), 0);
}

static void make_any(struct setup *s)
{
	static const char *const commands[] = { "make -j2", "sh -c 'a | b'", "sleep 3x",
						"x '' \"'\"" };
	static const char *const events[] = { "cycles", "page-faults:u", "{cpu-clock,task-clock}",
					      "cpu-clock,context-switches" };
	static const char *const outputs[] = { "perf.data", "x.data", "a b's", "/tmp/é" };
	struct words none = WORDS_INIT;

	assert_int_equal(setup_set_events(s, &none, NULL), 0);
	for (unsigned n = any(4); n > 0; n--)
		assert_int_equal(setup_set_event(s, setup_n_events(s), one_of(events, 4), NULL), 0);
	assert_int_equal(setup_set_output(s, one_of(outputs, 4), NULL), 0);
	for (int c = SETUP_RATE; c <= SETUP_KEEP; c++)
		assert_int_equal(setup_set_choice(s, (enum setup_row)c,
						  (int)any((unsigned)setup_form[c].n), NULL),
				 0);
	for (unsigned n = any(5); n > 0; n--)
		put_any(s);
	if (setup_choice(s, SETUP_RATE) != SETUP_BY_OPTION && any(2))
		assert_int_equal(setup_set_choice_size(s, SETUP_RATE, "123", NULL), 0);
	assert_int_equal(setup_set_command(s, one_of(commands, 4), NULL), 0);
	s->target = any(2) ? SETUP_SYSTEM : any(2) ? SETUP_SYSTEM_COMMAND : SETUP_COMMAND;
	if (!any(4)) {
		assert_int_equal(setup_set_process(s, getpid(), 0, "test"), 0);
		s->target = SETUP_PROCESS;
	}
	s->seconds = 1 + any(100);
	s->timed = any(2);
}

/* What the form shows as a line sets the form as it was, when pasted, undone or loaded. */
static void test_round_trip(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state, other;
	struct setup_taken taken;

	for (unsigned turn = 0; turn < 100; turn++) {
		char *line, *again, *text;

		seed = turn;
		make_any(s);
		line = setup_made_line(s);
		text = setup_to_text(s);
		for (int by_text = 0; by_text < 2; by_text++) {
			assert_int_equal(setup_init(&other), 0);
			if (by_text)
				assert_int_equal(setup_from_text(&other, text, &err), 0);
			else
				assert_int_equal(setup_take_line(&other, line, false, &taken, &err),
						 0);
			/* the time of a start differs */
			if (by_text && s->target == SETUP_PROCESS) {
				assert_int_equal(other.target, SETUP_PROCESS);
				other.pid = s->pid;
			}
			again = setup_made_line(&other);
			if (strcmp(line, again) != 0)
				fail_msg("turn %u: %s\nbecame %s", turn, line, again);
			assert_int_equal(other.target, s->target);
			/* the line of stat has no other choices */
			for (int c = SETUP_RATE;
			     c <= (s->counts && !by_text ? SETUP_RATE : SETUP_KEEP); c++)
				assert_int_equal(setup_choice(&other, (enum setup_row)c),
						 setup_choice(s, (enum setup_row)c));
			if (setup_can_be_timed(s))
				assert_int_equal(other.timed, s->timed);
			if (setup_can_be_timed(s) && s->timed)
				assert_int_equal(other.seconds, s->seconds);
			free(again);
			if (!by_text)
				words_release(&taken.left_out);
			setup_release(&other);
		}
		free(line);
		free(text);
	}
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
	assert_int_equal(setup_take_line(s, "perf record -a -- ls *.c", false, &taken, &err),
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
		size_t tracepoints = 0, others = 0;

		setup_count_tracepoints(cases[i].event, &tracepoints, &others);
		if (tracepoints != cases[i].tracepoints || others != cases[i].others)
			fail_msg("%s: %zu tracepoints, %zu others", cases[i].event, tracepoints,
				 others);
	}
}

/* Events and target of stat; the rest is named. */
static void test_line_of_stat(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state;
	struct setup_taken taken;
	char *line;

	assert_int_equal(setup_take_line(s, "perf stat -e cs,page-faults -I 100 -d -a -- sleep 3",
					 false, &taken, &err),
			 0);
	assert_int_equal(setup_choice(s, SETUP_RATE), SETUP_RATE_COUNT);
	assert_int_equal(setup_n_events(s), 1);
	assert_int_equal(s->target, SETUP_SYSTEM);
	assert_true(s->timed && s->seconds == 3);
	assert_int_equal(taken.left_out.n, 2);
	assert_non_null(strstr(taken.left_out.v[0], "--interval-print"));
	assert_non_null(strstr(taken.left_out.v[1], "--detailed"));
	words_release(&taken.left_out);
	line = setup_made_line(s);
	assert_string_equal(line, "ptui stat -e cs,page-faults -a -- sleep 3");
	free(line);
	/* what has no place in it stays for the next recording */
	assert_int_equal(setup_set_choice(s, SETUP_CALLS, SETUP_CALLS_FP, NULL), 0);
	line = setup_made_line(s);
	assert_string_equal(line, "ptui stat -e cs,page-faults -a -- sleep 3");
	free(line);
	assert_int_equal(setup_set_choice(s, SETUP_RATE, SETUP_RATE_DEFAULT, NULL), 0);
	line = setup_made_line(s);
	assert_string_equal(line, "ptui record -g -e cs,page-faults -a -- sleep 3");
	free(line);
}

/* Nothing changes. */
static void test_no_line(void **state)
{
	static const char *const lines[] = { "", "make -j2", "perf top -a", "perf record 'x",
					     "perf record -g | cat" };
	struct setup *s = *state;
	struct setup_taken taken;
	struct ptui_error err;

	assert_int_equal(setup_set_command(s, "make", NULL), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(setup_take_line(s, lines[i], false, &taken, &err), -EINVAL);
		assert_true(ptui_error_is_set(&err));
		assert_string_equal(s->command, "make");
		assert_int_equal(setup_n_events(s), 1);
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
		"ptui record -G 'a b\\c' -i --no-buildid-all -N -a -- true", 0);
	assert_int_equal(setup_save(s, path, NULL), 0);
	assert_int_equal(setup_init(&other), 0);
	assert_int_equal(setup_load(&other, path, &err), 0);
	text = setup_made_line(&other);
	assert_string_equal(text,
			    "ptui record -e cycles -G 'a b\\c' -i --no-buildid-all -N -a -- true");
	free(text);
	setup_release(&other);
	/* of another version, or damaged */
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("target system\noptions --no-such=1 -c x --no-inherit=2 -i\n", f);
	fclose(f);
	assert_int_equal(setup_init(&other), 0);
	assert_int_equal(setup_load(&other, path, &err), -EBADMSG);
	assert_int_equal(setup_more_count(&other), 1);
	setup_release(&other);
	unlink(path);
}

/* ---- one option ---- */

static void put(struct setup *s, const char *name, const char *value)
{
	const struct ptui_record_use use = { ptui_record_option_find(name), value, false };

	assert_int_equal(setup_put(s, &use, NULL), 0);
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
	assert_int_equal(setup_option_turn(s, flag, NULL), 0);
	value_is(s, flag, "on");
	assert_int_equal(setup_option_turn(s, flag, NULL), 0);
	value_is(s, flag, "");
	assert_int_equal(setup_option_turn(s, all, NULL), 0);
	assert_int_equal(setup_option_turn(s, all, NULL), 0);
	value_is(s, all, "off");
	assert_int_equal(setup_option_turn(s, all, NULL), 0);
	value_is(s, all, "");
	/* a value, a mistake, and back */
	assert_int_equal(setup_option_set(s, count, "12", false, &err), 0);
	value_is(s, count, "12");
	assert_true(setup_option_set(s, count, "x", true, &err) < 0);
	assert_true(ptui_error_is_set(&err));
	assert_true(setup_option_set(s, count, "x", false, &err) < 0);
	value_is(s, count, "12");
	assert_int_equal(setup_option_set(s, count, "", false, &err), 0);
	value_is(s, count, "");
	/* several: as words */
	put(s, "cgroup", "a");
	put(s, "cgroup", "b c");
	value_is(s, group, "a, b c");
	line = setup_option_line(s, group);
	assert_string_equal(line, "a 'b c'");
	free(line);
	assert_int_equal(setup_option_set(s, group, "x 'y z' w", false, &err), 0);
	value_is(s, group, "x, y z, w");
	setup_remove(s, group);
	value_is(s, group, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup_made_begin, setup_made_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rows),	   TEST(test_more),
		TEST(test_filters),	   TEST(test_options_of_events),
		TEST(test_targets),	   TEST(test_left_out),
		TEST(test_system_command), TEST(test_timed),
		TEST(test_seconds),	   TEST(test_round_trip),
		TEST(test_patterns),	   TEST(test_tracepoints_are_counted),
		TEST(test_line_of_stat),   TEST(test_no_line),
		TEST(test_file),	   TEST(test_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
