/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/memory_operand.h"

#include <elf.h>
#include <string.h>

/* ---- x86-64: prefixes, opcode, ModRM, SIB, displacement, immediate ---- */

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
	bool data16, wide, evex, has_segment, has_addr32;
	bool base_high, index_high; /* REX.B, REX.X */
	unsigned map;
	uint8_t opcode, modrm;
};

static uint8_t x86_byte(struct x86 *x)
{
	if (x->at < x->n)
		return x->bytes[x->at++];
	x->bad = true;
	return 0;
}

/* A signed number of 1, 4 or 8 bytes. */
static int64_t x86_number(struct x86 *x, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)x86_byte(x) << 8 * i;
	return bytes == 1 ? (int8_t)value : bytes == 4 ? (int32_t)value : (int64_t)value;
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
	case 0x64:
	case 0x65:
		x->has_segment = true;
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

	x->map = MAP_0F;
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

/* Of the instructions with an operand in memory. */
static unsigned x86_immediate_bytes(const struct x86 *x)
{
	unsigned reg = x->modrm >> 3 & 7, number = x->data16 && !x->wide ? 2 : 4;
	uint8_t op = x->opcode;

	if (x->map == MAP_0F)
		return (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
		       op == 0xc2 || (op >= 0xc4 && op <= 0xc6);
	if (x->map != MAP_ONE_BYTE)
		return x->map == MAP_0F3A;
	switch (op) {
	case 0x6b:
	case 0x80:
	case 0x82:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xc6:
		return 1;
	case 0x69:
	case 0x81:
	case 0xc7:
		return number;
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

/* lea computes an address only; nop has one for its length. */
static bool x86_accesses(const struct x86 *x)
{
	return !(x->map == MAP_ONE_BYTE && x->opcode == 0x8d) &&
	       !(x->map == MAP_0F && x->opcode >= 0x18 && x->opcode <= 0x1f);
}

static void x86_operand(struct x86 *x, uint64_t pc, struct memory_operand *ret)
{
	static const uint8_t dwarf[] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };
	unsigned mod = x->modrm >> 6, base = x->modrm & 7, sib;
	bool has_base = true, rip = mod == 0 && base == 5;

	if (base == 4) {
		sib = x86_byte(x);
		base = sib & 7;
		has_base = mod != 0 || base != 5;
		ret->indexed = (sib >> 3 & 7) != 4 || x->index_high;
	}
	if (rip || !has_base || mod == 2)
		ret->offset = x86_number(x, 4);
	else if (mod == 1)
		ret->offset = x86_number(x, 1);
	/* a short one is in units of the operand */
	x->bad |= x->evex && mod == 1 && ret->offset;
	ret->base = dwarf[base | (unsigned)x->base_high << 3];
	ret->kind = rip || !has_base ? MEMORY_ADDRESS : MEMORY_REGISTER;
	ret->addr = (uint64_t)ret->offset;
	if (rip)
		ret->addr += pc + x->at + x86_immediate_bytes(x);
}

static void x86_decode(uint64_t pc, const uint8_t *bytes, size_t n, struct memory_operand *ret)
{
	struct x86 x = { .bytes = bytes, .n = n };
	bool has_modrm;

	x86_opcode(&x);
	has_modrm = x86_has_modrm(&x);
	if (has_modrm)
		x.modrm = x86_byte(&x);
	if (x.bad)
		return;
	if (x86_is_stack_operation(&x))
		ret->kind = MEMORY_STACK_OPERATION;
	else if (has_modrm && x.modrm >> 6 != 3 && !x.has_segment && !x.has_addr32 &&
		 x86_accesses(&x))
		x86_operand(&x, pc, ret);
	if (x.bad)
		*ret = (struct memory_operand){ .kind = MEMORY_NONE };
}

/* ---- AArch64 ---- */

#define SP 31

static int64_t a64_signed(uint32_t insn, unsigned low, unsigned bits)
{
	return (int32_t)(insn << (32 - low - bits)) >> (32 - bits);
}

static void a64_decode(uint64_t pc, const uint8_t *bytes, size_t n, struct memory_operand *ret)
{
	uint32_t insn = 0, size, simd, mode;

	if (n < 4)
		return;
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
}

void memory_operand_decode(uint16_t machine, uint64_t pc, const uint8_t *bytes, size_t n,
			   struct memory_operand *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (machine == EM_X86_64)
		x86_decode(pc, bytes, n, ret);
	else if (machine == EM_AARCH64)
		a64_decode(pc, bytes, n, ret);
}
