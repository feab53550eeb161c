/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sample costs on this machine: the calling thread samples its own page faults for a moment. */
#ifndef RECORD_DOCTOR_SELF_COST_H
#define RECORD_DOCTOR_SELF_COST_H

#include "kernel/ops.h"

struct self_cost {
	double kernel_ns; /* CPU time per sample in the kernel, where it is taken */
	double copy_ns;	  /* and in ptui, which copies it out of the ring buffer */
	double cycles;	  /* of both; 0: no hardware counter */
	bool by_page;	  /* the cycles were read without system calls (rdpmc) */
	size_t n_samples;
};

/*
 * 0, or a negative errno: an event was refused; -ENODATA: no sample came; -ERANGE: the cost is too small beside
 * the noise of this machine.
 */
int self_cost_measure(const struct kernel_ops *ops, struct self_cost *ret);

#endif
