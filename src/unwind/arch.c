/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Architectures. perf's register numbers are the kernel's (arch/ARCH/include/uapi/asm/perf_regs.h), the
 * DWARF numbers each psABI's.
 */
#include <errno.h>
#include <string.h>
#include "base/i18n.h"
#include "unwind/private.h"

#define ABI_32	 1 /* PERF_SAMPLE_REGS_ABI_32 */
#define ABI_64	 2

#define ALL_BITS UINT64_MAX

static const struct unwind_arch arches[] = {
	{ .name = "x86_64",
	  .machine = EM_X86_64,
	  .elf_class = ELFCLASS64,
	  .word = 8,
	  .ip_perf = 8,
	  .sp = 7,
	  .fp = 6,
	  .ra = 16,
	  .guess = GUESS_AT_FP,
	  .address_mask = ALL_BITS,
	  .spans = { { 0, 1, 0 },
		     { 1, 1, 3 },
		     { 2, 1, 2 },
		     { 3, 1, 1 },
		     { 4, 4, 4 },
		     { 8, 8, 16 },
		     { 16, 1, 8 } } },
	{ .name = "i386",
	  .machine = EM_386,
	  .elf_class = ELFCLASS32,
	  .word = 4,
	  .ip_perf = 8,
	  .sp = 4,
	  .fp = 5,
	  .ra = 8,
	  .guess = GUESS_AT_FP,
	  .address_mask = UINT32_MAX,
	  .spans = { { 0, 1, 0 },
		     { 1, 1, 2 },
		     { 2, 1, 3 },
		     { 3, 1, 1 },
		     { 4, 1, 7 },
		     { 5, 1, 6 },
		     { 6, 2, 4 },
		     { 8, 1, 8 } } },
	{ .name = "aarch64",
	  .machine = EM_AARCH64,
	  .elf_class = ELFCLASS64,
	  .word = 8,
	  .ip_perf = 32,
	  .sp = 31,
	  .fp = 29,
	  .ra = 30,
	  .link = true,
	  .guess = GUESS_AT_FP,
	  .address_mask = (1ull << 48) - 1,
	  .spans = { { 0, 33, 0 } } },
	{ .name = "riscv64",
	  .machine = EM_RISCV,
	  .elf_class = ELFCLASS64,
	  .word = 8,
	  .ip_perf = 0,
	  .sp = 2,
	  .fp = 8,
	  .ra = 1,
	  .link = true,
	  .guess = GUESS_BELOW_FP,
	  .address_mask = ALL_BITS,
	  .spans = { { 1, 31, 1 } } },
	{ .name = "riscv32",
	  .machine = EM_RISCV,
	  .elf_class = ELFCLASS32,
	  .word = 4,
	  .ip_perf = 0,
	  .sp = 2,
	  .fp = 8,
	  .ra = 1,
	  .link = true,
	  .guess = GUESS_BELOW_FP,
	  .address_mask = UINT32_MAX,
	  .spans = { { 1, 31, 1 } } },
	/* The CFA is 160 bytes above the SP of the caller: its register save area. */
	{ .name = "s390x",
	  .machine = EM_S390,
	  .elf_class = ELFCLASS64,
	  .word = 8,
	  .ip_perf = 33,
	  .sp = 15,
	  .fp = 11,
	  .ra = 14,
	  .link = true,
	  .guess = GUESS_NEVER,
	  .sp_minus_cfa = -160,
	  .address_mask = ALL_BITS,
	  .spans = { { 0, 17, 0 },  /* r0 ... r15, f0 */
		     { 17, 1, 18 }, /* f2 f4 f6, f1 f3 f5 f7, f8 f10 f12 f14, f9 f11 f13 f15 */
		     { 18, 1, 20 },
		     { 19, 1, 22 },
		     { 20, 1, 17 },
		     { 21, 1, 19 },
		     { 22, 1, 21 },
		     { 23, 1, 23 },
		     { 24, 1, 24 },
		     { 25, 1, 26 },
		     { 26, 1, 28 },
		     { 27, 1, 30 },
		     { 28, 1, 25 },
		     { 29, 1, 27 },
		     { 30, 1, 29 },
		     { 31, 1, 31 },
		     { 65, 1, 33 } } },
	{ .name = "ppc64",
	  .machine = EM_PPC64,
	  .elf_class = ELFCLASS64,
	  .word = 8,
	  .ip_perf = 32,
	  .sp = 1,
	  .fp = 31,
	  .ra = 65,
	  .link = true,
	  .guess = GUESS_BACKCHAIN,
	  .address_mask = ALL_BITS,
	  .spans = { { 0, 32, 0 }, { 65, 1, 36 }, { 66, 1, 35 }, { 108, 1, 36 } } },
};

#define N_ARCHES (sizeof(arches) / sizeof(arches[0]))

/* What `uname -m` and perf's header call them. ABI: of the sample's registers. */
static const struct {
	const char *name;
	uint8_t abi;
	uint16_t machine;
	uint8_t elf_class;
} names[] = {
	{ "x86_64", ABI_64, EM_X86_64, ELFCLASS64 },
	{ "x86_64", ABI_32, EM_386, ELFCLASS32 },
	{ "i386", ABI_32, EM_386, ELFCLASS32 },
	{ "i486", ABI_32, EM_386, ELFCLASS32 },
	{ "i586", ABI_32, EM_386, ELFCLASS32 },
	{ "i686", ABI_32, EM_386, ELFCLASS32 },
	{ "aarch64", ABI_64, EM_AARCH64, ELFCLASS64 },
	{ "aarch64", ABI_32, EM_ARM, ELFCLASS32 },
	{ "aarch64_be", ABI_64, EM_AARCH64, ELFCLASS64 },
	{ "arm64", ABI_64, EM_AARCH64, ELFCLASS64 },
	{ "arm64", ABI_32, EM_ARM, ELFCLASS32 },
	{ "riscv64", ABI_64, EM_RISCV, ELFCLASS64 },
	{ "riscv64", ABI_32, EM_RISCV, ELFCLASS32 },
	{ "riscv32", ABI_32, EM_RISCV, ELFCLASS32 },
	{ "s390x", ABI_64, EM_S390, ELFCLASS64 },
	{ "ppc64", ABI_64, EM_PPC64, ELFCLASS64 },
	{ "ppc64le", ABI_64, EM_PPC64, ELFCLASS64 },
};

static const struct unwind_arch *refuse_arm(struct ptui_error *err)
{
	ptui_error_set(err, PTUI_ERROR_FORMAT, ENOTSUP, "arm",
		       _("unwinding 32-bit ARM code requires .ARM.exidx, which is not supported"));
	return NULL;
}

const struct unwind_arch *unwind_arch_of_elf(unsigned machine, unsigned elf_class,
					     struct ptui_error *err)
{
	if (machine == EM_ARM)
		return refuse_arm(err);
	for (size_t i = 0; i < N_ARCHES; i++)
		if (arches[i].machine == machine && arches[i].elf_class == elf_class)
			return &arches[i];
	ptui_error_set(err, PTUI_ERROR_FORMAT, ENOTSUP, NULL,
		       _("unwinding ELF machine %u (%s) is not supported"), machine,
		       elf_class == ELFCLASS32 ? "ELF32" : "ELF64");
	return NULL;
}

const struct unwind_arch *unwind_arch_of_uname(const char *arch, uint64_t regs_abi,
					       struct ptui_error *err)
{
	if (!regs_abi) {
		ptui_error_set(err, PTUI_ERROR_FORMAT, ENODATA, arch,
			       _("the sample has no user registers"));
		return NULL;
	}
	if (!strncmp(arch, "arm", 3) && strncmp(arch, "arm64", 5))
		return refuse_arm(err);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, arch) && names[i].abi == regs_abi)
			return unwind_arch_of_elf(names[i].machine, names[i].elf_class, err);
	ptui_error_set(err, PTUI_ERROR_FORMAT, ENOTSUP, arch,
		       _("unwinding %d-bit code of %s is not supported"),
		       regs_abi == ABI_32 ? 32 : 64, arch);
	return NULL;
}

int unwind_arch_perf_reg(const struct unwind_arch *a, unsigned dwarf)
{
	for (const struct reg_span *s = a->spans; s->n; s++)
		if (dwarf >= s->dwarf && dwarf - s->dwarf < s->n)
			return s->perf + (int)(dwarf - s->dwarf);
	return -1;
}
