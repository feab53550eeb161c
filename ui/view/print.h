/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a screen as text to the next perf.hist.N, like perf's key P. */
#ifndef VIEW_PRINT_H
#define VIEW_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The first free name, stored in `path`. NULL: see errno. */
FILE *print_create(char *path, size_t size);
/* Escapes control characters: the file may be shown on a terminal. */
void print_text(FILE *out, const char *text);
/* Padded to `width` columns; the last column is not padded on the right. */
void print_fitted(FILE *out, const char *text, int width, bool right, bool last);

#endif
