/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Probe screen, from the Browser and the annotate screen to a recording; and that its probes are removed
 * at every kind of end. On a program that has the same code everywhere (annotate_work.c).
 */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "event/probe_owner.h"
#include "screen/harness/leftovers.h"
#include "screen/recording.h"
#include "screen/scene.h"
#include "screen/steps.h"

#define LIST	   "/sys/kernel/tracing/uprobe_events"
#define DEADLINE_S 30

static char folder[FOLDER_BYTES];
static const char *lack; /* why the program cannot be made; NULL: it can */

/* What depends on the machine: the group with the pid, the folder. */
static const char *const masks[] = { "[pr]:ptui_.*$", "/tmp/[^ ]*", NULL };

static void in_folder(const char *command)
{
	char whole[256];

	snprintf(whole, sizeof(whole), "cd %s && %s", folder, command);
	assert_int_equal(system(whole), 0);
}

static int make(void **state)
{
	static const char *const events[] = { "cycles", NULL };
	struct recording *r;

	make_folder(folder);
	r = recording_new(folder, events);
	recording_thread(r, 4000000, 4000000, "work");
	lack = recording_program(r);
	for (int i = 0; i < 9 && !lack; i++)
		recording_at(r, 0, i < 6 ? 0x401050 : 0x401014, 1000000);
	recording_module(r, "libgone.so");
	recording_sample(r, 0, "gone", 1000000);
	recording_close(r);
	in_folder("cp perf.data made.data");
	return one_at_a_time(state);
}

static int clean(void **state)
{
	(void)state;
	leftovers_remove();
	recording_remove(folder);
	return 0;
}

static void need_probes(void)
{
	need("root");
	need("tracefs");
	if (lack || access(LIST, W_OK))
		skip_because("%s", lack ? lack : "this kernel has no uprobes");
}

static struct screen *browse(int rows, int cols, const char *locale)
{
	const struct visit how = { .folder = folder, .rows = rows, .cols = cols, .locale = locale };
	struct screen *s;

	need_probes();
	in_folder("cp made.data perf.data"); /* recordings replace it */
	s = visit_report(&how);
	wait_cursor(s, "work");
	return s;
}

/* At work(), with its variables read and its probe made. */
static struct screen *probe(int rows, int cols)
{
	struct screen *s = browse(rows, cols, NULL);

	screen_keys(s, "u");
	screen_wait(s, "› probe work");
	screen_wait(s, "p:ptui_");
	return s;
}

/* ---- the kernel's list ---- */

/* How many of its lines begin with this. */
static int lines_with(const char *start)
{
	char line[1024];
	FILE *f = fopen(LIST, "r");
	int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += !strncmp(line, start, strlen(start));
	fclose(f);
	return n;
}

static int n_probes(pid_t pid)
{
	char start[64];

	snprintf(start, sizeof(start), "p:ptui_%d_", (int)pid);
	return lines_with(start);
}

/* What is in use is removed after the end, in a child. */
static void await_removal(pid_t pid, const char *what)
{
	time_t end = time(NULL) + DEADLINE_S;

	while (n_probes(pid) && time(NULL) < end)
		usleep(10000);
	if (n_probes(pid))
		fail_msg("%s: the probe is still there", what);
}

/* ---- pictures ---- */

static void test_sizes(void **state)
{
	struct screen *s = probe(24, 80);

	(void)state;
	screen_keys(s, "<Down><Space>");
	screen_wait(s, "Definition  work n");
	screen_golden(s, "probe-80x24", masks);
	screen_resize(s, 50, 160);
	screen_keys(s, "r");
	screen_wait(s, "Definition  work%return retval=$retval:u32");
	screen_golden(s, "probe-return-160x50", masks);
	screen_resize(s, 10, 40);
	screen_golden(s, "probe-40x10", masks);
	screen_resize(s, 24, 80);
	screen_keys(s, "m");
	screen_golden(s, "probe-menu-80x24", masks);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void in_language(const char *lang, const char *picture)
{
	static const char *const args[] = { "report", "-i", "perf.data", NULL };
	struct language l;
	const struct visit how = {
		.folder = folder, .args = args, .locale = l.locale, .env = l.env
	};
	struct screen *s;

	need_probes();
	in_folder("cp made.data perf.data");
	make_language(&l, lang, folder);
	s = visit(&how);
	wait_cursor(s, "work");
	screen_keys(s, "u");
	screen_wait(s, "p:ptui_");
	screen_golden(s, picture, masks);
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void test_chinese(void **state)
{
	(void)state;
	in_language("zh_CN", "probe-zh_CN-80x24");
}

static void test_german(void **state)
{
	(void)state;
	in_language("de", "probe-de-80x24");
}

/* ---- choosing ---- */

static void test_choices(void **state)
{
	struct screen *s = probe(24, 100);
	int y, x;

	(void)state;
	screen_wait(s, "0 variables");
	y = screen_find(s, "[ ] n ", &x);
	assert_true(y > 0);
	screen_click(s, y, x + 1); /* the cursor, then the choice */
	wait_cursor(s, "[ ] n ");
	screen_click(s, y, x + 1);
	screen_wait(s, "[x] n ");
	screen_wait(s, "1 variable");
	screen_wait(s, " n=%r8:x32");
	screen_keys(s, "r");
	screen_wait(s, "return probe");
	screen_wait(s, "r:ptui_");
	screen_wait(s, "[ ] n ");
	screen_keys(s, "a");
	screen_wait(s, "[x] n ");
	screen_wait(s, "[ ] $retval");
	screen_keys(s, "a");
	screen_wait(s, "0 variables");
	screen_keys(s, "k");
	screen_wait(s, "[x] keep the probe");
	screen_wait(s, "p:probe_annotate_work/work ");
	screen_keys(s, "y");
	screen_wait(s, "copied: ptui probe -x ");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	assert_int_equal(lines_with("p:probe_annotate_work/work "), 0);
}

/* From an instruction, a source line and the name of the function in the annotate screen. */
static void test_lines(void **state)
{
	static const struct {
		const char *keys, *at, *title, *definition;
	} rows[] = {
		{ "H", "100.00", "work+", "Definition  work+" },
		{ "<Home>/table[sum<Enter>", "table[sum", "annotate_work.c:31",
		  "annotate_work.c:31" },
		{ "<Home>", "work():", "work", "Definition  work" },
	};
	struct screen *s = browse(40, 120, NULL);

	(void)state;
	screen_keys(s, "a");
	screen_wait(s, "› work");
	wait_cursor(s, "100.00");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char title[128];

		snprintf(title, sizeof(title), "› probe %s", rows[i].title);
		screen_keys(s, rows[i].keys);
		wait_cursor(s, rows[i].at);
		screen_keys(s, "u");
		screen_wait(s, title);
		screen_wait(s, rows[i].definition);
		screen_wait(s, "p:ptui_");
		screen_keys(s, "<Esc>");
		screen_wait_gone(s, "› probe");
	}
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

static void test_no_debug_information(void **state)
{
	struct screen *s = browse(24, 80, NULL);

	(void)state;
	screen_keys(s, "/gone<Enter>");
	wait_cursor(s, "gone");
	screen_keys(s, "u");
	screen_wait(s, "› probe gone");
	screen_wait(s, "No variables: ");
	screen_wait(s, "p:ptui_");
	screen_keys(s, "<C-c>");
	finish(s, 0);
}

/* The program without symbols and debug information, but with ranges of its functions. */
static void make_bare(void)
{
	const char *top = getenv("top_srcdir");
	char command[1024];

	snprintf(
		command, sizeof(command),
		"s=$(realpath '%s')/tests/screen/annotate_work.s && cd '%s' && cp annotate_work named && "
		"sed 's/\\.debug_frame/.eh_frame/' \"$s\" >bare.s && cc -c bare.s && "
		"ld -s -e main -Ttext=0x401000 -o annotate_work bare.o --build-id=0x"
		"$(readelf -n named | sed -n 's/.*Build ID: //p') && rm bare.[so]",
		top ? top : ".", folder);
	assert_int_equal(system(command), 0);
}

/* A function without a symbol is probed by its place in the file. */
static void test_range(void **state)
{
	struct screen *s;

	(void)state;
	need_probes();
	make_bare();
	in_folder("cp made.data perf.data");
	s = visit_report(&(struct visit){ .folder = folder, .rows = 24, .cols = 100 });
	wait_cursor(s, "0x401020-0x401095");
	screen_keys(s, "u");
	screen_wait(s, "› probe 0x401020-0x401095");
	screen_wait(s, "No variables: ");
	screen_wait(s, "Definition  0x1020");
	screen_wait(s, "annotate_work:0x1020");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	in_folder("mv named annotate_work");
}

/* ---- from the probe to the recording ---- */

/* Setup, with the probe of leaf() in the kernel; returns the pid of ptui. */
static pid_t add_probe(struct screen *s)
{
	screen_keys(s, "/leaf<Enter>");
	wait_cursor(s, "leaf");
	screen_keys(s, "u");
	screen_wait(s, "p:ptui_");
	screen_keys(s, "<Down><Space>");
	screen_wait(s, " v=%di:x32");
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 0, "Setup");
	screen_wait(s, "the probe is added; r records it");
	assert_int_equal(n_probes(screen_pid(s)), 1);
	return screen_pid(s);
}

static void set_command(struct screen *s, const char *line)
{
	screen_keys(s, "c");
	screen_wait(s, "command:");
	screen_keys(s, "<C-u>");
	screen_send(s, line, strlen(line));
	screen_keys(s, "<Enter>");
	screen_wait_row(s, 2, line);
}

static void test_record(void **state)
{
	char command[256], answer[1024] = "";
	struct screen *s = browse(24, 100, NULL);
	pid_t pid = add_probe(s);
	FILE *f;

	(void)state;
	screen_wait(s, ":leaf");
	screen_wait(s, "every event");
	set_command(s, "./annotate_work");
	screen_keys(s, "r");
	screen_wait(s, "The recording has ended."); /* it has no libc to exit by */
	screen_keys(s, "<Enter>");
	screen_wait(s, "of event 'ptui_");
	screen_wait(s, ":leaf'");
	screen_wait(s, " v=0x1"); /* what is probed for */
	screen_keys(s, "<C-c>");
	finish(s, 0);
	await_removal(pid, "Ctrl-C in the Browser");
	snprintf(command, sizeof(command), "'%s' script -i %s/perf.data -F event,trace",
		 getenv("PTUI"), folder);
	f = popen(command, "r");
	assert_non_null(f);
	assert_non_null(fgets(answer, sizeof(answer), f));
	pclose(f);
	assert_non_null(strstr(answer, ":leaf: "));
	assert_non_null(strstr(answer, " v=0x2"));
}

/* From Live: this recording ends, and the next one has the probe. */
static void test_live(void **state)
{
	char command[4096];
	const struct visit how = { .folder = folder, .cols = 100 };
	struct screen *s;
	pid_t pid;

	(void)state;
	need_probes();
	s = visit(&how);
	pid = screen_pid(s);
	screen_wait_row(s, 0, "Setup");
	snprintf(command, sizeof(command), "%s/tests/screen/work", getenv("top_builddir"));
	screen_keys(s, "t");
	screen_wait(s, "event:");
	screen_keys(s, "<C-u>cpu-clock<Enter>");
	screen_wait_row(s, 4, "cpu-clock");
	screen_keys(s, "c");
	screen_wait(s, "command:");
	screen_keys(s, "<C-u>");
	screen_send(s, command, strlen(command));
	screen_keys(s, "<Enter>");
	screen_wait(s, "-- ");
	screen_keys(s, "r");
	screen_wait(s, "hot_loop");
	screen_keys(s, "/hot_loop<Enter>");
	wait_cursor(s, "hot_loop");
	screen_keys(s, "u");
	screen_wait(s, "Live › probe hot_loop");
	screen_wait(s, "p:ptui_");
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "› probe");
	screen_wait(s, ":hot_loop ");
	screen_wait(s, "every event");
	assert_int_equal(n_probes(pid), 1);
	screen_keys(s, "<C-c>");
	finish(s, 0);
	await_removal(pid, "Ctrl-C in Live");
}

/* The same without a Setup: the next recording is like the command line. */
static void live_of_line(const char *const *args, const char *function, const char *as_line)
{
	const struct visit how = { .folder = folder, .cols = 120, .args = args };
	char find[64];
	struct screen *s;
	pid_t pid;

	need_probes();
	s = visit(&how);
	pid = screen_pid(s);
	screen_wait(s, function);
	snprintf(find, sizeof(find), "/%s<Enter>", function);
	screen_keys(s, find);
	wait_cursor(s, function);
	screen_keys(s, "u");
	snprintf(find, sizeof(find), "Live › probe %s", function);
	screen_wait(s, find);
	screen_wait(s, "p:ptui_");
	screen_keys(s, "<Enter>");
	screen_wait_gone(s, "› probe");
	snprintf(find, sizeof(find), ":%s ", function);
	screen_wait(s, find);
	screen_wait(s, "every event");
	assert_int_equal(n_probes(pid), 1);
	screen_wait(s, as_line);
	screen_keys(s, "<C-c>");
	finish(s, 0);
	await_removal(pid, "Ctrl-C in Live");
}

static void test_record_line(void **state)
{
	static char work[4096];
	static const char *const args[] = { "record",	 "--tui", "-e", "cpu-clock", "-o",
					    "line.data", "--",	  work, NULL };

	(void)state;
	snprintf(work, sizeof(work), "%s/tests/screen/work", getenv("top_builddir"));
	live_of_line(args, "hot_loop", "· line.data ");
	in_folder("test -s line.data -a -s line.data.old"); /* as -o says */
}

static void test_top(void **state)
{
	static char pid[16], title[32];
	static const char *const args[] = { "top", "-e", "cpu-clock", "-p", pid, NULL };
	char work[4096];
	int lines[2]; /* work ends after the last of them */
	pid_t child;

	(void)state;
	need_probes();
	assert_int_equal(pipe(lines), 0);
	snprintf(work, sizeof(work), "%s/tests/screen/work", getenv("top_builddir"));
	child = fork();
	if (!child) {
		dup2(lines[0], 0);
		dup2(open("/dev/null", O_WRONLY), 1);
		close(lines[1]);
		execl(work, work, NULL);
		_exit(127);
	}
	close(lines[0]);
	snprintf(pid, sizeof(pid), "%d", (int)child);
	snprintf(title, sizeof(title), "Live  pid %d ", (int)child);
	live_of_line(args, "hot_loop", title);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(lines[1]);
}

/* ---- the ends ---- */

enum end { BY_KEYS, BY_SIGNAL, BY_HANG_UP };

static const struct {
	const char *what;
	const char *command; /* recorded until the end; NULL: not */
	const char *seen;    /* … when this is there */
	enum end end;
	const char *keys; /* BY_KEYS, or before */
	int signal;	  /* BY_SIGNAL */
} ends[] = {
	{ "q in Setup and the Browser", NULL, NULL, BY_KEYS, "qq", 0 },
	{ "Ctrl-C in Setup", NULL, NULL, BY_KEYS, "<C-c>", 0 },
	{ "SIGTERM", NULL, NULL, BY_SIGNAL, NULL, SIGTERM },
	{ "SIGINT", NULL, NULL, BY_SIGNAL, NULL, SIGINT },
	{ "SIGHUP", NULL, NULL, BY_SIGNAL, NULL, SIGHUP },
	{ "SIGSEGV", NULL, NULL, BY_SIGNAL, NULL, SIGSEGV },
	{ "SIGABRT", NULL, NULL, BY_SIGNAL, NULL, SIGABRT },
	{ "the terminal is gone", NULL, NULL, BY_HANG_UP, NULL, 0 },
	{ "the recording fails", "/no/such/program", "Enter back", BY_KEYS, "<Esc>qq", 0 },
	{ "Ctrl-C while it records", "sleep 60", "● REC", BY_KEYS, "<C-c>", 0 },
	{ "SIGTERM while it records", "sleep 60", "● REC", BY_SIGNAL, NULL, SIGTERM },
	{ "SIGHUP while it records", "sleep 60", "● REC", BY_SIGNAL, NULL, SIGHUP },
	{ "SIGSEGV while it records", "sleep 60", "● REC", BY_SIGNAL, NULL, SIGSEGV },
	{ "the terminal is gone while it records", "sleep 60", "● REC", BY_HANG_UP, NULL, 0 },
};

static void test_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct screen *s = browse(24, 100, NULL);
		pid_t pid = add_probe(s);

		print_message("%s\n", ends[i].what);
		if (ends[i].command) {
			set_command(s, ends[i].command);
			screen_keys(s, "r");
			screen_wait(s, ends[i].seen);
		}
		if (ends[i].end == BY_KEYS)
			screen_keys(s, ends[i].keys);
		else if (ends[i].end == BY_SIGNAL)
			screen_signal(s, ends[i].signal);
		else
			screen_hang_up(s);
		screen_wait_end(s);
		await_removal(pid, ends[i].what); /* what is left is killed now */
		screen_free(s);
	}
}

/* A kept probe stays, in perf's group. */
static void test_keep(void **state)
{
	struct screen *s = browse(24, 100, NULL);
	const char gone[] = "-:probe_annotate_work/work";
	char line[256];
	int fd;

	(void)state;
	screen_keys(s, "u");
	screen_wait(s, "p:ptui_");
	screen_keys(s, "k");
	screen_wait(s, "p:probe_annotate_work/work ");
	screen_keys(s, "<Enter>");
	screen_wait(s, "the probe is added");
	screen_keys(s, "<C-c>");
	finish(s, 0);
	snprintf(line, sizeof(line), "p:probe_annotate_work/work %s", folder);
	assert_int_equal(lines_with(line), 1);
	fd = open(LIST, O_WRONLY | O_APPEND);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, gone, strlen(gone)), strlen(gone));
	close(fd);
}

/* The only child of a process. */
static pid_t child_of(pid_t pid)
{
	char path[64];
	int child = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	f = fopen(path, "r");
	if (!f)
		skip_because("this kernel does not list children");
	if (fscanf(f, "%d", &child) != 1)
		child = 0;
	fclose(f);
	return child;
}

/*
 * In a pid namespace of its own: other tests on this machine, which would show the leftovers as well, cannot
 * know whether their process has ended.
 */
static void test_killed(void **state)
{
	const struct screen_opts opts = {
		.argv = (const char *const[]){ "unshare", "--pid", "--fork", "--mount-proc", "sh",
					       "-c", "\"$PTUI\" report -i perf.data; \"$PTUI\"",
					       NULL },
		.rows = 24,
		.cols = 100,
		.folder = folder,
	};
	struct screen *s = browse(24, 100, NULL);
	pid_t shell;

	(void)state;
	screen_keys(s, "<C-c>");
	finish(s, 0);
	if (system("unshare --pid --fork --mount-proc true 2>/dev/null"))
		skip_because("no pid namespace can be created");
	s = screen_start(&opts);
	wait_cursor(s, "work");
	screen_keys(s, "u");
	screen_wait(s, "p:ptui_");
	screen_keys(s, "<Enter>");
	screen_wait(s, "the probe is added");
	shell = child_of(screen_pid(s));
	assert_true(shell > 0 && child_of(shell) > 0);
	assert_int_equal(lines_with("p:ptui_2_"), 1);
	assert_int_equal(kill(child_of(shell), SIGKILL), 0);
	screen_wait(s, "1 probe was left by a ptui that has ended:");
	screen_wait(s, "ptui probe -d 'ptui_2_");
	assert_int_equal(lines_with("p:ptui_2_"), 1); /* not without being asked */
	screen_keys(s, "r");
	screen_wait(s, "The probes are removed.");
	assert_int_equal(lines_with("p:ptui_2_"), 0);
	screen_keys(s, "<C-c>");
	screen_wait_end(s);
	screen_free(s);
}

/* What the harness removes, so that a test that was killed breaks no other one. */
static void test_leftovers_of_tests(void **state)
{
	static const struct {
		char kind;
		bool own; /* of this process; otherwise of one that has ended */
		const char *place;
		bool removed;
	} rows[] = {
		{ 'p', false, LEFTOVERS_PATH "x1/work:0x10 n=%di:s32", true },
		{ 'r', false, LEFTOVERS_PATH "x1/work:0x10", true },
		{ 'p', true, LEFTOVERS_PATH "x1/work:0x10", false },
		{ 'p', false, "/usr/bin/work:0x10", false },
		{ '?', false, LEFTOVERS_PATH "x1/work:0x10", false },
	};
	char group[PROBE_OWNER_MAX], line[256], expected[160], removal[160];
	struct probe_owner own, ended;

	(void)state;
	assert_int_equal(probe_owner_of(&roots_system, 0, &own), 0);
	ended = own;
	ended.start--; /* an earlier process with this pid */
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		probe_owner_group(rows[i].own ? &own : &ended, group);
		snprintf(line, sizeof(line), "%c:%s/at %s\n", rows[i].kind, group, rows[i].place);
		assert_int_equal(leftovers_line(line, removal, sizeof(removal)), rows[i].removed);
		snprintf(expected, sizeof(expected), "-:%s/at\n", group);
		if (rows[i].removed)
			assert_string_equal(removal, expected);
	}
	assert_false(leftovers_line("p:probe_work/at " LEFTOVERS_PATH "x1/work:0x10\n", removal,
				    sizeof(removal)));
	assert_false(leftovers_line("nonsense\n", removal, sizeof(removal)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_chinese),
		cmocka_unit_test(test_german),
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_no_debug_information),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_record_line),
		cmocka_unit_test(test_top),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_leftovers_of_tests),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, make, clean);
}
