/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sparkline: ▁▂▅▇▅▂, in ASCII _.-=#. New values are added on the right; the scale is the highest
 * visible one.
 */
#ifndef WIDGET_SPARK_H
#define WIDGET_SPARK_H

#include <stddef.h>

#include "term/canvas.h"

#define SPARK_MAX 128

struct spark {
	double values[SPARK_MAX]; /* a ring */
	size_t n, next;
	double floor_top; /* minimum of the scale's top; 0: none */
};

void spark_init(struct spark *s);
/* Negative values and NaN are drawn as gaps. */
void spark_add(struct spark *s, double value);
/* The last `width` values, padded with blanks on the left. */
void spark_draw(const struct spark *s, const struct canvas *c, int y, int x, int width,
		style_t style);
/* One of ▁ … █ for 0 … 1, as text. Returns buf. */
#define SPARK_CHAR 5
char *spark_char(double part, char buf[SPARK_CHAR]);
/* A bar of `width` columns for 0 … 1, in eighths: heat next to a number. */
void spark_bar(const struct canvas *c, int y, int x, int width, double part, style_t style);

#endif
