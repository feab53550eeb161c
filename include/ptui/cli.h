/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, as one call. What it takes: main()'s arguments. What it gives: the
 * exit status. It owns stdout and stderr while it runs.
 */
#ifndef PTUI_CLI_H
#define PTUI_CLI_H

#include "ptui/error.h"
#include "ptui/manual.h"
#include "ptui/profile.h"
#include "ptui/record.h"
#include "ptui/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What `ptui report` was asked to show. Borrowed for the call. */
struct ptui_browse {
	const char *path;
	struct ptui_load_opts load; /* without progress */
	struct ptui_hist_opts hist; /* of every event: `event` is 0 */
	bool order_given;	    /* hist.order is what the person said, not the usual one */
	double percent_limit;	    /* rows below are left out … */
	double chain_min_percent;   /* … and branches of callchains */
};

/* What `ptui top` was asked to show. Borrowed for the call. */
struct ptui_top {
	const struct ptui_record_opts *record; /* it is written nowhere */
	const char *sort;		       /* what tells rows apart: "dso,symbol" */
	uint32_t delay_ms;		       /* between two looks */
	uint64_t half_life_ns;		       /* how fast the past fades, unless … */
	bool zero; /* … each look is of what came since the one before */
	bool hide_kernel, hide_user;
	bool show_samples;
	double percent_limit;	/* rows below are left out */
	const char *comm, *dso; /* only what is of these; NULL: all */
	bool relative;		/* percentages are of what these leave */
	struct ptui_kernel_symbols kernel;
};

/*
 * What a front end with a screen hands to the command line. Every member may be NULL:
 * then the command prints text.
 */
struct ptui_cli_hooks {
	/*
	 * Opens the browser on a recording and returns when it was left, with the terminal as it
	 * was. 0; -ENOTTY: this terminal can show no screen, so print text; -ENODATA: the file
	 * has size zero; -ECANCELED: the person stopped the loading; others are told in `err`.
	 */
	int (*browse)(void *ctx, const struct ptui_browse *what, struct ptui_error *err);
	/*
	 * `ptui` without a word on a terminal: chooses, records, watches, browses; returns when
	 * it was left. 0; -ENOTTY: this terminal can show no screen; others are told in `err`.
	 */
	int (*session)(void *ctx, struct ptui_error *err);
	/*
	 * Watches what runs, and returns when it was left. 0; -ENOTTY: this terminal can show no
	 * screen; others are told in `err`.
	 */
	int (*top)(void *ctx, const struct ptui_top *what, struct ptui_error *err);
	/* Writes what the screens have to say of this part into the manual page (`ptui --man`). */
	void (*manual)(void *ctx, enum ptui_manual_part part, struct ptui_manual *m);
	/* A sentence to be said behind the session, when the terminal is as it was; NULL: none. */
	const char *(*parting)(void *ctx);
	void *ctx;
};

/* Returns the process's exit status. May end by raising the signal its child died of. */
int ptui_cli_main(int argc, char **argv, const struct ptui_cli_hooks *hooks);

#ifdef __cplusplus
}
#endif
#endif
