/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The choices for a recording: checked as they are set, and converted to options and to the
 * equivalent command line. For checks against the kernel see ptui/doctor.h.
 */
#ifndef MODEL_SETUP_SETUP_H
#define MODEL_SETUP_SETUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/setup/setup_uses.h"
#include "ptui/record.h"
#include "text/words.h"

enum setup_target {
	SETUP_COMMAND,
	SETUP_PROCESS,
	SETUP_SYSTEM,
	SETUP_SYSTEM_COMMAND, /* the whole system, while the command runs: -a -- sleep 3 */
	SETUP_OPTIONS,	      /* by options without a row: setup_names_target() */
	N_SETUP_TARGETS
};

enum setup_rate {
	SETUP_RATE_DEFAULT, /* not chosen: record's default, which for tracepoints is every hit */
	SETUP_RATE_PERIOD,
	SETUP_RATE_FREQUENCY,
	SETUP_RATE_COUNT, /* no samples: `ptui stat` */
	N_SETUP_RATES
};

#define SETUP_DEFAULT_HZ      4000 /* except for tracepoints */
#define SETUP_DEFAULT_SECONDS 10

struct setup {
	enum setup_target target;
	char *command; /* as typed; or "" */
	pid_t pid;     /* 0: not chosen */
	/* start time in ticks: distinguishes it from a later process with the same pid */
	uint64_t pid_start;
	char *pid_name;
	bool counts;	      /* SETUP_RATE_COUNT */
	bool timed;	      /* ends after `seconds`: setup_can_be_timed() */
	uint64_t seconds;     /* the last choice */
	struct words events;  /* -e, each; none: record's default */
	struct words filters; /* by event: setup_filter() */
	/* all other options; some are rows of their own: setup_choices */
	struct setup_uses uses;
	uint64_t rates[N_SETUP_RATES]; /* the last number of each; SETUP_RATE_DEFAULT: none */
	struct words presets;	       /* the user's, "NAME<tab>LINE" */
	struct words history;	       /* recorded commands, oldest first: for the prompt */
};

#define SETUP_OUTPUT	  "perf.data"
#define SETUP_EVENTS_MAX  256
#define SETUP_HISTORY_MAX 100

/* Defaults: cycles at 4000 Hz with unwound callchains, and a command that is not set yet. 0 or -ENOMEM. */
int setup_init(struct setup *s);
void setup_release(struct setup *s);
/* Exchanges the choices; the history, and if asked the presets, stay with `s`. */
void setup_replace(struct setup *s, struct setup *fresh, bool keeps_presets);

/*
 * Errors change nothing: -EINVAL with err set, -ENOMEM. Setting a command or a process makes it the
 * target.
 */
int setup_set_command(struct setup *s, const char *text, struct ptui_error *err);
int setup_set_process(struct setup *s, pid_t pid, uint64_t start, const char *name,
		      struct ptui_error *err);
/* A recording that no command ends can end after a time, which record calls -- sleep 10. */
bool setup_can_be_timed(const struct setup *s);
/* "90", "90s", "2m", "1h": the recording ends then. */
int setup_set_seconds(struct setup *s, const char *text, struct ptui_error *err);
int setup_set_output(struct setup *s, const char *path, struct ptui_error *err);
/* "perf.data" if none was set. */
const char *setup_output(const struct setup *s);
/* Adds the command to the history, as the newest. 0 or -ENOMEM. */
int setup_remember(struct setup *s);
/* All events with their filters: "", or missing at the end, for none. */
int setup_set_events(struct setup *s, const struct words *events, const struct words *filters,
		     struct ptui_error *err);
/*
 * Replaces event `i`, keeping its filter, or appends one if there are `i`. Checked as by -e, with
 * the nearest names.
 */
int setup_set_event(struct setup *s, size_t i, const char *text, struct ptui_error *err);
void setup_remove_event(struct setup *s, size_t i);
/* --filter of event `i`; NULL: none. */
const char *setup_filter(const struct setup *s, size_t i);
/* Sets it, unchecked. 0 or -ENOMEM. */
int setup_set_filter(struct setup *s, size_t i, const char *filter);

/* Number of tracepoints and other events in these -e texts, which have different default rates. */
void setup_count_tracepoints(const char *const *events, size_t n, size_t *ret_tracepoints,
			     size_t *ret_others);

/*
 * Checks a text for -e with its `filter` (NULL: none). 0, or negative with err set. Opens nothing.
 */
int setup_check_event(const char *text, const char *filter, struct ptui_error *err);

/*
 * Adds an option that is neither an event nor a filter. Those that exclude each other replace each
 * other; -g keeps a mode that was given before, as for record. 0, -ENOMEM, -E2BIG.
 */
int setup_put(struct setup *s, const struct ptui_record_use *use);

/* The next use from index *at on, after which it moves *at, that no row shows; NULL: no more. */
const struct ptui_record_use *setup_more(const struct setup *s, size_t *at);
/* The number of different options among them. */
size_t setup_more_count(const struct setup *s);
/* True if options set the target: -p, -t, -u or -G. */
bool setup_names_target(const struct setup *s);

/*
 * ---- choices (setup_choice.c): rows with a few values, most made by options; one table says which.
 * An option with another value than those of the row replaces the row ----
 */

enum setup_choice {
	SETUP_RATE,
	SETUP_CALLS, /* callchains */
	SETUP_KEEP, /* flight recorder: write every sample, or keep the last ones until a snapshot */
	SETUP_END,  /* setup_can_be_timed(): not made by an option */
	SETUP_TARGET, /* nor is this one: enum setup_target */
	N_SETUP_CHOICES
};

/* Callchains. Others, such as dwarf without live, are the option call-graph. */
enum setup_calls {
	SETUP_CALLS_UNWOUND, /* --call-graph dwarf,live */
	SETUP_CALLS_FP,	     /* -g: by frame pointers */
	SETUP_CALLS_OFF,
};

enum setup_keep {
	SETUP_KEEP_OFF,	   /* all samples are written */
	SETUP_KEEP_MEMORY, /* -M */
	SETUP_KEEP_RINGS,  /* --overwrite */
};

struct setup_choice_value {
	const char *id;	       /* in the file of saved choices */
	const char *name;      /* N_() */
	const char *option;    /* the option that makes it; NULL: none of the row's options */
	const char *fixed;     /* the only value of that option; NULL: any, or a flag */
	const char *size_from; /* the option with its number or size; NULL: none */
	const char *size;      /* the usual one; NULL: the last number in setup.rates[] */
	const char *ask;       /* N_(): label of the prompt for it … */
	const char *ask_note;  /* … and what is typed there; NULL: none */
};

#define SETUP_CHOICE_VALUES 5

struct setup_choice_row {
	const char *label, *explain; /* N_() */
	const char *key;	     /* in the file of saved choices; NULL: its options are there */
	const char *options[2];	     /* all that make a value */
	struct setup_choice_value values[SETUP_CHOICE_VALUES];
};

extern const struct setup_choice_row setup_choices[N_SETUP_CHOICES];

#define SETUP_BY_OPTION (-1)

/* The number of its values. */
int setup_choice_n(enum setup_choice c);
/* The current value; SETUP_BY_OPTION: set by an option with another value. */
int setup_choice(const struct setup *s, enum setup_choice c);
/* Its number or size: "4000", "64M"; NULL: none, or record's default. */
const char *setup_choice_size(const struct setup *s, enum setup_choice c);
/* The same to edit, if need be the last one; `buf` may hold it. */
const char *setup_choice_number(const struct setup *s, enum setup_choice c, char *buf, size_t size);
/* The option that replaces the row; NULL: the row has its value. */
const struct ptui_record_use *setup_choice_use(const struct setup *s, enum setup_choice c);

/* Sets it, with a usual size if none is set. 0, -ENOMEM, -E2BIG. */
int setup_set_choice(struct setup *s, enum setup_choice c, int value, struct ptui_error *err);
/*
 * Number or size for the current value. Invalid ones change nothing: -EINVAL with err set; nor does an
 * empty size.
 */
int setup_set_choice_size(struct setup *s, enum setup_choice c, const char *text,
			  struct ptui_error *err);
/* The value with this id in the file; -EINVAL: none. */
int setup_choice_by_id(enum setup_choice c, const char *id);

/* ---- one option, for the Options screen (setup_options.c) ---- */

/* "on", "off", "500", "a, b"; "": not given. */
void setup_option_value(const struct setup *s, size_t option, char *buf, size_t size);
/* True if it was given, and no row of Setup shows it. */
bool setup_option_is_given(const struct setup *s, size_t option);
/* The line to edit: several values are words. NULL: out of memory. free() it. */
char *setup_option_line(const struct setup *s, size_t option);
/*
 * Sets it: `line` is the value; "" for an option that requires a value removes it. 0, -EINVAL,
 * -E2BIG, -ENOMEM with err set.
 */
int setup_option_set(struct setup *s, size_t option, const char *line, bool only_check,
		     struct ptui_error *err);
/* Cycles a flag: not given, on, and off if that differs. 0 or -ENOMEM. */
int setup_option_turn(struct setup *s, size_t option);

/* ---- command lines ---- */

/* Result of setup_take_line(). */
struct setup_taken {
	size_t n_options;      /* accepted options */
	struct words left_out; /* one sentence each: option and reason */
};
/*
 * Replaces all choices by "perf record -F 99 -g -z -- make". -EINVAL without a change if it is not
 * such a line. Invalid options are skipped and listed in `ret`. `proc` is "/proc", to look up
 * processes.
 */
int setup_take_line(struct setup *s, const char *text, const char *proc, struct setup_taken *ret,
		    struct ptui_error *err);
/* The same, but target and output stay. */
int setup_take_settings(struct setup *s, const char *text, const char *proc,
			struct setup_taken *ret, struct ptui_error *err);
void setup_taken_release(struct setup_taken *t);

/*
 * "ptui record -F 4000 -g -e cycles -- make -j2", or "ptui stat -e cycles -- make -j2", as words. -EINVAL: the target is not set, or
 * invalid; the words are complete except for it. -ENOMEM.
 */
int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err);
/* The same without target and output: how to record. 0 or -ENOMEM. */
int setup_how_words(const struct setup *s, struct words *ret);

/* The options of the recording, or of what is counted. May be used in a thread. NULL on failure, as setup_words(). */
struct ptui_record_line *setup_record_line(const struct setup *s, struct ptui_error *err);

/*
 * ---- presets (setup_preset.c): named lines of options that say how to record, without target and
 * output, which stay unchanged. The user's are saved with the choices ----
 */

#define SETUP_PRESETS_MAX     100
#define SETUP_PRESET_NAME_MAX 40 /* bytes */

struct setup_preset {
	char name[SETUP_PRESET_NAME_MAX + 24]; /* translated for built-in ones */
	const char *line; /* "ptui record -g …"; valid until the next change */
	bool own;
};

/* Built-in presets, then user presets in the order saved. */
size_t setup_n_presets(const struct setup *s);
void setup_preset(const struct setup *s, size_t i, struct setup_preset *ret);

/* Applies preset `i`; returns like setup_take_line(). */
int setup_take_preset(struct setup *s, size_t i, const char *proc, struct setup_taken *ret,
		      struct ptui_error *err);

/*
 * Saves the current options under a name, replacing a user preset of that name. -EINVAL with err
 * set: the name is empty, too long or built-in, or there are too many. -ENOMEM.
 */
int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err);
/* A user preset. */
void setup_forget_preset(struct setup *s, size_t i);

/* Reads a user preset from a line of the file, "NAME<tab>LINE": 0, -EINVAL, -ENOMEM. */
int setup_read_preset(struct setup *s, const char *text, struct ptui_error *err);

/* ---- saved choices ---- */

/* $XDG_STATE_HOME/ptui/setup, or ~/.local/state/ptui/setup. free() it. NULL: no home. */
char *setup_path(void);
/*
 * Loads valid lines; -EBADMSG if some were damaged and skipped. Drops a process that does not run
 * any more (in `proc`, "/proc"). A missing file: 0.
 */
int setup_load(struct setup *s, const char *path, const char *proc, struct ptui_error *err);
/* The same as a text, without the command history. NULL: out of memory. free() it. */
char *setup_to_text(const struct setup *s);
/* Loads the text of setup_to_text(). Errors change nothing. */
int setup_from_text(struct setup *s, const char *text, const char *proc, struct ptui_error *err);
/* Atomic; creates directories. */
int setup_save(const struct setup *s, const char *path, struct ptui_error *err);

#endif
