/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_MERGE_H
#define SESSION_MERGE_H

#include "profile/profile.h"

/*
 * Several profiles as one, as if their samples were in one recording. Samples of the same machine, event,
 * thread, CPU, time, address and period that an earlier part has are not added again, but counted
 * (ptui_trust.repeated). One thread at a time; it needs the memory of the sum and of the part being added.
 */
struct profile_merge;

struct profile_merge *profile_merge_new(void); /* NULL: out of memory */
/*
 * `part` is complete, of a load without ptui_load_opts.merge, `cycles` and fields of tracepoints, and has
 * no other owner: its debug information is taken away. 0, or a negative errno with `err` set; then only
 * profile_merge_free() is allowed.
 */
int profile_merge_add(struct profile_merge *m, struct ptui_profile *part, struct ptui_error *err);
/* Publishes what was added, once. Returns one reference; NULL: out of memory. */
struct ptui_profile *profile_merge_take(struct profile_merge *m);
void profile_merge_free(struct profile_merge *m); /* NULL ok */

#endif
