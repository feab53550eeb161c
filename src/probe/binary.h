/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file to set probes in: the code that runs, its debug information (in the same file or in a separate
 * one) and its symbols.
 */
#ifndef PROBE_BINARY_H
#define PROBE_BINARY_H

#include <elfutils/libdwfl.h>
#include "base/arena.h"
#include "dso/dso.h"

struct probe_symbol {
	uint64_t addr, bytes; /* as in the file; of a running kernel: where it is */
	const char *name;     /* owned by the binary */
	uint8_t type;	      /* STT_* */
	bool plt;
};

struct probe_binary {
	const char *path;	/* of the code, without symfs */
	struct dso_file *file;	/* NULL: the running kernel, of which no file is there */
	struct dso_file *debug; /* has the debug information; NULL: none was found */
	bool is_kernel;		/* vmlinux or a kernel module, also that of another kernel */
	bool is_running;	/* the running kernel: symbols have the addresses of kallsyms */
	Dwfl *dwfl;
	Dwarf *dwarf;	  /* NULL: no debug information */
	bool lacks_split; /* a .dwo file of it; said already */
	Dwarf_CFI *cfi_eh, *cfi_debug;
	int machine;		      /* EM_* */
	struct probe_symbol *symbols; /* by address; read by probe_binary_symbols() */
	size_t n_symbols, cap_symbols;
	bool has_symbols;
	struct arena mem;
};

struct probe_binary_opts {
	const char *symfs;     /* prefix of all paths; NULL or "": none */
	const char *cache_dir; /* build-id cache; NULL: ~/.debug */
};

/* A program or library. NULL with `err` set. */
struct probe_binary *probe_binary_open(const char *path, const struct probe_binary_opts *o,
				       struct ptui_error *err);
/* A vmlinux or kernel module as a file. */
struct probe_binary *probe_binary_open_kernel(const char *path, const struct probe_binary_opts *o,
					      struct ptui_error *err);
/*
 * The running kernel: its symbols are those of kallsyms, its debug information that of a vmlinux with its
 * build-id, if there is one.
 */
struct probe_binary *probe_binary_running_kernel(const struct roots *roots,
						 const struct probe_binary_opts *o,
						 struct ptui_error *err);
/* A module of the running kernel, by its name; its file is in /lib/modules. */
struct probe_binary *probe_binary_kernel_module(const char *name, const struct probe_binary_opts *o,
						struct ptui_error *err);
void probe_binary_free(struct probe_binary *b); /* NULL ok */

/* Reads the symbols. 0, or a negative errno with `err` set. */
int probe_binary_symbols(struct probe_binary *b, struct ptui_error *err);
/* The function that contains an address; NULL: none. After probe_binary_symbols(). */
const struct probe_symbol *probe_binary_symbol_at(const struct probe_binary *b, uint64_t addr);
const struct probe_symbol *probe_binary_symbol_named(const struct probe_binary *b,
						     const char *name);

/* -ENOENT with `err` set if there is no debug information. */
int probe_binary_need_dwarf(const struct probe_binary *b, struct ptui_error *err);
/* After probe_binary_symbols(). -ENOENT with `err` set if the file was stripped of all functions. */
int probe_binary_need_functions(const struct probe_binary *b, struct ptui_error *err);

/* The path of a source file as it is on this machine, in `mem`; NULL with `err` set. */
const char *probe_source_path(const char *path, const char *unit_dir, const char *prefix,
			      struct arena *mem, struct ptui_error *err);

#endif
