/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/instruction.h"

#include <elf.h>
#include <string.h>

/* ---- x86-64: prefixes, opcode, ModRM, SIB, displacement, immediate ---- */

enum {
	PREFIX_FS = 0x64, /* the thread pointer in programs */
	PREFIX_GS = 0x65, /* the variables of the CPU in the kernel */
};

enum {
	MAP_ONE_BYTE,
	MAP_0F,
	MAP_0F38,
	MAP_0F3A,
};

struct x86 {
	const uint8_t *bytes;
	size_t n, at;
	bool bad; /* the bytes end, or mean something else */
	bool data16, wide, vex, evex, has_addr32;
	uint8_t segment;		      /* prefix of %fs or %gs; 0: none */
	bool reg_high, base_high, index_high; /* REX.R, REX.B, REX.X */
	unsigned map;
	uint8_t opcode, modrm;
	int64_t immediate;
};

enum {
	RAX = 0,
	RDX = 1,
	RCX = 2,
	RBX = 3,
	RSI = 4,
	RDI = 5,
	RBP = 6,
	RSP = 7,
};

#define BIT(reg) (1U << (reg))
/* rax, rcx, rdx, rsi, rdi, r8 to r11 */
#define CALL_CLOBBERS (BIT(RAX) | BIT(RCX) | BIT(RDX) | BIT(RSI) | BIT(RDI) | 0xf00U)
#define ALL_REGISTERS 0xffffU

static const uint8_t x86_dwarf[] = { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI,
				     8,	  9,   10,  11,	 12,  13,  14,	15 };

static uint8_t x86_byte(struct x86 *x)
{
	if (x->at < x->n)
		return x->bytes[x->at++];
	x->bad = true;
	return 0;
}

/* A signed number of up to 8 bytes. */
static int64_t x86_number(struct x86 *x, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)x86_byte(x) << 8 * i;
	return bytes == 1 ? (int8_t)value :
	       bytes == 2 ? (int16_t)value :
	       bytes == 4 ? (int32_t)value :
			    (int64_t)value;
}

static bool x86_prefix(struct x86 *x, uint8_t byte)
{
	switch (byte) {
	case 0x66:
		x->data16 = true;
		return true;
	case 0x67:
		x->has_addr32 = true;
		return true;
	case PREFIX_FS:
	case PREFIX_GS:
		x->segment = byte;
		return true;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return false;
	}
}

/* VEX and EVEX have the opcode map and the high bits of registers, inverted. */
static void x86_vex(struct x86 *x, uint8_t first)
{
	uint8_t byte = x86_byte(x);

	x->vex = true;
	x->map = MAP_0F;
	x->reg_high = !(byte & 0x80);
	if (first != 0xc5) {
		x->index_high = !(byte & 0x40);
		x->base_high = !(byte & 0x20);
		x->map = byte & (first == 0x62 ? 7 : 0x1f);
		x86_byte(x);
	}
	if (first == 0x62) {
		x->evex = true;
		x86_byte(x);
	}
	x->bad |= x->map < MAP_0F || x->map > MAP_0F3A;
	x->opcode = x86_byte(x);
}

static void x86_opcode(struct x86 *x)
{
	uint8_t byte = x86_byte(x);

	while (!x->bad && x86_prefix(x, byte))
		byte = x86_byte(x);
	if ((byte & 0xf0) == 0x40) {
		x->wide = byte & 8;
		x->reg_high = byte & 4;
		x->index_high = byte & 2;
		x->base_high = byte & 1;
		byte = x86_byte(x);
	}
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) {
		x86_vex(x, byte);
		return;
	}
	if (byte == 0x0f) {
		x->map = MAP_0F;
		byte = x86_byte(x);
		if (byte == 0x38 || byte == 0x3a) {
			x->map = byte == 0x38 ? MAP_0F38 : MAP_0F3A;
			byte = x86_byte(x);
		}
	}
	x->opcode = byte;
}

static bool x86_has_modrm(const struct x86 *x)
{
	uint8_t op = x->opcode;

	if (x->map == MAP_0F)
		return !(op >= 0x05 && op <= 0x09) && op != 0x0b && op != 0x0e &&
		       !(op >= 0x30 && op <= 0x37) && op != 0x77 && (op & 0xf0) != 0x80 &&
		       !(op >= 0xa0 && op <= 0xa2) && !(op >= 0xa8 && op <= 0xaa) &&
		       !(op >= 0xc8 && op <= 0xcf);
	if (x->map != MAP_ONE_BYTE)
		return true;
	if (op < 0x40)
		return (op & 7) < 4;
	return op == 0x63 || op == 0x69 || op == 0x6b || (op & 0xf0) == 0x80 || op == 0xc0 ||
	       op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) ||
	       (op >= 0xd8 && op <= 0xdf) || op == 0xf6 || op == 0xf7 || op >= 0xfe;
}

static unsigned x86_immediate_bytes(const struct x86 *x)
{
	unsigned reg = x->modrm >> 3 & 7, number = x->data16 && !x->wide ? 2 : 4;
	uint8_t op = x->opcode;

	if (x->map == MAP_0F && (op & 0xf0) == 0x80)
		return 4;
	if (x->map == MAP_0F)
		return (op >= 0x70 && op <= 0x73) || op == 0x0f || op == 0xa4 || op == 0xac ||
		       op == 0xba || op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
	if (x->map != MAP_ONE_BYTE)
		return x->map == MAP_0F3A;
	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? number : 0;
	if ((op & 0xf8) == 0xb8)
		return x->wide ? 8 : number;
	if ((op & 0xf0) == 0x70 || (op & 0xf8) == 0xb0 || (op & 0xf8) == 0xe0)
		return 1;
	switch (op) {
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x82:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xd4:
	case 0xd5:
	case 0xeb:
		return 1;
	case 0xc2:
	case 0xca:
		return 2;
	case 0xc8:
		return 3;
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return number;
	case 0xe8:
	case 0xe9:
		return 4;
	case 0xa0:
	case 0xa1:
	case 0xa2:
	case 0xa3:
		return x->has_addr32 ? 4 : 8;
	case 0xf6:
		return reg < 2;
	case 0xf7:
		return reg < 2 ? number : 0;
	default:
		return 0;
	}
}

/* push, pop, call, ret, leave; whatever else they access, as in perf. */
static bool x86_is_stack_operation(const struct x86 *x)
{
	uint8_t op = x->opcode, reg = x->modrm >> 3 & 7;

	if (x->map != MAP_ONE_BYTE || x->evex)
		return false;
	return (op >= 0x50 && op <= 0x5f) || op == 0x68 || op == 0x6a || op == 0x8f || op == 0x9c ||
	       op == 0x9d || op == 0xc2 || op == 0xc3 || op == 0xc8 || op == 0xc9 || op == 0xe8 ||
	       (op == 0xff && (reg == 2 || reg == 3 || reg == 6));
}

/* nop has one for its length. */
static bool x86_is_nop(const struct x86 *x)
{
	return x->map == MAP_0F && x->opcode >= 0x18 && x->opcode <= 0x1f;
}

/* With %gs, only what the kernel has: the address of the variable of the first CPU, also from %rip. */
static void x86_segment(uint8_t segment, bool rip, bool has_base, struct memory_operand *ret)
{
	ret->of_thread = segment == PREFIX_FS;
	if (has_base)
		ret->kind = ret->of_thread == rip ? MEMORY_NONE :
			    rip			  ? MEMORY_ADDRESS :
						    MEMORY_REGISTER;
	else if (!ret->indexed && ret->offset == 0x28)
		ret->kind = MEMORY_STACK_CANARY;
	else if (ret->of_thread)
		ret->kind = MEMORY_THREAD;
}

static void x86_operand(struct x86 *x, struct memory_operand *ret, bool *ret_rip)
{
	unsigned mod = x->modrm >> 6, base = x->modrm & 7, sib;
	bool has_base = true, rip = mod == 0 && base == 5;

	if (base == 4) {
		sib = x86_byte(x);
		base = sib & 7;
		has_base = mod != 0 || base != 5;
		ret->index = x86_dwarf[(sib >> 3 & 7) | (unsigned)x->index_high << 3];
		ret->indexed = ret->index != RSP;
		ret->is_unscaled = ret->indexed && sib < 0x40;
	}
	if (rip || !has_base || mod == 2)
		ret->offset = x86_number(x, 4);
	else if (mod == 1)
		ret->offset = x86_number(x, 1);
	ret->base = x86_dwarf[base | (unsigned)x->base_high << 3];
	ret->kind = rip || !has_base ? MEMORY_ADDRESS : MEMORY_REGISTER;
	ret->addr = (uint64_t)ret->offset;
	*ret_rip = rip;
	if (x->segment)
		x86_segment(x->segment, rip, has_base, ret);
	/* a short one of EVEX is in units of the operand */
	if (x->has_addr32 || (x->evex && mod == 1 && ret->offset))
		ret->kind = MEMORY_NONE;
}

/* ---- x86-64: what it does to registers ---- */

static uint8_t x86_reg(const struct x86 *x)
{
	return x86_dwarf[(x->modrm >> 3 & 7) | (unsigned)x->reg_high << 3];
}

/* In the low bits of the opcode, or of ModRM. */
static uint8_t x86_low_reg(const struct x86 *x, uint8_t bits)
{
	return x86_dwarf[(bits & 7) | (unsigned)x->base_high << 3];
}

/* The operand that is a register or memory; REGISTER_NONE: memory. */
static uint8_t x86_rm(const struct x86 *x)
{
	return x->modrm >> 6 == 3 ? x86_low_reg(x, x->modrm) : REGISTER_NONE;
}

static uint32_t x86_bit(uint8_t reg)
{
	return reg < 32 ? BIT(reg) : 0;
}

static void x86_set(struct instruction *ret, enum instruction_kind kind, uint8_t dst, uint8_t src)
{
	ret->kind = kind;
	ret->dst = dst;
	ret->src = src;
}

static void x86_add(struct instruction *ret, uint8_t dst, int64_t number)
{
	x86_set(ret, INSTRUCTION_ADD, dst, REGISTER_NONE);
	ret->number = number;
}

/* A number that may be an address, in code that is not position-independent. */
static void x86_load_number(struct instruction *ret, uint8_t dst, int64_t number)
{
	x86_set(ret, INSTRUCTION_ADDRESS, dst, REGISTER_NONE);
	ret->memory = (struct memory_operand){ .kind = MEMORY_ADDRESS, .addr = (uint64_t)number };
}

/* Opcodes below 0x40: add, or, adc, sbb, and, sub, xor, cmp. */
static void x86_arithmetic(const struct x86 *x, struct instruction *ret)
{
	unsigned what = x->opcode >> 3, form = x->opcode & 7;
	uint8_t reg = x86_reg(x), rm = x86_rm(x);
	uint8_t dst = form < 2 ? rm : form < 4 ? reg : RAX;
	bool is_sum = (what == 0 || what == 5) && x->wide && (form & 1);

	if (what == 7)
		ret->kind = INSTRUCTION_TEST;
	else if (is_sum && form == 5)
		x86_add(ret, dst, what ? -x->immediate : x->immediate);
	else if (is_sum && dst != REGISTER_NONE)
		x86_set(ret, INSTRUCTION_SUM, dst, what ? REGISTER_NONE : form < 2 ? reg : rm);
	else
		ret->clobbers = x86_bit(dst);
}

/* 0x80 to 0x83, with a number. */
static void x86_arithmetic_number(const struct x86 *x, struct instruction *ret)
{
	unsigned what = x->modrm >> 3 & 7;
	uint8_t rm = x86_rm(x);

	if (what == 7)
		ret->kind = INSTRUCTION_TEST;
	else if ((what == 0 || what == 5) && x->wide && rm != REGISTER_NONE)
		x86_add(ret, rm, what ? -x->immediate : x->immediate);
	else
		ret->clobbers = x86_bit(rm);
}

static void x86_move(const struct x86 *x, struct instruction *ret)
{
	uint8_t reg = x86_reg(x), rm = x86_rm(x);
	bool to_reg = x->opcode & 2;

	if (!(x->opcode & 1) || !x->wide)
		ret->clobbers = to_reg ? BIT(reg) : x86_bit(rm);
	else if (rm == REGISTER_NONE)
		x86_set(ret, to_reg ? INSTRUCTION_LOAD : INSTRUCTION_STORE,
			to_reg ? reg : REGISTER_NONE, to_reg ? REGISTER_NONE : reg);
	else
		x86_set(ret, INSTRUCTION_COPY, to_reg ? reg : rm, to_reg ? rm : reg);
}

/* 0xf6, 0xf7: test, not, neg, mul, div; 0xfe, 0xff: inc, dec, call, jmp, push. */
static void x86_unary(const struct x86 *x, struct instruction *ret)
{
	unsigned what = x->modrm >> 3 & 7;
	uint8_t rm = x86_rm(x);

	if (x->opcode < 0xf8) {
		ret->kind = what < 2 ? INSTRUCTION_TEST : INSTRUCTION_OTHER;
		ret->clobbers = what < 2 ? 0 : what < 4 ? x86_bit(rm) : BIT(RAX) | BIT(RDX);
	} else if (what < 2 && x->opcode == 0xff && x->wide && rm != REGISTER_NONE) {
		x86_add(ret, rm, what ? -1 : 1);
	} else if (what < 2) {
		ret->clobbers = x86_bit(rm);
	} else if (what < 4) {
		ret->kind = INSTRUCTION_CALL;
		ret->clobbers = CALL_CLOBBERS;
	} else if (what < 6) {
		ret->kind = INSTRUCTION_JUMP;
	}
}

static void x86_one_byte(const struct x86 *x, struct instruction *ret)
{
	uint8_t op = x->opcode, low = x86_low_reg(x, op), reg = x86_reg(x), rm = x86_rm(x);

	if (op < 0x40)
		x86_arithmetic(x, ret);
	else if (op >= 0x58 && op <= 0x5f)
		ret->clobbers = BIT(low);
	else if ((op & 0xf0) == 0x70)
		ret->kind = INSTRUCTION_BRANCH;
	else if (op >= 0x80 && op <= 0x83)
		x86_arithmetic_number(x, ret);
	else if (op == 0x84 || op == 0x85 || op == 0xa8 || op == 0xa9)
		ret->kind = INSTRUCTION_TEST;
	else if (op == 0x86 || op == 0x87)
		ret->clobbers = BIT(reg) | x86_bit(rm);
	else if (op >= 0x88 && op <= 0x8b)
		x86_move(x, ret);
	else if (op == 0x8d && x->wide)
		x86_set(ret, INSTRUCTION_ADDRESS, reg, REGISTER_NONE);
	else if (op == 0x63 || op == 0x69 || op == 0x6b || op == 0x8d)
		ret->clobbers = BIT(reg);
	else if (op > 0x90 && op <= 0x97)
		ret->clobbers = BIT(low) | BIT(RAX);
	else if (op == 0x98 || op == 0x99 || op == 0x9f)
		ret->clobbers = BIT(RAX) | BIT(RDX);
	else if (op >= 0xa0 && op <= 0xaf)
		ret->clobbers = BIT(RAX) | BIT(RSI) | BIT(RDI) | BIT(RCX);
	else if ((op & 0xf8) == 0xb8 && !x->data16)
		x86_load_number(ret, low, x->wide ? x->immediate : (uint32_t)x->immediate);
	else if ((op & 0xf0) == 0xb0)
		ret->clobbers = BIT(low) | x86_bit(x86_dwarf[op & 3]); /* ah is in rax */
	else if (op == 0xc7 && x->wide && rm != REGISTER_NONE)
		x86_load_number(ret, rm, x->immediate);
	else if (op == 0xc2 || op == 0xc3 || op == 0xca || op == 0xcb || op == 0xcc || op == 0xcf ||
		 op == 0xf4)
		ret->kind = INSTRUCTION_END;
	else if (op == 0xc8 || op == 0xc9)
		ret->clobbers = BIT(RBP);
	else if (op >= 0xe0 && op <= 0xe3) {
		ret->kind = INSTRUCTION_BRANCH;
		ret->clobbers = BIT(RCX);
	} else if (op == 0xe8) {
		ret->kind = INSTRUCTION_CALL;
		ret->clobbers = CALL_CLOBBERS;
	} else if (op == 0xe9 || op == 0xeb)
		ret->kind = INSTRUCTION_JUMP;
	else if ((op & 0xf0) == 0xe0 || op == 0xd7 || op == 0xdf)
		ret->clobbers = BIT(RAX);
	else if (op == 0xf6 || op == 0xf7 || op >= 0xfe)
		x86_unary(x, ret);
	else if (op == 0x8c || op == 0x8f || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 ||
		 (op >= 0xd0 && op <= 0xd3))
		ret->clobbers = x86_bit(rm);
}

static void x86_two_bytes(const struct x86 *x, struct instruction *ret)
{
	uint8_t op = x->opcode, reg = x86_reg(x), rm = x86_rm(x);

	if (op == 0x0b || op == 0xb9 || op == 0xff)
		ret->kind = INSTRUCTION_END;
	else if ((op & 0xf0) == 0x80)
		ret->kind = INSTRUCTION_BRANCH;
	else if ((op & 0xf0) == 0x40 && !x->vex && x->wide && rm != REGISTER_NONE)
		x86_set(ret, INSTRUCTION_CHOOSE, reg, rm);
	else if (op <= 0x01 || op == 0x05 || op == 0x07 || (op >= 0x30 && op <= 0x37) || op == 0xa2)
		ret->clobbers = BIT(RAX) | BIT(RBX) | BIT(RCX) | BIT(RDX) | BIT(11) | x86_bit(rm);
	else if (op == 0xb0 || op == 0xb1 || op == 0xc7)
		ret->clobbers = BIT(RAX) | BIT(RDX) | x86_bit(rm);
	else if (op >= 0xc8 && op <= 0xcf)
		ret->clobbers = BIT(x86_low_reg(x, op));
	else if (op == 0x02 || op == 0x03 || op == 0x2c || op == 0x2d || (op & 0xf0) == 0x40 ||
		 op == 0x50 || op == 0xaf || (op >= 0xb2 && op <= 0xbf) || op == 0xc5 || op == 0xd7)
		ret->clobbers = BIT(reg) | x86_bit(rm);
	else if (op == 0x20 || op == 0x21 || op == 0x7e || (op & 0xf0) == 0x90 || op == 0xab ||
		 op == 0xac || op == 0xad || op == 0xa4 || op == 0xa5 || op == 0xc0 || op == 0xc1)
		ret->clobbers = x86_bit(rm) | ((op & 0xf0) == 0x90 || op >= 0xc0 ? BIT(reg) : 0);
}

static void x86_effect(const struct x86 *x, struct instruction *ret)
{
	uint8_t op = x->opcode;

	if (x->map == MAP_ONE_BYTE)
		x86_one_byte(x, ret);
	else if (x->map == MAP_0F)
		x86_two_bytes(x, ret);
	else if (op >= 0xf0)
		ret->clobbers = x->vex ? ALL_REGISTERS : BIT(x86_reg(x));
	else if (x->map == MAP_0F3A)
		ret->clobbers = x86_bit(x86_rm(x)) | BIT(RCX);
}

static bool x86_decode(uint64_t pc, const uint8_t *bytes, size_t n, struct instruction *ret)
{
	struct x86 x = { .bytes = bytes, .n = n };
	bool rip = false;

	x86_opcode(&x);
	if (x86_has_modrm(&x)) {
		x.modrm = x86_byte(&x);
		if (x.modrm >> 6 != 3)
			x86_operand(&x, &ret->memory, &rip);
	}
	x.immediate = x86_number(&x, x86_immediate_bytes(&x));
	if (x.bad)
		return false;
	ret->bytes = (unsigned)x.at;
	if (rip)
		ret->memory.addr += pc + x.at;
	if (x86_is_stack_operation(&x))
		ret->memory.kind = MEMORY_STACK_OPERATION;
	else if (x86_is_nop(&x))
		ret->memory.kind = MEMORY_NONE;
	x86_effect(&x, ret);
	if (ret->kind == INSTRUCTION_CALL || ret->kind == INSTRUCTION_JUMP ||
	    ret->kind == INSTRUCTION_BRANCH)
		ret->target = x.opcode == 0xff ? 0 : pc + x.at + (uint64_t)x.immediate;
	return true;
}

/* ---- AArch64 ---- */

#define SP 31

static int64_t a64_signed(uint32_t insn, unsigned low, unsigned bits)
{
	return (int32_t)(insn << (32 - low - bits)) >> (32 - bits);
}

static bool a64_decode(uint64_t pc, const uint8_t *bytes, size_t n, struct instruction *ret_insn)
{
	struct memory_operand *ret = &ret_insn->memory;
	uint32_t insn = 0, size, simd, mode;

	if (n < 4)
		return false;
	ret_insn->bytes = 4;
	ret_insn->clobbers = UINT32_MAX;
	for (unsigned i = 0; i < 4; i++)
		insn |= (uint32_t)bytes[i] << 8 * i;
	size = insn >> 30;
	simd = insn >> 26 & 1;
	ret->base = insn >> 5 & 31;
	ret->kind = MEMORY_REGISTER;
	if ((insn & 0x3b000000) == 0x39000000) {
		/* [base, #offset] */
		ret->offset = (int64_t)(insn >> 10 & 0xfff) << (simd && insn & 0x800000 ? 4 : size);
	} else if ((insn & 0x3b200000) == 0x38000000) {
		/* [base, #offset], [base], #offset or [base, #offset]! */
		mode = insn >> 10 & 3;
		ret->offset = mode == 1 ? 0 : a64_signed(insn, 12, 9);
		if (ret->base == SP && mode & 1)
			ret->kind = MEMORY_STACK_OPERATION;
	} else if ((insn & 0x3b200c00) == 0x38200800) {
		ret->indexed = true;
	} else if ((insn & 0x3a000000) == 0x28000000) {
		/* pairs */
		mode = insn >> 23 & 3;
		ret->offset = mode == 1 ?
				      0 :
				      a64_signed(insn, 15, 7) * (4 << (simd ? size : size >> 1));
		if (ret->base == SP && mode & 1)
			ret->kind = MEMORY_STACK_OPERATION;
	} else if ((insn & 0x3b000000) == 0x18000000) {
		ret->kind = MEMORY_ADDRESS;
		ret->addr = pc + (uint64_t)(a64_signed(insn, 5, 19) * 4);
	} else if ((insn & 0x3f000000) != 0x08000000) { /* those have [base] */
		ret->kind = MEMORY_NONE;
	}
	return true;
}

bool instruction_decode(uint16_t machine, uint64_t pc, const uint8_t *bytes, size_t n,
			struct instruction *ret)
{
	bool known = false;

	memset(ret, 0, sizeof(*ret));
	ret->dst = ret->src = REGISTER_NONE;
	if (machine == EM_X86_64)
		known = x86_decode(pc, bytes, n, ret);
	else if (machine == EM_AARCH64)
		known = a64_decode(pc, bytes, n, ret);
	if (!known)
		ret->memory.kind = MEMORY_NONE;
	return known;
}
