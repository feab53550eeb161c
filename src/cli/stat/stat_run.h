/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The runs of `ptui stat`: starts the command, waits for the end, prints intervals and the result. */
#ifndef CLI_STAT_STAT_RUN_H
#define CLI_STAT_STAT_RUN_H

#include "cli/command.h"
#include "cli/stat/stat_options.h"
#include "cli/stat/stat_output.h"
#include "record/control.h"
#include "record/target/workload.h"
#include "stat/stat_data.h"
#include "stat/stat_text.h"

/* One `ptui stat`. */
struct stat_run {
	struct cli *cli;
	const struct stat_command *o;
	char *const *argv; /* NULL: no command */
	struct stat *stat;
	struct stat_output out;
	struct stat_writer *writer; /* of ptui stat record; else NULL */
	struct control control;	    /* -D, --control */
	bool stopped;		    /* by --control */
	bool counted;		    /* a count was not 0 */
	struct workload work;
	struct stat_result result;
	double *each_ns; /* those of the result, owned */
	size_t cap_each;
	uint64_t begun_ns, interval_begun_ns, n_intervals;
	int child_status;
	bool timed_out;
	bool delayed; /* -D MS has not passed; times, intervals and --timeout begin after it, as in perf */
};

/* All runs, with their output. 0, or a negative errno with err set; -ECHILD without: reported already. */
int stat_run(struct stat_run *r, struct ptui_error *err);
/* Signals that end the count. */
void stat_run_handle_signals(void);
/* The signal that ended it; 0: none. */
int stat_run_signal(void);

#endif
