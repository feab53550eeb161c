/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about what a recording lacks, for all commands that read one. */
#ifndef CLI_TRUST_H
#define CLI_TRUST_H

#include "cli/command.h"
#include "ptui/profile.h"

void cli_warn_trust(const struct cli *cli, const struct ptui_trust *t, uint64_t samples,
		    const char *path);

/* Instead of samples: which records there are. */
void cli_warn_no_samples(const struct cli *cli, const struct ptui_trust *t, const char *path);

#endif
