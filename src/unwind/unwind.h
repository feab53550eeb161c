/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind room: the registers and the copied stack bytes of a sample to return addresses.
 *
 * Takes: call frame information of DSO files, and per sample the registers, the stack bytes, and a
 * callback that maps an address to the table of its module. Not for: processes, maps, time, symbols.
 *
 *   .eh_frame, .debug_frame --unwind_table_new()--> index: start rva -> FDE
 *   regs + stack --unwind_stack()--> ip, caller, caller's caller ... and why it ended there
 *                  (FDE + rva -> row: CFA, return address, frame pointer; cached in the unwinder)
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dso/dso.h"

/* An architecture: registers by perf's and by DWARF's numbers. One row of a table. */
struct unwind_arch;

/* By the ELF header of a module (EM_*, ELFCLASS*); NULL with the reason in `err`. */
const struct unwind_arch *unwind_arch_of_elf(unsigned machine, unsigned elf_class,
					     struct ptui_error *err);
/* By the header's ARCH ("x86_64", "aarch64", ...) and a sample's PERF_SAMPLE_REGS_ABI_*. NULL: not supported, with the reason. */
const struct unwind_arch *unwind_arch_of_uname(const char *arch, uint64_t regs_abi,
					       struct ptui_error *err);

/* The call frame information of one module, indexed. Immutable: any thread may use it. */
struct unwind_table;
/*
 * `debug` (may be NULL) is a separate file with .debug_frame. Neither file is needed afterwards.
 * NULL: no call frame information, or damaged beyond use, or out of memory; with `err` set.
 */
struct unwind_table *unwind_table_new(struct dso_file *f, struct dso_file *debug,
				      struct ptui_error *err);
/*
 * The same for a few addresses of many: while the table is used, it reads what it needs of the file. For one
 * thread at a time.
 */
struct unwind_table *unwind_table_new_lazy(struct dso_file *f, struct dso_file *debug,
					   struct ptui_error *err);
void unwind_table_free(struct unwind_table *t);
size_t unwind_table_bytes(const struct unwind_table *t);
/*
 * Whether a walk along frame pointers that begins at `rva` misses the caller: the function has no frame of its
 * own there, so the frame pointer is that of the caller. False without rows, and where calls leave the return
 * address in a register. It holds in [*ret_from, *ret_to), which is empty if that is unknown.
 */
bool unwind_table_skips_caller(const struct unwind_table *t, uint64_t rva, uint64_t *ret_from,
			       uint64_t *ret_to);
/* Whether `rva` is the first instruction of a function, and pushes the frame pointer, or is an endbr before that. */
bool unwind_table_pushes_fp(const struct unwind_table *t, uint64_t rva);

/* What is mapped at an address. */
struct unwind_place {
	const struct unwind_table *table; /* NULL: the module has no rows (JIT, no file, no CFI) */
	uint64_t start, end;		  /* the answer holds for addresses in [start, end) */
	uint64_t bias;			  /* rva = address - bias */
};
/* false: nothing is mapped at `addr`. Called only when the unwinder's cache of places does not know. */
typedef bool (*unwind_find_fn)(void *ctx, uint64_t addr, struct unwind_place *ret);

struct unwind_sample {
	const struct unwind_arch *arch;
	uint64_t regs_mask;   /* perf's register numbers */
	const uint64_t *regs; /* one per set bit, in order */
	const uint8_t *stack; /* bytes at SP */
	size_t stack_bytes;   /* dyn_size: valid bytes */
	bool swapped;	      /* the recording has the other byte order */
	bool dump_full; /* the dump reached the size that was asked for: there may be more stack */
	/* equal for samples whose places may be taken from the cache: address space and generation of its maps */
	uint64_t generation;
};

enum unwind_end {
	UNWIND_START,	    /* outermost frame: undefined return address, or 0 */
	UNWIND_MAX,	    /* `max` frames */
	UNWIND_DUMP_END,    /* the next frame is past the end of the dumped bytes */
	UNWIND_OTHER_STACK, /* it is on another stack than the one that was dumped (sigaltstack) */
	UNWIND_NO_MAP,	    /* the address is not mapped */
	UNWIND_NO_ROW,	    /* no row, and no plausible frame pointer */
	UNWIND_BAD,	    /* rows that make no progress, or cannot be evaluated */
	UNWIND_NO_REGS,	    /* the sample lacks IP or SP, or its architecture is not supported */
	UNWIND_ENDS,
};

struct unwind_result {
	enum unwind_end end;
	uint32_t n; /* addresses, the IP first; return addresses as they are (not minus one) */
	uint32_t n_guessed; /* steps by frame pointer only, because there was no row */
	uint32_t
		first_guessed; /* index of the first address found by such a step; UINT32_MAX: none */
};

/* Caches and scratch memory; for one thread. */
struct unwinder;
struct unwinder *unwinder_new(unwind_find_fn find, void *ctx);
void unwinder_free(struct unwinder *u);
/* Places were changed, or their tables freed: forget them. Cheap. */
void unwinder_forget(struct unwinder *u);
void unwind_stack(struct unwinder *u, const struct unwind_sample *s, uint64_t *addrs, uint32_t max,
		  struct unwind_result *ret);
/*
 * Whether address i of the last stack is a return address, so that the call is just before it. The first
 * one, that of a signal trampoline and the one that a signal interrupted are not.
 */
bool unwinder_is_return(const struct unwinder *u, uint32_t i);

#endif
