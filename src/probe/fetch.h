/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a value is, from a location in DWARF to the kernel's notation. */
#ifndef PROBE_FETCH_H
#define PROBE_FETCH_H

#include "probe/find.h"

#define PROBE_FETCH_DEPTH 64

struct probe_fetch {
	char base[64];	    /* "%di", "\5"; "" with `symbol` */
	const char *symbol; /* of a variable in static memory; NULL: none */
	bool is_address;    /* of static memory in a uprobe's file: `at` */
	int64_t at;
	/* memory that is read, innermost first: +OFFSET(...) */
	struct {
		long offset;
		bool user;
	} refs[PROBE_FETCH_DEPTH];
	size_t n_refs;
};

#define PROBE_FETCH_INIT              \
	{                             \
		"", NULL, 0, 0, {}, 0 \
	}

/*
 * Where a variable or parameter is at a place. -ENOENT: nowhere; the kernel cannot fetch it: -EDOM: it is in a
 * register that probes cannot read, such as one for floating point; -ENOTSUP: it is computed.
 * `err` (may be NULL) is set for other errors only.
 */
int probe_fetch_locate(struct probe_binary *b, const struct probe_place *place, Dwarf_Die *die,
		       struct probe_fetch *ret, struct ptui_error *err);
/* What the value points to. 0, or -EINVAL with `err` set. */
int probe_fetch_follow(struct probe_fetch *f, struct ptui_error *err);
/* A part of the value in memory; false: it is in a register. */
bool probe_fetch_add(struct probe_fetch *f, long offset);
/* The last read is one of user space. */
void probe_fetch_user(struct probe_fetch *f);
/* As in kprobe_events; NULL: out of memory. */
const char *probe_fetch_text(const struct probe_fetch *f, struct arena *mem);

#endif
