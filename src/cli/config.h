/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defaults out of config files. What it takes: a command's table of settings. What it gives: their
 * values in the command's own struct, before its options are read, which so beat them:
 *
 *	command line  >  ptui's config  >  $PERF_CONFIG, or ~/.perfconfig  >  /etc/perfconfig
 *
 * perf's files are read for what means the same here. A mistake in them is a warning; in ptui's
 * own it is an error, also a name that no command knows.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "cli/option.h"

/* The same table makes the manual's section DEFAULTS. */
struct cli_setting {
	const char *name;    /* "record.build-id"; NULL ends the table */
	const char *word;    /* what the value may be, in the manual: N_("cache|no-cache") */
	const char *help;    /* N_() */
	size_t offset;	     /* in the command's struct */
	option_call_fn call; /* as of an option, with the value; `unset` is false */
};

/*
 * Into `values`, which the offsets of `settings` belong to. 0, or the negative errno of a mistake in
 * ptui's own file. Warnings are logged. `settings` may be NULL: then nothing is read.
 */
int cli_config_read(const struct cli_setting *settings, void *values, struct ptui_error *err);

/* ---- calls that tables share ---- */

/* field: char *, owned, freed with the struct. */
int cli_setting_text(void *field, const char *value, bool unset, struct ptui_error *err);
/* field: bool */
int cli_setting_bool(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
