/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording with dumped stacks, for the comparison of unwinders: its samples in memory, what was mapped,
 * and the files. Files are taken by their paths: the recording is of this machine, made a moment ago.
 */
#ifndef TESTS_UNWIND_RECORDING_H
#define TESTS_UNWIND_RECORDING_H

#include "base/buf.h"
#include "data/read/reader.h"
#include "machine/machine.h"
#include "unwind/unwind.h"

#define FRAMES_MAX 127 /* as perf's --max-stack */

struct module {
	struct dso_file *file; /* NULL: not read yet, or not there */
	bool tried;
	struct unwind_table *table;
	char path[256];
	struct buf contents;
	const char *bytes; /* the whole file */
	size_t n_bytes;
	uint64_t hdr_rva, hdr_bytes; /* .eh_frame_hdr; bytes 0: none */
};

struct dumped {
	int32_t pid, tid;
	uint64_t when, generation;
	struct unwind_sample sample; /* owns regs and stack */
};

struct recording {
	struct data_file *file;
	struct strpool names;
	struct machine *machine;
	struct module *modules; /* by the machine's ids */
	struct dumped *v;
	size_t n, cap;
	const struct dumped *now; /* the sample that is unwound */
	struct module *read_from; /* the module whose frame information is being read */
	uint64_t read_bias;
	struct change {
		int32_t pid;
		uint64_t when;
	} * changes; /* of the maps of processes */
	size_t n_changes, cap_changes;
};

int recording_read(struct recording *r, const char *path);
void recording_release(struct recording *r);
/* The module at an address of r->now's process; NULL: none. *ret_bias: address - rva. */
struct module *recording_module(struct recording *r, uint64_t addr,
				const struct machine_map **ret_map, uint64_t *ret_bias);
/* For unwinder_new(); ctx is the recording. */
bool recording_find(void *ctx, uint64_t addr, struct unwind_place *ret);
/* A word of r->now's memory: of its dumped stack, or of a mapped file. */
bool recording_read_word(struct recording *r, uint64_t addr, uint64_t *ret);
/* A register of r->now by its DWARF number (x86-64). */
bool recording_reg(const struct recording *r, unsigned dwarf, uint64_t *ret);

struct stack {
	uint32_t n;
	uint64_t addrs[FRAMES_MAX];
};

/* The reference unwinders; r->now is set before each call. NULL: not available. */
struct by_libunwind;
struct by_libunwind *by_libunwind_new(struct recording *r);
void by_libunwind_free(struct by_libunwind *b);
void by_libunwind_stack(struct by_libunwind *b, struct stack *ret);
struct by_libdwfl;
struct by_libdwfl *by_libdwfl_new(struct recording *r);
void by_libdwfl_free(struct by_libdwfl *b);
void by_libdwfl_stack(struct by_libdwfl *b, struct stack *ret);

#endif
