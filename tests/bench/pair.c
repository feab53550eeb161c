/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two commands: pair RUNS LABEL NAME-A COMMAND-A NAME-B COMMAND-B
 *
 * They run alternately (A B A B …), so that other load affects both, with their output discarded;
 * prints the medians of wall time, CPU time and maximum memory, and the ratio A / B. Commands are
 * run by the shell, and should use exec. With PAIR_SAMPLES, the wall time is also printed per sample.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RUNS_MAX 99

enum { WALL_S, CPU_S, RSS_MB, N_MEASURES };

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double seconds(const struct timeval *tv)
{
	return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

static void child(const char *command)
{
	int fd = open("/dev/null", O_RDWR);

	if (fd < 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0)
		_exit(126);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* 0, or -1 when the command failed. */
static int measure(const char *command, double ret[N_MEASURES])
{
	struct rusage ru;
	double start = now_s();
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid)
		child(command);
	while (wait4(pid, &status, 0, &ru) < 0) {
		if (errno != EINTR)
			return -1;
	}
	ret[WALL_S] = now_s() - start;
	ret[CPU_S] = seconds(&ru.ru_utime) + seconds(&ru.ru_stime);
	ret[RSS_MB] = (double)ru.ru_maxrss / 1024;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	static double all[2][N_MEASURES][RUNS_MAX];
	double mid[2][N_MEASURES], one[N_MEASURES];
	const char *counted = getenv("PAIR_SAMPLES");
	double samples = counted ? atof(counted) : 0;
	int runs = argc == 7 ? atoi(argv[1]) : 0;

	if (runs < 1 || runs > RUNS_MAX) {
		fprintf(stderr, "usage: pair RUNS LABEL NAME-A COMMAND-A NAME-B COMMAND-B\n");
		return 2;
	}
	for (int i = 0; i < 2 * runs; i++) {
		const char *command = argv[4 + 2 * (i % 2)];

		if (measure(command, one)) {
			fprintf(stderr, "pair: failed: %s\n", command);
			return 1;
		}
		for (int m = 0; m < N_MEASURES; m++)
			all[i % 2][m][i / 2] = one[m];
	}
	for (int who = 0; who < 2; who++) {
		for (int m = 0; m < N_MEASURES; m++)
			mid[who][m] = median(all[who][m], runs);
		printf("%-28s %-5s wall %8.3f s  cpu %8.3f s  max rss %8.1f MB", argv[2],
		       argv[3 + 2 * who], mid[who][WALL_S], mid[who][CPU_S], mid[who][RSS_MB]);
		if (samples > 0)
			printf("  %8.0f ns wall, %8.0f ns cpu per sample",
			       mid[who][WALL_S] * 1e9 / samples, mid[who][CPU_S] * 1e9 / samples);
		printf("\n");
	}
	printf("%-28s ratio wall %8.1f    cpu %8.1f    max rss %8.1f\n", argv[2],
	       mid[0][WALL_S] / mid[1][WALL_S], mid[0][CPU_S] / mid[1][CPU_S],
	       mid[0][RSS_MB] / mid[1][RSS_MB]);
	return 0;
}
