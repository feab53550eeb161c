/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Config files with sections, as of perf and git, parsed by libinih:
 *
 *	[record]
 *		build-id = cache	# or ; starts a comment
 *		debuginfod		a name alone is true
 *
 * Calls back for each variable in order. Which variables exist and what they mean is up to the
 * caller.
 */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H

#include <stdbool.h>
#include "ptui/error.h"

/* One variable; texts are valid during the call. */
struct config_entry {
	const char *file;
	unsigned line;
	const char *name;  /* "record.build-id" */
	const char *value; /* without quotes; may be "" */
};

/* Non-zero ends reading, and is returned by config_each(). */
typedef int (*config_fn)(void *ctx, const struct config_entry *entry, struct ptui_error *err);

enum {
	/* ignore lines before the first section, which have another grammar */
	CONFIG_SECTIONS_ONLY = 1,
};

/*
 * Calls fn for each variable. 0, also if there is no such file; the result of fn; -EINVAL: a bad
 * line (PTUI_ERROR_INPUT, "FILE:LINE: what was expected"), after all variables of the other lines;
 * -ENOSYS: the file has sections and ptui was built without libinih.
 */
int config_each(const char *path, unsigned flags, config_fn fn, void *ctx, struct ptui_error *err);

/* Sets `err` to "FILE:LINE: sentence"; returns -EINVAL. */
int config_wrong(const struct config_entry *at, struct ptui_error *err, const char *fmt, ...)
	PTUI_PRINTF(3, 4);

/* true, yes, on, 1 or false, no, off, 0. -EINVAL: none of these. */
int config_bool(const char *value, bool *ret);

#endif
