/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The choices of a recording. The command line that is shown is read back by `ptui record` itself:
 * what it would begin to record is what the screen would.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/command.h"
#include "lib/need.h"
#include "model/setup/setup.h"

static char *caught; /* what `ptui record` requested; NULL: not captured */
static size_t caught_size;

static void describe(const struct ptui_record_opts *o, bool cmdline, char *buf, size_t size)
{
	FILE *out = fmemopen(buf, size, "w");

	assert_non_null(out);
	fprintf(out, "F %llu c %llu g %d a %d i %d o %s p", (unsigned long long)o->freq_hz,
		(unsigned long long)o->period, o->shape.callgraph, o->system_wide, o->no_inherit,
		o->output ? o->output : "(none)");
	for (size_t i = 0; i < o->n_pids; i++)
		fprintf(out, " %d", (int)o->pids[i]);
	fprintf(out, " e");
	for (size_t i = 0; i < o->n_events; i++)
		fprintf(out, o->filters && o->filters[i] ? " <%s if %s>" : " <%s>", o->events[i],
			o->filters && o->filters[i] ? o->filters[i] : "");
	fprintf(out, " argv");
	for (size_t i = 0; o->argv && o->argv[i]; i++)
		fprintf(out, " <%s>", o->argv[i]);
	for (size_t i = 0; cmdline && i < o->cmdline_bytes; i++)
		putc(o->cmdline[i] ? o->cmdline[i] : '|', out);
	putc('\0', out);
	assert_int_equal(fclose(out), 0);
}

struct ptui_recording *__real_ptui_recording_new(const struct ptui_record_opts *opts,
						 struct ptui_error *err);
struct ptui_recording *__wrap_ptui_recording_new(const struct ptui_record_opts *opts,
						 struct ptui_error *err);

struct ptui_recording *__wrap_ptui_recording_new(const struct ptui_record_opts *opts,
						 struct ptui_error *err)
{
	if (!caught)
		return __real_ptui_recording_new(opts, err);
	describe(opts, true, caught, caught_size);
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, NULL, "caught by the test");
	return NULL;
}

static int setup(void **state)
{
	struct setup *s = malloc(sizeof(*s));

	assert_int_equal(setup_init(s), 0);
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	setup_release(*state);
	free(*state);
	return 0;
}

/* What a shell makes of the text on the screen. */
static void split_by_shell(const char *text, struct words *ret)
{
	static char got[16384];
	size_t n;
	char *script;
	FILE *sh;

	assert_true(asprintf(&script, "printf '%%s\\000' %s", text) > 0);
	sh = popen(script, "r");
	assert_non_null(sh);
	n = fread(got, 1, sizeof(got) - 1, sh);
	got[n] = '\0';
	assert_int_equal(pclose(sh), 0);
	assert_true(n < sizeof(got) - 1);
	for (size_t at = 0; at < n; at += strlen(got + at) + 1)
		assert_int_equal(words_add(ret, got + at), 0);
	free(script);
}

/* The text on the screen, through sh, through `ptui record`. */
static void read_back(const struct setup *s, const char *expected_text)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct words words = WORDS_INIT, again = WORDS_INIT;
	struct cli cli = { .command = &cmd_record };
	struct ptui_record_line *line;
	char *argv[64];
	char ours[2048] = "", theirs[2048] = "", *text;

	assert_int_equal(setup_words(s, &words, &err), 0);
	text = words_join(&words);
	assert_non_null(text);
	if (expected_text)
		assert_string_equal(text, expected_text);
	split_by_shell(text, &again);

	assert_in_range(again.n, 3, 63);
	cli.argc = (int)again.n;
	cli.argv = again.v;
	caught = theirs;
	caught_size = sizeof(theirs);
	memcpy(argv, again.v, again.n * sizeof(*argv)); /* it puts them into another order */
	cmd_record.run(&cli, (int)again.n - 2, argv + 2);
	caught = NULL;

	line = setup_record_line(s, &err);
	assert_non_null(line);
	describe(ptui_record_line_opts(line), true, ours, sizeof(ours));
	assert_true(*ours);
	assert_string_equal(theirs, ours);
	ptui_record_line_free(line);
	free(text);
	words_release(&words);
	words_release(&again);
}

static void test_variable(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state;

	assert_int_equal(setup_set_command(s, "CC=clang make", &err), -EINVAL);
	assert_string_equal(err.hint, "to set a variable, start with env CC=clang");
	assert_int_equal(setup_set_command(s, "env CC=clang make", NULL), 0);
}

static void test_command_line(void **state)
{
	struct setup *s = *state;

	assert_int_equal(setup_set_command(s, "./w", NULL), 0);
	assert_int_equal(setup_set_choice_size(s, SETUP_RATE, "999", NULL), 0);
	read_back(s, "ptui record -F 999 --call-graph dwarf,live -e cycles -- ./w");

	assert_int_equal(setup_set_command(s, "sh -c 'a | b; \"c\"' \"it's\" -x -- ''", NULL), 0);
	read_back(s, NULL);
	assert_int_equal(setup_set_choice(s, SETUP_CALLS, SETUP_CALLS_OFF, NULL), 0);
	assert_int_equal(setup_set_choice(s, SETUP_RATE, SETUP_RATE_PERIOD, NULL), 0);
	assert_int_equal(setup_set_choice_size(s, SETUP_RATE, "100k", NULL), 0);
	assert_int_equal(setup_set_output(s, "my data/it's.data", NULL), 0);
	assert_int_equal(setup_set_event(s, 1, "{cpu-clock,task-clock}:u", NULL), 0);
	read_back(s, NULL);

	s->target = SETUP_SYSTEM;
	read_back(s, "ptui record -c 100000 -e cycles -e '{cpu-clock,task-clock}:u' "
		     "-o 'my data/it'\\''s.data' -a");
	assert_int_equal(setup_set_process(s, 1234, 1, "w"), 0);
	s->target = SETUP_PROCESS;
	assert_int_equal(setup_set_output(s, "perf.data", NULL), 0);
	while (setup_event(s, 0))
		setup_remove_event(s, 0);
	read_back(s, "ptui record -c 100000 -p 1234");
}

/* A filter stays with its event, whatever happens to others. */
static void test_filters(void **state)
{
	struct words texts = WORDS_INIT;
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state;

	assert_int_equal(words_split(&texts,
				     "cpu-clock '' sched:sched_switch "
				     "'prev_comm ~ \"it'\\''s*\" && prev_state > 0' task-clock ''",
				     NULL),
			 0);
	assert_int_equal(setup_set_events(s, &texts, NULL), 0);
	s->target = SETUP_SYSTEM;
	assert_null(setup_filter(s, 0));
	assert_null(setup_filter(s, 2));
	read_back(s,
		  "ptui record --call-graph dwarf,live -e cpu-clock -e sched:sched_switch --filter "
		  "'prev_comm ~ \"it'\\''s*\" && prev_state > 0' -e task-clock -a");
	/* an event with a filter must stay a tracepoint */
	assert_int_equal(setup_set_event(s, 1, "page-faults", &err), -EINVAL);
	assert_string_equal(setup_event(s, 1), "sched:sched_switch");
	setup_remove_event(s, 0);
	assert_non_null(setup_filter(s, 0));
	assert_null(setup_filter(s, 1));
	setup_remove_event(s, 0);
	assert_null(setup_filter(s, 0));
	read_back(s, "ptui record --call-graph dwarf,live -e task-clock -a");
	words_release(&texts);
}

/* The events that are chosen, in this order, however they were before. */
static void test_chosen_events(void **state)
{
	static const char *const lists[] = {
		"a b c", "c a b", "a a b", "b a a x", "x", "", "y x y"
	};
	struct setup *s = *state;
	char name[16];

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct words events = WORDS_INIT, texts = WORDS_INIT, now = WORDS_INIT;

		assert_int_equal(words_split(&events, lists[i], NULL), 0);
		for (size_t k = 0; k < events.n; k++) {
			words_add(&texts, events.v[k]);
			words_add(&texts, "");
		}
		assert_int_equal(setup_set_events(s, &texts, NULL), 0);
		assert_int_equal(setup_events(s, &now), 0);
		assert_int_equal(now.n, texts.n);
		for (size_t k = 0; k < now.n; k++)
			assert_string_equal(now.v[k], texts.v[k]);
		words_release(&events);
		words_release(&texts);
		words_release(&now);
	}
	/* the most, and then as many others */
	for (int others = 0; others < 2; others++) {
		struct words texts = WORDS_INIT;

		for (int i = 0; i < SETUP_EVENTS_MAX; i++) {
			snprintf(name, sizeof(name), "%c%d", others ? 'b' : 'a', i);
			assert_int_equal(words_add(&texts, name), 0);
			assert_int_equal(words_add(&texts, ""), 0);
		}
		assert_int_equal(setup_set_events(s, &texts, NULL), 0);
		assert_int_equal(setup_n_events(s), SETUP_EVENTS_MAX);
		assert_int_equal(words_split(&texts, "one ''", NULL), 0);
		assert_int_equal(setup_set_events(s, &texts, NULL), -E2BIG);
		words_release(&texts);
	}
}

/* Commands and files with all special characters. */
static void test_any_command_line(void **state)
{
	static const char *const parts[] = { "a",  "'",	 "\"", "\\",   " ",  "$",  "`",	   "*",
					     "?",  "[",	 "]",  "{",    "}",  "!",  "~",	   "#",
					     "&",  ";",	 "|",  "<",    ">",  "(",  ")",	   "=",
					     "%",  "^",	 "-",  ",",    "\t", "\n", "\x01", "é",
					     "中", "-e", "--", "$(x)", "~/" };
	struct words command = WORDS_INIT;
	struct setup *s = *state;
	unsigned seed = 1;
	char word[64], *line;
	size_t n;

	for (unsigned turn = 0; turn < 60; turn++) {
		for (unsigned i = 0; i < 4; i++) {
			for (unsigned k = n = 0; k < 6; k++) {
				seed = seed * 1103515245 + 12345;
				n += (size_t)snprintf(
					word + n, sizeof(word) - n, "%s",
					parts[(seed >> 16) % (sizeof(parts) / sizeof(*parts))]);
			}
			assert_int_equal(words_add(&command, word), 0);
		}
		line = words_join(&command);
		assert_non_null(line);
		assert_int_equal(setup_set_command(s, line, NULL), 0);
		assert_int_equal(setup_set_output(s, word, NULL), 0);
		read_back(s, NULL);
		free(line);
		words_release(&command);
	}
}

static void test_home(void **state)
{
	struct setup *s = *state;

	setenv("HOME", "/home/x y", 1);
	assert_int_equal(setup_set_output(s, "~/p.data", NULL), 0);
	assert_int_equal(setup_set_command(s, "~/w ~", NULL), 0);
	read_back(s, "ptui record --call-graph dwarf,live -e cycles -o '/home/x y/p.data' -- "
		     "'/home/x y/w' '/home/x y'");
}

static void test_incomplete(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct words words = WORDS_INIT;
	struct setup *s = *state;
	char *text;

	assert_null(setup_record_line(s, &err));
	assert_non_null(strstr(err.text, "command"));
	assert_int_equal(setup_words(s, &words, NULL), -EINVAL);
	text = words_join(&words);
	assert_string_equal(text, "ptui record --call-graph dwarf,live -e cycles");
	free(text);
	words_release(&words);

	s->target = SETUP_PROCESS;
	memset(&err, 0, sizeof(err));
	assert_null(setup_record_line(s, &err));
	assert_non_null(strstr(err.text, "process"));
}

static void test_refused_values_change_nothing(void **state)
{
	struct ptui_error err = PTUI_ERROR_INIT;
	struct setup *s = *state;

	assert_int_equal(setup_set_command(s, "make", NULL), 0);
	assert_int_equal(setup_set_command(s, "make | tee", &err), -EINVAL);
	assert_int_equal(setup_set_command(s, "make 'x", &err), -EINVAL);
	assert_int_equal(setup_set_command(s, "'' x", &err), -EINVAL);
	memset(&err, 0, sizeof(err));
	assert_int_equal(setup_set_command(s, "CC=gcc make", &err), -EINVAL);
	assert_non_null(strstr(err.hint, "env CC=gcc"));
	assert_string_equal(s->command, "make");
	assert_int_equal(setup_set_output(s, "-", &err), -EINVAL);
	assert_string_equal(setup_output(s), "perf.data");
	memset(&err, 0, sizeof(err));
	assert_int_equal(setup_set_event(s, 0, "cpu-clok", &err), -EINVAL);
	assert_non_null(strstr(err.hint, "cpu-clock"));
	assert_int_equal(setup_set_event(s, 0, "", &err), -EINVAL);
	assert_int_equal(setup_n_events(s), 1);
	assert_string_equal(setup_event(s, 0), "cycles");
}

static void test_variables(void **state)
{
	struct setup *s = *state;

	assert_int_equal(setup_set_command(s, "env CC=gcc make", NULL), 0);
	assert_int_equal(setup_set_command(s, "make CC=gcc", NULL), 0);
	assert_int_equal(setup_set_command(s, "./a=b", NULL), 0);
	assert_int_equal(setup_set_command(s, "1=2", NULL), 0); /* a name to a shell, too */
	assert_int_equal(setup_set_command(s, "_A1= x", NULL), -EINVAL);
}

static void test_rate(void **state)
{
	static const struct {
		const char *text;
		uint64_t value; /* 0: refused */
	} cases[] = {
		{ "1", 1 },
		{ " 99 ", 99 },
		{ "10k", 10000 },
		{ "2M", 2000000 },
		{ "4000 Hz", 4000 },
		{ "10 kHz", 10000 },
		{ "0", 0 },
		{ "", 0 },
		{ "-1", 0 },
		{ "x", 0 },
		{ "1x", 0 },
		{ "1kk", 0 },
		{ "18446744073709551616", 0 },
		{ "18446744073709551615k", 0 },
	};
	struct setup *s = *state;
	int ret;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s->rates[SETUP_RATE_FREQUENCY] = 7;
		ret = setup_set_choice_size(s, SETUP_RATE, cases[i].text, NULL);
		assert_int_equal(ret, cases[i].value ? 0 : -EINVAL);
		assert_int_equal(s->rates[SETUP_RATE_FREQUENCY],
				 cases[i].value ? cases[i].value : 7);
	}
	assert_int_equal(setup_set_choice(s, SETUP_RATE, SETUP_RATE_PERIOD, NULL), 0);
	assert_int_equal(setup_set_choice_size(s, SETUP_RATE, "5 Hz", NULL), -EINVAL);
	assert_int_equal(setup_set_choice_size(s, SETUP_RATE, "5", NULL), 0);
	assert_int_equal(s->rates[SETUP_RATE_PERIOD], 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_variable),	     TEST(test_command_line),
		TEST(test_filters),	     TEST(test_chosen_events),
		TEST(test_any_command_line), TEST(test_home),
		TEST(test_incomplete),	     TEST(test_refused_values_change_nothing),
		TEST(test_variables),	     TEST(test_rate),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
