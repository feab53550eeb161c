/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entries of perf's build-id cache (the layout: buildid_table.h), listed, added and removed one by
 * one, as perf buildid-cache does.
 */
#ifndef SESSION_BUILDID_ENTRIES_H
#define SESSION_BUILDID_ENTRIES_H

#include <stdbool.h>
#include "base/file.h"
#include "data/read/reader.h"
#include "dso/dso.h"

/* `given`, or perf's default: $HOME/.debug, or .debug in the current directory. To be freed; NULL: no memory. */
char *buildid_cache_dir(const char *given);

struct cached_file {
	char id[DSO_BUILD_ID_TEXT];
	char *path; /* of the original file; or "[kernel.kallsyms]", "[vdso]" */
	bool valid; /* the file at `path`, or the running kernel, still has this build-id */
};

struct cached_files {
	struct cached_file *v; /* in the order of the ids */
	size_t n, cap;
};

/* Reads the links of the cache. A missing cache is empty. 0, or a negative errno with `err` set. */
int cached_files_read(struct cached_files *e, const char *dir, const struct roots *roots,
		      struct ptui_error *err);
void cached_files_release(struct cached_files *e);

/* Whether the cache has a file for this build-id. */
bool buildid_cache_has(const char *dir, const char *id);

/* -ENOENT: not in the cache. Removes nothing outside `dir`, wherever a link leads. */
int buildid_cache_remove(const char *dir, const char *id);
/* Removes every build-id that was cached for this path; calls `each` (may be NULL) with the result. */
int buildid_cache_purge(const char *dir, const char *path,
			void (*each)(void *ctx, const char *id, int ret), void *ctx);

/*
 * The build-id and the absolute path (to be freed) of a file, as process `pid` sees it (0: we). 0 or
 * a negative errno; -ENODATA: it has no build-id.
 */
int buildid_of_file(const struct roots *roots, const char *path, int32_t pid,
		    struct data_build_id *ret, char **ret_path);

/* Writes a file with `make` under a temporary name, then renames it to `to`. 0 or a negative errno. */
int buildid_cache_write(const char *to, int (*make)(void *ctx, int fd), void *ctx, mode_t mode);

/* Creates all directories of `path`, which is restored. 0 or a negative errno. */
int buildid_cache_make_folders(char *path);

/*
 * Adds a copy of the kernel's code, of /proc/kcore, with the kallsyms and modules beside it. 0: *ret_where has
 * the folder of the copy; 1: the cache has one of this boot with the same modules, which *ret_where has (not
 * with `force`). Negative: `err` is set.
 */
int buildid_cache_add_kcore(const char *dir, const char *path, bool force, struct buf *ret_where,
			    struct ptui_error *err);

/*
 * Adds the debug information of a cached file from debuginfod servers, unless the cache has it. 0 or
 * a negative errno; -ENOENT: no server has it, or none is asked.
 */
int buildid_cache_fetch_debug(const char *dir, const struct data_build_id *item);

/*
 * Writes the SDT markers of a cached file as perf's definitions of probes, where `perf probe` and
 * `perf list sdt` look for them: FOLDER/probes. 0 or a negative errno.
 */
int buildid_cache_add_sdt(const char *dir, const struct data_build_id *item);

#endif
