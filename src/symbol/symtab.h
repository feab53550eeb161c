/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol room: from an offset in a module to its function.
 *
 * From ELF files (see dso), kallsyms or perf-PID.map to one sorted table per module. Tables are in
 * FILE OFFSETS of the module (kernel, kernel modules, ksymbols and anonymous memory: in addresses
 * of the running system), so that a frame is looked up without opening the file again. The choice
 * among aliases and the ends of symbols without size are perf's.
 */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dso/dso.h"
#include "ptui/error.h"

struct symtab;
struct kallsyms;

struct symtab_entry {
	uint64_t start, end; /* [start, end) */
	const char *name;    /* mangled, as in the file; owned by the table */
	uint8_t binding;     /* STB_* */
	uint8_t type;	     /* STT_* */
	bool plt;	     /* added for a PLT slot: "malloc@plt" */
	bool unnamed;	     /* added by symtab_add_unnamed() */
};

/* .symtab and .dynsym of `symbols`, with the headers of `runtime` (may be equal). */
struct symtab *symtab_from_elf(struct dso_file *runtime, struct dso_file *symbols,
			       struct ptui_error *err);
/* The same with .dynsym of `runtime`: its .gnu_debugdata has only what is not in that. */
struct symtab *symtab_from_debugdata(struct dso_file *runtime, struct dso_file *debugdata,
				     struct ptui_error *err);
/*
 * Adds the functions of `code` that .eh_frame describes and no symbol overlaps; their names are their addresses in
 * the file: "0x1150-0x1180". *t may be NULL, and stays so if there are none. 0 or -ENOMEM.
 */
int symtab_add_unnamed(struct symtab **t, struct dso_file *code);
/* A kernel module's file: functions, in offsets from where the kernel puts its code. */
struct symtab *symtab_from_kernel_module(struct dso_file *f, struct ptui_error *err);
/* The same for a vmlinux file, in the addresses that the kernel was linked at. */
struct symtab *symtab_from_vmlinux(struct dso_file *f, struct ptui_error *err);
/*
 * kallsyms text (roots->proc/kallsyms or a copy), parsed once for the kernel proper and all its
 * modules. All zero addresses: -EPERM, with kptr_restrict and its value in the sentence. A table
 * keeps a reference, since it borrows the names. One thread at a time.
 */
struct kallsyms *kallsyms_read(const char *path, struct ptui_error *err);
void kallsyms_unref(struct kallsyms *k); /* NULL ok */
/* The same by its owner: no further table is made of it; those that were keep only the names. NULL ok. */
void kallsyms_finish(struct kallsyms *k);
/* Whether the end of the kernel's code is in it: a copy may be cut. */
bool kallsyms_is_whole(const struct kallsyms *k);
/* Like symtab_kernel_ref(). */
uint64_t kallsyms_ref_address(const struct kallsyms *k, bool stext);
/* Functions of the kernel proper (module NULL) or of one module ("nf_tables", without brackets). */
struct symtab *symtab_of_kallsyms(struct kallsyms *k, const char *module, struct ptui_error *err);
/* The same of a file that is read for this table alone. */
struct symtab *symtab_from_kallsyms(const char *path, const char *module, struct ptui_error *err);
/*
 * The address of the kernel's reference symbol, to compare with the recorded one: _stext or _text,
 * else the other one. 0: the table has neither.
 */
uint64_t symtab_kernel_ref(const struct symtab *t, bool stext);
/* Lines "start size name" in hex, as JIT compilers write to /tmp/perf-PID.map. */
struct symtab *symtab_from_perf_map(const char *path, bool any_owner, struct ptui_error *err);
/* Copies entries with their names; an end that is the start means "size unknown". */
struct symtab *symtab_from_entries(const struct symtab_entry *v, size_t n);
void symtab_free(struct symtab *t);

/* Memory use; NULL: 0. */
size_t symtab_bytes(const struct symtab *t);
size_t symtab_n(const struct symtab *t);
const struct symtab_entry *symtab_at(const struct symtab *t, size_t i);
const struct symtab_entry *symtab_find(const struct symtab *t, uint64_t off);
/*
 * Offsets [*ret_from, *ret_to) around `off` for which symtab_find() is the same, NULL included. False:
 * not known.
 */
bool symtab_span(const struct symtab *t, uint64_t off, uint64_t *ret_from, uint64_t *ret_to);

/*
 * The demangled name (C++, Rust, D, OCaml), if ptui is built with a demangler, else a copy. Without
 * parameter lists, as in perf. To be freed; NULL: out of memory.
 */
char *symbol_demangle(const char *name);
/* With the parameters of C++ functions, if `parameters`. */
char *symbol_demangle_as(const char *name, bool parameters);

#endif
