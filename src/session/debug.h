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

#endif
