/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of `ptui report`, and its defaults in a config file. */
#ifndef CLI_REPORT_OPTIONS_H
#define CLI_REPORT_OPTIONS_H

#include "cli/recording.h"
#include "cli/report/chain_choice.h"
#include "cli/report/report.h"
#include "cli/script/report_records.h"

struct report_grouping {
	enum ptui_grouping how;
	bool given; /* by --group or --no-group */
};

struct report_opts {
	struct recording_opts in;
	enum ptui_mode mode; /* -b */
	bool mem_mode;
	const char *sort, *fields, *separator, *event, *parent;
	uint16_t widths[REPORT_WIDTHS];
	struct ptui_hist_filter filter;
	char *comms, *dsos, *symbols, *hide_dsos, *cgroups; /* lists; owned */
	char *hidden; /* hide_dsos, and what -U hides; owned */
	bool relative;
	struct chain_choice chain;
	double percent_limit;
	uint64_t quantum_ns;
	bool only_parents, show_ns, latency;
	char *with_latency, *with_parent; /* the sort keys with these; owned */
	char *by_default;		  /* the sort keys that depend on the recording; owned */
	bool stdio, tui, children, show_samples, show_period, show_modes, quiet, inverted, verbose,
		force;
	struct report_records records;
	enum ptui_inlines inlines;
	struct report_grouping grouping;
	uint64_t group_sort;
	bool hierarchy, json, csv, skip_empty, threads, raw_threads, total_cycles, branch_history,
		dump, dump_unsorted;
	uint64_t max_samples;
	const char *ignore_callees;
	char *usual_sort; /* report.sort_order; owned */
};

/* Screens cannot show these filters. */
static inline bool report_is_switched(const struct report_opts *o)
{
	return o->filter.switch_on || o->filter.switch_off;
}

/* report_settle.c: checks them, and derives what others imply. CLI_OK, or the exit status after its message. */
int report_settle(struct cli *cli, struct report_opts *o);
/* Standard input, or another pipe without a name of its own: `ptui report -i <(ssh …)`. */
bool report_is_pipe(const char *path);

/* report_print.c, with options that are settled */
struct ptui_hist_opts report_hist_opts(const struct report_opts *o, uint32_t event);
/* KEY_NEEDS_... of the keys. */
unsigned report_needs(const struct report_opts *o);
/* 0, or -ENOENT with err set: --event names none. */
int report_check_event(const struct ptui_profile *p, const struct report_opts *o,
		       struct ptui_error *err);
/* Prints the events that have samples. 0, or a negative errno with err set. */
int report_print(const struct cli *cli, struct ptui_profile *p, const struct report_opts *o,
		 struct ptui_error *err);

extern const struct option report_options[];
extern const struct cli_setting report_settings[];

#endif
