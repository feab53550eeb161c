/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long text on a terminal goes through a pager: what PTUI_PAGER or PAGER says (a shell
 * command; "" and "cat" say none), else less with LESS=FRSX, as perf does. Start it when
 * there is something to print, not before the work: from then on ^C belongs to the pager,
 * and one that is left early makes the rest of the output vanish, which is no error.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include "cli/command.h"

/* Does nothing when stdout is no terminal (and --paginate was not said) or --no-pager was. */
void pager_start(const struct cli *cli);
bool pager_runs(void);
/* Shows the rest and waits until the person has left it. Nothing when there is none. */
void pager_finish(void);

#endif
