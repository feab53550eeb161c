/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `ptui record …` as words. Takes: the words of a command line, of ptui's or of perf's. Gives: the
 * options of the recording, with the same checks and the same defaults (config files) as on the
 * command line; and the table of options that there are, for who lets a person choose among them.
 * It opens nothing and records nothing. Any thread; an object is for one at a time.
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

/* Texts are in the person's language where they are for reading, and live as long as the program. */
struct ptui_record_option {
	const char *group; /* the heading that it stands below */
	const char *name;  /* "sample-cpu"; NULL: it has a letter only */
	char letter;	   /* 0: none */
	const char *word;  /* what the value is called; NULL: it takes none */
	const char *help;
	enum ptui_option_kind kind;
	uint64_t min, max;
	bool may_lack;	 /* the value may be left out */
	bool attached;	 /* it stands in the same word then: --name=VALUE */
	bool can_be_off; /* --no-NAME is something else than not to say it */
};

/* Those of the help, in its order, from 0. False: there are no more. */
bool ptui_record_option(size_t i, struct ptui_record_option *ret);
/* By "sample-cpu" or "g". SIZE_MAX: there is none. */
size_t ptui_record_option_find(const char *name);

/* ---- one of them, as it is said ---- */

struct ptui_record_use {
	size_t option;
	const char *value; /* NULL: none */
	bool off;	   /* it is taken back: --no-NAME */
};

/*
 * As the words of a command line. `first` gets "-D", "--sample-cpu" or "--name=VALUE"; the value is a
 * second word when true is returned. -ENAMETOOLONG: no room (nothing was written).
 */
int ptui_record_use_words(const struct ptui_record_use *use, char *first, size_t size,
			  bool *ret_value_follows);
/* Is the value one that this option takes? 0, or -EINVAL with the sentence. */
int ptui_record_use_check(const struct ptui_record_use *use, struct ptui_error *err);

/* ---- a whole line ---- */

struct ptui_record_line;

enum {
	/* what is wrong is left out, and listed; else it fails the whole */
	PTUI_LINE_TOLERANT = 1,
};

/* What was left out of a line. */
struct ptui_record_refusal {
	const char *word; /* as it stood there */
	size_t at;	  /* its number in the line */
	struct ptui_error why;
};

/*
 * Words are copied. "ptui record" or "perf record" may stand before the options, also behind sudo or
 * env; a line of something else is -EINVAL in err. NULL on failure. Selectors of events are not
 * looked at: ptui_recording_new() does that.
 */
struct ptui_record_line *ptui_record_line_new(const char *const *words, size_t n, unsigned flags,
					      struct ptui_error *err);
void ptui_record_line_free(struct ptui_record_line *l); /* NULL ok */

/* Borrowed, with all that it points to; argv is the command. No cmdline. */
const struct ptui_record_opts *ptui_record_line_opts(const struct ptui_record_line *l);
/* What was said, in its order; hidden spellings of an option as that option. NULL: no more. */
const struct ptui_record_use *ptui_record_line_use(const struct ptui_record_line *l, size_t i);
const struct ptui_record_refusal *ptui_record_line_refusal(const struct ptui_record_line *l,
							   size_t i);

#ifdef __cplusplus
}
#endif
#endif
