/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which modules a recording needs, with their build-ids: what perf keeps in the header's BUILD_ID
 * feature. The recorder looks at no sample while it records; so the file is read once when all
 * of it is written. And the cache of those files, laid out as perf's ~/.debug:
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
#include "record/header/buildid_reader.h"

/*
 * Appends the table's bytes: modules that a sample lies in, or `all` that were mapped; the vdso always,
 * as in perf. What has no build-id, or no longer the file, is left out; `known` (may be NULL): the
 * build-ids that were read while the files were mapped, and only those are taken of files. Each is shown to `each`
 * (may be NULL), and the kernel in any case, again as in perf; `pid` is a process that it was hit in, or not
 * positive. 0, or a negative errno, told in err.
 */
typedef void (*buildid_table_fn)(void *ctx, const struct data_build_id *item, int32_t pid);
int buildid_table_build(struct data_file *file, const struct roots *roots, bool all,
			struct buildid_reader *known, buildid_table_fn each, void *ctx,
			struct buf *out, struct ptui_error *err);

/*
 * Brings one module into the cache in `dir`, as far as it is not there: a copy of the file that has the
 * build-id, as process `pid` (0: none) or we find it at its path. 0 or a negative errno (-ESTALE: the
 * files there have other build-ids). Kernel symbols that the system hides are not worth
 * keeping: 0 as well.
 */
int buildid_cache_add(const char *dir, const struct roots *roots, const struct data_build_id *item,
		      int32_t pid);

/*
 * Brings the vmlinux file of the running kernel into the cache, where readers find it by its build-id.
 * A file with another build-id or without symbols is refused. `dir` NULL: the file is only checked.
 */
int buildid_cache_add_vmlinux(const char *dir, const struct roots *roots, const char *path,
			      struct ptui_error *err);

/* What the recorder calls at its end (record/recording.h); ctx: none. */
int buildid_table_of_recording(void *ctx, const char *path, const struct roots *roots, bool all,
			       const char *cache_dir, struct buildid_reader *known, struct buf *out,
			       struct ptui_error *err);

#endif
