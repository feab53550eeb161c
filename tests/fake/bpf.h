/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bpf(2) of the fake kernel: programs and types that a test made, and answers that make no sense. */
#ifndef TESTS_FAKE_BPF_H
#define TESTS_FAKE_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include "kernel/bpf.h"

struct fake_bpf_program {
	/* Its pointers are of the test's memory. What a caller has no array for is counted only. */
	struct bpf_program_info info;
	bool gone;	    /* listed, but unloaded before it is opened */
	int refused;	    /* errno of opening it */
	bool changes;	    /* the second answer has one function more */
	uint32_t n_answers; /* so far */
};

struct fake_btf {
	uint32_t id;
	const void *bytes;
	uint32_t n, claims; /* claims: its size as the first answer has it; 0: n */
};

struct fake_bpf {
	struct fake_bpf_program programs[8];
	size_t n;
	struct fake_btf btf[4];
	size_t n_btf;
	int refused;	/* errno of every call */
	uint32_t known; /* bytes of the info that it has; 0: all */
	bool repeats;	/* the next id is the same forever */
	size_t n_open;
};

int fake_bpf(struct fake_bpf *b, int cmd, void *attr, unsigned attr_bytes);
bool fake_bpf_close(struct fake_bpf *b, int fd); /* false: none of ours */

#endif
