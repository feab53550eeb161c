/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a screen shows, written as text into the next perf.hist.N: perf's habit for its key P. */
#ifndef VIEW_PRINT_H
#define VIEW_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The first name that is free; `path` gets it. NULL: errno says why not. */
FILE *print_create(char *path, size_t size);
/* A name must not drive the terminal that the file is shown on. */
void print_text(FILE *out, const char *text);
/* Filled up to `width` columns; on the right not where it is the last one. */
void print_fitted(FILE *out, const char *text, int width, bool right, bool last);

#endif
