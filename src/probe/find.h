/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe points in debug information: from a function, a source line or a lazy pattern to addresses. A line
 * or an inlined function has several.
 */
#ifndef PROBE_FIND_H
#define PROBE_FIND_H

#include "probe/binary.h"
#include "probe/definition.h"
#include "probe/dies.h"

/* One address. */
struct probe_place {
	Dwarf_Die unit;
	Dwarf_Die scope;    /* the function of the definition, as it is there: maybe inlined */
	Dwarf_Die function; /* the function that has the code */
	Dwarf_Addr addr;
	const Dwarf_Op *frame; /* location of the function's frame; NULL: unknown */
	size_t n_frame;
};

struct probe_find_opts {
	bool no_inlines;
	const char *source_prefix; /* --source */
	struct arena *mem;
	bool by_symbol; /* a name that only the symbol table has is looked up there */
};

/* Returns 0, or a negative errno with `err` set, which ends the search. */
typedef int (*probe_place_fn)(void *ctx, const struct probe_place *place, struct ptui_error *err);

/* Calls `fn` for each place. 0, also if there is none, or a negative errno with `err` set. */
int probe_find(struct probe_binary *b, const struct probe_definition *def,
	       const struct probe_find_opts *o, probe_place_fn fn, void *ctx,
	       struct ptui_error *err);

/* Calls `fn` for each compilation unit, until it returns non-zero, which is returned. */
int probe_each_unit(struct probe_binary *b, int (*fn)(void *ctx, Dwarf_Die *unit), void *ctx);
/* The unit that has code at an address. */
bool probe_unit_at(struct probe_binary *b, Dwarf_Addr addr, Dwarf_Die *ret);

#endif
