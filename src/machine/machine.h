/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine room: who was mapped where, WHEN.
 *
 * Takes: sideband records (MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL), in any order.
 * Gives, once sealed: "what was mapped at address A in process P at time T", "what was
 * thread T called at time T": lookups, not a replay; so samples need no order.
 * Not for: opening files. A module is a name and a build-id here.
 *
 *   process 17:   epoch 0 [0 .. 5.2s)          epoch 1 [5.2s ..)      exec or fork begins one
 *                  maps: a.out, libc (base)     maps: b.out, libc
 *
 * "When" is the record's time; in a recording without times its position in the stream.
 * Records with time 0 are the base layer under the timed ones. A child's epoch falls back
 * to its parent's epoch as it was at the fork; exec falls back to nothing.
 *
 * Building is single-threaded; after machine_seal() lookups are const and thread-safe. A
 * recording that still grows is sealed again and again, up to a time behind which nothing can
 * come any more: what comes late is taken as if it had happened then.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/strpool.h"
#include "data/data.h"

struct machine;

/* A module as the sideband names it; ids are dense from 0. */
struct module_ref {
	uint32_t path; /* strpool id of the full name: "/usr/lib/libc.so.6", "[vdso]", "//anon",
			  "[kernel.kallsyms]" (the suffix "_text" is cut), "[nf_tables]" */
	int32_t pid;   /* of anonymous memory (its symbols are the process's), else -1 */
	bool kernel;   /* the kernel itself or a module of it */
	/*
	 * Of the kernel itself: where the recording says it ends. Its map has no end: the
	 * recorder tells that of the text only, and the code of initialisation lies behind it.
	 */
	uint64_t recorded_end;
	bool ref_stext; /* of the kernel itself: the address in its map's pgoff is that of _stext, not _text */
	bool ksymbol; /* a name for code made at run time (BPF program, trampoline) */
	bool memory;  /* no file is behind it: "//anon", "[heap]", "[stack]", shared memory */
	uint8_t build_id_bytes; /* 0: not told */
	uint8_t build_id[DATA_BUILD_ID_MAX];
};

struct machine_map {
	uint64_t start, end; /* [start, end) in the process */
	uint64_t pgoff;	     /* offset in the module's file of `start` */
	uint64_t when;
	uint32_t module; /* id */
	uint32_t prot;
};

/* `names` must outlive the machine; only the building adds to it. */
struct machine *machine_new(struct strpool *names);
void machine_free(struct machine *m);

/*
 * Takes a record; those that are no sideband are ignored. `when` as above. 0 or -ENOMEM.
 */
int machine_add(struct machine *m, const struct data_record *rec, uint64_t when);
/*
 * A build-id told elsewhere (the BUILD_ID feature) for modules that have none. Before the first
 * seal, since modules may become one by it; later ids of modules do not change.
 */
int machine_add_build_id(struct machine *m, const char *path, const uint8_t *id, uint8_t bytes);
/* Sorts and indexes all that was added. 0 or -ENOMEM. */
int machine_seal(struct machine *m);
/*
 * The same for what is not after `when`; the rest waits. Costs what is new, and a pass over the
 * maps of the processes that got new ones. Maps that were found before may have moved.
 */
int machine_seal_until(struct machine *m, uint64_t when);
/* Answers about times up to here will not change. UINT64_MAX after machine_seal(). */
uint64_t machine_known_until(const struct machine *m);

/*
 * For a recording that may go on for days. From here on the ends of processes are remembered, and
 * machine_drop_ended() gives back what is known of those that ended before `when` (and began under our
 * eyes, so that it is known which thread was the last): whoever asks about them then gets nothing.
 * What a child fell back to at its fork stays as long as the child. Ids of spaces are used again.
 */
void machine_track_ends(struct machine *m);
/*
 * And what is past of those that live on: what they were before they exec'ed, names they had, maps
 * that later ones cover whole. Nothing may be asked of the time before `when` afterwards.
 */
void machine_drop_ended(struct machine *m, uint64_t when);

/*
 * Gives back the slots of processes and threads that were forgotten, and modules that nobody has
 * mapped any more but those that `used_modules` (by id) says are needed. ret_modules[id] is the id
 * from now on, PTUI_NONE: it has left; both arrays are as long as there were modules. Names are
 * those of names->to then. 0 or -ENOMEM: then the machine is of no use any more.
 */
int machine_compact(struct machine *m, struct strpool_move *names, bool *used_modules,
		    uint32_t *ret_modules);

/* How much is known. */
struct machine_load {
	size_t modules, procs, threads, maps;
	size_t bytes; /* of what only machine_compact() gives back */
};

void machine_load(const struct machine *m, struct machine_load *ret);

/*
 * The map at `addr` for a process (pid) in user mode, or of the kernel. NULL: not known.
 * Of several the newest that is not after `when` counts.
 */
const struct machine_map *machine_find_map(const struct machine *m, int32_t pid, uint64_t when,
					   uint64_t addr);
const struct machine_map *machine_find_kernel_map(const struct machine *m, uint64_t when,
						  uint64_t addr);
/*
 * The address space of a process at a time, as a dense id that may serve as a cache key:
 * equal id and no newer map in between means equal lookups. PTUI_NONE: never heard of.
 */
uint32_t machine_space(const struct machine *m, int32_t pid, uint64_t when);
/*
 * The same as machine_find_map() (kernel: pid -1), and how long the answer holds: for every
 * time in [*ret_from, *ret_to) it is the same. For caches of addresses.
 */
const struct machine_map *machine_map_validity(const struct machine *m, int32_t pid, uint64_t when,
					       uint64_t addr, uint64_t *ret_from, uint64_t *ret_to);

/*
 * The thread's name at a time, as strpool id: from COMM, from its parent at FORK; "swapper"
 * for tid 0; ":TID" when nothing is known. Ids of ":TID" are made at the seal for
 * threads that were seen; for others PTUI_NONE is returned (the caller makes the name).
 */
uint32_t machine_comm(const struct machine *m, int32_t pid, int32_t tid, uint64_t when);

size_t machine_n_modules(const struct machine *m);
const struct module_ref *machine_module(const struct machine *m, uint32_t id);

#endif
