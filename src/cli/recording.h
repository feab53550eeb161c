/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a recording, for the commands that read one. */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H

#include "cli/command.h"
#include "data/read/reader.h"

#define CLI_DEFAULT_INPUT "perf.data"

/* NULL: it was said why, and *ret_status is the exit status. */
struct data_file *cli_open_recording(const struct cli *cli, const char *path, int *ret_status);

#endif
