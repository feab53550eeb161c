/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF expressions of call frame information: a stack machine over the registers of one frame and the
 * dumped stack. Jumps can make loops: each operation costs one of the walk's budget.
 */
#include <dwarf.h>
#include "unwind/bytes.h"
#include "unwind/slow.h"

#define STACK_MAX 64

struct machine {
	struct stack_walk *w;
	uint32_t k; /* the frame of which registers are read */
	unsigned depth;
	struct cursor c;
	const uint8_t *begin;
	uint64_t mask; /* bits of an address */
	uint64_t stack[STACK_MAX];
	unsigned n;
	int failed; /* enum unwind_end + 1 */
};

static int fail(struct machine *m, enum unwind_end end)
{
	if (!m->failed)
		m->failed = (int)end + 1;
	return 0;
}

static void push(struct machine *m, uint64_t v)
{
	if (m->n == STACK_MAX)
		fail(m, UNWIND_BAD);
	else
		m->stack[m->n++] = v & m->mask;
}

static uint64_t pop(struct machine *m)
{
	if (!m->n) {
		fail(m, UNWIND_BAD);
		return 0;
	}
	return m->stack[--m->n];
}

static void pick(struct machine *m, unsigned i)
{
	if (i >= m->n)
		fail(m, UNWIND_BAD);
	else
		push(m, m->stack[m->n - 1 - i]);
}

static int64_t as_signed(const struct machine *m, uint64_t v)
{
	return m->mask == UINT32_MAX ? (int32_t)v : (int64_t)v;
}

static void push_reg(struct machine *m, uint64_t reg, int64_t off)
{
	uint64_t v = 0;
	int err = reg > UINT16_MAX ? (int)UNWIND_BAD + 1 :
				     slow_reg(m->w, m->k, (uint32_t)reg, m->depth + 1, &v);

	if (err)
		fail(m, (enum unwind_end)(err - 1));
	push(m, v + (uint64_t)off);
}

static void deref(struct machine *m, unsigned bytes)
{
	unsigned word = m->w->arch->word;
	uint64_t v = 0;
	int err = slow_read(m->w, m->k, pop(m), &v);

	if (err)
		fail(m, (enum unwind_end)(err - 1));
	if (!bytes || bytes > word)
		fail(m, UNWIND_BAD);
	else if (bytes < word) {
		bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != m->w->sample->swapped;

		if (big)
			v >>= 8 * (word - bytes);
		v &= (1ull << 8 * bytes) - 1;
	}
	push(m, v);
}

static void jump(struct machine *m, int16_t by, bool taken)
{
	ptrdiff_t at = m->c.p - m->begin + by;

	if (!taken)
		return;
	if (at < 0 || at > m->c.end - m->begin)
		fail(m, UNWIND_BAD);
	else
		m->c.p = m->begin + at;
}

static void rotate(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m), c = pop(m);

	push(m, a);
	push(m, c);
	push(m, b);
}

/* a b a -> b a */
static void drop_third(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m);

	pop(m);
	push(m, b);
	push(m, a);
}

static void unary(struct machine *m, uint8_t op)
{
	uint64_t a = pop(m);

	push(m, op == DW_OP_not ? ~a : op == DW_OP_abs && as_signed(m, a) >= 0 ? a : -a);
}

static uint64_t divide(struct machine *m, uint64_t a, uint64_t b)
{
	if (!b || (as_signed(m, b) == -1)) {
		if (!b)
			fail(m, UNWIND_BAD);
		return -a;
	}
	return (uint64_t)(as_signed(m, a) / as_signed(m, b));
}

static void binary(struct machine *m, uint8_t op)
{
	uint64_t b = pop(m), a = pop(m), width = m->mask == UINT32_MAX ? 32 : 64;
	int64_t x = as_signed(m, a), y = as_signed(m, b);

	switch (op) {
	case DW_OP_and:
		return push(m, a & b);
	case DW_OP_or:
		return push(m, a | b);
	case DW_OP_xor:
		return push(m, a ^ b);
	case DW_OP_plus:
		return push(m, a + b);
	case DW_OP_minus:
		return push(m, a - b);
	case DW_OP_mul:
		return push(m, a * b);
	case DW_OP_div:
		return push(m, divide(m, a, b));
	case DW_OP_mod:
		if (!b)
			fail(m, UNWIND_BAD);
		return push(m, b ? a % b : 0);
	case DW_OP_shl:
		return push(m, b < width ? a << b : 0);
	case DW_OP_shr:
		return push(m, b < width ? a >> b : 0);
	case DW_OP_shra:
		return push(m, (uint64_t)(x >> (b < width ? b : width - 1)));
	case DW_OP_eq:
		return push(m, x == y);
	case DW_OP_ne:
		return push(m, x != y);
	case DW_OP_lt:
		return push(m, x < y);
	case DW_OP_le:
		return push(m, x <= y);
	case DW_OP_gt:
		return push(m, x > y);
	default: /* DW_OP_ge */
		return push(m, x >= y);
	}
}

/* ---- operations ---- */

static void constant(struct machine *m, uint8_t op)
{
	struct cursor *c = &m->c;

	switch (op) {
	case DW_OP_const1u:
		return push(m, cursor_u8(c));
	case DW_OP_const1s:
		return push(m, (uint64_t)(int8_t)cursor_u8(c));
	case DW_OP_const2u:
		return push(m, cursor_u16(c));
	case DW_OP_const2s:
		return push(m, (uint64_t)(int16_t)cursor_u16(c));
	case DW_OP_const4u:
		return push(m, cursor_u32(c));
	case DW_OP_const4s:
		return push(m, (uint64_t)(int32_t)cursor_u32(c));
	case DW_OP_constu:
		return push(m, bytes_uleb(c));
	case DW_OP_consts:
		return push(m, (uint64_t)bytes_sleb(c));
	default: /* DW_OP_const8u, DW_OP_const8s */
		return push(m, cursor_u64(c));
	}
}

static void address(struct machine *m, uint8_t op)
{
	(void)op;
	push(m, bytes_word(&m->c, m->w->arch->word) + m->w->frames[m->k].bias);
}

static void any_register(struct machine *m, uint8_t op)
{
	uint64_t reg = bytes_uleb(&m->c);

	(void)op;
	push_reg(m, reg, bytes_sleb(&m->c));
}

static void dereference(struct machine *m, uint8_t op)
{
	deref(m, op == DW_OP_deref ? m->w->arch->word : cursor_u8(&m->c));
}

static void copy(struct machine *m, uint8_t op)
{
	pick(m, op == DW_OP_dup ? 0 : op == DW_OP_over ? 1 : cursor_u8(&m->c));
}

static void reorder(struct machine *m, uint8_t op)
{
	if (op == DW_OP_drop) {
		pop(m);
	} else if (op == DW_OP_swap) {
		pick(m, 1);
		drop_third(m);
	} else {
		rotate(m);
	}
}

static void add_constant(struct machine *m, uint8_t op)
{
	uint64_t v = pop(m);

	(void)op;
	push(m, v + bytes_uleb(&m->c));
}

static void branch(struct machine *m, uint8_t op)
{
	int16_t by = (int16_t)cursor_u16(&m->c);

	jump(m, by, op == DW_OP_skip || pop(m) != 0);
}

static void nothing(struct machine *m, uint8_t op)
{
	(void)m;
	(void)op;
}

/* Those whose opcode has no number in it; NULL: not used in call frame information. */
static void (*const operations[UINT8_MAX + 1])(struct machine *m, uint8_t op) = {
	[DW_OP_nop] = nothing,
	[DW_OP_addr] = address,
	[DW_OP_const1u] = constant,
	[DW_OP_const1s] = constant,
	[DW_OP_const2u] = constant,
	[DW_OP_const2s] = constant,
	[DW_OP_const4u] = constant,
	[DW_OP_const4s] = constant,
	[DW_OP_const8u] = constant,
	[DW_OP_const8s] = constant,
	[DW_OP_constu] = constant,
	[DW_OP_consts] = constant,
	[DW_OP_bregx] = any_register,
	[DW_OP_deref] = dereference,
	[DW_OP_deref_size] = dereference,
	[DW_OP_dup] = copy,
	[DW_OP_over] = copy,
	[DW_OP_pick] = copy,
	[DW_OP_drop] = reorder,
	[DW_OP_swap] = reorder,
	[DW_OP_rot] = reorder,
	[DW_OP_abs] = unary,
	[DW_OP_neg] = unary,
	[DW_OP_not] = unary,
	[DW_OP_plus_uconst] = add_constant,
	[DW_OP_skip] = branch,
	[DW_OP_bra] = branch,
	[DW_OP_and] = binary,
	[DW_OP_div] = binary,
	[DW_OP_minus] = binary,
	[DW_OP_mod] = binary,
	[DW_OP_mul] = binary,
	[DW_OP_or] = binary,
	[DW_OP_plus] = binary,
	[DW_OP_shl] = binary,
	[DW_OP_shr] = binary,
	[DW_OP_shra] = binary,
	[DW_OP_xor] = binary,
	[DW_OP_eq] = binary,
	[DW_OP_ge] = binary,
	[DW_OP_gt] = binary,
	[DW_OP_le] = binary,
	[DW_OP_lt] = binary,
	[DW_OP_ne] = binary,
};

int slow_expression(struct stack_walk *w, uint32_t k, const struct cfi_state *s,
		    const struct cfi_rule *rule, unsigned depth, const uint64_t *first,
		    uint64_t *ret)
{
	struct machine m = { .w = w, .k = k, .depth = depth };

	m.mask = w->arch->word == 4 ? UINT32_MAX : UINT64_MAX;
	m.begin = s->section->bytes + rule->off;
	cursor_init(&m.c, m.begin, rule->reg, w->frames[k].table->swap);
	if (first)
		push(&m, *first);
	while (cursor_left(&m.c) && !m.failed) {
		uint8_t op = cursor_u8(&m.c);

		if (!w->budget || m.c.bad)
			return (int)UNWIND_BAD + 1;
		w->budget--;
		if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
			push(&m, op - DW_OP_lit0);
		else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
			push_reg(&m, op - DW_OP_breg0, bytes_sleb(&m.c));
		else if (operations[op])
			operations[op](&m, op);
		else
			fail(&m, UNWIND_BAD);
	}
	*ret = pop(&m);
	return m.c.bad ? (int)UNWIND_BAD + 1 : m.failed;
}
