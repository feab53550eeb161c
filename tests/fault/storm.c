/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads to attach to. Each thread that exists at the end touches PAGES fresh pages in marker(),
 * and no other thread does: so the expected page faults are known.
 *
 *	storm pool N	N threads, and the main one, wait from the start
 *	storm relay N	each thread creates the next one: the first N stay, later ones exit then
 *	storm parent N	the main thread creates them all, as many stay
 *
 * Prints "ready" when N threads exist. On SIGUSR1 no more are created; all existing ones touch
 * their pages, and their ids are printed, one per line, after "ready".
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGES	   3
#define PAGE	   4096
#define MAX	   20000
#define STACK	   (64 << 10)
#define BETWEEN_NS 200000 /* two threads */

static atomic_int n_stay, n_done, enough;
static int max, gate[2];
static pid_t done[MAX + 1];

__attribute__((noipa)) static void marker(volatile char *pages)
{
	for (int i = 0; i < PAGES; i++)
		pages[i * PAGE] = 1;
}

static void mark(void)
{
	char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (pages == MAP_FAILED)
		exit(1);
	madvise(pages, PAGES * PAGE, MADV_NOHUGEPAGE);
	marker(pages);
	done[atomic_fetch_add(&n_done, 1)] = (pid_t)syscall(SYS_gettid);
}

static void stay(void)
{
	char c;

	/* until the other end is closed */
	while (read(gate[0], &c, 1) < 0 && errno == EINTR)
		;
	mark();
}

/* True for a thread that stays. */
static int takes_part(void)
{
	int n = atomic_fetch_add(&n_stay, 1);

	if (n < max)
		return 1;
	atomic_fetch_sub(&n_stay, 1);
	return 0;
}

static void start(void *(*run)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attr, run, NULL)) {
		perror("pthread_create");
		exit(1);
	}
}

static void rest(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = BETWEEN_NS }, NULL);
}

static void *plain(void *arg)
{
	if (takes_part())
		stay();
	return arg;
}

static void *relay(void *arg)
{
	int part = takes_part();

	rest();
	if (!enough)
		start(relay);
	else
		close(gate[1]); /* the last one: no thread follows */
	if (part)
		stay();
	return arg;
}

static void on_signal(int number)
{
	(void)number;
	enough = 1;
}

static void wait_for(atomic_int *what, int n)
{
	while (*what < n)
		rest();
}

int main(int argc, char **argv)
{
	int one_by_one;

	max = argc > 2 ? atoi(argv[2]) : 0;
	if (max < 1 || max > MAX || pipe(gate))
		return 2;
	signal(SIGUSR1, on_signal);
	one_by_one = !strcmp(argv[1], "parent");
	if (!strcmp(argv[1], "relay"))
		start(relay);
	for (int i = 0; !strcmp(argv[1], "pool") && i < max; i++)
		start(plain);
	for (int i = 0; one_by_one && i < max; i++, rest())
		start(plain);
	wait_for(&n_stay, max);
	puts("ready");
	fflush(stdout);
	while (!enough) {
		if (one_by_one)
			start(plain);
		rest();
	}
	if (strcmp(argv[1], "relay"))
		close(gate[1]);
	wait_for(&n_done, max);
	mark();
	for (int i = 0; i < n_done; i++)
		printf("%d\n", (int)done[i]);
	return fflush(stdout) ? 1 : 0;
}
