/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This process unwinds itself: a signal's context is the sample. libunwind and what called what are the truth.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/unwind/process.h"

#define FRAMES_MAX  256
#define STACK_BYTES 65536

/* perf's order: AX BX CX DX SI DI BP SP IP, R8 ... R15 */
static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
			     REG_RBP, REG_RSP, REG_RIP, REG_R8,	 REG_R9,  REG_R10,
			     REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

static struct {
	uint64_t regs[17];
	uint8_t stack[STACK_BYTES];
	size_t bytes;
	uint64_t reference[FRAMES_MAX];
	uint32_t n;
} taken;

__attribute__((no_sanitize("address"))) static void copy_stack(const uint8_t *from)
{
	const uint8_t *end = (const uint8_t *)getauxval(AT_EXECFN); /* the top of the first stack */

	for (taken.bytes = 0; taken.bytes < STACK_BYTES && from + taken.bytes < end; taken.bytes++)
		taken.stack[taken.bytes] = from[taken.bytes];
}

static void take(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;
	unw_cursor_t cursor;

	(void)sig;
	(void)info;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		taken.regs[i] = (uint64_t)uc->uc_mcontext.gregs[order[i]];
	copy_stack((const uint8_t *)uc->uc_mcontext.gregs[REG_RSP]);
	unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME);
	taken.n = 0;
	do {
		unw_word_t ip;

		unw_get_reg(&cursor, UNW_REG_IP, &ip);
		if (!ip)
			break;
		taken.reference[taken.n++] = ip;
	} while (taken.n < FRAMES_MAX && unw_step(&cursor) > 0);
}

static void compare_taken(uint32_t min_frames)
{
	struct process process = { 0 };
	struct unwinder *u = unwinder_new(process_find, &process);
	struct unwind_sample s = { .arch = unwind_arch_of_uname("x86_64", 2, NULL),
				   .regs_mask = 0xff01ff,
				   .regs = taken.regs,
				   .stack = taken.stack,
				   .stack_bytes = taken.bytes,
				   .dump_full = taken.bytes == STACK_BYTES };
	struct unwind_result r;
	uint64_t addrs[FRAMES_MAX];

	assert_non_null(u);
	process_read(&process, getpid());
	unwind_stack(u, &s, addrs, FRAMES_MAX, &r);
	assert_int_equal(r.end, UNWIND_START);
	assert_int_equal(r.n_guessed, 0);
	assert_true(r.n >= min_frames);
	assert_int_equal(r.n, taken.n);
	assert_memory_equal(addrs, taken.reference, r.n * sizeof(addrs[0]));
	unwinder_free(u);
	process_release(&process);
}

static int by_raise(const void *a, const void *b)
{
	raise(SIGUSR1);
	return *(const int *)a - *(const int *)b;
}

static void test_qsort(void **state)
{
	int v[] = { 3, 1, 2 };

	(void)state;
	qsort(v, 3, sizeof(v[0]), by_raise);
	compare_taken(8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_qsort),
	};
	struct sigaction sa = { .sa_sigaction = take, .sa_flags = SA_SIGINFO };

	sigaction(SIGUSR1, &sa, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
