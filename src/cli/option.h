/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options: one const table per command. Parses the command line into the command's own struct and
 * returns the remaining words. The same table makes the help and the manual page. Prints nothing
 * and depends on no command.
 *
 * The syntax is perf's:
 *
 *	-a -g -F 99	-agF99		combined; a value follows its letter or is the next word
 *	--freq 99	--freq=99	--fr 99 (an unambiguous prefix)
 *	--no-quiet			resets a flag; a table's "no-inherit" also accepts "inherit"
 *	--				ends the options
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/buf.h"
#include "ptui/error.h"

enum option_type {
	OPTION_END,	/* end of the table */
	OPTION_GROUP,	/* not an option: `help` is a heading */
	OPTION_FLAG,	/* bool */
	OPTION_STRING,	/* const char *: points into argv; the last one counts */
	OPTION_NUMBER,	/* uint64_t, min to max */
	OPTION_MULTI,	/* struct option_words: all values, in order */
	OPTION_CALL,	/* parsed by `call` */
	OPTION_REFUSED, /* see OPTION_NOT() */
};

enum {
	/* accepts --no-NAME as well (--NAME of a "no-NAME"); for FLAG, STRING, CALL */
	OPTION_NO = 1,
	OPTION_NO_VALUE = 2, /* for OPTION_CALL: has no value */
	OPTION_MAY_END = 4,  /* the value may be missing at the end or before another option */
	/* the value must be in the same word (-Iip, --intr-regs=ip); optional */
	OPTION_ATTACHED = 8,
	OPTION_HIDDEN = 16, /* not in the help */
};

struct option_words {
	const char **words;
	size_t n;
	size_t cap;
};

/*
 * `field` points to the field at `offset`. `value` is NULL without a value (OPTION_NO_VALUE,
 * OPTION_MAY_END, OPTION_ATTACHED) and with `unset` (--no-NAME). The option's name is prepended to
 * the message in err.
 */
typedef int (*option_call_fn)(void *field, const char *value, bool unset, struct ptui_error *err);

struct option {
	enum option_type type;
	char letter;	  /* 0: none */
	const char *name; /* NULL: none */
	const char *word; /* name of the value in the help: N_("FILE") */
	const char *help; /* N_() */
	size_t offset;	  /* in the command's struct */
	unsigned flags;
	uint64_t min, max;
	option_call_fn call;
	/*
	 * for OPTION_NO_VALUE: whether the next word is a value after all, as in tutorials; or NULL
	 */
	bool (*takes)(const char *next);
};

/*
 * A row for an option of perf that ptui does not have: not in the help, and refused with the reason `why`, N_("not
 * supported: ..."). `how`: OPTION_NO and the like. --no-NAME has no effect: what is not there is off.
 */
#define OPTION_NOT(letter, name, how, why)                                              \
	{                                                                               \
		OPTION_REFUSED, letter, name, NULL, why, .flags = (how) | OPTION_HIDDEN \
	}

struct option_result {
	bool help;	/* -h or --help was given; parsing stopped there */
	size_t n_words; /* words that are not options: argv[0] to argv[n_words - 1] */
};

enum {
	OPTION_STOP_AT_WORD = 1, /* stop at the first word that is not an option */
};

/*
 * Parses argv[0] to argv[argc - 1], and moves the words that are not options to the front.
 * `ret_values` is the struct that the offsets refer to, with defaults set by the caller. -EINVAL:
 * invalid usage (PTUI_ERROR_INPUT); -ENOTSUP: an OPTION_NOT(); -ENOMEM.
 */
int option_parse(const struct option *table, void *ret_values, int argc, char **argv,
		 unsigned flags, struct option_result *ret, struct ptui_error *err);

/*
 * The same, with callbacks. `seen` is called for each valid option. `wrong` (may be NULL) is called
 * for an error at argv[at], and may return 0 to continue after it: the option is then ignored.
 */
struct option_watch {
	void (*seen)(void *ctx, const struct option *opt, const char *value, bool unset);
	int (*wrong)(void *ctx, int at, const char *word, const struct ptui_error *why);
	void *ctx;
};
int option_parse_watched(const struct option *table, void *ret_values, int argc, char **argv,
			 unsigned flags, struct option_result *ret,
			 const struct option_watch *watch, struct ptui_error *err);

/* option_call_fn: the bool is true with --no-NAME. */
int option_store_unset(void *field, const char *value, bool unset, struct ptui_error *err);

/* Parses a whole word as a decimal number. -EINVAL: not a number; -ERANGE: not from min to max. */
int option_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret);

int option_words_add(struct option_words *w, const char *word); /* 0 or -ENOMEM */
void option_words_release(struct option_words *w);

bool option_takes_value(const struct option *opt);
bool option_has_no(const struct option *opt); /* shown as --[no-]NAME */

/* The table as help text: groups, names, values and descriptions. */
void option_help(const struct option *table, struct buf *out);

#endif
