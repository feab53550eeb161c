/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The saved choices: they are restored, damage does no harm, and a file is complete or missing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "lib/need.h"
#include "model/setup/setup.h"
#include "model/state_file.h"

struct world {
	struct setup a, b;
	char folder[64], path[96], proc[96];
};

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	snprintf(w->folder, sizeof(w->folder), "/tmp/ptui-setup-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	snprintf(w->path, sizeof(w->path), "%s/one/two/setup", w->folder);
	snprintf(w->proc, sizeof(w->proc), "%s/proc", w->folder);
	assert_int_equal(setup_init(&w->a), 0);
	assert_int_equal(setup_init(&w->b), 0);
	w->b.proc = w->proc;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;
	char command[128];

	setup_release(&w->a);
	setup_release(&w->b);
	snprintf(command, sizeof(command), "rm -rf %s", w->folder);
	assert_int_equal(system(command), 0);
	free(w);
	return 0;
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void load(struct world *w)
{
	assert_int_equal(setup_load(&w->b, w->path, NULL), 0);
}

/* Whatever it contains: valid lines are used, invalid ones are reported. */
static void load_damaged(struct world *w)
{
	int ret = setup_load(&w->b, w->path, NULL);

	assert_true(!ret || ret == -EBADMSG);
}

static void test_comes_back(void **state)
{
	struct world *w = *state;
	struct words texts = WORDS_INIT;
	struct stat st;

	load(w); /* none yet */
	assert_string_equal(setup_event(&w->b, 0), "cycles");

	assert_int_equal(setup_set_command(&w->a, "sh -c 'a\\nb'\t\"x\\\\y\" 中", NULL), 0);
	assert_int_equal(words_add(&texts, "{cpu-clock,task-clock}"), 0);
	assert_int_equal(words_add(&texts, ""), 0);
	assert_int_equal(words_add(&texts, "sched:*"), 0);
	assert_int_equal(words_add(&texts, "prev_comm ~ \"a\\*\""), 0);
	assert_int_equal(setup_set_events(&w->a, &texts, NULL), 0);
	assert_int_equal(setup_set_output(&w->a, "with space.data", NULL), 0);
	w->a.rates[SETUP_RATE_PERIOD] = 77;
	w->a.rates[SETUP_RATE_FREQUENCY] = 99;
	assert_int_equal(setup_set_choice(&w->a, SETUP_RATE, SETUP_RATE_PERIOD, NULL), 0);
	assert_int_equal(setup_set_choice(&w->a, SETUP_CALLS, SETUP_CALLS_FP, NULL), 0);
	w->a.target = SETUP_SYSTEM;
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	assert_int_equal(stat(w->path, &st), 0);
	assert_int_equal(st.st_mode & 077, 0);

	load(w);
	assert_string_equal(w->b.command, w->a.command);
	assert_int_equal(w->b.target, SETUP_SYSTEM);
	assert_int_equal(setup_n_events(&w->b), 2);
	assert_string_equal(setup_event(&w->b, 0), "{cpu-clock,task-clock}");
	assert_string_equal(setup_event(&w->b, 1), "sched:*");
	assert_null(setup_filter(&w->b, 0));
	assert_string_equal(setup_filter(&w->b, 1), "prev_comm ~ \"a\\*\"");
	assert_string_equal(setup_output(&w->b), "with space.data");
	assert_int_equal(setup_choice(&w->b, SETUP_RATE), SETUP_RATE_PERIOD);
	assert_int_equal(w->b.rates[SETUP_RATE_PERIOD], 77);
	assert_int_equal(w->b.rates[SETUP_RATE_FREQUENCY], 99);
	assert_int_equal(setup_choice(&w->b, SETUP_CALLS), SETUP_CALLS_FP);
	words_release(&texts);
}

static void test_process_must_be_the_same(void **state)
{
	struct world *w = *state;
	char path[160];
	const char *stat = "42 (a) b) S 1 1 1 0 -1 0 0 0 0 0 5 6 0 0 20 0 3 0 1234 0 0\n";

	assert_int_equal(mkdir(w->proc, 0700), 0);
	snprintf(path, sizeof(path), "%s/42", w->proc);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/42/stat", w->proc);
	write_file(path, stat, strlen(stat));

	assert_int_equal(setup_set_process(&w->a, 42, 1234, "./w --x"), 0);
	w->a.target = SETUP_PROCESS;
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	load(w);
	assert_int_equal(w->b.target, SETUP_PROCESS);
	assert_int_equal(w->b.pid, 42);
	assert_string_equal(w->b.pid_name, "./w --x");

	setup_release(&w->b);
	assert_int_equal(setup_init(&w->b), 0);
	w->b.proc = w->proc;
	assert_int_equal(setup_set_process(&w->a, 42, 1235, "another"), 0);
	w->a.target = SETUP_PROCESS;
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	load(w);
	assert_int_equal(w->b.target, SETUP_PROCESS);
	assert_int_equal(w->b.pid, 0);
}

static void test_bad_lines(void **state)
{
	static const char text[] =
		"\n \nfoo\nfoo bar\ntarget\ntarget moon\nfrequency 0\nfrequency 12x\n"
		"frequency 99999999999999999999999\nperiod -3\noptions -e 'x\n"
		"command a | b\ncommand \\x0\ncommand \\\ncommand \\xzz\noptions -e x | y\n"
		"process 1 2\nprocess x\nend maybe\ncommand a\0b\noptions \001x\n"
		"rate weekly\ncommand cut";
	struct ptui_error err = PTUI_ERROR_INIT;
	struct world *w = *state;

	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	write_file(w->path, text, sizeof(text) - 1);
	assert_int_equal(setup_load(&w->b, w->path, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "22 invalid lines of the saved setup"));
	assert_string_equal(w->b.command, "");
	assert_int_equal(w->b.target, SETUP_COMMAND);
	assert_int_equal(w->b.rates[SETUP_RATE_FREQUENCY], 4000);
	assert_int_equal(w->b.rates[SETUP_RATE_PERIOD], w->a.rates[SETUP_RATE_PERIOD]);
	assert_int_equal(setup_choice(&w->b, SETUP_CALLS), SETUP_CALLS_UNWOUND);
	assert_int_equal(setup_choice(&w->b, SETUP_RATE), SETUP_RATE_DEFAULT);
	assert_int_equal(setup_n_events(&w->b), 1);
	assert_string_equal(setup_output(&w->b), "perf.data");
}

/* Any byte of a valid file changed, and any truncation: only values change. */
static void test_damage(void **state)
{
	static const char others[] = { '\0', '\n', ' ', '\\', 'x', '\xff' };
	char text[1024], bad[1024];
	struct world *w = *state;
	size_t n;
	FILE *f;

	assert_int_equal(setup_set_command(&w->a, "make -j2", NULL), 0);
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	f = fopen(w->path, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text), f);
	fclose(f);
	assert_in_range(n, 50, sizeof(text) - 1);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < sizeof(others); k++) {
			memcpy(bad, text, n);
			bad[i] = others[k];
			write_file(w->path, bad, n);
			load_damaged(w);
			assert_in_range(w->b.target, 0, N_SETUP_TARGETS - 1);
			assert_true(w->b.rates[SETUP_RATE_FREQUENCY] &&
				    w->b.rates[SETUP_RATE_PERIOD] && setup_n_events(&w->b));
		}
		write_file(w->path, text, i);
		load_damaged(w);
	}
	memset(bad, 'e', sizeof(bad));
	f = fopen(w->path, "w");
	for (size_t i = 0; i < 200; i++)
		fwrite(bad, 1, sizeof(bad), f);
	fclose(f);
	load_damaged(w);
}

/* Recorded commands are in the history, newest last, without duplicates. */
static void test_past(void **state)
{
	char text[32];
	struct world *w = *state;

	assert_int_equal(words_remember(&w->a.history, w->a.command, SETUP_HISTORY_MAX),
			 0); /* no command */
	assert_int_equal(w->a.history.n, 0);
	for (int i = 0; i < SETUP_HISTORY_MAX + 5; i++) {
		snprintf(text, sizeof(text), "make -j%d", i);
		assert_int_equal(setup_set_command(&w->a, text, NULL), 0);
		assert_int_equal(words_remember(&w->a.history, w->a.command, SETUP_HISTORY_MAX), 0);
	}
	assert_int_equal(setup_set_command(&w->a, "make -j10", NULL), 0);
	assert_int_equal(words_remember(&w->a.history, w->a.command, SETUP_HISTORY_MAX), 0);
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	load(w);
	assert_int_equal(w->b.history.n, SETUP_HISTORY_MAX);
	assert_string_equal(w->b.history.v[0], "make -j5");
	assert_string_equal(w->b.history.v[5], "make -j11");
	assert_string_equal(w->b.history.v[SETUP_HISTORY_MAX - 1], "make -j10");
}

static size_t count_files(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	size_t n = 0;

	while (dir && (e = readdir(dir)))
		n += e->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

static void test_whole_or_not_at_all(void **state)
{
	struct world *w = *state;
	struct ptui_error err = PTUI_ERROR_INIT;
	char folder[96];

	snprintf(folder, sizeof(folder), "%s/one/two", w->folder);
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	assert_int_equal(setup_save(&w->a, w->path, NULL), 0);
	assert_int_equal(count_files(folder), 1);

	/* A directory in place of the file: reported, and no temporary file remains. */
	assert_int_equal(unlink(w->path), 0);
	assert_int_equal(mkdir(w->path, 0700), 0);
	assert_true(setup_save(&w->a, w->path, &err) < 0);
	assert_string_equal(err.object, w->path);
	assert_int_equal(count_files(folder), 1);
	assert_true(setup_load(&w->b, w->path, &err) < 0);
}

static void test_path(void **state)
{
	char *path;

	(void)state;
	setenv("HOME", "/home/x", 1);
	setenv("XDG_STATE_HOME", "/s", 1);
	path = state_path("setup");
	assert_string_equal(path, "/s/ptui/setup");
	free(path);
	setenv("XDG_STATE_HOME", "relative", 1);
	path = state_path("setup");
	assert_string_equal(path, "/home/x/.local/state/ptui/setup");
	free(path);
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	assert_null(state_path("setup"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(test_comes_back), TEST(test_process_must_be_the_same),
		TEST(test_bad_lines),  TEST(test_damage),
		TEST(test_past),       TEST(test_whole_or_not_at_all),
		TEST(test_path),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
