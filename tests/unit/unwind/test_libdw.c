/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of each FDE of the files that this process runs, at many addresses, are those that libdw finds: of
 * the CFA, the return address, the frame pointer, and a register that the caller keeps.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* ---- lazy tables ---- */

/* A lazy table has the same answers as a whole one, and reads little for one of them. */
static void compare_lazy(const char *path, unsigned long *n)
{
	struct dso_file *f = dso_file_open(path, NULL, 0, NULL);
	struct unwind_table *whole = f ? unwind_table_new(f, NULL, NULL) : NULL;
	struct unwind_table *lazy = f ? unwind_table_new_lazy(f, NULL, NULL) : NULL;
	const struct cfi_section *s = whole ? &whole->sections[0] : NULL;

	assert_int_equal(!!whole, !!lazy);
	dso_file_unref(f); /* neither needs it */
	for (uint32_t i = 0; s && i < s->n_fdes; i += 7) {
		uint64_t rva = whole->base + s->start[s->n_fdes - 1 - i];
		uint64_t from[2], to[2];

		for (uint64_t at = rva - 1; at < rva + 40; at += 9, ++*n) {
			assert_int_equal(unwind_table_skips_caller(whole, at, &from[0], &to[0]),
					 unwind_table_skips_caller(lazy, at, &from[1], &to[1]));
			assert_int_equal(from[0], from[1]);
			assert_int_equal(to[0], to[1]);
		}
		if (!i && unwind_table_bytes(whole) > 200000)
			assert_true(unwind_table_bytes(lazy) < unwind_table_bytes(whole) / 2);
	}
	unwind_table_free(whole);
	unwind_table_free(lazy);
}

static void test_lazy(void **state)
{
	struct process p = { 0 };
	unsigned long n = 0;

	(void)state;
	process_read(&p, getpid());
	for (size_t i = 0; i < p.n; i++)
		if (p.v[i].owner && strstr(p.v[i].path, ".so"))
			compare_lazy(p.v[i].path, &n);
	assert_true(n > 1000);
	process_release(&p);
}

/* The whole file, in a new one without a name. */
static int copy_of(const char *path)
{
	char from[4096];
	int to = memfd_create("copy", MFD_CLOEXEC), fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	assert_true(to >= 0 && fd >= 0);
	while ((n = read(fd, from, sizeof(from))) > 0)
		assert_int_equal(write(to, from, (size_t)n), n);
	close(fd);
	return to;
}

/* What was not read before the file is truncated is unknown then. */
static void test_lazy_truncated(void **state)
{
	struct process p = { 0 };
	struct unwind_table *t;
	struct dso_file *f;
	struct cfi_state s;
	int fd, own;
	size_t i = 0;

	(void)state;
	process_read(&p, getpid());
	while (i < p.n && !strstr(p.v[i].path, "libc.so"))
		i++;
	assert_true(i < p.n);
	own = copy_of(p.v[i].path);
	fd = fcntl(own, F_DUPFD_CLOEXEC, 3);
	f = dso_file_open_fd(fd, "copy", NULL, 0, NULL);
	assert_non_null(f);
	t = unwind_table_new_lazy(f, NULL, NULL);
	dso_file_unref(f);
	assert_non_null(t);
	assert_non_null(t->sections[0].lazy);
	assert_int_equal(ftruncate(own, 0), 0);
	for (uint64_t rva = t->base; rva < t->base + 0x100000; rva += 4096)
		assert_int_not_equal(cfi_state_at(t, rva, CFI_NO_REG, &s), CFI_OK);
	unwind_table_free(t);
	close(own);
	process_release(&p);
}

/* However many tables there are, few files are open. */
static void test_lazy_many(void **state)
{
	struct unwind_table *tables[100];
	struct process p = { 0 };
	struct dso_file *f;
	size_t lazy = 0, i = 0;

	(void)state;
	process_read(&p, getpid());
	while (i < p.n && !strstr(p.v[i].path, "libc.so"))
		i++;
	assert_true(i < p.n);
	for (int round = 0; round < 2; round++) {
		f = dso_file_open(p.v[i].path, NULL, 0, NULL);
		lazy = 0;
		for (size_t k = 0; k < 100; k++) {
			tables[k] = unwind_table_new_lazy(f, NULL, NULL);
			assert_non_null(tables[k]);
			lazy += tables[k]->fd >= 0;
		}
		dso_file_unref(f);
		assert_true(lazy >= 50 && lazy < 100);
		for (size_t k = 0; k < 100; k++)
			unwind_table_free(tables[k]);
	}
	process_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_lazy),
		cmocka_unit_test(test_lazy_truncated),
		cmocka_unit_test(test_lazy_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
