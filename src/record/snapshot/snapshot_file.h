/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of a snapshot. Of a recording that keeps its last samples:
 *
 *	[ attrs, features | history of the sideband | all that was kept ]	a file of its own, OUT.<timestamp>
 *
 * which has its name when it is whole. With -M and no --switch-output, and where there can be no such
 * file, what is new is added to the output instead. Of any other recording with --switch-output:
 *
 *	OUT becomes OUT.<timestamp>, and goes on anew: [ attrs, features | history | passes … ]
 *
 * Otherwise nothing comes of it.
 */
#ifndef RECORD_SNAPSHOT_SNAPSHOT_FILE_H
#define RECORD_SNAPSHOT_SNAPSHOT_FILE_H

#include "ptui/record.h"
#include "record/snapshot/overwrite_reader.h"

/* Once the output is open: whether snapshots of what is kept become files of their own. */
bool dump_makes_files(const struct ptui_recording *r);
/*
 * For struct snapshots: `ctx` is the recording; all that came before is in the output and in the
 * history. `found`: what was kept; NULL: nothing is. 1: a snapshot, its path (owned by the caller then)
 * and its bytes are told, of an output that has changed its samples too; 0: there is none, and why is
 * logged when there should be; negative: the recording cannot go on, told.
 */
int dump_snapshot(void *ctx, const struct kept_samples *found, struct ptui_snapshot *ret,
		  char **ret_path, struct ptui_error *err);

/*
 * A recording that has ended, whose samples stayed in memory: those are written to a file at `path`, as
 * often as is asked for. 0, or negative: told.
 */
int dump_memory(struct ptui_recording *r, const char *path, struct ptui_error *err);

#endif
