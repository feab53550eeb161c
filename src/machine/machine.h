/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine room: what was mapped where, and when.
 *
 * From sideband records (MMAP, MMAP2, COMM, FORK, EXIT, KSYMBOL), added in any order, to lookups
 * once sealed: the map at address A in process P at time T, the name of thread T at a time. There
 * is no replay, so samples need no order. Opens no files: a module is a name and a build-id here.
 *
 *   process 17:   epoch 0 [0 .. 5.2s)          epoch 1 [5.2s ..)      begun by exec or fork
 *                  maps: a.out, libc (base)     maps: b.out, libc
 *
 * The time is the record's time, or its position in the stream if the recording has no times.
 * Records with time 0 are the base layer below the timed ones. A child's epoch falls back to its
 * parent's epoch as of the fork; an exec does not fall back.
 *
 * Building is single-threaded; after machine_seal() lookups are const and thread-safe. A growing
 * recording is sealed repeatedly, up to a time before which no records are expected; a later record
 * with an earlier time counts as if it had that time.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/strpool.h"
#include "data/data.h"

struct machine;

/* A module as named by the sideband; ids are dense from 0. */
struct module_ref {
	uint32_t path; /* strpool id of the full name: "/usr/lib/libc.so.6", "[vdso]", "//anon",
			  "[kernel.kallsyms]" (without suffix "_text"), "[nf_tables]" */
	int32_t pid;   /* of anonymous memory, which has symbols per process; else -1 */
	bool kernel;   /* the kernel or one of its modules */
	/*
	 * Of the kernel: its recorded end. Its map has no end, since the recorded one is that of
	 * the text, before the init code.
	 */
	uint64_t recorded_end;
	bool ref_stext; /* of the kernel: its map's pgoff is the address of _stext, not of _text */
	bool ksymbol;	/* name of generated code (BPF program, trampoline) */
	bool memory;	/* not backed by a file: "//anon", "[heap]", "[stack]", shared memory */
	uint8_t build_id_bytes; /* 0: unknown */
	uint8_t build_id[DATA_BUILD_ID_MAX];
	/* device and inode of a file, from its first MMAP2; ino 0: unknown */
	uint32_t maj, min;
	uint64_t ino, ino_generation; /* generation 0: unknown */
	bool several_files;	      /* different files were mapped at that path */
};

struct machine_map {
	uint64_t start, end; /* [start, end) in the process */
	uint64_t pgoff;	     /* file offset of `start` */
	uint64_t when;
	uint32_t module; /* id */
	uint32_t prot;
};

/* `names` must outlive the machine; lookups do not add to it. */
struct machine *machine_new(struct strpool *names);
void machine_free(struct machine *m);

/* Adds a record; ignores those that are not sideband. `when` as above. 0 or -ENOMEM. */
int machine_add(struct machine *m, const struct data_record *rec, uint64_t when);
/*
 * Adds a build-id from the BUILD_ID feature, for modules that have none. Only before the first
 * seal, which may merge modules; later, module ids do not change.
 */
int machine_add_build_id(struct machine *m, const char *path, const uint8_t *id, uint8_t bytes);
/* Sorts and indexes everything added so far. 0 or -ENOMEM. */
int machine_seal(struct machine *m);
/*
 * The same for records up to `when`; the rest waits. The cost is that of the new records and a pass
 * over the maps of their processes. Invalidates pointers to maps.
 */
int machine_seal_until(struct machine *m, uint64_t when);
/* Lookups for times up to this one will not change. UINT64_MAX after machine_seal(). */
uint64_t machine_known_until(const struct machine *m);

/*
 * For long recordings: tracks the ends of processes from now on. machine_drop_ended() then frees
 * what is known of processes that ended before `when`, if their begin was seen too (so that the
 * last thread is known); lookups return nothing for them. What a child falls back to stays as long
 * as the child. Ids of spaces are reused.
 */
void machine_track_ends(struct machine *m);
/*
 * Also drops the past of living processes: spaces before an exec, former names, maps that are
 * covered completely. There must be no lookups for times before `when` afterwards.
 */
void machine_drop_ended(struct machine *m, uint64_t when);

/*
 * Frees the slots of dropped processes and threads, and the modules that are neither mapped nor in
 * `used_modules` (by id, updated). ret_modules[id] is the new id, PTUI_NONE: removed. Both arrays
 * have an entry per module. Names then are those of names->to. 0 or -ENOMEM: then the machine is
 * unusable.
 */
int machine_compact(struct machine *m, struct strpool_move *names, bool *used_modules,
		    uint32_t *ret_modules);

/* Sizes. */
struct machine_load {
	size_t modules, procs, threads, maps;
	size_t bytes; /* freed only by machine_compact() */
};

void machine_load(const struct machine *m, struct machine_load *ret);

/* The newest map at `addr` up to `when`, in a process (user mode) or the kernel; NULL: none. */
const struct machine_map *machine_find_map(const struct machine *m, int32_t pid, uint64_t when,
					   uint64_t addr);
const struct machine_map *machine_find_kernel_map(const struct machine *m, uint64_t when,
						  uint64_t addr);
/*
 * The address space of a process at a time, as a dense id for caches: lookups are equal for equal
 * ids while no newer map appears. PTUI_NONE: unknown process.
 */
uint32_t machine_space(const struct machine *m, int32_t pid, uint64_t when);
/*
 * Like machine_find_map() (kernel: pid -1), with the range of times [*ret_from, *ret_to) for which
 * the result is the same. For caches of addresses.
 */
const struct machine_map *machine_map_validity(const struct machine *m, int32_t pid, uint64_t when,
					       uint64_t addr, uint64_t *ret_from, uint64_t *ret_to);

/*
 * For caches of many addresses of a process: its maps do not change in [*ret_from, *ret_to).
 * *ret_generation (a 64-bit hash) identifies this range and process; 0: the process is unknown.
 */
void machine_maps_validity(const struct machine *m, int32_t pid, uint64_t when,
			   uint64_t *ret_generation, uint64_t *ret_from, uint64_t *ret_to);
/* Addresses and times for which lookups in a process have the same result. */
struct machine_place {
	uint64_t start, end; /* [start, end): only a part of the map if newer maps cover the rest */
	uint64_t from, to;   /* [from, to) */
};
/* Same as machine_find_map(), and the place around `addr` and `when`; not set for NULL. */
const struct machine_map *machine_find_place(const struct machine *m, int32_t pid, uint64_t when,
					     uint64_t addr, struct machine_place *ret);
/*
 * Addresses around `addr`, and times around `when`, for which machine_find_map() finds nothing and
 * machine_space() is the same. False: there are none, or they are not known.
 */
bool machine_find_gap(const struct machine *m, int32_t pid, uint64_t when, uint64_t addr,
		      struct machine_place *ret);

/*
 * The name of a thread at a time, as strpool id: from COMM, from its parent at FORK; "swapper" for
 * tid 0; ":TID" if unknown. The seal makes the ":TID" of threads that were seen; for others returns
 * PTUI_NONE, and the caller makes the name.
 */
uint32_t machine_comm(const struct machine *m, int32_t pid, int32_t tid, uint64_t when);
/* The same for caches: until something is added, the result holds from *ret_from to *ret_last. */
uint32_t machine_comm_span(const struct machine *m, int32_t tid, uint64_t when, uint64_t *ret_from,
			   uint64_t *ret_last);

size_t machine_n_modules(const struct machine *m);
const struct module_ref *machine_module(const struct machine *m, uint32_t id);

#endif
