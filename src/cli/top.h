/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui top`, shared by its files.
 *
 *	top.c           the command: the screen, or text
 *	top_options.c   what can be said to it
 *	top_watch.c     the loop of the text: a recording that is written nowhere, looked at now and then
 *	top_text.c      one look as text, as perf top --stdio prints it
 *	top_keys.c      what a person types meanwhile
 *	top_terminal.c  keys without Enter, and the terminal as it was afterwards
 */
#ifndef CLI_TOP_H
#define CLI_TOP_H

#include <stdbool.h>
#include <stdint.h>
#include "cli/chain_choice.h"
#include "cli/record/record_options.h"
#include "ptui/live.h"

/* What a key may change while it runs. */
struct top_look {
	uint64_t entries;     /* rows at most; 0: as many as there is room for */
	uint64_t min_samples; /* rows with fewer are left out */
	uint32_t delay_ms;
	bool hide_kernel, hide_user;
	bool zero; /* each look is of what came since the one before */
};

/* Begins as zeros, and delay_ms. */
struct top_options {
	struct record_options record;
	struct chain_choice chain;
	struct top_look look;
	const char *sort, *fields;
	const char *comm, *dso; /* only what is of these; NULL: all */
	bool relative;		/* percentages are of what is shown */
	double percent_limit;
	enum ptui_said children;
	bool usual_children; /* top.children */
	bool show_samples, show_period;
	struct ptui_kernel_symbols kernel;
	bool stdio, tui;
	char *own_sort, *own_fields; /* put together here */
};

extern const struct option top_options[];
extern const struct cli_setting top_settings[];

/* Behind the last option. 0, -EINVAL, -ENOMEM. */
int top_options_settle(const struct cli *cli, struct top_options *o, struct ptui_error *err);
void top_options_release(struct top_options *o);
bool top_wants_children(const struct top_options *o);
/* What the screen cannot do; NULL: nothing of it was said. "-E" */
const char *top_only_text(const struct top_options *o);

/* ---- the text ---- */

/* The numbers of the first line, of the time since the look before. */
struct top_counts {
	uint64_t samples, kernel, exact, lost, dropped;
};

struct top {
	struct cli *cli;
	const struct top_options *o;
	struct ptui_live *live;
	struct top_look look;
	size_t event; /* index for ptui_live_event() */
	bool keys;    /* there is somebody who may type */
	bool done;    /* it is to end */

	/* of the last look */
	struct ptui_live_profile_info info;
	struct ptui_live_stats stats;
	uint64_t looked_ns;    /* when; 0: there was none */
	double passed_s;       /* since the one before */
	struct top_counts now; /* what came in that time */
	uint64_t since_ns;     /* older samples are not counted; 0: all are */
};

/* Runs until it is asked to end, or nobody is left to be sampled. The exit status. */
int top_watch(struct cli *cli, const struct top_options *o);

/* The text of one look. `p` may be NULL: nothing has come yet. */
int top_text(const struct top *t, struct ptui_profile *p, struct buf *out, struct ptui_error *err);
/* After so long a sample counts half: perf takes 7/8 of all that was at each refresh. */
uint64_t top_half_life_ns(uint32_t delay_ms);

/* A key was pressed. */
void top_key(struct top *t, char key);

/* Takes over the terminal at stdin for single keys. False: it is none, or another's. */
bool top_terminal_open(void);
/* As it was; any number of times; async-signal-safe. */
void top_terminal_close(void);
/* For a line that is typed, and back. */
void top_terminal_lines(bool lines);
/* The terminal's size; where stdout is none: 80x25, as perf has it. */
void top_terminal_size(unsigned *ret_rows, unsigned *ret_cols);

#endif
