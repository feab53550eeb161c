/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a module with call frame information, and as the registers and the dumped stack of samples in it:
 *
 *	u16 bytes of the stack | u8 architecture of the sample | u8 flags | stack | ELF file
 *
 * What is looked for: a crash, a read outside of what was given, and a result that breaks the contract.
 */
#include <stdlib.h>
#include <string.h>
#include "unwind/unwind.h"

#define BIAS   0x10000ull
#define SP     0x700000ull
#define END    0x800000ull
#define IPS    48
#define FRAMES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	unsigned machine, elf_class;
	uint8_t ip, sp, fp; /* perf's numbers */
} arches[] = {
	{ EM_X86_64, ELFCLASS64, 8, 7, 6 },	{ EM_386, ELFCLASS32, 8, 7, 6 },
	{ EM_AARCH64, ELFCLASS64, 32, 31, 29 }, { EM_RISCV, ELFCLASS64, 0, 2, 8 },
	{ EM_RISCV, ELFCLASS32, 0, 2, 8 },	{ EM_S390, ELFCLASS64, 33, 15, 11 },
	{ EM_PPC64, ELFCLASS64, 32, 1, 31 },
};

struct fuzz {
	const struct unwind_table *table;
	unsigned asked;
};

/* Two modules of the same file, and nothing else. */
static bool find(void *ctx, uint64_t addr, struct unwind_place *ret)
{
	struct fuzz *f = ctx;

	f->asked++;
	*ret = (struct unwind_place){ f->table, BIAS, END, addr & 1 ? BIAS : 0 };
	ret->end = addr & 1 ? END : END / 2;
	return addr >= ret->start && addr < ret->end;
}

static void check(const struct unwind_result *r, const uint64_t *addrs, uint32_t max)
{
	if (r->end >= UNWIND_ENDS || r->n > max || (r->end == UNWIND_MAX && r->n != max))
		abort();
	if (r->n_guessed && (r->first_guessed >= r->n || !r->first_guessed))
		abort();
	for (uint32_t i = 1; i < r->n; i++)
		if (!addrs[i])
			abort();
}

/* Registers of which some point into the stack. */
static void make_regs(uint64_t regs[64], const uint8_t *stack, size_t n)
{
	for (size_t i = 0; i < 64; i++) {
		uint64_t v = i * 8;

		if (n >= 8)
			memcpy(&v, stack + i * 8 % (n - 7), 8);
		regs[i] = i % 3 ? v : SP + (v & 0xfff);
	}
}

static void unwind_some(struct fuzz *f, struct unwind_sample *s, const uint8_t *data, size_t arch)
{
	struct unwinder *u = unwinder_new(find, f);
	uint64_t regs[64], addrs[FRAMES];
	struct unwind_result r;

	if (!u)
		abort();
	make_regs(regs, s->stack, s->stack_bytes);
	regs[arches[arch].sp] = SP;
	s->regs = regs;
	for (uint32_t i = 0; i < IPS; i++) {
		uint64_t ip = BIAS + 0x1000 + i * 7 + (uint64_t)(data[2 + i % 2] & 0x3f) * 64 * i;

		regs[arches[arch].ip] = ip;
		regs[arches[arch].fp] = SP + (uint64_t)i * 8;
		s->generation = i / 8;
		unwind_stack(u, s, addrs, 1 + i % FRAMES, &r);
		check(&r, addrs, 1 + i % FRAMES);
		if (r.n && addrs[0] != ip)
			abort();
	}
	unwinder_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { NULL, 0 };
	struct unwind_sample s = { .regs_mask = UINT64_MAX };
	struct unwind_table *t;
	struct dso_file *file;
	size_t n, arch;
	uint8_t *stack;

	if (size < 4)
		return 0;
	n = (size_t)(data[0] | data[1] << 8);
	arch = data[2] % (sizeof(arches) / sizeof(arches[0]));
	if (n > size - 4)
		n = size - 4;
	file = dso_file_open_image("fuzz", data + 4 + n, size - 4 - n, NULL, 0, NULL);
	t = file ? unwind_table_new(file, data[3] & 4 ? file : NULL, NULL) : NULL;
	dso_file_unref(file);
	stack = malloc(n + 1); /* of the exact size, so that a read behind it is seen */
	if (!stack)
		abort();
	memcpy(stack, data + 4, n);
	stack = realloc(stack, n ? n : 1);
	f.table = t;
	s.arch = unwind_arch_of_elf(arches[arch].machine, arches[arch].elf_class, NULL);
	s.stack = stack;
	s.stack_bytes = n;
	s.swapped = data[3] & 1;
	s.dump_full = data[3] & 2;
	unwind_some(&f, &s, data, arch);
	free(stack);
	unwind_table_free(t);
	return 0;
}
