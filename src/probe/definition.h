/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probe definitions as people write them. The grammar is perf's:
 *
 *	[[GROUP:]EVENT=]FUNC[@SRC][+OFFSET|%return|:LINE|;PATTERN] [ARG...]
 *	[[GROUP:]EVENT=]SRC:LINE [ARG...]	[[GROUP:]EVENT=]SRC;PATTERN [ARG...]
 *	0xADDRESS [ARG...]	%PROVIDER:MARKER	%sdt_PROVIDER:MARKER[@FILE]
 *
 *	ARG: [NAME=]VARIABLE[->MEMBER|.MEMBER|[INDEX]]...[:TYPE][@user], $vars, $params, or what the
 *	     kernel reads without debug information: %REG, @SYMBOL, $retval, $stackN, $comm, +OFF(...)
 *
 * A backslash quotes the next character of a name. Nothing here looks at a file.
 */
#ifndef PROBE_DEFINITION_H
#define PROBE_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/buf.h"
#include "ptui/error.h"

#define PROBE_ARGS_MAX	128 /* the kernel's limit */
#define PROBE_NAME_MAX	63  /* of a group or an event */
#define PROBE_LINES_END INT32_MAX

struct probe_member {
	const char *name; /* "next"; "[2]" for an element */
	long index;	  /* of an element */
	bool arrow;	  /* -> or [ ]: through a pointer */
	struct probe_member *next;
};

struct probe_arg {
	const char *name; /* NULL: made of the rest */
	const char *var;  /* "sum", "$vars", "%ax", "+8(%sp)" */
	const char *type; /* "string", "x32"; NULL: the variable's */
	bool user;	  /* @user: the pointers are those of user space */
	struct probe_member *members;
};

struct probe_point {
	const char *function; /* name or glob; "0x..." for an address; NULL with SRC:LINE */
	const char *file;
	const char *pattern; /* lazy pattern of a source line */
	int line;	     /* of the function, or of the file without a function; 0: none */
	uint64_t offset;
	bool returns;
	bool is_address;
	uint64_t address;
};

struct probe_definition {
	const char *group, *event; /* NULL: to be made */
	bool is_sdt;		   /* event: the marker, group: its provider */
	const char *target;	   /* file of a marker; NULL: not given */
	struct probe_point point;
	struct probe_arg *args;
	size_t n_args;
};

/* The lines that -L shows: FUNC[@SRC][:LINE[+COUNT|-LINE]] or SRC:LINE[+COUNT|-LINE]. */
struct probe_line_range {
	const char *function, *file;
	int start, end; /* relative to the function; end: PROBE_LINES_END if not given */
};

/* Strings are in `mem`. 0, or -EINVAL or -ENOMEM with `err` set. */
int probe_definition_parse(const char *text, struct arena *mem, struct probe_definition *ret,
			   struct ptui_error *err);
int probe_line_range_parse(const char *text, struct arena *mem, struct probe_line_range *ret,
			   struct ptui_error *err);

/* "work:3@file.c": the point without names of events and arguments. */
void probe_point_format(const struct probe_point *point, struct buf *out);
/* "name=var->member:type" */
void probe_arg_format(const struct probe_arg *arg, struct buf *out);

/* Letters, digits and '_', not starting with a digit. */
bool probe_name_is_valid(const char *name);
/* Whether the argument is a variable of the program, whose place only debug information knows. */
bool probe_arg_is_variable(const struct probe_arg *arg);
/* Any such argument, $vars or $params. */
bool probe_has_variables(const struct probe_definition *def);
/* A source line, a source file or a variable is named. */
bool probe_needs_debug_info(const struct probe_definition *def);
/* Whether a name contains *, ? or [. */
bool probe_is_glob(const char *name);

#endif
