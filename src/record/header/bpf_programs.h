/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loaded BPF programs of a recording and their types (BTF), for the header features
 * BPF_PROG_INFO and BPF_BTF and for the names of the programs' functions.
 *
 *	start of the recording --> synth_bpf() --.
 *	                                         +--> bpf_programs_read() --> [ program | BTF ] --> features
 *	BPF_EVENT records of the rings ----------'
 */
#ifndef RECORD_HEADER_BPF_PROGRAMS_H
#define RECORD_HEADER_BPF_PROGRAMS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include "base/buf.h"
#include "data/write/writer.h"
#include "kernel/bpf.h"

struct cursor;
struct kernel_ops;

#define BPF_SYMBOL_BYTES 512 /* KSYM_NAME_LEN */

struct bpf_program {
	struct bpf_program_info info; /* pointers are offsets into data, as in the feature */
	uint64_t arrays;	      /* bitmask of the arrays in data */
	char *data;
	size_t data_bytes; /* a multiple of 8 */
};

struct bpf_btf {
	uint32_t id;
	char *data;
	size_t bytes;
};

/* The recorder's thread adds to it while another one synthesizes; init and release are for one thread. */
struct bpf_programs {
	pthread_mutex_t lock;
	struct bpf_program **v; /* sorted by id */
	size_t n, cap;
	struct bpf_btf *btf; /* sorted by id */
	size_t n_btf, cap_btf;
};

void bpf_programs_init(struct bpf_programs *p);
void bpf_programs_release(struct bpf_programs *p);

/*
 * Reads program `id` and its BTF from the kernel, unless already known. 0 with the program, which
 * stays owned; -ENOENT: unloaded; -EBADMSG: invalid reply; another negative errno: refused.
 */
int bpf_programs_read(struct bpf_programs *p, const struct kernel_ops *ops, uint32_t id,
		      const struct bpf_program **ret_program);

/* A function of a program: one for the program, and one for each of its subprograms. */
struct bpf_function {
	uint64_t addr;		     /* 0: the kernel hides it */
	uint32_t bytes;		     /* 0: interpreted */
	char name[BPF_SYMBOL_BYTES]; /* bpf_prog_TAG_NAME, as in /proc/kallsyms */
};

/*
 * Calls `fn` for each function until it returns nonzero, and returns that. 0 or -ENOMEM otherwise.
 */
typedef int (*bpf_function_fn)(void *ctx, const struct bpf_function *function);
int bpf_program_functions(struct bpf_programs *p, const struct bpf_program *program,
			  bpf_function_fn fn, void *ctx);

/* Adds the features BPF_PROG_INFO and BPF_BTF, empty without programs, as in perf. 0 or -ENOMEM. */
int bpf_programs_add_features(struct bpf_programs *p, struct data_writer *w);

/*
 * Reads back what these features contain, in this machine's byte order; programs that do not make
 * sense are left out. 0 or -ENOMEM.
 */
int bpf_programs_parse(struct bpf_programs *p, struct cursor *infos, struct cursor *types);

#endif
