/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child is executed instruction by instruction and unwound at each: in prologues, epilogues, PLT entries,
 * the lazy binding of the dynamic loader, signal frames. The truth is what its calls have pushed and its
 * returns have not taken yet, which the tracer follows:
 *
 *   call                pushes an entry: (slot on the stack, return address)
 *   SP above the slot   the entry is gone: ret, longjmp, a jump out of the loader
 *   a signal            begins a segment of entries; rt_sigreturn ends it
 */
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/unwind/process.h"
#include "unit/unwind/scenes.h"

#if defined(__x86_64__)

#define STACK_BYTES 16384
#define DEPTH_MAX   128
#define STEPS_MAX   400000

struct call {
	uint64_t slot, ret;
	bool segment; /* the address at which a signal interrupted */
};

struct tracer {
	pid_t pid;
	struct process process;
	struct unwinder *u;
	struct user_regs_struct regs;
	struct call calls[DEPTH_MAX];
	size_t n_calls;
	uint8_t stack[STACK_BYTES];
	size_t stack_bytes;
	uint64_t generation;
	unsigned long steps, wrong, guessed;
};

static size_t child_read(const struct tracer *t, uint64_t addr, void *to, size_t n)
{
	struct iovec local = { to, n }, remote = { (void *)addr, n };
	ssize_t got = process_vm_readv(t->pid, &local, 1, &remote, 1, 0);

	for (; got < 0 && n > 4096; n -= 4096) {
		local.iov_len = remote.iov_len = n - 4096;
		got = process_vm_readv(t->pid, &local, 1, &remote, 1, 0);
	}
	return got < 0 ? 0 : (size_t)got;
}

static void unwind_child(struct tracer *t, uint64_t addrs[DEPTH_MAX], struct unwind_result *ret)
{
	const struct user_regs_struct *r = &t->regs;
	const uint64_t regs[] = { r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi,
				  r->rbp, r->rsp, r->rip, r->r8,  r->r9,  r->r10,
				  r->r11, r->r12, r->r13, r->r14, r->r15 };
	struct unwind_sample s = { .arch = unwind_arch_of_uname("x86_64", 2, NULL),
				   .regs_mask = 0xff01ff,
				   .regs = regs,
				   .stack = t->stack,
				   .generation = t->generation };

	t->stack_bytes = child_read(t, r->rsp, t->stack, STACK_BYTES);
	s.stack_bytes = t->stack_bytes;
	s.dump_full = t->stack_bytes == STACK_BYTES;
	unwind_stack(t->u, &s, addrs, DEPTH_MAX, ret);
}

static void complain(struct tracer *t, const uint64_t *addrs, const struct unwind_result *r)
{
	if (t->wrong++ >= 8)
		return;
	print_message("step %lu: rip %llx, end %d, %u frames instead of %zu\n", t->steps,
		      (unsigned long long)t->regs.rip, (int)r->end, r->n, t->n_calls + 1);
	for (size_t i = 0; i < r->n || i <= t->n_calls; i++) {
		uint64_t want = !i		? t->regs.rip :
				i <= t->n_calls ? t->calls[t->n_calls - i].ret :
						  0;
		struct unwind_place place = { .bias = 0 };
		const char *path = "?";

		for (size_t m = 0; m < t->process.n; m++)
			if (i < r->n && addrs[i] >= t->process.v[m].start &&
			    addrs[i] < t->process.v[m].end)
				path = t->process.v[m].path;
		process_find(&t->process, i < r->n ? addrs[i] : want, &place);
		print_message("  %zu: %llx, true %llx, rva %llx of %s\n", i,
			      (unsigned long long)(i < r->n ? addrs[i] : 0),
			      (unsigned long long)want,
			      (unsigned long long)((i < r->n ? addrs[i] : want) - place.bias),
			      path);
	}
}

/* On a stack of its own, what a handler interrupted is on another one: found, but not its callers. */
static bool is_right(const struct tracer *t, const uint64_t *addrs, const struct unwind_result *r)
{
	size_t n = t->n_calls + 1, i = 1;

	for (; i < r->n && i < n; i++)
		if (addrs[i] != t->calls[n - 1 - i].ret)
			return false;
	if (r->end == UNWIND_OTHER_STACK)
		return i > 1 && t->calls[n - i].segment;
	return r->end == UNWIND_START && r->n == n;
}

/* Left already: function 1 is where longjmp goes, and its callers are the outermost of the truth. */
static bool is_jumping(const struct tracer *t, const uint64_t *addrs, const struct unwind_result *r)
{
	for (uint32_t i = 2; i < r->n; i++)
		if (r->n - i > t->n_calls || addrs[i] != t->calls[r->n - i - 1].ret)
			return false;
	return r->n > 2 && r->end == UNWIND_START;
}

static void check_child(struct tracer *t, const struct scene *scene)
{
	struct unwind_result r;
	uint64_t addrs[DEPTH_MAX];

	unwind_child(t, addrs, &r);
	t->guessed += r.n_guessed;
	if (!is_right(t, addrs, &r) && !(scene->jumps && is_jumping(t, addrs, &r)))
		complain(t, addrs, &r);
}

/* ---- the truth ---- */

static bool is_call(const uint8_t *at)
{
	while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0x3e || (*at & 0xf0) == 0x40)
		at++;
	return *at == 0xe8 || (*at == 0xff && (at[1] & 0x38) == 0x10);
}

static void push_call(struct tracer *t, uint64_t slot, uint64_t ret, bool segment)
{
	assert_true(t->n_calls < DEPTH_MAX);
	t->calls[t->n_calls++] = (struct call){ slot, ret, segment };
}

static uint64_t child_word(const struct tracer *t, uint64_t addr)
{
	uint64_t v = 0;

	child_read(t, addr, &v, sizeof(v));
	return v;
}

static void drop_returned(struct tracer *t)
{
	while (t->n_calls && !t->calls[t->n_calls - 1].segment &&
	       t->calls[t->n_calls - 1].slot < t->regs.rsp)
		t->n_calls--;
}

static void drop_segment(struct tracer *t)
{
	while (t->n_calls && !t->calls[t->n_calls - 1].segment)
		t->n_calls--;
	assert_true(t->n_calls);
	t->n_calls--;
}

/* The first stop is in kill(), called by the child: its own callers are taken as found. */
static void begin_truth(struct tracer *t)
{
	struct unwind_result r;
	uint64_t addrs[DEPTH_MAX];

	unwind_child(t, addrs, &r);
	assert_int_equal(r.end, UNWIND_START);
	assert_int_equal(r.n_guessed, 0);
	t->n_calls = 0;
	for (uint32_t i = r.n; i-- > 1;) {
		uint64_t slot = t->regs.rsp;

		while (child_word(t, slot) != addrs[i])
			slot += 8;
		push_call(t, slot, addrs[i], false);
	}
}

/* The kernel has put a signal frame on a stack, and the handler is about to begin. */
static void push_signal(struct tracer *t, uint64_t interrupted)
{
	push_call(t, 0, interrupted, true);
	push_call(t, t->regs.rsp, child_word(t, t->regs.rsp), false);
}

/* One instruction. false: the child has ended its scene. */
static bool step(struct tracer *t)
{
	const struct user_regs_struct was = t->regs;
	uint64_t interrupted = 0;
	uint8_t code[16] = { 0 };
	int status = 0, sig = 0;

	child_read(t, was.rip, code, sizeof(code));
	do {
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, t->pid, NULL, (long)sig), 0);
		assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
		if (!WIFSTOPPED(status) || WSTOPSIG(status) == SIGSTOP)
			return false;
		assert_int_equal(ptrace(PTRACE_GETREGS, t->pid, NULL, &t->regs), 0);
		if (WSTOPSIG(status) != SIGTRAP) {
			sig = WSTOPSIG(status);
			interrupted = t->regs.rip;
		}
	} while (WSTOPSIG(status) != SIGTRAP);
	if (sig)
		push_signal(t, interrupted);
	else if (code[0] == 0x0f && code[1] == 0x05 && was.rax == SYS_rt_sigreturn)
		drop_segment(t);
	else if (is_call(code) && t->regs.rsp == was.rsp - 8)
		push_call(t, t->regs.rsp, child_word(t, t->regs.rsp), false);
	drop_returned(t);
	if (code[0] == 0x0f && code[1] == 0x05 && (was.rax == SYS_mmap || was.rax == SYS_munmap)) {
		process_read(&t->process, t->pid);
		unwinder_forget(t->u);
		t->generation++;
	}
	return true;
}

static void be_traced(const struct scene *scene)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(2);
	raise(SIGSTOP);
	scene->run();
	raise(SIGSTOP);
	_exit(0);
}

static void trace(struct tracer *t, const struct scene *scene)
{
	int status;

	t->pid = fork();
	assert_true(t->pid >= 0);
	if (!t->pid)
		be_traced(scene);
	assert_int_equal(waitpid(t->pid, &status, 0), t->pid);
	if (WIFEXITED(status))
		skip_because("ptrace is not permitted");
	assert_true(WIFSTOPPED(status));
	assert_int_equal(ptrace(PTRACE_GETREGS, t->pid, NULL, &t->regs), 0);
	process_read(&t->process, t->pid);
	unwinder_forget(t->u);
	t->generation++;
	begin_truth(t);
	for (t->steps = 0; t->steps < STEPS_MAX && step(t); t->steps++)
		check_child(t, scene);
	kill(t->pid, SIGKILL);
	waitpid(t->pid, &status, 0);
}

static void test_scene(void **state)
{
	const struct scene *scene = *state;
	struct tracer *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->u = unwinder_new(process_find, &t->process);
	assert_non_null(t->u);
	trace(t, scene);
	print_message("# %s: %lu instructions, %lu stacks wrong, %lu guessed steps\n", scene->name,
		      t->steps, t->wrong, t->guessed);
	assert_true(t->steps > 100 && t->steps < STEPS_MAX);
	assert_true(t->wrong <= (scene->some_without_cfi ? t->steps / 200 : 0));
	unwinder_free(t->u);
	process_release(&t->process);
	free(t);
}

int main(void)
{
	struct CMUnitTest tests[64] = { { 0 } };

	for (size_t i = 0; i < n_scenes; i++) {
		tests[i].name = scenes[i].name;
		tests[i].test_func = test_scene;
		tests[i].initial_state = (void *)&scenes[i];
	}
	return _cmocka_run_group_tests("steps", tests, n_scenes, NULL, NULL);
}

#else

static void test_scene(void **state)
{
	(void)state;
	skip_because("the tracer knows the instructions of x86-64 only");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_scene) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
