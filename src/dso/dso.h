/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dso room: module files, found and held once each.
 *
 * Takes: a name and, where known, a build-id. Gives: an open ELF file that is the right one
 * (build-id compared), its program headers for file offset <-> virtual address, its notes;
 * and where separate symbols lie (.gnu_debuglink, build-id folders).
 * Not for: samples, processes, time, or what the symbols mean.
 */
#ifndef DSO_DSO_H
#define DSO_DSO_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include "ptui/error.h"

#define DSO_BUILD_ID_MAX 20

struct dso_file; /* an open ELF file; refcounted, may be used by one thread at a time */

/*
 * Opens `path` as ELF and, when `build_id` is given, only if the file's own is the same
 * (-ESTALE with both in the sentence when it is not). NULL on failure.
 */
struct dso_file *dso_file_open(const char *path, const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err);
struct dso_file *dso_file_ref(struct dso_file *f);
void dso_file_unref(struct dso_file *f);
Elf *dso_file_elf(struct dso_file *f);
const char *dso_file_path(const struct dso_file *f);
/* Bytes of the build-id copied to ret_id (at most DSO_BUILD_ID_MAX); 0: it has none. */
uint8_t dso_file_build_id(struct dso_file *f, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* Virtual address (st_value) to offset in the file, by the PT_LOAD that holds it. */
bool dso_file_rva_to_off(const struct dso_file *f, uint64_t rva, uint64_t *ret_off);
bool dso_file_off_to_rva(const struct dso_file *f, uint64_t off, uint64_t *ret_rva);

/*
 * Reads only the build-id of an ELF file; for the recorder's synthesized maps. Number of
 * bytes, 0 when it has none, or a negative errno.
 */
int dso_read_build_id(const char *path, uint8_t ret_id[DSO_BUILD_ID_MAX]);

/*
 * Files that may hold the symbol table of (path, build-id), best first, as perf looks:
 * debuglink beside it, ~/.debug cache, /usr/lib/debug by build-id, then the file itself.
 * Calls fn with each candidate that exists until it returns other than 0 (returned).
 */
struct dso_search {
	const char *path;
	const uint8_t *build_id;
	uint8_t build_id_bytes;
	const char *home;   /* for ~/.debug; NULL: $HOME */
	const char *symfs;  /* prefix for every path; NULL or "": none */
};
int dso_search_each(const struct dso_search *s,
		    int (*fn)(void *ctx, const char *path, bool is_debug), void *ctx);

#endif
