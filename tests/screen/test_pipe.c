/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui report -i -` on a terminal while its pipe is fed: Live, then the Browser. The test is the
 * writer. It writes the next part of a recording when the screen shows the one before.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/perf_abi.h"
#include "screen/recording.h"
#include "screen/steps.h"

#define PARTS	      3
#define PART_SAMPLES  10
#define HEADER_BYTES  16
#define RECORD_HEADER 8

/* A recording in the pipe layout, cut before the samples of each part. */
static struct {
	struct buf bytes;
	size_t part[PARTS + 1]; /* offsets; the last one is the end */
} made;

struct piped {
	char folder[FOLDER_BYTES];
	struct screen *screen;
	int fd; /* the writer's end; -1: closed */
};

/* ---- the recording ---- */

static void *read_all(void *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char bytes[4096];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add(&made.bytes, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* Each part has another function on top. */
static void write_recording(const char *folder)
{
	static const char *const events[] = { "cpu-clock", NULL };
	static const char *const chains[PARTS] = { "main;first_part", "main;second_part",
						   "main;third_part" };
	struct recording *r = recording_new(folder, events);

	recording_module(r, "app");
	recording_thread(r, 100, 100, "app");
	for (size_t i = 0; i < PARTS; i++)
		for (size_t k = 0; k < PART_SAMPLES * (i + 1); k++)
			recording_sample(r, 0, chains[i], 1000);
	recording_close(r);
}

static void find_parts(void)
{
	size_t n = 0, at = HEADER_BYTES, samples = 0, next = 0;

	while (at + RECORD_HEADER <= made.bytes.len) {
		uint32_t type;
		uint16_t size;

		memcpy(&type, made.bytes.data + at, sizeof(type));
		memcpy(&size, made.bytes.data + at + 6, sizeof(size));
		if (type == PERF_RECORD_SAMPLE && samples++ == next) {
			made.part[n++] = at;
			next += PART_SAMPLES * n;
		}
		at += size;
	}
	assert_int_equal(n, PARTS);
	made.part[n] = made.bytes.len;
}

static int set_up(void **state)
{
	struct piped *p = calloc(1, sizeof(*p));
	char path[FOLDER_BYTES + 16];
	pthread_t thread;

	assert_non_null(p);
	make_folder(p->folder);
	p->fd = -1;
	snprintf(path, sizeof(path), "%s/perf.data", p->folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	buf_clear(&made.bytes);
	assert_int_equal(pthread_create(&thread, NULL, read_all, path), 0);
	write_recording(p->folder);
	pthread_join(thread, NULL);
	find_parts();
	*state = p;
	return 0;
}

static void stop_feeding(struct piped *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

static int tear_down(void **state)
{
	struct piped *p = *state;

	screen_free(p->screen);
	stop_feeding(p);
	recording_remove(p->folder);
	buf_release(&made.bytes);
	free(p);
	return 0;
}

/* ---- the program ---- */

static void start_line(struct piped *p, const char *line)
{
	static const char *const places[] = { "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
					      "XDG_CACHE_HOME" };
	char texts[4][FOLDER_BYTES + 32];
	const char *argv[] = { "/bin/sh", "-c", line, NULL };
	const char *env[5] = { NULL };
	const struct screen_opts opts = { .argv = argv, .env = env, .folder = p->folder };

	for (size_t i = 0; i < 4; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%s=%s", places[i], p->folder);
		env[i] = texts[i];
	}
	p->screen = screen_start(&opts);
}

/* As a shell starts the last of a pipeline: standard input is the pipe. `first`: what the shell does before. */
static void start_after(struct piped *p, const char *first, const char *options)
{
	char line[512], path[FOLDER_BYTES + 16];

	snprintf(line, sizeof(line), "%sexec '%s' report %s -i - <feed", first, getenv("PTUI"),
		 options);
	snprintf(path, sizeof(path), "%s/feed", p->folder);
	assert_true(!mkfifo(path, 0600) || errno == EEXIST);
	start_line(p, line);
	p->fd = open(path, O_WRONLY | O_CLOEXEC); /* not before: the harness would inherit it */
	assert_true(p->fd >= 0);
}

static void feed(struct piped *p, size_t from, size_t to)
{
	assert_true(to <= made.bytes.len);
	while (from < to) {
		ssize_t n = write(p->fd, made.bytes.data + from, to - from);

		assert_true(n > 0);
		from += (size_t)n;
	}
}

static void feed_part(struct piped *p, size_t i)
{
	feed(p, made.part[i], made.part[i + 1]);
}

static void feed_round(struct piped *p)
{
	static const uint32_t round[2] = { PTUI_RECORD_FINISHED_ROUND, RECORD_HEADER << 16 };

	assert_int_equal(write(p->fd, round, sizeof(round)), sizeof(round));
}

static void ended(struct piped *p, int status)
{
	finish(p->screen, status);
	p->screen = NULL;
}

static void start(struct piped *p, const char *options)
{
	start_after(p, "", options);
}

/* ---- the tests ---- */

static void test_rows_grow_until_the_end(void **state)
{
	struct piped *p = *state;

	start(p, "");
	screen_wait(p->screen, "Starting");
	feed(p, 0, made.part[0]);
	screen_wait_row(p->screen, 0, "LIVE");
	screen_wait(p->screen, "samples 0");
	screen_wait(p->screen, "not known through a pipe");
	feed_part(p, 0);
	screen_wait(p->screen, "first_part");
	screen_wait(p->screen, "samples 10");
	assert_int_equal(screen_find(p->screen, "rings", NULL), -1);
	feed_part(p, 1);
	screen_wait(p->screen, "second_part");
	screen_wait(p->screen, "samples 30");
	feed_part(p, 2);
	stop_feeding(p);
	screen_wait(p->screen, "The pipe has ended: 60 samples have come.");
	screen_wait(p->screen, "of event 'cpu-clock'");
	screen_wait(p->screen, "third_part");
	screen_wait(p->screen, "50.00%");
	/* keys come from the terminal; the header came through the pipe */
	screen_keys(p->screen, "q");
	ended(p, 0);
}

/* What the writer prints on the same terminal does not stay between the rows. */
static void test_a_writer_that_prints(void **state)
{
	struct piped *p = *state;
	char path[FOLDER_BYTES + 16];
	FILE *f;

	snprintf(path, sizeof(path), "%s/printed", p->folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	start_after(p, "cat printed >/dev/tty & ", "");
	feed(p, 0, made.part[0]);
	feed_part(p, 0);
	screen_wait(p->screen, "samples 10");
	f = fopen(path, "we");
	assert_non_null(f);
	fputs("\033[12;30H[ record: woken up ]", f);
	fclose(f);
	screen_wait(p->screen, "[ record: woken up ]");
	stop_feeding(p);
	screen_wait(p->screen, "The pipe has ended: 10 samples have come.");
	assert_int_equal(screen_find(p->screen, "woken up", NULL), -1);
	screen_keys(p->screen, "q");
	ended(p, 0);
}

/* The writer is in the middle of a record, and stays there. */
static void test_a_stalled_writer(void **state)
{
	struct piped *p = *state;

	start(p, "");
	feed(p, 0, made.part[0]);
	feed_part(p, 0);
	feed(p, made.part[1], made.part[1] + 13);
	screen_wait(p->screen, "samples 10");
	screen_keys(p->screen, "?");
	screen_wait_row(p->screen, 0, "Help");
	screen_keys(p->screen, "<Esc>");
	screen_wait(p->screen, "first_part");
	/* the rest of the record */
	feed(p, made.part[1] + 13, made.part[2]);
	screen_wait(p->screen, "samples 30");
	/* browses what has come, without waiting */
	feed(p, made.part[2], made.part[2] + 5);
	screen_keys(p->screen, "<Enter>");
	screen_wait(p->screen, "The pipe is no longer read: 30 samples have come.");
	screen_wait(p->screen, "of event 'cpu-clock'");
	screen_keys(p->screen, "q");
	ended(p, 0);
}

/* Samples are complete at the end of the round after theirs, or when the writer pauses between two. */
static void test_rounds(void **state)
{
	struct piped *p = *state;

	start(p, "");
	feed(p, 0, made.part[0]);
	feed_part(p, 0);
	feed_round(p);
	screen_wait(p->screen, "samples 10");
	feed_part(p, 1);
	feed_round(p);
	screen_wait(p->screen, "samples 30");
	feed_part(p, 2);
	feed_round(p);
	screen_wait(p->screen, "samples 60");
	stop_feeding(p);
	screen_wait(p->screen, "The pipe has ended: 60 samples have come.");
	screen_keys(p->screen, "q");
	ended(p, 0);
}

static void test_a_writer_that_dies(void **state)
{
	struct piped *p = *state;

	start(p, "");
	feed(p, 0, made.part[0]);
	feed_part(p, 0);
	feed(p, made.part[1], made.part[1] + 13);
	screen_wait(p->screen, "samples 10");
	stop_feeding(p);
	screen_wait(p->screen, "The pipe has ended: 10 samples have come.");
	screen_wait(p->screen, "first_part");
	screen_keys(p->screen, "T");
	screen_wait(p->screen, "cut short");
	screen_keys(p->screen, "<Esc>q");
	ended(p, 0);
}

/* Before the header, after it, and in Live. */
static void test_leaving(void **state)
{
	static const char *const keys[] = { "<Esc>", "q", "<C-c>" };
	struct piped *p = *state;

	for (size_t i = 0; i < 3; i++) {
		start(p, "");
		screen_wait(p->screen, "Starting");
		screen_keys(p->screen, keys[i]);
		ended(p, 0);
		stop_feeding(p);

		start(p, "");
		feed(p, 0, made.part[0]);
		feed_part(p, 0);
		feed(p, made.part[1], made.part[1] + 3);
		screen_wait(p->screen, "samples 10");
		screen_keys(p->screen, keys[i]);
		ended(p, 0);
		stop_feeding(p);
	}
}

static void test_what_is_no_recording(void **state)
{
	struct piped *p = *state;

	start(p, "");
	assert_int_equal(write(p->fd, "this is not a recording\n", 24), 24);
	stop_feeding(p);
	screen_wait(p->screen, "is not a perf.data file: it looks like text");
	ended(p, 255);

	start(p, "");
	stop_feeding(p);
	screen_wait(p->screen, "zero-sized");
	ended(p, 255);
}

/* An empty recording: nothing to browse. */
static void test_no_samples(void **state)
{
	struct piped *p = *state;

	start(p, "");
	feed(p, 0, made.part[0]);
	stop_feeding(p);
	screen_wait(p->screen, "The pipe has ended.");
	screen_wait(p->screen, "No samples were taken.");
	screen_keys(p->screen, "q");
	ended(p, 0);
}

/* What the options of report say holds in Live and in the Browser. */
static void test_options(void **state)
{
	struct piped *p = *state;

	start(p, "-s sym --no-children");
	feed(p, 0, made.part[0]);
	feed_part(p, 0);
	screen_wait(p->screen, "first_part");
	screen_wait(p->screen, "Symbol");
	assert_int_equal(screen_find(p->screen, "Shared Object", NULL), -1);
	stop_feeding(p);
	screen_wait(p->screen, "of event 'cpu-clock'");
	assert_int_equal(screen_find(p->screen, "Children", NULL), -1);
	assert_int_equal(screen_find(p->screen, "Shared Object", NULL), -1);
	screen_keys(p->screen, "q");
	ended(p, 0);
}

/* It has a title and a header, but no path: nothing on the screen names a file that is not there. */
static void check_origin(struct piped *p, const char *other)
{
	char line[64];

	screen_wait_row(p->screen, 0, "standard input");
	screen_keys(p->screen, "Y");
	screen_wait(p->screen, "These samples are in no file.");
	screen_keys(p->screen, "i");
	screen_wait(p->screen, "event : name = cpu-clock");
	screen_keys(p->screen, "<Esc>D");
	screen_wait(p->screen, "Compare with, newest first");
	screen_keys(p->screen, "<Enter>");
	screen_wait_row(p->screen, 0, other);
	screen_wait_row(p->screen, 0, "standard input");
	screen_wait(p->screen, "third_part");
	screen_keys(p->screen, "Y");
	screen_wait(p->screen, "standard input: these samples are in no file.");
	screen_keys(p->screen, "q");
	screen_wait_row(p->screen, 0, "✓ loaded");
	/* another recording has a file */
	screen_keys(p->screen, "s");
	screen_wait(p->screen, "Recordings here, newest first");
	screen_keys(p->screen, "<Enter>");
	screen_wait_row(p->screen, 0, other);
	screen_wait(p->screen, "of event 'cpu-clock'");
	screen_keys(p->screen, "Y");
	snprintf(line, sizeof(line), "report -i %s", other);
	screen_wait(p->screen, line);
	screen_keys(p->screen, "q");
	screen_wait_row(p->screen, 0, "standard input");
	screen_keys(p->screen, "q");
	ended(p, 0);
}

static void write_file(const struct piped *p, const char *name)
{
	char path[FOLDER_BYTES + 32];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", p->folder, name);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(fwrite(made.bytes.data, 1, made.bytes.len, out), made.bytes.len);
	assert_int_equal(fclose(out), 0);
}

static void test_origin(void **state)
{
	struct piped *p = *state;

	write_file(p, "other.data");
	start(p, "");
	feed(p, 0, made.bytes.len);
	stop_feeding(p);
	screen_wait(p->screen, "of event 'cpu-clock'");
	check_origin(p, "other.data");
}

/* A file that is redirected is no pipe: it is loaded as a whole. */
static void test_a_redirected_file(void **state)
{
	struct piped *p = *state;

	write_file(p, "feed");
	start(p, "");
	screen_wait(p->screen, "of event 'cpu-clock'");
	screen_wait(p->screen, "third_part");
	assert_int_equal(screen_find(p->screen, "The pipe", NULL), -1);
	check_origin(p, "feed");
}

/* ---- recorders ---- */

/* The number after "samples" on the screen; -1: not shown. */
static long samples_shown(struct screen *s)
{
	for (int y = 0; y < screen_rows(s); y++) {
		const char *at = strstr(screen_row(s, y), "samples ");
		long n = 0;

		if (!at || at[8] < '0' || at[8] > '9')
			continue;
		for (at += 8; (*at >= '0' && *at <= '9') || *at == ','; at++)
			n = *at == ',' ? n : n * 10 + *at - '0';
		return n;
	}
	return -1;
}

static bool has_more(struct screen *s, void *ctx)
{
	return samples_shown(s) > *(long *)ctx;
}

static pid_t workload(struct piped *p)
{
	char path[FOLDER_BYTES + 16];
	FILE *in;
	int pid;

	snprintf(path, sizeof(path), "%s/pid", p->folder);
	in = fopen(path, "r"); /* there, since it was sampled */
	assert_non_null(in);
	assert_int_equal(fscanf(in, "%d", &pid), 1);
	fclose(in);
	return pid;
}

/*
 * Until the workload ends; the rows grow meanwhile. perf writes what is in a ring buffer when that is half
 * full, so they are small.
 */
static void follow_recorder(struct piped *p, const char *recorder)
{
	char line[1024];
	long seen = 0;

	snprintf(line, sizeof(line),
		 "%s record -o - -m 2 -e cpu-clock -F 500 -g -- "
		 "/bin/sh -c 'echo $$ >pid; while :; do :; done' 2>err | '%s' report -i -",
		 recorder, getenv("PTUI"));
	start_line(p, line);
	screen_wait_row(p->screen, 0, "LIVE");
	for (unsigned i = 0; i < 3; i++) {
		screen_wait_until(p->screen, has_more, &seen, "more samples");
		seen = samples_shown(p->screen);
	}
	screen_wait(p->screen, "Shared Object");
	screen_keys(p->screen, "?");
	screen_wait_row(p->screen, 0, "Help");
	screen_keys(p->screen, "<Esc>");
	screen_wait_row(p->screen, 0, "LIVE");
	assert_int_equal(kill(workload(p), SIGTERM), 0);
	screen_wait(p->screen, "The pipe has ended: ");
	screen_wait(p->screen, "of event 'cpu-clock'");
	screen_keys(p->screen, "q");
	ended(p, 0);
}

static void test_ptui_record(void **state)
{
	char recorder[512];

	need("perf");
	snprintf(recorder, sizeof(recorder), "'%s'", getenv("PTUI"));
	follow_recorder(*state, recorder);
}

static void test_perf_record(void **state)
{
	need("perf");
	follow_recorder(*state, "perf");
}

int main(void)
{
#define PIPED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		PIPED(test_rows_grow_until_the_end),
		PIPED(test_a_writer_that_prints),
		PIPED(test_a_stalled_writer),
		PIPED(test_rounds),
		PIPED(test_a_writer_that_dies),
		PIPED(test_leaving),
		PIPED(test_what_is_no_recording),
		PIPED(test_no_samples),
		PIPED(test_options),
		PIPED(test_origin),
		PIPED(test_a_redirected_file),
		PIPED(test_ptui_record),
		PIPED(test_perf_record),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
