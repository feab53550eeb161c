/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The DSOs that have samples, with the build-ids that the recording has for them. */
#ifndef SESSION_BUILDID_HITS_H
#define SESSION_BUILDID_HITS_H

#include "data/read/reader.h"

/*
 * Calls `fn` for each, until it returns non-zero, which is returned. `chains`: addresses of
 * callchains count as well. `bytes` of the item is 0 if the build-id is unknown; `misc` is the mode
 * (DATA_MODE_KERNEL or DATA_MODE_USER). `file` is walked. 0, or a negative errno with `err` set.
 */
typedef int (*buildid_hit_fn)(void *ctx, const struct data_build_id *item);
int buildid_hits_each(struct data_file *file, const char *buildid_dir, bool chains,
		      buildid_hit_fn fn, void *ctx, struct ptui_error *err);

#endif
