/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record RUNS PTUI WORK [MODE]: perf record and ptui record in turns, on the same loads. Prints the
 * median of the runs:
 *
 *	cpu	seconds used by the recorder itself, user and system
 *	user	of them outside the kernel; not for commands
 *	behind	those of child processes left after its exit (closing counters)
 *	exit	seconds from ^C, or from the end of the command, to its exit
 *	load	seconds that the load took, if it ends
 *	lost	samples, by LOST or LOST_SAMPLES of the file, the higher one
 *
 * Needs root and an otherwise idle machine; each load is limited in time.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_RUNS  15
#define MAX_WORDS 24

struct result {
	double cpu, user, behind, exit, load;
	uint64_t samples, lost;
};

struct mode {
	const char *name, *options; /* of both recorders; PID: the load's */
	const char
		*load; /* a shell line; WORK: tests/diff/work; "threads": 500 of them; NULL: none */
	bool is_command; /* the load is what the recorder starts */
	double seconds;	 /* until ^C; 0: until the load has ended */
};

static const struct mode modes[] = {
	{ "-a -g, 1 kHz", "-a -g -F 1000", "WORK spin 8000 & WORK spin 8000 & wait", false, 3 },
	{ "-a -g, 4 kHz", "-a -g -F 4000", "WORK spin 8000 & WORK spin 8000 & wait", false, 3 },
	{ "-a -g, 10 kHz", "-a -g -F 10000", "WORK spin 8000 & WORK spin 8000 & wait", false, 3 },
	{ "flood", "-a -e raw_syscalls:*",
	  "exec timeout 60 dd if=/dev/zero of=/dev/null bs=1 count=400000 status=none", false, 0 },
	{ "wildcards", "-a -e sched:*", "WORK spin 8000", false, 2 },
	{ "a command", "-g", "WORK spin 1000", true, 0 },
	{ "500 threads", "-p PID", "threads", false, 2 },
};

static const char *ptui, *work, *folder;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void nap(double seconds)
{
	struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static double cpu_of(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

/* ---- the file ---- */

/* Every record of the data, by its header. */
static void scan(const char *path, struct result *r)
{
	uint64_t at, end, size, lost = 0, lost_samples = 0, n;
	int fd = open(path, O_RDONLY);
	const uint8_t *file;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || st.st_size < 104)
		return;
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return;
	memcpy(&at, file + 40, 8);
	memcpy(&size, file + 48, 8);
	end = at + size < (uint64_t)st.st_size ? at + size : (uint64_t)st.st_size;
	while (at + 24 <= end) {
		uint32_t type;
		uint16_t bytes;

		memcpy(&type, file + at, 4);
		memcpy(&bytes, file + at + 6, 2);
		if (bytes < 8)
			break;
		if (type == 9) {
			r->samples++;
		} else if (type == 2) {
			memcpy(&n, file + at + 16, 8);
			lost += n;
		} else if (type == 13) {
			memcpy(&n, file + at + 8, 8);
			lost_samples += n;
		}
		at += bytes;
	}
	munmap((void *)(uintptr_t)file, (size_t)st.st_size);
	r->lost = lost > lost_samples ? lost : lost_samples;
}

/* ---- the loads ---- */

static void *idle_thread(void *arg)
{
	(void)arg;
	for (;;)
		nap(0.05);
	return NULL;
}

static _Noreturn void many_threads(void)
{
	pthread_t thread;
	pthread_attr_t attr;

	alarm(60);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (int i = 1; i < 500; i++)
		pthread_create(&thread, &attr, idle_thread, NULL);
	idle_thread(NULL);
	_exit(0);
}

/* WORK and PID of a text replaced. */
static char *fill_in(const char *text, pid_t pid)
{
	char *out = NULL;
	size_t n;
	FILE *f = open_memstream(&out, &n);

	while (f && *text) {
		if (!strncmp(text, "WORK", 4)) {
			fputs(work, f);
			text += 4;
		} else if (!strncmp(text, "PID", 3)) {
			fprintf(f, "%d", (int)pid);
			text += 3;
		} else {
			fputc(*text++, f);
		}
	}
	if (f)
		fclose(f);
	return out;
}

static pid_t start_load(const struct mode *m)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setpgid(0, 0);
	if (!strcmp(m->load, "threads"))
		many_threads();
	execl("/bin/sh", "sh", "-c", fill_in(m->load, 0), NULL);
	_exit(127);
}

/* ---- one run ---- */

static pid_t start_recorder(const struct mode *m, const char *program, const char *path, pid_t load)
{
	char *options = fill_in(m->options, load), *words[MAX_WORDS], *save, *word;
	char stamp[256];
	int n = 0, log;
	pid_t pid;

	words[n++] = (char *)(uintptr_t)program;
	words[n++] = (char *)(uintptr_t) "record";
	words[n++] = (char *)(uintptr_t) "-o";
	words[n++] = (char *)(uintptr_t)path;
	for (word = strtok_r(options, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	if (m->is_command) {
		snprintf(stamp, sizeof(stamp), "%s; touch %s/ended", m->load, folder);
		words[n++] = (char *)(uintptr_t) "--";
		words[n++] = (char *)(uintptr_t) "/bin/sh";
		words[n++] = (char *)(uintptr_t) "-c";
		words[n++] = fill_in(stamp, 0);
	}
	words[n] = NULL;
	pid = fork();
	if (pid)
		return pid;
	log = open("/dev/null", O_RDWR);
	dup2(log, 0);
	dup2(log, 1);
	dup2(log, 2);
	execvp(program, words);
	_exit(127);
}

/* Recording, when its file has a header, and some time has passed. */
static void wait_until_it_records(const char *path, pid_t pid)
{
	struct stat st;

	for (int i = 0; i < 400; i++) {
		if ((!stat(path, &st) && st.st_size > 0) || kill(pid, 0))
			break;
		nap(0.01);
	}
	nap(0.7);
}

/* Its own time in the ticks of /proc, without what it has waited for. */
static double own_cpu(pid_t pid)
{
	unsigned long long utime = 0, stime = 0;
	char path[64], line[1024];
	const char *at = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (f && fgets(line, sizeof(line), f))
		at = strrchr(line, ')');
	if (f)
		fclose(f);
	if (!at || sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &utime,
			  &stime) != 2)
		return -1;
	return (double)(utime + stime) / (double)sysconf(_SC_CLK_TCK);
}

static void reap(const struct mode *m, pid_t pid, double asked, struct result *r)
{
	struct rusage usage;
	char path[256];
	struct stat st;
	siginfo_t info;
	int status;

	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	r->exit = now() - asked;
	r->cpu = own_cpu(pid);
	wait4(pid, &status, 0, &usage);
	if (!m->is_command) {
		r->cpu = cpu_of(&usage);
		r->user = (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
		return;
	}
	snprintf(path, sizeof(path), "%s/ended", folder);
	if (!stat(path, &st))
		r->exit = now() - ((double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9);
}

/* CPU time of the recorder's orphaned children, until they exit. */
static double left_behind(pid_t load)
{
	FILE *f = fopen("/proc/thread-self/children", "r");
	pid_t pids[64];
	struct rusage usage;
	double cpu = 0;
	int n = 0, pid, status;

	while (f && n < 64 && fscanf(f, "%d", &pid) == 1)
		if (pid != load)
			pids[n++] = pid;
	if (f)
		fclose(f);
	while (n-- > 0)
		if (wait4(pids[n], &status, 0, &usage) > 0)
			cpu += cpu_of(&usage);
	return cpu;
}

/*
 * Untouched memory of a virtual machine is allocated by its host page by page, at ten times the
 * cost of a copy, to be paid by the first writer. So touch it and free it.
 */
static void touch_memory(void)
{
	static char piece[1 << 20];
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/warm", folder);
	memset(piece, 1, sizeof(piece));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; fd >= 0 && i < 768; i++)
		if (write(fd, piece, sizeof(piece)) < 0)
			break;
	if (fd >= 0)
		close(fd);
	unlink(path);
}

static void run(const struct mode *m, const char *program, struct result *r)
{
	char path[256];
	pid_t load = 0, recorder;
	double began, asked = 0;
	int status;

	memset(r, 0, sizeof(*r));
	snprintf(path, sizeof(path), "%s/data", folder);
	unlink(path);
	if (!m->is_command && m->seconds <= 0)
		touch_memory();
	if (!m->is_command && m->seconds > 0) {
		load = start_load(m);
		nap(0.3);
	}
	recorder = start_recorder(m, program, path, load);
	if (!m->is_command) {
		wait_until_it_records(path, recorder);
		began = now();
		if (!load)
			load = start_load(m);
		if (m->seconds > 0)
			nap(m->seconds);
		else
			waitpid(load, &status, 0);
		r->load = now() - began;
		asked = now();
		kill(recorder, SIGINT);
	}
	reap(m, recorder, asked, r);
	r->behind = left_behind(load);
	if (load)
		kill(-load, SIGKILL);
	while (wait(&status) > 0 || errno == EINTR)
		;
	scan(path, r);
	unlink(path);
}

/* ---- all runs ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const struct result *results, int n, size_t offset)
{
	double v[MAX_RUNS];

	for (int i = 0; i < n; i++)
		memcpy(&v[i], (const char *)&results[i] + offset, sizeof(v[i]));
	qsort(v, (size_t)n, sizeof(v[0]), by_value);
	return v[n / 2];
}

static void compare(const struct mode *m, int runs)
{
	struct result perf[MAX_RUNS], ours[MAX_RUNS];
	const struct {
		const char *name;
		size_t offset;
	} rows[] = {
		{ "cpu", offsetof(struct result, cpu) },
		{ "user", offsetof(struct result, user) },
		{ "behind", offsetof(struct result, behind) },
		{ "exit", offsetof(struct result, exit) },
		{ "load", offsetof(struct result, load) },
	};
	uint64_t samples[2] = { 0, 0 }, lost[2] = { 0, 0 };

	for (int i = 0; i < runs; i++) {
		run(m, "perf", &perf[i]);
		run(m, ptui, &ours[i]);
		samples[0] += perf[i].samples;
		samples[1] += ours[i].samples;
		lost[0] += perf[i].lost;
		lost[1] += ours[i].lost;
	}
	printf("%s (record %s)\n", m->name, m->options);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double p = median(perf, runs, rows[i].offset),
		       o = median(ours, runs, rows[i].offset);

		if ((m->is_command || m->seconds > 0) && !strcmp(rows[i].name, "load"))
			continue;
		if (m->is_command && !strcmp(rows[i].name, "user"))
			continue;
		printf("    %-6s perf %7.3f s   ptui %7.3f s   perf / ptui %6.1f\n", rows[i].name,
		       p, o, o > 0 ? p / o : 0);
	}
	printf("    lost   perf %llu of %llu   ptui %llu of %llu, all runs\n",
	       (unsigned long long)lost[0], (unsigned long long)(samples[0] + lost[0]),
	       (unsigned long long)lost[1], (unsigned long long)(samples[1] + lost[1]));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char made[] = "/tmp/ptui-bench-record.XXXXXX";
	int runs = argc > 1 ? atoi(argv[1]) : 0;

	if (argc < 4 || runs < 1 || runs > MAX_RUNS) {
		fprintf(stderr, "record RUNS PTUI WORK [MODE...]\n");
		return 1;
	}
	ptui = argv[2];
	work = argv[3];
	folder = mkdtemp(made);
	if (!folder)
		return 1;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		bool wanted = argc == 4;

		for (int k = 4; k < argc; k++)
			wanted |= strstr(modes[i].name, argv[k]) != NULL;
		if (wanted)
			compare(&modes[i], runs);
	}
	return execlp("rm", "rm", "-rf", folder, NULL);
}
