/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defaults from config files: read by a command's table of settings into the command's own struct,
 * before its options are parsed:
 *
 *	command line  >  ptui's config  >  $PERF_CONFIG, or ~/.perfconfig  >  /etc/perfconfig
 *
 * perf's files are read for settings with the same meaning. Errors in them are warnings. In ptui's
 * file they are fatal, including names that no command knows.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "cli/option.h"

/* Also printed as the section DEFAULTS of the manual. */
struct cli_setting {
	const char *name;    /* "record.build-id"; NULL ends the table */
	const char *word;    /* possible values, for the manual: N_("cache|no-cache") */
	const char *help;    /* N_() */
	size_t offset;	     /* in the command's struct */
	option_call_fn call; /* as for options, with the value; `unset` is false */
};

/*
 * Reads into `values`, the struct that the offsets refer to. 0, or a negative errno for an error in
 * ptui's own file. Logs warnings. `settings` may be NULL: reads nothing.
 */
int cli_config_read(const struct cli_setting *settings, void *values, struct ptui_error *err);

/* ---- shared setters ---- */

/* field: char *, owned, freed with the struct. */
int cli_setting_text(void *field, const char *value, bool unset, struct ptui_error *err);
/* field: bool */
int cli_setting_bool(void *field, const char *value, bool unset, struct ptui_error *err);

#endif
