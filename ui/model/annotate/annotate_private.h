/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of annotate.h.
 *
 *	annotate.c	code, counts, look, rows, moving
 *	annotate_text.c	texts of a line
 */
#ifndef MODEL_ANNOTATE_ANNOTATE_PRIVATE_H
#define MODEL_ANNOTATE_ANNOTATE_PRIVATE_H

#include "model/annotate/annotate.h"

const struct ptui_line *annotate_line(const struct annotate *a, uint32_t line);
struct ptui_annotate_count annotate_count(const struct annotate *a, uint32_t line, size_t column);
/* As chosen in the look. */
double annotate_percent(const struct annotate *a, uint32_t line, size_t column);

#endif
