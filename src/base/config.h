/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Config files in sections, as perf and git write them:
 *
 *	[record]
 *		build-id = cache	# or ; begins a comment
 *		debuginfod		a name alone is true
 *
 * What it takes: a file. What it gives: its variables one by one, in their order. Which there are
 * and what they mean is the caller's matter. libinih parses the lines.
 */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H

#include <stdbool.h>
#include "ptui/error.h"

/* One variable; texts are valid for the call. */
struct config_entry {
	const char *file;
	unsigned line;
	const char *name;  /* "record.build-id" */
	const char *value; /* without the quotes; "" is possible */
};

/* Nonzero ends the reading, and is what config_each() returns. */
typedef int (*config_fn)(void *ctx, const struct config_entry *entry, struct ptui_error *err);

enum {
	/* what stands before the first section is written in another grammar, and left to who knows it */
	CONFIG_SECTIONS_ONLY = 1,
};

/*
 * Calls fn with each variable. 0, also when there is no such file; what fn returned; -EINVAL: a line
 * that is no variable (PTUI_ERROR_INPUT, "FILE:LINE: what was expected"), with all variables of
 * the other lines given; -ENOSYS: the file has sections, and this was built without libinih.
 */
int config_each(const char *path, unsigned flags, config_fn fn, void *ctx, struct ptui_error *err);

/* Fills err with "FILE:LINE: sentence"; returns -EINVAL. */
int config_wrong(const struct config_entry *at, struct ptui_error *err, const char *fmt, ...)
	PTUI_PRINTF(3, 4);

/* true, yes, on, 1 and their contraries. -EINVAL: none of them. */
int config_bool(const char *value, bool *ret);

#endif
