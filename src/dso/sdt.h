/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SDT markers of an ELF file (SystemTap's notes), where probes can be set. */
#ifndef DSO_SDT_H
#define DSO_SDT_H

#include <stdint.h>
#include "ptui/error.h"

struct dso_sdt {
	const char *provider, *name;
	const char *arguments;	/* "8@%rdx 4@-20(%rbp)"; "" for none */
	uint64_t off;		/* in the file; UINT64_MAX: in no segment */
	uint64_t semaphore_rva; /* counter of attached probes; 0: none */
};

/*
 * Calls `fn` for each marker, in the file's order, until it returns non-zero, which is returned.
 * Strings are valid during the call. Damaged notes are skipped. Negative, with `err` set: not an
 * ELF file, or unreadable.
 */
typedef int (*dso_sdt_fn)(void *ctx, const struct dso_sdt *marker);
int dso_sdt_each(const char *path, dso_sdt_fn fn, void *ctx, struct ptui_error *err);

#endif
