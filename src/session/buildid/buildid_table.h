/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The modules that a recording needs, with their build-ids: the header's BUILD_ID feature. The
 * recorder does not decode samples while it records, so the finished file is read once. And perf's
 * cache of those files, ~/.debug:
 *
 *	DIR/usr/lib/libc.so.6/93ac61…/elf
 *	DIR/[kernel.kallsyms]/4a5a9b…/kallsyms
 *	DIR/[vdso]/e95baa…/vdso
 *	DIR/.build-id/93/ac61… -> ../../usr/lib/libc.so.6/93ac61…
 */
#ifndef SESSION_BUILDID_TABLE_H
#define SESSION_BUILDID_TABLE_H

#include "base/buf.h"
#include "base/file.h"
#include "data/read/reader.h"
#include "machine/machine.h"
#include "record/header/buildid_feature.h"

/*
 * Appends the table's bytes: modules with samples, or `all` that were mapped, and always the vdso,
 * as in perf. Modules without a build-id and files that are gone are left out. `known` (may be
 * NULL) has the build-ids that were read while files were mapped; if given, files are not read
 * again. Calls `each` (may be NULL) for each module and always for the kernel, as perf does, with a
 * `pid` that has samples in it (not positive: none). 0, or a negative errno with `err` set.
 */
typedef void (*buildid_table_fn)(void *ctx, const struct data_build_id *item, int32_t pid);
int buildid_table_build(struct data_file *file, const struct roots *roots, bool all,
			struct buildid_reader *known, buildid_table_fn each, void *ctx,
			struct buf *out, struct ptui_error *err);

/*
 * For recordings that were made elsewhere or earlier: calls `each` for the modules with samples, or
 * `all`, and the vdso. Their build-ids are those of their maps; else of the files, if these were not
 * written after `until_ns` (0: not known); `changed` gets the paths of these. Without any, `bytes`
 * is 0. 0, or a negative errno with `err` set.
 */
struct buildid_modules {
	bool all;
	uint64_t until_ns;
	buildid_table_fn each;
	void (*changed)(void *ctx, const char *path);
	void *ctx;
};
int buildid_modules_each(struct data_file *file, const struct roots *roots,
			 const struct buildid_modules *which, struct ptui_error *err);

/*
 * Adds one module to the cache in `dir` if it is not there: a copy of the file with the build-id,
 * found at its path as process `pid` (0: none) or we see it. 0 or a negative errno (-ESTALE: the
 * files there have other build-ids). Kernel symbols with hidden addresses are not cached: 0 as
 * well.
 */
int buildid_cache_add(const char *dir, const struct roots *roots, const struct data_build_id *item,
		      int32_t pid);

/*
 * Adds the vmlinux file of the running kernel to the cache, where it is found by its build-id.
 * Refuses a file with another build-id or without symbols. `dir` NULL: only checks the file.
 */
int buildid_cache_add_vmlinux(const char *dir, const struct roots *roots, const char *path,
			      struct ptui_error *err);

/*
 * Gives the machine the build-ids of a recording's BUILD_ID table, before the first seal; `names`
 * are the machine's. The kernel and its modules get theirs by whatever name the table has. 0 or
 * -ENOMEM.
 */
int buildid_add_recorded(struct data_file *file, struct machine *m, const struct strpool *names);
/* The kernel of the host in the table of build-ids. -1: it is not in it. */
int buildid_of_kernel(struct data_file *file, struct data_build_id *ret);

/* Called by the recorder at its end (record/recording.h); `ctx` is not used. */
int buildid_table_of_recording(void *ctx, const char *path, const struct roots *roots, bool all,
			       const struct buildid_cache *cache, struct buildid_reader *known,
			       struct buf *out, struct ptui_error *err);

#endif
