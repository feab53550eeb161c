/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The load of the comparisons with perf: some milliseconds of each kind that a report must
 * distinguish.
 *
 *   work            all of it: recursion, a library, threads, fork and exec
 *   work spin MS    one thread, one callchain
 *   work nothing    returns
 *   work maps N     prints a line when it has N executable maps, and keeps them until EOF on stdin
 *
 * Times are CPU times: a busy machine takes as many samples.
 *
 * Built with frame pointers and without debug information (perf would add inlined functions).
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "diff/work.h"

#define APART __attribute__((noipa))

static volatile uint64_t sink;

/*
 * OUTERMOST(name, body): name() calls body() without a frame pointer, so that callchains end there. Its callers are static
 * functions of libc, which have names only where libc's debug symbols are installed.
 */
#ifdef __x86_64__
#define OUTERMOST(name, body)                                                      \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n" \
		".cfi_startproc\n"                                                 \
		"push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %rbp, 0\n"   \
		"xor %ebp, %ebp\ncall " #body "\n"                                 \
		"pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore %rbp\nret\n"    \
		".cfi_endproc\n.size " #name ", . - " #name)
#else
#define OUTERMOST(name, body) __asm__(".globl " #name "\n.set " #name ", " #body)
#endif

static inline uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * A span of CPU time. Its clock takes a system call, which would be sampled as well: it is read when so much
 * time has passed as is left.
 */
struct span {
	uint64_t end_cpu, look;
};

static inline struct span span_of(unsigned ms)
{
	uint64_t ns = ms * 1000000ull;

	return (struct span){ now_ns(CLOCK_THREAD_CPUTIME_ID) + ns, now_ns(CLOCK_MONOTONIC) + ns };
}

static inline bool span_lasts(struct span *s)
{
	uint64_t cpu;

	if (now_ns(CLOCK_MONOTONIC) < s->look)
		return true;
	cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
	if (cpu >= s->end_cpu)
		return false;
	s->look = now_ns(CLOCK_MONOTONIC) + s->end_cpu - cpu;
	return true;
}

APART static void leaf(unsigned n)
{
	uint64_t x = n;

	for (unsigned i = 0; i < 4000; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	sink += x;
}

APART static void leaf_short(unsigned n)
{
	uint64_t x = n;

	for (unsigned i = 0; i < 1000; i++)
		x = x * 2862933555777941757u + 3037000493u;
	sink += x;
}

APART static void branch_a(unsigned n)
{
	leaf(n);
	leaf_short(n);
	sink++;
}

APART static void branch_b(unsigned n)
{
	leaf_short(n);
	sink++;
}

APART static void spin(unsigned ms)
{
	struct span span = span_of(ms);

	for (unsigned n = 0; span_lasts(&span); n++) {
		branch_a(n);
		branch_b(n);
	}
	sink++;
}

APART static void down(unsigned depth)
{
	if (depth % 4 == 0)
		leaf(depth);
	if (depth)
		down(depth - 1);
	sink++;
}

APART static void recurse(unsigned ms)
{
	struct span span = span_of(ms);

	while (span_lasts(&span))
		down(12);
	sink++;
}

/* Calls back from a library: two DSOs alternate in a callchain. */
APART static void library(unsigned ms)
{
	struct span span = span_of(ms);
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - sizeof("libwork.so"));
	work_each_fn each = NULL;
	void *lib;

	if (n > 0) {
		path[n] = 0;
		strcpy(strrchr(path, '/') + 1, "libwork.so");
		lib = dlopen(path, RTLD_NOW);
		if (lib)
			*(void **)&each = dlsym(lib, "work_each");
	}
	if (!each) {
		fprintf(stderr, "work: no libwork.so beside the program\n");
		exit(1);
	}
	while (span_lasts(&span))
		each(8, leaf_short);
	sink++;
}

/* Page faults, and time in the kernel. */
APART static void touch(unsigned pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);

	if (p == MAP_FAILED)
		exit(1);
	for (unsigned i = 0; i < pages; i++)
		p[i * page] = 1;
	munmap(p, pages * page);
}

void *thread_main(void *name);
int work_main(int argc, char **argv);
void *thread(void *name);

OUTERMOST(main, work_main);
OUTERMOST(thread, thread_main);

APART void *thread_main(void *name)
{
	prctl(PR_SET_NAME, name);
	spin(15);
	touch(50);
	return NULL;
}

static void threads(void)
{
	static char names[2][16] = { "left", "right" };
	pthread_t t[2];

	for (int i = 0; i < 2; i++) {
		if (pthread_create(&t[i], NULL, thread, names[i]))
			exit(1);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

static void child(char *self)
{
	pid_t pid = fork();

	if (!pid) {
		spin(10);
		execl("/proc/self/exe", self, "spin", "20", (char *)NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Sleeps and wakes, for the tracepoints of the scheduler. */
static void nap(unsigned times)
{
	struct timespec ts = { .tv_nsec = 100000 };

	while (times--)
		nanosleep(&ts, NULL);
}

/* The kernel merges equal neighbours: every other one is not executable. */
static int many_maps(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, 2 * n * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), ignored;

	if (at == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < n; i++)
		if (mprotect(at + 2 * i * page, page, PROT_READ | PROT_EXEC))
			return 1;
	puts("up");
	fflush(stdout);
	while (read(STDIN_FILENO, &ignored, 1) > 0)
		;
	return 0;
}

APART int work_main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "maps"))
		return many_maps((size_t)atoi(argv[2]));
	if (argc > 1 && !strcmp(argv[1], "nothing"))
		return 0;
	if (argc > 2 && !strcmp(argv[1], "spin")) {
		spin((unsigned)atoi(argv[2]));
		return 0;
	}
	spin(30);
	recurse(20);
	library(30);
	touch(400);
	threads();
	nap(10);
	child(argv[0]);
	return 0;
}
