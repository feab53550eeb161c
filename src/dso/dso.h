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
#include <stddef.h>
#include <stdint.h>
#include "base/file.h"
#include "ptui/error.h"

#define DSO_BUILD_ID_MAX  20
#define DSO_BUILD_ID_TEXT (2 * DSO_BUILD_ID_MAX + 1)

struct dso_file; /* an open ELF file; refcounted, may be used by one thread at a time */

/*
 * Opens `path` as ELF and, when `build_id` is given, only if the file's own is the same
 * (-ESTALE with both in the sentence when it is not). NULL on failure.
 */
struct dso_file *dso_file_open(const char *path, const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err);
/* The same for an image in memory (copied); `path` is its name in sentences. */
struct dso_file *dso_file_open_image(const char *path, const void *bytes, size_t n,
				     const uint8_t *build_id, uint8_t build_id_bytes,
				     struct ptui_error *err);
/* The vdso of the running kernel. */
struct dso_file *dso_vdso_open(const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err);
struct dso_file *dso_file_ref(struct dso_file *f);
void dso_file_unref(struct dso_file *f);
Elf *dso_file_elf(struct dso_file *f);
const char *dso_file_path(const struct dso_file *f);
/* Bytes of the build-id copied to ret_id (at most DSO_BUILD_ID_MAX); 0: it has none. */
uint8_t dso_file_build_id(struct dso_file *f, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* Virtual address (st_value) to offset in the file, by the PT_LOAD that holds it. */
bool dso_file_rva_to_off(const struct dso_file *f, uint64_t rva, uint64_t *ret_off);
/* The first section of a type (0: any) and a name (NULL: any); NULL: there is none. */
Elf_Scn *dso_file_section(struct dso_file *f, uint32_t type, const char *name, GElf_Shdr *ret_shdr);
bool dso_file_has_section(struct dso_file *f, uint32_t type);
/* The file name in .gnu_debuglink; false: none, or longer than `bytes`. */
bool dso_file_debuglink(struct dso_file *f, char *ret_name, size_t bytes);

/*
 * Reads only the build-id of an ELF file; for the recorder's synthesized maps. Number of
 * bytes, 0 when it has none, or a negative errno.
 */
int dso_read_build_id(const char *path, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* The same for the running kernel (sysfs: kernel/notes), and for the bytes of notes. */
int dso_read_kernel_build_id(const struct roots *roots, uint8_t ret_id[DSO_BUILD_ID_MAX]);
int dso_notes_build_id(const void *bytes, size_t n, bool swap, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* As hex digits. */
void dso_build_id_format(const uint8_t *id, uint8_t bytes, char ret_text[DSO_BUILD_ID_TEXT]);

/*
 * Files that may hold the symbol table of (path, build-id), best first, as perf looks:
 * debuglink beside it, ~/.debug cache, /usr/lib/debug by build-id, then the file itself.
 * Calls fn with each candidate that exists until it returns other than 0 (returned).
 */
struct dso_search {
	const char *path;
	const uint8_t *build_id;
	uint8_t build_id_bytes;
	const char *home;      /* for ~/.debug; NULL: $HOME */
	const char *cache_dir; /* instead of ~/.debug; NULL: that */
	const char *symfs;     /* prefix for every path; NULL or "": none */
};
int dso_search_each(const struct dso_search *s,
		    int (*fn)(void *ctx, const char *path, bool is_debug), void *ctx);
/*
 * The same for the vmlinux file of a kernel; s->path is not used. `release` as `uname -r` prints it; NULL:
 * not known.
 */
int dso_search_vmlinux(const struct dso_search *s, const char *release,
		       int (*fn)(void *ctx, const char *path, bool is_debug), void *ctx);

#endif
