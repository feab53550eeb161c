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
	char *comms, *dsos, *symbols, *hide_dsos; /* lists; owned */
	char *hidden;				  /* hide_dsos, and what -U hides; owned */
	bool relative;
	struct chain_choice chain;
	double percent_limit;
	uint64_t quantum_ns;
	bool only_parents, show_ns;
	char *with_parent; /* the sort keys with "parent"; owned */
	char *by_default;  /* the sort keys that depend on the recording; owned */
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

extern const struct option report_options[];
extern const struct cli_setting report_settings[];

#endif
