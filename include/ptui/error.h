/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors, described once, where the cause is known.
 *
 * A function that can fail takes `struct ptui_error *err` as its last argument (may be NULL),
 * returns a negative errno (constructors: NULL) and fills `err` on failure only. Callers may add a
 * prefix; front ends print it. Nothing is allocated, so that out of memory can be reported too. An
 * error may be used by one thread at a time.
 */
#ifndef PTUI_ERROR_H
#define PTUI_ERROR_H

#include <stdarg.h>
#include "ptui/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Defines the number space of `code`. */
enum ptui_error_domain {
	PTUI_ERROR_NONE,
	PTUI_ERROR_SYSTEM, /* errno */
	PTUI_ERROR_ELF,	   /* elf_errno() */
	PTUI_ERROR_DW,	   /* dwarf_errno() or dwfl_errno() */
	PTUI_ERROR_INPUT,  /* user input: an option, a selector */
	PTUI_ERROR_FORMAT, /* a malformed file */
};

struct ptui_error {
	enum ptui_error_domain domain;
	int code;	  /* positive errno, or the library's error number */
	char object[256]; /* the path, event or offset concerned; may be "" */
	char text[768];	  /* one complete sentence without a newline */
	char hint[1536];  /* how to fix it; may have several lines; may be "" */
};

#define PTUI_ERROR_INIT                        \
	{                                      \
		PTUI_ERROR_NONE, 0, "", "", "" \
	}

/*
 * Fills `err` (if not NULL) and returns -errnum, so that an error path can be `return
 * ptui_error_set(…)`. `object` may be NULL. Does not append strerror(): see ptui_error_errno().
 */
int ptui_error_set(struct ptui_error *err, enum ptui_error_domain domain, int errnum,
		   const char *object, const char *fmt, ...) PTUI_PRINTF(5, 6);

/* The same for user input: returns -EINVAL, which errno.h defines. */
#define ptui_error_input(err, object, ...) \
	ptui_error_set(err, PTUI_ERROR_INPUT, EINVAL, object, __VA_ARGS__)

/* Like ptui_error_set(), in the SYSTEM domain; the sentence is "FMT: strerror(errnum)". */
int ptui_error_errno(struct ptui_error *err, int errnum, const char *object, const char *fmt, ...)
	PTUI_PRINTF(4, 5);

/* "out of memory"; returns -ENOMEM. */
int ptui_error_nomem(struct ptui_error *err);

/* Prepends "FMT: " to the sentence. No effect on an unset error. */
void ptui_error_prefix(struct ptui_error *err, const char *fmt, ...) PTUI_PRINTF(2, 3);

/* Sets the hint; each further call adds a line. */
void ptui_error_hint(struct ptui_error *err, const char *fmt, ...) PTUI_PRINTF(2, 3);

static inline int ptui_error_is_set(const struct ptui_error *err)
{
	return err && err->domain != PTUI_ERROR_NONE;
}

#ifdef __cplusplus
}
#endif
#endif
