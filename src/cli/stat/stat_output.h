/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the text of `ptui stat` goes: standard error, -o, --log-fd, or nowhere. */
#ifndef CLI_STAT_STAT_OUTPUT_H
#define CLI_STAT_STAT_OUTPUT_H

#include "base/buf.h"
#include "cli/stat/stat_options.h"

struct stat_output {
	int fd;
	bool to_terminal;
	struct buf text; /* not written yet */
};
#define STAT_OUTPUT_INIT            \
	{                           \
		-1, false, BUF_INIT \
	}

int stat_output_open(struct stat_output *out, const struct stat_command *o, struct ptui_error *err);
/* Writes the text. 0 or a negative errno. */
int stat_output_put(struct stat_output *out);
void stat_output_release(struct stat_output *out);

#endif
