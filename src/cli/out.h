/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes to stderr: errors, warnings, notes, and the debug log (PTUI_DEBUG). All of it is
 * escaped, so that a file's name cannot drive the terminal. Any thread may call.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include "cli/command.h"
#include "ptui/error.h"
#include "ptui/types.h"

/* "ptui: COMMAND: sentence", and the advice below it, a line each, indented. */
void cli_error(const struct cli *cli, const struct ptui_error *err);

/* The same, and returns the status for it: CLI_USAGE for the person's words, else CLI_FAILED. */
int cli_failed(const struct cli *cli, const struct ptui_error *err);

/* The same with the command's usage as the advice; returns CLI_USAGE. */
int cli_misused(const struct cli *cli, struct ptui_error *err);

/* "ptui: COMMAND: …": one line that is no failure. */
void cli_warn(const struct cli *cli, const char *fmt, ...) PTUI_PRINTF(2, 3);

/*
 * From now on the core's warnings are printed, and what PTUI_DEBUG asks for is logged:
 * "1" to stderr, else the name of a file, to which is appended.
 */
void cli_log_open(const struct cli *cli);
void cli_log_verbose(void);	/* notes as well */
void cli_log_quiet(bool quiet); /* no warnings either */
void cli_log_close(void);

/*
 * Writes text to stdout and clears it. 0, or a negative errno, which is told at the end of the
 * program (unless a pager was left); there is no use in going on then.
 */
int cli_put(struct buf *text);

/* What was put is to be seen now. As cli_put(). */
int cli_flush(void);

/* Flushes and closes stdout. What could not be written is told, and makes CLI_OK to CLI_FAILED. */
int cli_close_stdout(const struct cli *cli, int status);

#endif
