/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/need.h"

#define PATIENCE_S 600

/* Nothing of the test's is kept open here, and what forks from the test cannot have the lock. */
static _Noreturn void hold(pid_t test, int report_fd)
{
	const char *path = getenv("PTUI_TEST_LOCK");
	char own[64], door[PATH_MAX];
	int fd, door_fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != test)
		_exit(1);
	for (fd = 0; fd < 256; fd++)
		if (fd != report_fd)
			close(fd);
	if (!path) {
		snprintf(own, sizeof(own), "/tmp/ptui-tests.%d.lock", (int)getuid());
		path = own;
	}
	snprintf(door, sizeof(door), "%s.door", path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	door_fd = open(door, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	signal(SIGALRM, SIG_DFL);
	alarm(PATIENCE_S);
	/* in the order of tap.sh: those who share the lock come later than who waits for it alone */
	if (fd < 0 || door_fd < 0 || flock(door_fd, LOCK_EX) || flock(fd, LOCK_EX))
		_exit(1);
	close(door_fd);
	alarm(0);
	if (write(report_fd, "", 1) != 1)
		_exit(1);
	close(report_fd);
	for (;;)
		pause();
}

/* Waiting is not counted against the test's time limit (bounded.c). */
static void count_as_waiting(bool begins)
{
	const char *path = getenv("PTUI_TEST_WAITS");
	int fd;

	if (!path)
		return;
	if (!begins) {
		unlink(path);
		return;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
}

int one_at_a_time(void **state)
{
	pid_t test = getpid(), holder;
	int report[2];
	ssize_t got;
	char byte;

	(void)state;
	count_as_waiting(true);
	if (pipe2(report, O_CLOEXEC))
		return -1;
	holder = fork();
	if (!holder)
		hold(test, report[1]);
	close(report[1]);
	do {
		got = holder < 0 ? -1 : read(report[0], &byte, 1);
	} while (got < 0 && errno == EINTR);
	close(report[0]);
	count_as_waiting(false);
	if (got == 1)
		return 0;
	print_message(
		"waited %d s in vain for other tests that record: fuser -v /tmp/ptui-tests.%d.lock tells who they are\n",
		PATIENCE_S, (int)getuid());
	return -1;
}
