/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command lines of `ptui record`. Parses the arguments of a ptui or perf command line into
 * recording options, with the same checks and defaults (config files) as on the command line; and
 * lists the supported options for option pickers. Opens and records nothing. Thread-safe; each
 * object may be used by one thread at a time.
 */
#ifndef PTUI_RECORD_LINE_H
#define PTUI_RECORD_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include "ptui/error.h"
#include "ptui/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the options ---- */

enum ptui_option_kind {
	PTUI_OPTION_FLAG,   /* no value */
	PTUI_OPTION_NUMBER, /* min to max */
	PTUI_OPTION_TEXT,
};

/* Texts are translated and static. */
struct ptui_record_option {
	const char *group; /* its heading in the help */
	const char *name;  /* "sample-cpu"; NULL: short option only */
	char letter;	   /* short option; 0: none */
	const char *word;  /* placeholder of the value; NULL: no value */
	const char *help;
	enum ptui_option_kind kind;
	uint64_t min, max;
	bool may_lack;	 /* the value is optional */
	bool attached;	 /* an optional value must be attached: --name=VALUE */
	bool can_be_off; /* --no-NAME differs from not giving the option */
	bool for_counts; /* of events or target: `ptui stat` has it, too */
};

/* The i-th option in the order of the help. False: no more. */
bool ptui_record_option(size_t i, struct ptui_record_option *ret);
/* Index by "sample-cpu" or "g". SIZE_MAX: not found. */
size_t ptui_record_option_find(const char *name);

/* ---- an option with its value ---- */

struct ptui_record_use {
	size_t option;
	const char *value; /* NULL: none */
	bool off;	   /* negated: --no-NAME */
};

/*
 * As a command-line argument: "-D", "--sample-cpu" or "--name=VALUE"; if *ret_value_follows, the value is
 * a second argument. The caller frees it. NULL: out of memory.
 */
char *ptui_record_use_word(const struct ptui_record_use *use, bool *ret_value_follows);
/* Checks the value. 0, or -EINVAL with err set. */
int ptui_record_use_check(const struct ptui_record_use *use, struct ptui_error *err);

/* ---- a command line ---- */

struct ptui_record_line;

enum {
	/* skip and list invalid arguments instead of failing */
	PTUI_LINE_TOLERANT = 1,
	/* accept "ptui stat" and "perf stat" as well: their events and target; other options are invalid */
	PTUI_LINE_STAT = 2,
};

/* An argument that was skipped. */
struct ptui_record_refusal {
	const char *word; /* the argument */
	size_t at;	  /* its index */
	struct ptui_error why;
};

/*
 * Copies the arguments. "ptui record" or "perf record" may precede the options, also after sudo or
 * env; any other command is -EINVAL in err. NULL on failure with err set. Event selectors are not
 * checked: ptui_recording_new() does that.
 */
struct ptui_record_line *ptui_record_line_new(const char *const *words, size_t n, unsigned flags,
					      struct ptui_error *err);
void ptui_record_line_free(struct ptui_record_line *l); /* NULL ok */

/* Borrowed, including everything it points to; argv is the workload, cmdline has all arguments. */
const struct ptui_record_opts *ptui_record_line_opts(const struct ptui_record_line *l);
/* It was a line of stat: nothing is sampled. */
bool ptui_record_line_counts(const struct ptui_record_line *l);
/* The i-th option that was given; aliases are mapped to their option. NULL: no more. */
const struct ptui_record_use *ptui_record_line_use(const struct ptui_record_line *l, size_t i);
const struct ptui_record_refusal *ptui_record_line_refusal(const struct ptui_record_line *l,
							   size_t i);

#ifdef __cplusplus
}
#endif
#endif
