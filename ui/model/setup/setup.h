/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a person chooses for a recording.
 *
 * Takes: choices, one by one, checked as they come. Gives: the options of the recording, and the
 * command line that asks for the same. It is not for asking the kernel: that is ptui/doctor.h.
 */
#ifndef MODEL_SETUP_SETUP_H
#define MODEL_SETUP_SETUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/setup/setup_more.h"
#include "model/setup/setup_words.h"
#include "ptui/record.h"

enum setup_target {
	SETUP_COMMAND,
	SETUP_PROCESS,
	SETUP_SYSTEM,
	SETUP_SYSTEM_COMMAND, /* the whole system, while the command runs: -a -- sleep 3 */
	SETUP_OPTIONS,	      /* by options that have no row: setup_names_target() */
	N_SETUP_TARGETS
};

enum setup_rate {
	SETUP_RATE_DEFAULT, /* none was chosen: record's, which is every hit of a tracepoint */
	SETUP_RATE_PERIOD,
	SETUP_RATE_FREQUENCY,
	N_SETUP_RATES
};

#define SETUP_DEFAULT_HZ 4000 /* of all but tracepoints */

struct setup {
	enum setup_target target;
	char *command;	    /* as it was typed; "" */
	pid_t pid;	    /* 0: none was chosen */
	uint64_t pid_start; /* when it began, in ticks: tells it from a later one of this number */
	char *pid_name;
	struct words events;  /* -e, each; none: what record takes by itself */
	struct words filters; /* of the event of that number: setup_filter() */
	enum setup_rate rate;
	uint64_t freq_hz, period; /* both are kept, rate says which one holds */
	bool callchain;
	char *output; /* "" is perf.data */
	struct setup_more
		more; /* all other options; "freq", "count", "call-graph" stand in for the rows */
	struct words preset_names, preset_lines; /* of one's own: model/setup_preset.h */
	struct words past; /* commands that were recorded, the oldest first: for the prompt */
};

#define SETUP_OUTPUT	 "perf.data"
#define SETUP_EVENTS_MAX 256
#define SETUP_PAST_MAX	 100

/* cycles, 4000 a second, with call graphs, of a command that is yet to be said. 0 or -ENOMEM. */
int setup_init(struct setup *s);
void setup_release(struct setup *s);

/*
 * What is wrong is told, and changes nothing: -EINVAL, -ENOMEM. A command or a process that is set
 * becomes the target.
 */
int setup_set_command(struct setup *s, const char *text, struct ptui_error *err);
int setup_set_process(struct setup *s, pid_t pid, uint64_t start, const char *name,
		      struct ptui_error *err);
int setup_set_output(struct setup *s, const char *path, struct ptui_error *err);
/* Remembers the command among the past ones, as the newest of them. 0 or -ENOMEM. */
int setup_remember(struct setup *s);
/* The number that holds now: "4000", "10k", "1M". Without one so far: a frequency. */
int setup_set_rate(struct setup *s, const char *text, struct ptui_error *err);
/* All events, and what must hold of each: "" or, at the end, nothing at all for no filter. */
int setup_set_events(struct setup *s, const struct words *events, const struct words *filters,
		     struct ptui_error *err);
/*
 * Instead of event `i`, whose filter stays, or one more when there are only `i`. Checked as -e
 * does: nearest names.
 */
int setup_set_event(struct setup *s, size_t i, const char *text, struct ptui_error *err);
void setup_remove_event(struct setup *s, size_t i);
/* --filter of event `i`; NULL: it has none. */
const char *setup_filter(const struct setup *s, size_t i);

/* How many events of these -e texts are tracepoints, and how many are not: what the default rate means. */
void setup_count_tracepoints(const char *const *events, size_t n, size_t *ret_tracepoints,
			     size_t *ret_others);

/*
 * Is `text` what -e takes, and its `filter` (NULL: none) one that fits its fields? 0 or a negative
 * error with the sentence. Opens nothing.
 */
int setup_check_event(const char *text, const char *filter, struct ptui_error *err);

/* It is what a row of Setup's own says, or is for the command line only. */
bool setup_has_row(size_t option);
/* An option says whom: -p, -t, -u or -G. */
bool setup_names_target(const struct setup *s);
bool setup_option_targets(size_t option);

/* What a line was that setup_take_line() took, or took in part. */
struct setup_taken {
	size_t n_options;      /* that were understood */
	struct words left_out; /* a sentence each: what, and why */
};
/*
 * "perf record -F 99 -g -z -- make" instead of all that was chosen before. What is no such line is
 * told, and changes nothing: -EINVAL. Options that are wrong are left out, and told in `ret`. `proc`
 * is "/proc", where a process is looked up.
 */
int setup_take_line(struct setup *s, const char *text, const char *proc, struct setup_taken *ret,
		    struct ptui_error *err);
void setup_taken_release(struct setup_taken *t);

/*
 * "ptui record -F 4000 -g -e cycles -- make -j2" as words. -EINVAL: the target is not said yet, or
 * makes no sense; the words have all but it then. -ENOMEM.
 */
int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err);

/* The options, with all that they point to; theirs alone, so that a thread may have them. */
struct setup_opts {
	struct ptui_record_opts opts;
	struct ptui_record_line *line; /* what they point into */
	struct words words;
	char *cmdline;
};

/* NULL: as setup_words(). */
struct setup_opts *setup_opts_new(const struct setup *s, struct ptui_error *err);
void setup_opts_free(struct setup_opts *o); /* NULL ok */

/* ---- the last choices, kept between sessions ---- */

/* $XDG_STATE_HOME/ptui/setup, or ~/.local/state/ptui/setup. free() it. NULL: there is no home. */
char *setup_path(void);
/*
 * Takes over what is there and makes sense; what is damaged stays as it was (-EBADMSG, all else was
 * taken). A process that does not run any more (under `proc`, "/proc") is forgotten. A file that is
 * not there is none: 0.
 */
int setup_load(struct setup *s, const char *path, const char *proc, struct ptui_error *err);
/* The same as a text, without the commands of earlier sessions. NULL: out of memory. free() it. */
char *setup_to_text(const struct setup *s);
/* Back to what the text of setup_to_text() says. What is wrong changes nothing. */
int setup_from_text(struct setup *s, const char *text, const char *proc, struct ptui_error *err);
/* Whole or not at all; folders are made. */
int setup_save(const struct setup *s, const char *path, struct ptui_error *err);

#endif
