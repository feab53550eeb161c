/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_STAT_STAT_OPTIONS_H
#define CLI_STAT_STAT_OPTIONS_H

#include "base/buf.h"
#include "cli/option.h"
#include "cli/record/record_options.h"
#include "stat/stat.h"

/* Initialize with zeros, but for the defaults: one run, scaled counts, grouped digits. */
struct stat_command {
	struct record_options record; /* the events and the target */
	enum stat_aggr aggr;
	unsigned cache_level;
	unsigned detail;
	bool null_run, scale, group_digits, json, append, table, sync, verbose, quiet;
	bool clear, summary, no_csv_summary, one_group;
	struct option_words metrics; /* -M */
	bool metric_only, metric_no_group, metric_no_merge, metric_no_threshold;
	const char *each_cgroup;
	bool per_cgroup;
	struct buf cgroup_names; /* of --per-cgroup -G */
	const char *separator, *output, *pre, *post;
	struct ptui_record_control control; /* -D, --control */
	uint64_t n_runs, log_fd, interval_ms, n_intervals, timeout_ms;
	bool repeat_given;
	bool tui;
	bool records;	   /* ptui stat record: -o is the recording */
	const char *input; /* of ptui stat report */
};

/* perf's columns, not fields. */
static inline bool stat_is_text(const struct stat_command *o)
{
	return !o->separator && !o->json;
}

extern const struct option stat_options[];
extern const struct option stat_report_options[]; /* those after "report" */

struct cli;
/* `ptui stat --tui`, with settled options. The exit status. */
int stat_on_screen(struct cli *cli, struct stat_command *o, char **argv);
/* `ptui stat report`; `argv`: words after the options. The exit status. */
int stat_report(struct cli *cli, struct stat_command *o, char *const *argv);

/* Completes the target and the events; -EINVAL if options exclude each other. `argv`: the command. */
int stat_options_settle(struct stat_command *o, char *const *argv, struct ptui_error *err);

#endif
