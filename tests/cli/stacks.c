/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads whose callchains are known, built with frame pointers: call, deep, sort, threads.
 *
 *	main -> outer -> burn              main -> qsort (none in there) -> compare -> burn
 *	main -> deep -> deep ... -> burn   a thread -> outer -> burn
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "call";

	if (!strcmp(what, "sort"))
		sort();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "deep"))
		for (int i = 0; i < 500; i++)
			deep(200);
	else
		outer(200000000);
	return 0;
}
