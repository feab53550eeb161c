/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot N PTUI: N snapshots by SIGUSR2, under a load that overwrites everything; compared with
 * perf. Prints minimum, median and maximum, in milliseconds:
 *
 *	file	from the signal until the file is complete and has its name
 *	pause	how long the kernel could not write into the rings
 *	again	from the signal until the rings were resumed; with -M, where they are never paused, until
 *		all earlier samples were in memory
 *
 * perf reports the file only: its rings are paused for most of that time. Needs root and an
 * otherwise idle machine; each recording is limited in time.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N_MAX	  50
#define MAX_WORDS 24
#define PATIENCE  5.0 /* seconds for one snapshot */

/* Some hundred thousand samples per second on two CPUs, for at most 25 seconds. */
#define EVENT "-e raw_syscalls:sys_enter -c 10"
#define LOAD \
	"for i in 1 2; do timeout 25 dd if=/dev/zero of=/dev/null bs=1 status=none & done; wait"

static const struct mode {
	const char *name, *ours, *theirs; /* options; NULL: perf has no such thing */
} modes[] = {
	{ "rings of 512 KiB", "--overwrite -m 512K", "--overwrite --switch-output=signal -m 512K" },
	{ "rings of 8 MiB", "--overwrite -m 8M", "--overwrite --switch-output=signal -m 8M" },
	{ "a memory of 16 MiB", "-M 16M --switch-output", NULL },
};

struct series {
	double v[N_MAX];
	int n;
};

struct result {
	struct series file, pause, again;
	double bytes;
};

static char folder[] = "/tmp/ptui-bench.XXXXXX";

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void nap(double seconds)
{
	struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static void add(struct series *s, double value)
{
	if (s->n < N_MAX)
		s->v[s->n++] = value;
}

/* ---- the recorder ---- */

static pid_t start(const char *program, const char *options)
{
	char *words[MAX_WORDS], *save, *word, *copy = strdup(options), *event = strdup(EVENT);
	char path[64], log[64];
	int n = 0, fd;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/data", folder);
	snprintf(log, sizeof(log), "%s/log", folder);
	words[n++] = (char *)(uintptr_t)program;
	words[n++] = (char *)(uintptr_t) "record";
	words[n++] = (char *)(uintptr_t) "-o";
	words[n++] = path;
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	for (word = strtok_r(event, " ", &save); word; word = strtok_r(NULL, " ", &save))
		words[n++] = word;
	words[n++] = (char *)(uintptr_t) "--";
	words[n++] = (char *)(uintptr_t) "/bin/sh";
	words[n++] = (char *)(uintptr_t) "-c";
	words[n++] = (char *)(uintptr_t)LOAD;
	words[n] = NULL;
	pid = fork();
	if (!pid) {
		fd = open(log, O_RDWR | O_CREAT | O_TRUNC, 0600);
		dup2(fd, 1);
		dup2(fd, 2);
		setenv("LC_ALL", "C", 1);
		execvp(program, words);
		_exit(127);
	}
	free(copy);
	free(event);
	return pid;
}

/* Files "data.<timestamp>", and the size of one of them. */
static int count_files(double *ret_bytes)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	struct stat st;
	char path[300];
	int n = 0;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, "data.2", 6) != 0)
			continue;
		n++;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (!stat(path, &st))
			*ret_bytes = (double)st.st_size;
	}
	if (d)
		closedir(d);
	return n;
}

static void empty_folder(void)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	char path[300];

	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (*e->d_name != '.')
			unlink(path);
	}
	if (d)
		closedir(d);
}

static bool take(pid_t pid, int so_far, struct result *r)
{
	double asked = now();

	if (kill(pid, SIGUSR2))
		return false;
	while (count_files(&r->bytes) == so_far) {
		if (now() - asked > PATIENCE)
			return false;
		nap(0.0001);
	}
	add(&r->file, (now() - asked) * 1e3);
	return true;
}

/* What ptui reports about each at the end. */
static void read_log(struct result *r)
{
	char path[64], line[512], *at;
	double pause, again;
	FILE *f;

	snprintf(path, sizeof(path), "%s/log", folder);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "buffers paused for ");
		if (at &&
		    sscanf(at, "buffers paused for %lf ms, resumed %lf ms", &pause, &again) == 2) {
			add(&r->pause, pause);
			add(&r->again, again);
		}
		at = strstr(line, "; taken ");
		if (at && sscanf(at, "; taken %lf ms", &again) == 1)
			add(&r->again, again);
	}
	if (f)
		fclose(f);
}

static void run(const char *program, const char *options, int n, struct result *r)
{
	double ignored;
	pid_t pid;

	memset(r, 0, sizeof(*r));
	pid = start(program, options);
	nap(2); /* until everything has turned over */
	for (int i = 0; i < n && take(pid, i, r); i++)
		nap(0.2);
	kill(pid, SIGINT);
	waitpid(pid, NULL, 0);
	(void)count_files(&ignored);
	read_log(r);
	empty_folder();
}

/* ---- results ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double tell(const char *who, const char *what, struct series *s)
{
	if (!s->n)
		return 0;
	qsort(s->v, (size_t)s->n, sizeof(s->v[0]), by_value);
	printf("  %-5s %-6s %9.3f %9.3f %9.3f", who, what, s->v[0], s->v[s->n / 2], s->v[s->n - 1]);
	return s->v[s->n / 2];
}

static void compare(const struct mode *m, const char *ptui, int n)
{
	struct result perf = { .bytes = 0 }, ours;
	double theirs = 0, mine;

	if (m->theirs)
		run("perf", m->theirs, n, &perf);
	run(ptui, m->ours, n, &ours);
	printf("snapshots of %s, %d of them (ms: least, median, most)\n", m->name, n);
	if (perf.file.n) {
		theirs = tell("perf", "file", &perf.file);
		printf("   %.1f MB\n", perf.bytes / 1e6);
	}
	mine = tell("ptui", "file", &ours.file);
	printf("   %.1f MB", ours.bytes / 1e6);
	if (theirs > 0 && mine > 0)
		printf(", perf/ptui %.2f", theirs / mine);
	putchar('\n');
	if (tell("ptui", "pause", &ours.pause) > 0)
		putchar('\n');
	if (tell("ptui", "again", &ours.again) > 0)
		putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;

	if (n < 1 || n > N_MAX) {
		fprintf(stderr, "usage: snapshot N PTUI (N: 1 to %d)\n", N_MAX);
		return 2;
	}
	if (!mkdtemp(folder)) {
		perror(folder);
		return 1;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		compare(&modes[i], argv[2], n);
	return rmdir(folder) != 0;
}
