/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of struct resolver, for the files of this room only. */
#ifndef RESOLVE_PRIVATE_H
#define RESOLVE_PRIVATE_H

#include "dso/starts.h"
#include "resolve/resolver.h"
#include "symbol/symtab.h"

/*
 * The address cache: direct-mapped, so that a repeated address costs one probe.
 *
 *   hash(pid, addr) -> slot { pid, addr, [from … last], frame }
 *
 * A slot holds for the times in which the machine's answer is the same.
 */
#define CACHE_SLOTS (1u << 15)

struct cache_slot {
	uint64_t addr;
	uint64_t from, last; /* inclusive; from > last: empty */
	int32_t pid;	     /* -1: the kernel */
	uint32_t frame;
};
_Static_assert(sizeof(struct cache_slot) == 32, "two in a cache line");

/* Internal data of a DSO; same index as its dso_info. */
struct dso_work {
	struct symtab *table; /* NULL: not tried yet, or dso_info.state has the reason */
	uint64_t shift;	      /* table address = frame.off + shift */
	uint64_t base;	      /* kernel: recorded address of its first byte, 0: unknown */
	bool identity;	      /* frame.off is an address */
	bool vdso;
	bool starts_known;	  /* `starts` has been read from its file */
	struct dso_range *starts; /* functions in which stacks start */
	size_t n_starts;
};

struct resolver {
	const struct machine *m;
	struct strpool *names;
	const struct roots *roots;
	char *symfs, *kallsyms, *vmlinux, *kernel_release, *home, *buildid_dir;
	bool ignore_vmlinux, no_modules, live;

	struct frame *frames;
	size_t n_frames, cap_frames;
	struct index_table frame_index;
	size_t n_symbolized; /* the first frames, up to here, are symbolized */

	struct dso_info *dsos; /* ids are those of the machine's modules */
	struct dso_work *work;
	size_t n_dsos, cap_dsos, cap_work;

	struct symbol *symbols;
	size_t n_symbols, cap_symbols;
	struct index_table symbol_index;

	struct cache_slot *cache;
	size_t bytes; /* of the symbol tables */
	bool starts;  /* opts.starts */
};

/* dso_name.c: sets the long and short name of a module. 0 or -ENOMEM. */
int dso_name_set(struct strpool *names, const struct module_ref *ref, struct dso_info *info);

bool dso_name_is_vdso(const char *path);
/* The kernel itself, not a module of it. */
bool dso_name_is_kernel(const struct strpool *names, const struct module_ref *ref);

/* dso_load.c: loads the table of an untried DSO, and sets info->state. */
void dso_load(struct resolver *r, uint32_t dso);
/* Sets the state of a DSO without symbols, with the reason. */
void dso_load_failed(struct dso_info *info, enum dso_state state, const struct ptui_error *err);

/* kernel_load.c: the table of the kernel or of a module of it; NULL: `info` has the reason. */
struct symtab *kernel_load(struct resolver *r, uint32_t dso);
/* Whether the running kernel is known not to be the recorded one; then sets `info`. */
bool kernel_is_stale(struct resolver *r, struct dso_info *info);

/* Rebuild the hash tables from the arrays. 0 or -ENOMEM. */
int frames_index(struct resolver *r);
int symbols_index(struct resolver *r);

/* symbolize.c: id of a symbol, which is added if it is new; PTUI_NONE: out of memory. */
uint32_t symbol_intern(struct resolver *r, const struct symbol *sym);

#endif
