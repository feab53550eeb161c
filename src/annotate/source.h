/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files, read once each. Not thread-safe. */
#ifndef ANNOTATE_SOURCE_H
#define ANNOTATE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct source_file {
	char *path;   /* as in the debug information */
	char *text;   /* NULL: not readable */
	char **lines; /* NUL-terminated, in `text` */
	size_t n_lines, cap_lines;
	int64_t mtime_s;
	/* which lines objdump would have shown already */
	unsigned last_line, max_shown;
};

struct sources {
	struct source_file **files;
	size_t n, cap;
	int64_t bytes;	    /* of all texts; beyond a limit, files have none */
	const char *prefix; /* borrowed; NULL: none */
	unsigned prefix_strip;
};

/* The file of a path, which may have no text. NULL: out of memory. */
struct source_file *source_get(struct sources *s, const char *path);
/* Line number `line`, from 1; NULL: there is none. */
const char *source_line(const struct source_file *f, unsigned line);
void sources_release(struct sources *s);

#endif
