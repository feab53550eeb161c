/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JIT-compiled code for the machine. A compiler that writes a jitdump file maps it once, as a
 * marker; the code in the file is then added as maps of it, with the times of the file:
 *
 *   MMAP2 record of /tmp/jit-17.dump --jit_maps_note()--> keeps the path
 *   all records read ----------------jit_maps_add()-----> its code as maps, before the machine is sealed
 *
 * Only if both use the same clock, CLOCK_MONOTONIC (record -k mono). Otherwise names are found by
 * address only, as in perf-PID.map (resolve/jit_load.c).
 */
#ifndef SESSION_JIT_MAPS_H
#define SESSION_JIT_MAPS_H

#include "data/read/reader.h"
#include "machine/machine.h"

struct jit_marker {
	struct data_mmap map; /* its path is owned */
};

struct jit_maps {
	struct jit_marker *markers;
	size_t n, cap;
};

/* Notes a record that may be a marker. 0 or -ENOMEM. */
int jit_maps_note(struct jit_maps *j, const struct data_record *rec);
/* `symfs` as in ptui_load_opts. Skips unreadable files. 0 or -ENOMEM. */
int jit_maps_add(struct jit_maps *j, struct machine *m, const struct data_file *file,
		 const char *symfs);
void jit_maps_release(struct jit_maps *j);

/* Whether the recording has the clock of jitdump files (-k mono). */
bool jit_maps_same_clock(const struct data_file *f);

#endif
