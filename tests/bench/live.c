/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live SECONDS PTUI WORK FOLDER [BEFORE]: ptui top (the Live screen) and perf top in turns, each on its
 * own terminal, system-wide with callchains, at 1 and 4 kHz, on an idle machine and with two busy
 * loops. BEFORE is another build of ptui, instead of perf: to see what a change costs. Prints what each
 * used in SECONDS, without its start:
 *
 *	cpu	percent of one core; of it outside the kernel (user), and inside (sys)
 *	threads	the same by thread: ptui's screen, recorder, profile builder
 *	painted	bytes per second to the terminal
 *	memory	maximum resident
 *
 * Needs root and an otherwise idle machine; every load is limited in time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 32
#define SETTLE_S    2 /* loading symbols, first messages */
#define DEADLINE_S  20
#define LOAD_MS	    "60000"

struct thread_cpu {
	int tid;
	char name[32];
	double s;
};

/* CPU time of a process so far. */
struct taken {
	double s, user, sys; /* seconds */
	struct thread_cpu threads[MAX_THREADS];
	size_t n;
};

struct program {
	const char *name;
	pid_t pid;
	int terminal;
	uint64_t painted;
	char last[512]; /* of what it painted */
};

static const char *ptui, *work, *other; /* other: BEFORE; NULL: perf */
static const char *folder;		/* for their output; created and removed by the caller */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "live: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- programs on terminals ---- */

static void start(struct program *p, const char *name, const char *const *argv)
{
	const struct winsize size = { .ws_row = 40, .ws_col = 120 };
	const char *side;

	*p = (struct program){ .name = name,
			       .terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) };
	if (p->terminal < 0 || grantpt(p->terminal) || unlockpt(p->terminal) ||
	    ioctl(p->terminal, TIOCSWINSZ, &size))
		die("posix_openpt");
	side = ptsname(p->terminal);
	p->pid = fork();
	if (p->pid < 0)
		die("fork");
	if (!p->pid) {
		setsid();
		for (int fd = 0; fd < 3; fd++) {
			close(fd);
			if (open(side, O_RDWR) != fd)
				_exit(126);
		}
		setenv("TERM", "xterm-256color", 1);
		setenv("XDG_STATE_HOME", folder, 1);
		setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
		execvp(argv[0], (char **)argv);
		_exit(127);
	}
}

/* Reads what it paints until `until`, or until `word` was painted. False: it was not. */
static bool watch(struct program *p, double until, const char *word)
{
	while (now() < until) {
		struct pollfd fd = { .fd = p->terminal, .events = POLLIN };
		char buf[4096];
		size_t keep = strlen(p->last);
		ssize_t n;

		if (poll(&fd, 1, 50) <= 0)
			continue;
		n = read(p->terminal, buf, sizeof(buf));
		if (n <= 0)
			return false;
		p->painted += (uint64_t)n;
		for (ssize_t i = 0; i < n; i++) {
			if (keep == sizeof(p->last) - 1)
				memmove(p->last, p->last + 1, keep--);
			p->last[keep++] = buf[i] ? buf[i] : ' ';
			p->last[keep] = '\0';
			if (word && keep >= strlen(word) &&
			    !strcmp(p->last + keep - strlen(word), word))
				return true;
		}
	}
	return !word;
}

static void stop(struct program *p)
{
	kill(p->pid, SIGTERM);
	for (double until = now() + DEADLINE_S; now() < until;) {
		if (waitpid(p->pid, NULL, WNOHANG) == p->pid) {
			close(p->terminal);
			return;
		}
		watch(p, now() + 0.05, NULL);
	}
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	close(p->terminal);
}

/* ---- what they take ---- */

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static void take_thread(struct taken *t, pid_t pid, int tid)
{
	char path[96], text[512], *rest;
	struct thread_cpu *one = &t->threads[t->n];
	unsigned long long ns = 0, user = 0, sys = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)pid, tid);
	if (!read_text(path, text, sizeof(text)) || sscanf(text, "%llu", &ns) != 1)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, tid);
	rest = read_text(path, text, sizeof(text)) ? strrchr(text, ')') : NULL;
	if (!rest || sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
			    &sys) != 2)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, tid);
	read_text(path, one->name, sizeof(one->name));
	one->name[strcspn(one->name, "\n")] = '\0';
	one->tid = tid;
	one->s = (double)ns / 1e9;
	t->n++;
	t->s += one->s;
	t->user += (double)user / (double)sysconf(_SC_CLK_TCK);
	t->sys += (double)sys / (double)sysconf(_SC_CLK_TCK);
}

static void take(struct taken *t, pid_t pid)
{
	char path[64];
	struct dirent *e;
	DIR *dir;

	memset(t, 0, sizeof(*t));
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	while (dir && (e = readdir(dir)) && t->n < MAX_THREADS)
		if (e->d_name[0] != '.')
			take_thread(t, pid, atoi(e->d_name));
	if (dir)
		closedir(dir);
}

static double most_mb(pid_t pid)
{
	char path[64], text[4096];
	const char *line;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	line = read_text(path, text, sizeof(text)) ? strstr(text, "VmHWM:") : NULL;
	return line ? strtod(line + 6, NULL) / 1024 : 0;
}

static double before_of(const struct taken *t, int tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->threads[i].tid == tid)
			return t->threads[i].s;
	return 0;
}

/* Measures it for `seconds`; returns seconds of CPU per second, negative: it has exited. */
static double measure(struct program *p, double seconds)
{
	struct taken before, after;
	uint64_t painted;
	double began, s;

	watch(p, now() + SETTLE_S, NULL);
	take(&before, p->pid);
	painted = p->painted;
	began = now();
	watch(p, began + seconds, NULL);
	take(&after, p->pid);
	s = now() - began;
	if (after.s <= before.s) {
		/* perf 6.1 may abort because of a concurrent recording: see HACKING.md */
		printf("    %-6s has ended by itself\n", p->name);
		return -1;
	}
	printf("    %-6s cpu %6.2f %%  (user %6.2f  sys %6.2f)  painted %7.0f /s  memory %6.1f MB ",
	       p->name, 100 * (after.s - before.s) / s, 100 * (after.user - before.user) / s,
	       100 * (after.sys - before.sys) / s, (double)(p->painted - painted) / s,
	       most_mb(p->pid));
	for (size_t i = 0; i < after.n; i++) {
		double share = (after.threads[i].s - before_of(&before, after.threads[i].tid)) / s;

		if (share >= 0.00005)
			printf(" %s%s %.2f", after.threads[i].tid == p->pid ? "screen:" : "",
			       after.threads[i].name, 100 * share);
	}
	printf("\n");
	fflush(stdout);
	return (after.s - before.s) / s;
}

/* ---- the two ---- */

/* Both take the same arguments. */
static double run(const char *name, const char *path, int hz, double seconds)
{
	const char *argv[] = { path, "top", "-g", "-e", "cpu-clock", "-F", NULL, NULL };
	char rate[16];
	struct program p;
	double ret;

	snprintf(rate, sizeof(rate), "%d", hz);
	argv[6] = rate;
	start(&p, name, argv);
	if (!watch(&p, now() + DEADLINE_S, "Shared Object")) {
		fprintf(stderr, "live: %s top is never shown: %s\n", name, p.last);
		exit(1);
	}
	ret = measure(&p, seconds);
	stop(&p);
	return ret;
}

static void start_load(pid_t pids[2])
{
	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			execl(work, work, "spin", LOAD_MS, (char *)NULL);
			_exit(127);
		}
	}
}

static void end_load(const pid_t pids[2])
{
	for (int i = 0; i < 2; i++) {
		if (pids[i] <= 0)
			continue;
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

int main(int argc, char **argv)
{
	static const int rates[] = { 1000, 4000 };
	double seconds = argc == 5 || argc == 6 ? atof(argv[1]) : 0;

	if (seconds <= 0) {
		fprintf(stderr, "usage: live SECONDS PTUI WORK FOLDER [BEFORE]\n");
		return 2;
	}
	ptui = argv[2];
	work = argv[3];
	folder = argv[4];
	other = argv[5]; /* NULL at the end */
	for (int busy = 0; busy < 2; busy++)
		for (size_t i = 0; i < 2; i++) {
			pid_t load[2] = { 0 };
			double perf, ours;

			printf("whole system, -g, %d Hz, %s\n", rates[i],
			       busy ? "two busy loops" : "idle");
			if (busy)
				start_load(load);
			perf = run(other ? "before" : "perf", other ? other : "perf", rates[i],
				   seconds);
			ours = run("ptui", ptui, rates[i], seconds);
			if (perf > 0 && ours > 0)
				printf("    ratio cpu %.1f\n", perf / ours);
			end_load(load);
		}
	return 0;
}
