/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internals of struct resolver, for the files of this room only. */
#ifndef RESOLVE_PRIVATE_H
#define RESOLVE_PRIVATE_H

#include "dso/starts.h"
#include "resolve/resolver.h"
#include "symbol/symtab.h"

/*
 * From an address to a frame, in memory that stays in the processor's caches:
 *
 *   (pid, when, addr) --places--> (module, offset) --slots--> frame
 *                             '-> (space, address) --'         if nothing is mapped there
 *   (pid, when, addr) --cache--> frame               if it is in no place: generated code with a name
 *
 * A place has the addresses and times for which the machine's answer is the same. It has a slot
 * among a few for its process; the oldest is replaced.
 */
#define PLACE_SETS 64u /* powers of two */
#define PLACE_WAYS 8u

struct place {
	uint64_t start, end; /* [start, end); empty: free */
	uint64_t from, last; /* both included */
	uint64_t to_off;     /* frame.off = address + to_off */
	int32_t pid;	     /* -1: the kernel */
	uint32_t module;     /* PTUI_NONE: nothing is mapped */
	uint32_t space;	     /* machine_space(), only then; PTUI_NONE also in the kernel */
};

/* All starts and sizes are compared, without a branch that the processor could not foresee. */
struct place_set {
	uint64_t start[PLACE_WAYS], bytes[PLACE_WAYS];
	struct place places[PLACE_WAYS];
	uint32_t next, hit; /* hit: found last */
};

/* The key is in the slot: a lookup costs one cache miss. */
struct frame_slot {
	uint64_t off;
	uint32_t where; /* the module; without one SLOT_SPACE and the space */
	uint32_t frame; /* PTUI_NONE: free */
};
_Static_assert(sizeof(struct frame_slot) == 16, "four in a cache line");

#define SLOT_SPACE (1u << 31) /* of frame_slot.where */

/* Direct-mapped, for addresses without a place. */
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
	uint32_t *
		entry_symbols; /* of the table's entries, PTUI_NONE: not looked up; NULL: none yet */
	uint64_t shift;	       /* table address = frame.off + shift */
	uint64_t base;	       /* kernel: recorded address of its first byte, 0: unknown */
	bool identity;	       /* frame.off is an address */
	bool vdso;
	int32_t pid; /* a process that mapped it, and the address; 0: none */
	uint64_t map_start, map_end, map_pgoff;
	uint64_t loaded_ns;	  /* CLOCK_MONOTONIC; of a JIT compiler's code while recording */
	bool vdso_low;		  /* mapped below 4 GiB: of a 32-bit process */
	bool preloaded;		  /* preload_module() was called */
	bool starts_known;	  /* `starts` has been read from its file */
	struct dso_range *starts; /* functions in which stacks start */
	size_t n_starts;
};

struct resolver {
	const struct machine *m;
	struct strpool *names;
	const struct roots *roots;
	char *symfs, *kallsyms, *vmlinux, *kernel_release, *home, *buildid_dir;
	char *arch, *hostname;
	uint64_t recorded_ns;
	bool ignore_vmlinux, no_modules, live, force_names, mangled_names, full_names,
		demangle_kernel, unnamed_functions;
	struct kallsyms_source {
		char *path;
		struct kallsyms *k; /* NULL: it could not be read */
		struct ptui_error err;
	} * kallsyms_sources; /* read by this symbolize() */
	size_t n_kallsyms, cap_kallsyms;

	struct frame *frames;
	size_t n_frames, cap_frames;
	struct index_table frame_index; /* of frames in guests and the like */
	struct frame_slot *slots;	/* of the others: n_used of n_slots, a power of two */
	size_t n_used, n_slots;
	unsigned slot_shift; /* 64 minus the number of bits of n_slots */
	size_t n_symbolized; /* the first frames, up to here, are symbolized */
	size_t n_retired;    /* since the start */

	struct dso_info *dsos; /* ids are those of the machine's modules */
	struct dso_work *work;
	size_t n_dsos, cap_dsos, cap_work;

	struct symbol *symbols;
	size_t n_symbols, cap_symbols;
	struct index_table symbol_index;

	ptui_progress_fn progress; /* of resolver_symbolize() */
	void *progress_ctx;
	bool cancelled; /* by `progress`, while loading a table */

	struct place_set *places;     /* PLACE_SETS */
	struct cache_slot *cache;     /* CACHE_SLOTS */
	size_t bytes;		      /* of the symbol tables */
	bool starts;		      /* opts.starts */
	bool once;		      /* opts.once */
	struct preload *preload;      /* NULL: tables are read when they are needed */
	struct resolver_given *given; /* their names and tables are owned; used tables: NULL */
	size_t n_given, cap_given;
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

/*
 * proof.c: whether a file or kernel of this machine is the recorded one. PROOF_NONE and PROOF_OTHER
 * set `err`.
 */
enum proof {
	PROOF_SAME,
	PROOF_OTHER, /* the build-ids differ */
	PROOF_NONE,  /* unproven */
};
enum proof proof_kernel(struct resolver *r, struct ptui_error *err);
enum proof proof_kernel_module(struct resolver *r, uint32_t dso, const char *module,
			       struct ptui_error *err);
enum proof proof_vdso(struct resolver *r, uint32_t dso, struct ptui_error *err);
/* For a file without recorded build-id. */
enum proof proof_file(struct resolver *r, uint32_t dso, const char *path, struct ptui_error *err);
/* Whether the file has the recorded device and inode. */
bool proof_is_recorded_file(const struct resolver *r, uint32_t dso, int fd);
/*
 * While recording: whether the file is the mapped one, by its inode; true if a build-id will be compared, or
 * the inode is unknown.
 */
bool proof_is_mapped_file(const struct module_ref *ref, int fd);
/* For a jitdump file that was mapped as a marker; the compiler keeps writing to it. */
enum proof proof_dump(struct resolver *r, uint32_t dso, int fd, const char *path,
		      struct ptui_error *err);
/* Whether the process with this pid now is the recorded one. */
bool proof_is_process(const struct resolver *r, int32_t pid);
enum proof proof_perf_map(struct resolver *r, const char *path, struct ptui_error *err);
/* Whether the file or kernel may be used; if not, sets info->why. */
bool proof_accept(struct resolver *r, struct dso_info *info, enum proof proof,
		  const struct ptui_error *err);

/*
 * kernel_load.c: the kallsyms that will be needed for the symbols of the kernel, if that is known
 * already; to be freed. kernel_finds_vmlinux(): whether a vmlinux will be used instead; by any thread.
 */
char *kernel_kallsyms_path(const struct resolver *r, const uint8_t *id, uint8_t id_bytes);
bool kernel_finds_vmlinux(const struct resolver *r, const uint8_t *id, uint8_t id_bytes);
/* kallsyms at a path, read once per resolver_symbolize(). NULL: `err` is set. */
struct kallsyms *kallsyms_of(struct resolver *r, const char *path, struct ptui_error *err);
struct kallsyms *kallsyms_running(struct resolver *r, struct ptui_error *err);
void kallsyms_forget(struct resolver *r);
/* The address of a module in PROC/modules; 0: not listed. */
uint64_t module_base_now(const struct resolver *r, const char *name);

/* jit_load.c: tables of anonymous memory, and of a jitdump file. NULL: `info` has the reason. */
struct symtab *jit_memory_load(struct resolver *r, uint32_t dso);
bool jit_is_dump(const struct resolver *r, uint32_t dso);
struct symtab *jit_dump_load(struct resolver *r, uint32_t dso);

/* Live: drops a table that was read a while ago, since the compiler keeps writing. */
void jit_refresh(struct resolver *r, uint32_t dso);

/* file_load.c: the table of a mapped file; NULL: info has the reason. */
struct symtab *file_load(struct resolver *r, uint32_t dso);
/*
 * The symbols of a file, read by any thread. NULL: they depend on what may change until they are
 * needed, or there is no memory.
 */
struct file_symbols *file_symbols_new(const struct resolver *r, uint32_t dso);
void file_symbols_read(struct file_symbols *p);
void file_symbols_free(struct file_symbols *p); /* NULL ok */

/*
 * preload.c: a thread that reads symbols while samples are resolved. preload_module() is to be called for
 * each module with a frame; what was read, or is being read, is then taken once. preload_finish() frees
 * the rest.
 */
void preload_module(struct resolver *r, uint32_t dso);
struct file_symbols *preload_take(struct resolver *r, uint32_t dso);
/* False: this path was not read. NULL in *ret: `err` is set. */
bool preload_take_kallsyms(struct resolver *r, const char *path, struct kallsyms **ret,
			   struct ptui_error *err);
void preload_finish(struct resolver *r);

/*
 * fetch.c: a file of debuginfod servers by its build-id: its debug information, or the executable. `name`
 * (strpool id) is shown while it is fetched; cancelling sets r->cancelled. NULL: there is none.
 */
struct dso_file *fetch_file(struct resolver *r, uint32_t name, const uint8_t *id, uint8_t id_bytes,
			    bool executable);
/* Not while recording, and only with DEBUGINFOD_URLS. */
bool fetch_is_enabled(const struct resolver *r);

/* kernel_load.c: the table of the kernel or of a module of it; NULL: `info` has the reason. */
struct symtab *kernel_load(struct resolver *r, uint32_t dso);
/* Tables of the kernel (module NULL) or of a module; NULL: info has the reason. */
struct symtab *kernel_load_kallsyms(struct resolver *r, struct dso_info *info, const char *path,
				    const char *module);
struct symtab *kernel_load_proc_kallsyms(struct resolver *r, struct dso_info *info,
					 const char *module);
/* Where the module is by symbols of kallsyms: its first one. */
uint64_t module_base_in(const struct symtab *t);
/* Leaves `info` alone if there is no copy of the recorded kernel. */
struct symtab *kernel_load_cached_kallsyms(struct resolver *r, struct dso_info *info,
					   const char *module);
/* kernel_module.c: the same as kernel_load(), of a module. */
struct symtab *kernel_module_load(struct resolver *r, uint32_t dso);
/* The DSO of the recorded kernel; PTUI_NONE: no map. */
uint32_t kernel_dso(const struct resolver *r);

/* places.c: NULL: not known. Valid until the next place_add(). */
const struct place *place_find(struct resolver *r, int32_t map_pid, uint64_t when, uint64_t addr);
/* Adds the place of an address that is in a map of a known module. */
const struct place *place_add(struct resolver *r, int32_t map_pid, int32_t pid, uint64_t when,
			      uint64_t addr);
/* Adds the place of an address that is in no map. NULL: it has none. */
const struct place *place_add_gap(struct resolver *r, int32_t map_pid, uint64_t when,
				  uint64_t addr);
/* Adds the modules that are new in the machine. 0 or -ENOMEM. */
int dsos_add_new(struct resolver *r);
/* Notes that a process has a module mapped there. */
void dso_mapped(struct resolver *r, const struct machine_map *map, int32_t pid);
/* Forgets all places and the cache. */
void places_forget(struct resolver *r);

/* stack_start.c: whether user stacks start in functions with this name. */
bool stack_start_name(const char *name);

/* Rebuild the hash tables from the arrays. 0 or -ENOMEM. */
int frames_index(struct resolver *r);
int symbols_index(struct resolver *r);

/* symbolize.c: id of a symbol, which is added if it is new; PTUI_NONE: out of memory. */
uint32_t symbol_intern(struct resolver *r, const struct symbol *sym);

#endif
