/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui inject`: a recording, written again with something added or changed.
 *
 *	recording --stream--> records --changes--> writer
 *	              |                    ^
 *	              maps, unwinder ------'
 *
 * Records that no change concerns, of unknown types as well, and features are copied. Of a damaged
 * recording, what the reader returns is copied. The output appears when it is whole.
 */
#ifndef INJECT_INJECT_H
#define INJECT_INJECT_H

#include "data/read/reader.h"
#include "ptui/profile.h"

struct inject_opts {
	const char *output;	/* "-": standard output, in the pipe layout */
	bool build_ids;		/* add the build-ids of DSOs with samples to the table */
	bool buildid_all;	/* of all DSOs */
	const char *known_ids;	/* build-ids of paths: "ID PATH,..." or "file://FILE"; NULL: none */
	const char *vmlinux;	/* its build-id is the kernel's; NULL: the running kernel's */
	bool sched_stat;	/* merge sched:sched_stat_* with sched:sched_switch */
	bool jit;		/* write code of jitdump files to ELF files, and map these */
	bool convert_callchain; /* unwind copied stacks, and leave the copies out */
	bool strip; /* with sched_stat or convert_callchain: leave other samples and AUX data out */
	struct ptui_load_opts load;
};

struct inject_result {
	uint64_t bytes_in, bytes_out; /* of records */
	uint64_t build_ids;	      /* added */
	uint64_t changed_files;	      /* without a build-id: they changed after the recording */
	uint64_t merged, unmerged;    /* sched_stat samples, without a sched_switch */
	uint64_t jit_functions;	      /* ELF files written */
	uint64_t converted;	      /* samples */
	uint64_t stripped;	      /* samples */
	struct ptui_trust trust;
};

/* `file` stays the caller's. 0, or a negative errno with `err` set: then there is no output. */
int inject_run(struct data_file *file, const struct inject_opts *opts, struct inject_result *ret,
	       struct ptui_error *err);

#endif
