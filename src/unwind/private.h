/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps from an address to its caller, for the files of this room only.
 *
 *   table.c      rva -> FDE           binary search in the index
 *   cfi.c        the CIE and the FDE
 *   program.c    FDE + rva -> state   the CFA program, run up to rva, for a few registers
 *   row.c        state -> row         16 bytes for what compilers emit, else ROW_SLOW
 *   unwinder.c   row + SP, FP -> CFA, return address, FP of the caller
 *   slow.c       state -> the same, with DWARF expressions and any register
 *
 * Rows are compiled when an address is first met, and cached by (table, rva): a table costs only its
 * sections and 8 bytes per FDE, and libraries that are hardly used cost no time.
 */
#ifndef UNWIND_PRIVATE_H
#define UNWIND_PRIVATE_H

#include <byteswap.h>
#include <string.h>
#include "unwind/lazy.h"
#include "unwind/unwind.h"

/* ---- architectures (arch.c) ---- */

/* Where code without rows keeps the caller's frame pointer and the return address. */
enum guess {
	GUESS_NEVER,
	GUESS_AT_FP,	 /* [FP], [FP + word] */
	GUESS_BELOW_FP,	 /* [FP - 2 words], [FP - word]; the caller's SP is FP */
	GUESS_BACKCHAIN, /* ppc64: the caller's SP is [SP], the return address [caller's SP + 16] */
};

struct reg_span {
	uint8_t dwarf, n, perf;
};

struct unwind_arch {
	const char *name;
	uint16_t machine;
	uint8_t elf_class;
	uint8_t word;	      /* bytes of an address */
	uint8_t ip_perf;      /* perf's number */
	uint8_t sp, fp;	      /* DWARF numbers */
	uint8_t ra;	      /* usual return address column */
	bool link;	      /* a call leaves the return address in a register */
	uint8_t guess;	      /* enum guess */
	int16_t sp_minus_cfa; /* the caller's SP is CFA + this */
	uint64_t
		address_mask; /* bits of a code address: AArch64 signs return addresses in the others */
	struct reg_span spans[20];
};

/* perf's number of a DWARF register; -1: samples do not have it. */
int unwind_arch_perf_reg(const struct unwind_arch *a, unsigned dwarf);

/* ---- call frame information ---- */

enum cfi_how {
	CFI_UNSPECIFIED, /* no rule: as CFI_SAME */
	CFI_SAME,
	CFI_UNDEFINED,
	CFI_AT_CFA,   /* saved at CFA + off */
	CFI_VAL_CFA,  /* CFA + off */
	CFI_REG,      /* value of register `reg`; as a rule of the CFA: + off */
	CFI_AT_EXPR,  /* saved at the expression's value */
	CFI_VAL_EXPR, /* the expression's value */
};

struct cfi_rule {
	uint32_t how; /* enum cfi_how */
	uint32_t reg; /* CFI_REG; bytes of an expression */
	int64_t off;  /* of an expression: where it is in the section */
};

/* The registers whose rules a run of the program follows. */
enum cfi_slot {
	CFI_SLOT_CFA,
	CFI_SLOT_RA,
	CFI_SLOT_FP,
	CFI_SLOT_SP,
	CFI_SLOT_WANTED, /* what the caller asks for besides */
	CFI_SLOTS,
};

#define CFI_NO_REG UINT32_MAX

struct cfi_section {
	uint8_t *bytes;
	uint32_t n_bytes;
	bool is_debug;	 /* .debug_frame */
	bool is_go;	 /* of the Go compiler: it does not say where the frame pointer is saved */
	uint64_t addr;	 /* virtual address of the section */
	uint32_t *start; /* of FDEs: rva - table->base, ascending */
	uint32_t *off;	 /* of FDEs, in the section */
	uint32_t n_fdes;
	struct cfi_lazy *lazy; /* NULL: all of it is there. Else `start` and `off` are NULL. */
};

/* Of a section that is read while it is used: its bytes, and the linker's index of it. */
struct cfi_lazy {
	struct lazy_bytes section, index;
	uint64_t index_addr;
	/* Where each 64th function begins, from index_addr on; made when many were looked up. */
	int32_t *guide;
	uint32_t n_finds;
};

struct cfi_state {
	const struct cfi_section *section;
	struct cfi_rule rules[CFI_SLOTS];
	uint32_t ra_column;
	bool signal_frame;
	uint64_t from, to; /* the rules hold in [from, to) */
};

enum cfi_result {
	CFI_OK,
	CFI_NONE, /* no FDE covers the address */
	CFI_BAD,  /* one does, but it cannot be evaluated */
};

struct unwind_table {
	const struct unwind_arch *arch;
	uint32_t id; /* of all tables of the process, never 0 */
	bool swap;
	uint64_t base; /* lowest address of the module's code */
	int fd;	       /* of the file, for lazy sections; -1: none */
	struct cfi_section sections[3];
	uint32_t n_sections;
};

/* The rules at rva. `wanted` is a DWARF register or CFI_NO_REG. */
enum cfi_result cfi_state_at(const struct unwind_table *t, uint64_t rva, uint32_t wanted,
			     struct cfi_state *ret);
/* The FDE that may cover rva, by the index; UINT32_MAX: none. (table.c) */
uint32_t cfi_index_find(const struct unwind_table *t, const struct cfi_section *s, uint64_t rva);

/* ---- rows ---- */

enum row_cfa {
	ROW_NONE,     /* no FDE */
	ROW_BAD,      /* cannot be evaluated */
	ROW_SLOW,     /* expressions: run the program again, see slow.c */
	ROW_START,    /* the return address is undefined: the outermost frame */
	ROW_SP,	      /* SP + cfa_off */
	ROW_FP,	      /* FP + cfa_off */
	ROW_SP_DEREF, /* [SP + cfa_off]: signal frames */
	ROW_FP_DEREF, /* [FP + cfa_off]: functions that realign the stack */
};

enum row_saved {
	SAVED_SAME,
	SAVED_AT_CFA, /* [CFA + off] */
	SAVED_AT_SP,  /* [SP + off] */
	SAVED_AT_FP,  /* [FP + off]: functions that realign the stack */
};

#define ROW_SIGNAL 1 /* a signal frame: the caller was interrupted, it did not call */

struct row {
	int32_t cfa_off, ra_off, fp_off;
	uint8_t cfa;   /* enum row_cfa */
	uint8_t ra;    /* enum row_saved */
	uint8_t fp;    /* enum row_saved */
	uint8_t flags; /* ROW_* */
};

void row_at(const struct unwind_table *t, uint64_t rva, struct row *ret);

/* ---- one stack ---- */

struct frame {
	const struct unwind_table *table;
	uint64_t pc, rva; /* rva: as looked up, within the call instruction */
	uint64_t bias;
	uint64_t sp, fp, cfa;
	bool fp_known;
	bool is_return; /* pc is a return address: not of the first, a signal or an interrupted frame */
	bool by_rows; /* the step to the caller used a row, so that registers can be restored across it */
};

struct stack_walk {
	const struct unwind_sample *sample;
	const struct unwind_arch *arch;
	uint64_t sp0, dump_bytes; /* addresses sp0 + [0, dump_bytes) can be read */
	struct frame *frames;
	uint32_t budget;     /* of slow work, per stack */
	bool switched_stack; /* the frames from here on are not on the dumped stack */
};

/* perf's register of the sample; -1 is none. */
bool unwind_sample_reg(const struct unwind_sample *s, int perf, uint64_t *ret);

enum read_result {
	READ_OK,
	READ_PAST,  /* the address is past the end of the dump */
	READ_BELOW, /* the address is below it */
};

static inline enum read_result walk_read(const struct stack_walk *w, uint64_t addr, uint64_t *ret)
{
	uint64_t at = addr - w->sp0;
	uint32_t narrow;

	if (addr < w->sp0)
		return READ_BELOW;
	if (at > w->dump_bytes || w->dump_bytes - at < w->arch->word)
		return READ_PAST;
	if (w->arch->word == 8) {
		memcpy(ret, w->sample->stack + at, 8);
		if (w->sample->swapped)
			*ret = bswap_64(*ret);
	} else {
		memcpy(&narrow, w->sample->stack + at, 4);
		*ret = w->sample->swapped ? bswap_32(narrow) : narrow;
	}
	return READ_OK;
}

/* Why the stack ends at a word that was not dumped: there may be more stack, or the address is wrong. */
static inline enum unwind_end walk_end_past(const struct stack_walk *w)
{
	if (w->switched_stack)
		return UNWIND_OTHER_STACK;
	return w->sample->dump_full || !w->dump_bytes ? UNWIND_DUMP_END : UNWIND_BAD;
}

static inline enum unwind_end walk_end_below(const struct stack_walk *w)
{
	return w->switched_stack ? UNWIND_OTHER_STACK : UNWIND_BAD;
}

#endif
