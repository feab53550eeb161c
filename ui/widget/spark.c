/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "text/utf8.h"
#include "widget/spark.h"

#define HEIGHTS 8 /* of a block, and as many widths */

static bool is_value(double v)
{
	return isfinite(v) && v >= 0;
}

/* ▁ … █: zero is the lowest one, distinct from a gap. */
static uint32_t block(double value, double top)
{
	int height = top > 0 ? (int)(value / top * HEIGHTS) : 0;

	if (height >= HEIGHTS)
		height = HEIGHTS - 1;
	return 0x2581 + (uint32_t)height;
}

char *spark_text(const double *values, size_t n, size_t width, char *buf, size_t size)
{
	double top = 0;
	size_t at = 0;

	for (size_t i = n > width ? n - width : 0; i < n; i++)
		if (is_value(values[i]) && values[i] > top)
			top = values[i];
	for (size_t back = width; back > 0 && at + SPARK_CHAR < size; back--) {
		bool has = back <= n && is_value(values[n - back]);

		at += utf8_put(buf + at, has ? block(values[n - back], top) : ' ');
	}
	buf[at] = '\0';
	return buf;
}

char *spark_char(double part, char buf[SPARK_CHAR + 1])
{
	buf[utf8_put(buf, block(part > 0 ? part : 0, 1))] = 0;
	return buf;
}

void spark_bar(const struct canvas *c, int y, int x, int width, double part, style_t style)
{
	int eighths;

	if (width <= 0)
		return;
	if (!(part > 0))
		part = 0;
	else if (part > 1)
		part = 1;
	eighths = (int)(part * width * HEIGHTS + 0.5);
	for (int i = 0; i < width; i++, eighths -= HEIGHTS) {
		uint32_t ch = ' ';

		if (eighths >= HEIGHTS)
			ch = 0x2588;
		else if (eighths > 0)
			ch = 0x2590 - (uint32_t)eighths; /* ▏ is one eighth, ▉ seven */
		canvas_fill(c, y, x + i, 1, 1, style, ch);
	}
}
