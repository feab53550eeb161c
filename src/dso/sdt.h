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
	uint16_t machine;	/* EM_* of the file */
};

/*
 * Calls `fn` for each marker, in the file's order, until it returns non-zero, which is returned.
 * Strings are valid during the call. Damaged notes are skipped. Negative, with `err` set: not an
 * ELF file, or unreadable.
 */
typedef int (*dso_sdt_fn)(void *ctx, const struct dso_sdt *marker);
int dso_sdt_each(const char *path, dso_sdt_fn fn, void *ctx, struct ptui_error *err);

/* Cuts the next argument off, "-4@[sp, 12]", and moves *rest on. NULL: there is none. */
char *dso_sdt_next_argument(char **rest);

enum dso_sdt_operand {
	DSO_SDT_OTHER,	  /* the kernel cannot fetch it */
	DSO_SDT_CONSTANT, /* "\5" */
	DSO_SDT_PLACE,	  /* a register, "%di", or memory, "-16(%bp)" */
};
struct buf;
/* Appends what the kernel of machine EM_* fetches for an operand (what is after "SIZE@"). */
enum dso_sdt_operand dso_sdt_fetch(uint16_t machine, const char *operand, struct buf *out);

#endif
