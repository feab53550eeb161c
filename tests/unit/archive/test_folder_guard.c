/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder is removed when the process that guards it is killed, and stays when it has finished. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "archive/archive.h"
#include "archive/folder_guard.h"
#include "lib/need.h"

static char folder[64], file[80], inside[96];

static void write_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
}

static int set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/ptui-guard-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s.file", folder);
	snprintf(inside, sizeof(inside), "%s/in", folder);
	assert_int_equal(mkdir(inside, 0700), 0);
	write_file(file);
	snprintf(inside, sizeof(inside), "%s/in/side", folder);
	write_file(inside);
	/* the guard of a child that is gone becomes ours, so its end can be waited for */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	archive_remove_folder(folder);
	unlink(file);
	return 0;
}

static void reap_all(void)
{
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	assert_int_equal(errno, ECHILD);
}

static void killed(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGKILL };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid) {
			struct folder_guard g = FOLDER_GUARD_INIT;

			setpgid(0, 0);
			folder_guard_start(&g, folder, file);
			kill(0, signals[i]); /* to the group, as a terminal does */
			_exit(1);
		}
		reap_all();
		assert_int_equal(access(folder, F_OK), -1);
		assert_int_equal(access(file, F_OK), -1);
		set_up(state);
	}
}

static void finished(void **state)
{
	struct folder_guard g = FOLDER_GUARD_INIT;

	(void)state;
	folder_guard_end(&g);
	folder_guard_start(&g, folder, NULL);
	assert_true(g.fd >= 0);
	folder_guard_end(&g);
	folder_guard_end(&g);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(access(inside, F_OK), 0);
	assert_int_equal(access(file, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(killed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(finished, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
