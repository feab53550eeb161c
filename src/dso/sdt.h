/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markers in an ELF file: SystemTap's notes, where a probe can be put. */
#ifndef DSO_SDT_H
#define DSO_SDT_H

#include <stdint.h>
#include "ptui/error.h"

struct dso_sdt {
	const char *provider, *name;
	const char *arguments;	/* "8@%rdx 4@-20(%rbp)"; "" for none */
	uint64_t off;		/* in the file; UINT64_MAX: it is in no segment */
	uint64_t semaphore_rva; /* a counter that says whether somebody looks; 0: none */
};

/*
 * Calls `fn` for each marker of the file, in its order, until it returns other than 0, which is
 * returned. Strings are valid during the call. What is damaged is left out. Negative with the
 * reason: it is no ELF file or cannot be read.
 */
typedef int (*dso_sdt_fn)(void *ctx, const struct dso_sdt *marker);
int dso_sdt_each(const char *path, dso_sdt_fn fn, void *ctx, struct ptui_error *err);

#endif
