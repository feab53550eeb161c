/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of each FDE of the files that this process runs, at many addresses, are those that libdw finds: of
 * the CFA, the return address, the frame pointer, and a register that the caller keeps.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lib/need.h"
#include "unit/unwind/process.h"
#include "unwind/private.h"

#define STEP 5 /* bytes between addresses */

struct counts {
	unsigned long rules, differ;
};

static bool is_breg(const Dwarf_Op *op, uint64_t *ret_reg, int64_t *ret_off)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*ret_reg = op->atom - DW_OP_breg0;
		*ret_off = (int64_t)op->number;
	} else if (op->atom == DW_OP_bregx) {
		*ret_reg = op->number;
		*ret_off = (int64_t)op->number2;
	} else {
		return false;
	}
	return true;
}

static bool same_cfa(Dwarf_Frame *frame, const struct cfi_rule *ours)
{
	Dwarf_Op *ops;
	uint64_t reg;
	int64_t off;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) < 0)
		return false;
	if (n == 1 && is_breg(&ops[0], &reg, &off))
		return ours->how == CFI_REG && ours->reg == reg && ours->off == off;
	return ours->how == CFI_VAL_EXPR;
}

/* libdw's description of a register as a rule; of an expression only that it is one. */
static bool same_register(Dwarf_Frame *frame, int reg, const struct cfi_rule *ours)
{
	Dwarf_Op mem[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, reg, mem, &ops, &n) < 0)
		return false;
	if (!n)
		return ops ? ours->how == CFI_UNDEFINED || ours->how == CFI_UNSPECIFIED :
			     ours->how == CFI_SAME || ours->how == CFI_UNSPECIFIED;
	if (ops[0].atom == DW_OP_call_frame_cfa) {
		int64_t off = n > 1 && ops[1].atom == DW_OP_plus_uconst ? (int64_t)ops[1].number :
									  0;
		bool value = ops[n - 1].atom == DW_OP_stack_value;

		if (ours->how == CFI_AT_CFA || ours->how == CFI_VAL_CFA)
			return ours->off == off && (ours->how == CFI_VAL_CFA) == value;
		return ours->how == CFI_AT_EXPR || ours->how == CFI_VAL_EXPR;
	}
	if (n == 1 && ops[0].atom == DW_OP_regx)
		return ours->how == CFI_REG && ours->reg == ops[0].number;
	if (n == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		return ours->how == CFI_REG && ours->reg == (uint32_t)(ops[0].atom - DW_OP_reg0);
	return ours->how == CFI_AT_EXPR || ours->how == CFI_VAL_EXPR;
}

static void compare_at(const struct unwind_table *t, Dwarf_CFI *cfi, uint64_t rva, uint32_t kept,
		       struct counts *c)
{
	struct cfi_state s;
	Dwarf_Frame *frame = NULL;
	bool signal_frame = false;
	int ra;

	if (dwarf_cfi_addrframe(cfi, rva, &frame) || !frame)
		return;
	c->rules++;
	ra = dwarf_frame_info(frame, NULL, NULL, &signal_frame);
	if (cfi_state_at(t, rva, kept, &s) != CFI_OK || (uint32_t)ra != s.ra_column ||
	    signal_frame != s.signal_frame || !same_cfa(frame, &s.rules[CFI_SLOT_CFA]) ||
	    !same_register(frame, ra, &s.rules[CFI_SLOT_RA]) ||
	    !same_register(frame, t->arch->fp, &s.rules[CFI_SLOT_FP]) ||
	    !same_register(frame, (int)kept, &s.rules[CFI_SLOT_WANTED])) {
		if (c->differ++ < 5)
			print_message("differ at rva %#llx\n", (unsigned long long)rva);
	}
	free(frame);
}

static void compare_file(const char *path, struct counts *c)
{
	struct dso_file *f = dso_file_open(path, NULL, 0, NULL);
	struct unwind_table *t = f ? unwind_table_new(f, NULL, NULL) : NULL;
	Dwarf_CFI *cfi = t ? dwarf_getcfi_elf(dso_file_elf(f)) : NULL;
	const struct cfi_section *s;

	if (cfi) {
		s = &t->sections[0];
		for (uint32_t i = 0; i < s->n_fdes; i++) {
			uint64_t start = t->base + s->start[i];
			uint64_t end = i + 1 < s->n_fdes ? t->base + s->start[i + 1] : start + 64;

			for (uint64_t rva = start; rva < end && rva < start + 2000; rva += STEP)
				compare_at(t, cfi, rva, 3, c);
		}
		dwarf_cfi_end(cfi);
	}
	unwind_table_free(t);
	dso_file_unref(f);
}

static void test_files(void **state)
{
	struct process p = { 0 };
	struct counts c = { 0 };

	(void)state;
	process_read(&p, getpid());
	for (size_t i = 0; i < p.n; i++)
		if (p.v[i].owner && strstr(p.v[i].path, ".so"))
			compare_file(p.v[i].path, &c);
	print_message("# %lu addresses, %lu differ\n", c.rules, c.differ);
	assert_true(c.rules > 1000);
	assert_int_equal(c.differ, 0);
	process_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_files) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
