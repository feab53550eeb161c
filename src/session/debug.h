/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information for a loaded profile (profile/debug.h): finds the file of a DSO, and opens it
 * when the first of its frames is looked up.
 */
#ifndef SESSION_DEBUG_H
#define SESSION_DEBUG_H

#include "profile/debug.h"
#include "resolve/resolver.h"

/*
 * Copies what it needs, so `r` may be freed; its modules must be loaded. `opts` are those of `r`.
 * NULL: out of memory.
 */
struct profile_debug *session_debug_new(const struct resolver *r, const struct machine *m,
					const struct strpool *names,
					const struct resolver_opts *opts);
/* For one more profile with the same modules; each frees it. Thread-safe. */
struct profile_debug *session_debug_ref(struct profile_debug *debug);
/* Takes in modules that were added or loaded since. 0 or -ENOMEM. */
int session_debug_update(struct profile_debug *debug, const struct resolver *r,
			 const struct machine *m, const struct strpool *names);

/*
 * Code of module `dso`, for profile_code_release(): ret->bytes[off - ret->off] is at `off`, in the unit of
 * profile_frame.addr, and n bytes follow unless the code ends before. 0 or a negative errno.
 */
int session_debug_code_at(struct profile_debug *debug, uint32_t dso, uint64_t off, size_t n,
			  struct profile_code *ret);
/* EM_X86_64 ...: of the recorded machine; EM_NONE: unknown. */
uint16_t session_debug_machine(const struct profile_debug *debug);

#endif
