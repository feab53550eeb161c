/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dso room: DSO files, opened once each.
 *
 * From a name and, if known, a build-id to an open ELF file with that build-id: its program headers
 * (file offset <-> virtual address), its notes, and where its separate symbols are (.gnu_debuglink,
 * build-id directories). Knows nothing of samples, processes, time, or what symbols mean.
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

struct dso_file; /* an open ELF file; refcounted; one thread at a time */

/*
 * Opens `path` as ELF, compressed or not. If `build_id` is given, the file's own must be equal
 * (else -ESTALE, with both in the error). NULL on failure.
 */
struct dso_file *dso_file_open(const char *path, const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err);
/* The same for an open file, which is closed with it, or on failure; `path` is its name in errors. */
struct dso_file *dso_file_open_fd(int fd, const char *path, const uint8_t *build_id,
				  uint8_t build_id_bytes, struct ptui_error *err);
/* The same for an image in memory (copied); `path` is its name in errors. */
struct dso_file *dso_file_open_image(const char *path, const void *bytes, size_t n,
				     const uint8_t *build_id, uint8_t build_id_bytes,
				     struct ptui_error *err);
/*
 * The ELF image in the section .gnu_debugdata, with symbols that .dynsym lacks. NULL: none (err is
 * not set), or damaged.
 */
struct dso_file *dso_file_open_debugdata(struct dso_file *f, struct ptui_error *err);
/* The vdso of the running kernel. */
struct dso_file *dso_vdso_open(const uint8_t *build_id, uint8_t build_id_bytes,
			       struct ptui_error *err);
struct dso_file *dso_file_ref(struct dso_file *f);
void dso_file_unref(struct dso_file *f);
Elf *dso_file_elf(struct dso_file *f);
const char *dso_file_path(const struct dso_file *f);
/* Its descriptor, borrowed, if offsets in the ELF file are offsets in the file; -1: packed, or an image. */
int dso_file_fd(const struct dso_file *f);
/* Copies the build-id to ret_id; returns its bytes, 0: none. */
uint8_t dso_file_build_id(struct dso_file *f, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* The PT_LOADs, in the file's order. */
struct dso_load {
	uint64_t vaddr, off, mem_bytes, file_bytes;
};
const struct dso_load *dso_file_loads(const struct dso_file *f, size_t *ret_n);
/* Virtual address (st_value) to file offset, by the PT_LOAD that contains it. */
bool dso_file_rva_to_off(const struct dso_file *f, uint64_t rva, uint64_t *ret_off);
/* The reverse, for bytes that are in the file. */
bool dso_file_off_to_rva(const struct dso_file *f, uint64_t off, uint64_t *ret_rva);
/* The first section of a type (0: any) and a name (NULL: any); NULL: none. */
Elf_Scn *dso_file_section(struct dso_file *f, uint32_t type, const char *name, GElf_Shdr *ret_shdr);
bool dso_file_has_section(struct dso_file *f, uint32_t type);
/*
 * Whether the bytes of machine code are in the file; a debug file has only the sections' headers (SHT_NOBITS).
 * A file whose section headers were stripped (sstrip, packers) is judged by its PT_LOADs.
 */
bool dso_file_has_code(struct dso_file *f);
/* The end of the section that contains a file offset; UINT64_MAX: in none. */
uint64_t dso_file_section_end(struct dso_file *f, uint64_t off);
/*
 * Where the kernel puts a section with code of a module: sections follow one another, in the file's order; init
 * sections go elsewhere (kernel/module/main.c, layout_sections()).
 */
struct dso_placed {
	uint64_t at; /* offset in the loaded module; UINT64_MAX: no code, or elsewhere */
	uint64_t bytes;
	uint64_t off; /* in the file; of no meaning in a file of debug information */
};
/* All sections by their index, to be freed. 0, -ENOMEM, or -EINVAL: not a kernel module. */
int dso_file_place_sections(struct dso_file *f, struct dso_placed **ret, size_t *ret_n);
/* The section that has an offset in the loaded module; PTUI_NONE: none. */
uint32_t dso_placed_find(const struct dso_placed *v, size_t n, uint64_t at);
/* The file name in .gnu_debuglink; false: none, or longer than `bytes`. */
bool dso_file_debuglink(struct dso_file *f, char *ret_name, size_t bytes);

/* Reads only the build-id of an ELF file. Returns its size, 0: none, or -errno. */
int dso_read_build_id(const char *path, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* The same for the running kernel (sysfs: kernel/notes), and for notes in memory. */
int dso_read_kernel_build_id(const struct roots *roots, uint8_t ret_id[DSO_BUILD_ID_MAX]);
int dso_notes_build_id(const void *bytes, size_t n, bool swap, uint8_t ret_id[DSO_BUILD_ID_MAX]);
/* Formats as hex digits. */
void dso_build_id_format(const uint8_t *id, uint8_t bytes, char ret_text[DSO_BUILD_ID_TEXT]);

/*
 * Reads n bytes of a kernel at `addr` from FOLDER/kcore; /proc/kcore needs CAP_SYS_RAWIO. 0, or a
 * negative errno with err set.
 */
int dso_kcore_read(const char *folder, uint64_t addr, void *bytes, size_t n, uint16_t *ret_machine,
		   struct ptui_error *err);

/* Where symbols come from: perf's letters, as `report -v` prints them. */
enum dso_origin {
	DSO_FROM_NOWHERE = '!',
	DSO_FROM_KALLSYMS = 'k',
	DSO_FROM_VMLINUX = 'v',
	DSO_FROM_MODULE = 'K', /* the file of a kernel module */
	DSO_FROM_PACKED_MODULE = 'm',
	DSO_FROM_JIT = 'j',
	DSO_FROM_FILE = 'd',	    /* the file itself */
	DSO_FROM_DEBUGDATA = 'n',   /* .gnu_debugdata in it */
	DSO_FROM_CACHE = 'B',	    /* perf's build-id cache */
	DSO_FROM_CACHE_DEBUG = 'D', /* the same, or that of debuginfod: only debug information */
	DSO_FROM_DEBUGLINK = 'l',
	DSO_FROM_DEBUG_ROOT = 'f', /* /usr/lib/debug/PATH.debug */
	DSO_FROM_DEBUG_COPY = 'u', /* /usr/lib/debug/PATH */
	DSO_FROM_DEBUG_ID = 'b',   /* /usr/lib/debug/.build-id */
};

/* Whether it is a file with debug information beside the one that ran. */
static inline bool dso_origin_is_debug(char origin)
{
	return origin == DSO_FROM_CACHE_DEBUG || origin == DSO_FROM_DEBUGLINK ||
	       origin == DSO_FROM_DEBUG_ROOT || origin == DSO_FROM_DEBUG_COPY ||
	       origin == DSO_FROM_DEBUG_ID;
}

/*
 * Files that may have the symbol table of (path, build-id), best first, in perf's order: debuglink,
 * ~/.debug cache, /usr/lib/debug by build-id, the file itself. Calls fn for each candidate that
 * exists until it returns non-zero, which is returned. `origin` is enum dso_origin.
 */
struct dso_search {
	const char *path;
	const uint8_t *build_id;
	uint8_t build_id_bytes;
	const char *home;      /* for ~/.debug; NULL: $HOME */
	const char *cache_dir; /* NULL: ~/.debug */
	const char *symfs;     /* prefix of every path; NULL or "": none */
};
int dso_search_each(const struct dso_search *s, int (*fn)(void *ctx, const char *path, char origin),
		    void *ctx);
/*
 * The same for the file of kernel module `module` ("nf_tables"), without debuglinks; s->path is its
 * recorded name, which may not be a path. `release` as below.
 */
int dso_search_kernel_module(const struct dso_search *s, const char *module, const char *release,
			     int (*fn)(void *ctx, const char *path, char origin), void *ctx);
/* The same for vmlinux, without s->path. `release` is that of `uname -r`; NULL: unknown. */
int dso_search_vmlinux(const struct dso_search *s, const char *release,
		       int (*fn)(void *ctx, const char *path, char origin), void *ctx);

/*
 * Files of debuginfod servers: enabled if DEBUGINFOD_URLS is set and the library can be loaded.
 * Fetches the debug information of a build-id, or the executable. `progress` (may be NULL; unit:
 * bytes) cancels with non-zero. Returns an fd, with its path in the library's cache (to be freed),
 * or a negative errno: -ECANCELED, -ENOENT.
 */
bool dso_debuginfod_enabled(void);
int dso_debuginfod_fetch(const uint8_t *id, uint8_t bytes, bool executable,
			 int (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx,
			 char **ret_path);

#endif
