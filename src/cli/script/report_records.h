/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording contains, in perf's words: ptui report --stats, --tasks and --mmaps. */
#ifndef CLI_SCRIPT_REPORT_RECORDS_H
#define CLI_SCRIPT_REPORT_RECORDS_H

#include <stdbool.h>
#include "base/buf.h"
#include "cli/command.h"

struct report_records {
	bool stats, tasks, mmaps;
	bool header, info; /* print the header first */
	/* with stats: adds what follows them; may be NULL. 0, or a negative errno with `err` set */
	int (*more)(void *ctx, struct buf *out, struct ptui_error *err);
	void *more_ctx;
};

/*
 * Prints all records as bytes and decoded (report -D), in the order of their times, or of the file if
 * `unsorted`. Returns the exit status.
 */
struct recording_opts;
int script_dump(struct cli *cli, const struct recording_opts *in, bool unsorted);

/* Returns the exit status. */
int report_records(const struct cli *cli, const char *path, const struct report_records *what);

#endif
