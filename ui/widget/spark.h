/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small history in one line: ▁▂▅▇▅▂, in ASCII _.-=#. Values come in at the right, the oldest
 * leave at the left; the scale is the highest one that is drawn.
 */
#ifndef WIDGET_SPARK_H
#define WIDGET_SPARK_H

#include <stdbool.h>
#include <stddef.h>

#include "term/canvas.h"

#define SPARK_MAX 128

struct spark {
	double values[SPARK_MAX]; /* a ring */
	size_t n, next;
	double floor_top; /* the scale's top is at least this; 0: no floor */
};

void spark_init(struct spark *s);
/* Negative values and NaN are drawn as a gap. */
void spark_add(struct spark *s, double value);
/* The last `width` values; blank where there are none yet. */
void spark_draw(const struct spark *s, const struct canvas *c, int y, int x, int width,
		style_t style);
/* One of ▁ … █ for 0 … 1, as text. Returns buf. */
#define SPARK_CHAR 5
char *spark_char(double part, char buf[SPARK_CHAR]);
/* One bar of `width` columns, 0 … 1 of it full in eighths: heat beside a number. */
void spark_bar(const struct canvas *c, int y, int x, int width, double part, style_t style);

#endif
