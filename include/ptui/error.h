/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went wrong, told once, where it is known.
 *
 * A function that can fail takes `struct ptui_error *err` last (may be NULL), returns a
 * negative errno (constructors: NULL) and fills `err` on failure only. Callers that know
 * more put a prefix in front; the front ends print it. No allocation, so that running out
 * of memory can be told as well.
 */
#ifndef PTUI_ERROR_H
#define PTUI_ERROR_H

#include <stdarg.h>
#include "ptui/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whose error it is: `code` is in that one's numbers. */
enum ptui_error_domain {
	PTUI_ERROR_NONE,
	PTUI_ERROR_SYSTEM, /* errno */
	PTUI_ERROR_ELF,	   /* elf_errno() */
	PTUI_ERROR_DW,	   /* dwarf_errno() or dwfl_errno() */
	PTUI_ERROR_INPUT,  /* the person's words: an option, a selector */
	PTUI_ERROR_FORMAT, /* a file that is not what it should be */
};

struct ptui_error {
	enum ptui_error_domain domain;
	int code;	  /* errno of the returned value, or the library's number */
	char object[256]; /* the path, event or offset it is about; may be "" */
	char text[768];	  /* one finished sentence, no newline at the end */
	char hint[1536];  /* what the person can do, may have several lines; may be "" */
};

#define PTUI_ERROR_INIT                        \
	{                                      \
		PTUI_ERROR_NONE, 0, "", "", "" \
	}

/*
 * Fills `err` (if not NULL) and returns -errnum, so that `return ptui_error_set(…)` is
 * the whole of a failing path. `object` may be NULL. The sentence does not get
 * strerror() added: see ptui_error_errno().
 */
int ptui_error_set(struct ptui_error *err, enum ptui_error_domain domain, int errnum,
		   const char *object, const char *fmt, ...) PTUI_PRINTF(5, 6);

/* The same for errno: the sentence is "FMT: strerror(errnum)". */
int ptui_error_errno(struct ptui_error *err, int errnum, const char *object, const char *fmt, ...)
	PTUI_PRINTF(4, 5);

/* "out of memory"; returns -ENOMEM. */
int ptui_error_nomem(struct ptui_error *err);

/* Puts "FMT: " before the sentence. No effect on an error that is not set. */
void ptui_error_prefix(struct ptui_error *err, const char *fmt, ...) PTUI_PRINTF(2, 3);

/* Sets the advice; further calls add a line. */
void ptui_error_hint(struct ptui_error *err, const char *fmt, ...) PTUI_PRINTF(2, 3);

static inline int ptui_error_is_set(const struct ptui_error *err)
{
	return err && err->domain != PTUI_ERROR_NONE;
}

#ifdef __cplusplus
}
#endif
#endif
