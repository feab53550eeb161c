/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a resolved address is: plain data, for the rooms that add up (profile) and show.
 */
#ifndef RESOLVE_FRAME_H
#define RESOLVE_FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include "ptui/types.h"

/*
 * One distinct place in code. Two frames differ in dso or off, or, where no map is known
 * (dso PTUI_NONE), in address space or address.
 */
struct frame {
	uint64_t off;	/* in the dso's file: addr - map.start + map.pgoff; where the dso has no
			 file (the kernel itself, anonymous memory) or no map is known: the address */
	uint64_t addr;	/* the first address in a process that it was met at; for showing only */
	uint32_t dso;	/* PTUI_NONE: no map */
	uint32_t sym;	/* PTUI_NONE: no symbol (or not symbolized yet) */
	uint32_t space; /* machine_space(); only told apart where dso is PTUI_NONE */
	uint8_t mode;	/* enum data_cpumode */
	bool symbolized;
};

/* Whether a user stack may begin in a frame: what is outside of it is then no longer missed. */
enum frame_start {
	FRAME_INSIDE,	     /* no: somebody called it */
	FRAME_START,	     /* yes: _start, what calls main, start_thread, clone ... */
	FRAME_START_UNKNOWN, /* its file cannot be read */
};

struct symbol {
	uint64_t start, end; /* in the same terms as frame.off */
	uint32_t name;	     /* strpool id, demangled */
	uint32_t dso;
	uint8_t binding; /* STB_* : perf's -v shows it */
};

enum dso_state {
	DSO_UNTRIED,
	DSO_OK,
	DSO_NO_FILE,	/* the file is not there, or cannot be read */
	DSO_STALE,	/* it is there, with another build-id */
	DSO_NO_SYMBOLS, /* no symbol table, or an empty one */
	DSO_FORBIDDEN,	/* kernel symbols hidden by kptr_restrict */
};

/* A module with what became of its symbols. Dense ids: equal path and build-id, equal id. */
struct dso_info {
	uint32_t name;	     /* strpool id: "/usr/lib/x86_64-linux-gnu/libc.so.6" */
	uint32_t short_name; /* "libc.so.6", "[kernel.kallsyms]", "[vdso]", "perf-17.map" */
	bool kernel;
	uint8_t build_id_bytes;
	uint8_t build_id[20];
	enum dso_state state;
	char why[512];	   /* one sentence when the state is not DSO_OK; "" else */
	uint32_t why_name; /* the same as a strpool id, when it was tried; PTUI_NONE: none */
};

#endif
