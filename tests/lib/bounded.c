/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bounded SECONDS COMMAND...: runs a test, limited in time, and leaves no process behind.
 *
 * Time spent waiting for the lock (one_at_a_time) does not count: while the test waits, the file
 * named by PTUI_TEST_WAITS exists. If more tasks are running than there are CPUs, time counts by the
 * share of a task: a busy machine makes a test slow, not wrong. At the limit the test and all its
 * descendants are killed, also those in sessions of their own: this process is their subreaper. The
 * same happens to what is still running when the test ends.
 *
 * The last two lines on stdout:
 *
 *	[time] WALL CPU WAITED		in seconds; CPU includes all descendants
 *	[exit status] N			as a shell has it; 124 after the limit
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_S	     2.0 /* from SIGTERM to SIGKILL */
#define STEP_MS	     100
#define SHARE_MIN    0.1
#define STATUS_LIMIT 124

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* What each running task has of a CPU, 0.1 to 1. Tests of this set PTUI_TEST_LOADAVG=FILE. */
static double share_of_a_task(void)
{
	const char *path = getenv("PTUI_TEST_LOADAVG");
	double n_cpus = (double)sysconf(_SC_NPROCESSORS_ONLN), n_running = 0;
	FILE *f = fopen(path ? path : "/proc/loadavg", "re");

	if (!f)
		return 1;
	/* averages of 1, 5 and 15 minutes; running/all */
	if (fscanf(f, "%*f %*f %*f %lf/", &n_running) != 1)
		n_running = 0;
	fclose(f);
	if (n_running <= n_cpus)
		return 1;
	/* not too little: a test may start many tasks itself */
	return n_cpus / n_running > SHARE_MIN ? n_cpus / n_running : SHARE_MIN;
}

static double seconds_of(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

/* The parent of a process, 0 if it has exited. */
static pid_t parent_of(pid_t pid)
{
	char path[64], line[512], *end;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	/* the name, in parentheses, may contain anything */
	if (fgets(line, sizeof(line), f) && (end = strrchr(line, ')')))
		sscanf(end + 1, " %*c %d", &parent);
	fclose(f);
	return parent;
}

static bool descends_from(pid_t pid, pid_t ancestor)
{
	for (int depth = 0; pid > 1 && depth < 1000; depth++) {
		pid = parent_of(pid);
		if (pid == ancestor)
			return true;
	}
	return false;
}

static void signal_descendants(int sig)
{
	pid_t self = getpid();
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)atoi(entry->d_name);

		if (pid > 0 && descends_from(pid, self))
			kill(pid, sig);
	}
	if (proc)
		closedir(proc);
}

/* Reaps exited children. False: no child is left. *status: of the test, if it was among them. */
static bool reap(pid_t test, int *status, bool *ended)
{
	int how;
	pid_t pid;

	while ((pid = waitpid(-1, &how, WNOHANG)) > 0) {
		if (pid != test)
			continue;
		*status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
		*ended = true;
	}
	return pid == 0;
}

static void wait_for_child(int ms)
{
	struct timespec step = { .tv_nsec = ms * 1000000L };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &step);
}

/* Ends processes left by the test: recorders get some time to finish. */
static void end_descendants(pid_t test, int *status)
{
	double begin = now_s();
	bool asked = false, ended = false;

	while (reap(test, status, &ended)) {
		if (!asked) {
			signal_descendants(SIGTERM);
			signal_descendants(SIGCONT);
			asked = true;
		} else if (now_s() - begin > GRACE_S) {
			signal_descendants(SIGKILL);
		}
		wait_for_child(STEP_MS / 2);
	}
}

static volatile sig_atomic_t interrupted;

static void on_signal(int sig)
{
	interrupted = sig;
}

/* With the default for each signal: make in the background, or under nohup, ignores some. */
static _Noreturn void run_test(char **argv)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(argv[0], argv);
	fprintf(stderr, "bounded: cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

int main(int argc, char **argv)
{
	const char *waits = getenv("PTUI_TEST_WAITS");
	double limit = argc > 2 ? atof(argv[1]) : 0, begin = now_s(), last = begin;
	double waited = 0, counted = 0;
	const int ends[] = { SIGHUP, SIGINT, SIGTERM };
	bool ended = false, over = false;
	int status = 0, ignored = 0;
	struct rusage used;
	sigset_t chld;
	pid_t test;

	if (limit <= 0) {
		fprintf(stderr, "usage: bounded SECONDS COMMAND...\n");
		return 2;
	}
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	test = fork();
	if (test == 0)
		run_test(argv + 2);
	if (test < 0) {
		perror("bounded: fork");
		return 2;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		signal(ends[i], on_signal);

	while (!ended && !over && !interrupted) {
		double now;

		reap(test, &status, &ended);
		if (ended)
			break;
		wait_for_child(STEP_MS);
		now = now_s();
		if (waits && !access(waits, F_OK))
			waited += now - last;
		else
			counted += (now - last) * share_of_a_task();
		last = now;
		over = counted >= limit;
	}
	end_descendants(test, ended ? &ignored : &status);
	if (interrupted)
		return 128 + interrupted;
	getrusage(RUSAGE_CHILDREN, &used);
	printf("\n[time] %.1f %.1f %.1f\n[exit status] %d\n", now_s() - begin,
	       seconds_of(used.ru_utime) + seconds_of(used.ru_stime), waited,
	       over ? STATUS_LIMIT : status);
	return 0;
}
