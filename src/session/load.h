/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session room: joins the rooms into a loaded profile.
 *
 *   data --sideband--> machine (sealed)
 *   data --samples---> resolve --frame ids--> profile.samples, profile.stacks
 *   resolve --symbols-> profile.frames
 *
 * Walks the recording twice: first only the sideband, so that the samples can then be resolved in
 * any order.
 */
#ifndef SESSION_LOAD_H
#define SESSION_LOAD_H

#include "data/read/reader.h"
#include "ptui/profile.h"

/* Like ptui_profile_load(), from an open file, which stays the caller's. */
struct ptui_profile *session_load(struct data_file *file, const struct ptui_load_opts *opts,
				  struct ptui_error *err, int *ret_error);

#endif
