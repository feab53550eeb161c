/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of struct session_debug, for debug.c (lines, inlined functions) and debug_code.c. */
#ifndef SESSION_DEBUG_PRIVATE_H
#define SESSION_DEBUG_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include "base/hash.h"
#include "session/debug.h"
#include "symbol/debug_info.h"
#include "symbol/jitdump.h"
#include "symbol/symtab.h"

/* Where the machine code of a DSO is. */
enum debug_code {
	DEBUG_CODE_NONE, /* its symbols have no file, or an unproven one */
	DEBUG_CODE_FILE,
	DEBUG_CODE_VDSO,
	DEBUG_CODE_JITDUMP,
	DEBUG_CODE_MEMORY,  /* of a JIT compiler, without a jitdump file */
	DEBUG_CODE_VMLINUX, /* the kernel, from `path` */
	DEBUG_CODE_KCORE,   /* the running kernel, a copy of one, or a module of it */
	DEBUG_CODE_MODULE,  /* a kernel module, from its file */
	DEBUG_CODE_KERNEL,  /* another kernel */
	DEBUG_CODE_BPF,
};

struct debug_dso {
	char *path;    /* NULL: no debug information */
	char *module;  /* of a kernel module: its name, without brackets; else NULL */
	char *kcore;   /* folder of a copy of the kernel's code; NULL: the running one */
	char *fetched; /* the file that the symbols of a module are from, or debuginfod's; or NULL */
	bool by_address; /* of jitdump files: frames have addresses, not file offsets */
	uint8_t build_id[DSO_BUILD_ID_MAX];
	uint8_t build_id_bytes;
	bool opened;
	struct dso_file *runtime; /* has the program headers */
	struct debug_info *info;
	struct data_types *types; /* of `info` */
	struct jitdump *jitdump;

	/* for annotations */
	enum debug_code code_is;
	struct dso_placed *placed; /* of a kernel module: the sections of `code` */
	size_t n_placed;
	uint64_t shift; /* of the kernel: address in its symbol table = offset of a frame + shift */
	bool code_opened;
	struct dso_file *code;
	struct symtab *symbols;
	struct ptui_error *code_err; /* with code_opened; not set: it could be opened */
};

/* What an instruction accesses, once it was found out. */
struct debug_access {
	uint32_t dso;
	uint32_t name, members; /* in session_debug.names, if it is a type */
	enum profile_access access;
	uint64_t off, offset;
};

struct session_debug {
	struct profile_debug ops;
	atomic_uint refs;
	pthread_mutex_t lock;
	struct debug_dso *dsos;
	size_t n_dsos;
	struct strpool names; /* demangled */
	struct debug_access *accesses;
	struct index_table access_index; /* of these, by DSO and offset */
	size_t n_accesses, cap_accesses;
	const struct roots *roots;
	char *symfs, *buildid_dir, *home, *release;
	bool may_fetch;		/* from debuginfod */
	bool unnamed_functions; /* as in struct resolver_opts */
	uint16_t machine;	/* EM_X86_64 ... of the recorded machine; EM_NONE: unknown */
};

/* debug.c; all with s->lock held. */
/* Demangled, and valid as long as `s`. NULL: out of memory. */
const char *debug_shown_name(struct session_debug *s, const char *name);
void debug_dso_open(struct session_debug *s, struct debug_dso *d);
/* The files of a DSO that are of one build, best first: see dso_search_each(). */
int debug_search(struct session_debug *s, struct debug_dso *d,
		 int (*fn)(void *ctx, const char *path, char origin), void *ctx);

/* debug_code.c: see struct profile_debug. */
int debug_code(struct profile_debug *ops, uint32_t dso, uint64_t start, struct profile_code *ret,
	       struct ptui_error *err);
/* session_debug_code_at() with s->lock held. */
int debug_code_at(struct session_debug *s, uint32_t dso, uint64_t off, size_t n,
		  struct profile_code *ret);
bool debug_symbol(struct profile_debug *ops, uint32_t dso, uint64_t addr,
		  struct profile_symbol *ret);
/* Where the code of a module is; `path` is its name. */
enum debug_code debug_code_of(const struct dso_info *info, const struct module_ref *ref,
			      const char *path);
/* EM_X86_64 for "x86_64", a machine's name in uname(); NULL: of this machine. EM_NONE: unknown. */
uint16_t debug_machine(const char *arch);
void debug_code_release(struct debug_dso *d);

#endif
