/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What machine code does to registers, and its operands in memory; the texts are those of objdump. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include "lib/need.h"
#include "symbol/instruction.h"

#define PC 0x1000
#define OP(what, with_index, reg, number, address)                                  \
	{                                                                           \
		.kind = what, .indexed = with_index, .base = reg, .offset = number, \
		.addr = address                                                     \
	}

static const struct {
	const char *text;
	uint8_t bytes[16];
	size_t n;
	struct memory_operand op;
} x86[] = {
	{ "mov 0x18(%rdi),%rax",
	  { 0x48, 0x8b, 0x47, 0x18 },
	  4,
	  OP(MEMORY_REGISTER, false, 5, 0x18, 0) },
	{ "mov (%rax),%eax", { 0x8b, 0x00 }, 2, OP(MEMORY_REGISTER, false, 0, 0, 0) },
	{ "addl $0x1,-0x8(%rbp)",
	  { 0x83, 0x45, 0xf8, 0x01 },
	  4,
	  OP(MEMORY_REGISTER, false, 6, -8, 0) },
	{ "mov 0x8(%rsp),%rdx",
	  { 0x48, 0x8b, 0x54, 0x24, 0x08 },
	  5,
	  OP(MEMORY_REGISTER, false, 7, 8, 0) },
	{ "mov 0x100(%r12),%rdx",
	  { 0x49, 0x8b, 0x94, 0x24, 0x00, 0x01, 0x00, 0x00 },
	  8,
	  OP(MEMORY_REGISTER, false, 12, 0x100, 0) },
	{ "mov 0x10(%r13,%r9,8),%rax",
	  { 0x4b, 0x8b, 0x44, 0xcd, 0x10 },
	  5,
	  OP(MEMORY_REGISTER, true, 13, 0x10, 0) },
	{ "mov 0x2000(%rip),%eax",
	  { 0x8b, 0x05, 0x00, 0x20, 0x00, 0x00 },
	  6,
	  OP(MEMORY_ADDRESS, false, 0, 0x2000, PC + 6 + 0x2000) },
	{ "movl $0x5,0x10(%rip)",
	  { 0xc7, 0x05, 0x10, 0, 0, 0, 5, 0, 0, 0 },
	  10,
	  OP(MEMORY_ADDRESS, false, 0, 0x10, PC + 10 + 0x10) },
	{ "movw $0x5,0x10(%rip)",
	  { 0x66, 0xc7, 0x05, 0x10, 0, 0, 0, 5, 0 },
	  9,
	  OP(MEMORY_ADDRESS, false, 0, 0x10, PC + 9 + 0x10) },
	{ "cmpb $0x0,-0x10(%rip)",
	  { 0x80, 0x3d, 0xf0, 0xff, 0xff, 0xff, 0 },
	  7,
	  OP(MEMORY_ADDRESS, false, 0, -0x10, PC + 7 - 0x10) },
	{ "mov 0x4040(,%rax,8),%rax",
	  { 0x48, 0x8b, 0x04, 0xc5, 0x40, 0x40, 0, 0 },
	  8,
	  OP(MEMORY_ADDRESS, true, 0, 0x4040, 0x4040) },
	{ "movss 0x4(%rsi),%xmm0",
	  { 0xf3, 0x0f, 0x10, 0x46, 0x04 },
	  5,
	  OP(MEMORY_REGISTER, false, 4, 4, 0) },
	{ "vmovups 0x20(%rcx),%ymm1",
	  { 0xc5, 0xfc, 0x10, 0x49, 0x20 },
	  5,
	  OP(MEMORY_REGISTER, false, 2, 0x20, 0) },
	{ "vpshufb 0x8(%r8),%xmm1,%xmm2",
	  { 0xc4, 0xc2, 0x71, 0x00, 0x50, 0x08 },
	  6,
	  OP(MEMORY_REGISTER, false, 8, 8, 0) },
	{ "vmovups (%rbx),%zmm0",
	  { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x03 },
	  6,
	  OP(MEMORY_REGISTER, false, 3, 0, 0) },
	{ "vmovups 0x40(%rbx),%zmm0",
	  { 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x43, 0x01 },
	  7,
	  { .kind = MEMORY_NONE } },
	{ "lock cmpxchg %edx,(%rdi)",
	  { 0xf0, 0x0f, 0xb1, 0x17 },
	  4,
	  OP(MEMORY_REGISTER, false, 5, 0, 0) },
	{ "lea 0x8(%rdi),%rax", { 0x48, 0x8d, 0x47, 0x08 }, 4, { .kind = MEMORY_NONE } },
	{ "nopw 0x0(%rax,%rax,1)", { 0x66, 0x0f, 0x1f, 0x44, 0, 0 }, 6, { .kind = MEMORY_NONE } },
	{ "mov %fs:0x28,%rax",
	  { 0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0 },
	  9,
	  { .kind = MEMORY_STACK_CANARY } },
	{ "mov %fs:0x30,%rax",
	  { 0x64, 0x48, 0x8b, 0x04, 0x25, 0x30, 0, 0, 0 },
	  9,
	  OP(MEMORY_THREAD, false, 0, 0x30, 0) },
	{ "incl %fs:-0x8",
	  { 0x64, 0xff, 0x04, 0x25, 0xf8, 0xff, 0xff, 0xff },
	  8,
	  OP(MEMORY_THREAD, false, 0, -8, 0) },
	{ "mov %fs:-0x20(,%rax,8),%rax",
	  { 0x64, 0x48, 0x8b, 0x04, 0xc5, 0xe0, 0xff, 0xff, 0xff },
	  9,
	  OP(MEMORY_THREAD, true, 0, -0x20, 0) },
	{ "incl %fs:(%rax)", { 0x64, 0xff, 0x00 }, 3, OP(MEMORY_REGISTER, false, 0, 0, 0) },
	{ "incl %fs:0x10(%rip)", { 0x64, 0xff, 0x05, 0x10, 0, 0, 0 }, 7, { .kind = MEMORY_NONE } },
	{ "incl %gs:0x1234",
	  { 0x65, 0xff, 0x04, 0x25, 0x34, 0x12, 0, 0 },
	  8,
	  OP(MEMORY_ADDRESS, false, 0, 0x1234, 0x1234) },
	{ "incl %gs:0x10(%rip)",
	  { 0x65, 0xff, 0x05, 0x10, 0, 0, 0 },
	  7,
	  OP(MEMORY_ADDRESS, false, 0, 0x10, PC + 7 + 0x10) },
	{ "incl %gs:(%rax)", { 0x65, 0xff, 0x00 }, 3, { .kind = MEMORY_NONE } },
	{ "add %rax,%rbx", { 0x48, 0x01, 0xc3 }, 3, { .kind = MEMORY_NONE } },
	{ "jne", { 0x75, 0xf0 }, 2, { .kind = MEMORY_NONE } },
	{ "push %rbp", { 0x55 }, 1, { .kind = MEMORY_STACK_OPERATION } },
	{ "pop %r12", { 0x41, 0x5c }, 2, { .kind = MEMORY_STACK_OPERATION } },
	{ "ret", { 0xc3 }, 1, { .kind = MEMORY_STACK_OPERATION } },
	{ "call", { 0xe8, 0, 0, 0, 0 }, 5, { .kind = MEMORY_STACK_OPERATION } },
	{ "call *0x8(%rax)", { 0xff, 0x50, 0x08 }, 3, { .kind = MEMORY_STACK_OPERATION } },
	{ "incl 0x8(%rax)", { 0xff, 0x40, 0x08 }, 3, OP(MEMORY_REGISTER, false, 0, 8, 0) },
	{ "cut", { 0x48, 0x8b, 0x47 }, 3, { .kind = MEMORY_NONE } },
};

static const struct {
	const char *text;
	uint32_t insn;
	struct memory_operand op;
} a64[] = {
	{ "ldr x1, [x0, #24]", 0xf9400c01, OP(MEMORY_REGISTER, false, 0, 24, 0) },
	{ "str w2, [sp, #12]", 0xb9000fe2, OP(MEMORY_REGISTER, false, 31, 12, 0) },
	{ "ldrb w3, [x4, #5]", 0x39401483, OP(MEMORY_REGISTER, false, 4, 5, 0) },
	{ "ldr q0, [x1, #32]", 0x3dc00820, OP(MEMORY_REGISTER, false, 1, 32, 0) },
	{ "ldur x0, [x1, #-8]", 0xf85f8020, OP(MEMORY_REGISTER, false, 1, -8, 0) },
	{ "ldr x0, [x1], #16", 0xf8410420, OP(MEMORY_REGISTER, false, 1, 0, 0) },
	{ "ldr x0, [x1, #16]!", 0xf8410c20, OP(MEMORY_REGISTER, false, 1, 16, 0) },
	{ "ldr x0, [x1, x2, lsl #3]", 0xf8627820, OP(MEMORY_REGISTER, true, 1, 0, 0) },
	{ "ldp x0, x1, [x2, #16]", 0xa9410440, OP(MEMORY_REGISTER, false, 2, 16, 0) },
	{ "ldp q0, q1, [x2, #32]", 0xad410440, OP(MEMORY_REGISTER, false, 2, 32, 0) },
	{ "stp x29, x30, [sp, #-32]!", 0xa9be7bfd, OP(MEMORY_STACK_OPERATION, false, 31, -32, 0) },
	{ "ldr x0, PC+8", 0x58000040, OP(MEMORY_ADDRESS, false, 2, 0, PC + 8) },
	{ "ldaxr x0, [x1]", 0xc85ffc20, OP(MEMORY_REGISTER, false, 1, 0, 0) },
	{ "add x0, x1, x2", 0x8b020020, { .kind = MEMORY_NONE } },
	{ "ret", 0xd65f03c0, { .kind = MEMORY_NONE } },
};

static void check(const char *text, const struct instruction *insn,
		  const struct memory_operand *want)
{
	const struct memory_operand *got = &insn->memory;

	/* not accessed */
	if (insn->kind == INSTRUCTION_ADDRESS) {
		assert_int_equal(want->kind, MEMORY_NONE);
		return;
	}
	if (got->kind != want->kind)
		fail_msg("%s: kind %d", text, (int)got->kind);
	if (want->kind == MEMORY_NONE || want->kind == MEMORY_STACK_OPERATION)
		return;
	if (got->indexed != want->indexed ||
	    (want->kind == MEMORY_REGISTER &&
	     (got->base != want->base || got->offset != want->offset)) ||
	    (want->kind == MEMORY_THREAD && got->offset != want->offset) ||
	    (want->kind == MEMORY_ADDRESS && got->addr != want->addr))
		fail_msg("%s: base %u offset %lld addr %llx indexed %d", text, got->base,
			 (long long)got->offset, (unsigned long long)got->addr, got->indexed);
}

static void test_x86(void **state)
{
	struct instruction insn;

	(void)state;
	for (size_t i = 0; i < sizeof(x86) / sizeof(x86[0]); i++) {
		/* what follows makes no difference */
		uint8_t bytes[32];
		bool cut = !strcmp(x86[i].text, "cut");

		memset(bytes, 0xcc, sizeof(bytes));
		memcpy(bytes, x86[i].bytes, x86[i].n);
		assert_int_equal(instruction_decode(EM_X86_64, PC, bytes, x86[i].n, &insn), !cut);
		check(x86[i].text, &insn, &x86[i].op);
		if (cut)
			continue;
		assert_int_equal(insn.bytes, x86[i].n);
		assert_true(instruction_decode(EM_X86_64, PC, bytes, 16, &insn));
		assert_int_equal(insn.bytes, x86[i].n);
		check(x86[i].text, &insn, &x86[i].op);
	}
}

#define BIT(reg) (1U << (reg))
#define CALLED	 0xf37 /* rax, rdx, rcx, rsi, rdi, r8 to r11 */
#define NO	 REGISTER_NONE

/* Registers in DWARF's order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8. */
static const struct {
	const char *text;
	uint8_t bytes[16];
	unsigned n;
	enum instruction_kind kind;
	uint8_t dst, src;
	int64_t number; /* or the target */
	uint32_t clobbers;
} effects[] = {
	{ "mov %rdi,%rax", { 0x48, 0x89, 0xf8 }, 3, INSTRUCTION_COPY, 0, 5, 0, 0 },
	{ "mov %r12,%rsi", { 0x4c, 0x89, 0xe6 }, 3, INSTRUCTION_COPY, 4, 12, 0, 0 },
	{ "mov %rdi,%r9 (8b)", { 0x4c, 0x8b, 0xcf }, 3, INSTRUCTION_COPY, 9, 5, 0, 0 },
	{ "mov %edi,%eax", { 0x89, 0xf8 }, 2, INSTRUCTION_OTHER, NO, NO, 0, BIT(0) },
	{ "mov 0x18(%rdi),%rdx", { 0x48, 0x8b, 0x57, 0x18 }, 4, INSTRUCTION_LOAD, 1, NO, 0, 0 },
	{ "mov 0x18(%rdi),%edx", { 0x8b, 0x57, 0x18 }, 3, INSTRUCTION_OTHER, NO, NO, 0, BIT(1) },
	{ "mov %rax,-0x18(%rbp)", { 0x48, 0x89, 0x45, 0xe8 }, 4, INSTRUCTION_STORE, NO, 0, 0, 0 },
	{ "mov %al,(%rdi)", { 0x88, 0x07 }, 2, INSTRUCTION_OTHER, NO, NO, 0, 0 },
	{ "lea 0x10(%rsp),%rdi",
	  { 0x48, 0x8d, 0x7c, 0x24, 0x10 },
	  5,
	  INSTRUCTION_ADDRESS,
	  5,
	  NO,
	  0,
	  0 },
	{ "mov $0x404040,%ecx",
	  { 0xb9, 0x40, 0x40, 0x40, 0 },
	  5,
	  INSTRUCTION_ADDRESS,
	  2,
	  NO,
	  0,
	  0 },
	{ "add $0x8,%rbx", { 0x48, 0x83, 0xc3, 0x08 }, 4, INSTRUCTION_ADD, 3, NO, 8, 0 },
	{ "sub $0x10,%rbx", { 0x48, 0x83, 0xeb, 0x10 }, 4, INSTRUCTION_ADD, 3, NO, -16, 0 },
	{ "and $0xf0,%rsp", { 0x48, 0x83, 0xe4, 0xf0 }, 4, INSTRUCTION_OTHER, NO, NO, 0, BIT(7) },
	{ "addl $0x1,(%rax)", { 0x83, 0x00, 0x01 }, 3, INSTRUCTION_OTHER, NO, NO, 0, 0 },
	{ "add $0x1000,%rax", { 0x48, 0x05, 0, 0x10, 0, 0 }, 6, INSTRUCTION_ADD, 0, NO, 0x1000, 0 },
	{ "dec %r8", { 0x49, 0xff, 0xc8 }, 3, INSTRUCTION_ADD, 8, NO, -1, 0 },
	{ "add %rcx,%rax", { 0x48, 0x01, 0xc8 }, 3, INSTRUCTION_SUM, 0, 2, 0, 0 },
	{ "add 0x8(%rdi),%rax", { 0x48, 0x03, 0x47, 0x08 }, 4, INSTRUCTION_SUM, 0, NO, 0, 0 },
	{ "sub %rcx,%rax", { 0x48, 0x29, 0xc8 }, 3, INSTRUCTION_SUM, 0, NO, 0, 0 },
	{ "xor %eax,%eax", { 0x31, 0xc0 }, 2, INSTRUCTION_OTHER, NO, NO, 0, BIT(0) },
	{ "cmp %rax,0x8(%rdi)", { 0x48, 0x39, 0x47, 0x08 }, 4, INSTRUCTION_TEST, NO, NO, 0, 0 },
	{ "test %rdi,%rdi", { 0x48, 0x85, 0xff }, 3, INSTRUCTION_TEST, NO, NO, 0, 0 },
	{ "testb $0x1,0x8(%rax)", { 0xf6, 0x40, 0x08, 1 }, 4, INSTRUCTION_TEST, NO, NO, 0, 0 },
	{ "neg %rdx", { 0x48, 0xf7, 0xda }, 3, INSTRUCTION_OTHER, NO, NO, 0, BIT(1) },
	{ "div %rcx", { 0x48, 0xf7, 0xf1 }, 3, INSTRUCTION_OTHER, NO, NO, 0, BIT(0) | BIT(1) },
	{ "cmove %rsi,%rax", { 0x48, 0x0f, 0x44, 0xc6 }, 4, INSTRUCTION_CHOOSE, 0, 4, 0, 0 },
	{ "movzbl (%rdi),%eax", { 0x0f, 0xb6, 0x07 }, 3, INSTRUCTION_OTHER, NO, NO, 0, BIT(0) },
	{ "movslq %eax,%rdx", { 0x48, 0x63, 0xd0 }, 3, INSTRUCTION_OTHER, NO, NO, 0, BIT(1) },
	{ "movaps %xmm0,(%rdi)", { 0x0f, 0x29, 0x07 }, 3, INSTRUCTION_OTHER, NO, NO, 0, 0 },
	{ "pop %r12", { 0x41, 0x5c }, 2, INSTRUCTION_OTHER, NO, NO, 0, BIT(12) },
	{ "xchg %rax,(%rdi)", { 0x48, 0x87, 0x07 }, 3, INSTRUCTION_OTHER, NO, NO, 0, BIT(0) },
	{ "rep stos %al,(%rdi)",
	  { 0xf3, 0xaa },
	  2,
	  INSTRUCTION_OTHER,
	  NO,
	  NO,
	  0,
	  BIT(0) | BIT(2) | BIT(4) | BIT(5) },
	{ "blsr %rdi,%rax",
	  { 0xc4, 0xe2, 0xf8, 0xf3, 0xcf },
	  5,
	  INSTRUCTION_OTHER,
	  NO,
	  NO,
	  0,
	  0xffff },
	{ "call PC+0x105", { 0xe8, 0, 1, 0, 0 }, 5, INSTRUCTION_CALL, NO, NO, PC + 0x105, CALLED },
	{ "call *%rax", { 0xff, 0xd0 }, 2, INSTRUCTION_CALL, NO, NO, 0, CALLED },
	{ "jmp PC-2", { 0xeb, 0xfc }, 2, INSTRUCTION_JUMP, NO, NO, PC - 2, 0 },
	{ "jmp *%rax", { 0xff, 0xe0 }, 2, INSTRUCTION_JUMP, NO, NO, 0, 0 },
	{ "je PC+0x12", { 0x74, 0x10 }, 2, INSTRUCTION_BRANCH, NO, NO, PC + 0x12, 0 },
	{ "jne PC+0x206",
	  { 0x0f, 0x85, 0, 2, 0, 0 },
	  6,
	  INSTRUCTION_BRANCH,
	  NO,
	  NO,
	  PC + 0x206,
	  0 },
	{ "ret", { 0xc3 }, 1, INSTRUCTION_END, NO, NO, 0, 0 },
	{ "ud2", { 0x0f, 0x0b }, 2, INSTRUCTION_END, NO, NO, 0, 0 },
};

static void test_effects(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++) {
		struct instruction insn;

		assert_true(instruction_decode(EM_X86_64, PC, effects[i].bytes, 16, &insn));
		if (insn.bytes != effects[i].n || insn.kind != effects[i].kind ||
		    insn.dst != effects[i].dst || insn.src != effects[i].src ||
		    insn.clobbers != effects[i].clobbers ||
		    (insn.number ? insn.number : (int64_t)insn.target) != effects[i].number)
			fail_msg(
				"%s: %u bytes, kind %d, dst %u, src %u, number %lld, target %llx, clobbers %x",
				effects[i].text, insn.bytes, (int)insn.kind, insn.dst, insn.src,
				(long long)insn.number, (unsigned long long)insn.target,
				insn.clobbers);
	}
}

static void test_a64(void **state)
{
	struct instruction insn;
	uint8_t bytes[4];

	(void)state;
	for (size_t i = 0; i < sizeof(a64) / sizeof(a64[0]); i++) {
		for (unsigned b = 0; b < 4; b++)
			bytes[b] = (uint8_t)(a64[i].insn >> 8 * b);
		assert_true(instruction_decode(EM_AARCH64, PC, bytes, 4, &insn));
		check(a64[i].text, &insn, &a64[i].op);
	}
}

/* Any bytes, however few; other processors have no operands here. */
static void test_any_bytes(void **state)
{
	struct instruction insn;
	uint32_t seed = 1;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		size_t n = i % 17;
		uint8_t *bytes = malloc(n ? n : 1);

		assert_non_null(bytes);
		for (size_t b = 0; b < n; b++)
			bytes[b] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
		if (instruction_decode(i & 1 ? EM_X86_64 : EM_AARCH64, PC, bytes, n, &insn))
			assert_true(insn.bytes > 0 && insn.bytes <= n && insn.memory.base < 32);
		assert_false(instruction_decode(EM_RISCV, PC, bytes, n, &insn));
		assert_int_equal(insn.memory.kind, MEMORY_NONE);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_effects),
		cmocka_unit_test(test_a64),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
