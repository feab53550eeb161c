/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands in memory of machine code, as objdump prints it. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "symbol/memory_operand.h"

#define PC 0x1000

static const struct {
	const char *text;
	uint8_t bytes[16];
	size_t n;
	struct memory_operand op;
} x86[] = {
	{ "mov 0x18(%rdi),%rax",
	  { 0x48, 0x8b, 0x47, 0x18 },
	  4,
	  { MEMORY_REGISTER, false, 5, 0x18, 0 } },
	{ "mov (%rax),%eax", { 0x8b, 0x00 }, 2, { MEMORY_REGISTER, false, 0, 0, 0 } },
	{ "addl $0x1,-0x8(%rbp)",
	  { 0x83, 0x45, 0xf8, 0x01 },
	  4,
	  { MEMORY_REGISTER, false, 6, -8, 0 } },
	{ "mov 0x8(%rsp),%rdx",
	  { 0x48, 0x8b, 0x54, 0x24, 0x08 },
	  5,
	  { MEMORY_REGISTER, false, 7, 8, 0 } },
	{ "mov 0x100(%r12),%rdx",
	  { 0x49, 0x8b, 0x94, 0x24, 0x00, 0x01, 0x00, 0x00 },
	  8,
	  { MEMORY_REGISTER, false, 12, 0x100, 0 } },
	{ "mov 0x10(%r13,%r9,8),%rax",
	  { 0x4b, 0x8b, 0x44, 0xcd, 0x10 },
	  5,
	  { MEMORY_REGISTER, true, 13, 0x10, 0 } },
	{ "mov 0x2000(%rip),%eax",
	  { 0x8b, 0x05, 0x00, 0x20, 0x00, 0x00 },
	  6,
	  { MEMORY_ADDRESS, false, 0, 0x2000, PC + 6 + 0x2000 } },
	{ "movl $0x5,0x10(%rip)",
	  { 0xc7, 0x05, 0x10, 0, 0, 0, 5, 0, 0, 0 },
	  10,
	  { MEMORY_ADDRESS, false, 0, 0x10, PC + 10 + 0x10 } },
	{ "movw $0x5,0x10(%rip)",
	  { 0x66, 0xc7, 0x05, 0x10, 0, 0, 0, 5, 0 },
	  9,
	  { MEMORY_ADDRESS, false, 0, 0x10, PC + 9 + 0x10 } },
	{ "cmpb $0x0,-0x10(%rip)",
	  { 0x80, 0x3d, 0xf0, 0xff, 0xff, 0xff, 0 },
	  7,
	  { MEMORY_ADDRESS, false, 0, -0x10, PC + 7 - 0x10 } },
	{ "mov 0x4040(,%rax,8),%rax",
	  { 0x48, 0x8b, 0x04, 0xc5, 0x40, 0x40, 0, 0 },
	  8,
	  { MEMORY_ADDRESS, true, 0, 0x4040, 0x4040 } },
	{ "movss 0x4(%rsi),%xmm0",
	  { 0xf3, 0x0f, 0x10, 0x46, 0x04 },
	  5,
	  { MEMORY_REGISTER, false, 4, 4, 0 } },
	{ "vmovups 0x20(%rcx),%ymm1",
	  { 0xc5, 0xfc, 0x10, 0x49, 0x20 },
	  5,
	  { MEMORY_REGISTER, false, 2, 0x20, 0 } },
	{ "vpshufb 0x8(%r8),%xmm1,%xmm2",
	  { 0xc4, 0xc2, 0x71, 0x00, 0x50, 0x08 },
	  6,
	  { MEMORY_REGISTER, false, 8, 8, 0 } },
	{ "vmovups (%rbx),%zmm0",
	  { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x03 },
	  6,
	  { MEMORY_REGISTER, false, 3, 0, 0 } },
	{ "vmovups 0x40(%rbx),%zmm0",
	  { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x43, 0x01 },
	  7,
	  { .kind = MEMORY_NONE } },
	{ "lock cmpxchg %edx,(%rdi)",
	  { 0xf0, 0x0f, 0xb1, 0x17 },
	  4,
	  { MEMORY_REGISTER, false, 5, 0, 0 } },
	{ "lea 0x8(%rdi),%rax", { 0x48, 0x8d, 0x47, 0x08 }, 4, { .kind = MEMORY_NONE } },
	{ "nopw 0x0(%rax,%rax,1)", { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, 6, { .kind = MEMORY_NONE } },
	{ "mov %fs:0x28,%rax",
	  { 0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0 },
	  9,
	  { .kind = MEMORY_NONE } },
	{ "add %rax,%rbx", { 0x48, 0x01, 0xc3 }, 3, { .kind = MEMORY_NONE } },
	{ "jne", { 0x75, 0xf0 }, 2, { .kind = MEMORY_NONE } },
	{ "push %rbp", { 0x55 }, 1, { .kind = MEMORY_STACK_OPERATION } },
	{ "pop %r12", { 0x41, 0x5c }, 2, { .kind = MEMORY_STACK_OPERATION } },
	{ "ret", { 0xc3 }, 1, { .kind = MEMORY_STACK_OPERATION } },
	{ "call", { 0xe8, 0, 0, 0, 0 }, 5, { .kind = MEMORY_STACK_OPERATION } },
	{ "call *0x8(%rax)", { 0xff, 0x50, 0x08 }, 3, { .kind = MEMORY_STACK_OPERATION } },
	{ "incl 0x8(%rax)", { 0xff, 0x40, 0x08 }, 3, { MEMORY_REGISTER, false, 0, 8, 0 } },
	{ "cut", { 0x48, 0x8b, 0x47 }, 3, { .kind = MEMORY_NONE } },
};

static const struct {
	const char *text;
	uint32_t insn;
	struct memory_operand op;
} a64[] = {
	{ "ldr x1, [x0, #24]", 0xf9400c01, { MEMORY_REGISTER, false, 0, 24, 0 } },
	{ "str w2, [sp, #12]", 0xb9000fe2, { MEMORY_REGISTER, false, 31, 12, 0 } },
	{ "ldrb w3, [x4, #5]", 0x39401483, { MEMORY_REGISTER, false, 4, 5, 0 } },
	{ "ldr q0, [x1, #32]", 0x3dc00820, { MEMORY_REGISTER, false, 1, 32, 0 } },
	{ "ldur x0, [x1, #-8]", 0xf85f8020, { MEMORY_REGISTER, false, 1, -8, 0 } },
	{ "ldr x0, [x1], #16", 0xf8410420, { MEMORY_REGISTER, false, 1, 0, 0 } },
	{ "ldr x0, [x1, #16]!", 0xf8410c20, { MEMORY_REGISTER, false, 1, 16, 0 } },
	{ "ldr x0, [x1, x2, lsl #3]", 0xf8627820, { MEMORY_REGISTER, true, 1, 0, 0 } },
	{ "ldp x0, x1, [x2, #16]", 0xa9410440, { MEMORY_REGISTER, false, 2, 16, 0 } },
	{ "ldp q0, q1, [x2, #32]", 0xad410440, { MEMORY_REGISTER, false, 2, 32, 0 } },
	{ "stp x29, x30, [sp, #-32]!", 0xa9be7bfd, { MEMORY_STACK_OPERATION, false, 31, -32, 0 } },
	{ "ldr x0, PC+8", 0x58000040, { MEMORY_ADDRESS, false, 2, 0, PC + 8 } },
	{ "ldaxr x0, [x1]", 0xc85ffc20, { MEMORY_REGISTER, false, 1, 0, 0 } },
	{ "add x0, x1, x2", 0x8b020020, { .kind = MEMORY_NONE } },
	{ "ret", 0xd65f03c0, { .kind = MEMORY_NONE } },
};

static void check(const char *text, const struct memory_operand *got,
		  const struct memory_operand *want)
{
	if (got->kind != want->kind)
		fail_msg("%s: kind %d", text, (int)got->kind);
	if (want->kind == MEMORY_NONE || want->kind == MEMORY_STACK_OPERATION)
		return;
	if (got->indexed != want->indexed ||
	    (want->kind == MEMORY_REGISTER &&
	     (got->base != want->base || got->offset != want->offset)) ||
	    (want->kind == MEMORY_ADDRESS && got->addr != want->addr))
		fail_msg("%s: base %u offset %lld addr %llx indexed %d", text, got->base,
			 (long long)got->offset, (unsigned long long)got->addr, got->indexed);
}

static void test_x86(void **state)
{
	struct memory_operand op;

	(void)state;
	for (size_t i = 0; i < sizeof(x86) / sizeof(x86[0]); i++) {
		/* what follows makes no difference */
		uint8_t bytes[32];

		memset(bytes, 0xcc, sizeof(bytes));
		memcpy(bytes, x86[i].bytes, x86[i].n);
		memory_operand_decode(EM_X86_64, PC, bytes, x86[i].n, &op);
		check(x86[i].text, &op, &x86[i].op);
		if (strcmp(x86[i].text, "cut") == 0)
			continue;
		memory_operand_decode(EM_X86_64, PC, bytes, 16, &op);
		check(x86[i].text, &op, &x86[i].op);
	}
}

static void test_a64(void **state)
{
	struct memory_operand op;
	uint8_t bytes[4];

	(void)state;
	for (size_t i = 0; i < sizeof(a64) / sizeof(a64[0]); i++) {
		for (unsigned b = 0; b < 4; b++)
			bytes[b] = (uint8_t)(a64[i].insn >> 8 * b);
		memory_operand_decode(EM_AARCH64, PC, bytes, 4, &op);
		check(a64[i].text, &op, &a64[i].op);
	}
}

/* Any bytes, however few; other processors have no operands here. */
static void test_any_bytes(void **state)
{
	struct memory_operand op;
	uint32_t seed = 1;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		size_t n = i % 17;
		uint8_t *bytes = malloc(n ? n : 1);

		assert_non_null(bytes);
		for (size_t b = 0; b < n; b++)
			bytes[b] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
		memory_operand_decode(i & 1 ? EM_X86_64 : EM_AARCH64, PC, bytes, n, &op);
		assert_true(op.base < 32);
		memory_operand_decode(EM_RISCV, PC, bytes, n, &op);
		assert_int_equal(op.kind, MEMORY_NONE);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_a64),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
