/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output to stderr: errors, warnings, notes, and the debug log (PTUI_DEBUG). All text is escaped,
 * so that file names cannot control the terminal. Thread-safe.
 */
#ifndef CLI_OUT_H
#define CLI_OUT_H

#include <stdbool.h>
#include "cli/command.h"
#include "ptui/error.h"
#include "ptui/types.h"

/* "ptui: COMMAND: message", and the hint below it, indented. */
void cli_error(const struct cli *cli, const struct ptui_error *err);

/* The same, and returns the exit status: CLI_USAGE for invalid input, else CLI_FAILED. */
int cli_failed(const struct cli *cli, const struct ptui_error *err);

/* The same with the command's usage as the hint; returns CLI_USAGE. */
int cli_misused(const struct cli *cli, struct ptui_error *err);

/* An invalid command line: the message, with the usage as the hint; returns CLI_USAGE. */
int cli_invalid(const struct cli *cli, const char *fmt, ...) PTUI_PRINTF(2, 3);

/* cli_misused() for invalid input, else cli_failed(). */
int cli_rejected(const struct cli *cli, struct ptui_error *err);

/* "out of memory"; returns CLI_FAILED. */
int cli_nomem(const struct cli *cli);

/* "ptui: COMMAND: …": one line that is not an error. */
void cli_warn(const struct cli *cli, const char *fmt, ...) PTUI_PRINTF(2, 3);

/*
 * Starts printing warnings of the core, and the debug log that PTUI_DEBUG enables: "1" to stderr,
 * else the name of a file to append to.
 */
void cli_log_open(const struct cli *cli);
void cli_log_verbose(void);	/* also notes */
void cli_log_quiet(bool quiet); /* not even warnings */
void cli_log_close(void);

/*
 * Writes text to stdout and clears it. 0, or a negative errno, which is reported at exit (unless a
 * pager was quit); the caller should stop then.
 */
int cli_put(struct buf *text);
/* The same for text that is no buffer. */
int cli_put_text(const char *text);

/* Flushes stdout; as cli_put(). */
int cli_flush(void);

/*
 * Flushes and closes stdout. Reports a write error, and then returns CLI_FAILED instead of CLI_OK.
 */
int cli_close_stdout(const struct cli *cli, int status);

#endif
