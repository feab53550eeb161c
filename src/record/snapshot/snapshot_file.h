/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens with a snapshot. If the recording keeps its last samples:
 *
 *	[ attrs, features | sideband log | all kept samples ]	a file of its own, OUT.<timestamp>
 *
 * which gets its name when it is complete. With -M without --switch-output, and where no such file
 * is possible, new samples are added to the output instead. Any other recording with
 * --switch-output:
 *
 *	OUT is renamed to OUT.<timestamp> and begun again: [ attrs, features | sideband log | passes … ]
 *
 * Otherwise nothing happens.
 */
#ifndef RECORD_SNAPSHOT_SNAPSHOT_FILE_H
#define RECORD_SNAPSHOT_SNAPSHOT_FILE_H

#include "record/pump.h"

struct output;

struct snapshot_file {
	struct output *output; /* borrowed, as the pump */
	struct pump *pump;
	uint64_t samples_before; /* in earlier output files (--switch-output) */
};

/* True if snapshots become files of their own; the output must be open. */
bool snapshot_makes_files(const struct snapshot_file *s);
/*
 * Callback for struct snapshots: `ctx` is a struct snapshot_file; all earlier records are in the output and
 * in the sideband log. `found`: the kept samples; NULL: nothing is kept. 1: a snapshot was taken,
 * *ret has its bytes (and its samples, if the output was switched), *ret_path is owned by the
 * caller; 0: none, logged if one was expected; negative with err set: the recording cannot
 * continue.
 */
int snapshot_deliver(void *ctx, const struct kept_samples *found, struct ptui_snapshot *ret,
		     char **ret_path, struct ptui_error *err);

/*
 * Writes the samples that stayed in memory to a file at `path`, after the recording has ended; any
 * number of times. 0, or negative with err set.
 */
int snapshot_save_memory(struct snapshot_file *s, const char *path, struct ptui_error *err);

#endif
