/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolved addresses: plain data, used by the profile room and the front ends. */
#ifndef RESOLVE_FRAME_H
#define RESOLVE_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include "ptui/types.h"

/*
 * One distinct code location. Two frames differ in dso or off, or, if no map is known (dso
 * PTUI_NONE), in address space or address.
 */
struct frame {
	uint64_t off;	/* offset in the DSO's file: addr - map.start + map.pgoff; the address
			   itself if there is no file (the kernel, anonymous memory) or no map */
	uint64_t addr;	/* the first address seen in a process; for display only */
	uint32_t dso;	/* PTUI_NONE: no map */
	uint32_t sym;	/* PTUI_NONE: no symbol, or not symbolized yet */
	uint32_t space; /* machine_space(); significant only if dso is PTUI_NONE */
	uint8_t mode;	/* enum data_cpumode */
	bool symbolized;
	bool retired; /* live: its name came later, so that its place has another frame now */
};

/* Whether a user stack may start in a frame, so that it is complete. */
enum frame_start {
	FRAME_INSIDE,	     /* no: it has a caller */
	FRAME_START,	     /* yes: _start, the caller of main, start_thread, clone ... */
	FRAME_START_UNKNOWN, /* its file cannot be read */
};

struct symbol {
	uint64_t start, end; /* same unit as frame.off */
	uint32_t name;	     /* strpool id, demangled */
	uint32_t dso;
	uint8_t binding; /* STB_*; shown by perf's -v */
	bool object;	 /* data, not code */
	bool unnamed;	 /* the name is its range of addresses */
	bool starts;	 /* named like a function in which user stacks start */
};

enum dso_state {
	DSO_UNTRIED,
	DSO_OK,
	DSO_NO_FILE,	/* the file does not exist or cannot be read */
	DSO_STALE,	/* the file has another build-id */
	DSO_NO_SYMBOLS, /* no symbol table, or an empty one */
	DSO_FORBIDDEN,	/* kernel symbols hidden by kptr_restrict */
	DSO_UNVERIFIED, /* it is not known whether the file here is the recorded one */
};

/* A module and the state of its symbols. Ids are dense; one per path and build-id. */
struct dso_info {
	uint32_t name;	     /* strpool id: "/usr/lib/x86_64-linux-gnu/libc.so.6" */
	uint32_t short_name; /* "libc.so.6", "[kernel.kallsyms]", "[vdso]", "perf-17.map" */
	bool kernel;
	bool jit; /* anonymous memory, whose code a JIT compiler made */
	uint8_t build_id_bytes;
	uint8_t build_id[20];
	uint32_t jitdump; /* strpool id: the jitdump file its symbols are from; PTUI_NONE: none */
	uint32_t fetched; /* the same: its symbol file in the cache of debuginfod */
	/*
	 * Of the kernel and its modules: an address in their symbol table is frame.off + shift. The
	 * table is of the running kernel (kallsyms), of the file `vmlinux`, of `kcore`, or of
	 * another kallsyms.
	 */
	uint64_t shift;
	bool running;
	uint32_t vmlinux; /* strpool id; of a module its own file; PTUI_NONE: none */
	/* the same: folder of perf's cache with the kallsyms and the code (kcore) of that boot */
	uint32_t kcore;
	enum dso_state state;
	char origin;	   /* enum dso_origin: where its symbols are from; '\0': it has none */
	bool unnamed;	   /* its functions are ranges of addresses; there are no symbols */
	bool forced;	   /* with --force-names: DSO_OK, and it would be DSO_UNVERIFIED */
	char why[512];	   /* one sentence if the state is not DSO_OK; else "" */
	uint32_t why_name; /* `why` as a strpool id, after loading was tried; PTUI_NONE: none */
};

#endif
