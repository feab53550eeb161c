/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording with the files that its symbols come from, as one tar file, packed with zstd:
 *
 *	perf.data
 *	.debug/usr/lib/libc.so.6/93ac61.../elf		perf's build-id cache
 *	.debug/.build-id/93/ac61... -> ../../usr/lib/libc.so.6/93ac61...
 *
 * So perf reads it after `tar xf FILE`, as `perf --buildid-dir .debug report`.
 */
#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>
#include "data/read/reader.h"
#include "ptui/error.h"

#define ARCHIVE_RECORDING "perf.data" /* names in the archive */
#define ARCHIVE_CACHE	  ".debug"

struct archive_opts {
	const char *input, *output;
	const char *cache_dir; /* perf's build-id cache here */
	/* a DSO with samples, and why it is not in the archive; NULL: it is */
	void (*file)(void *ctx, const char *path, const char *why);
	void *ctx;
};

struct archive_result {
	uint64_t files, missing, bytes; /* bytes: of the archive */
	struct data_damage damage;	/* of the header of the recording */
};

/* 0, or a negative errno with `err` set: then there is no archive. */
int archive_make(const struct archive_opts *o, struct archive_result *ret, struct ptui_error *err);

/* Whether the file looks like an archive: a tar file, or one packed with zstd. */
bool archive_is(const char *path);

/*
 * Unpacks it to the empty folder `dir`. Refuses whatever archive_make() does not write: other names, links
 * that lead out of the cache, files that do not fit. 0, or a negative errno with `err` set: the
 * folder is then empty again.
 */
int archive_unpack(const char *path, const char *dir, struct ptui_error *err);

/* Removes a folder and what is in it, following no links. */
void archive_remove_folder(const char *dir);

#endif
