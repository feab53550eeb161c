/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of `ptui record`: the table (record_options.c) reads plain values directly into struct
 * ptui_record_opts; lists and values that need parsing are read by the functions here, one file per
 * group. What the options do is up to the record room.
 */
#ifndef CLI_RECORD_RECORD_OPTIONS_H
#define CLI_RECORD_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include "cli/command.h"
#include "cli/option.h"
#include "ptui/record.h"
#include "ptui/shape.h"

struct pid_words {
	pid_t *pids;
	size_t n;
	size_t cap;
};

/* The texts of -e in order; `owned` were composed here and are to be freed. */
struct record_events {
	struct option_words texts;
	struct option_words own;
	/* by text, up to the last one that has any */
	char **filters;
	size_t cap_filters;
	bool *exclude_self;
	size_t cap_exclude_self;
	bool early_filter; /* one was given before all texts */
};

struct record_buildids {
	enum ptui_said no_cache, none, all, mmap;
	enum ptui_record_buildid usual; /* record.build-id */
	char *dir;			/* buildid.dir, owned */
};

/* Texts of -G, and the number of -e before each. */
struct cgroup_words {
	struct option_words texts;
	size_t *after;
	size_t cap_after;
};

/* What plain -g means; call-graph.record-mode */
struct record_usual_chains {
	enum ptui_callgraph mode; /* PTUI_CALLGRAPH_NONE: frame pointers */
	uint32_t stack_bytes;
};

/* Initialize with zeros. */
struct record_options {
	/* plain values are read into it, lists are added at the end */
	struct ptui_record_opts opts;
	struct record_events events;
	struct record_events trigger_events; /* --switch-output-event */
	struct option_words when;	     /* --snapshot-when */
	struct record_buildids buildids;
	struct pid_words pids, tids;
	struct cgroup_words cgroups;
	struct record_usual_chains usual_chains;
	bool tutorial_mode; /* "-g dwarf" */
	bool quiet;
	bool verbose;
	bool dry_run;
	bool tui;
};

/* record_options_control.c; prints perf's lines on stderr, unless -q */
int record_read_affinity(void *field, const char *value, bool unset, struct ptui_error *err);
void record_print_line(void *quiet, const char *text);

/* record_line.c: the arguments as recorded in the header, each with its NUL */
void record_add_cmdline(const char *const *words, size_t n, struct buf *out);

extern const struct option record_options[];
extern const struct cli_setting record_settings[]; /* record_options_config.c */

/*
 * Call after parsing: moves the lists to o->opts, and checks for contradicting options; overridden
 * options are reported on stderr. 0, -EINVAL, -ENOMEM.
 */
int record_options_settle(const struct cli *cli, struct record_options *o, struct ptui_error *err);
void record_options_release(struct record_options *o);

/* record_options_events.c; the field is a struct record_events */
int record_add_pfm(void *field, const char *value, bool unset, struct ptui_error *err);
int record_add_filter(void *field, const char *value, bool unset, struct ptui_error *err);
int record_add_exclude_perf(void *field, const char *value, bool unset, struct ptui_error *err);
/* --switch-output-filter, of the --switch-output-event before */
int record_add_trigger_filter(void *field, const char *value, bool unset, struct ptui_error *err);
/* Of --switch-output-event, after parsing: as below, and no filter may precede all events. */
int record_settle_triggers(struct record_events *events, struct ptui_error *err);
/* Pads the filters to the number of texts. 0 or -ENOMEM. */
int record_events_complete(struct record_events *events);
void record_events_release(struct record_events *events);

/* record_options_buildid.c; enum ptui_record_buildid */
int record_buildid_setting(void *field, const char *value, bool unset, struct ptui_error *err);
void record_settle_buildids(struct record_buildids *b, struct ptui_record_opts *opts);
/* record_options_shape.c; the parameter name is the field, `o` a struct record_options */
int record_read_freq(void *o, const char *value, bool unset, struct ptui_error *err);
int record_read_said(void *said, const char *value, bool unset, struct ptui_error *err);
int record_read_g(void *o, const char *value, bool unset, struct ptui_error *err);
bool record_takes_mode(const char *next); /* "dwarf" after -g, as in tutorials */
int record_read_callgraph(void *shape, const char *value, bool unset, struct ptui_error *err);
int record_read_branch(void *branch_filter, const char *value, bool unset, struct ptui_error *err);
int record_read_registers(void *mask, const char *value, bool unset, struct ptui_error *err);
int record_read_clockid(void *shape, const char *value, bool unset, struct ptui_error *err);
int record_read_synth(void *skip, const char *value, bool unset, struct ptui_error *err);
int record_read_threads(void *number, const char *value, bool unset, struct ptui_error *err);
/* Warns about values that may not mean what was intended. */
void record_warn_shape(const struct cli *cli, const struct record_options *o);
/* record_refused.c: options of perf record that ptui does not have */
int record_read_aux_snapshot(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_aux_sample(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_threads(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_aio(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_kcore(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_off_cpu(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_clang(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_debuginfod(void *field, const char *value, bool unset, struct ptui_error *err);
int record_refuse_latency(void *field, const char *value, bool unset, struct ptui_error *err);

/* record_options_output.c; the fields are unsigned, uint64_t, uint64_t */
int record_read_level(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_max_size(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_memory(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_wakeup_events(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_watermark(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_flush(void *field, const char *value, bool unset, struct ptui_error *err);
int record_settle_output(struct ptui_record_opts *opts, struct ptui_error *err);

/* record_options_switch.c; the fields are a struct ptui_record_switch, and its max_files */
int record_read_switch(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_max_files(void *field, const char *value, bool unset, struct ptui_error *err);
int record_settle_switch(struct ptui_record_opts *opts, struct ptui_error *err);

/* record_options_target.c; the field is a struct pid_words */
int record_read_pids(void *field, const char *value, bool unset, struct ptui_error *err);
int record_read_tids(void *field, const char *value, bool unset, struct ptui_error *err);
/* the field is a struct ptui_record_opts */
int record_read_inherit(void *field, const char *value, bool unset, struct ptui_error *err);
/* the field is the struct record_options */
int record_read_cgroup(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
