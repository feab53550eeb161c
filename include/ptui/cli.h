/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line as one call: takes main()'s arguments, returns the exit status. It owns stdout
 * and stderr while it runs.
 */
#ifndef PTUI_CLI_H
#define PTUI_CLI_H

#include "ptui/count.h"
#include "ptui/error.h"
#include "ptui/manual.h"
#include "ptui/profile.h"
#include "ptui/record.h"
#include "ptui/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What `ptui report` shows. Borrowed for the call. */
struct ptui_browse {
	const char *path;
	struct ptui_load_opts load; /* without progress */
	struct ptui_hist_opts hist; /* applies to every event: `event` is 0 */
	const char *event;	    /* the event to show first; NULL: the first one */
	bool annotates;		    /* `ptui annotate`: show the code of a function */
	const char *symbol;	    /* its name; NULL: the hottest one */
	bool order_given;	    /* hist.order was given by the user; false: it is the default */
	bool hierarchy;		    /* rows by one sort key after the other */
	double percent_limit;	    /* rows below this percentage are hidden … */
	double chain_min_percent;   /* … and callchain branches below this one */
	uint64_t max_samples;	    /* that are listed of a row; 0: all */
	bool from_pipe;		    /* `path` may still be written to: show it live until it ends */
};

/* What `ptui top` shows. Borrowed for the call. */
struct ptui_top {
	const struct ptui_record_opts *record; /* without an output file */
	const char *sort;		       /* sort keys: "dso,symbol" */
	uint32_t delay_ms;		       /* refresh interval */
	uint64_t half_life_ns;		       /* half-life of older samples, unless … */
	bool zero; /* … zero: only samples since the last refresh are shown */
	bool hide_kernel, hide_user;
	bool show_samples;
	double percent_limit;	/* rows below this percentage are hidden */
	const char *comm, *dso; /* show only samples of these; NULL: all */
	const char *symbol;	/* show only functions whose names contain this; NULL: all */
	const char *hide_dsos;	/* as in ptui_hist_filter; NULL: none */
	bool collapse_recursion;
	bool relative; /* percentages are relative to the filtered samples */
	struct ptui_kernel_symbols kernel;
	uint32_t max_stack; /* maximum number of frames in a callchain; 0: no limit */
	bool stitch_lbr;    /* deep call stacks of the LBR are stitched */
};

/* Hooks of a front end with screens. Every member may be NULL: the command then prints text. */
struct ptui_cli_hooks {
	/*
	 * Opens the browser on a recording; returns when the user leaves it, with the terminal
	 * restored. 0; -ENOTTY: this terminal cannot show a screen, so print text; -ENODATA: the
	 * file is empty; -ECANCELED: the user interrupted loading; any other negative errno with
	 * err set.
	 */
	int (*browse)(void *ctx, const struct ptui_browse *what, struct ptui_error *err);
	/*
	 * `ptui` without arguments on a terminal: set up, record, watch and browse. Returns when
	 * the user quits. 0; -ENOTTY: this terminal cannot show a screen; any other negative errno
	 * with err set.
	 */
	int (*session)(void *ctx, struct ptui_error *err);
	/*
	 * `ptui record --tui`: records on the Live screen, then browses the recording. Returns when the
	 * user quits. 0; -ENOTTY: this terminal cannot show a screen; any other negative errno with err
	 * set. `opts` is borrowed for the call.
	 */
	int (*record)(void *ctx, const struct ptui_record_opts *opts, struct ptui_error *err);
	/*
	 * Live view of the running system; returns when the user quits. 0; -ENOTTY: this terminal
	 * cannot show a screen; any other negative errno with err set.
	 */
	int (*top)(void *ctx, const struct ptui_top *what, struct ptui_error *err);
	/*
	 * `ptui stat --tui`: starts the run and shows its counts. Returns when the user leaves, after
	 * the end of the run. 0; -ENOTTY: this terminal cannot show a screen; any other negative errno
	 * with err set: it was not started. `cmdline`: as in struct ptui_record_opts.
	 */
	int (*count)(void *ctx, struct ptui_count_run *run, const struct ptui_count_run_opts *opts,
		     const char *cmdline, size_t cmdline_bytes, struct ptui_error *err);
	/* Adds the screens' text to this part of the manual page (`ptui --man`). */
	void (*manual)(void *ctx, enum ptui_manual_part part, struct ptui_manual *m);
	/* Message to print after session() or record(), once the terminal is restored; NULL: none. */
	const char *(*parting)(void *ctx);
	/* Text of `ptui stat` to print after session(); NULL: nothing was counted. */
	const char *(*counted)(void *ctx);
	void *ctx;
};

/*
 * Returns the exit status of the process. May end it by raising the signal that killed the
 * workload.
 */
int ptui_cli_main(int argc, char **argv, const struct ptui_cli_hooks *hooks);

#ifdef __cplusplus
}
#endif
#endif
