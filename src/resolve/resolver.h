/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resolve room: address in a process at a time -> frame id. The only place where machine, dso
 * and symbol meet.
 *
 *   (pid, mode, when, addr) --machine--> (module, offset) --intern--> frame id
 *   frame ids ------------ symbolize(): each module's table loaded once ------> symbol ids
 *
 * Interning comes first and opens no file; symbols are then looked up for all new frames at once,
 * module by module. Failures are kept, see resolver_dso().
 * Interning: one thread at a time. After symbolize() many threads may read.
 */
#ifndef RESOLVE_RESOLVER_H
#define RESOLVE_RESOLVER_H

#include "base/file.h"
#include "machine/machine.h"
#include "resolve/frame.h"

struct resolver;

struct resolver_opts {
	const struct roots *roots;	   /* for kallsyms and modules of the running kernel */
	const char *symfs;		   /* prefix for module files; NULL: none */
	const char *buildid_dir;	   /* perf's build-id cache; NULL: .debug in `home` */
	struct ptui_kernel_symbols kernel; /* its strings are copied */
	const char *kernel_release; /* of the recorded kernel, for vmlinux-RELEASE; NULL: unknown */
	/*
	 * The recorded machine (NULL: unknown), and the end of the recording in ns since 1970 (0:
	 * unknown). They prove a file or kernel without build-id to be the recorded one.
	 */
	const char *arch, *hostname;
	uint64_t recorded_ns;
	bool force_names;     /* use unproven files, too; names from them are marked */
	bool full_names;      /* of C++ functions, with their parameters */
	bool mangled_names;   /* of programs, as in their files, */
	bool demangle_kernel; /* but not of the kernel */
	bool unnamed_functions; /* of programs: functions without symbols are their ranges of addresses */
	bool live;		/* the recorded machine and kernel are the running ones */
	const char *home;	/* for ~/.debug; NULL: $HOME */
	bool starts;		/* resolver_frame_start() will be used */
	bool once; /* resolver_symbolize() will be called once, and resolver_symbol_span() never */
};

/* `m` is sealed, maybe again later; it and `names` outlive the resolver. NULL: no memory. */
struct resolver *resolver_new(const struct machine *m, struct strpool *names,
			      const struct resolver_opts *opts);
/* Instead of opts.starts: before the first frame. */
void resolver_find_starts(struct resolver *r, bool starts);
void resolver_free(struct resolver *r);

/* The frame of an address; `mode` is enum data_cpumode. PTUI_NONE: out of memory. */
uint32_t resolver_frame(struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			uint64_t addr);

/* A range of times, both included. */
struct resolver_span {
	uint64_t from, last;
};

/*
 * The same, with the times for which the answer holds: until resolver_compact(), and in kernel mode
 * for all processes.
 */
uint32_t resolver_frame_span(struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			     uint64_t addr, struct resolver_span *ret_span);

/* An address of a process, and its frame. */
struct resolver_addr {
	uint64_t addr;
	uint32_t mode; /* enum data_cpumode */
	uint32_t frame;
	struct resolver_span span;
};

/* The frames and spans of n addresses, in their order. 0 or -ENOMEM. */
int resolver_resolve(struct resolver *r, int32_t pid, uint64_t when, struct resolver_addr *v,
		     size_t n);

/* An address of some process at some time, and its frame. */
struct resolver_query {
	uint64_t addr, when;
	int32_t pid;
	uint32_t mode; /* enum data_cpumode */
	uint32_t frame;
};

/* The frames of n such addresses, in their order. 0 or -ENOMEM. */
int resolver_resolve_each(struct resolver *r, struct resolver_query *v, size_t n);

/*
 * Adds the frames of another resolver for the same machine and with the same options, whose names have the
 * same ids, before any is symbolized: in their order, those that are new at the end. ret_frames[i] is the id of
 * its frame i. `last`: no address is looked up after that, as after resolver_drop_index(). 0 or -ENOMEM.
 */
int resolver_absorb(struct resolver *r, const struct resolver *other, bool last,
		    uint32_t *ret_frames);
/* Makes room for n frames in all, as far as there is memory: then they need not move while they are added. */
void resolver_reserve(struct resolver *r, size_t n);
/* After the last address: frees what only finds their frames. */
void resolver_drop_index(struct resolver *r);

/* Limits a span to what it has in common with another one. */
static inline void resolver_span_cut(struct resolver_span *span, const struct resolver_span *to)
{
	if (span->from < to->from)
		span->from = to->from;
	if (span->last > to->last)
		span->last = to->last;
}

/*
 * Symbols that came with the recording, for the DSO with this name; used instead of those of any
 * file. Addresses are those that it was linked at: `addr` is at offset `off` of the file (kernel
 * module: of its memory; UINT64_MAX: at the start of its map). With `as_mapped` they are those of
 * frames instead. Takes over the table, which must be of symtab_from_entries(). 0 or -ENOMEM.
 */
struct symtab;
struct resolver_given {
	const char *name; /* copied */
	struct symtab *table;
	bool as_mapped;
	uint64_t addr, off;
};
int resolver_give_symbols(struct resolver *r, const struct resolver_given *given);

/*
 * Looks up the symbols of all new frames. 0, -ENOMEM, or -ECANCELED on request of `progress` (may
 * be NULL; unit: modules). Modules without symbols are not an error.
 */
int resolver_symbolize(struct resolver *r, ptui_progress_fn progress, void *ctx,
		       struct ptui_error *err);
/* The symbol of one frame; the others wait. 0 or -ENOMEM. */
int resolver_symbolize_frame(struct resolver *r, uint32_t frame);
/*
 * For caches: offsets [*ret_from, *ret_to) of the frame's module that have the same symbol, or none as
 * well. False: not known.
 */
bool resolver_symbol_span(const struct resolver *r, uint32_t frame, uint64_t *ret_from,
			  uint64_t *ret_to);

/* Addresses [from, to) of a process that are one part of a module, or at which nothing is mapped. */
struct resolver_place {
	uint64_t from, to;
	uint64_t to_off; /* from an address to its frame's offset */
	uint32_t module; /* PTUI_NONE: nothing is mapped */
};
/*
 * For caches: the place of an address. False: its frame says nothing about other addresses, as in
 * generated code; or no memory.
 */
bool resolver_place(struct resolver *r, int32_t pid, unsigned mode, uint64_t when, uint64_t addr,
		    struct resolver_place *ret);
/*
 * The same, which changes nothing: while no map is added to the machine, a thread may call it
 * beside the one that has the resolver. A module is not known to be mapped by that.
 */
bool resolver_peek_place(const struct resolver *r, int32_t pid, unsigned mode, uint64_t when,
			 uint64_t addr, struct resolver_place *ret);
/* The frame of an address in a module, of which resolver_place() has the offset; PTUI_NONE: no memory. */
uint32_t resolver_frame_in_module(struct resolver *r, uint32_t module, uint64_t off, uint64_t addr,
				  unsigned mode);

/* For symbolized frames, and only with opts.starts; otherwise FRAME_INSIDE. */
enum frame_start resolver_frame_start(const struct resolver *r, const struct frame *f);

/*
 * Whether the file of a module, or the vdso, may be used: it is proven, will be when its build-id
 * is compared, or force_names is set. Else sets `err`.
 */
bool resolver_may_use(struct resolver *r, uint32_t module, struct ptui_error *err);
/* Whether the frame's DSO is unproven: names are withheld, or used because of force_names. */
bool resolver_frame_unverified(const struct resolver *r, const struct frame *f);
/* Whether any DSO is unproven. */
bool resolver_has_unverified(const struct resolver *r);

/*
 * Appends the name of a kernel module, "[nf_tables]", from its path or the name itself; "": not a
 * module.
 */
void resolver_kernel_module_name(struct buf *b, const char *path);

size_t resolver_n_frames(const struct resolver *r);
/* Live: how many frames were replaced, since their names came late. If it grows, no cache of frames is valid. */
size_t resolver_n_retired(const struct resolver *r);
/*
 * From here to the end of resolver_symbolize(), a thread reads the symbols of modules as soon as they
 * have a frame. Without memory for it, there is none.
 */
void resolver_preload(struct resolver *r);
/*
 * Its first symbols are those of the kernel with this build-id, if they will be read from kallsyms. The
 * resolver may have no modules yet.
 */
void resolver_preload_kernel(struct resolver *r, const uint8_t *id, uint8_t id_bytes);
/*
 * Waits until that thread has read the symbols of a module, or reads them now: what is left of
 * resolver_symbolize_frame() takes little time. Another thread may resolve addresses at the same time.
 */
void resolver_preload_wait(struct resolver *r, uint32_t dso);

/* Array of all frames; moves when frames are added. */
const struct frame *resolver_frames(const struct resolver *r);
/* Moves when modules are added. */
const struct dso_info *resolver_dso(const struct resolver *r, uint32_t id);
const struct symbol *resolver_symbol(const struct resolver *r, uint32_t id);

/*
 * For long recordings, after resolver_symbolize(). resolver_mark_modules() marks the modules that
 * the used frames (by id) need. resolver_compact() removes the other frames, sets the new module
 * ids (from machine_compact()) and returns the new frame ids in ret_frames[old]. 0 or -ENOMEM: then
 * the resolver is unusable.
 */
void resolver_mark_modules(const struct resolver *r, const bool *used_frames, bool *ret_modules);
int resolver_compact(struct resolver *r, const bool *used_frames, const uint32_t *modules,
		     struct strpool_move *names, uint32_t *ret_frames);
/* Approximate memory use, without the hash tables. */
size_t resolver_bytes(const struct resolver *r);

#endif
