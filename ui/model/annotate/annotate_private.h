/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of annotate.h.
 *
 *	annotate.c	code, counts, look, rows, moving
 *	annotate_text.c	texts of a line
 */
#ifndef MODEL_ANNOTATE_ANNOTATE_PRIVATE_H
#define MODEL_ANNOTATE_ANNOTATE_PRIVATE_H

#include <stdatomic.h>

#include "model/annotate/annotate.h"

struct annotate_code {
	atomic_uint refs;
	struct ptui_annotation *annotation;
	struct annotate_jumps jumps;
	int bytes_width, jump_count_width; /* of the widest */
};

struct annotate {
	struct annotate_code *code;
	struct ptui_annotate_counts *counts;
	struct annotate_event events[ANNOTATE_EVENTS_MAX];
	size_t n_events;
	struct annotate_look look;
	uint32_t *rows; /* lines */
	size_t n_rows;
};

const struct ptui_line *annotate_line(const struct annotate *a, uint32_t line);
struct ptui_annotate_count annotate_count(const struct annotate *a, uint32_t line, size_t column);
/* As chosen in the look. */
double annotate_percent(const struct annotate *a, uint32_t line, size_t column);

#endif
