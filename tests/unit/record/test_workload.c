/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workload with real processes: held, started, failing, ended. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/need.h"
#include "record/target/workload.h"

static char sh[] = "sh", dash_c[] = "-c";

static void fork_script(struct workload *w, char *script)
{
	char *argv[] = { sh, dash_c, script, NULL };

	workload_init(w);
	assert_int_equal(workload_fork(w, argv, NULL), 0);
	assert_true(w->pid > 0);
}

static int run_script(char *script)
{
	struct workload w;

	fork_script(&w, script);
	assert_int_equal(workload_start(&w, sh, NULL), 0);
	assert_true(workload_ended(&w, true));
	workload_release(&w);
	return w.status;
}

static void passes_the_status_on(void **state)
{
	char seven[] = "exit 7", killed[] = "kill -9 $$";
	int status;

	(void)state;
	status = run_script(seven);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	status = run_script(killed);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void is_held_until_started(void **state)
{
	char path[] = "/tmp/ptui-workload-XXXXXX";
	int fd = mkstemp(path);
	char script[128];
	struct workload w;

	(void)state;
	close(fd);
	snprintf(script, sizeof(script), "rm -f %s", path);
	fork_script(&w, script);
	assert_false(workload_ended(&w, false));
	/* never started: it exits without having run anything */
	workload_release(&w);
	assert_false(w.running);
	assert_int_equal(w.status, 0);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
}

static void reports_what_cannot_be_run(void **state)
{
	static const struct {
		const char *name;
		int errnum;
	} cases[] = {
		{ "/nonexistent/command", ENOENT },
		{ "ptui-no-such-command", ENOENT },
		{ "/etc/passwd", EACCES },
		{ "/", EACCES },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[64], *argv[] = { name, NULL };
		struct ptui_error err = PTUI_ERROR_INIT;
		struct workload w;

		snprintf(name, sizeof(name), "%s", cases[i].name);
		workload_init(&w);
		assert_int_equal(workload_fork(&w, argv, &err), 0);
		assert_int_equal(workload_start(&w, name, &err), -cases[i].errnum);
		assert_non_null(strstr(err.text, name));
		assert_non_null(strstr(err.text, strerror(cases[i].errnum)));
		assert_false(w.running);
		workload_release(&w);
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void survives_a_killed_held_child(void **state)
{
	char script[] = "exit 0";
	struct workload w;

	(void)state;
	fork_script(&w, script);
	kill(w.pid, SIGKILL);
	waitid(P_PID, (id_t)w.pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT);
	workload_start(&w, sh, NULL); /* no SIGPIPE, and the status is known */
	assert_true(workload_ended(&w, true));
	assert_true(WIFSIGNALED(w.status));
	workload_release(&w);
}

/* Directly, since shells set a mask of their own. */
static void command_gets_the_original_signal_mask(void **state)
{
	char grep[] = "grep", q[] = "-q", pattern[] = "^SigBlk:.*2..$",
	     file[] = "/proc/self/status";
	char *argv[] = { grep, q, pattern, file, NULL };
	struct workload w;
	sigset_t mask, old;

	(void)state;
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &mask, &old);
	workload_init(&w);
	assert_int_equal(workload_fork(&w, argv, NULL), 0);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	assert_int_equal(workload_start(&w, grep, NULL), 0);
	assert_true(workload_ended(&w, true));
	assert_int_equal(w.status, 0);
	workload_release(&w);
}

static void command_gets_the_original_limits(void **state)
{
	struct rlimit before, lowered;
	struct workload w;
	char script[64];

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	lowered = before;
	lowered.rlim_cur--;
	snprintf(script, sizeof(script), "test $(ulimit -n) = %llu",
		 (unsigned long long)lowered.rlim_cur);
	setrlimit(RLIMIT_NOFILE, &lowered);
	fork_script(&w, script);
	/* limits raised here later do not affect the child */
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(workload_start(&w, sh, NULL), 0);
	assert_true(workload_ended(&w, true));
	assert_int_equal(w.status, 0);
	workload_release(&w);
}

static void ends_what_runs_on(void **state)
{
	char script[] = "trap '' TERM; exec sleep 1000";
	struct workload w;

	(void)state;
	fork_script(&w, script);
	assert_int_equal(workload_start(&w, sh, NULL), 0);
	workload_release(&w);
	assert_false(w.running);
	assert_int_equal(WTERMSIG(w.status), SIGKILL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_the_status_on),
		cmocka_unit_test(is_held_until_started),
		cmocka_unit_test(reports_what_cannot_be_run),
		cmocka_unit_test(survives_a_killed_held_child),
		cmocka_unit_test(command_gets_the_original_signal_mask),
		cmocka_unit_test(command_gets_the_original_limits),
		cmocka_unit_test(ends_what_runs_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
