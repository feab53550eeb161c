/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This process unwinds itself: the context of a signal is the sample, libunwind finds the truth in the handler.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/unwind/process.h"
#include "unit/unwind/scenes.h"

#if defined(__x86_64__)

#define FRAMES_MAX  256
#define STACK_BYTES 65536
#define SP_INDEX    7

/* perf's order: AX BX CX DX SI DI BP SP IP, R8 ... R15 */
static const int order[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
			     REG_RBP, REG_RSP, REG_RIP, REG_R8,	 REG_R9,  REG_R10,
			     REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
#define REGS_MASK 0xff01ff

static struct {
	uint64_t regs[17];
	uint8_t stack[STACK_BYTES];
	size_t bytes;
	const uint8_t *stack_end;
	uint64_t reference[FRAMES_MAX];
	uint32_t n;
} taken;

static struct process process;
static struct unwinder *unwinder;
static uint64_t addrs[FRAMES_MAX];

__attribute__((no_sanitize("address"))) static void copy_stack(const uint8_t *from)
{
	for (taken.bytes = 0; taken.bytes < STACK_BYTES && from + taken.bytes < taken.stack_end;
	     taken.bytes++)
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

/* The end of the stack that runs. */
static void find_stack_end(void)
{
	pthread_attr_t attr;
	void *addr;
	size_t bytes;

	assert_int_equal(pthread_getattr_np(pthread_self(), &attr), 0);
	assert_int_equal(pthread_attr_getstack(&attr, &addr, &bytes), 0);
	taken.stack_end = (const uint8_t *)addr + bytes;
	pthread_attr_destroy(&attr);
}

static struct unwind_sample sample(void)
{
	return (struct unwind_sample){ .arch = unwind_arch_of_uname("x86_64", 2, NULL),
				       .regs_mask = REGS_MASK,
				       .regs = taken.regs,
				       .stack = taken.stack,
				       .stack_bytes = taken.bytes,
				       .dump_full = taken.bytes == STACK_BYTES };
}

static int setup(void **state)
{
	struct sigaction sa = { .sa_sigaction = take, .sa_flags = SA_SIGINFO };

	(void)state;
	sigaction(SIGUSR1, &sa, NULL);
	find_stack_end();
	unwinder = unwinder_new(process_find, &process);
	assert_non_null(unwinder);
	process_read(&process, getpid());
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	scene_probe = NULL;
	unwinder_free(unwinder);
	process_release(&process);
	return 0;
}

static void probe_by_raise(void)
{
	raise(SIGUSR1);
}

/* As libunwind: to the start function, without a guess. */
static struct unwind_result unwind_taken(void)
{
	struct unwind_sample s = sample();
	struct unwind_result r;

	unwind_stack(unwinder, &s, addrs, FRAMES_MAX, &r);
	assert_int_equal(r.end, UNWIND_START);
	assert_int_equal(r.n_guessed, 0);
	assert_int_equal(r.first_guessed, UINT32_MAX);
	assert_int_equal(r.n, taken.n);
	assert_memory_equal(addrs, taken.reference, r.n * sizeof(addrs[0]));
	return r;
}

static const struct scene *scene_named(const char *name)
{
	for (size_t i = 0; i < n_scenes; i++)
		if (!strcmp(scenes[i].name, name))
			return &scenes[i];
	fail_msg("no scene %s", name);
	return NULL;
}

static void test_scenes(void **state)
{
	static const char *const names[] = { "sort",  "frames",		 "recurse",
					     "jumps", "other_registers", "nested_registers" };

	(void)state;
	scene_probe = probe_by_raise;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		taken.n = 0;
		scene_named(names[i])->run();
		assert_true(unwind_taken().n >= 8);
	}
}

static void *in_thread(void *arg)
{
	(void)arg;
	find_stack_end();
	scene_probe = probe_by_raise;
	scene_named("sort")->run();
	unwind_taken();
	return NULL;
}

/* A thread's stack ends in clone3(), of which the caller is undefined. */
static void test_thread(void **state)
{
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, in_thread, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

/* Without rows: one step by the frame pointer, marked; behind it the rows go on. */
static void test_guess(void **state)
{
	struct unwind_sample s;
	struct unwind_result r;

	(void)state;
	scene_without_cfi(probe_by_raise);
	s = sample();
	unwind_stack(unwinder, &s, addrs, FRAMES_MAX, &r);
	assert_int_equal(r.end, UNWIND_START);
	assert_int_equal(r.n_guessed, 1);
	assert_true(r.first_guessed >= 3 && r.first_guessed < 8);
	assert_true(addrs[r.first_guessed] - (uint64_t)(uintptr_t)test_guess < 512);
}

/* A dump that is too short: what is in it, and no more. */
static void test_short_dump(void **state)
{
	struct unwind_sample s;
	struct unwind_result r;
	uint32_t whole, last = 0;

	(void)state;
	scene_probe = probe_by_raise;
	scene_named("frames")->run();
	s = sample();
	s.dump_full = true;
	whole = unwind_taken().n;
	for (s.stack_bytes = 0; s.stack_bytes < taken.bytes; s.stack_bytes += 8) {
		unwind_stack(unwinder, &s, addrs, FRAMES_MAX, &r);
		assert_memory_equal(addrs, taken.reference, r.n * sizeof(addrs[0]));
		assert_true(r.n >= last && r.n_guessed == 0);
		assert_int_equal(r.end, r.n < whole ? UNWIND_DUMP_END : UNWIND_START);
		last = r.n;
	}
	assert_int_equal(last, whole);
}

static void test_max(void **state)
{
	struct unwind_sample s;
	struct unwind_result r;

	(void)state;
	scene_probe = probe_by_raise;
	scene_named("recurse")->run();
	s = sample();
	for (uint32_t max = 1; max < taken.n; max++) {
		unwind_stack(unwinder, &s, addrs, max, &r);
		assert_int_equal(r.n, max);
		assert_int_equal(r.end, UNWIND_MAX);
	}
}

static void test_missing(void **state)
{
	struct unwind_sample s;
	struct unwind_result r;

	(void)state;
	scene_probe = probe_by_raise;
	scene_named("sort")->run();
	s = sample();
	s.regs_mask &= ~(1ull << SP_INDEX);
	unwind_stack(unwinder, &s, addrs, FRAMES_MAX, &r);
	assert_int_equal(r.end, UNWIND_NO_REGS);
	assert_int_equal(r.n, 0);
	s = sample();
	s.arch = NULL;
	unwind_stack(unwinder, &s, addrs, FRAMES_MAX, &r);
	assert_int_equal(r.end, UNWIND_NO_REGS);
	s = sample();
	s.arch = unwind_arch_of_elf(EM_AARCH64, ELFCLASS64, NULL);
	unwind_stack(unwinder, &s, addrs, FRAMES_MAX, &r);
	assert_int_not_equal(r.end, UNWIND_START);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_scenes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_thread, setup, teardown),
		cmocka_unit_test_setup_teardown(test_guess, setup, teardown),
		cmocka_unit_test_setup_teardown(test_short_dump, setup, teardown),
		cmocka_unit_test_setup_teardown(test_max, setup, teardown),
		cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_scenes(void **state)
{
	(void)state;
	skip_because("the registers of a signal's context are known for x86-64 only");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_scenes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
