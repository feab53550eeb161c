/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiled as distributions do: -O2, no frame pointers, no sanitizers. */
#include "unit/unwind/scenes.h"

#include <alloca.h>
#include <dlfcn.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

void (*scene_probe)(void);

static volatile unsigned sink;

static void probe(void)
{
	if (scene_probe)
		scene_probe();
	sink++;
}

#if defined(__x86_64__)

/*
 * CFA in another register than SP and FP, which callees save: what the dynamic loader does while it binds a
 * function. by_expression has the CFA in memory that r12 points to.
 */
__asm__(".text\n"
	".globl scene_by_rbx\n"
	".type scene_by_rbx, @function\n"
	"scene_by_rbx:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbx, -16\n"
	"	mov %rsp, %rbx\n"
	"	.cfi_def_cfa_register %rbx\n"
	"	sub $200, %rsp\n"
	"	and $-64, %rsp\n"
	"	call *%rdi\n"
	"	nop\n"
	"	mov %rbx, %rsp\n"
	"	.cfi_def_cfa_register %rsp\n"
	"	pop %rbx\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size scene_by_rbx, . - scene_by_rbx\n"
	".globl scene_by_expression\n"
	".type scene_by_expression, @function\n"
	"scene_by_expression:\n"
	"	.cfi_startproc\n"
	"	push %r12\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %r12, -16\n"
	"	mov %rsp, %rax\n"
	"	.cfi_def_cfa_register %rax\n"
	"	sub $248, %rsp\n"
	"	and $-64, %rsp\n"
	"	mov %rax, 64(%rsp)\n"
	"	lea 32(%rsp), %r12\n"
	/* r12 + 32; deref; lit8; lit2; mul; plus */
	"	.cfi_escape 0x0f, 0x07, 0x7c, 0x20, 0x06, 0x38, 0x32, 0x1e, 0x22\n"
	/* r12: expression, CFA - 16 (the CFA is on the stack) */
	"	.cfi_escape 0x10, 0x0c, 0x02, 0x40, 0x1c\n"
	"	call *%rdi\n"
	"	mov 64(%rsp), %rsp\n"
	"	.cfi_def_cfa %rsp, 16\n"
	"	.cfi_offset %r12, -16\n"
	"	pop %r12\n"
	"	.cfi_def_cfa_offset 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size scene_by_expression, . - scene_by_expression\n"
	".globl scene_without_cfi\n"
	".type scene_without_cfi, @function\n"
	"scene_without_cfi:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	sub $32, %rsp\n"
	"	call *%rdi\n"
	"	leave\n"
	"	ret\n"
	".size scene_without_cfi, . - scene_without_cfi\n");

#else

void scene_by_rbx(void (*fn)(void))
{
	fn();
}

void scene_by_expression(void (*fn)(void))
{
	fn();
}

void scene_without_cfi(void (*fn)(void))
{
	fn();
}

#endif

static int compare(const void *a, const void *b)
{
	probe();
	return *(const int *)a - *(const int *)b;
}

static void sort(void)
{
	int v[24];

	for (size_t i = 0; i < 24; i++)
		v[i] = (int)(i * 7 % 24);
	qsort(v, 24, sizeof(v[0]), compare);
}

/* Much of libc, and each function is bound by the loader when it is first called. */
static void libc(void)
{
	char text[256];
	time_t when = 86400;
	struct tm tm;

	snprintf(text, sizeof(text), "%d %s %10.3f %-5lx|%g", 42, "word", 3.25, 77ul, 1e100);
	sink += (unsigned)strtod("12.5e3", NULL) + (unsigned)strtol("-77", NULL, 0);
	free(realloc(malloc(100), 5000));
	sink += (unsigned)strlen(strstr(text, "word"));
	sink += gmtime_r(&when, &tm) && mktime(&tm) > 0;
	strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	sink += (unsigned)(uintptr_t)getenv("HOME") + (unsigned)getpid();
	sink += (unsigned)(uintptr_t)memchr(text, 'x', 10) + (unsigned)strcmp(text, "2");
	setlocale(LC_ALL, "C");
}

__attribute__((noinline)) static void aligned(void)
{
	char v[100] __attribute__((aligned(64)));

	snprintf(v, sizeof(v), "%u", sink);
	probe();
	sink += (unsigned char)v[1];
}

__attribute__((noinline)) static void variable(size_t n)
{
	char *v = alloca(n);

	memset(v, 1, n);
	probe();
	sink += (unsigned char)v[n / 2];
}

/* Realigned and of variable size, with arguments on the stack. */
__attribute__((noinline)) static void both(size_t n, int a, int b, int c, int d, int e, int f,
					   int g)
{
	char *v = alloca(n);
	char w[64] __attribute__((aligned(64)));

	memset(v, a + b, n);
	memset(w, c + d, sizeof(w));
	variable(n + (size_t)(e + f + g));
	sort();
	sink += (unsigned char)v[n / 2] + (unsigned char)w[3];
}

static void frames(void)
{
	aligned();
	variable(300);
	both(77, 1, 2, 3, 4, 5, 6, 7);
}

__attribute__((noinline)) static unsigned recursion(unsigned n)
{
	unsigned left, right;

	probe();
	if (n < 2)
		return n;
	left = recursion(n - 1);
	right = recursion(n - 2);
	return left + right;
}

static void recurse(void)
{
	sink += recursion(6);
}

static jmp_buf place;

__attribute__((noinline, noreturn)) static void jump(int depth)
{
	if (depth > 3)
		longjmp(place, 1);
	jump(depth + 1);
}

static void jumps(void)
{
	if (!setjmp(place))
		jump(0);
	probe();
}

static void handler(int sig)
{
	char text[64];

	snprintf(text, sizeof(text), "%d", sig);
	sort();
}

static void with_signal(int flags, int sig)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &sa, NULL);
	raise(sig);
	aligned();
}

static void signals(void)
{
	with_signal(0, SIGUSR1);
}

/* The instruction that failed is executed again, and can read from there now. */
static void after_fault(int sig, siginfo_t *info, void *context)
{
	(void)info;
	handler(sig);
#if defined(__x86_64__)
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = (greg_t)(uintptr_t)&sink;
#else
	(void)context;
#endif
}

static void faults(void)
{
	struct sigaction sa = { .sa_sigaction = after_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &sa, NULL);
#if defined(__x86_64__)
	__asm__ volatile("xor %%eax, %%eax; mov (%%rax), %%ecx" ::: "rax", "rcx", "memory");
#endif
	probe();
}

static char other_stack[65536];

static void alternate(void)
{
	stack_t ss = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };

	sigaltstack(&ss, NULL);
	with_signal(SA_ONSTACK, SIGUSR2);
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, NULL);
}

static void other_registers(void)
{
	scene_by_rbx(sort);
	scene_by_expression(sort);
}

static void nested_registers(void)
{
	scene_by_rbx(other_registers);
}

/* A library that was not there before, and is gone afterwards. */
static void library(void)
{
	void *lib = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
	double (*fn)(double, double) = lib ? (double (*)(double, double))dlsym(lib, "pow") : NULL;

	if (fn)
		sink += (unsigned)fn(2.5, 3.5);
	if (lib)
		dlclose(lib);
}

const struct scene scenes[] = {
	{ .name = "sort", .run = sort },
	{ .name = "libc", .run = libc, .some_without_cfi = true },
	{ .name = "frames", .run = frames },
	{ .name = "recurse", .run = recurse },
	{ .name = "jumps", .run = jumps, .jumps = true },
	{ .name = "signals", .run = signals },
	{ .name = "faults", .run = faults },
	{ .name = "alternate", .run = alternate },
	{ .name = "other_registers", .run = other_registers },
	{ .name = "nested_registers", .run = nested_registers },
	{ .name = "library", .run = library, .some_without_cfi = true },
};

const size_t n_scenes = sizeof(scenes) / sizeof(scenes[0]);
