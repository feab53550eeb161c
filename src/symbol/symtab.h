/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbol room: offset in a module to the function that is there.
 *
 * Takes: ELF files (from dso), kallsyms text, perf-PID.map text. Gives: one sorted table a
 * module. Tables speak in FILE OFFSETS of the module (kernel, kernel modules, ksymbols and
 * anonymous memory: in addresses of the running system), so that a sample's frame can be
 * looked up without opening the file again. The choice among aliases and the ends of
 * symbols without size are perf's.
 */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dso/dso.h"
#include "ptui/error.h"

struct symtab;

struct symtab_entry {
	uint64_t start, end; /* [start, end) */
	const char *name;    /* as in the file (mangled); owned by the table */
	uint8_t binding;     /* STB_* */
	uint8_t type;	     /* STT_* */
	bool plt;	     /* made for a PLT slot: "malloc@plt" */
};

/* .symtab (else .dynsym) of `symbols`, placed by the headers of `runtime` (may be the same). */
struct symtab *symtab_from_elf(struct dso_file *runtime, struct dso_file *symbols,
			       struct ptui_error *err);
/* The same of a vmlinux file, in the addresses that the kernel was linked at. */
struct symtab *symtab_from_vmlinux(struct dso_file *f, struct ptui_error *err);
/*
 * kallsyms text (roots->proc/kallsyms or a copy): functions of the kernel proper
 * (module NULL) or of one module ("nf_tables", without brackets). All zero addresses:
 * -EPERM, with kptr_restrict and its value in the sentence.
 */
struct symtab *symtab_from_kallsyms(const char *path, const char *module, struct ptui_error *err);
/*
 * The address of the kernel's reference symbol, to compare with the one recorded: _stext or _text, the
 * other one where the table lacks it. 0: it has neither.
 */
uint64_t symtab_kernel_ref(const struct symtab *t, bool stext);
/* Lines "start size name" in hex, as JITs write to /tmp/perf-PID.map. */
struct symtab *symtab_from_perf_map(const char *path, struct ptui_error *err);
void symtab_free(struct symtab *t);

/* What it takes in memory; NULL: 0. */
size_t symtab_bytes(const struct symtab *t);
size_t symtab_n(const struct symtab *t);
const struct symtab_entry *symtab_at(const struct symtab *t, size_t i);
/* The entry with start <= off < end, or NULL. */
const struct symtab_entry *symtab_find(const struct symtab *t, uint64_t off);

/*
 * The name for people: demangled (C++, Rust, D) when a demangler is compiled in, else the
 * name itself. Without parameter lists, as perf. malloc'ed; NULL: out of memory.
 */
char *symbol_demangle(const char *name);

#endif
