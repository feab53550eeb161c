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

#include "ptui/record.h"
#include "ptui/record_line.h"
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

/* What an option is in Setup. Tens: its place on the command line. */
enum setup_part {
	SETUP_PART_RATE = 0,
	SETUP_PART_CALLS = 10,
	SETUP_PART_EVENT = 20,
	SETUP_PART_FILTER,  /* of the event before it */
	SETUP_PART_EXCLUDE, /* --exclude-perf: of the event before it */
	SETUP_PART_CGROUP,  /* sets the target of all events before it */
	SETUP_PART_OTHERS = 30,
	SETUP_PART_CPUS,  /* belongs to the target, but sets none */
	SETUP_PART_TASKS, /* sets the target */
	SETUP_PART_OUTPUT = 40,
	SETUP_PART_SYSTEM = 50, /* -a: the target */
	SETUP_PART_NOWHERE,	/* for text output only */
};

struct setup_use {
	struct ptui_record_use use;
	enum setup_part part;
};

struct setup {
	const char *proc; /* "/proc" or a test's: to look up processes */
	enum setup_target target;
	char *command; /* as typed; or "" */
	pid_t pid;     /* 0: not chosen */
	/* start time in ticks: distinguishes it from a later process with the same pid */
	uint64_t pid_start;
	char *pid_name;
	bool counts;	  /* SETUP_RATE_COUNT */
	bool timed;	  /* ends after `seconds`: setup_can_be_timed() */
	uint64_t seconds; /* the last choice */
	/* All other options, events among them, as on the command line; owns the values. */
	struct setup_use *uses;
	size_t n_uses, cap_uses;
	uint64_t rates[N_SETUP_RATES]; /* the last number of each; SETUP_RATE_DEFAULT: none */
	struct words presets;	       /* the user's, "NAME<tab>LINE" */
	struct words history;	       /* recorded commands, oldest first: for the prompt */
};

#define SETUP_OUTPUT	  "perf.data"
#define SETUP_EVENTS_MAX  256
#define SETUP_USES_MAX	  1000
#define SETUP_HISTORY_MAX 100

/*
 * Functions that return int return 0, -ENOMEM, or -EINVAL or -E2BIG for a value that is refused, which
 * changes nothing, with err (NULL ok) set.
 */

/* Defaults: cycles at 4000 Hz with unwound callchains, and a command that is not set yet. */
int setup_init(struct setup *s);
void setup_release(struct setup *s);
/* Exchanges the choices; the history, and if asked the presets, stay with `s`. */
void setup_replace(struct setup *s, struct setup *fresh, bool keeps_presets);

int setup_set_command(struct setup *s, const char *text, struct ptui_error *err);
int setup_set_process(struct setup *s, pid_t pid, uint64_t start, const char *name);
/* A recording that no command ends can end after a time, which record calls -- sleep 10. */
bool setup_can_be_timed(const struct setup *s);
int setup_set_output(struct setup *s, const char *path, struct ptui_error *err);
const char *setup_output(const struct setup *s);

/* "ptui record -F 4000 -g -e cycles -- make -j2", or "ptui stat …". -EINVAL: only the target is missing. */
int setup_words(const struct setup *s, struct words *ret, struct ptui_error *err);
/* All options; or "ptui record …" without target and output: how to record. free() it. */
char *setup_options_text(const struct setup *s, bool only_how);
/* The options of the recording, or of what is counted. May be used in a thread. NULL on failure. */
struct ptui_record_line *setup_record_line(const struct setup *s, struct ptui_error *err);

/* ---- the options, with their values (setup_uses.c) ---- */

struct setup_option {
	const char *name;
	enum setup_part part;
	bool has_row; /* in Setup; or it is for the command line only */
};
const struct setup_option *setup_option(size_t option);
/* True for -p, -t, -u and -G; and if one of them is given. */
bool setup_sets_target(enum setup_part part);
bool setup_names_target(const struct setup *s);

/* The first use of an option, also by its name ("freq", "g"); NULL: none. */
const struct ptui_record_use *setup_find(const struct setup *s, size_t option);
const struct ptui_record_use *setup_named(const struct setup *s, const char *name);
/*
 * Adds a copy, in its place. Those that exclude each other replace each other; -g keeps a mode that was
 * given before, as for record.
 */
int setup_put(struct setup *s, const struct ptui_record_use *use, struct ptui_error *err);
int setup_put_named(struct setup *s, const char *name, const char *value, struct ptui_error *err);
/* Removes all uses of an option; all of all options. */
void setup_remove(struct setup *s, size_t option);
void setup_clear(struct setup *s);

size_t setup_n_events(const struct setup *s);
/* -e and --filter of event `i`; NULL: none. */
const char *setup_event(const struct setup *s, size_t i);
const char *setup_filter(const struct setup *s, size_t i);
/* All events, each followed by its filter ("": none). */
int setup_events(const struct setup *s, struct words *ret);
int setup_set_events(struct setup *s, const struct words *texts, struct ptui_error *err);
/* Replaces event `i`, which keeps its filter, or appends one; it is checked. -G stays after them. */
int setup_set_event(struct setup *s, size_t i, const char *text, struct ptui_error *err);
/* Unchecked; "": none. */
int setup_set_filter(struct setup *s, size_t i, const char *filter, struct ptui_error *err);
/* With its filter and --exclude-perf. */
void setup_remove_event(struct setup *s, size_t i);
/* Checks a text for -e with its `filter` (NULL: none), with the nearest names. Opens nothing. */
int setup_check_event(const char *text, const char *filter, struct ptui_error *err);
/* Adds the numbers of tracepoints and other events in an -e, which have different default rates. */
void setup_count_tracepoints(const char *event, size_t *tracepoints, size_t *others);

/* The next use from index *at on, after which it moves *at, that no row shows; NULL: no more. */
const struct ptui_record_use *setup_more(const struct setup *s, size_t *at);
/* The number of different options among them. */
size_t setup_more_count(const struct setup *s);
/* "off", its value, or "on". */
const char *setup_use_value(const struct ptui_record_use *u);
/* Appends the words of one use: --delay 500. Lack of memory is in ret->failed. */
void setup_use_words(const struct ptui_record_use *u, struct words *ret);

/*
 * ---- the form: its rows in this order; most have a few values, which are made by
 * options. An option with another value than those of the row replaces the row ----
 */

enum setup_row {
	SETUP_TARGET, /* enum setup_target; not made by options */
	SETUP_END,    /* setup_can_be_timed(): nor is this one */
	SETUP_EVENT,  /* a row per event */
	SETUP_ADD,
	SETUP_RATE,
	SETUP_CALLS, /* callchains */
	SETUP_KEEP, /* flight recorder: write every sample, or keep the last ones until a snapshot */
	SETUP_FILE,
	SETUP_MORE, /* options without a row */
	N_SETUP_ROWS
};

/* Values of the rows SETUP_CALLS (others, such as dwarf without live, are an option) and SETUP_KEEP. */
enum { SETUP_CALLS_UNWOUND, SETUP_CALLS_FP, SETUP_CALLS_OFF };
enum { SETUP_KEEP_OFF, SETUP_KEEP_MEMORY, SETUP_KEEP_RINGS };

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

struct setup_form_row {
	const char *label, *explain; /* N_() */
	const char *key;	     /* in the file of saved choices; NULL: only its options are */
	bool for_samples;	     /* counts do not have it */
	int n;			     /* number of values; 0: no choice */
	struct setup_choice_value values[N_SETUP_TARGETS];
};

extern const struct setup_form_row setup_form[N_SETUP_ROWS];

#define SETUP_BY_OPTION (-1)

/* The current value; SETUP_BY_OPTION: set by an option with another value. */
int setup_choice(const struct setup *s, enum setup_row c);
/* Its number or size: "4000", "64M"; NULL: none, or record's default. */
const char *setup_choice_size(const struct setup *s, enum setup_row c);
/* The same to edit, if need be the last one; `buf` may hold it. */
const char *setup_choice_number(const struct setup *s, enum setup_row c, char *buf, size_t size);
/* The option that replaces the row; NULL: the row has its value. */
const struct ptui_record_use *setup_choice_use(const struct setup *s, enum setup_row c);

/* Sets it, with a usual size if none is set. */
int setup_set_choice(struct setup *s, enum setup_row c, int value, struct ptui_error *err);
/* Number or size for the current value; an empty size changes nothing. SETUP_END: "90", "90s", "2m", "1h". */
int setup_set_choice_size(struct setup *s, enum setup_row c, const char *text,
			  struct ptui_error *err);

/* ---- one option, for the Options screen (setup_uses.c) ---- */

/* "on", "off", "500", "a, b"; "": not given. */
void setup_option_value(const struct setup *s, size_t option, char *buf, size_t size);
/* True if it was given, and no row of Setup shows it. */
bool setup_option_is_given(const struct setup *s, size_t option);
/* The line to edit: several values are words. NULL: out of memory. free() it. */
char *setup_option_line(const struct setup *s, size_t option);
/* Sets it: `line` is the value; "" for an option that requires a value removes it. */
int setup_option_set(struct setup *s, size_t option, const char *line, bool only_check,
		     struct ptui_error *err);
/* Cycles a flag: not given, on, and off if that differs. */
int setup_option_turn(struct setup *s, size_t option, struct ptui_error *err);

/* ---- command lines (setup_line.c) ---- */

/* Result of setup_take_line(). */
struct setup_taken {
	size_t n_options;      /* accepted options */
	struct words left_out; /* one sentence each: option and reason */
};
/*
 * Replaces all choices, if asked except target and output, by "perf record -F 99 -g -z -- make".
 * Invalid options are skipped and listed in `ret`.
 */
int setup_take_line(struct setup *s, const char *text, bool keeps_target, struct setup_taken *ret,
		    struct ptui_error *err);

/*
 * ---- presets (setup_line.c): named lines of options that say how to record, without target and
 * output, which stay unchanged. The user's are saved with the choices ----
 */

#define SETUP_PRESETS_OURS    7	  /* built-in ones */
#define SETUP_PRESETS_MAX     100 /* of the user */
#define SETUP_PRESET_NAME_MAX 40  /* bytes */
#define SETUP_PRESET_BYTES    64

struct setup_preset {
	char name[SETUP_PRESET_BYTES]; /* translated for built-in ones */
	const char *line;	       /* "ptui record -g …"; valid until the next change */
};

size_t setup_n_presets(const struct setup *s);
/* Built-in presets, then user presets in the order saved. */
struct setup_preset setup_preset(const struct setup *s, size_t i);
/* Saves the current options under a name, replacing a user preset of that name. */
int setup_keep_preset(struct setup *s, const char *name, struct ptui_error *err);
/* Removes a user preset. */
void setup_forget_preset(struct setup *s, size_t i);
/* Reads a user preset from a line of the file, "NAME<tab>LINE". */
int setup_read_preset(struct setup *s, const char *text, struct ptui_error *err);

/* ---- saved choices (setup_file.c) ---- */

/*
 * Loads valid lines; -EBADMSG if some were damaged and skipped. Drops a process that does not run
 * any more. Without events there is cycles. A missing file: 0.
 */
int setup_load(struct setup *s, const char *path, struct ptui_error *err);
/* Atomic; creates directories. */
int setup_save(const struct setup *s, const char *path, struct ptui_error *err);
/* The same as a text, without the command history. NULL: out of memory. free() it. */
char *setup_to_text(const struct setup *s);
/* Loads the text of setup_to_text(). Errors change nothing. */
int setup_from_text(struct setup *s, const char *text, struct ptui_error *err);

#endif
