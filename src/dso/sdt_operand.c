/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operands of markers are what the compiler writes for an assembler. The kernel has names of its own for
 * registers (regs_query_register_offset() of each architecture), and fetches of memory only "OFFSET(%REG)":
 *
 *	x86		%edi			%di
 *			-16(%rbp)		-16(%bp)
 *			$5			\5
 *	AArch64		w0			%x0
 *			[sp, 12]		+12(%sp)
 *	ppc64		%r3 or 3		%gpr3
 *			i5			\5
 *	s390x		160(%r15)		+160(%r15)
 *	RISC-V		-20(s0)			-20(%s0)
 *
 * GCC writes a blank in the operand of AArch64 and ARM, so arguments are not separated by each blank.
 */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "dso/sdt.h"

#define REGISTER_MAX 16 /* a name of the kernel, with NUL */

struct syntax {
	uint16_t machine;
	bool brackets; /* "[sp, 16]", not "16(%rsp)" */
	char sigil;    /* in front of a constant, '\0': none */
	bool bare;     /* a number without it is a constant, too */
	/* The kernel's name of a register; false: it has none. */
	bool (*name)(const char *op, size_t n, char ret[REGISTER_MAX]);
};

/* "r12" with the given prefix: 12; -1: it is something else, or above `most`. */
static int register_number(const char *op, size_t n, const char *prefix, int most)
{
	size_t skip = strlen(prefix), digits = n - skip;
	int ret = 0;

	if (n <= skip || digits > 2 || strncmp(op, prefix, skip) != 0 ||
	    (digits > 1 && op[skip] == '0'))
		return -1;
	for (size_t i = skip; i < n; i++) {
		if (op[i] < '0' || op[i] > '9')
			return -1;
		ret = ret * 10 + (op[i] - '0');
	}
	return ret <= most ? ret : -1;
}

static bool is_word(const char *op, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(op, word, n);
}

/* All widths but those of bits 8 to 15, which the kernel cannot fetch: %rdi, %edi, %di, %dil. */
static bool x86_name(const char *op, size_t n, char ret[REGISTER_MAX])
{
	static const char *const names[][4] = {
		{ "ax", "rax", "eax", "al" },  { "bx", "rbx", "ebx", "bl" },
		{ "cx", "rcx", "ecx", "cl" },  { "dx", "rdx", "edx", "dl" },
		{ "si", "rsi", "esi", "sil" }, { "di", "rdi", "edi", "dil" },
		{ "bp", "rbp", "ebp", "bpl" }, { "sp", "rsp", "esp", "spl" },
		{ "ip", "rip", "eip", "eip" },
	};
	int number;

	if (n < 2 || *op++ != '%')
		return false;
	n--;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		for (size_t k = 0; k < 4; k++)
			if (is_word(op, n, names[i][k])) {
				snprintf(ret, REGISTER_MAX, "%s", names[i][0]);
				return true;
			}
	if (strchr("dwb", op[n - 1]))
		n--;
	number = register_number(op, n, "r", 15);
	snprintf(ret, REGISTER_MAX, "r%d", number);
	return number >= 8;
}

static bool aarch64_name(const char *op, size_t n, char ret[REGISTER_MAX])
{
	int number = register_number(op, n, *op == 'w' ? "w" : "x", 30);

	if (is_word(op, n, "sp"))
		snprintf(ret, REGISTER_MAX, "sp");
	else
		snprintf(ret, REGISTER_MAX, "x%d", number);
	return number >= 0 || is_word(op, n, "sp");
}

static bool arm_name(const char *op, size_t n, char ret[REGISTER_MAX])
{
	static const char *const high[] = { "fp", "ip", "sp", "lr", "pc" };
	int number = register_number(op, n, "r", 15);

	for (int i = 0; i < 5; i++)
		if (is_word(op, n, high[i]))
			number = 11 + i;
	if (number > 10)
		snprintf(ret, REGISTER_MAX, "%s", high[number - 11]);
	else
		snprintf(ret, REGISTER_MAX, "r%d", number);
	return number >= 0;
}

static bool ppc_name(const char *op, size_t n, char ret[REGISTER_MAX])
{
	int number = register_number(op, n, *op == '%' ? "%r" : "", 31);

	snprintf(ret, REGISTER_MAX, "gpr%d", number);
	return number >= 0;
}

static bool s390_name(const char *op, size_t n, char ret[REGISTER_MAX])
{
	int number = register_number(op, n, "%r", 15);

	snprintf(ret, REGISTER_MAX, "r%d", number);
	return number >= 0;
}

static bool riscv_name(const char *op, size_t n, char ret[REGISTER_MAX])
{
	static const char *const words[] = { "ra", "sp", "gp", "tp" };
	static const struct {
		const char *prefix;
		int most;
	} numbered[] = { { "t", 6 }, { "s", 11 }, { "a", 7 } };
	bool known = false;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		known = known || is_word(op, n, words[i]);
	for (size_t i = 0; i < sizeof(numbered) / sizeof(*numbered); i++)
		known = known || register_number(op, n, numbered[i].prefix, numbered[i].most) >= 0;
	if (known)
		snprintf(ret, REGISTER_MAX, "%.*s", (int)n, op);
	return known;
}

static const struct syntax syntaxes[] = {
	{ EM_X86_64, false, '$', false, x86_name },    { EM_386, false, '$', false, x86_name },
	{ EM_AARCH64, true, '#', true, aarch64_name }, { EM_ARM, true, '#', true, arm_name },
	{ EM_PPC64, false, 'i', false, ppc_name },     { EM_PPC, false, 'i', false, ppc_name },
	{ EM_S390, false, '\0', true, s390_name },     { EM_RISCV, false, '\0', true, riscv_name },
};

static bool is_constant(const struct syntax *s, const char *op, long *ret)
{
	bool has_sigil = s->sigil && *op == s->sigil;
	char *end;

	if (!has_sigil && !s->bare)
		return false;
	op += has_sigil;
	*ret = strtol(op, &end, 0);
	return end != op && !*end;
}

/* The register and the offset of "16(%rsp)" or "[sp, 16]". */
static bool is_memory(const struct syntax *s, const char *op, long *ret_offset,
		      char ret[REGISTER_MAX])
{
	const char *reg = op;
	char *end = NULL;
	size_t n;

	*ret_offset = 0;
	if (s->brackets) {
		if (*reg++ != '[')
			return false;
		n = strcspn(reg, ",]");
		op = reg + n;
		if (*op == ',') {
			op += 1 + strspn(op + 1, " ");
			op += *op == s->sigil;
			*ret_offset = strtol(op, &end, 0);
			if (end == op)
				return false;
			op = end;
		}
		return !strcmp(op, "]") && s->name(reg, n, ret);
	}
	if (*op != '(') {
		*ret_offset = strtol(op, &end, 0);
		if (end == op)
			return false;
		op = end;
	}
	if (*op != '(')
		return false;
	n = strcspn(op + 1, ")");
	return !strcmp(op + 1 + n, ")") && s->name(op + 1, n, ret);
}

enum dso_sdt_operand dso_sdt_fetch(uint16_t machine, const char *operand, struct buf *out)
{
	const struct syntax *s = NULL;
	char reg[REGISTER_MAX];
	long number;

	for (size_t i = 0; i < sizeof(syntaxes) / sizeof(*syntaxes) && !s; i++)
		if (syntaxes[i].machine == machine)
			s = &syntaxes[i];
	if (!s)
		return DSO_SDT_OTHER;
	if (is_constant(s, operand, &number)) {
		buf_addf(out, "\\%ld", number);
		return DSO_SDT_CONSTANT;
	}
	if (s->name(operand, strlen(operand), reg))
		buf_addf(out, "%%%s", reg);
	else if (is_memory(s, operand, &number, reg))
		buf_addf(out, "%+ld(%%%s)", number, reg);
	else
		return DSO_SDT_OTHER;
	return DSO_SDT_PLACE;
}

char *dso_sdt_next_argument(char **rest)
{
	char *ret = *rest + strspn(*rest, " "), *end = ret;
	bool inside = false;

	for (; *end && (inside || *end != ' '); end++)
		inside = *end == '[' || (inside && *end != ']');
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return *ret ? ret : NULL;
}
