/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live shows what perf stat counts for the same process at the same time; and the Browser
 * afterwards shows what the file contains.
 *
 * The load is this program itself:
 *
 *	test_live_truth load     writes "pid", reads from the pipe "go", works, writes "done", and waits
 *	                         for EOF on the pipe "end"
 */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "screen/scene.h"

#define PART_MS 450 /* of CPU time, in each of the load's three parts */
#define ROUNDS	200000000ull

/* ---- the load ---- */

static uint64_t thread_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void *burn(void *arg)
{
	static volatile uint64_t sink;
	uint64_t end = thread_ms() + PART_MS;

	(void)arg;
	while (thread_ms() < end)
		for (int i = 0; i < 10000; i++)
			sink++;
	return NULL;
}

/* The same number of instructions each time. */
static void count(void)
{
	for (volatile uint64_t i = 0; i < ROUNDS; i++)
		;
}

static void note(const char *name, int number)
{
	FILE *out = fopen(name, "w");

	if (!out || fprintf(out, "%d\n", number) < 0 || fclose(out))
		_exit(3);
}

static void await_writer(const char *name)
{
	int fd = open(name, O_RDONLY);
	char sink[16];

	while (fd >= 0 && read(fd, sink, sizeof(sink)) > 0)
		;
	close(fd);
}

static int load(bool counts)
{
	pthread_t thread;
	pid_t child;

	alarm(60);
	note("pid", (int)getpid());
	await_writer("go");
	if (counts) {
		count();
	} else {
		burn(NULL);
		if (pthread_create(&thread, NULL, burn, NULL))
			return 3;
		pthread_join(thread, NULL);
		child = fork();
		if (!child) {
			burn(NULL);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	note("done", 1);
	await_writer("end");
	return 0;
}

static char self[PATH_MAX];

static void make_pipes(struct scene *s)
{
	static const char *const names[] = { "go", "end", "ctl", "ack" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", s->folder, names[i]);
		assert_int_equal(mkfifo(path, 0600), 0);
	}
}

/* Without waiting for a reader: opened for both. */
static int open_pipe(struct scene *s, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

/* Releases the process that waits at this pipe. */
static void pass(struct scene *s, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
}

static pid_t start_load(struct scene *s, const char *how)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		if (!chdir(s->folder))
			execl(self, self, how, (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* ---- perf stat ---- */

struct stat_run {
	pid_t pid;
	int ctl, ack;
	struct scene *scene;
};

static void ask_perf(const struct stat_run *r, const char *what)
{
	struct pollfd ack = { .fd = r->ack, .events = POLLIN };
	char answer[16];

	assert_int_equal(write(r->ctl, what, strlen(what)), (ssize_t)strlen(what));
	assert_int_equal(poll(&ack, 1, 20000), 1);
	assert_true(read(r->ack, answer, sizeof(answer)) > 0);
}

/* From when this returns, it counts. */
static void start_stat(struct stat_run *r, struct scene *s, const char *event, pid_t target)
{
	char pid[16];

	*r = (struct stat_run){ .scene = s,
				.ctl = open_pipe(s, "ctl"),
				.ack = open_pipe(s, "ack") };
	snprintf(pid, sizeof(pid), "%d", (int)target);
	r->pid = fork();
	assert_true(r->pid >= 0);
	if (!r->pid) {
		/* it confirms */
		if (!chdir(s->folder) && freopen("/dev/null", "w", stderr))
			execlp("perf", "perf", "stat", "-x", ",", "-o", "stat", "-e", event, "-p",
			       pid, "--delay=-1", "--control=fifo:ctl,ack", (char *)NULL);
		_exit(127);
	}
	ask_perf(r, "enable\n");
}

/* What it has counted: nanoseconds, or how many. */
static double end_stat(struct stat_run *r)
{
	char path[PATH_MAX], line[512], unit[16] = "";
	double value = NAN;
	FILE *in;

	ask_perf(r, "disable\n");
	kill(r->pid, SIGINT);
	waitpid(r->pid, NULL, 0);
	close(r->ctl);
	close(r->ack);
	snprintf(path, sizeof(path), "%s/stat", r->scene->folder);
	in = fopen(path, "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "%lf,%15[a-z]", &value, unit) >= 1)
			break;
	fclose(in);
	assert_true(value > 0);
	return !strcmp(unit, "msec") ? value * 1e6 : value;
}

/* ---- the displayed state ---- */

struct shown {
	const char *event;
	double count, rate;
	char share[16]; /* "" if not shown */
};

static double number_with_unit(const char *text, const char **ret_end)
{
	static const struct {
		const char *unit;
		double factor;
	} units[] = { { "ns", 1 },  { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
		      { "K", 1e3 }, { "M", 1e6 },  { "G", 1e9 },  { "T", 1e12 } };
	char *end;
	double value = strtod(text, &end);

	*ret_end = end;
	if (end == text)
		return NAN;
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t n = strlen(units[i].unit);

		if (!strncmp(end, units[i].unit, n) && strchr(" /", end[n])) {
			*ret_end = end + n;
			return value * units[i].factor;
		}
	}
	return value;
}

/* "  task-clock   2.10 s   998 ms/s  ▁▁  63 %": false if incomplete. */
static bool read_event(struct screen *screen, struct shown *e)
{
	int y = screen_find(screen, e->event, NULL);
	const char *at;

	while (y >= 0 && y < screen_rows(screen)) {
		at = strstr(screen_row(screen, y), e->event);
		y++;
		if (!at || at[strlen(e->event)] != ' ')
			continue;
		at += strlen(e->event);
		e->count = number_with_unit(at, &at);
		e->rate = number_with_unit(at, &at);
		if (isnan(e->rate) || strncmp(at, "/s", 2))
			return false;
		e->share[0] = '\0';
		sscanf(at, "/s %15[0-9] %%", e->share);
		return true;
	}
	return false;
}

static bool stands_still(struct screen *screen, void *ctx)
{
	struct shown *e = ctx;

	return read_event(screen, e) && e->count > 0 && e->rate == 0;
}

static void assert_near(double is, double should, double part)
{
	if (!(fabs(is - should) <= part * should))
		fail_msg("%.6g is not within %g %% of %.6g", is, 100 * part, should);
}

/* ---- tests ---- */

/* Live and perf count the same waiting load `pid`. */
static void compare_counts(struct scene *s, const char *event, const char *name, pid_t pid)
{
	struct shown shown = { .event = name };
	struct stat_run stat;
	double counted;

	start_stat(&stat, s, event, pid);
	pass(s, "go");
	scene_text(s, "done");
	screen_wait_until(s->screen, stands_still, &shown, "the load has ended");
	counted = end_stat(&stat);
	/* three digits are shown, and what the load did before perf was ready is in this count only */
	assert_near(shown.count, counted, 0.02);
	/* the intended CPU time */
	if (!strcmp(name, "task-clock"))
		assert_near(shown.count, 3 * PART_MS * 1e6, 0.05);
}

static void set_up_load(struct scene *s, const char *event)
{
	make_pipes(s);
	s->rows = 30;
	s->cols = 100;
	scene_open(s);
	scene_events(s, event);
}

static void leave(struct scene *s)
{
	screen_keys(s->screen, "<C-c>");
	scene_ended(s, 0);
	scene_check_file(s, "perf.data", 1);
}

static void count_of_a_command(struct scene *s, const char *event, const char *name)
{
	char line[PATH_MAX + 16];

	set_up_load(s, event);
	snprintf(line, sizeof(line), "%s load", self);
	scene_command(s, line);
	scene_record(s);
	compare_counts(s, event, name, scene_pid(s, "pid"));
	leave(s);
}

static void count_of_a_process(struct scene *s, const char *event, const char *name)
{
	pid_t pid;

	set_up_load(s, event);
	pid = start_load(s, "load");
	scene_text(s, "pid");
	scene_process(s, pid);
	scene_record(s);
	screen_wait_row(s->screen, 0, "REC");
	compare_counts(s, event, name, pid);
	leave(s);
	pass(s, "end");
	waitpid(pid, NULL, 0);
}

static void test_command(void **state)
{
	count_of_a_command(*state, "task-clock", "task-clock");
}

static void test_process(void **state)
{
	count_of_a_process(*state, "task-clock", "task-clock");
}

static void test_instructions_of_a_command(void **state)
{
	need("pmu");
	count_of_a_command(*state, "instructions:u", "instructions:u");
}

static void test_instructions_of_a_process(void **state)
{
	need("pmu");
	count_of_a_process(*state, "instructions:u", "instructions:u");
}

/* What perf counts of the same instructions when it has the counter for itself. */
static double instructions_alone(struct scene *s)
{
	pid_t pid = start_load(s, "count");
	struct stat_run stat;

	scene_text(s, "pid");
	start_stat(&stat, s, "instructions:u", pid);
	pass(s, "go");
	scene_text(s, "done");
	pass(s, "end");
	waitpid(pid, NULL, 0);
	return end_stat(&stat);
}

static void forget(struct scene *s, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	assert_int_equal(unlink(path), 0);
}

/* More events than any processor has counters: shows the share, and scales. */
static void test_more_events_than_counters(void **state)
{
	struct shown shown = { .event = "instructions:u" };
	struct scene *s = *state;
	char line[PATH_MAX + 16];
	double alone;

	need("pmu");
	set_up_load(s, "instructions:u,cycles:u,branches:u,branch-misses:u,cache-references:u,"
		       "cache-misses:u,instructions,cycles,branches,branch-misses,cache-references,"
		       "cache-misses,instructions:k,cycles:k,branches:k,branch-misses:k");
	alone = instructions_alone(s);
	forget(s, "pid");
	forget(s, "done");
	snprintf(line, sizeof(line), "%s count", self);
	scene_command(s, line);
	scene_record(s);
	scene_text(s, "pid");
	pass(s, "go");
	scene_text(s, "done");
	screen_wait_until(s->screen, stands_still, &shown, "the load has ended");
	assert_true(*shown.share && atoi(shown.share) < 100);
	assert_near(shown.count, alone, 0.1);
	leave(s);
}

/* Every row of the screen but the first and the last three lines. */
static void read_rows(struct screen *screen, char *text, size_t size)
{
	size_t n = 0;

	for (int y = 1; y < screen_rows(screen) - 2; y++)
		n += (size_t)snprintf(text + n, n < size ? size - n : 0, "%s\n",
				      screen_row(screen, y));
	assert_true(n < size);
}

static bool is_in_second_row(struct screen *screen, void *ctx)
{
	(void)ctx;
	return screen_cursor_row(screen) == 5;
}

static bool has_rows(struct screen *screen, void *ctx)
{
	static char rows[65536];

	read_rows(screen, rows, sizeof(rows));
	return !strcmp(rows, ctx);
}

/* The profile that was shown while it grew is browsed: the file has the same rows, and the same trust. */
static void test_browser_shows_the_file(void **state)
{
	static const char *const words[] = { "report", NULL };
	static char live[65536];
	struct scene *s = *state;
	char line[PATH_MAX];

	s->rows = 60;
	s->cols = 160;
	scene_open(s);
	snprintf(line, sizeof(line), "%s/tests/diff/work", getenv("top_builddir"));
	scene_command(s, line);
	scene_record(s);
	for (int i = 0; i < 2; i++) {
		if (i)
			scene_start(s, words);
		screen_wait(s->screen, "of event 'cpu-clock'");
		screen_wait_row(s->screen, 4, "+");
		screen_keys(s->screen, "E");
		screen_wait_row(s->screen, 4, "-  "); /* paths contain a - as well */
		/* painted after it: shows that all was painted */
		screen_keys(s->screen, "<Down>");
		screen_wait_until(s->screen, is_in_second_row, NULL, "the cursor goes down");
		if (!i)
			read_rows(s->screen, live, sizeof(live));
		else
			screen_wait_until(s->screen, has_rows, live, "the file has the same rows");
		screen_keys(s->screen, "<C-c>");
		scene_ended(s, 0);
	}
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		SCENE(test_command),
		SCENE(test_process),
		SCENE(test_instructions_of_a_command),
		SCENE(test_instructions_of_a_process),
		SCENE(test_more_events_than_counters),
		SCENE(test_browser_shows_the_file),
	};

	if (argc == 2)
		return load(!strcmp(argv[1], "count"));
	if (!realpath(argv[0], self))
		return 99;
	return cmocka_run_group_tests(tests, one_at_a_time, NULL);
}
