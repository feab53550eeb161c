/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui report` on a terminal: opens a recording, goes through it, and leaves the terminal as it
 * was. What the program writes is looked for as text, as a person would wait for it; where on the
 * screen it stands is the harness's matter.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "lib/need.h"

#define WAIT_S 20

static char recording[64];

struct run {
	pid_t pid;
	int fd;
	unsigned short cols;
	struct termios before;
	size_t n, seen; /* what was waited for stands before `seen` */
	char text[1 << 20]; /* letters only: escape sequences are blanks */
};

static int in_escape; /* 1: behind ESC, 2: in a sequence */

static void take(struct run *r, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n && r->n + 1 < sizeof(r->text); i++) {
		char c = bytes[i];

		if (c == '\033') {
			in_escape = 1;
		} else if (in_escape == 1) {
			in_escape = c == '[' || c == '(' || c == ']' ? 2 : 0;
		} else if (in_escape == 2) {
			if ((c >= '@' && c <= '~') || c == '\a')
				in_escape = 0;
		} else {
			r->text[r->n++] = c;
			continue;
		}
		if (!in_escape && r->n && r->text[r->n - 1] != ' ')
			r->text[r->n++] = ' ';
	}
	r->text[r->n] = '\0';
}

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

/*
 * Only what differs is painted, so a text may come in pieces: another size makes it come whole.
 */
static void repaint(struct run *r)
{
	struct winsize size = { .ws_row = 24, .ws_col = r->cols = r->cols == 80 ? 82 : 80 };

	ioctl(r->fd, TIOCSWINSZ, &size);
}

/* Reads once; false: the other side is closed. */
static bool read_some(struct run *r)
{
	struct pollfd p = { .fd = r->fd, .events = POLLIN };
	char bytes[4096];
	ssize_t n;

	if (poll(&p, 1, 200) == 0) {
		repaint(r);
		return true;
	}
	n = read(r->fd, bytes, sizeof(bytes));
	if (n <= 0)
		return n < 0 && errno == EINTR;
	take(r, bytes, (size_t)n);
	return true;
}

static void wait_for(struct run *r, const char *text)
{
	time_t end = now() + WAIT_S;
	const char *at;

	while (!(at = strstr(r->text + r->seen, text))) {
		if (!read_some(r) || now() > end)
			fail_msg("'%s' never came after:\n%s", text,
				 r->text + (r->n > 2000 ? r->n - 2000 : 0));
	}
	r->seen = (size_t)(at - r->text) + strlen(text);
}

static void type(struct run *r, const char *keys)
{
	assert_int_equal(write(r->fd, keys, strlen(keys)), (int)strlen(keys));
}

static struct run *start(const char *path)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct run *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	in_escape = 0;
	r->cols = size.ws_col;
	r->pid = forkpty(&r->fd, NULL, NULL, &size);
	assert_true(r->pid >= 0);
	if (!r->pid) {
		/* the shell keeps the terminal, so that its modes can be read at the end */
		setenv("TERM", "xterm-256color", 1);
		setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
		setenv("FILE", path, 1);
		execl("/bin/sh", "sh", "-c",
		      "read go; \"$PTUI\" report -i \"$FILE\"; echo status=$?; read end", NULL);
		_exit(127);
	}
	assert_int_equal(tcgetattr(r->fd, &r->before), 0);
	type(r, "\n");
	return r;
}

/* The program has ended with this status, and the terminal is as it was. */
static void finish(struct run *r, const char *status)
{
	struct termios after;
	int wstatus;

	wait_for(r, status);
	assert_int_equal(tcgetattr(r->fd, &after), 0);
	assert_int_equal(after.c_lflag, r->before.c_lflag);
	assert_int_equal(after.c_iflag, r->before.c_iflag);
	assert_int_equal(after.c_oflag, r->before.c_oflag);
	assert_int_equal(after.c_cflag, r->before.c_cflag);
	type(r, "\n");
	while (read_some(r))
		;
	assert_int_equal(waitpid(r->pid, &wstatus, 0), r->pid);
	close(r->fd);
	free(r);
}

static int make_recording(void **state)
{
	char command[512];

	(void)state;
	snprintf(recording, sizeof(recording), "/tmp/ptui-browser-%d.data", (int)getpid());
	snprintf(command, sizeof(command),
		 "\"$PTUI\" record -q -g -e cpu-clock -F 2000 -o %s -- "
		 "sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done' >/dev/null 2>&1",
		 recording);
	if (system(command))
		recording[0] = '\0';
	return 0;
}

static int remove_recording(void **state)
{
	(void)state;
	if (*recording)
		unlink(recording);
	return 0;
}

static struct run *browse(void)
{
	struct run *r;

	need("perf");
	assert_true(*recording);
	r = start(recording);
	wait_for(r, "Samples ");
	wait_for(r, "of event 'cpu-clock'");
	wait_for(r, "Symbol");
	wait_for(r, "unknown ");
	return r;
}

static void test_a_visit(void **state)
{
	struct run *r = browse();

	(void)state;
	type(r, "\r"); /* opens the first row: something of it has its share in front */
	wait_for(r, "%");
	type(r, "/");
	wait_for(r, "find: ");
	type(r, "nowhere to be found\r");
	wait_for(r, "is in none of the rows shown");
	type(r, "L");
	wait_for(r, "(percent): ");
	type(r, "\025" "100\r");
	wait_for(r, "All rows are below the limit");
	type(r, "L");
	wait_for(r, "(percent): ");
	type(r, "\025" "7x\r");
	wait_for(r, "'7x' is no percentage");
	type(r, "T");
	wait_for(r, "How far to trust this");
	type(r, "q");
	type(r, "S");
	wait_for(r, "One row for each");
	type(r, "q");
	type(r, "q");
	finish(r, "status=0");
}

static void test_interrupted(void **state)
{
	struct run *r = browse();

	(void)state;
	type(r, "\003");
	finish(r, "status=0");
}

static void test_what_cannot_be_loaded(void **state)
{
	struct run *r = start("/dev/null/nothing");

	(void)state;
	wait_for(r, "ptui: report: ");
	finish(r, "status=255");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_visit),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_what_cannot_be_loaded),
	};

	return cmocka_run_group_tests(tests, make_recording, remove_recording);
}
