/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A load with a known profile: work [COMM]
 *
 *	main ── serve ── parse ── 数える	70 %
 *	            │        └──── hot_loop	20 %
 *	            └── warm_loop		10 %
 *
 * One function has a name of wide characters, and COMM may have them, too. It writes two lines at
 * the start and one for each line it reads, and runs until it is killed. It rests for two thirds of the
 * time, so that tests run beside it. After the line "turn" it
 * is only in later_loop, and writes one more line after two seconds of CPU time, before which it does
 * not rest. With WORK_ONE_CPU
 * in the environment it stays on its first CPU.
 */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define ROUND	100000u
#define ROUNDS	16 /* about 10 ms */
#define REST_MS 20

#define LOOP(name, label)                                                                \
	static unsigned name(unsigned n) __asm__(label);                                 \
	static unsigned __attribute__((noinline, noclone, used)) name(unsigned n)        \
	{                                                                                \
		unsigned sum = 0;                                                        \
                                                                                         \
		/* in a register: how fast memory is depends on the place of the code */ \
		while (n--) {                                                            \
			sum = sum * 5 + n;                                               \
			__asm__ volatile("" : "+r"(sum));                                \
		}                                                                        \
		return sum;                                                              \
	}

LOOP(wide_loop, "数える")
LOOP(hot_loop, "hot_loop")
LOOP(warm_loop, "warm_loop")
LOOP(later_loop, "later_loop")

/* Prevents a tail call. */
static unsigned __attribute__((noinline, noclone)) parse(unsigned n)
{
	volatile unsigned sum = wide_loop(7 * n);

	sum += hot_loop(2 * n);
	return sum;
}

static unsigned __attribute__((noinline, noclone)) serve(unsigned n)
{
	volatile unsigned sum = parse(n);

	sum += warm_loop(n);
	return sum;
}

static int has_input(int rest_ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&fd, 1, rest_ms) > 0 && fd.revents & POLLIN;
}

static void stay_here(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("work");
}

static double seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
	char line[256];
	unsigned sum = 0, i;
	double turned = 0;

	if (argc > 1)
		prctl(PR_SET_NAME, argv[1]);
	if (getenv("WORK_ONE_CPU"))
		stay_here();
	puts("work: 仕事を始めます\n\033[31mred\033[0m, \xff damaged,\ta tab");
	fflush(stdout);
	for (;;) {
		for (i = 0; i < ROUNDS; i++)
			sum += turned != 0 ? later_loop(10 * ROUND) : serve(ROUND);
		if (turned > 0 && seconds() - turned >= 2) {
			puts("turned long ago");
			fflush(stdout);
			turned = -1;
		}
		if (!has_input(turned > 0 ? 0 : REST_MS))
			continue;
		if (!fgets(line, sizeof(line), stdin) || !strcmp(line, "end\n"))
			break;
		if (!strcmp(line, "turn\n"))
			turned = seconds();
		printf("heard: %s", line);
		fflush(stdout);
	}
	return sum == 1; /* keeps the work from being optimized away */
}
