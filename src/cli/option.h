/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options, as one const table a command. What it takes: the table and the words of the
 * command line. What it gives: the values, written into the command's own struct, and the
 * words that are no options. The same table makes the help and the manual page. It prints
 * nothing and knows no command.
 *
 * The grammar is perf's:
 *
 *	-a -g -F 99	-agF99		combined; a value stands behind its letter or comes next
 *	--freq 99	--freq=99	--fr 99 (a prefix that fits one option only)
 *	--no-quiet			a flag, taken back; a table's "no-inherit" takes "inherit"
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
	OPTION_END,    /* closes the table */
	OPTION_GROUP,  /* no option: `help` is the heading over those that follow */
	OPTION_FLAG,   /* bool */
	OPTION_STRING, /* const char *: the word of argv itself; the last one counts */
	OPTION_NUMBER, /* uint64_t, min to max */
	OPTION_MULTI,  /* struct option_words: each value, in order */
	OPTION_CALL,   /* what `call` makes of it */
};

enum {
	OPTION_NO = 1,	     /* --no-NAME as well (--NAME of a "no-NAME"); of FLAG, STRING, CALL */
	OPTION_NO_VALUE = 2, /* of OPTION_CALL: takes none */
	OPTION_MAY_END = 4,  /* the value may be missing at the end or before another option */
	OPTION_ATTACHED =
		8, /* the value stands in the same word (-Iip, --intr-regs=ip), or there is none */
	OPTION_HIDDEN = 16, /* not in the help */
};

struct option_words {
	const char **words;
	size_t n;
	size_t cap;
};

/*
 * `field` is where `offset` points to. `value` is NULL when there is none (OPTION_NO_VALUE,
 * OPTION_MAY_END, OPTION_ATTACHED) or when the option is taken back (`unset`). The sentence in err needs no
 * option's name: it is put in front.
 */
typedef int (*option_call_fn)(void *field, const char *value, bool unset, struct ptui_error *err);

struct option {
	enum option_type type;
	char letter;	  /* 0: none */
	const char *name; /* NULL: none */
	const char *word; /* what the value is called in the help: N_("FILE") */
	const char *help; /* N_() */
	size_t offset;	  /* in the command's struct */
	unsigned flags;
	uint64_t min, max;
	option_call_fn call;
	/* of OPTION_NO_VALUE: whether the next word is one all the same, as tutorials have it; or NULL */
	bool (*takes)(const char *next);
};

struct option_result {
	bool help;	/* -h or --help was there; nothing behind it was read */
	size_t n_words; /* what is no option stands in argv[0] to argv[n_words - 1] */
};

enum {
	OPTION_STOP_AT_WORD = 1, /* the first word that is no option ends them */
};

/*
 * Reads argv[0] to argv[argc - 1], and moves the words that are no options to the front.
 * `ret_values` is the struct that the offsets belong to, set to the defaults by the caller.
 * -EINVAL: the person's mistake (PTUI_ERROR_INPUT); -ENOMEM.
 */
int option_parse(const struct option *table, void *ret_values, int argc, char **argv,
		 unsigned flags, struct option_result *ret, struct ptui_error *err);

/*
 * The same for who wants to know what was said. `seen` gets each option that was right.
 * `wrong` (may be NULL) gets what is wrong with argv[at], and may return 0 to go on behind it: then
 * the option is as if it had not been said.
 */
struct option_watch {
	void (*seen)(void *ctx, const struct option *opt, const char *value, bool unset);
	int (*wrong)(void *ctx, int at, const char *word, const struct ptui_error *why);
	void *ctx;
};
int option_parse_watched(const struct option *table, void *ret_values, int argc, char **argv,
			 unsigned flags, struct option_result *ret,
			 const struct option_watch *watch, struct ptui_error *err);

/* The bare number, whole word, decimal. -EINVAL: none; -ERANGE: not from min to max. */
int option_number(const char *text, uint64_t min, uint64_t max, uint64_t *ret);

int option_words_add(struct option_words *w, const char *word); /* 0 or -ENOMEM */
void option_words_release(struct option_words *w);

bool option_takes_value(const struct option *opt);
bool option_has_no(const struct option *opt); /* it is shown as --[no-]NAME */

/* The whole table as help text: groups, names, values, and what they do. */
void option_help(const struct option *table, struct buf *out);

#endif
