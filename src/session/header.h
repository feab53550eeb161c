/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SESSION_HEADER_H
#define SESSION_HEADER_H

#include <stdbool.h>

struct data_file;

/*
 * The header of an open recording, as ptui_recording_header() has it; of a pipe, what has arrived.
 * The caller frees it. NULL: out of memory.
 */
char *header_text(struct data_file *file, bool info);
/* Number of registers for branches of the recorded processor; 0: unknown. */
unsigned header_max_branches(struct data_file *file);

#endif
