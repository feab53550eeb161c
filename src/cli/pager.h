/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long output on a terminal goes through a pager: PTUI_PAGER or PAGER (a shell command; "" and
 * "cat": no pager), else less with LESS=FRSX, as in perf. Start it right before printing: from then
 * on ^C goes to the pager, and if it is quit early, the rest of the output is discarded, which is
 * not an error.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include "cli/command.h"

/* Does nothing if stdout is not a terminal (without --paginate), or with --no-pager. */
void pager_start(const struct cli *cli);
bool pager_runs(void);
/* Prints a text through a pager, and releases it; returns the exit status. */
int pager_print(const struct cli *cli, struct buf *text);
/* Flushes the rest and waits until the user quits the pager. Does nothing without a pager. */
void pager_finish(void);

#endif
