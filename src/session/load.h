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

#include "session/builder.h"

/* Like ptui_profile_load(), from an open file, which stays the caller's. */
struct ptui_profile *session_load(struct data_file *file, const struct ptui_load_opts *opts,
				  struct ptui_error *err, int *ret_error);

/* ---- the parts of it that a stream uses as well; 0 or -ENOMEM ---- */

int load_init_builder(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts);
/* Whether the file is large enough, and there are several CPUs for this process. */
bool load_wants_threads(const struct data_file *file, const struct ptui_load_opts *opts);
/* What the features say is needed before the first seal. */
int load_features(struct builder *b, struct data_file *file);
/* Adds the events that the builder does not have yet. */
int load_events(struct builder *b, const struct data_file *file);
/* Whether the samples, and with `sideband` the kernel's other records, are in the order of their times. */
struct load_order {
	bool sideband;
	bool in_order; /* to be set before */
	uint64_t last_ns;
};
/* The time of a record that is no sample; 0: none. */
uint64_t load_record_time(const struct data_record *rec);
/* Deep call stacks of the LBR are stitched (--stitch-lbr). 0, or -EINVAL with err set: it records none. */
int load_stitch_lbr(struct builder *b, struct data_file *file, struct ptui_error *err);
/* All of it, sealed; `order` may be NULL. Sets `err`; -ECANCELED as well. */
int load_sideband(struct builder *b, struct data_file *file, const struct ptui_load_opts *opts,
		  struct load_order *order, struct ptui_error *err);

#endif
