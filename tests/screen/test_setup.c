/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui` alone: sets what to record, shows errors before the start, and restores the choices next
 * time.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "screen/harness/screen.h"

struct world {
	struct screen *s;
	char folder[64]; /* working directory */
	char state[96], home[96];
};

static int make_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	assert_non_null(w);
	snprintf(w->folder, sizeof(w->folder), "/tmp/ptui-setup-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	snprintf(w->state, sizeof(w->state), "XDG_STATE_HOME=%s/state", w->folder);
	snprintf(w->home, sizeof(w->home), "HOME=%s/home", w->folder);
	*state = w;
	return 0;
}

static int remove_world(void **state)
{
	struct world *w = *state;
	char command[96];
	int ret;

	screen_free(w->s);
	snprintf(command, sizeof(command), "rm -rf %s", w->folder);
	ret = system(command);
	free(w);
	return ret;
}

static void start(struct world *w, int rows, int cols)
{
	const char *argv[] = { getenv("PTUI"), NULL };
	const char *env[] = { "XDG_CONFIG_HOME=/nonexistent", w->state, w->home, NULL };
	const struct screen_opts opts = {
		.argv = argv, .env = env, .folder = w->folder, .rows = rows, .cols = cols
	};

	assert_non_null(argv[0]);
	w->s = screen_start(&opts);
	screen_wait(w->s, "Same as");
}

static void leave(struct world *w)
{
	int status;

	screen_keys(w->s, "q");
	status = screen_wait_end(w->s);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	screen_check_sane(w->s);
	screen_free(w->s);
	w->s = NULL;
}

/* The last choices, so that a test begins with them. */
static void choose(struct world *w, const char *lines)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof(path), "%s/state", w->folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/state/ptui", w->folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/state/ptui/setup", w->folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(lines, f);
	assert_int_equal(fclose(f), 0);
}

static bool cursor_on(struct screen *s, const char *label)
{
	int y = screen_cursor_row(s);

	return y > 0 && strstr(screen_row(s, y), label);
}

static bool on_target(struct screen *s, void *ctx)
{
	(void)ctx;
	return cursor_on(s, "Target");
}

/* ---- the first minute ---- */

/* There will be more of them. */
static const char *const n_options[] = { "[0-9]+ more options, all", NULL };

static void test_first_sight(void **state)
{
	struct world *w = *state;
	struct screen *s;

	start(w, 24, 80);
	s = w->s;
	screen_wait_row(s, 0, "not ready: no command yet");
	screen_wait(s, "Enter on Target to set one");
	screen_wait_until(s, on_target, NULL, "the cursor is on Target");
	screen_wait(s, "q quit");
	screen_golden(s, "setup-first", n_options);
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 23, "command:");
	screen_keys(s, "printf 'a  b' | cat<Enter>");
	screen_wait(s, "requires a shell");
	screen_wait_row(s, 23, "command: printf 'a  b' | cat");
	screen_keys(s, "<C-u>printf 'a  b'<Enter>");
	screen_wait_gone(s, "requires a shell");
	screen_wait(s, "-e cycles --");
	screen_wait_row(s, 0, "ready");
	leave(w);
}

/* Choices and recorded commands are restored next time. */
static void test_round_trip(void **state)
{
	struct world *w = *state;
	static const char same[] = "ptui record -c 1000 -e cpu-clock -o out.data -- true one";

	need("perf");
	start(w, 24, 100);
	screen_keys(w->s, "c");
	screen_wait(w->s, "command:");
	screen_keys(w->s, "true one<Enter>t");
	screen_wait(w->s, "event:");
	screen_keys(w->s, "cpu-clo<Tab><Enter>");
	screen_wait(w->s, "-e cycles -e cpu-clock");
	screen_keys(w->s, "<Home><Down>d");
	screen_wait_gone(w->s, "-e cycles");
	screen_keys(w->s, "ggf");
	screen_wait(w->s, "sampling frequency in Hz:");
	screen_keys(w->s, "<Esc><Space>f");
	screen_wait(w->s, "events per sample:");
	screen_keys(w->s, "<C-u>1000<Enter>o");
	screen_wait(w->s, "output file:");
	screen_keys(w->s, "<C-u>out.data<Enter>");
	screen_wait(w->s, same);
	leave(w);

	start(w, 24, 100);
	screen_wait(w->s, same);
	screen_keys(w->s, "r");
	screen_wait_gone(w->s, "Same as");
	screen_wait(w->s, "cpu-clock");
	screen_keys(w->s, "<C-c>");
	screen_wait_end(w->s);
	screen_free(w->s);

	start(w, 24, 100);
	screen_wait(w->s, same);
	screen_keys(w->s, "<Enter>");
	screen_wait(w->s, "command: true one");
	screen_keys(w->s, "<C-u>sleep 5<Enter>");
	screen_wait(w->s, "-- sleep 5");
	screen_keys(w->s, "<Enter><C-u><Up><Up>");
	screen_wait(w->s, "command: true one");
	screen_keys(w->s, "<Esc>");
	screen_wait_gone(w->s, "command: true one");
	leave(w);
}

/* A damaged file is reported and harmless; so is an impossible path. */
static void test_bad_state_file(void **state)
{
	struct world *w = *state;

	choose(w, "command make -j7\n\\xzz\nrate weekly\nfrequ");
	start(w, 24, 100);
	screen_wait(w->s, "3 invalid lines of the saved setup in");
	screen_wait(w->s, "-- make -j7");
	leave(w);
	start(w, 24, 100);
	screen_wait(w->s, "-- make -j7");
	assert_int_equal(screen_find(w->s, "saved setup", NULL), -1);
	leave(w);
	snprintf(w->state, sizeof(w->state), "XDG_STATE_HOME=/dev/null");
	start(w, 24, 100);
	screen_wait(w->s, "not ready: no command yet");
	leave(w);
}

/* ---- refusals ---- */

static void test_refused_events(void **state)
{
	struct world *w = *state;
	struct screen *s;

	need("tracefs");
	choose(w, "target system\noptions --call-graph dwarf,live -e cpu-clock\n");
	start(w, 24, 80);
	s = w->s;
	screen_keys(s, "t");
	screen_wait(s, "in the syntax of ptui record -e");
	screen_keys(s, "sched:sched_swich<Enter>");
	screen_wait(s, "unknown tracepoint 'sched:sched_swich'");
	screen_wait(s, "^ the name of a tracepoint");
	screen_wait(s, "did you mean sched:sched_switch");
	screen_wait_row(s, 23, "event: sched:sched_swich");
	screen_keys(s, "<BS><BS>tch<Enter>");
	screen_wait_gone(s, "did you mean");
	screen_wait(s, "-e sched:sched_switch -a");
	screen_keys(s, "f");
	screen_wait(s, "sampling frequency in Hz:");
	screen_keys(s, "<C-u>often<Enter>");
	screen_wait(s, "'often' is not a positive number such as 4000, 10k or 1M");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "'often'");
	leave(w);
}

static void test_refused_output(void **state)
{
	struct world *w = *state;
	struct screen *s;

	need("perf");
	choose(w, "target system\noptions --call-graph dwarf,live -e cpu-clock\n");
	start(w, 24, 100);
	s = w->s;
	screen_wait(s, "new file");
	screen_keys(s, "o<C-u>/proc/perf.data<Enter>");
	screen_wait_row(s, 0, "✗ 1 thing is refused");
	screen_wait(s, "✗ cannot create a file in the directory of /proc/perf.data");
	screen_wait(s, "choose another output file");
	screen_wait(s, "✗ refused");
	screen_keys(s, "w");
	screen_wait(s, "Problems on this machine");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "Problems on this machine");
	screen_keys(s, "r"); /* the recorder reports it itself */
	screen_wait(s, "/proc/perf.data");
	screen_wait(s, "Error");
	screen_keys(s, "<Esc>o<C-u>no/such/folder/x<Enter>");
	screen_wait(s, "No such file or directory");
	screen_keys(s, "o<C-u>~/x.data<Enter>"); /* no such home yet */
	screen_wait(s, "/home/x.data");
	screen_wait_row(s, 0, "✗ 1 thing is refused");
	screen_keys(s, "o<C-u>x.data<Enter>");
	screen_wait(s, "new file");
	screen_wait_row(s, 0, "ready");
	leave(w);
}

/* Exits with the test, and inherits no open files. */
static pid_t start_sleeper(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	pause();
	_exit(0);
}

static void end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* A file that appears is an existing one, also below a prompt; and a new one when it is gone. */
static void test_output_appears(void **state)
{
	struct world *w = *state;
	char path[160];
	FILE *f;

	choose(w, "target system\noptions --call-graph dwarf,live -e cpu-clock\n");
	start(w, 24, 100);
	screen_wait(w->s, "new file");
	screen_keys(w->s, "l");
	screen_wait(w->s, "line:");
	snprintf(path, sizeof(path), "%s/perf.data", w->folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("what was recorded", f);
	fclose(f);
	screen_wait(w->s, "existing file becomes .old");
	screen_wait(w->s, "line:");
	screen_keys(w->s, "<Esc>");
	unlink(path);
	screen_wait(w->s, "new file");
	leave(w);
}

static void test_process(void **state)
{
	struct world *w = *state;
	char keys[64], text[64];
	struct screen *s;
	pid_t pid;

	need("perf");
	choose(w, "options --call-graph dwarf,live -e cpu-clock\n");
	pid = start_sleeper();
	start(w, 24, 100);
	s = w->s;
	screen_keys(s, "p");
	screen_wait_row(s, 0, "Setup › Process");
	screen_wait(s, "Threads");
	snprintf(keys, sizeof(keys), "/%d test_setup", (int)pid);
	screen_keys(s, keys);
	screen_wait_row(s, 0, " 1 of ");
	screen_keys(s, "<Enter><Enter>");
	snprintf(text, sizeof(text), "-p %d", (int)pid);
	screen_wait(s, text);
	screen_wait_row(s, 0, "cpu-clock ok");
	end(pid);
	screen_wait_row(s, 0, "✗ the process has ended");
	snprintf(text, sizeof(text), "✗ process %d", (int)pid);
	screen_wait(s, text);
	screen_keys(s, "r");
	screen_wait_row(s, 0, "Setup › Process");
	screen_keys(s, "/no such process anywhere");
	screen_wait(s, "no process matches \"no such process anywhere\"");
	screen_keys(s, "<Esc><Esc>a");
	screen_wait_row(s, 0, "ready");
	screen_wait(s, "-e cpu-clock -a");
	leave(w);
}

/* ---- events ---- */

static void test_picker(void **state)
{
	struct world *w = *state;
	struct screen *s;

	need("tracefs");
	choose(w, "target system\noptions -e cpu-clock\n");
	start(w, 24, 80);
	s = w->s;
	screen_keys(s, "e");
	screen_wait_row(s, 0, "1 marked");
	screen_keys(s, "/sched_");
	screen_wait(s, "sched:sched_migrate_task");
	screen_keys(s, "switch");
	screen_wait_gone(s, "sched:sched_migrate_task");
	screen_wait(s, "[ ] sched:sched_switch");
	screen_keys(s, "<Enter><Space>");
	screen_wait_row(s, 0, "2 marked");
	screen_keys(s, "/<C-u>fixed up by"); /* a description */
	screen_wait(s, "alignment-faults");
	screen_keys(s, "<Enter><Space>");
	screen_wait_row(s, 0, "3 marked");
	screen_wait_row(s, 0, "· 1 of ");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "· 1 of "); /* not the end of "2521 of 2521" */
	screen_keys(s, "t");
	screen_wait(s, "event:");
	screen_keys(s, "{task-clock,page-faults}:u<Enter>");
	screen_wait(s, "[x] task-clock  {1}");
	screen_wait_row(s, 0, "5 marked");
	screen_keys(s, "<Enter>");
	screen_wait(s, "-e cpu-clock -e sched:sched_switch");
	screen_wait(s, "-e alignment-faults \\");
	screen_wait(s, "-e '{task-clock,page-faults}:u' -a");
	leave(w);
}

/* ---- the command line, and recordings that exist ---- */

/* The copied text is valid shell input: it records with the same options as the screen. */
static void test_copied_line(void **state)
{
	static const char command[] = "sh -c 'printf \"%s\" \"$0\"' \"it's\" 'a  b'";
	struct world *w = *state;
	struct screen *s;
	char text[1024], cmdline[256];
	FILE *out;
	int i;

	need("perf");
	choose(w, "options --call-graph dwarf,live -e cpu-clock -o 'my file.data'\n");
	start(w, 24, 100);
	s = w->s;
	screen_keys(s, "y");
	screen_wait(s, "no command yet");
	screen_keys(s, "c");
	screen_wait_row(s, 23, "command:");
	screen_keys(s, command);
	screen_keys(s, "<Enter>");
	screen_wait(s, "-o 'my file.data'");
	screen_wait_row(s, 0, "cpu-clock ok");
	screen_keys(s, "y");
	screen_wait(s, "copied to the clipboard");
	assert_non_null(screen_clipboard(s));
	assert_string_equal(screen_clipboard(s),
			    "ptui record --call-graph dwarf,live -e cpu-clock -o 'my file.data' -- "
			    "sh -c 'printf \"%s\" \"$0\"' 'it'\\''s' 'a  b'");
	snprintf(text, sizeof(text),
		 "cd %s && ptui() { \"$PTUI\" \"$@\"; } && %s 2>/dev/null && "
		 "perf report --header-only -i 'my file.data' | grep '^# cmdline'",
		 w->folder, screen_clipboard(s));
	for (i = 0; i < 2; i++) { /* by the shell, by the screen */
		char line[256];

		if (i) {
			screen_keys(s, "r");
			screen_wait_gone(s, "Same as");
			screen_wait(s, "my file.data");
			screen_keys(s, "<C-c>");
			screen_wait_end(s);
			snprintf(text, sizeof(text),
				 "cd %s && perf report --header-only -i "
				 "'my file.data' | grep '^# cmdline' | sed 's/^/it\\x27s/'",
				 w->folder);
		}
		out = popen(text, "r");
		assert_non_null(out);
		assert_non_null(fgets(line, sizeof(line), out));
		assert_int_equal(pclose(out), 0);
		assert_int_equal(strncmp(line, "it's", 4), 0); /* what the command printed */
		if (!i)
			snprintf(cmdline, sizeof(cmdline), "%s", strstr(line, "record"));
		else
			assert_string_equal(strstr(line, "record"), cmdline);
	}
}

/* A time is set as the end: the recording stops by itself, and is shown. */
static void test_timed(void **state)
{
	static const char *const masks[] = { "Setup .*", "[0-9]+ more options, all", NULL };
	struct world *w = *state;
	struct screen *s;

	need("perf");
	choose(w, "target system\noptions -F 99 -e cpu-clock\n");
	start(w, 24, 100);
	s = w->s;
	screen_wait(s, "until you stop it");
	screen_keys(s, "<Down><Enter>");
	screen_wait(s, "end after: 10");
	screen_keys(s, "<C-u>1s<Enter>");
	screen_wait(s, "‹ timed ›  after 1 second");
	screen_wait(s, "ptui record -F 99 -e cpu-clock -a -- sleep 1");
	screen_wait_row(s, 0, "ready");
	screen_wait(s, "new file");
	screen_golden(s, "setup-timed", masks);
	screen_keys(s, "r");
	screen_wait(s, "of event 'cpu-clock'");
	screen_keys(s, "q");
	screen_wait(s, "Same as");

	/* the same from the other side; the whole system, while a command runs */
	screen_keys(s, "lperf record -a -- sleep 3<Enter>");
	screen_wait(s, "‹ timed ›  after 3 seconds");
	screen_wait(s, "ptui record -a -- sleep 3");
	screen_keys(s, "lperf record -e cpu-clock -F 99 -a -- sleep 0.5<Enter>");
	screen_wait(s, "‹ whole system ›  while this runs: sleep 0.5");
	screen_wait_gone(s, "‹ timed ›");
	screen_wait_row(s, 0, "ready");
	screen_keys(s, "r");
	screen_wait(s, "of event 'cpu-clock'");
	screen_keys(s, "q");
	screen_wait(s, "Same as");
	screen_keys(s, "lperf record -e cpu-clock -F 99 -a -- sleep 300<Enter>");
	screen_wait(s, "after 300 seconds");
	screen_keys(s, "r");
	screen_wait_row(s, 0, "Live  the whole system, while sleep 300 runs");
	screen_keys(s, "<C-c>");
	screen_wait_end(s);
}

static void test_browse(void **state)
{
	struct world *w = *state;
	struct screen *s;
	char command[256];

	need("perf");
	snprintf(command, sizeof(command),
		 "cd %s && \"$PTUI\" record -q -e cpu-clock -F 2000 -o some.data -- "
		 "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' >/dev/null 2>&1",
		 w->folder);
	assert_int_equal(system(command), 0);
	choose(w, "target system\noptions --call-graph dwarf,live -e cpu-clock\n");
	start(w, 24, 100);
	s = w->s;
	screen_wait(s, "new file");
	screen_keys(s, "b");
	screen_wait(s, "recording: perf.data");
	screen_keys(s, "<Enter>");
	screen_wait(s, "cannot read perf.data: No such file or directory");
	screen_keys(s, "<C-u>so<Tab>");
	screen_wait(s, "recording: some.data");
	screen_keys(s, "<Enter>");
	screen_wait(s, "of event 'cpu-clock'");
	/* Back in Setup, new files are noticed. */
	snprintf(command, sizeof(command), "cp %s/some.data %s/perf.data", w->folder, w->folder);
	assert_int_equal(system(command), 0);
	screen_keys(s, "q");
	screen_wait(s, "Same as");
	screen_wait(s, "existing file becomes .old");
	screen_keys(s, "b<C-u>/dev/null<Enter>"); /* readable, but not a recording */
	screen_wait(s, "Error");
	screen_keys(s, "<Esc>");
	screen_wait_gone(s, "Error");
	leave(w);
}

/* ---- sizes ---- */

static void test_sizes(void **state)
{
	static const struct {
		int rows, cols;
		const char *name;
	} sizes[] = {
		{ 24, 80, "setup-80x24" },
		{ 40, 120, "setup-120x40" },
		{ 60, 200, "setup-200x60" },
		{ 10, 40, "setup-40x10" },
	};
	static const char *const masks[] = { "sample_rate=[0-9]+", "at most [0-9]+ now",
					     "[0-9]+ more options, all", NULL };
	struct world *w = *state;
	struct screen *s;
	size_t i;

	need("root");
	need("perf");
	choose(w,
	       "command sh -c 'exit 0'\noptions -F 99 --call-graph dwarf,live -e cpu-clock -e task-clock\n");
	start(w, sizes[0].rows, sizes[0].cols);
	s = w->s;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i].rows, sizes[i].cols);
		screen_wait_row(s, 0, "✓ ready");
		screen_wait_row(s, sizes[i].rows - 1, "? help");
		screen_wait(s, "sh -c");
		screen_wait_until(s, on_target, NULL, "the cursor is on Target");
		screen_golden(s, sizes[i].name, masks);
	}
	/* 40x10: every row is reachable, questions and errors are visible. */
	for (i = 0; i < 7; i++)
		screen_keys(s, "<Down>");
	screen_wait(s, "Output");
	screen_keys(s, "t");
	screen_wait_row(s, 9, "event:");
	screen_keys(s, "cpu-clok<Enter>");
	screen_wait(s, "did you mean cpu-clock?");
	screen_keys(s, "<Esc>e");
	screen_wait_row(s, 0, "2 marked");
	screen_keys(s, "<Esc>p");
	screen_wait_row(s, 0, "Setup › Process");
	screen_wait(s, "PID");
	screen_resize(s, 24, 80);
	screen_wait(s, "User");
	screen_keys(s, "<Esc>");
	screen_wait(s, "Same as");
	leave(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_world, remove_world)
		TEST(test_first_sight),	   TEST(test_round_trip),     TEST(test_bad_state_file),
		TEST(test_refused_events), TEST(test_refused_output), TEST(test_process),
		TEST(test_picker),	   TEST(test_copied_line),    TEST(test_browse),
		TEST(test_output_appears), TEST(test_timed),	      TEST(test_sizes),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
