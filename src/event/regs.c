/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Register numbers are the kernel's (arch/ARCH/include/uapi/asm/perf_regs.h), names perf's; gaps
 * are registers that samples of 64-bit code do not use.
 */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include "base/i18n.h"
#include "base/text.h"
#include "event/regs.h"
#include "ptui/shape.h"

#define REGS_MAX 64

#if defined(__x86_64__)
static const char *const names[REGS_MAX] = {
	"AX", "BX", "CX",	 "DX", "SI",  "DI",  "BP",  "SP",  "IP",  "FLAGS",
	"CS", "SS", [16] = "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};
#define SP 7
#define IP 8
#elif defined(__aarch64__)
static const char *const names[REGS_MAX] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",
};
#define SP 31
#define IP 32
#elif defined(__riscv)
static const char *const names[REGS_MAX] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};
#define SP 2
#define IP 0
#elif defined(__powerpc64__)
static const char *const names[REGS_MAX] = {
	"r0",  "r1",	  "r2",	 "r3",	 "r4",	"r5",  "r6",	"r7",	"r8",  "r9",	"r10",
	"r11", "r12",	  "r13", "r14",	 "r15", "r16", "r17",	"r18",	"r19", "r20",	"r21",
	"r22", "r23",	  "r24", "r25",	 "r26", "r27", "r28",	"r29",	"r30", "r31",	"nip",
	"msr", "orig_r3", "ctr", "link", "xer", "ccr", "softe", "trap", "dar", "dsisr",
};
#define SP 1
#define IP 32
#else
static const char *const names[REGS_MAX];
#endif

const char *ptui_register_name(unsigned bit)
{
	return bit < REGS_MAX ? names[bit] : NULL;
}

uint64_t event_regs_all(void)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < REGS_MAX; i++)
		if (names[i])
			mask |= 1ull << i;
	return mask;
}

uint64_t event_regs_minimal(void)
{
#ifdef SP
	return 1ull << SP | 1ull << IP;
#else
	return 0;
#endif
}

static int find(const char *name, size_t len)
{
	for (int i = 0; i < REGS_MAX; i++)
		if (names[i] && strlen(names[i]) == len && !strncasecmp(names[i], name, len))
			return i;
	return -1;
}

static int unknown(const char *name, size_t len, struct ptui_error *err)
{
	const char *known[REGS_MAX], *best[1];
	char word[32];
	size_t n = 0;

	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, name,
		       _("unknown register '%.*s'; ? lists the supported ones"), (int)len, name);
	for (unsigned i = 0; i < REGS_MAX; i++)
		if (names[i])
			known[n++] = names[i];
	if (len >= sizeof(word))
		return -EINVAL;
	memcpy(word, name, len);
	word[len] = '\0';
	if (text_nearest(word, known, n, best, 1))
		ptui_error_hint(err, _("did you mean %s?"), best[0]);
	return -EINVAL;
}

int ptui_registers_parse(const char *text, uint64_t *ret, struct ptui_error *err)
{
	uint64_t mask = 0;

	if (!event_regs_all())
		return ptui_error_set(
			err, PTUI_ERROR_INPUT, ENOTSUP, text,
			_("sampling registers is not supported on this architecture"));
	for (; text; text = *text ? text + 1 : NULL) {
		size_t len = strcspn(text, ",");
		int bit = find(text, len);

		if (bit < 0)
			return unknown(text, len, err);
		mask |= 1ull << bit;
		text += len;
	}
	*ret = mask ? mask : event_regs_all();
	return 0;
}
