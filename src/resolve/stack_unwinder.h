/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds the copy of the user stack in a sample: combines machine (maps), dso (files) and unwind
 * (call frame information).
 *
 *   (pid, when, addr) --machine--> map, module --dso--> file --unwind_table_new()--> rows
 *   registers and stack of a sample --unwind_stack()--> addresses, innermost first
 *
 * The file of a module is searched, and its rows compiled, when the first stack goes through it. A
 * file that is not known to be the recorded one is not used: its rows would lead to wrong callers.
 * For one thread at a time. Not for: symbols, kernel frames.
 */
#ifndef RESOLVE_STACK_UNWINDER_H
#define RESOLVE_STACK_UNWINDER_H

#include "machine/machine.h"
#include "unwind/unwind.h"

#define STACK_UNWINDER_MAX 127 /* default maximum number of frames: as in perf report */

struct resolver;
struct stack_unwinder;

/* Strings are copied. */
struct stack_unwinder_opts {
	const char *arch;	 /* of the recorded machine, as in `uname -m`; NULL: this machine */
	const char *symfs;	 /* prefix for DSO paths; NULL: none */
	const char *buildid_dir; /* perf's build-id cache; NULL: .debug in `home` */
	const char *home;	 /* for ~/.debug; NULL: $HOME */
	uint32_t max_stack;	 /* frames; 0: STACK_UNWINDER_MAX */
	bool swapped;		 /* the recording has the other byte order */
	bool no_dumps; /* no event has copies of stacks: rows are looked up for few addresses */
	/*
	 * Which files may be used; outlives the unwinder. NULL: all, since the recording is being
	 * made on this machine.
	 */
	struct resolver *resolver;
};

/* `m` is sealed and may be sealed again between two calls. `m` and `names` outlive it. NULL: out of memory. */
struct stack_unwinder *stack_unwinder_new(const struct machine *m, const struct strpool *names,
					  const struct stack_unwinder_opts *opts);
void stack_unwinder_free(struct stack_unwinder *u);

struct unwound_stack {
	/* Innermost first: the IP, then return addresses. Valid until the next call. */
	const uint64_t *addrs;
	struct unwind_result result; /* result.n addresses */
};

/* For a sample with user registers. A stack that cannot be unwound has no addresses. */
void stack_unwinder_unwind(struct stack_unwinder *u, const struct data_sample *s, uint64_t when,
			   struct unwound_stack *ret);

/* Whether address i of the last stack is a return address: see unwinder_is_return(). */
bool stack_unwinder_is_return(const struct stack_unwinder *u, uint32_t i);

/* Finds the files of a module. False: it has no call frame information. */
bool stack_unwinder_open(struct stack_unwinder *u, uint32_t module);
/*
 * Whether the kernel misses the caller of a function of a module, sampled at `off` in its file, when it
 * follows frame pointers: see unwind_table_skips_caller(). `off` is frame.off. The module is open. Beside
 * another thread that does nothing but open modules, one thread may call this for modules that were opened
 * before.
 */
bool stack_unwinder_skips_caller(struct stack_unwinder *u, uint32_t module, uint64_t off);
/* For the same callers: whether a function begins at `off` and pushes the frame pointer first. */
bool stack_unwinder_pushes_fp(const struct stack_unwinder *u, uint32_t module, uint64_t off);

/* A sentence: why stacks could not be unwound at all; NULL: they could. */
const char *stack_unwinder_why(const struct stack_unwinder *u);
/* A sentence: why a module has no rows; NULL: it has, or no stack went through it. */
const char *stack_unwinder_module_why(const struct stack_unwinder *u, uint32_t module);

/* To be called after machine_drop_ended(). */
void stack_unwinder_invalidate(struct stack_unwinder *u);
/* To be called after machine_compact(), with its new ids and the new pool. 0 or -ENOMEM. */
int stack_unwinder_compact(struct stack_unwinder *u, const uint32_t *modules,
			   const struct strpool *names);
/* Approximate memory. */
size_t stack_unwinder_bytes(const struct stack_unwinder *u);

#endif
