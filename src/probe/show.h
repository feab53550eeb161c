/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is there to probe: the lines, variables and functions of a file as perf probe prints them. */
#ifndef PROBE_SHOW_H
#define PROBE_SHOW_H

#include "probe/event.h"

struct probe_show_opts {
	struct probe_find_opts find;
	size_t max_probes;
	const char *filter; /* NULL: perf's default */
	bool externals;	    /* -V: also variables outside of functions */
	bool ranges;	    /* -V: where each variable is available */
	bool demangle;	    /* -F */
};

/* Append the text. 0, or a negative errno with `err` set. */
int probe_show_variables(struct probe_binary *b, const struct probe_definition *def,
			 const struct probe_show_opts *o, struct buf *out, struct ptui_error *err);
/* The type of a variable or function as -V prints it: "struct list*", "int". */
void probe_type_format(Dwarf_Die *die, struct buf *out);
int probe_show_lines(struct probe_binary *b, const struct probe_line_range *range,
		     const struct probe_show_opts *o, struct buf *out, struct ptui_error *err);
int probe_show_functions(struct probe_binary *b, const struct probe_show_opts *o, struct buf *out,
			 struct ptui_error *err);

/*
 * Where an address is, in terms of the source or of symbols; strings in `mem`. Without a result it is the
 * address itself.
 */
void probe_point_at(struct probe_binary *b, uint64_t rva, struct arena *mem,
		    struct probe_point *ret);

#endif
