/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of Setup with a few values, each made by options: one table says which. An option with
 * another value than those of the row replaces the row.
 */
#ifndef MODEL_SETUP_SETUP_CHOICE_H
#define MODEL_SETUP_SETUP_CHOICE_H

#include "model/setup/setup.h"

enum setup_choice {
	SETUP_RATE,
	SETUP_CALLS, /* callchains */
	SETUP_KEEP, /* flight recorder: write every sample, or keep the last ones until a snapshot */
	SETUP_END,  /* setup_can_be_timed(): not made by an option */
	N_SETUP_CHOICES
};

/* Callchains. Others, such as dwarf without live, are the option call-graph. */
enum setup_calls {
	SETUP_CALLS_UNWOUND, /* --call-graph dwarf,live */
	SETUP_CALLS_FP,	     /* -g: by frame pointers */
	SETUP_CALLS_OFF,
	N_SETUP_CALLS
};

enum setup_keep {
	SETUP_KEEP_OFF,	   /* all samples are written */
	SETUP_KEEP_MEMORY, /* -M */
	SETUP_KEEP_RINGS,  /* --overwrite */
	N_SETUP_KEEPS
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

#define SETUP_CHOICE_VALUES 4

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
/* Number or size for the current value. Invalid ones change nothing: -EINVAL with err set. */
int setup_set_choice_size(struct setup *s, enum setup_choice c, const char *text,
			  struct ptui_error *err);
/* The value with this id in the file; -EINVAL: none. */
int setup_choice_by_id(enum setup_choice c, const char *id);

#endif
