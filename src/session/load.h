/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session room: joins the rooms into a loaded profile.
 *
 *   data --sideband--> machine (sealed)
 *   data --samples---> resolve --frame ids--> profile.samples, profile.stacks
 *   resolve --symbols-> profile.frames
 *
 * Two walks over the recording: the first takes the sideband only and hops over samples, so
 * that the second may take samples in any order.
 * Not for: showing anything.
 */
#ifndef SESSION_LOAD_H
#define SESSION_LOAD_H

#include "data/read/reader.h"
#include "ptui/profile.h"

/* As ptui_profile_load(), from a file that is open already. It stays the caller's. */
struct ptui_profile *session_load(struct data_file *file, const struct ptui_load_opts *opts,
				  struct ptui_error *err, int *ret_error);

#endif
