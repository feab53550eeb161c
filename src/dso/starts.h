/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions in which stacks start: of a program, of its threads, of the dynamic loader.
 *
 *	_start -> __libc_start_main -> __libc_start_call_main -> main -> ...
 *	clone3 -> start_thread -> the thread's function -> ...
 *
 * A callchain whose outermost frame is in one of them is complete. Distributions strip their names,
 * so starts.c finds them by other means.
 */
#ifndef DSO_STARTS_H
#define DSO_STARTS_H

#include "dso/dso.h"

struct dso_range {
	uint64_t start, end; /* [start, end), offsets in the file */
};

/* The ranges of a file, to be freed. 0, -ENOMEM, or -ENOTSUP for the other byte order. */
int dso_starts(struct dso_file *f, struct dso_range **ret, size_t *ret_n);
/*
 * All functions that .eh_frame describes, by address; no two overlap. To be freed; NULL if there are none. 0, -ENOMEM, or
 * -ENOTSUP for the other byte order.
 */
int dso_functions(struct dso_file *f, struct dso_range **ret, size_t *ret_n);
bool dso_starts_has(const struct dso_range *ranges, size_t n, uint64_t off);

#endif
