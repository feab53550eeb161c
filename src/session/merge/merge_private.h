/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to merge.c, and merge_frames.c: modules, frames and their debug information. */
#ifndef SESSION_MERGE_PRIVATE_H
#define SESSION_MERGE_PRIVATE_H

#include "profile/debug.h"
#include "profile/store.h"
#include "session/merge/merge.h"

/* A module of the merged profile: of which part, and its number there. */
struct merge_dso {
	uint32_t path, short_name; /* strpool ids */
	uint32_t part, dso;
	uint32_t used_by; /* the last part that has it */
};

struct merge_part {
	size_t first_row, end_row;
	uint64_t first_ns, last_ns; /* of its samples */
	uint32_t host;
	int32_t clock;
	bool timed;
};

/* Debug information of the parts. */
struct merged_debug {
	struct profile_debug debug; /* must be first */
	struct profile_debug **parts;
	struct merge_dso *dsos;
	size_t n_parts, cap_parts, n_dsos, cap_dsos;
};

struct profile_merge {
	struct profile_store store;
	struct merged_debug *debug;
	struct ptui_trust trust;
	struct merge_part *parts;
	char **hosts; /* NULL: unknown */
	uint64_t *event_keys;
	uint32_t *event_used, *thread_hosts, *extra_of;
	struct ptui_thread_count *counts;
	char *header[2];
	int32_t *sockets;
	size_t n_parts, cap_parts, n_hosts, cap_hosts, cap_event_keys, cap_event_used,
		cap_thread_hosts, cap_extra_of, n_counts, cap_counts, n_sockets;
	struct index_table threads, frames, symbols, dsos;
	struct extras extras;
	enum ptui_mode mode;
	unsigned has_extras;
	uint64_t first_ns, last_ns;
	bool raw_trace, full_paths, with_extras;
};

/* What of a part is what of the merged profile. */
struct merge_maps {
	struct profile_merge *m;
	struct ptui_profile *part;
	struct strpool_move names;
	uint32_t *events, *threads, *dsos, *frames, *stacks;
	struct profile_frame *added; /* frames that are new, with their new ids */
	size_t first_added;
	struct index_table repeated; /* rows of earlier parts that may be the same samples */
	bool *taken;		     /* by row: this part has its sample, too */
};

/* Of a merged_debug: the questions go to the part that has the module. */
extern const struct profile_debug merged_debug_ops;

/*
 * Sets x->dsos of the part's first `n` modules. Modules are the same if their names are, and no build-id and no
 * function says otherwise. 0 or -ENOMEM.
 */
int merge_map_dsos(struct merge_maps *x, size_t n);
/* Sets x->frames, after the modules. 0 or -ENOMEM. */
int merge_add_frames(struct merge_maps *x);

#endif
