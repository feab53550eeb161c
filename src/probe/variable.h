/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables as what the kernel fetches when a probe is hit:
 *
 *	int n in a register		%dx:s32
 *	s->next->value			+16(+8(%di)):s64
 *	char *name as a string		+0(-24(%bp)):string
 */
#ifndef PROBE_VARIABLE_H
#define PROBE_VARIABLE_H

#include "probe/find.h"

/* One argument of a probe, as in kprobe_events and uprobe_events. */
struct probe_value {
	const char *name;  /* NULL: the kernel numbers it */
	const char *fetch; /* NULL: the variable does not exist at this place */
	const char *type;  /* NULL: the kernel's default */
};

/*
 * An argument at a place. A variable that does not exist there, but maybe at other places of the probe, has
 * no `fetch`. 0, or a negative errno with `err` set.
 */
int probe_variable_fetch(struct probe_binary *b, const struct probe_place *place,
			 const struct probe_arg *arg, struct arena *mem, struct probe_value *ret,
			 struct ptui_error *err);

/*
 * Calls `fn` with each variable of the scope at a place that the kernel can fetch, until it returns non-zero,
 * which is returned.
 */
enum probe_variable_kind { PROBE_PARAMETERS, PROBE_LOCALS, PROBE_EXTERNALS };
typedef int (*probe_variable_fn)(void *ctx, Dwarf_Die *die);
/* PROBE_LOCALS: with parameters. `all`: also those that are not valid at the place. */
int probe_variables_at(struct probe_binary *b, const struct probe_place *place,
		       enum probe_variable_kind kind, bool all, probe_variable_fn fn, void *ctx);
/* Whether the variable can be fetched at the place. */
bool probe_variable_is_valid(struct probe_binary *b, const struct probe_place *place,
			     Dwarf_Die *die);

/* The kernel's name of a DWARF register, "%ax"; NULL: unknown. */
const char *probe_register_name(int machine, unsigned number);

#endif
