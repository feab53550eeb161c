/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debugging information entries (DIEs): what libdw does not have. Callbacks return non-zero to stop,
 * which is then returned. Addresses are those in the file.
 */
#ifndef PROBE_DIES_H
#define PROBE_DIES_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>

/* Walks the entries below `root`. */
enum die_step {
	DIE_STOP,  /* found: its entry is returned */
	DIE_ENTER, /* its children, then the next one */
	DIE_PASS,  /* the next one */
};
typedef enum die_step (*die_find_fn)(Dwarf_Die *die, void *ctx);
bool die_find(Dwarf_Die *root, die_find_fn fn, void *ctx, Dwarf_Die *ret);

/* Moves to the next sibling; false: there is none, or the links between them form a loop. */
bool die_next(Dwarf_Die *die);

const char *die_linkage_name(Dwarf_Die *die);
/* Whether the name or the linkage name matches a glob. */
bool die_matches(Dwarf_Die *die, const char *glob);
bool die_is_named(Dwarf_Die *die, const char *name);
bool die_udata(Dwarf_Die *die, unsigned attribute, Dwarf_Word *ret);

/* The type without const, volatile and typedefs, or (die_type_name) with the typedef. */
bool die_type(Dwarf_Die *die, Dwarf_Die *ret);
bool die_qualified_type(Dwarf_Die *die, Dwarf_Die *ret);
bool die_is_signed(Dwarf_Die *type);

/* A function with code, or one that is inlined; not a declaration. */
bool die_is_function(Dwarf_Die *die);
/* It has code of its own. */
bool die_has_code(Dwarf_Die *die);
/* Where it is entered; the first of its addresses if that is not known. */
bool die_entry(Dwarf_Die *die, Dwarf_Addr *ret);
const char *die_decl_file(Dwarf_Die *die);
int die_decl_line(Dwarf_Die *die); /* 0: unknown */
const char *die_call_file(Dwarf_Die *die);
int die_call_line(Dwarf_Die *die);

/* The function (not inlined) of a unit at an address. */
bool unit_function_at(Dwarf_Die *unit, Dwarf_Addr addr, Dwarf_Die *ret);
/* A function of a unit that ends at an address: where a call that never returns would return to. */
bool unit_function_before(Dwarf_Die *unit, Dwarf_Addr addr, Dwarf_Die *ret);
/* The outermost function inlined into `die` at an address. */
bool die_inlined_at(Dwarf_Die *die, Dwarf_Addr addr, Dwarf_Die *ret);
/* The source line of an address; that of the function's declaration for its entry. */
bool unit_line_at(Dwarf_Die *unit, Dwarf_Addr addr, const char **ret_file, int *ret_line);
/* The path of a source file of the unit that ends with `tail`. NULL: none. */
const char *unit_source(Dwarf_Die *unit, const char *tail);
/* Whether one path ends with the other. */
bool path_ends_alike(const char *a, const char *b);

/*
 * The lines of a unit, or of one function without what is inlined into it: of the line table, then the
 * functions' entries and the calls of inlined functions.
 */
typedef int (*die_line_fn)(void *ctx, const char *file, int line, Dwarf_Addr addr);
int die_walk_lines(Dwarf_Die *root, die_line_fn fn, void *ctx);

/* The places at which a function was inlined, and its copies; *ret_found: there is one. */
typedef int (*die_instance_fn)(void *ctx, Dwarf_Die *instance);
int die_walk_instances(Dwarf_Die *function, die_instance_fn fn, void *ctx, bool *ret_found);

/* Any variable below the unit has a list of locations: it was compiled with optimization. */
bool unit_is_optimized(Dwarf_Die *unit);
/* The address after the prologue of a function without optimization; `entry` if not known. */
Dwarf_Addr function_body(Dwarf_Die *function, Dwarf_Die *unit, Dwarf_Addr entry);

#endif
