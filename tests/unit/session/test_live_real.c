/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On the running kernel: the live profile equals the file's. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/need.h"
#include "ptui/live.h"
#include "session/live/live.h"
#include "unit/session/same.h"

static char sh[] = "sh", dash_c[] = "-c";
static char path[64];

static size_t max_frames; /* for the next test; 0: default */

static int setup(void **state)
{
	int fd;

	(void)state;
	max_frames = 0;
	snprintf(path, sizeof(path), "/tmp/ptui-live-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	return 0;
}

static int teardown(void **state)
{
	char old[80];

	(void)state;
	snprintf(old, sizeof(old), "%s.old", path);
	unlink(path);
	unlink(old);
	return 0;
}

static struct ptui_live *start(const char *const *events, size_t n_events, char **argv,
			       bool system_wide, const struct ptui_live_opts *opts)
{
	struct ptui_record_opts record = { .events = events,
					   .n_events = n_events,
					   .freq_hz = 997,
					   .shape.callgraph = PTUI_CALLGRAPH_FP,
					   .argv = argv,
					   .system_wide = system_wide,
					   .output = path };
	struct ptui_error err = PTUI_ERROR_INIT;
	struct ptui_live *l = ptui_live_new(&record, opts, &err);

	assert_non_null(l);
	if (max_frames)
		l->build.builder.max_frames = max_frames;
	if (ptui_live_start(l, &err))
		fail_msg("%s", err.text);
	return l;
}

static void await_end(struct ptui_live *l)
{
	struct pollfd wake = { .fd = ptui_live_wake_fd(l), .events = POLLIN };

	while (ptui_live_state(l) == PTUI_LIVE_RUNNING) {
		assert_int_equal(poll(&wake, 1, 60000), 1);
		ptui_live_ack(l);
	}
}

static void compare_with_file_by(struct ptui_live *l,
				 void (*same)(struct ptui_profile *a, struct ptui_profile *b))
{
	struct ptui_live_profile_info info;
	struct ptui_profile *live = ptui_live_profile(l, &info), *file;
	struct ptui_live_stats stats;

	ptui_live_get_stats(l, &stats);
	assert_int_equal(stats.dropped_bytes, 0);
	assert_int_equal(info.left, 0);
	assert_true(stats.samples > 0);
	assert_non_null(live);
	file = ptui_profile_load(path, NULL, NULL, NULL);
	assert_non_null(file);
	same(live, file);
	/* these counters always ran */
	assert_true(ptui_profile_event(file, 0)->enabled_ns > 0);
	assert_true(ptui_profile_event(file, 0)->running_ns >
		    ptui_profile_event(file, 0)->enabled_ns * 9 / 10);
	ptui_profile_unref(live);
	ptui_profile_unref(file);
}

static void compare_with_file(struct ptui_live *l)
{
	compare_with_file_by(l, assert_same_profile);
}

/* It may end before ptui_live_start() returns. */
static void a_command_that_is_over_at_once(void **state)
{
	static const char *const events[] = { "cpu-clock" };
	char script[] = ":";
	char *argv[] = { sh, dash_c, script, NULL };
	struct ptui_live_opts opts = { .refresh_ms = 20 };

	(void)state;
	need("root");
	for (int i = 0; i < 50; i++) {
		struct ptui_live *l = start(events, 1, argv, false, &opts);
		struct ptui_live_stats stats;

		await_end(l);
		assert_int_equal(ptui_live_join(l, NULL), 0);
		ptui_live_get_stats(l, &stats);
		assert_in_range(stats.elapsed_ns, 1, 60 * 1000000000ull);
		ptui_live_free(l);
	}
}

static void a_command_that_forks_and_execs(void **state)
{
	static const char *const events[] = { "cpu-clock", "task-clock" };
	char script[] =
		"for i in 1 2 3 4 5 6; do (sh -c 'j=0; while [ $j -lt 9000 ]; do j=$((j+1));"
		" done') & done; wait; exec ls / >/dev/null";
	char *argv[] = { sh, dash_c, script, NULL };
	struct ptui_live_opts opts = { .refresh_ms = 20 };
	struct ptui_live_event e;
	struct ptui_live *l;

	(void)state;
	need("root");
	l = start(events, 2, argv, false, &opts);
	await_end(l);
	assert_int_equal(ptui_live_state(l), PTUI_LIVE_ENDED);
	assert_int_equal(ptui_live_join(l, NULL), 0);
	assert_true(WIFEXITED(ptui_live_child_status(l)));
	assert_int_equal(ptui_live_n_events(l), 2);
	ptui_live_event(l, 1, &e);
	assert_string_equal(e.name, "task-clock");
	assert_int_equal(e.state, PTUI_LIVE_COUNTING);
	assert_true(e.count > 0 && e.samples > 0);
	/* counters of tasks run as long as the tasks */
	assert_in_range(e.running_ns, e.count * 9 / 10, e.count * 11 / 10);
	compare_with_file(l);
	ptui_live_free(l);
}

/* Threads, a library loaded late, forks and execs. */
static void all_that_a_program_does(void **state)
{
	static const char *const events[] = { "cpu-clock", "page-faults" };
	char work[512], *argv[] = { work, NULL };
	struct ptui_live_opts opts = { .refresh_ms = 20 };
	struct ptui_live *l;

	(void)state;
	need("root");
	assert_non_null(getenv("top_builddir"));
	snprintf(work, sizeof(work), "%s/tests/diff/work", getenv("top_builddir"));
	l = start(events, 2, argv, false, &opts);
	await_end(l);
	assert_int_equal(ptui_live_join(l, NULL), 0);
	compare_with_file(l);
	ptui_live_free(l);
}

/* Works for at least half a second per round, whatever short-lived children count. */
static bool some_left(size_t max_samples, int rounds)
{
	static const char *const events[] = { "cpu-clock", "page-faults" };
	char script[256];
	char *argv[] = { sh, dash_c, script, NULL };
	struct ptui_live_opts opts = { .refresh_ms = 20, .max_samples = max_samples };
	struct ptui_live_profile_info info;
	struct ptui_profile *live, *file;
	uint64_t shown = 0, all = 0;
	struct ptui_live *l;

	snprintf(script, sizeof(script),
		 "i=0; while [ $i -lt %d ]; do ls /etc >/dev/null; j=0; "
		 "while [ $j -lt 20000 ]; do j=$((j+1)); done; i=$((i+1)); done",
		 rounds * 20);
	l = start(events, 2, argv, false, &opts);
	await_end(l);
	assert_int_equal(ptui_live_join(l, NULL), 0);
	live = ptui_live_profile(l, &info);
	file = ptui_profile_load(path, NULL, NULL, NULL);
	assert_non_null(live);
	assert_non_null(file);
	for (uint32_t e = 0; e < 2; e++) {
		shown += ptui_profile_event(live, e)->samples;
		all += ptui_profile_event(file, e)->samples;
	}
	if (!shown || shown + info.left != all || (max_samples && shown > max_samples))
		fail_msg("%llu shown, %llu left, %llu in the file", (unsigned long long)shown,
			 (unsigned long long)info.left, (unsigned long long)all);
	ptui_profile_unref(live);
	ptui_profile_unref(file);
	ptui_live_free(l);
	return info.left;
}

/*
 * Dropped samples are counted, and the file has them. On a slow machine everything may end before
 * the first publication, with nothing dropped: then works longer.
 */
static void some_leave(size_t max_samples)
{
	int rounds = 1;

	need("root");
	while (!some_left(max_samples, rounds) && rounds < 30)
		rounds *= 3;
	assert_true(rounds < 30);
}

static void what_left_is_in_the_file(void **state)
{
	(void)state;
	some_leave(64);
}

static void rows_of_too_many_places_leave(void **state)
{
	(void)state;
	max_frames = 60;
	some_leave(0);
}

static void the_whole_system(void **state)
{
	static const char *const events[] = { "cpu-clock" };
	char script[] = "for i in 1 2 3 4 5 6 7 8 9; do ls -lR /etc >/dev/null 2>&1; done";
	char *argv[] = { sh, dash_c, script, NULL };
	struct ptui_live_opts opts = { .refresh_ms = 50 };
	struct ptui_live *l;

	(void)state;
	need("root");
	l = start(events, 1, argv, true, &opts);
	await_end(l);
	assert_int_equal(ptui_live_join(l, NULL), 0);
	compare_with_file_by(l, assert_same_system);
	ptui_live_free(l);
}

/* Reads until `until` appears, or the other side is closed. */
static void read_terminal(struct ptui_live *l, char *text, size_t size, const char *until)
{
	struct pollfd fd = { .fd = ptui_live_command_fd(l), .events = POLLIN };
	size_t n = 0;
	ssize_t got;

	text[0] = '\0';
	while (!strstr(text, until)) {
		assert_int_equal(poll(&fd, 1, 60000), 1);
		got = read(fd.fd, text + n, size - 1 - n);
		if (got <= 0)
			break;
		n += (size_t)got;
		text[n] = '\0';
	}
}

static void a_terminal_of_its_own(void **state)
{
	static const char *const events[] = { "cpu-clock" };
	char script[] = "stty size; ps -o pid=,sid=,pgid=,tty= -p $$; read line; echo got $line;"
			" stty size; kill -STOP $$";
	char *argv[] = { sh, dash_c, script, NULL }, text[1024], tty[32];
	struct ptui_live_opts opts = { .own_terminal = true, .rows = 31, .cols = 97 };
	int pid, sid, pgid;
	struct pollfd wake;
	struct ptui_live *l;
	char *at;

	(void)state;
	need("root");
	l = start(events, 1, argv, false, &opts);
	read_terminal(l, text, sizeof(text), "pts/");
	assert_non_null(strstr(text, "31 97"));
	at = strchr(text, '\n');
	assert_non_null(at);
	assert_int_equal(sscanf(at, "%d %d %d %31s", &pid, &sid, &pgid, tty), 4);
	assert_int_equal(pid, sid);
	assert_int_equal(pid, pgid);
	assert_int_not_equal(sid, getsid(0));
	assert_int_equal(ptui_live_set_size(l, 10, 40), 0);
	assert_int_equal(write(ptui_live_command_fd(l), "typed\n", 6), 6);
	read_terminal(l, text, sizeof(text), "10 40");
	assert_non_null(strstr(text, "got typed"));
	wake = (struct pollfd){ .fd = ptui_live_wake_fd(l), .events = POLLIN };
	/* a stopped command ignores SIGTERM: the second request kills it */
	ptui_live_stop(l);
	while (ptui_live_state(l) == PTUI_LIVE_RUNNING) {
		poll(&wake, 1, 100);
		ptui_live_ack(l);
		ptui_live_stop(l);
	}
	assert_int_equal(ptui_live_join(l, NULL), 0);
	assert_true(WIFSIGNALED(ptui_live_child_status(l)));
	ptui_live_free(l);
}

static void a_command_with_output_during_join(void **state)
{
	static const char *const events[] = { "cpu-clock" };
	char script[] = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done";
	char *argv[] = { sh, dash_c, script, NULL };
	struct ptui_live_opts opts = { .own_terminal = true };
	struct ptui_live *l;

	(void)state;
	need("root");
	l = start(events, 1, argv, false, &opts);
	assert_int_equal(ptui_live_join(l, NULL), 0);
	assert_true(WIFEXITED(ptui_live_child_status(l)));
	compare_with_file(l);
	ptui_live_free(l);
}

/* Sideband continues while paused, so nothing is unknown afterwards. */
static void paused_it_counts_nothing(void **state)
{
	static const char *const events[] = { "task-clock" };
	char script[] = "while read line; do j=0; while [ $j -lt 20000 ]; do j=$((j+1)); done;"
			" echo done $line; done; kill -9 $$";
	char *argv[] = { sh, dash_c, script, NULL }, text[4096];
	struct ptui_live_opts opts = { .own_terminal = true, .refresh_ms = 20 };
	struct ptui_live_stats stats, later;
	struct ptui_live *l;

	(void)state;
	need("root");
	l = start(events, 1, argv, false, &opts);
	assert_int_equal(write(ptui_live_command_fd(l), "1\n", 2), 2);
	read_terminal(l, text, sizeof(text), "done 1");
	assert_int_equal(ptui_live_pause(l, NULL), 0);
	assert_int_equal(ptui_live_state(l), PTUI_LIVE_PAUSED);
	/* the rings still have samples: two passes later all are counted */
	ptui_live_get_stats(l, &stats);
	do {
		later = stats;
		assert_int_equal(write(ptui_live_command_fd(l), "2\n", 2), 2);
		read_terminal(l, text, sizeof(text), "done 2");
		ptui_live_get_stats(l, &stats);
	} while (later.samples != stats.samples);
	assert_true(stats.paused_ns > 0 && stats.paused_ns < stats.elapsed_ns);
	assert_int_equal(ptui_live_resume(l, NULL), 0);
	do {
		assert_int_equal(write(ptui_live_command_fd(l), "3\n", 2), 2);
		read_terminal(l, text, sizeof(text), "done 3");
		ptui_live_get_stats(l, &later);
	} while (later.samples == stats.samples);
	ptui_live_stop(l);
	assert_int_equal(ptui_live_join(l, NULL), 0);
	compare_with_file(l);
	ptui_live_free(l);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FILE(a_command_that_is_over_at_once),
		WITH_FILE(a_command_that_forks_and_execs),
		WITH_FILE(all_that_a_program_does),
		WITH_FILE(what_left_is_in_the_file),
		WITH_FILE(rows_of_too_many_places_leave),
		WITH_FILE(the_whole_system),
		WITH_FILE(a_terminal_of_its_own),
		WITH_FILE(a_command_with_output_during_join),
		WITH_FILE(paused_it_counts_nothing),
	};

	return cmocka_run_group_tests(tests, one_at_a_time, NULL);
}
