/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads with known callchains, built with frame pointers: call, deep, sort, threads, share, turns.
 *
 *	main -> outer -> burn              main -> qsort (no frame pointers) -> compare -> burn
 *	main -> deep -> deep ... -> burn   a thread -> outer -> burn
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile unsigned long sink;

static __attribute__((noinline)) void burn(long n)
{
	for (long i = 0; i < n; i++)
		sink += (unsigned long)i;
	__asm__ volatile("");
}

static __attribute__((noinline)) void outer(long n)
{
	burn(n);
	__asm__ volatile("");
}

static __attribute__((noinline)) void deep(int levels)
{
	if (levels)
		deep(levels - 1);
	else
		burn(200000);
	__asm__ volatile("");
}

static int compare(const void *a, const void *b)
{
	burn(100);
	return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

static void sort(void)
{
	static int v[100000];

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++)
		v[i] = rand();
	qsort(v, sizeof(v) / sizeof(*v), sizeof(*v), compare);
	__asm__ volatile("");
}

static void *thread(void *arg)
{
	outer(100000000);
	__asm__ volatile("");
	return arg;
}

static void threads(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

/* ---- share: the part of the CPU time that main takes, measured by itself, in percent ---- */

static double main_s;

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Not below main: exit() calls it when main has returned. */
static void after_main(void)
{
	for (double until_s = cpu_s() + main_s / 20; cpu_s() < until_s;)
		burn(100000);
	printf("%.3f\n", 100 * main_s / cpu_s());
}

static void share(void)
{
	double began_s = cpu_s();
	char text[64];

	atexit(after_main);
	while (cpu_s() < began_s + 0.5) {
		sort();
		for (int i = 0; i < 20000; i++)
			sink += (unsigned long)snprintf(text, sizeof(text), "%d %s", i, "text");
	}
	main_s = cpu_s() - began_s;
}

/* ---- turns: main and a thread work one after the other, so that any part of the run has main's share ---- */

static void *other(void *arg)
{
	struct timespec t;
	double began_s = cpu_s();

	while (cpu_s() < began_s + 0.005)
		burn(100000);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	*(double *)arg += (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	return NULL;
}

/* Prints main's share, in percent, when `s` seconds of CPU time have passed. */
static void turns(double s)
{
	double other_s = 0, began_s = cpu_s();
	pthread_t thread;
	char text[64];

	while (cpu_s() < began_s + s) {
		for (double until_s = cpu_s() + 0.015; cpu_s() < until_s;)
			for (int i = 0; i < 1000; i++)
				sink += (unsigned long)snprintf(text, sizeof(text), "%d %s", i,
								"text");
		if (pthread_create(&thread, NULL, other, &other_s))
			exit(3);
		pthread_join(thread, NULL);
	}
	printf("%.3f\n", 100 - 100 * other_s / (cpu_s() - began_s));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "call";

	if (!strcmp(what, "sort"))
		sort();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "share"))
		share();
	else if (!strcmp(what, "turns"))
		turns(argc > 2 ? atof(argv[2]) : 2);
	else if (!strcmp(what, "deep"))
		for (int i = 0; i < 500; i++)
			deep(200);
	else
		outer(200000000);
	return 0;
}
