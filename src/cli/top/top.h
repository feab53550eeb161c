/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui top`, shared by its files.
 *
 *	top.c           the command: screen or text
 *	top_options.c   its options
 *	top_watch.c     the loop of the text: a recording without a file, printed periodically
 *	top_text.c      one refresh as text, like perf top --stdio
 *	top_keys.c      keys typed while it runs
 *	top_terminal.c  keys without Enter; restores the terminal
 */
#ifndef CLI_TOP_H
#define CLI_TOP_H

#include <stdbool.h>
#include <stdint.h>
#include "cli/record/record_options.h"
#include "cli/report/chain_choice.h"
#include "ptui/live.h"

/* View settings that keys can change. */
struct top_look {
	uint64_t entries;     /* maximum number of rows; 0: as many as fit */
	uint64_t min_samples; /* hides rows with fewer samples */
	uint32_t delay_ms;
	bool hide_kernel, hide_user;
	bool zero; /* each refresh shows only what is new since the last */
};

/* Initialize with zeros and delay_ms. */
struct top_options {
	struct record_options record;
	struct chain_choice chain;
	struct top_look look;
	const char *sort, *fields;
	const char *comm, *dso; /* show only these; NULL: all */
	const char *symbol;	/* only functions whose names contain this; NULL: all */
	char *hide_dsos;	/* as in ptui_hist_filter; owned */
	bool collapse_recursion;
	bool relative; /* percentages of what is shown */
	double percent_limit;
	enum ptui_said children;
	bool usual_children; /* top.children */
	bool show_samples, show_period;
	struct ptui_kernel_symbols kernel;
	uint64_t max_stack;
	bool stitch_lbr, unnamed_functions;
	bool stdio, tui;
	bool no_chains;		     /* --no-call-graph */
	char *own_sort, *own_fields; /* composed here */
};

extern const struct option top_options[];
extern const struct cli_setting top_settings[];

/* Call after parsing. 0, -EINVAL, -ENOMEM. */
int top_options_settle(const struct cli *cli, struct top_options *o, struct ptui_error *err);
void top_options_release(struct top_options *o);
bool top_wants_children(const struct top_options *o);
/* A given option that the screen does not support, such as "-E"; NULL: none. */
const char *top_only_text(const struct top_options *o);

/* ---- text output ---- */

/* The numbers of the first line, since the last refresh. */
struct top_counts {
	uint64_t samples, kernel, exact, lost, dropped;
};

struct top {
	struct cli *cli;
	const struct top_options *o;
	struct ptui_live *live;
	struct top_look look;
	size_t event; /* index for ptui_live_event() */
	bool keys;    /* stdin is a terminal */
	bool done;    /* stop */

	/* of the last refresh */
	struct ptui_live_profile_info info;
	struct ptui_live_stats stats;
	uint64_t looked_ns;    /* time of the last refresh; 0: none */
	double passed_s;       /* since the one before */
	struct top_counts now; /* new since then */
	uint64_t since_ns;     /* older samples are not counted; 0: all are */
};

/* Runs until stopped, or until no target is left. Returns the exit status. */
int top_watch(struct cli *cli, const struct top_options *o);

/* The text of one refresh. `p` may be NULL: no profile yet. */
int top_text(const struct top *t, struct ptui_profile *p, struct buf *out, struct ptui_error *err);
/* Samples lose half their weight in this time: perf keeps 7/8 of all counts at each refresh. */
uint64_t top_half_life_ns(uint32_t delay_ms);

/* Handles a key. */
void top_key(struct top *t, char key);

/* Switches the terminal at stdin to single keys. False: not a terminal, or in the background. */
bool top_terminal_open(void);
/* Restores it; idempotent; async-signal-safe. */
void top_terminal_close(void);
/* Switches to line input and back. */
void top_terminal_lines(bool lines);
/* Size of the terminal; 80x25 if stdout is not a terminal, as in perf. */
void top_terminal_size(unsigned *ret_rows, unsigned *ret_cols);

#endif
