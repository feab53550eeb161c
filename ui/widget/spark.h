/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sparklines: ▁▂▅▇▅▂, in ASCII _.-=#; and bars. */
#ifndef WIDGET_SPARK_H
#define WIDGET_SPARK_H

#include <stddef.h>

#include "term/canvas.h"

#define SPARK_CHAR 4 /* bytes of a column */

/*
 * The last `width` values, the newest on the right, padded with blanks on the left; the scale is
 * the highest of them. Negative values and NaN are gaps. Returns buf.
 */
char *spark_text(const double *values, size_t n, size_t width, char *buf, size_t size);
/* One of ▁ … █ for 0 … 1. Returns buf. */
char *spark_char(double part, char buf[SPARK_CHAR + 1]);
/* A bar of `width` columns for 0 … 1, in eighths: heat next to a number. */
void spark_bar(const struct canvas *c, int y, int x, int width, double part, style_t style);

#endif
