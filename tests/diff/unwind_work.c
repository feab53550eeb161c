/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads whose stacks are hard to unwind: unwind_work NAME [ROUNDS]
 *
 *	qsort      main -> qsort -> compare, and main -> snprintf: through a library without frame pointers
 *	signal     handlers that interrupt a loop, with their own callees
 *	altstack   the same on a stack of their own
 *	remap      two libraries at one address in turns: remap ROUNDS LIB LIB
 *	fork       children that do not exec, and some that do
 *	threads    start routines
 *
 * qsort prints what each part took by its own clock: "sort NS", "print NS", "all NS".
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define N 20000

static volatile unsigned long sink;

static __attribute__((noipa)) void burn(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static __attribute__((noipa)) void sort_part(int *v, unsigned r)
{
	for (unsigned i = 0; i < N; i++)
		v[i] = (int)((i * 2654435761u + r) >> 3);
	qsort(v, N, sizeof(*v), compare);
	__asm__ volatile("" : : : "memory"); /* no tail call */
}

static __attribute__((noipa)) void print_part(const int *v)
{
	char text[64];

	for (unsigned i = 0; i < N; i++) {
		snprintf(text, sizeof(text), "%d:%s:%g", v[i], "abc", (double)v[i] / 3);
		sink += strlen(text);
	}
}

static void do_qsort(unsigned rounds)
{
	static int v[N];
	unsigned long long begin = now_ns(), sort = 0, print = 0;

	for (unsigned r = 0; r < rounds; r++) {
		unsigned long long t = now_ns(), u;

		sort_part(v, r);
		u = now_ns();
		sort += u - t;
		print_part(v);
		print += now_ns() - u;
	}
	printf("sort %llu\nprint %llu\nall %llu\n", sort, print, now_ns() - begin);
}

/* ---- signals ---- */

static void handler(int sig)
{
	(void)sig;
	burn(2000000);
}

static void do_signal(unsigned rounds, int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags | SA_RESTART };
	/* seldom enough for any machine; long enough for samples, which may come in step with it */
	struct itimerval every = { { 0, 10000 }, { 0, 10000 } };

	sigaction(SIGPROF, &sa, NULL);
	setitimer(ITIMER_PROF, &every, NULL);
	do_qsort(rounds);
	memset(&every, 0, sizeof(every));
	setitimer(ITIMER_PROF, &every, NULL);
}

static void do_altstack(unsigned rounds)
{
	stack_t stack = { .ss_size = 65536 };

	stack.ss_sp = malloc(stack.ss_size);
	if (!stack.ss_sp || sigaltstack(&stack, NULL))
		exit(3);
	do_signal(rounds, SA_ONSTACK);
}

/* ---- the same address, other code ---- */

/* Calls a function of one library and of the other, which lie at the same address in turns. */
static void do_remap(unsigned rounds, char **libs)
{
	for (unsigned r = 0; r < rounds; r++) {
		void *lib = dlopen(libs[r % 2], RTLD_NOW);
		void *fn = lib ? dlsym(lib, "unwind_lib") : NULL;
		void (*call)(void (*)(unsigned long), unsigned long);

		if (!fn)
			exit(3);
		memcpy(&call, &fn, sizeof(call));
		call(burn, 1000000);
		printf("%p\n", fn);
		dlclose(lib);
	}
}

static void do_fork(unsigned rounds, char **argv)
{
	for (unsigned r = 0; r < rounds; r++) {
		pid_t pid = fork();

		if (!pid) {
			char *args[] = { argv[0], "qsort", "1", NULL };

			if (r % 2) {
				close(1);
				execv("/proc/self/exe", args);
			}
			burn(2000000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void *start_routine(void *arg)
{
	burn(100000000);
	return arg;
}

static void do_threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, start_routine, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 20;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "qsort"))
		do_qsort(rounds);
	else if (!strcmp(argv[1], "signal"))
		do_signal(rounds, 0);
	else if (!strcmp(argv[1], "altstack"))
		do_altstack(rounds);
	else if (!strcmp(argv[1], "remap") && argc == 5)
		do_remap(rounds, argv + 3);
	else if (!strcmp(argv[1], "fork"))
		do_fork(rounds, argv);
	else if (!strcmp(argv[1], "threads"))
		do_threads();
	else
		return 2;
	return 0;
}
