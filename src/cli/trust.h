/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about what a recording lacks, for all commands that read one. */
#ifndef CLI_TRUST_H
#define CLI_TRUST_H

#include "cli/command.h"
#include "ptui/profile.h"

/* Prints them. Whether something of the file could not be read: the exit status is CLI_FAILED then. */
bool cli_warn_trust(const struct cli *cli, const struct ptui_trust *t, uint64_t samples,
		    const char *path);

#endif
